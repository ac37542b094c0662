/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The steps of a program, each as a function that either completes or blocks
 * the client: on time, on requests, or on room in a ring. Requests are
 * submitted through the backend of the simulation (backend.h).
 */
#include "engine/client/client_run.h"

#include <stddef.h>

#include "base/util.h"
#include "engine/backend.h"
#include "engine/invariants/invariants.h"
#include "engine/sim.h"

static void
on_client_timer(struct sim *sim, struct event *event)
{
	struct client *c = container_of(event, struct client, timer);

	if (c->state == CLIENT_SLEEPING)
		cpu_wake(c);
	else
		runnable_add(sim, c);
}

void
client_sleep(struct client *c, nsec time, enum client_state state)
{
	c->state = (uint8_t)state;
	c->until_ns = time;
	c->timer.fire = on_client_timer;
	event_arm(&c->sim->events, &c->timer, time);
}

static void
wake_client(struct waiter *w)
{
	struct client *c = w->owner;
	const struct fence *f = w->fence;

	w->fence = NULL;
	if (--c->n_waits > 0)
		return;
	observers_notify(c->sim, woken, c, fence_request(f));
	cpu_wake(c);
}

bool
client_is_waiter(const struct waiter *w)
{
	return w->wake == wake_client;
}

/* Adds a wait for the end of a request, unless it has ended. */
static void
wait_for_request(struct client *c, struct request_ref ref)
{
	struct request *rq = request_get(ref);
	struct waiter *w;

	if (rq == NULL)
		return;
	w = pool_get(&c->sim->waiters);
	w->owner = c;
	w->wake = wake_client;
	w->next_of_owner = c->waits;
	c->waits = w;
	c->n_waits++;
	fence_add_waiter(&rq->finished, w);
}

/* Adds waits for the object's writer and the readers submitted so far. False:
 * there are such waits, and the client blocks. */
static bool
object_is_idle(struct client *c, const struct object *o)
{
	wait_for_request(c, o->writer);
	for (uint32_t i = 0; i < o->n_readers; i++)
		wait_for_request(c, object_reader(o, i));
	if (c->n_waits == 0)
		return true;
	c->state = CLIENT_WAITING;
	return false;
}

static struct object *
output_of(struct client *c, uint32_t step)
{
	return &c->instance->objects[c->program->ops[step].batch.output];
}

static bool
data_is_idle(struct client *c, const struct op_batch *b)
{
	bool idle = true;

	for (uint32_t i = 1; i <= b->n_data; i++)
		idle &= object_is_idle(
		    c, &c->instance->objects[b->uses[i].object]);
	return idle;
}

/* Returns the batch step that t waits for: the nearest batch N or more steps
 * back, around the start of the program. */
static uint32_t
throttle_target(const struct client *c)
{
	const struct program *p = c->program;
	uint32_t back = c->throttle % p->n_ops;
	uint32_t i = c->pc >= back ? c->pc - back : c->pc + p->n_ops - back;

	while (p->ops[i].kind != STEP_BATCH)
		i = i > 0 ? i - 1 : p->n_ops - 1;
	return i;
}

/* The lists of q: a step moves to the end of its list with each submission. */

static void
queue_remove(struct client *c, uint32_t step)
{
	struct queue_link *link = &c->instance->links[step];
	struct queue_list *list = &c->instance->queues[link->engine];

	if (link->prev != NO_INDEX)
		c->instance->links[link->prev].next = link->next;
	else
		list->first = link->next;
	if (link->next != NO_INDEX)
		c->instance->links[link->next].prev = link->prev;
	else
		list->last = link->prev;
	list->n--;
	link->queued = false;
}

static void
queue_append(struct client *c, uint32_t step, uint8_t engine)
{
	struct queue_link *link = &c->instance->links[step];
	struct queue_list *list = &c->instance->queues[engine];

	if (link->queued)
		queue_remove(c, step);
	*link = (struct queue_link){list->last, NO_INDEX, engine, true};
	if (list->last != NO_INDEX)
		c->instance->links[list->last].next = step;
	else
		list->first = step;
	list->last = step;
	list->n++;
}

/* Takes steps that have ended off the front of an overlong list. False: the
 * client waits for the first. */
static bool
depth_is_kept(struct client *c, uint8_t engine)
{
	struct queue_list *list = &c->instance->queues[engine];

	while (c->queue_depth > 0 && list->n > c->queue_depth) {
		if (!object_is_idle(c, output_of(c, list->first)))
			return false;
		queue_remove(c, list->first);
	}
	return true;
}

static nsec
draw_duration(struct client *c, const struct duration *d)
{
	if (d->infinite)
		return NSEC_NEVER;
	return random_range(&c->duration_state, d->min_us, d->max_us) *
	    NSEC_PER_USEC;
}

static void
submit(struct client *c, const struct op_batch *b)
{
	nsec durations[DEVICE_MAX_ENGINES];
	uint32_t rows = c->program->contexts[b->context].n_rows;

	for (uint32_t i = 0; i < b->n_durations; i++)
		durations[i] = draw_duration(c, &b->durations[i]);
	for (uint32_t i = b->n_durations; i < rows; i++)
		durations[i] = durations[0];
	c->submitted = true;
	c->sim->backend->submit(c->sim, c, c->pc, durations);
}

