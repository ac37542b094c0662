/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Notices: events that are reported to the user once: banned contexts, and steps
 * that the platform refuses (engine/compile/platform.h); and warnings of steps
 * without effect, at their lines.
 */
#ifndef RUN_LIVE_NOTICES_H
#define RUN_LIVE_NOTICES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "engine/batch_name.h"
#include "engine/observer.h"

struct diag_list;
struct plan;
struct session;
struct sim;

struct ban_notice {
	struct observer observer;
	struct sim *sim;        /* being watched; NULL: none */
	uint64_t n;             /* contexts banned so far */
	uint64_t n_reported;    /* those of them that were taken */
	struct batch_name name; /* of the batch that caused the last ban */
	nsec time;              /* of the last ban */
};

/* Watches sim until ban_notice_end(). */
void ban_notice_begin(struct ban_notice *b, struct sim *sim);
void ban_notice_end(struct ban_notice *b);
/* Appends the bans since the last call; false: none. */
bool ban_notice_take(struct ban_notice *b, struct text *out);

/* Appends "; line 2 (P.2.10) has no effect: fifo has no priorities (and 2 more
 * steps)": the first step of the run's programs that changes nothing, if there
 * is one (engine/sched/steps.h). Call it after a launch. */
void idle_notice_add(
    const struct plan *plan, const struct sim *sim, struct text *out);

/* Adds a warning for each step of a source's text that changes nothing under the
 * plan's scheduler, for the first DIAG_FULL. None for a text that has not run. */
void idle_warnings_add(
    const struct session *s, size_t source, struct diag_list *diags);

/* Zeroed at first. */
struct refusal_notice {
	struct text of_gpu; /* to be reported: plan_gpu_notice() */
	uint32_t reported;  /* a bit for each rule */
	char platform[64];  /* profile of the reported rules */
};

/* Appends the refused rules of the run's programs that were not reported for
 * this platform, or what a GPU runs in another way; false: none. */
bool refusal_notice_take(
    struct refusal_notice *r, const struct sim *sim, struct text *out);

#endif
