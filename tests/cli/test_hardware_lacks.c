/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Refusals of a run on a GPU: the virtual i915, without one feature at a time,
 * which tests/programs/lacks.c or a profile takes away. The program says which
 * feature it is, once, and what would be needed; where it can do without, it
 * runs. Rules: doc/model/libdrm.md "Features", "Steps".
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <jansson.h>

#include "tests/runner/test.h"
#include "tests/support/folder.h"
#include "tests/support/gpuwl_run.h"
#include "tests/support/run_program.h"

#define COUNT(a)    (sizeof(a) / sizeof *(a))
#define NODE        "/dev/dri/renderD128"
#define REFUSED     "gpuwl-top: " NODE " has no "
#define WARNED      "gpuwl-top: warning: " NODE " has no "
#define AT(column)  "workload 0:1:" column ": "
#define ERROR_AT(c) AT(c) "error: " NODE " has no "
#define WARN_AT(c)  AT(c) "warning: " NODE " has no "

static char *lacks;

static int
use_lacks(void **state)
{
	lacks = test_preload("lacks");
	return use_gpuwl_top(state);
}

static int
free_lacks(void **state)
{
	(void)state;
	free(lacks);
	return 0;
}

/* A device, what it lacks, what runs on it, and what is said of it. */
struct refusal {
	const char *profile;
	const char *lacks;   /* of lacks.c; "": nothing */
	const char *options; /* of a shell's command line */
	int status;
	const char *said; /* in its first line; NULL: nothing at all */
};

static void
run_refusal(struct outcome *r, const struct refusal *t)
{
	char profile[64], command[8192];

	snprintf(profile, sizeof profile, "--profile=%s", t->profile);
	snprintf(command, sizeof command,
	    "LD_PRELOAD=%s:$LD_PRELOAD LACKS='%s' exec %s -b -D pci: %s", lacks,
	    t->lacks, gpuwl_top(), t->options);
	RUN(r, "-q", "--virtual-time", profile, "sh", "-c", command);
}

static bool
is_said_once(const char *err, const char *said)
{
	const char *at = strstr(err, said);

	return at == err && strstr(at + 1, said) == NULL;
}

static void
expect_refusal(const struct refusal *t)
{
	struct outcome r;
	bool right;

	run_refusal(&r, t);
	right = t->said != NULL ? is_said_once(r.err, t->said) : *r.err == '\0';
	if (!right || r.status != t->status)
		fail_msg("%s without %s, %s: status %d, said: %s", t->profile,
		    t->lacks, t->options, r.status, r.err);
	/* Nothing has run. */
	if (t->status != 0)
		assert_string_equal(r.out, "");
	else if (strncmp(t->options, "-q", 2) != 0)
		assert_non_null(strstr(r.out, "elapsed"));
	outcome_free(&r);
}

static void
expect_refusals(const struct refusal *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		expect_refusal(&list[i]);
}

/* A run needs these, whatever its steps are. */
TEST(gates_of_a_run)
{
#define PLAIN "-w 1.RCS.100.0.1"
	static const struct refusal gates[] = {
	    {"ideal", "param=4=19", PLAIN, 0, NULL},
	    {"ideal", "value=41=0", PLAIN, 2,
		REFUSED "scheduler, as its driver submits to rings: needs a "
			"GPU of generation 8 or later\n"},
	    {"ideal", "param=37=22", PLAIN, 2,
		REFUSED "addresses that a program chooses: needs Linux 4.5 or "
			"later, and full PPGTT\n"},
	    {"ideal", "value=18=2", PLAIN, 2,
		REFUSED "address space of 48 bits for each context: needs "
			"generation 8 or later, and i915.enable_ppgtt not "
			"changed\n"},
	    {"ideal", "param=44=22", PLAIN, 2,
		REFUSED "fences for batches: needs Linux 4.10 or later\n"},
	    {"ideal", "param=48=22", PLAIN, 2,
		REFUSED "batch as the first object: needs Linux 4.13 or "
			"later\n"},
	    {"ideal", "param=51=22", PLAIN, 2,
		REFUSED "clocks and arithmetic on all command streamers: needs "
			"a GPU of generation 8 or later\n"},
	    {"ideal", "query=2=0", PLAIN, 2,
		"gpuwl-top: " NODE ": the kernel does not list its engines: "
		"needs Linux 5.3 or later\n"},
#define NO_MAPS                                                                \
	REFUSED "contexts with engine maps and address spaces: needs Linux "   \
		"5.3 or later (Invalid argument)\n"
	    {"ideal", "context=10=22", PLAIN, 2, NO_MAPS},
	    {"ideal", "context=9=22", PLAIN, 2, NO_MAPS},
	    {"ideal", "ioctl=58=22", PLAIN, 2, NO_MAPS},
	    {"ideal", "driver=0=xe", PLAIN, 2,
		"gpuwl-top: " NODE ": invalid driver 'xe': expected i915, as "
		"gpuwl-top runs on no other\n"},
	    {"ivb-gt2", "", PLAIN, 2,
		REFUSED "scheduler, as its driver submits to rings: needs a "
			"GPU of generation 8 or later\n"},
	};

	expect_refusals(gates, COUNT(gates));
}

