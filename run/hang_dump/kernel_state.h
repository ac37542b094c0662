/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The error state that i915 itself collects: of the first hang of a GPU since it
 * was last cleared, in a file of sysfs that is root's (doc/model/libdrm.md "Error
 * state").
 */
#ifndef RUN_HANG_DUMP_KERNEL_STATE_H
#define RUN_HANG_DUMP_KERNEL_STATE_H

#include <stdbool.h>

#include "base/text.h"

struct kernel_state {
	char path[128]; /* the file; "": there is no GPU */
	bool is_old;    /* it had a state before the run */
	bool over;      /* it was taken, or cannot be */
};

/* Watches the GPU with that card ("/dev/dri/card0"), for a new run. */
void kernel_state_watch(struct kernel_state *k, const char *card);
/* After a hang: sets out, which is empty, to the state if it is of this run and was
 * not taken before, and returns true. False: sets note, which is empty too, to the
 * reason, once, unless the driver has collected no state. */
bool kernel_state_take(
    struct kernel_state *k, struct text *out, struct text *note);

#endif
