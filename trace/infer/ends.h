/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shared by ends.c, which finds where infinite batches are ended, and end_steps.c, which
 * says it by steps.
 */
#ifndef TRACE_INFER_ENDS_H
#define TRACE_INFER_ENDS_H

#include "trace/infer/pauses.h"

/* The end of the client's slots between submissions after a batch. */
struct place_of_end {
	uint32_t position, slot; /* position: counted on past the length */
	nsec into, length;       /* from the slot's begin; of the slot */
	bool waited;             /* in the wait behind the slot */
};

/* Returns where batches of a position are ended in most iterations; at the end of the
 * iteration if that is not known. */
struct place_of_end infer_place_of_end(
    const struct found *f, uint32_t position);
/* Compares places, or structs that begin with one. */
int infer_compare_places(const void *a, const void *b);
/* True if a sleep from that time of the slot on to where a batch ends is long enough, and so
 * is the rest. */
bool infer_is_within(
    const struct found *f, const struct place_of_end *place, nsec from);

#endif
