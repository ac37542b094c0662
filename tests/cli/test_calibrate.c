/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --calibrate on the virtual i915, in virtual time: the profile that is found is
 * the one that the device was started with, and it loads.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "engine/profile.h"
#include "tests/runner/test.h"
#include "tests/support/environment.h"
#include "tests/support/gpuwl_run.h"
#include "tests/support/run_program.h"

/* Numbers of ioctls, for lacks.c. */
#define EXECBUFFER "41"
#define REG_READ   "49"

static char *program;
static char *lacks;

static int
use_calibration(void **state)
{
	const char *given = getenv("GPUWL_TOP");

	program = strdup(given != NULL ? given : "build/gpuwl-top");
	assert_non_null(program);
	lacks = test_preload("lacks");
	/* The preload library comes before that of the sanitizers. */
	setenv("ASAN_OPTIONS", "verify_asan_link_order=0:detect_leaks=0", 1);
	return use_gpuwl_run(state);
}

static int
leave_calibration(void **state)
{
	(void)state;
	free(program);
	free(lacks);
	return 0;
}

/* No figure is one of a profile that is built in. */
static const char odd[] =
    "[profile]\nname = odd\nscheduler = execlists\n"
    "[i915]\npci_id = 0x9a49\ngeneration = 12\nkernel = 6.11\n"
    "[device]\nRCS = 1\nBCS = 0\nVCS = 1\nVECS = 0\nCCS = 0\n"
    "[costs]\nsubmit_ns = 7300\ncontext_switch_ns = 21000\n"
    "context_switch_ns.VCS = 3300\ncompletion_ns = 4700\n"
    "same_ring_ns = 730\nnext_port_ns = 2900\nring_requests = 41\n"
    "wake_ns = 55000\nwake_after_us = 3000\n"
    "[commands]\ncommand_ns = 25\n"
    "[scheduling]\ntimeslice_us = 5200\n"
    "[nearness]\nhz = 300\narbitration_us.RCS = 11\n"
    "arbitration_us.VCS = 27\ncommitted_port = 1\nwakeup_ns = 17000\n"
    "timer_slack_ns = 31000\n";

static const char *const profiles[] = {
    "default", "tgl", "icl", "adl-p", "dg2-g10", "./odd.ini"};

static const struct {
	const char *section, *key;
} knobs[] = {
    {"costs", "submit_ns"},
    {"costs", "ring_requests"},
    {"costs", "same_ring_ns"},
    {"costs", "next_port_ns"},
    {"costs", "context_switch_ns"},
    {"commands", "command_ns"},
    {"costs", "completion_ns"},
    {"scheduling", "preemption"},
    {"nearness", "wakeup_ns"},
    {"nearness", "timer_slack_ns"},
};

static void
load(struct profile *p, const char *name)
{
	struct text err = {0};

	if (!profile_load(p, name, &err))
		fail_msg("%s", text_str(&err));
	text_free(&err);
}

/* Measures a device of that profile; found gets the profile that was written. */
static void
calibrate(const char *name, struct profile *found)
{
	struct outcome r;
	char profile[64];

	snprintf(profile, sizeof profile, "--profile=%s", name);
	RUN(&r, "-q", "--virtual-time", profile, program, "-q",
	    "--calibrate=found.ini", "-D", "pci:");
	if (r.status != 0)
		fail_msg("%s: %s", name, r.err);
	assert_string_equal(r.out, "");
	outcome_free(&r);
	load(found, "./found.ini");
}

static void
expect_near(const char *name, const char *knob, nsec found, nsec given)
{
	nsec apart = found > given ? found - given : given - found;

	if (apart > 1 && apart * 20 > given)
		fail_msg("%s: %s is %llu, expected %llu", name, knob,
		    (unsigned long long)found, (unsigned long long)given);
}

/* The device chooses what it does not have itself: without second port, GuC and
 * all others choose the next when one ends. */
static uint64_t
given_figure(const struct profile *p, const struct knob *k, unsigned i)
{
	if (strcmp(k->key, "next_port_ns") == 0)
		return strcmp(p->scheduler, "execlists") == 0
		    ? profile_next_port_ns(p)
		    : p->completion_ns;
	return knob_get(p, k, i);
}

/* Knobs that only some schedulers have, or only some devices. */
static void
expect_scheduling(
    const char *name, const struct profile *found, const struct profile *given)
{
	if (strcmp(given->scheduler, "guc") == 0) {
		expect_near(
		    name, "quantum_us", found->quantum_ns, given->quantum_ns);
	} else {
		expect_near(name, "timeslice_us", found->timeslice_ns,
		    given->timeslice_ns);
		assert_int_equal(found->hz, given->hz);
	}
	if (found->takes_sseu && given->slices > 1)
		expect_near(name, "sseu_ns", found->sseu_ns, given->sseu_ns);
	expect_near(name, "wake_ns", found->wake_ns, given->wake_ns);
	expect_near(
	    name, "wake_after_us", found->wake_after_ns, given->wake_after_ns);
}

