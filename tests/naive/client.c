/* SPDX-License-Identifier: GPL-3.0-or-later */
/* User space in the naive model: a client walks its steps ("A client"). */
#include <math.h>

#include "base/mem.h"
#include "tests/naive/world.h"

/* Tool: a user-space wait on a batch waits on its output object, so for the
 * submitted readers of that object as well as its writer. */
static void
wait_for_output(
    const struct naive_world *w, struct naive_client *c, unsigned step)
{
	const struct naive_object *object = &c->outputs[step];

	if (object->writer != NONE && !naive_ended(w, (unsigned)object->writer))
		naive_list_add(&c->waits, object->writer);
	for (unsigned i = 0; i < object->readers.n; i++)
		naive_list_add(&c->waits, object->readers.items[i]);
}

/* -d: wait for its data dependencies ("A client"). */
static void
wait_for_deps(const struct naive_world *w, struct naive_client *c,
    const struct step *step)
{
	for (unsigned i = 0; i < step->batch.n_deps; i++) {
		const struct dep *d = &step->batch.deps[i];

		if (d->kind == DEP_DATA)
			wait_for_output(w, c, c->step - d->back);
	}
}

/* Tool, t: wait for the batch N steps back, stepping further back to the
 * nearest batch, wrapping once into the previous iteration. */
static void
throttle(const struct naive_world *w, struct naive_client *c)
{
	unsigned n = c->workload->n_steps;
	unsigned target = (c->step + n - c->throttle) % n;

	while (c->workload->steps[target]->kind != STEP_BATCH)
		target = (target + n - 1) % n;
	wait_for_output(w, c, target);
}

/* Tool, q: while more than N steps are queued on this engine, wait for the
 * oldest queued. A completed step stays in the list until that. False: no
 * more than N. */
static bool
wait_for_oldest(const struct naive_world *w, struct naive_client *c)
{
	int engine = w->targets[c->job->workload][c->step].first;
	struct naive_list *queue = &c->queues[engine];
	int oldest;

	if (c->depth == 0 || queue->n <= c->depth)
		return false;
	oldest = queue->items[0];
	naive_list_remove(queue, oldest);
	wait_for_output(w, c, (unsigned)oldest);
	return true;
}

/* Common: a full ring blocks the submitter until half of it is free. */
static void
wait_for_room(struct naive_world *w, struct naive_client *c)
{
	const struct naive_target *target =
	    &w->targets[c->job->workload][c->step];
	uint32_t context = c->workload->steps[c->step]->context;
	unsigned ring = naive_find_ring(w, c->id, context, target);

	if (naive_in_flight(w, ring) >= w->config->ring_requests)
		c->full_ring = (int)ring;
}

/* Tool, batch: -d; t; submit; wait flag; q. One phase of it. */
static void
do_batch(struct naive_world *w, struct naive_client *c, const struct step *step)
{
	switch (c->phase) {
	case AT_DEPS:
		if (w->config->sync_deps)
			wait_for_deps(w, c, step);
		c->phase = AT_THROTTLE;
		break;
	case AT_THROTTLE:
		if (c->throttle > 0)
			throttle(w, c);
		c->phase = AT_RING;
		break;
	case AT_RING:
		wait_for_room(w, c);
		c->phase = AT_SUBMIT;
		break;
	case AT_SUBMIT:
		naive_submit(w, c);
		w->rules->settle(w);
		c->phase = AT_WAIT;
		break;
	case AT_WAIT:
		if (step->batch.wait)
			wait_for_output(w, c, c->step);
		c->phase = AT_QUEUE;
		break;
	case AT_QUEUE:
		if (wait_for_oldest(w, c))
			break; /* and look again */
		c->phase = AT_DEPS;
		c->step++;
		break;
	}
}

/* Tool, p: elapsed = now - start of this iteration, counted; late: missed
 * and no sleep; else sleep the rest. Common: whole microseconds; exactly
 * the period is not missed. */
static void
do_period(struct naive_world *w, struct naive_client *c, nsec period)
{
	struct naive_client_figures *f = c->figures;
	nsec elapsed = w->now - c->started;
	uint64_t us = elapsed / NSEC_PER_USEC;

	if (f->n_periods == 0 || us < f->min_us)
		f->min_us = us;
	if (us > f->max_us)
		f->max_us = us;
	f->sum_us += us;
	f->n_periods++;
	if (elapsed > period)
		f->missed++;
	else
		c->wake = c->started + period;
}

/* Tool, f: a fence at its point of the client's timeline. */
static void
do_fence(struct naive_world *w, const struct naive_client *c)
{
	w->fences = mem_realloc(w->fences, w->n_fences + 1, sizeof *w->fences);
	w->fences[w->n_fences++] = (struct naive_fence){
	    c->id, c->iteration, c->step, false};
}

/* Tool, a: advance to that fence; those created earlier in the iteration
 * signal with it. Common: free engines also take work at once after it. */