/* Steps whose feature is not there are errors, where they are. */
TEST(gates_of_steps)
{
	static const char gen9[] = "[profile]\nname = gen9\n"
				   "scheduler = execlists\n"
				   "[i915]\npci_id = 0x5916\ngeneration = 9\n"
				   "[device]\nVCS = 2\n";
#define START   "-w 1.RCS.100.0.0,1.BCS.100.s-1.0"
#define BALANCE "-w 'M.1.VCS1|VCS2,B.1,1.DEFAULT.100.0.0'"
#define BONDED                                                                 \
	"-w 'M.1.VCS1|VCS2,B.1,M.2.VCS1|VCS2,B.2,b.2.VCS2.VCS1,"               \
	"1.DEFAULT.100.0.0,2.DEFAULT.100.s-1.0'"
#define PARALLEL "-w G.1.VCS1/VCS2,1.DEFAULT.100.0.0"
#define SLICES   "-w S.1.1,1.RCS.100.0.0"
#define NO_BONDS                                                               \
	ERROR_AT("37")                                                         \
	"engine bonds (b): needs a kernel from 5.3 to 5.13, without GuC "      \
	"submission; G has taken their place (No such device)\n"
#define NO_PARALLEL                                                            \
	ERROR_AT("1")                                                          \
	"parallel submission (G): needs two engines of a class, and Linux "    \
	"5.16 or later with GuC submission, 5.17 or later without ("
#define NO_SLICES                                                              \
	"slice masks (S): needs a GPU of generation 11 (No such device)\n"
#define NO_RELATIVE                                                            \
	ERROR_AT("15")                                                         \
	"registers relative to the engine, which batches of virtual engines "  \
	"(B) use: needs a GPU of generation 11 or later\n"
	static const struct refusal gates[] = {
	    {"ideal", "", START, 0, NULL},
	    {"ideal", "param=53=22", START, 1,
		ERROR_AT("25") "submit fences (s-n): needs Linux 5.3 or "
			       "later\n"},
	    {"ideal", "", BALANCE, 0, NULL},
	    {"ideal", "slots=0=19", BALANCE, 1,
		ERROR_AT("15") "load balancing (B): needs Linux 5.3 or later, "
			       "and a GPU of generation 8 or later (No such "
			       "device)\n"},
	    {"./gen9.ini", "", BALANCE, 1, NO_RELATIVE},
	    {"./gen9.ini", "", "-w 'M.1.VCS2|RCS,1.VCS2.100.0.0'", 0, NULL},
	    {"kbl-gt2", "", "-w M.1.VCS,B.1,1.DEFAULT.100.0.0", 0, NULL},
	    {"icl", "", BALANCE, 0, NULL},
	    {"ideal", "", BONDED, 0, NULL},
	    {"ideal", "slots=1=19", BONDED, 1, NO_BONDS},
	    {"adl-p", "", BONDED, 1, NO_BONDS},
	    {"dg2-g10", "", PARALLEL, 0, NULL},
	    {"dg2-g10", "slots=2=22", PARALLEL, 1,
		NO_PARALLEL "Invalid argument)\n"},
	    {"ideal", "", PARALLEL, 1, NO_PARALLEL "Invalid argument)\n"},
	};

	write_file("gen9.ini", gen9);
	expect_refusals(gates, COUNT(gates));
}

TEST(slice_masks_and_durations)
{
	static const struct refusal gates[] = {
	    {"icl", "", SLICES, 0,
		AT("1") "warning: step 0 has no effect: the GPU has one "
			"slice\n"},
	    {"ideal", "context=7=19", SLICES, 1, ERROR_AT("1") NO_SLICES},
	    {"tgl", "", SLICES, 1, ERROR_AT("1") NO_SLICES},
	    {"tgl", "", "-s " PLAIN, 1, REFUSED NO_SLICES},
	    {"ideal", "", "-w 1.RCS.4294968.0.0", 1,
		AT("7") "error: " NODE ": a batch of 4294968 us: expected less "
			"than 4294967 us, after which the clock of a context "
			"begins again\n"},
	};

	expect_refusals(gates, COUNT(gates));
}