static void
expect_class(const char *name, const struct profile *found,
    const struct profile *given, unsigned class)
{
	expect_near(name, "context_switch_ns of a class",
	    profile_switch_ns(found, class), profile_switch_ns(given, class));
	expect_near(name, "ring_requests of a class",
	    profile_ring_requests(found, class),
	    profile_ring_requests(given, class));
	expect_near(name, "arbitration_us", found->arbitration_ns[class],
	    given->arbitration_ns[class]);
}

TEST(profiles_are_found)
{
	struct profile given, found;

	write_file("odd.ini", odd);
	for (size_t i = 0; i < sizeof profiles / sizeof *profiles; i++) {
		if (!test_round_takes(i))
			continue;
		load(&given, profiles[i]);
		calibrate(profiles[i], &found);
		assert_string_equal(found.scheduler, given.scheduler);
		assert_memory_equal(
		    found.n_engines, given.n_engines, sizeof given.n_engines);
		for (size_t n = 0; n < sizeof knobs / sizeof *knobs; n++) {
			unsigned at;
			const struct knob *k = knob_find(
			    knobs[n].section, knobs[n].key, &at);

			assert_non_null(k);
			expect_near(profiles[i], k->key,
			    knob_get(&found, k, at),
			    given_figure(&given, k, at));
		}
		expect_scheduling(profiles[i], &found, &given);
		for (unsigned class = 0; class < N_CLASSES; class ++)
			if (given.n_engines[class] > 0)
				expect_class(
				    profiles[i], &found, &given, class);
	}
}

/* On a busy machine calls may return late, or looks at the clock take long. */
static char *
calibrate_lacking(const char *profile, const char *list)
{
	char command[8192];
	struct outcome r;

	write_file("odd.ini", profile);
	snprintf(command, sizeof command,
	    "LD_PRELOAD=%s:$LD_PRELOAD LACKS='%s' exec %s "
	    "--calibrate=found.ini -D pci: 2>&1",
	    lacks, list, program);
	RUN(&r, "-q", "--virtual-time", "--profile=./odd.ini", "sh", "-c",
	    command);
	assert_int_equal(r.status, 0);
	free(r.err);
	return r.out;
}

/* Fails unless the figure of a line is near that, and the values in brackets hold
 * it. */
static void
expect_figure(const char *said, const char *line, double given)
{
	const char *at = strstr(said, line);
	double value, low, high;

	assert_non_null(at);
	if (sscanf(at + strlen(line), "%lf ns (%lf to %lf", &value, &low,
		&high) != 3)
		fail_msg("%.200s", at);
	expect_near("odd", line, (nsec)value, (nsec)given);
	assert_true(low <= given && given <= high);
}

/* The engine's wake-up is not the CPU's: submissions after a sleep of either take
 * longer. */
TEST(sleep_of_the_cpu_is_not_the_engines)
{
	struct profile found;

	free(calibrate_lacking(odd, "slept=" EXECBUFFER "=40/50"));
	load(&found, "./found.ini");
	expect_near("odd", "wake_ns", found.wake_ns, 55000);
	expect_near(
	    "odd", "wake_after_us", found.wake_after_ns, 3 * NSEC_PER_MSEC);
}

/* Looks at the clock take long, so that no latency is known. The distance of points
 * needs clocks of the GPU only. */
TEST(figures_that_are_not_measurable)
{
	char *said = calibrate_lacking(odd, "late=" REG_READ "=5000/1");

	expect_match(said,
	    "RCS +preemption with points +not measurable on a busy machine "
	    "\\(64 samples were disturbed\\)");
	expect_figure(said, "RCS   points are apart ", 11000);
	expect_figure(said, "VCS   points are apart ", 27000);
	free(said);
}

/* Replaces the first A in text by B of the same length. */
static char *
with_change(const char *text, const char *a, const char *b)
{
	char *copy = strdup(text), *at = strstr(copy, a);

	assert_non_null(at);
	memcpy(at, b, strlen(b));
	return copy;
}

/* Without another engine the urgent batch is submitted by a call of the CPU: by how
 * much that is off is said, and points that are nearer are not measurable. */
TEST(points_of_one_engine)
{
	char *single = with_change(odd, "VCS = 1", "VCS = 0"), *said, *text;

	said = calibrate_lacking(single, "late=" EXECBUFFER "=0/1000000");
	expect_figure(said, "RCS   points are apart ", 11000);
	free(said);
	said = calibrate_lacking(single, "late=" EXECBUFFER "=60/1");
	expect_match(said,
	    "RCS +points are apart +not measurable \\([0-9]+ ns, off by up to "
	    "[0-9]{5,}\\)");
	free(said);
	text = read_whole("found.ini", NULL);
	expect_match(text, "# Default, not measured.\narbitration_us");
	free(text);
	free(single);
}

FIXTURES(use_calibration, leave_calibration);
