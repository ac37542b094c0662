# gpuwl-top: build, run, test. `make help` lists the targets.
#
#   SAN=1     AddressSanitizer and UndefinedBehaviorSanitizer
#   DEBUG=1   no optimisation, assertions on
#   LTO=      no optimisation across files, which `make`, `make install` and
#             `make bench` have: a third more batches per second, and a minute
#             more to build
#   CC=clang  another compiler
#   WERROR=-Werror   warnings are errors
#   V=1       show the commands, and all that the tests print
#
# Each combination builds in a folder of its own under build/.

.DELETE_ON_ERROR:
.DEFAULT_GOAL := all

PREFIX  ?= /usr/local
DESTDIR ?=
VERSION := 0.1.0
# -Werror makes warnings errors, as .ci/run has it: not for other compilers than
# those that it knows.
WERROR  ?=

ifeq ($(origin CC),default)
CC := gcc
endif
CLANG  ?= clang
# Test programs (and fuzz targets) that run at a time.
JOBS   ?= 2
# What a test program may take, in seconds.
TEST_TIMEOUT ?= 300
FUZZ_SECONDS ?= 60
FUZZ_SEED    ?= 0
# Random keys for `make soak`.
SOAK_KEYS ?= 1000000
# Runs on a GPU, each with trouble at a random instant.
SOAK_RUNS ?= 1000

say = $(if $(V),,@echo '  $1 $2' &&)

# Link-time optimisation is gcc's, of what people keep and measure.
LTO ?= $(if $(filter all install bench build-bench,$(or $(MAKECMDGOALS),all)),1)
ifneq ($(SAN)$(DEBUG)$(findstring gcc,$(notdir $(CC))),gcc)
override LTO :=
endif

empty :=
variant := $(subst $(empty) ,_,$(subst /,_,$(CC)))$(if $(SAN),-san)$(if \
           $(DEBUG),-debug)$(if $(FUZZ),-fuzz)$(if $(LTO),-lto)
B := build/$(variant)

PKGS      := ncursesw readline libdrm jansson inih libprotobuf-c libutf8proc \
             SPIRV-Tools libtracecmd
TEST_PKGS := cmocka vterm

warnings := -Wall -Wextra $(WERROR) -Wshadow -Wstrict-prototypes \
            -Wmissing-prototypes -Wpointer-arith -Wwrite-strings \
            -Wvla -Wformat=2 -Wundef -Wold-style-definition

cflags := -std=gnu17 -I. -I$(B) -D_GNU_SOURCE -DGPUWL_VERSION='"$(VERSION)"' \
          $(warnings) -g -MMD -MP -fno-common
ldflags :=
ifdef DEBUG
cflags += -O0 -DGPUWL_INVARIANTS
else ifdef SAN
cflags += -O1
else
cflags += -O2
endif
ifdef SAN
san := -fsanitize=address,undefined -fno-sanitize-recover=all \
       -fno-omit-frame-pointer
cflags  += $(san) -DGPUWL_INVARIANTS -DGPUWL_SANITIZERS
ldflags += $(san)
endif
ifdef FUZZ
cflags += -fsanitize=fuzzer-no-link
endif
ifneq ($(LTO),)
cflags += -flto=auto
lto    := -O2 -flto=auto
AR     := gcc-ar
endif
ifeq ($(SAN)$(DEBUG)$(findstring gcc,$(notdir $(CC))),gcc)
# Functions of the engine are inlined as with -O3, the rest of which makes heaps
# slower.
inline := --param max-inline-insns-auto=30 --param max-inline-insns-single=200 \
          --param inline-min-speedup=15 --param early-inlining-insns=14
endif

cflags   += $(shell pkg-config --cflags $(PKGS) 2>/dev/null) $(CPPFLAGS) \
            $(CFLAGS)
ldflags  += $(LDFLAGS)
# SPIRV-Tools is a static library in C++.
libs     := $(shell pkg-config --libs $(PKGS) 2>/dev/null) -lstdc++ -lm
testlibs := $(shell pkg-config --libs $(TEST_PKGS) 2>/dev/null) -lutil

