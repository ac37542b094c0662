/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Findings to steps: maps and lasting priorities first, then each batch behind
 * its pauses; those of the first batch are at the end, where they come before
 * the next iteration.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "parser/step.h"
#include "trace/infer/infer_private.h"

static struct made_step *
add_made_step(struct made *made, enum step_kind kind)
{
	made->steps = mem_grow(
	    made->steps, made->n, &made->cap, sizeof(*made->steps));
	made->steps[made->n] = (struct made_step){.kind = kind};
	return &made->steps[made->n++];
}

static const struct infer_timeline *
timeline_at(const struct found *f, uint32_t position)
{
	return &f->s->timelines[f->batches[position].timeline];
}

/* The batch before that one of the same context, around the start; itself if it
 * is the only one. */
static uint32_t
one_before(const struct found *f, uint32_t position)
{
	uint32_t number = timeline_at(f, position)->number;
	uint32_t at = position;

	do
		at = (at + f->length - 1) % f->length;
	while (timeline_at(f, at)->number != number);
	return at;
}

/* True if no batch of its context is before it in the iteration. */
static bool
is_first_of_context(const struct found *f, uint32_t position)
{
	return one_before(f, position) >= position;
}

static bool
priority_lasts(const struct found *f, uint32_t position)
{
	uint32_t at = position;

	do {
		if (f->batches[at].priority != f->batches[position].priority)
			return false;
		at = one_before(f, at);
	} while (at != position);
	return true;
}

static void
add_maps(const struct found *f, struct made *made)
{
	for (uint32_t p = 0; p < f->length; p++) {
		const struct infer_timeline *t = timeline_at(f, p);

		if (!is_first_of_context(f, p) || !t->is_virtual)
			continue;
		add_made_step(made, STEP_MAP)->number = t->number;
		made->steps[made->n - 1].position = p;
		add_made_step(made, STEP_BALANCE)->number = t->number;
	}
}

static void
add_priority_step(const struct found *f, struct made *made, uint32_t position)
{
	struct made_step *step = add_made_step(made, STEP_PRIORITY);

	step->number = timeline_at(f, position)->number;
	step->priority = f->batches[position].priority;
}

static void
add_lasting_priorities(const struct found *f, struct made *made, bool *lasts)
{
	for (uint32_t p = 0; p < f->length; p++) {
		int32_t priority = f->batches[p].priority;

		if (!is_first_of_context(f, p)) {
			lasts[p] = lasts[one_before(f, p)];
			continue;
		}
		lasts[p] = priority_lasts(f, p);
		if (lasts[p] && priority != 0 && priority != INFER_NO_PRIORITY)
			add_priority_step(f, made, p);
	}
}

static void
add_changed_priority(const struct found *f, struct made *made, uint32_t p)
{
	int32_t priority = f->batches[p].priority;

	if (priority != INFER_NO_PRIORITY &&
	    (is_first_of_context(f, p) ||
		f->batches[one_before(f, p)].priority != priority))
		add_priority_step(f, made, p);
}

static uint32_t
sleep_us(nsec ns)
{
	nsec us = (ns + NSEC_PER_USEC / 2) / NSEC_PER_USEC;

	return us > STEP_MAX_SLEEP_US ? (uint32_t)STEP_MAX_SLEEP_US
				      : (uint32_t)us;
}

static void
add_sleep(struct made *made, enum step_kind kind, const struct found_pace *pace)
{
	uint32_t us = sleep_us(pace->ns);

	if (us > 0) {
		struct made_step *step = add_made_step(made, kind);

		step->number = us;
		step->pace = pace;
	}
}

/* Adds the wait before that position (length: before the next iteration): the
 * flag of the batch just before, else s. */
