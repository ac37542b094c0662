/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The naive model's submission: what a batch becomes, and waits for. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "tests/naive/world.h"

void
naive_list_add(struct naive_list *list, int item)
{
	list->items = mem_realloc(list->items, list->n + 1, sizeof(int));
	list->items[list->n++] = item;
}

void
naive_list_remove(struct naive_list *list, int item)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < list->n; i++) {
		if (list->items[i] != item)
			list->items[kept++] = list->items[i];
	}
	list->n = kept;
}

/* Tool: w sets belong to each client, W sets to all clones of a -w; ids
 * are unique in a workload. */
struct naive_object *
naive_set_object(
    struct naive_world *w, struct naive_client *c, uint32_t id, unsigned object)
{
	for (unsigned s = 0; s < c->workload->n_steps; s++) {
		const struct step *step = c->workload->steps[s];

		if (step->kind == STEP_SET && step->set.id == id)
			return &c->sets[s][object];
		if (step->kind == STEP_SHARED_SET && step->set.id == id)
			return &w->shared[c->job->workload][s][object];
	}
	return NULL; /* the parser has refused that */
}

/* Common: a timeline is (client, context, engine), a virtual engine one of
 * its own. */
unsigned
naive_find_ring(struct naive_world *w, unsigned client, uint32_t context,
    const struct naive_target *target)
{
	struct naive_ring *r;

	for (unsigned i = 0; i < w->n_rings; i++) {
		r = &w->rings[i];
		if (r->client == client && r->context == context &&
		    r->is_virtual == target->is_virtual &&
		    (r->is_virtual || r->engine == target->first))
			return i;
	}
	w->rings = mem_realloc(w->rings, w->n_rings + 1, sizeof *w->rings);
	r = &w->rings[w->n_rings];
	*r = (struct naive_ring){
	    .client = client,
	    .context = context,
	    .is_virtual = target->is_virtual,
	    .engine = target->first,
	    .last = NONE,
	    .last_engine = NONE,
	    .target = target,
	    .set = NONE,
	    .last_set = NONE,
	    .off = NSEC_NEVER,
	};
	return w->n_rings++;
}

unsigned
naive_in_flight(const struct naive_world *w, unsigned ring)
{
	unsigned n = 0;

	for (unsigned i = w->first_open; i < w->n_requests; i++)
		n += w->requests[i].ring == ring && !naive_ended(w, i);
	return n;
}

static void
add_wait(struct naive_request *rq, enum naive_cause cause, unsigned which)
{
	rq->waits = mem_realloc(rq->waits, rq->n_waits + 1, sizeof *rq->waits);
	rq->waits[rq->n_waits++] = (struct naive_wait){cause, which};
}

/* Tool: a reader waits for the last writer, a writer for the last writer
 * and every reader since. */
static void
use_object(struct naive_request *rq, unsigned row, struct naive_object *object,
    bool write)
{
	if (object->writer != NONE)
		add_wait(rq, FOR_RESULT, (unsigned)object->writer);
	if (!write) {
		naive_list_add(&object->readers, (int)row);
		return;
	}
	for (unsigned i = 0; i < object->readers.n; i++)
		add_wait(rq, FOR_RESULT, (unsigned)object->readers.items[i]);
	object->readers.n = 0;
	object->writer = (int)row;
}

/* The objects that a batch names, each once ("Objects": as written if either
 * use writes). */
struct uses {
	struct naive_object **objects;
	bool *write;
	unsigned n;
};

static void
note_use(struct uses *uses, struct naive_object *object, bool write)
{
	for (unsigned i = 0; i < uses->n; i++) {
		if (uses->objects[i] == object) {
			uses->write[i] = uses->write[i] || write;
			return;
		}
	}
	uses->objects = mem_realloc(
	    uses->objects, uses->n + 1, sizeof *uses->objects);
	uses->write = mem_realloc(uses->write, uses->n + 1, sizeof(bool));
	uses->objects[uses->n] = object;
	uses->write[uses->n++] = write;
}

/* Tool: a batch writes its own output object, reads the output of each
 * step it depends on, reads or writes the named working-set objects. */
static void
wait_for_objects(struct naive_world *w, struct naive_client *c,
    struct naive_request *rq, unsigned row)
{
	const struct step *step = c->workload->steps[c->step];
	struct uses uses = {0};

	note_use(&uses, &c->outputs[c->step], true);
	for (unsigned i = 0; i < step->batch.n_deps; i++) {
		const struct dep *d = &step->batch.deps[i];

		if (d->kind == DEP_DATA)
			note_use(&uses, &c->outputs[c->step - d->back], false);
		if (d->kind != DEP_READ && d->kind != DEP_WRITE)
			continue;
		for (unsigned o = d->first; o <= d->last; o++)
			note_use(&uses, naive_set_object(w, c, d->set, o),
			    d->kind == DEP_WRITE);
	}
	for (unsigned i = 0; i < uses.n; i++)
		use_object(rq, row, uses.objects[i], uses.write[i]);
	free(uses.objects);
	free(uses.write);
}

/* The fence of this client's f at that step, in this iteration. */
static unsigned
find_fence(
    const struct naive_world *w, const struct naive_client *c, unsigned step)
{
	unsigned i = w->n_fences;

	while (i-- > 0) {
		if (w->fences[i].client == c->id && w->fences[i].step == step)
			break;
	}
	return i;
}

/* Common, bonds: one that has ended when the batch is submitted does not
 * count. */
static void
add_submit_fence(
    const struct naive_world *w, struct naive_request *rq, unsigned of)
{
	if (w->requests[of].row.end == NSEC_NEVER)
		naive_list_add(&rq->submit_fences, (int)of);
}