# One archive per folder; a folder may use those after it.
folders := cli tui report decide run device trace layerstream engine parser base
$(foreach f,$(folders),$(eval $f_src := $(wildcard $f/*.c $f/*/*.c)))
main_src := cli/main.c
cli_src  := $(filter-out $(main_src),$(cli_src))
# The preload library is loaded into other programs, not linked into this one.
preload_src := $(wildcard device/preload/*.c) device/wire/mark.c
device_src  := $(filter-out device/preload/%,$(device_src))

# Files that protobuf-c makes of *.proto: $(B)/trace/NAME.pb-c.[ch], included as
# trace/NAME.pb-c.h. Its plugin for protoc has replaced protoc-c, which warns of that.
protoc     := $(if $(shell command -v protoc >/dev/null && command -v protoc-gen-c),protoc,protoc-c)
protos     := $(wildcard trace/*.proto)
proto_hdrs := $(protos:%.proto=$(B)/%.pb-c.h)
proto_objs := $(protos:%.proto=$(B)/%.pb-c.o)
trace_made := $(proto_objs)

obj = $(patsubst %.c,$(B)/%.o,$1)
archives := $(foreach f,$(folders),$(if $($f_src),$(B)/lib$f.a))
program := $(B)/gpuwl-top
library := $(B)/libgpuwl-i915.so
man_lists := $(B)/tools/man_lists
same_inputs := $(B)/tools/same_inputs

# Shipped descriptors and profiles are part of the program, so that it runs
# from anywhere (base/embedded.h).
examples := $(wildcard workloads/*.wsim)
profiles := $(wildcard workloads/profiles/*.ini)
embedded_files := $(examples) $(profiles)

# Makes a fuzz target's object one of many in a program (tests/fuzz/test_corpus).
replay = objcopy --redefine-sym LLVMFuzzerTestOneInput=$*_one \
         --weaken-symbol=__lsan_default_suppressions

# What a file of this variant was made with: rewritten, and so newer, when that
# changes.
define stamp
ifneq ($$(file <$(B)/$1),$2)
$$(shell mkdir -p $(B))
$$(file >$(B)/$1,$2)
endif
endef
ifeq ($(filter help clean deps run test same check-drivers soak behaviours \
                mutants bench fuzz,$(MAKECMDGOALS)),)
ifeq ($(shell pkg-config --exists $(PKGS) 2>/dev/null && echo yes),)
$(warning Libraries are missing: `make deps` installs them.)
endif
$(eval $(call stamp,flags,$(CC) $(cflags) $(inline) $(ldflags) $(libs)))
$(eval $(call stamp,replay,$(replay)))
$(eval $(call stamp,files,$(foreach f,$(folders),$($f_src)) $(protos) $(embedded_files)))
endif

.PHONY: all quick
all: quick ## build the program: build/gpuwl-top

quick: $(program) $(library) ## the same without LTO, which takes a minute less
	@ln -sf $(variant)/gpuwl-top build/gpuwl-top
	@ln -sf $(variant)/gpuwl-top build/gpuwl-run

# gpuwl-run is the same program under a second name.
$(program): $(call obj,$(main_src)) $(archives) $(B)/embedded.o
	$(call say,LD,$@$(if $(LTO), (LTO: a minute or two))) $(CC) $(lto) $(ldflags) -o $@ $^ $(libs)
	@ln -sf gpuwl-top $(B)/gpuwl-run

# The preload library has objects of its own: never with sanitizers, which would
# have to be in the program that it is loaded into.
library_objs   := $(preload_src:%.c=$(B)/library/%.o)
library_cflags := $(filter-out $(san) -fsanitize=% -flto=% -O%,$(cflags)) -O2 -fPIC -U_FORTIFY_SOURCE

$(library): $(library_objs) device/preload/exports.map
	$(call say,LD,$@) $(CC) -shared -Wl,-z,defs \
	    -Wl,--version-script=device/preload/exports.map \
	    $(filter-out $(san),$(ldflags)) -o $@ $(library_objs)

$(library_objs): $(B)/library/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,CC,$<) $(CC) $(library_cflags) -c -o $@ $<

define archive_rule
$(B)/lib$1.a: $(call obj,$($1_src)) $($1_made) $(B)/files
	@rm -f $$@
	@$$(AR) rcs $$@ $$(filter %.o,$$^)
endef
$(foreach f,$(folders),$(eval $(call archive_rule,$f)))

$(call obj,$(trace_src)): | $(proto_hdrs)

$(B)/%.pb-c.c $(B)/%.pb-c.h: %.proto
	@mkdir -p $(@D)
	$(call say,GEN,$<) $(protoc) --c_out=$(B) $<

$(proto_objs): %.o: %.c $(B)/flags
	$(call say,CC,$<) $(CC) $(cflags) -c -o $@ $<

$(call obj,$(engine_src) base/heap.c): cflags += $(inline)

$(B)/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,CC,$<) $(CC) $(cflags) -c -o $@ $<

$(B)/embedded.c: tools/embed.sh $(embedded_files) $(B)/files
	@mkdir -p $(@D)
	$(call say,GEN,$@) sh tools/embed.sh $(embedded_files) >$@

$(B)/embedded.o: $(B)/embedded.c $(B)/flags
	$(call say,CC,$<) $(CC) $(cflags) -c -o $@ $<

$(B)/flags $(B)/files $(B)/replay:

# Targets that install what is missing: make reads this file again after that.
again = @$(MAKE) --no-print-directory \
        $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc))

.PHONY: deps
deps: ## install what is missing to build and test (apt-get)
	@sh tools/install-deps.sh test

.PHONY: run
run: ## install what is missing, build, open the console on an example
	@sh tools/install-deps.sh build
	$(again) quick
	@$(program)

# Tests: those of parser/ are in tests/parser/test_*.c, and so on. One runner has all,
# but for those of the preload library's functions, which have these functions instead
# of libc's.
test_src    := $(wildcard tests/test_*.c tests/*/test_*.c)
preload_tests := $(wildcard tests/device/*_preload*.c)
test_help   := $(filter-out $(test_src) $(preload_tests),$(wildcard \
                 tests/support/*.c tests/naive/*.c tests/mutants/*.c))
behaviours_src := $(wildcard tests/behaviours/*.c)
runner_objs := $(call obj,$(wildcard tests/runner/*.c))
tests       := $(B)/tests/all
more_tests  := $(B)/tests/preload
test_archive := $(B)/libtests.a

$(test_archive): $(call obj,$(test_help)) $(B)/files
	@rm -f $@
	@$(AR) rcs $@ $(filter %.o,$^)

link_tests = $(call say,LD,$@) $(CC) $(ldflags) -o $@ $(filter %.o,$^) \
    $(test_archive) $(archives) $(libs) $(testlibs)

$(tests): $(call obj,$(filter-out $(preload_tests),$(test_src)) $(behaviours_src))

# Written once, run for milliseconds.
$(call obj,$(test_src)): cflags += -O0

preload_objs := $(filter-out $(B)/device/wire/%,$(call obj,$(preload_src)))
$(more_tests): $(call obj,$(preload_tests)) $(preload_objs)

# What tools/run-mutants.sh builds of each mutant.
$(B)/tests/behaviours-alone: $(call obj,$(behaviours_src))

$(tests) $(more_tests) $(B)/tests/behaviours-alone: $(runner_objs) $(test_archive) \
    $(archives) $(B)/embedded.o
	$(link_tests)

# The programs that tests run in virtual time are not sanitized, as the library.
test_programs := $(B)/tests/programs/turns $(B)/tests/programs/waits \
    $(B)/tests/programs/timers $(B)/tests/programs/frames

$(test_programs): $(B)/%: %.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,LD,$@) $(CC) $(library_cflags) -o $@ $< -pthread

# gpuwl-run that logs submissions to its device (tests/programs/log_calls.c).
log_calls := $(B)/log_calls/gpuwl-run

$(log_calls): $(call obj,$(main_src)) $(B)/tests/programs/log_calls.o \
    $(archives) $(B)/embedded.o | $(library)
	@mkdir -p $(@D)
	$(call say,LD,$@) $(CC) $(ldflags) \
	    -Wl,--wrap=i915_seen_submission -o $@ $^ $(libs)
	@ln -sf ../$(notdir $(library)) $(@D)

# What fuzzing has kept is run again by one test, in which the entry of each
# fuzz target has a name of its own; what sanitizers ask of one program, several
# may answer.
fuzz_src := $(wildcard tests/fuzz/fuzz_*.c)
fuzz_replayed := $(fuzz_src:tests/fuzz/%.c=$(B)/tests/fuzz/replayed/%.o)

$(tests): $(fuzz_replayed)

$(fuzz_replayed): $(B)/tests/fuzz/replayed/%.o: $(B)/tests/fuzz/%.o \
    $(B)/replay
	@mkdir -p $(@D)
	@$(replay) $< $@

# Take features away from the virtual i915, and let calls fail.
test_preloads := $(B)/tests/programs/lacks.so $(B)/tests/programs/faults.so

$(test_preloads): $(B)/%.so: %.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,LD,$@) $(CC) $(library_cflags) -shared -o $@ $< -ldl

.PHONY: build-tests
build-tests: $(program) $(library) $(tests) $(more_tests) $(test_programs) $(test_preloads) \
    $(log_calls) $(man_lists)

# Data of others that tests compare with, where it is there.
ifneq ($(wildcard ../shared),)
export GPUWL_SHARED ?= $(abspath ../shared)
endif
export GPUWL_TOP = $(abspath $(program))
export HOUSE_BUILD = $(abspath $(B))
export MAN_LISTS = $(abspath $(man_lists))
export TEST_TIMEOUT
export ASAN_OPTIONS ?= detect_leaks=1:detect_stack_use_after_return=1
export UBSAN_OPTIONS ?= print_stacktrace=1

.PHONY: test
test: ## install what is missing, build, run all tests (SAN=1, CC=clang)
	@sh tools/install-deps.sh test
	$(again) run-tests

.PHONY: test-all
test-all: ## the same, with all rounds of tests that are random
	@sh tools/install-deps.sh test
	$(again) run-tests ROUNDS=100

.PHONY: check
check: run-tests ## run all tests with what is installed

# Sanitizers are not for checks of the sources, nor for tests that compare
# figures: others make the same calls.
source_checks := tools/check-manual.sh tools/check-citations.sh \
    tools/check-house.sh tools/check-names.sh tools/check-files.sh \
    tools/check-promises.sh
ifdef SAN
source_checks :=
without := naive/naive_figures cli/capture_wsim cli/capture_figures
ifneq ($(findstring clang,$(CC)),)
without += cli/virtual_wsim cli/hardware_wsim
endif
endif

# Percent of the random cases of tests: the first third finds what all find, but for
# faults that one case in some thousands shows (doc/hacking.md, "Tests").
ROUNDS ?= $(if $(SAN),10,33)
export ROUNDS

# TESTS="engine/hangs cli/batch" runs those whose names have that in them.
.PHONY: run-tests
run-tests: build-tests
	@$(tests) -j $(JOBS) -t $(TEST_TIMEOUT) $(without:%=-n %) -w $(more_tests) \
	    $(patsubst %,-x %,tools/check-shipped.sh $(source_checks)) $(TESTS)

# Others each time, unless MONKEY_SEED and CHAOS_SEED say where to begin.
.PHONY: soak run-soak
soak: ## SOAK_KEYS (1000000) random keys, SOAK_RUNS (1000) of a GPU, with sanitizers
	@sh tools/install-deps.sh test
	$(again) SAN=1 run-soak

run-soak: build-tests
	@CHAOS_RUNS=$(SOAK_RUNS) CHAOS_CONSOLES=$(SOAK_RUNS) \
	    CHAOS_SEED=$${CHAOS_SEED:-$$(date +%s)} MONKEY_KEYS=$(SOAK_KEYS) \
	    MONKEY_SEED=$${MONKEY_SEED:-$$(date +%s)} \
	    $(tests) -t 1000000 chaos tui/monkey

# Mesa, Intel's media and OpenCL drivers on the virtual i915.
.PHONY: check-drivers
check-drivers: ## run Mesa, VA-API and OpenCL programs on the virtual i915
	@sh tools/install-deps.sh drivers
	$(again) quick
	@bash tools/check-drivers.sh $(B)/gpuwl-run

# On an idle machine only: gem_wsim in real time (tools/check-realtime.sh).
.PHONY: check-realtime
check-realtime: ## compare gem_wsim on the virtual i915 with batch mode
	$(again) quick
	@bash tools/check-realtime.sh $(B)/gpuwl-run

.PHONY: check-realtime-gpu
check-realtime-gpu: ## the same, with batch mode on the virtual i915 (-D)
	$(again) quick
	@bash tools/check-realtime.sh -D $(B)/gpuwl-run

# Calibrations of virtual GPUs against their profiles, in real time
# (tools/check-calibration.sh).
.PHONY: check-calibration
check-calibration: ## compare profiles that --calibrate finds with those of virtual GPUs
	$(again) quick
	@bash tools/check-calibration.sh $(B)/gpuwl-top

# Both, which take some twenty minutes, and a verdict.
.PHONY: check-idle
check-idle: ## check-calibration and check-realtime-gpu, on an idle machine, with a verdict
	$(again) quick
	@bash tools/check-calibration.sh $(B)/gpuwl-top; calibration=$$?; \
	bash tools/check-realtime.sh -D $(B)/gpuwl-run; rates=$$?; \
	echo "calibration: $$([ $$calibration -eq 0 ] && echo passed || echo FAILED);" \
	    "rates: $$([ $$rates -eq 0 ] && echo passed || echo FAILED)"; \
	[ $$calibration -eq 0 ] && [ $$rates -eq 0 ]

# Captures of gem_wsim against gem_wsim, in virtual time (tools/check-capture.sh).
.PHONY: check-capture
check-capture: ## compare captures of gem_wsim, run on the model, with gem_wsim
	$(again) quick
	@bash tools/check-capture.sh $(B)/gpuwl-run

# Two builds on the same random inputs (tools/same.sh). Without OLD: the commit of
# tools/same.base.
$(same_inputs): $(same_inputs).o $(test_archive) $(archives) $(B)/embedded.o
	$(link_tests)

.PHONY: same build-same
build-same: quick $(same_inputs)

same: ## compare all outputs of OLD=BUILD with those of this build (COUNT, SEED)
	@sh tools/install-deps.sh test
	$(again) build-same
	@bash $(if $(OLD),tools/same.sh $(OLD) $(B),tools/check-same.sh $(B))

# What others test their scheduler for (tests/behaviours).
.PHONY: behaviours
behaviours: ## print the table of behaviours: row, passed or why not applicable
	@sh tools/install-deps.sh test >&2
	$(again) $(B)/tests/behaviours-alone >&2
	@$(B)/tests/behaviours-alone :behaviours

# Faults put into the program on purpose, one at a time (tests/mutants): which
# behaviours or other tests notice them. MUTANTS="NAME..." tries only those.
.PHONY: mutants
mutants: ## which tests notice faults put into the program (takes many minutes)
	@sh tools/install-deps.sh test >&2
	$(again) $(tests) >&2
	@bash tools/run-mutants.sh -j $(JOBS) $(tests) \
	    $(MUTANTS)

# Measurements: every tests/bench/bench_*.c is a program, bench.c is shared.
bench_bins := $(patsubst %.c,$(B)/%,$(wildcard tests/bench/bench_*.c))

$(bench_bins): $(B)/%: $(B)/%.o $(B)/tests/bench/bench.o $(archives) \
    $(B)/embedded.o
	$(call say,LD,$@) $(CC) $(lto) $(ldflags) -o $@ $^ $(libs)

.PHONY: build-bench
build-bench: $(bench_bins) quick

.PHONY: bench
bench: ## measure: lines of `name value unit`
	@sh tools/install-deps.sh build >&2
	$(again) build-bench >&2
	@set -e; for b in $(bench_bins); do $$b; done

# Fuzzing: every tests/fuzz/fuzz_NAME.c is a target, its corpus is
# tests/fuzz/corpus/NAME.tar.gz and the named inputs of tests/fuzz/regress/NAME.
# What a run adds stays in build/ until fuzz-keep.
fuzz_bins := $(patsubst %.c,$(B)/%,$(fuzz_src))

$(fuzz_bins): $(B)/%: $(B)/%.o $(archives) $(B)/embedded.o
	$(call say,LD,$@) $(CC) $(ldflags) -fsanitize=fuzzer -o $@ $^ $(libs)

# Writes seeds of what programs ask of the virtual i915 (tests/fuzz/record_i915.c).
record := $(B)/tests/fuzz/record_i915
wrapped := i915_new i915_call i915_hangup process_memory

$(record): $(call obj,$(main_src)) $(record).o $(archives) $(B)/embedded.o
	$(call say,LD,$@) $(CC) $(ldflags) \
	    $(wrapped:%=-Wl,--wrap=%) -o $@ $^ $(libs)

.PHONY: build-fuzz
build-fuzz: $(fuzz_bins)

fuzz_make = $(again) CC='$(CLANG)' SAN=1 FUZZ=1

.PHONY: fuzz fuzz-keep run-fuzz merge-fuzz
fuzz: ## run each fuzz target for FUZZ_SECONDS (60), from FUZZ_SEED (0: random)
	@sh tools/install-deps.sh fuzz
	$(fuzz_make) run-fuzz

fuzz-keep: ## add what `make fuzz` has found to the corpus in tests/fuzz
	$(fuzz_make) merge-fuzz

run-fuzz: build-fuzz
	@bash tools/run-fuzz.sh -j $(JOBS) -t $(FUZZ_SECONDS) -s $(FUZZ_SEED) \
	    $(fuzz_bins)

merge-fuzz: build-fuzz
	@bash tools/run-fuzz.sh -m $(fuzz_bins)

# The manual's lists of options and keys are made of the program's tables.
$(man_lists): $(man_lists).o $(archives) $(B)/embedded.o
	$(call say,LD,$@) $(CC) $(ldflags) -o $@ $^ $(libs)

.PHONY: man
man: $(man_lists) ## put the program's lists of options and keys into the man page
	@sh tools/manual.sh >$(B)/gpuwl-top.1
	cp $(B)/gpuwl-top.1 doc/gpuwl-top.1

.PHONY: pictures
pictures: $(program) ## make the pictures of the README from the program's screen
	@tools/pictures.sh

# Style.
c_files = $(shell git ls-files '*.c' '*.h')
scripts = $(wildcard tools/*.sh) .ci/run $(wildcard completions/*)

.PHONY: format format-check
format: ## format all C files
	@clang-format -i $(c_files)

format-check: ## fail if `make format` would change anything
	@clang-format --dry-run --Werror $(c_files)

# The analyzer takes nearly all of the time: QUICK=1 leaves it out.
tidy_src := $(sort $(foreach f,$(folders),$($f_src)) $(main_src) $(preload_src))
tidy_dir := $(B)/tidy$(if $(QUICK),-quick)

.PHONY: lint
lint: $(tidy_src:%=$(tidy_dir)/%) ## clang-tidy, shellcheck, mandoc (QUICK=1)
	shellcheck $(scripts)
	mandoc -T lint -W warning doc/gpuwl-top.1

$(tidy_dir)/%: % .clang-tidy $(B)/flags | $(proto_hdrs)
	@mkdir -p $(@D)
	$(call say,TIDY,$<) clang-tidy --quiet --warnings-as-errors='*' \
	    $(if $(QUICK),--checks='-clang-analyzer-*') $< -- \
	    $(filter-out -MMD -MP -flto%,$(cflags)) 2>$@.log || { cat $@.log; exit 1; }
	@touch $@

# Installation.
bindir  = $(DESTDIR)$(PREFIX)/bin
mandir  = $(DESTDIR)$(PREFIX)/share/man/man1
libdir  = $(DESTDIR)$(PREFIX)/lib/gpuwl
datadir = $(DESTDIR)$(PREFIX)/share/gpuwl-top
compdir = $(DESTDIR)$(PREFIX)/share/bash-completion/completions

.PHONY: install uninstall
install: $(program) $(library) ## install below PREFIX (/usr/local), into DESTDIR
	install -d $(bindir) $(libdir) $(mandir) $(compdir) \
	    $(datadir)/workloads/profiles
	install $(program) $(bindir)/gpuwl-top
	ln -sf gpuwl-top $(bindir)/gpuwl-run
	install -m 644 $(library) $(libdir)
	install -m 644 doc/gpuwl-top.1 $(mandir)/gpuwl-top.1
	ln -sf gpuwl-top.1 $(mandir)/gpuwl-run.1
	install -m 644 completions/gpuwl-top.bash $(compdir)/gpuwl-top
	ln -sf gpuwl-top $(compdir)/gpuwl-run
	install -m 644 $(examples) $(datadir)/workloads
	install -m 644 $(profiles) $(datadir)/workloads/profiles

uninstall: ## remove what `make install` put there
	rm -f $(bindir)/gpuwl-top $(bindir)/gpuwl-run \
	    $(mandir)/gpuwl-top.1 $(mandir)/gpuwl-run.1 \
	    $(compdir)/gpuwl-top $(compdir)/gpuwl-run
	rm -rf $(datadir) $(libdir)

.PHONY: clean
clean: ## remove build/
	rm -rf build

.PHONY: help
help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-14s %s\n", $$1, $$2}' \
	    Makefile

ifeq ($(filter help clean,$(MAKECMDGOALS)),)
-include $(shell find $(B) -name '*.d' 2>/dev/null)
endif
