# gpuwl-top: build, run, test. `make help` lists the targets.
#
#   SAN=1    AddressSanitizer and UndefinedBehaviorSanitizer
#   DEBUG=1  no optimisation, assertions on
#   CC=clang another compiler

.DELETE_ON_ERROR:
.DEFAULT_GOAL := all

PREFIX  ?= /usr/local
DESTDIR ?=
VERSION := 0.1.0

ifeq ($(origin CC),default)
CC := gcc
endif
CLANG ?= clang

variant := $(CC)$(if $(SAN),-san)$(if $(DEBUG),-debug)
B := build/$(variant)

PKGS      := ncursesw readline libdrm jansson
TEST_PKGS := cmocka vterm

warnings := -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes \
            -Wmissing-prototypes -Wpointer-arith -Wwrite-strings \
            -Wvla -Wformat=2 -Wundef -Wold-style-definition

cflags = -std=gnu17 -I. -D_GNU_SOURCE -DGPUWL_VERSION='"$(VERSION)"' \
         $(warnings) -g -MMD -MP -fno-common $(CFLAGS)
ldflags = $(LDFLAGS)
ifdef DEBUG
cflags += -O0 -DGPUWL_INVARIANTS
else
cflags += -O2
endif
ifdef SAN
san := -fsanitize=address,undefined -fno-sanitize-recover=all \
       -fno-omit-frame-pointer
cflags  += $(san) -DGPUWL_INVARIANTS
ldflags += $(san)
endif

cflags  += $(shell pkg-config --cflags $(PKGS) 2>/dev/null)
libs     = $(shell pkg-config --libs $(PKGS) 2>/dev/null) -linih -lm
testlibs = $(shell pkg-config --libs $(TEST_PKGS) 2>/dev/null) -lutil

# One archive per folder; a folder may use those after it (design section 2).
folders := tui engine layerstream parser
$(foreach f,$(folders),$(eval $f_src := $(wildcard $f/*.c)))
main_src := tui/main.c
tui_src  := $(filter-out $(main_src),$(tui_src))

obj = $(patsubst %.c,$(B)/%.o,$1)
archives := $(foreach f,$(folders),$(if $($f_src),$(B)/lib$f.a))

program := $(B)/gpuwl-top

.PHONY: all
all: $(program)

$(program): $(call obj,$(main_src)) $(archives) $(B)/embedded.o
	$(CC) $(ldflags) -o $@ $^ $(libs)
	@ln -sf $(variant)/gpuwl-top build/gpuwl-top

define archive_rule
$(B)/lib$1.a: $(call obj,$($1_src))
	@rm -f $$@
	$$(AR) rcs $$@ $$^
endef
$(foreach f,$(folders),$(eval $(call archive_rule,$f)))

$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(cflags) -c -o $@ $<

# Shipped descriptors and profiles are part of the program, so that it runs
# from anywhere (tui/embedded.h, engine/embedded.h).
embedded_files := $(wildcard workloads/*.wsim workloads/profiles/*.ini)

$(B)/embedded.c: tools/embed.sh $(embedded_files)
	@mkdir -p $(@D)
	sh tools/embed.sh $(embedded_files) >$@

$(B)/embedded.o: $(B)/embedded.c
	$(CC) $(cflags) -c -o $@ $<

# Tests: every tests/test_*.c and tests/tui/test_*.c is a program.
test_src  := $(wildcard tests/test_*.c tests/tui/test_*.c)
test_help := $(wildcard tests/support/*.c tests/naive/*.c)
test_bins := $(patsubst %.c,$(B)/%,$(test_src))

$(test_bins): $(B)/%: $(B)/%.o $(call obj,$(test_help)) $(archives) \
    $(B)/embedded.o
	$(CC) $(ldflags) -o $@ $^ $(libs) $(testlibs)

.PHONY: build-tests
build-tests: $(program) $(test_bins)

.PHONY: clean
clean:
	rm -rf build

-include $(shell find build -name '*.d' 2>/dev/null)