static void
add_client_wait(const struct found *f, struct made *made, uint32_t position,
    const struct found_pace *pace)
{
	uint32_t target = (position + f->length - pace->distance) % f->length;
	uint32_t index = made->step_of[target];
	struct made_step *step;

	if (index + 1 == made->n) {
		made->steps[index].wait = true;
		made->steps[index].pace = pace;
		return;
	}
	step = add_made_step(made, STEP_SYNC);
	step->position = target;
	step->number = made->n - 1 - index;
	step->pace = pace;
}

/* True if a wait before that position reaches into the iteration before. */
static bool
reaches_back(uint32_t position, const struct found_pace *pace)
{
	return pace->kind == PACE_WAIT && pace->distance > position;
}

/* Sleeps come before the waits that may take longer, and a period last. */
static void
add_pauses(const struct found *f, struct made *made, uint32_t position)
{
	const struct found_batch *b = &f->batches[position % f->length];

	for (uint32_t i = 0; i < b->n_paces; i++) {
		const struct found_pace *pace = &b->paces[i];

		if (pace->kind == PACE_PERIOD || reaches_back(position, pace) ||
		    pace->ns == 0)
			continue;
		if (pace->kind == PACE_WAIT)
			add_client_wait(f, made, position, pace);
		add_sleep(made, STEP_DELAY, pace);
	}
	for (uint32_t i = 0; i < b->n_paces; i++)
		if (b->paces[i].kind == PACE_WAIT && b->paces[i].ns == 0 &&
		    !reaches_back(position, &b->paces[i]))
			add_client_wait(f, made, position, &b->paces[i]);
	for (uint32_t i = 0; i < b->n_paces; i++)
		if (b->paces[i].kind == PACE_PERIOD)
			add_sleep(made, STEP_PERIOD, &b->paces[i]);
}

/* True if each batch waits for just the one an iteration before: one t does. */
static bool
is_even_throttle(const struct found *f)
{
	for (uint32_t p = 0; p < f->length; p++) {
		const struct found_batch *b = &f->batches[p];

		if (b->n_paces != 1 || b->paces[0].kind != PACE_WAIT ||
		    b->paces[0].ns > 0 || b->paces[0].distance != f->length)
			return false;
	}
	return f->repeats;
}

/* Returns the waits that only a t can express, one for each batch; to be
 * freed. */
static uint32_t *
list_targets(const struct found *f, struct made *made)
{
	uint32_t *targets = mem_calloc(f->length, sizeof(*targets));

	for (uint32_t p = 0; p < f->length; p++) {
		const struct found_batch *b = &f->batches[p];
		const struct found_pace *best = NULL;

		targets[p] = INFER_NONE;
		for (uint32_t i = 0; p > 0 && i < b->n_paces; i++) {
			const struct found_pace *pace = &b->paces[i];

			if (!reaches_back(p, pace))
				continue;
			if (pace->distance > p + f->length || best != NULL)
				made->n_dropped++;
			else
				best = pace;
		}
		if (best != NULL)
			targets[p] = p + f->length - best->distance;
	}
	return targets;
}

void
infer_make_steps(struct found *f, struct made *made)
{
	bool *lasts = mem_calloc(f->length, sizeof(*lasts));
	uint32_t *targets;

	*made = (struct made){
	    .step_of = mem_calloc(f->length, sizeof(*made->step_of))};
	targets = list_targets(f, made);
	add_maps(f, made);
	add_lasting_priorities(f, made, lasts);
	for (uint32_t p = 0; p < f->length; p++) {
		if (p > 0)
			add_pauses(f, made, p);
		if (!lasts[p])
			add_changed_priority(f, made, p);
		made->step_of[p] = made->n;
		add_made_step(made, STEP_BATCH)->position = p;
	}
	if (is_even_throttle(f))
		targets[0] = 0;
	else if (f->repeats)
		add_pauses(f, made, f->length);
	infer_make_throttles(f, made, targets);
	free(targets);
	free(lasts);
}

void
infer_made_free(struct made *made)
{
	free(made->steps);
	free(made->step_of);
}
