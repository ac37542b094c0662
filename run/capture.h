/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The capture of programs: what they submit to a device is kept, and written as
 * descriptors that do the same (doc/model/infer.md). A process is one
 * descriptor, or one for each of its threads that submit by themselves.
 */
#ifndef RUN_CAPTURE_H
#define RUN_CAPTURE_H

#include <stdbool.h>
#include <stdint.h>

struct capture;
struct i915;
struct sim;
struct text;

struct capture_options {
	/* Requests of a process that are kept, the latest; 0: 65,536. */
	uint32_t max_requests;
	bool exact; /* times are virtual: programs cost none */
	/* For the command line that descriptors name; NULL: not named. */
	const char *profile, *scheduler;
	const char *frame_on; /* a valid --frame-on; NULL: none */
};

/* Begins to watch the requests of a simulation, which must outlive the capture.
 * Copies options. The caller frees it with capture_free(). */
struct capture *capture_new(
    struct sim *sim, const struct capture_options *options);
/* Watches the device whose GPU is that simulation, before programs use it;
 * NULL: no more, before the device is freed. */
void capture_watch(struct capture *c, struct i915 *dev);
/* NULL is allowed. */
void capture_free(struct capture *c);

/* Returns how many requests of a client have ended, of all that it did: a text
 * can only differ from an earlier one if this does. */
uint64_t capture_ended(const struct capture *c, uint32_t client);
/* Appends the descriptors of a client that is a process, from its latest
 * requests (4,096 at most, so that a console can show it while it runs); ""
 * if none has ended. Several are separated by a comment line. */
void capture_text(const struct capture *c, uint32_t client, struct text *out);

/* For capture_write(): all clients. */
#define CAPTURE_ALL UINT32_MAX

/* Writes the descriptors of a client, or of all processes: the first to path,
 * "FILE.wsim", the others to "FILE-2.wsim" and so on. Without over it replaces no
 * file. Appends to said a line for the user: the command that runs them, or that
 * there is nothing to write. False: err says which file could not be written. */
bool capture_write(const struct capture *c, uint32_t client, const char *path,
    bool over, struct text *said, struct text *err);

#endif