/* Common: f-n waits for the end; s-n for the start; either for the signal,
 * if it names a software fence. All of them. */
static void
wait_for_fences(
    struct naive_world *w, struct naive_client *c, struct naive_request *rq)
{
	const struct step *step = c->workload->steps[c->step];

	for (unsigned i = 0; i < step->batch.n_deps; i++) {
		const struct dep *d = &step->batch.deps[i];
		unsigned of = c->step - d->back;

		if (d->kind != DEP_FENCE && d->kind != DEP_SUBMIT)
			continue;
		if (c->workload->steps[of]->kind == STEP_FENCE) {
			add_wait(rq, FOR_SIGNAL, find_fence(w, c, of));
		} else if (d->kind == DEP_FENCE) {
			add_wait(rq, FOR_RESULT, (unsigned)c->latest[of]);
		} else {
			add_wait(rq, FOR_START, (unsigned)c->latest[of]);
			add_submit_fence(w, rq, (unsigned)c->latest[of]);
		}
	}
}

static void
wait_for_timeline(struct naive_world *w, struct naive_request *rq, unsigned row)
{
	struct naive_ring *ring = &w->rings[rq->ring];

	if (ring->last != NONE)
		add_wait(rq, FOR_TIMELINE, (unsigned)ring->last);
	ring->last = (int)row;
}

static uint32_t
rotate(uint32_t x, unsigned by)
{
	return x << by | x >> (32 - by);
}

/*
 * Tool: scaled (rounded to whole microseconds), then drawn: one step of
 * Hars-Petruska F54-1, min + state mod (max + 1 - min), in microseconds;
 * nothing is drawn where min = max. Tool: anew for each submission.
 */
static nsec
draw_duration(const struct naive_world *w, struct naive_client *c,
    const struct duration *d)
{
	double scale = w->config->duration_scale;
	uint64_t min = (uint64_t)round((double)d->min_us * scale);
	uint64_t max = (uint64_t)round((double)d->max_us * scale);
	uint32_t x = c->random;

	if (d->infinite)
		return NSEC_NEVER;
	if (min == max)
		return min * NSEC_PER_USEC;
	c->random = (x ^ rotate(x, 5) ^ rotate(x, 24)) + 0x37798849u;
	return (min + c->random % (max + 1 - min)) * NSEC_PER_USEC;
}

/*
 * Guc: durations are one for all rows, or one for each. All rows end together,
 * when the longest has ended; T ends the infinite ones.
 */
static void
draw_durations(const struct naive_world *w, struct naive_client *c,
    struct naive_request *rq)
{
	const struct step *step = c->workload->steps[c->step];

	for (unsigned i = 0; i < step->batch.n_durations; i++) {
		const struct duration *d = step->batch.n_durations == 1
		    ? &step->batch.duration
		    : &step->batch.rows[i];
		nsec duration = draw_duration(w, c, d);

		if (d->infinite)
			rq->infinite = true;
		else if (duration > rq->rest)
			rq->rest = duration;
	}
	rq->duration = rq->infinite ? NSEC_NEVER : rq->rest;
}

/* Tool, q: a step counts once however often it is submitted; the list is
 * that of the engine it runs on, of a virtual one that of the first engine of
 * its map. */
static void
queue_step(struct naive_client *c, const struct naive_target *target)
{
	for (unsigned e = 0; e < NAIVE_MAX_ENGINES; e++)
		naive_list_remove(&c->queues[e], (int)c->step);
	naive_list_add(&c->queues[target->first], (int)c->step);
}

/* Tool, P: the priority of what is submitted from then on. */
static int
find_priority(const struct naive_client *c, uint32_t context)
{
	for (unsigned i = c->priorities.n; i-- > 0;) {
		const struct step *step =
		    c->workload->steps[c->priorities.items[i]];

		if (step->context == context)
			return (int)step->value;
	}
	return 0;
}

static void
fill_row(const struct naive_world *w, const struct naive_client *c,
    struct naive_row *row)
{
	*row = (struct naive_row){
	    .client = c->id,
	    .iteration = c->iteration,
	    .step = c->step,
	    .context = c->workload->steps[c->step]->context,
	    .engine = NONE,
	    .submit = w->now,
	    .ready = NSEC_NEVER,
	    .start = NSEC_NEVER,
	    .end = NSEC_NEVER,
	};
}

void
naive_submit(struct naive_world *w, struct naive_client *c)
{
	const struct step *step = c->workload->steps[c->step];
	const struct naive_target *target =
	    &w->targets[c->job->workload][c->step];
	unsigned row = w->n_requests;
	struct naive_request *rq;

	w->requests = mem_realloc(w->requests, row + 1, sizeof *w->requests);
	rq = &w->requests[row];
	*rq = (struct naive_request){
	    .target = target,
	    .due = NSEC_NEVER,
	    .first_on = NONE,
	    .on = NONE,
	    .bound = NONE,
	    .set = NONE,
	    .piece = NSEC_NEVER,
	    .priority = find_priority(c, step->context),
	};
	fill_row(w, c, &rq->row);
	for (unsigned e = 0; e < NAIVE_MAX_ENGINES; e++)
		rq->may[e] = target->may[e];
	rq->ring = naive_find_ring(w, c->id, step->context, target);
	draw_durations(w, c, rq);
	wait_for_objects(w, c, rq, row);
	wait_for_fences(w, c, rq);
	wait_for_timeline(w, rq, row);
	w->n_requests++;
	c->latest[c->step] = (int)row;
	c->submitted = true;
	queue_step(c, target);
	if (w->rules->submitted != NULL)
		w->rules->submitted(w, row);
}
