/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rows of the fences view: requests in flight, in order, then those that
 * ended last; and who of them waits for whom. A row outlives its request:
 * row_request tells. With many in flight rows are collected less often while
 * time moves, so that their cost per second is bounded.
 */
#ifndef TUI_VIEWS_FENCES_H
#define TUI_VIEWS_FENCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run/live/session.h"

struct fence_row {
	uint64_t seq;
	struct request *rq;
	uint32_t key; /* what comes before the age */
};

struct fence_rows {
	struct fence_row *list;
	size_t n, cap;
	size_t n_live; /* in flight as they were collected: the first ones */
	bool by_engine;
	bool hide_done;
	bool stale;               /* to be collected anew in any case */
	uint64_t samples, events; /* of session and simulation, then */
};

/* The rows' request while it has not ended, else NULL. */
struct request *row_request(const struct fence_row *row);
/* True: rows have moved. */
bool fence_rows_update(struct fence_rows *rows, const struct session *s);
/* Place of a request; rows->n: not there. */
size_t fence_rows_find(const struct fence_rows *rows, uint64_t seq);
void fence_rows_free(struct fence_rows *rows);

/* Those that a request waits for, directly or not: the nearest ones. */
#define CHAIN_MAX 64
struct chain {
	const struct request *list[CHAIN_MAX]; /* the first is its own */
	size_t n;
};
void chain_of(struct chain *c, const struct sim *sim, const struct request *rq);
bool chain_has(const struct chain *c, const struct request *rq);

/* Requests and clients that wait for it directly: no more than max. */
unsigned count_waiters(const struct request *rq, unsigned max);

struct queue_place {
	unsigned place; /* from 1; 0: the scheduler has no one order */
	unsigned of;    /* so many; 0: too many in flight to be compared */
};
/* Of a ready request, among those that wait for the same engines. */
struct queue_place place_in_queue(
    const struct session *s, const struct request *rq);

#endif