/* The driver itself is asked for the slots of a program. */
TEST(slots_are_tried)
{
	static const struct refusal refusals[] = {
	    {"dg2-g10", "", "-w 'M.1.VCS1|VCS2,B.1,1.DEFAULT.10.0.0'", 0, NULL},
	    {"default", "", "-w 'M.1.RCS|VCS1,B.1,1.DEFAULT.10.0.0'", 1,
		AT("14") "error: " NODE " refuses these engines: expected "
			 "engines of one class, each once (Invalid argument)\n"},
	};

	expect_refusals(refusals, COUNT(refusals));
}

/* Rights and features that a run does without are warned of. */
TEST(rights)
{
#define RAISED "P.1.3,1.RCS.100.0.0,P.1.5,1.RCS.100.0.0"
#define NO_PRIORITY                                                            \
	"priority above 0 (P) for this user: needs the capability "            \
	"CAP_SYS_NICE, e.g. `sudo setcap cap_sys_nice+ep PROGRAM` (Operation " \
	"not permitted); such priorities are 0 in this run\n"
	static const struct refusal rights[] = {
	    {"ideal", "open=" NODE "=13", PLAIN, 2,
		"gpuwl-top: " NODE ": permission denied: expected a member of "
		"its group, e.g. after `sudo usermod -a -G "},
	    {"ideal", "open=" NODE "=6", PLAIN, 2,
		"gpuwl-top: " NODE ": No such device or address\n"},
	    {"ideal", "context=6=1", "-w " RAISED, 0, WARN_AT("1") NO_PRIORITY},
	    {"ideal", "context=6=1", "-p 3 -w " RAISED, 0, WARNED NO_PRIORITY},
	    {"ideal", "context=6=1", "-q -p 3 -w " RAISED, 0, NULL},
	    {"ideal", "context=6=1", "-p -3 -w P.1.-5,1.RCS.10.0.0", 0, NULL},
	    {"ideal", "context=11=19", PLAIN, 0,
		WARNED "contexts that end with their process: needs Linux 5.7 "
		       "or later, and resets of single engines (No such "
		       "device); if gpuwl-top is killed, its batches go on\n"},
	    {"ideal", "value=41=3", "-w X.1.500,1.RCS.100.0.0", 0,
		WARN_AT("1") "preemption within batches (X): needs a GPU of "
			     "generation 9 or later; batches are preempted "
			     "between each other only\n"},
	    {"tgl", "",
		"--duration=0.01 -w 1.RCS.20000000.0.0,1.RCS.21000000.0.0", 0,
		AT("1") "warning: i915 ends a request after 20 s: a batch that "
			"may take 20000000 us needs its parameter "
			"request_timeout_ms=0\n"},
	    {"ideal", "open=/dev/sw_sync=2",
		"-w f,1.RCS.100.f-1.0,a.-2 -w f,1.RCS.100.f-1.0,a.-2", 0,
		AT("1") "warning: batches that wait for software fences (f) "
			"are held in user space until these have signalled "
			"(a)\n"},
	};

	expect_refusals(rights, COUNT(rights));
}

/* Root without the capability, which the device looks at. */
TEST(capability)
{
	struct outcome r;

	if (geteuid() != 0 || access("/usr/bin/setpriv", X_OK) != 0)
		skip_test("no setpriv, or not root");
	RUN(&r, "-q", "--virtual-time", "--profile=tgl", "/usr/bin/setpriv",
	    "--bounding-set=-sys_nice", gpuwl_top(), "-b", "-D", "pci:", "-w",
	    RAISED);
	assert_true(is_said_once(r.err, WARN_AT("1") NO_PRIORITY));
	assert_non_null(strstr(r.out, "elapsed"));
	assert_int_equal(r.status, 0);
	outcome_free(&r);
}

/* Returns the busyness of a run's JSON, to be freed with the whole, *report. */
static const json_t *
busyness_without(const char *taken, json_t **report)
{
	static const char list[] = "--json=run.json -w 1.RCS.1000.0.1";
	const struct refusal t = {"kbl-gt2", taken, list, 0, NULL};
	struct outcome r;

	run_refusal(&r, &t);
	assert_string_equal(r.err, "");
	assert_int_equal(r.status, 0);
	outcome_free(&r);
	*report = json_load_file("run.json", 0, NULL);
	assert_non_null(*report);
	return json_object_get(*report, "busyness");
}

static const char *
word_at(const json_t *o, const char *key)
{
	const char *word = json_string_value(json_object_get(o, key));

	return word != NULL ? word : "";
}

/* Without the right to open PMU or fdinfo of the kernel the next source is used, and
 * the reason is said once, with the way to get it. */
