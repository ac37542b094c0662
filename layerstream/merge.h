/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Joins the messages of a stream: one record per executed workload, its
 * metadata and the fields of all its annexes (doc/layer.md "Messages").
 * Memory is bounded: of what waits for an annex that never comes, the oldest
 * goes when there are too many.
 */
#ifndef LAYERSTREAM_MERGE_H
#define LAYERSTREAM_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "layerstream/message.h"

struct merged {
	uint64_t submit; /* 0: its command buffer has no submitID */
	uint64_t tag;
	bool complete;    /* false: an annex that it needs did not come */
	const char *json; /* keys sorted, zero terminated */
	size_t len;
};

struct merger;

/* done gets each record, in the order in which they are complete. At most
 * bound of them wait (0: 4096), of 2 KiB on an average where they are many. */
struct merger *merge_new(
    void (*done)(void *user, const struct merged *m), void *user, size_t bound);
void merge_free(struct merger *m); /* what waits is lost */
/* NULL, or what is wrong with the message, until the next call. */
const char *merge_message(struct merger *m, const struct message *message);
/* No more come: what waits goes to done, as it is. */
void merge_finish(struct merger *m);

#endif