static void
advance(struct naive_world *w, const struct naive_client *c, unsigned step)
{
	for (unsigned i = 0; i < w->n_fences; i++) {
		struct naive_fence *f = &w->fences[i];

		if (f->client == c->id && f->iteration == c->iteration &&
		    f->step <= step)
			f->signalled = true;
	}
	w->rules->settle(w);
}

/* Common: T ends the latest submission of its batch; one not yet started
 * runs 0 ns. Guc: T ends the infinite rows; the set ends when all have. */
static void
do_terminate(struct naive_world *w, const struct naive_client *c, unsigned step)
{
	struct naive_request *rq = &w->requests[c->latest[step]];

	rq->terminated = true;
	if (rq->row.start != NSEC_NEVER && rq->row.end == NSEC_NEVER)
		rq->due = rq->row.start + rq->rest > w->now
		    ? rq->row.start + rq->rest
		    : w->now;
	w->rules->settle(w);
}

static void
do_priority(struct naive_client *c)
{
	naive_list_remove(&c->priorities, (int)c->step);
	naive_list_add(&c->priorities, (int)c->step);
}

/* Tool; -F scales d only. A step that is not here does nothing at run time. */
static void
do_step(struct naive_world *w, struct naive_client *c)
{
	const struct step *step = c->workload->steps[c->step];
	double scale = w->config->delay_scale;

	switch (step->kind) {
	case STEP_BATCH: do_batch(w, c, step); return;
	case STEP_DELAY:
		c->wake = w->now +
		    (nsec)round((double)step->us * scale) * NSEC_PER_USEC;
		break;
	case STEP_PERIOD: do_period(w, c, step->us * NSEC_PER_USEC); break;
	case STEP_SYNC: wait_for_output(w, c, c->step - step->back); break;
	case STEP_THROTTLE: c->throttle = step->count; break;
	case STEP_QUEUE_DEPTH: c->depth = step->count; break;
	case STEP_FENCE: do_fence(w, c); break;
	case STEP_ADVANCE: advance(w, c, c->step - step->back); break;
	case STEP_TERMINATE: do_terminate(w, c, c->step - step->back); break;
	case STEP_PRIORITY: do_priority(c); break;
	default: break;
	}
	c->step++;
}

/*
 * The end of an iteration. Common: one that submitted nothing and took no
 * time costs iteration_min_ns. Tool: the software timeline advances past
 * all of its fences.
 */
static void
end_iteration(struct naive_world *w, struct naive_client *c)
{
	if (!c->submitted && w->now == c->started) {
		c->wake = w->now + w->config->iteration_min_ns;
		return;
	}
	advance(w, c, c->workload->n_steps);
	c->iteration++;
	c->figures->iterations++;
	c->step = 0;
	c->submitted = false;
	c->started = w->now;
	if (!c->job->background && c->iteration == c->job->repeat)
		c->state = DRAINING;
}

/* Common: a client has ended when its last iteration is over and all its
 * requests have completed; a run when all foreground clients have. */
static void
end_client(struct naive_world *w, struct naive_client *c)
{
	c->state = ENDED;
	c->figures->ended = true;
	c->figures->elapsed = w->now;
	w->stopped = true;
	for (unsigned i = 0; i < w->config->n_jobs; i++) {
		if (!w->clients[i].job->background &&
		    w->clients[i].state != ENDED)
			w->stopped = false;
	}
}

static bool
all_ended(const struct naive_world *w, unsigned client)
{
	for (unsigned i = w->first_open; i < w->n_requests; i++) {
		if (w->requests[i].row.client == client && !naive_ended(w, i))
			return false;
	}
	return true;
}

bool
naive_client_blocked(const struct naive_world *w, const struct naive_client *c)
{
	if (c->state == ENDED)
		return true;
	if (c->state == DRAINING)
		return !all_ended(w, c->id);
	if (c->wake > w->now)
		return true;
	if (c->full_ring != NONE &&
	    2 * naive_in_flight(w, (unsigned)c->full_ring) >
		w->config->ring_requests)
		return true;
	for (unsigned i = 0; i < c->waits.n; i++) {
		if (!naive_ended(w, (unsigned)c->waits.items[i]))
			return true;
	}
	return false;
}

/* One thing; the caller has seen that the client is not blocked. */
static void
do_one(struct naive_world *w, struct naive_client *c)
{
	c->waits.n = 0;
	c->full_ring = NONE;
	if (c->state == DRAINING)
		end_client(w, c);
	else if (c->step == c->workload->n_steps)
		end_iteration(w, c);
	else
		do_step(w, c);
}

/* Common: each until it blocks. */
void
naive_client_go_on(struct naive_world *w, struct naive_client *c)
{
	size_t max = w->config->max_rows;

	while (!w->stopped && !naive_client_blocked(w, c)) {
		do_one(w, c);
		if (max != 0 && w->n_requests >= max) {
			w->result->gave_up = true;
			w->stopped = true;
		}
	}
}