static bool
ring_has_room(struct client *c, struct ring *ring)
{
	if (c->sim->backend->has_room(c->sim, ring))
		return true;
	ring->drain = true;
	c->state = CLIENT_RING_FULL;
	return false;
}

static bool
step_batch(struct client *c, const struct op *op)
{
	const struct op_batch *b = &op->batch;
	struct ring *ring = c->rings[b->ring];
	nsec cost = c->sim->config.profile.submit_ns;

	switch (c->phase) {
	case BATCH_DATA:
		c->phase = BATCH_THROTTLE;
		if (c->sim->config.sync_deps && !data_is_idle(c, b))
			return false;
		/* fallthrough */
	case BATCH_THROTTLE:
		c->phase = BATCH_ROOM;
		if (c->throttle > 0 &&
		    !object_is_idle(c, output_of(c, throttle_target(c))))
			return false;
		/* fallthrough */
	case BATCH_ROOM:
		c->phase = BATCH_CPU;
		if (!ring_has_room(c, ring))
			return false;
		/* fallthrough */
	case BATCH_CPU:
		c->phase = BATCH_SUBMIT;
		if (cost > 0) {
			cpu_spend(c, cost, CLIENT_SUBMITTING);
			return false;
		}
		/* fallthrough */
	case BATCH_SUBMIT:
		c->phase = BATCH_QUEUE;
		submit(c, b);
		if (b->wait &&
		    !object_is_idle(c, &c->instance->objects[b->output]))
			return false;
		/* fallthrough */
	case BATCH_QUEUE:
		c->phase = BATCH_DEPTH;
		if (c->instance->links != NULL)
			queue_append(c, c->pc, ring->def->engine);
		/* fallthrough */
	default:
		return c->instance->links == NULL ||
		    depth_is_kept(c, ring->def->engine);
	}
}

/* Sleeps until time plus the slack of a timer (doc/model/client.md "Timer
 * slack"). */
static void
sleep_until(struct client *c, nsec time)
{
	client_sleep(c, nsec_after(time, c->sim->config.profile.timer_slack_ns),
	    CLIENT_SLEEPING);
}

static bool
step_delay(struct client *c, const struct op *op)
{
	if (c->phase++ > 0 || op->delay == 0)
		return true;
	sleep_until(c, nsec_after(c->sim->now, op->delay));
	return false;
}

static void
count_period(struct client *c, nsec elapsed)
{
	struct period_stats *s = &c->period;
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
step_period(struct client *c, const struct op *op)
{
	nsec elapsed = c->sim->now - c->started_ns;

	if (c->phase++ > 0)
		return true;
	count_period(c, elapsed);
	if (elapsed > op->delay) {
		c->period.missed++;
		c->sim->n_missed++;
		observers_notify(c->sim, missed, c, c->started_ns + op->delay);
		return true;
	}
	if (elapsed == op->delay)
		return true;
	sleep_until(c, nsec_after(c->started_ns, op->delay));
	return false;
}

static bool
step_sync(struct client *c, const struct op *op)
{
	return c->phase++ > 0 || object_is_idle(c, output_of(c, op->target));
}

static bool
step_throttle(struct client *c, const struct op *op)
{
	c->throttle = op->count;
	return true;
}

static bool
step_queue_depth(struct client *c, const struct op *op)
{
	c->queue_depth = op->count;
	return true;
}

static bool
step_fence(struct client *c, const struct op *op)
{
	struct fence *f = &c->instance->fences[op->fence];

	invariants_fence(c, f);
	fence_init(f, FENCE_SOFTWARE);
	return true;
}

void
client_signal_fences(struct client *c, uint32_t n_fences)
{
	for (uint32_t i = 0; i < n_fences; i++) {
		if (!fence_signalled(&c->instance->fences[i]))
			fence_signal(&c->instance->fences[i], c->sim->now, 0);
	}
	c->sim->backend->instant_run(c->sim);
}

static bool
step_advance(struct client *c, const struct op *op)
{
	client_signal_fences(c, op->target + 1);
	return true;
}

static bool
step_terminate(struct client *c, const struct op *op)
{
	c->sim->backend->terminate(c->sim, c, op->target);
	return true;
}

static bool
step_priority(struct client *c, const struct op *op)
{
	c->contexts[op->set.context]->priority = (int16_t)op->set.value;
	return true;
}

static bool
step_sseu(struct client *c, const struct op *op)
{
	c->contexts[op->set.context]->sseu = (uint32_t)op->set.value;
	return true;
}

bool
client_step(struct client *c, const struct op *op)
{
	switch ((enum step_kind)op->kind) {
	case STEP_BATCH: return step_batch(c, op);
	case STEP_DELAY: return step_delay(c, op);
	case STEP_PERIOD: return step_period(c, op);
	case STEP_SYNC: return step_sync(c, op);
	case STEP_THROTTLE: return step_throttle(c, op);
	case STEP_QUEUE_DEPTH: return step_queue_depth(c, op);
	case STEP_FENCE: return step_fence(c, op);
	case STEP_ADVANCE: return step_advance(c, op);
	case STEP_TERMINATE: return step_terminate(c, op);
	case STEP_PRIORITY: return step_priority(c, op);
	case STEP_SSEU: return step_sseu(c, op);
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
