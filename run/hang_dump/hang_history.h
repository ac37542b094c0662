/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The last hangs of a run, each with its error state: exactly the text that
 * --error-state writes for it. Older ones are dropped.
 */
#ifndef RUN_HANG_DUMP_HANG_HISTORY_H
#define RUN_HANG_DUMP_HANG_HISTORY_H

#include <stddef.h>
#include <stdint.h>

#include "base/nsec.h"
#include "base/text.h"
#include "engine/hang/hang.h"
#include "engine/observer.h"

struct plan;
struct run;

#define HANGS_KEPT 16

struct hang_record {
	uint64_t number; /* of the hang in its run, from 1 */
	nsec time;
	uint64_t request; /* that hung: its seq */
	uint64_t iteration;
	uint32_t client, context, step;
	struct hang hang; /* rq is NULL; its engine is one of this launch */
	struct text text; /* as in error-NUMBER.txt */
};

/* Zeroed at first. */
struct hang_history {
	struct observer observer;
	const struct run *run; /* NULL: watches none */
	const struct plan *plan;
	struct hang_record list[HANGS_KEPT]; /* hang n is at n % HANGS_KEPT */
	uint64_t last;                       /* number of the last; 0: none */
};

/* Watches run until hang_history_end(); run and plan must not move until
 * then. */
void hang_history_begin(
    struct hang_history *h, const struct run *run, const struct plan *plan);
/* Watches no more, and forgets all hangs. */
void hang_history_end(struct hang_history *h);
/* Returns a hang of the run, valid until the simulation goes on; NULL: it is no
 * longer kept, or has not been. */
const struct hang_record *hang_history_find(
    const struct hang_history *h, uint64_t number);

#endif
