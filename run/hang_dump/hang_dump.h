/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --error-state=DIR: writes DIR/error-N.txt and DIR/error-N.json for hang N of
 * a run, counted from 1; on a GPU also DIR/error-N.i915.txt, what i915 itself
 * collected, at the first hang (kernel_state.h). The folder is made at the first hang. Files of an
 * earlier run are replaced; so are links, without following them.
 */
#ifndef RUN_HANG_DUMP_HANG_DUMP_H
#define RUN_HANG_DUMP_HANG_DUMP_H

#include <stdbool.h>

struct hang_dump;
struct plan;
struct run;
struct text;

/* dir must live as long. NULL: it can neither be written to nor be made; err
 * says why. Freed with hang_dump_free(). */
struct hang_dump *hang_dump_new(const char *dir, struct text *err);
/* Watches run until hang_dump_leave(); run and plan must not move until
 * then. */
void hang_dump_watch(
    struct hang_dump *d, const struct run *run, const struct plan *plan);
/* As hang_dump_write(), and watches no more. */
void hang_dump_leave(struct hang_dump *d);
/* Writes the dumps of the hangs since the last call: between two steps of the
 * simulation, so that none of them waits for a disk. */
void hang_dump_write(struct hang_dump *d);
/* Why the first file that failed could not be written ("DIR/error-1.txt: No
 * space left on device"), valid until hang_dump_free(). NULL: all were. */
const char *hang_dump_problem(const struct hang_dump *d);
/* Appends why i915's own state could not be had, once. Returns true if it did. */
bool hang_dump_note(struct hang_dump *d, struct text *out);
/* d watches nothing, or is NULL. */
void hang_dump_free(struct hang_dump *d);

#endif
