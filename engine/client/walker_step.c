/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The steps of a program, each as a function that either completes or blocks
 * the walker: on time, on requests, or on room in a ring. Requests are
 * submitted through the backend of the simulation (backend.h).
 */
#include "engine/client/walker_run.h"

#include <stddef.h>

#include "base/util.h"
#include "engine/backend.h"
#include "engine/invariants/invariants.h"
#include "engine/sim.h"

static void
on_walker_timer(struct sim *sim, struct event *event)
{
	struct client *c = container_of(event, struct client, timer);

	if (c->state == CLIENT_SLEEPING)
		cpu_wake(c->walker);
	else
		runnable_add(sim, c);
}

void
walker_sleep(struct walker *w, nsec time, enum client_state state)
{
	w->client.state = (uint8_t)state;
	w->client.until_ns = time;
	w->client.timer.fire = on_walker_timer;
	event_arm(&w->client.sim->events, &w->client.timer, time);
}

void
walker_wake(struct waiter *wait)
{
	struct client *c = waiter_owner(wait);
	struct walker *w = c->walker;
	const struct fence *f = wait->fence;

	wait->fence = NULL;
	if (--w->n_waits > 0)
		return;
	observers_notify(c->sim, woken, c, fence_request(f));
	cpu_wake(w);
}

/* Adds a wait for the end of a request, unless it has ended. */
static void
wait_for_request(struct walker *w, struct request_ref ref)
{
	struct request *rq = request_get(ref);
	struct waiter *wait;

	if (rq == NULL)
		return;
	wait = pool_get(&w->client.sim->waiters);
	waiter_set(wait, WAKE_WALKER, &w->client);
	wait->next_of_owner = w->waits;
	w->waits = wait;
	w->n_waits++;
	fence_add_waiter(&rq->finished, wait);
}

/* Adds waits for the object's writer and the readers submitted so far. False:
 * there are such waits, and the walker blocks. */
static bool
object_is_idle(struct walker *w, const struct object *o)
{
	wait_for_request(w, o->writer);
	for (uint32_t i = 0; i < o->n_readers; i++)
		wait_for_request(w, object_reader(o, i));
	if (w->n_waits == 0)
		return true;
	w->client.state = CLIENT_WAITING;
	return false;
}

static struct object *
output_of(struct walker *w, uint32_t step)
{
	return &w->instance->objects[w->program->ops[step].batch.output];
}

static bool
data_is_idle(struct walker *w, const struct op_batch *b)
{
	bool idle = true;

	for (uint32_t i = 1; i <= b->n_data; i++)
		idle &= object_is_idle(
		    w, &w->instance->objects[b->uses[i].object]);
	return idle;
}

/* Returns the batch step that t waits for: the nearest batch N or more steps
 * back, around the start of the program. */
static uint32_t
throttle_target(const struct walker *w)
{
	const struct program *p = w->program;
	uint32_t back = w->throttle % p->n_ops;
	uint32_t i = w->pc >= back ? w->pc - back : w->pc + p->n_ops - back;

	while (p->ops[i].kind != STEP_BATCH)
		i = i > 0 ? i - 1 : p->n_ops - 1;
	return i;
}

/* The lists of q: a step moves to the end of its list with each submission. */

static void
queue_remove(struct walker *w, uint32_t step)
{
	struct queue_link *link = &w->instance->links[step];
	struct queue_list *list = instance_queue(w->instance, link->engine);

	if (link->prev != NO_INDEX)
		w->instance->links[link->prev].next = link->next;
	else
		list->first = link->next;
	if (link->next != NO_INDEX)
		w->instance->links[link->next].prev = link->prev;
	else
		list->last = link->prev;
	list->n--;
	link->queued = false;
}

static void
queue_append(struct walker *w, uint32_t step, uint8_t engine)
{
	struct queue_link *link = &w->instance->links[step];
	struct queue_list *list = instance_queue(w->instance, engine);

	if (link->queued)
		queue_remove(w, step);
	*link = (struct queue_link){list->last, NO_INDEX, engine, true};
	if (list->last != NO_INDEX)
		w->instance->links[list->last].next = step;
	else
		list->first = step;
	list->last = step;
	list->n++;
}

/* Takes steps that have ended off the front of an overlong list. False: the
 * client waits for the first. */
static bool
depth_is_kept(struct walker *w, uint8_t engine)
{
	struct queue_list *list = instance_queue(w->instance, engine);

	while (w->queue_depth > 0 && list->n > w->queue_depth) {
		if (!object_is_idle(w, output_of(w, list->first)))
			return false;
		queue_remove(w, list->first);
	}
	return true;
}

static nsec
draw_duration(struct walker *w, const struct duration *d)
{
	if (d->infinite)
		return NSEC_NEVER;
	return random_range(&w->duration_state, d->min_us, d->max_us) *
	    NSEC_PER_USEC;
}

static void
draw_and_submit(struct walker *w, const struct op *op)
{
	const struct op_batch *b = &op->batch;
	nsec durations[DEVICE_MAX_ENGINES];
	uint32_t rows = w->program->contexts[b->context].n_rows;

	for (uint32_t i = 0; i < b->n_durations; i++)
		durations[i] = draw_duration(w, &b->durations[i]);
	for (uint32_t i = b->n_durations; i < rows; i++)
		durations[i] = durations[0];
	walker_submit(w, op, durations);
}

static bool
ring_has_room(struct walker *w, struct ring *ring)
{
	if (w->client.sim->backend->has_room(w->client.sim, ring))
		return true;
	ring->drain = true;
	w->client.state = CLIENT_RING_FULL;
	return false;
}

