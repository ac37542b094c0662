/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the times of requests, and selects percentiles. */
#include "decide/request_times.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/util.h"
#include "engine/client/client.h"
#include "engine/gpu/request.h"
#include "engine/sim.h"

static void
keep_time(struct measured *m, uint64_t ns)
{
	if (m->n == REQUEST_TIMES_MOST) {
		m->too_many = true;
		return;
	}
	m->list = mem_grow(m->list, m->n, &m->cap, sizeof *m->list);
	m->list[m->n++] = ns;
}

/* Keeps what the engine counts in its histograms (gpu/exec.c). */
static void
keep_request_times(struct observer *o, struct request *rq)
{
	struct request_times *t = container_of(
	    o, struct request_times, observer);

	if (rq->client->background)
		return;
	keep_time(&t->of[LATENCY], t->sim->now - rq->submit_ns);
	if (rq->scheduled.error == 0)
		keep_time(
		    &t->of[QUEUE_WAIT], rq->scheduled.time - rq->queued.time);
}

void
request_times_begin(struct request_times *times, struct sim *sim)
{
	*times = (struct request_times){
	    .observer.ended = keep_request_times,
	    .sim = sim,
	};
	sim_add_observer(sim, &times->observer);
}

void
request_times_end(struct request_times *times)
{
	for (unsigned m = 0; m < N_MEASURES; m++)
		free(times->of[m].list);
	*times = (struct request_times){0};
}

static void
swap_times(uint64_t *a, uint64_t *b)
{
	uint64_t t = *a;

	*a = *b;
	*b = t;
}

/* Moves values below the middle one of list to its begin, and those above it to
 * its end. Sets *below and *equal to how many there are. */
static void
part_times(uint64_t *list, size_t n, size_t *below, size_t *equal)
{
	uint64_t pivot = list[n / 2];
	size_t low = 0, at = 0, high = n;

	while (at < high) {
		if (list[at] < pivot)
			swap_times(&list[low++], &list[at++]);
		else if (list[at] > pivot)
			swap_times(&list[--high], &list[at]);
		else
			at++;
	}
	*below = low;
	*equal = high - low;
}

/* Returns the value that is list[index] in ascending order. */
static uint64_t
select_time(uint64_t *list, size_t n, size_t index)
{
	for (;;) {
		size_t below, equal;

		part_times(list, n, &below, &equal);
		if (index < below) {
			n = below;
		} else if (index < below + equal) {
			return list[below];
		} else {
			list += below + equal;
			n -= below + equal;
			index -= below + equal;
		}
	}
}

bool
request_times_percentile(struct request_times *times, enum measure m,
    unsigned per_mille, uint64_t *ns)
{
	struct measured *of = &times->of[m];
	size_t rank = (of->n * per_mille + 999) / 1000;

	*ns = 0;
	if (of->n > 0)
		*ns = select_time(of->list, of->n, rank > 0 ? rank - 1 : 0);
	return !of->too_many;
}
