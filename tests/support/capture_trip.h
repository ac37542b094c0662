/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run of gem_wsim in virtual time that is captured, and compared with the
 * descriptor that it ran: steps and values, and figures of the capture on the model.
 * Files are in the folder of the test.
 */
#ifndef TESTS_SUPPORT_CAPTURE_TRIP_H
#define TESTS_SUPPORT_CAPTURE_TRIP_H

#include <stdbool.h>
#include <stddef.h>

/* How a descriptor is run. */
struct capture_setting {
	const char *profile, *sched;
	const char *clones, *iterations;
	bool measured;  /* figures are compared */
	bool any_steps; /* steps are not compared */
};

/* Differences, as bits. */
enum capture_difference {
	CAPTURE_SHAPE = 1,    /* steps, or durations */
	CAPTURE_SEPARATE = 2, /* clones are several descriptors */
	CAPTURE_SLEEPS = 4,   /* lengths of delays and periods */
	CAPTURE_FIGURES = 8,
};

/* Differences that are meant. */
struct capture_exception {
	const char *name;
	const char *sched;  /* NULL: all */
	const char *clones; /* NULL: any number */
	unsigned differences;
	const char *reason;
};

/* Names of the published descriptors; NULL at the end. */
extern const char *const capture_published[];

/* For a group of tests: finds gpuwl-run, which is beside the program that is tested,
 * and enters the folder of the test. Returns 0. */
int capture_setup(void **state);
/* Captures a run of that file; prints the differences and returns them. */
unsigned capture_trip(
    const char *name, const char *path, const struct capture_setting *with);
/* Does so with n settings, unless gem_wsim fails by itself (wsim_version.h). Returns how
 * many of them have differences that no exception allows. */
unsigned capture_trips(const char *name, const char *path,
    const struct capture_setting *settings, size_t n,
    const struct capture_exception *exceptions, size_t n_exceptions);
/* True if gem_wsim does not know all steps of a file; or_fails: or makes calls that
 * fail. */
bool capture_is_refused(const char *path, bool or_fails);

#endif