static bool
step_batch(struct walker *w, const struct op *op)
{
	const struct op_batch *b = &op->batch;
	struct ring *ring = w->client.rings[b->ring];
	nsec cost = w->client.sim->config.profile.submit_ns;

	switch (w->phase) {
	case BATCH_DATA:
		w->phase = BATCH_THROTTLE;
		if (w->client.sim->config.sync_deps && !data_is_idle(w, b))
			return false;
		/* fallthrough */
	case BATCH_THROTTLE:
		w->phase = BATCH_ROOM;
		if (w->throttle > 0 &&
		    !object_is_idle(w, output_of(w, throttle_target(w))))
			return false;
		/* fallthrough */
	case BATCH_ROOM:
		w->phase = BATCH_CPU;
		if (!ring_has_room(w, ring))
			return false;
		/* fallthrough */
	case BATCH_CPU:
		w->phase = BATCH_SUBMIT;
		if (cost > 0) {
			cpu_spend(w, cost, CLIENT_SUBMITTING);
			return false;
		}
		/* fallthrough */
	case BATCH_SUBMIT:
		w->phase = BATCH_QUEUE;
		draw_and_submit(w, op);
		if (b->wait &&
		    !object_is_idle(w, &w->instance->objects[b->output]))
			return false;
		/* fallthrough */
	case BATCH_QUEUE:
		w->phase = BATCH_DEPTH;
		if (w->instance->links != NULL)
			queue_append(w, w->pc, ring->def->engine);
		/* fallthrough */
	default:
		return w->instance->links == NULL ||
		    depth_is_kept(w, ring->def->engine);
	}
}

/* Sleeps until time plus the slack of a timer (doc/model/client.md "Timer
 * slack"). */
static void
sleep_until(struct walker *w, nsec time)
{
	walker_sleep(w,
	    nsec_after(time, w->client.sim->config.profile.timer_slack_ns),
	    CLIENT_SLEEPING);
}

static bool
step_delay(struct walker *w, const struct op *op)
{
	if (w->phase++ > 0 || op->delay == 0)
		return true;
	sleep_until(w, nsec_after(w->client.sim->now, op->delay));
	return false;
}

static void
count_period(struct walker *w, nsec elapsed)
{
	struct period_stats *s = &w->client.period;
	uint64_t us = elapsed / NSEC_PER_USEC;

	if (s->n == 0 || us < s->min_us)
		s->min_us = us;
	if (us > s->max_us)
		s->max_us = us;
	s->sum_us += us;
	s->n++;
}

/* p: an iteration that takes exactly its period has not missed it. */
static bool
step_period(struct walker *w, const struct op *op)
{
	nsec elapsed = w->client.sim->now - w->started_ns;

	if (w->phase++ > 0)
		return true;
	count_period(w, elapsed);
	if (elapsed > op->delay) {
		w->client.period.missed++;
		w->client.sim->n_missed++;
		observers_notify(w->client.sim, missed, &w->client,
		    w->started_ns + op->delay);
		return true;
	}
	if (elapsed == op->delay)
		return true;
	sleep_until(w, nsec_after(w->started_ns, op->delay));
	return false;
}

static bool
step_sync(struct walker *w, const struct op *op)
{
	return w->phase++ > 0 || object_is_idle(w, output_of(w, op->target));
}

static bool
step_throttle(struct walker *w, const struct op *op)
{
	w->throttle = op->count;
	return true;
}

static bool
step_queue_depth(struct walker *w, const struct op *op)
{
	w->queue_depth = op->count;
	return true;
}

static bool
step_fence(struct walker *w, const struct op *op)
{
	struct fence *f = &w->instance->fences[op->fence];

	invariants_fence(&w->client, f);
	fence_init(f, FENCE_SOFTWARE);
	return true;
}

void
walker_signal_fences(struct walker *w, uint32_t n_fences)
{
	for (uint32_t i = 0; i < n_fences; i++) {
		if (!fence_signalled(&w->instance->fences[i]))
			fence_signal(
			    &w->instance->fences[i], w->client.sim->now, 0);
	}
	w->client.sim->backend->instant_run(w->client.sim);
}

static bool
step_advance(struct walker *w, const struct op *op)
{
	walker_signal_fences(w, op->target + 1);
	return true;
}

static bool
step_terminate(struct walker *w, const struct op *op)
{
	walker_terminate(w, op->target);
	return true;
}

static bool
step_priority(struct walker *w, const struct op *op)
{
	w->client.contexts[op->set.context]->priority = (int16_t)op->set.value;
	return true;
}

static bool
step_sseu(struct walker *w, const struct op *op)
{
	w->client.contexts[op->set.context]->sseu = (uint32_t)op->set.value;
	return true;
}

bool
walker_step(struct walker *w, const struct op *op)
{
	switch ((enum step_kind)op->kind) {
	case STEP_BATCH: return step_batch(w, op);
	case STEP_DELAY: return step_delay(w, op);
	case STEP_PERIOD: return step_period(w, op);
	case STEP_SYNC: return step_sync(w, op);
	case STEP_THROTTLE: return step_throttle(w, op);
	case STEP_QUEUE_DEPTH: return step_queue_depth(w, op);
	case STEP_FENCE: return step_fence(w, op);
	case STEP_ADVANCE: return step_advance(w, op);
	case STEP_TERMINATE: return step_terminate(w, op);
	case STEP_PRIORITY: return step_priority(w, op);
	case STEP_SSEU: return step_sseu(w, op);
	/* These set contexts up before the first iteration. */
	case STEP_PREEMPTION:
	case STEP_MAP:
	case STEP_BALANCE:
	case STEP_BOND:
	case STEP_PARALLEL:
	case STEP_SET:
	case STEP_SHARED_SET:
	case N_STEP_KINDS: break;
	}
	return true;
}
