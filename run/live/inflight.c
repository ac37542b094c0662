/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See flight.h. */
#include "run/live/inflight.h"

#include <stdlib.h>

#include "base/mem.h"
#include "run/plan.h"

/* Requests that end are often of the same program. */
static const struct version *
version_of(struct flight *f, const struct program *program)
{
	if (f->last != NULL && f->generation == f->versions->generation &&
	    f->last->program == program)
		return f->last;
	f->generation = f->versions->generation;
	f->last = versions_find(f->versions, program);
	return f->last;
}

static void
on_submitted(struct observer *o, struct request *rq)
{
	struct flight *f = (struct flight *)o; /* its first member */

	f->list = mem_grow(f->list, f->n, &f->cap, sizeof(struct request *));
	rq->observer = f->n;
	f->list[f->n++] = rq;
}

/* A batch that was refused, or cancelled while it waited, is not done. */
static bool
has_run(const struct request *rq)
{
	return rq->error == 0 || rq->run_ns > 0;
}

static void
on_ended(struct observer *o, struct request *rq)
{
	struct flight *f = (struct flight *)o;
	struct request *last = f->list[--f->n];
	const struct version *version = version_of(f, rq->instance->program);

	f->recent[f->n_ended++ % FLIGHT_RECENT] = rq->seq;
	f->list[rq->observer] = last;
	last->observer = rq->observer;
	if (version != NULL && has_run(rq))
		version->of->done[version_identity(version, rq->step)]++;
}

void
flight_begin(struct flight *f, const struct run *run)
{
	*f = (struct flight){
	    .observer = {.submitted = on_submitted, .ended = on_ended},
	    .sim = run->sim,
	    .versions = &run->versions,
	};
	sim_add_observer(run->sim, &f->observer);
}

void
flight_end(struct flight *f)
{
	if (f->sim == NULL)
		return;
	sim_remove_observer(f->sim, &f->observer);
	free(f->list);
	*f = (struct flight){0};
}
