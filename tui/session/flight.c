/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See flight.h. */
#include "tui/session/flight.h"

#include <stdlib.h>

#include "parser/mem.h"
#include "tui/plan.h"

size_t
flight_program(const struct flight *f, const struct program *program)
{
	size_t i = f->last_program;

	if (f->run->programs[i] == program)
		return i;
	for (i = 0; i < f->run->n_programs; i++)
		if (f->run->programs[i] == program)
			break;
	return i;
}

static void
on_submitted(struct observer *o, struct request *rq)
{
	struct flight *f = (struct flight *)o; /* its first member */

	f->list = mem_grow(f->list, f->n, &f->cap, sizeof(struct request *));
	rq->observer = f->n;
	f->list[f->n++] = rq;
}

static void
on_ended(struct observer *o, struct request *rq)
{
	struct flight *f = (struct flight *)o;
	struct request *last = f->list[--f->n];
	size_t program = flight_program(f, rq->image->program);

	f->list[rq->observer] = last;
	last->observer = rq->observer;
	if (program == f->run->n_programs)
		return;
	f->last_program = program;
	f->done[program][rq->step]++;
}

void
flight_begin(struct flight *f, const struct run *run)
{
	*f = (struct flight){
	    .observer = {.submitted = on_submitted, .ended = on_ended},
	    .run = run,
	};
	f->done = mem_calloc(run->n_programs, sizeof(*f->done));
	for (size_t i = 0; i < run->n_programs; i++)
		f->done[i] = mem_calloc(
		    run->programs[i]->n_ops + 1u, sizeof(**f->done));
	sim_add_observer(run->sim, &f->observer);
}

void
flight_end(struct flight *f)
{
	if (f->run == NULL)
		return;
	sim_remove_observer(f->run->sim, &f->observer);
	for (size_t i = 0; i < f->run->n_programs; i++)
		free(f->done[i]);
	free(f->done);
	free(f->list);
	*f = (struct flight){0};
}
