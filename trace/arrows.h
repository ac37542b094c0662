/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who waits for whom, of requests that have not ended: arrows of a trace, from
 * the slice in which the one signals (ends, or starts) to that in which the
 * other begins. Each has an id of its own.
 */
#ifndef TRACE_ARROWS_H
#define TRACE_ARROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

/* Zeroed: none. */
struct arrows {
	struct chains ends; /* requests that have arrows, by seq */
	uint64_t last;      /* id given */
	/* Of the last slice: arrows that begin there, and that lead there. */
	uint64_t *from, *to;
	size_t n_from, cap_from, n_to, cap_to;
};

void arrows_free(struct arrows *a);
/* All requests; ids go on. */
void arrows_forget(struct arrows *a);
/* waiter, which was submitted now, waits for the end (or the start) of
 * signaler; both are seqs of requests. */
void arrows_add(
    struct arrows *a, uint64_t waiter, uint64_t signaler, bool for_start);
/* Its batch runs since now. */
void arrows_runs(struct arrows *a, uint64_t seq, uint64_t now);
/* It does no more, after its last slice or another, that began at start: sets
 * from and to. One that takes no time is none. */
void arrows_slice(
    struct arrows *a, uint64_t seq, uint64_t start, uint64_t now, bool last);
/* It has ended. */
void arrows_gone(struct arrows *a, uint64_t seq);

#endif