TEST(rights_of_busyness)
{
#define PMU_TYPE     "open=/sys/bus/event_source/devices/i915/type=2"
#define WORD(n)      #n
#define CALL(n, err) "call=" WORD(n) "=" #err
#define NO_PMU       CALL(SYS_perf_event_open, 13)
	static const char no_pmu[] =
	    "^the PMU of i915 cannot be opened: needs the capability "
	    "CAP_PERFMON, or `sysctl kernel.perf_event_paranoid=0`"
	    "( \\(it is -?[0-9]+\\))?";
	char no_source[sizeof no_pmu + 80];
	const json_t *busyness;
	json_t *report;

	snprintf(no_source, sizeof no_source,
	    "%s; no times of engines in fdinfo: needs Linux 5.19 or later$",
	    no_pmu);
	busyness = busyness_without("", &report);
	assert_string_equal(word_at(busyness, "source"), "pmu");
	json_decref(report);
	busyness = busyness_without(NO_PMU, &report);
	assert_string_equal(word_at(busyness, "source"), "fdinfo");
	expect_match(word_at(busyness, "why"), no_pmu);
	json_decref(report);
	busyness = busyness_without(NO_PMU ",fdinfo=0=13", &report);
	assert_string_equal(word_at(busyness, "source"), "stamps");
	expect_match(word_at(busyness, "why"), no_source);
	json_decref(report);
	busyness = busyness_without(CALL(SYS_perf_event_open, 1), &report);
	expect_match(word_at(busyness, "why"), no_pmu);
	json_decref(report);
	busyness = busyness_without(CALL(SYS_perf_event_open, 24), &report);
	assert_string_equal(word_at(busyness, "why"),
	    "the PMU of i915 cannot be opened: Too many open files");
	json_decref(report);
	busyness = busyness_without(PMU_TYPE, &report);
	assert_string_equal(word_at(busyness, "source"), "fdinfo");
	assert_string_equal(word_at(busyness, "why"),
	    "no PMU of i915: needs Linux 4.16 or later");
	json_decref(report);
}

/* The kernel's error state is root's: a hang's own report is written without it. */
TEST(rights_of_error_states)
{
	static const struct refusal hang = {"tgl",
	    "open=/sys/class/drm/card0/error=13",
	    "--error-state=errors -w 'X.1.0,1.RCS.*.0.0,2.RCS.300.0.1'", 3,
	    NULL};
	struct outcome r;
	const char *note;

	run_refusal(&r, &hang);
	assert_int_equal(r.status, hang.status);
	expect_match(r.err, "hang: client 0 context 1");
	note = strstr(r.err, "only root reads the error state of i915 itself");
	assert_non_null(note);
	assert_null(strstr(note + 1, "only root"));
	outcome_free(&r);
	assert_int_equal(access("errors/error-1.txt", R_OK), 0);
}

/* Kernels before those of some calls have others, and nothing is said. */
TEST(older_calls)
{
	static const struct refusal older[] = {
	    {"ideal", "param=40=22", PLAIN, 0, NULL}, /* GEM_MMAP */
	    {"ideal", "ioctl=49=22", PLAIN, 0, NULL}, /* no REG_READ */
	    {"ideal", "param=42=22", PLAIN, 0, NULL}, /* no slice mask */
	    {"ideal", "query=4=0", PLAIN, 0, NULL},   /* no regions */
	    {"ideal", "query=1=0", PLAIN, 0, NULL},   /* no topology */
	    {"ideal", "param=17=22", PLAIN, 0, NULL}, /* no LLC */
	    {"ideal", "ioctl=50=22", PLAIN, 0, NULL},
	};

	expect_refusals(older, COUNT(older));
}

/* Without room in epoll for fences (fs.epoll.max_user_watches) they are looked at each
 * millisecond, so that a client that waits goes on soon. */
TEST(no_room_in_epoll)
{
	char *faults = test_preload("faults"), command[8192];
	struct outcome r;
	json_t *report;

	snprintf(command, sizeof command,
	    "LD_PRELOAD=%s:$LD_PRELOAD FAULT='1 0 28 1000000' exec %s -q -b "
	    "-D pci: -r 20 --json=run.json -w 1.RCS.300.0.1",
	    faults, gpuwl_top());
	RUN(&r, "-q", "--virtual-time", "--profile=ideal", "sh", "-c", command);
	assert_string_equal(r.err, "");
	assert_int_equal(r.status, 0);
	report = json_load_file("run.json", 0, NULL);
	assert_non_null(report);
	assert_in_range(
	    json_integer_value(json_object_get(report, "elapsed_ns")),
	    20 * 300000, 20 * 2000000);
	json_decref(report);
	outcome_free(&r);
	free(faults);
}

FIXTURES(use_lacks, free_lacks);
