/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gem_wsim in virtual time against batch mode, request by request
 * (doc/model/virtual.md "Virtual time").
 */
#ifndef TESTS_SUPPORT_WSIM_BOTH_H
#define TESTS_SUPPORT_WSIM_BOTH_H

#include <stdbool.h>
#include <stddef.h>

/* Ways in which gem_wsim differs. */
enum artefact {
	EXACT,
	DRIFT, /* periods are floating point: times by some us */
	ORDER, /* so clients whose periods end together change places: starts */
	/* Ranges of batches that are still queued: durations. With the upper end
	 * of each range instead of it, the descriptor is EXACT. */
	REWRITES,
	/* Batch mode waits for room on a ring where the device has more, and the
	 * time of its submissions is another one; so that of several clients
	 * others may be before it: submissions, starts. */
	ROOM,
	SATURATED /* the same, and engines never idle: the figure too */
};

#define IDEAL     "--profile=ideal"
#define FIFO      "--scheduler=fifo"
#define EXECLISTS "--scheduler=execlists"

/* For a group of tests: finds both programs, and makes the test's folder the
 * current one. WSIM_REPEAT: iterations instead of 20. Returns 0. */
int wsim_find_both(void **state);

/* Runs a descriptor both ways, and compares requests and figures, as far as they
 * are the same. profile: the option. Skips the test where gem_wsim is not
 * installed; the test ends with wsim_end(), as a newer gem_wsim is compared less. */
void wsim_compare(const char *profile, const char *path, const char *clients,
    const char *scheduler, enum artefact artefact);

/* Batch mode runs on the virtual device (-D) from now on, in virtual time too, or
 * else on the model. */
void wsim_use_device(bool use);

/* Runs a descriptor on the model, and on the device: figures differ by 2 % at most. */
void wsim_compare_model(
    const char *profile, const char *path, const char *clients);

/* Names of the published descriptors, which NULL ends. */
extern const char *const wsim_published[];
/* Returns the path of one; skips the test where others' data is not. Valid until
 * the next call. */
const char *wsim_path(const char *file);
/* Returns how it differs with that many clients, in profiles in which commands
 * cost nothing. */
enum artefact wsim_artefact(
    const char *file, int clients, const char *scheduler);
/* Writes a descriptor with the upper ends of its ranges, without comments. */
void wsim_fix_ranges(const char *path, const char *to);

#endif
