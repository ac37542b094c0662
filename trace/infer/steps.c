/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Findings to steps: what is said of contexts first, then each batch behind its
 * pauses and acts; those of the first batch are at the end, where they come before
 * the next iteration.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "parser/step.h"
#include "trace/infer/infer_private.h"

static uint32_t
sleep_us(nsec ns)
{
	nsec us = (ns + NSEC_PER_USEC / 2) / NSEC_PER_USEC;

	return us > STEP_MAX_SLEEP_US ? (uint32_t)STEP_MAX_SLEEP_US
				      : (uint32_t)us;
}

/* more: ns that it is longer than pace. */
static void
add_sleep(struct made *made, enum step_kind kind, const struct found_pace *pace,
    nsec more)
{
	uint32_t us = sleep_us(nsec_after(pace->ns, more));

	if (us > 0) {
		struct made_step *step = infer_add_step(made, kind);

		step->number = us;
		step->pace = pace;
	}
}

/* Adds the wait before that position (length: before the next iteration) for
 * which pace is the reason, NULL: it was seen. It is the flag of the batch just before, else s. */
static void
add_client_wait(const struct found *f, struct made *made, uint32_t position,
    uint32_t distance, const struct found_pace *pace)
{
	uint32_t target = (position + f->length - distance) % f->length;
	uint32_t index = made->step_of[target];
	struct made_step *step;

	if (index + 1 == made->n) {
		made->steps[index].wait = true;
		made->steps[index].pace = pace;
		return;
	}
	step = infer_add_step(made, STEP_SYNC);
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

/* True if that delay at the end of an iteration is at its beginning instead. */
static bool
is_led_by(const struct found *f, const struct found_pace *pace)
{
	return f->lead_is_last && pace->kind == PACE_DELAY;
}

/* By how much an iteration begins earlier than its first batch says. */
static nsec
lead_time(const struct found *f)
{
	return f->lead.ns;
}

/* Sleeps come before the waits that may take longer, and a period last. */
static void
add_pauses(
    const struct found *f, struct made *made, uint32_t position, uint32_t slot)
{
	const struct found_batch *b = &f->batches[position % f->length];

	for (uint32_t i = 0; i < b->n_paces; i++) {
		const struct found_pace *pace = &b->paces[i];

		if (pace->slot != slot || pace->kind == PACE_PERIOD ||
		    (position == f->length && is_led_by(f, pace)) ||
		    reaches_back(position, pace) || pace->ns == 0)
			continue;
		if (pace->kind == PACE_WAIT)
			add_client_wait(
			    f, made, position, pace->distance, pace);
		add_sleep(made, STEP_DELAY, pace, 0);
	}
	for (uint32_t i = 0; i < b->n_paces; i++)
		if (b->paces[i].slot == slot && b->paces[i].kind == PACE_WAIT &&
		    b->paces[i].ns == 0 &&
		    !reaches_back(position, &b->paces[i]))
			add_client_wait(f, made, position, b->paces[i].distance,
			    &b->paces[i]);
	for (uint32_t i = 0; i < b->n_paces; i++)
		if (b->paces[i].slot == slot && b->paces[i].kind == PACE_PERIOD)
			add_sleep(made, STEP_PERIOD, &b->paces[i],
			    position < f->length ? lead_time(f) : 0);
}

/* Adds the ends of infinite batches that are in a slot; END_WITHIN: behind that part
 * of its sleep. */
static void
add_terminations(const struct found *f, struct made *made, uint32_t position,
    uint32_t slot, enum end_place place, uint32_t split)
{
	for (uint32_t p = 0; p < f->length; p++) {
		const struct found_batch *b = &f->batches[p];

		if (!b->infinite || b->end_position != position ||
		    b->end_slot != slot || b->end_at != place ||
		    (place == END_WITHIN && b->end_split != split))
			continue;
		infer_add_step(made, STEP_TERMINATE)->position = p;
	}
}

uint32_t
infer_find_fence(const struct made *made, uint32_t before, uint32_t n)
{
	for (uint32_t i = before; n > 0 && i-- > 0;)
		if (made->steps[i].kind == STEP_FENCE && --n == 0)
			return i;
	return INFER_NONE;
}

static void
add_advance(struct made *made, const struct found_act *act)
{
	if (infer_find_fence(made, made->n, act->distance) != INFER_NONE)
		infer_add_step(made, STEP_ADVANCE)->back = act->distance;
}

/* Adds an act before that position (length: before the next iteration). */
static void
add_act(const struct found *f, struct made *made, uint32_t position,
    const struct found_act *act)
{
	const struct found_pace wait = {
	    .kind = PACE_WAIT, .distance = act->distance};

	switch ((enum infer_act_kind)act->kind) {
	case INFER_WAIT:
		if (!reaches_back(position, &wait) && !f->all_throttled)
			add_client_wait(f, made, position, act->distance, NULL);
		break;
	case INFER_MADE: infer_add_step(made, STEP_FENCE); break;
	case INFER_SIGNALLED: add_advance(made, act); break;
	}
}

/* True if nothing follows an act in its iteration: software fences signal then
 * in any case. */
static bool
is_last_act(const struct found_batch *b, uint32_t position, uint32_t length,
    uint32_t slot)
{
	if (position < length)
		return false;
	for (uint32_t i = 0; i < b->n_paces; i++)
		if (b->paces[i].slot > slot && b->paces[i].slot <= b->n_before)
			return false;
	for (uint32_t i = slot + 1; i < b->n_before; i++)
		if (b->acts[i].kind != INFER_SIGNALLED)
			return false;
	return b->acts[slot].kind == INFER_SIGNALLED;
}

/* Adds the parts of a slot's sleep behind which batches end, and these ends. */
static void
add_sleep_parts(
    const struct found *f, struct made *made, uint32_t position, uint32_t slot)
{
	const struct found_batch *b = &f->batches[position % f->length];

	for (uint32_t i = 0; i < b->n_splits; i++) {
		if (b->splits[i].pace.slot != slot)
			continue;
		add_sleep(made, STEP_DELAY, &b->splits[i].pace, 0);
		add_terminations(f, made, position, slot, END_WITHIN, i);
	}
}

/* Adds what is before a batch: slots first to last, and the acts between. */
static void
add_slots(const struct found *f, struct made *made, uint32_t position,
    uint32_t first, uint32_t last)
{
	const struct found_batch *b = &f->batches[position % f->length];

	for (uint32_t slot = first; slot <= last; slot++) {
		add_terminations(f, made, position, slot, END_EARLY, 0);
		add_sleep_parts(f, made, position, slot);
		add_pauses(f, made, position, slot);
		add_terminations(f, made, position, slot, END_LATE, 0);
		if (slot < last && !is_last_act(b, position, f->length, slot))
			add_act(f, made, position, &b->acts[slot]);
	}
}

/* Adds what the client does before the first batch in an iteration. */
static void
add_beginning(const struct found *f, struct made *made)
{
	const struct found_batch *b = &f->batches[0];

	add_sleep(made, STEP_DELAY, &f->lead, 0);
	for (uint32_t i = b->n_before; i < b->n_acts; i++)
		add_act(f, made, 0, &b->acts[i]);
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

/* The last wait among the acts before a batch that reaches into the iteration
 * before, or that a t is to say; NULL: none. */
static const struct found_act *
throttling_act(const struct found *f, uint32_t position, uint32_t *n_dropped)
{
	const struct found_batch *b = &f->batches[position];
	const struct found_act *best = NULL;

	for (uint32_t i = 0; i < b->n_acts; i++) {
		const struct found_act *act = &b->acts[i];

		if (act->kind != INFER_WAIT ||
		    (act->distance <= position && !f->all_throttled))
			continue;
		*n_dropped += best != NULL ||
		    act->distance > position + f->length;
		if (act->distance <= position + f->length)
			best = act;
	}
	return best;
}

/* The wait found by time that only a t can express; NULL: none. */
static const struct found_pace *
throttling_pace(const struct found *f, uint32_t position, uint32_t *n_dropped)
{
	const struct found_batch *b = &f->batches[position];
	const struct found_pace *best = NULL;

	for (uint32_t i = 0; i < b->n_paces; i++) {
		const struct found_pace *pace = &b->paces[i];

		if (!reaches_back(position, pace))
			continue;
		if (pace->distance > position + f->length || best != NULL)
			++*n_dropped;
		else
			best = pace;
	}
	return best;
}

/* Returns the waits that only a t can express, one for each batch; to be
 * freed. */
static uint32_t *
list_targets(const struct found *f, struct made *made)
{
	uint32_t *targets = mem_calloc(f->length, sizeof(*targets));

	for (uint32_t p = 0; p < f->length; p++) {
		const struct found_act *act = NULL;
		const struct found_pace *pace = NULL;

		targets[p] = INFER_NONE;
		if (p > 0 || f->all_throttled)
			act = throttling_act(f, p, &made->n_dropped);
		if (p > 0)
			pace = throttling_pace(f, p, &made->n_dropped);
		if (act != NULL)
			targets[p] = (p + f->length - act->distance) %
			    f->length;
		else if (pace != NULL)
			targets[p] = p + f->length - pace->distance;
	}
	return targets;
}

/* True if each batch waits for one that is about as far back, some of them for
 * one of the iteration before: a t counts other steps, too, and may say that for
 * all. */
static bool
is_throttled(const struct found *f)
{
	bool reaches = false;

	for (uint32_t p = 0; p < f->length; p++) {
		const struct found_batch *b = &f->batches[p];

		if (b->n_acts != 1 || b->acts[0].kind != INFER_WAIT ||
		    b->acts[0].distance > f->length ||
		    b->acts[0].distance + 4 < f->batches[0].acts[0].distance ||
		    b->acts[0].distance > f->batches[0].acts[0].distance + 4)
			return false;
		reaches |= p > 0 && b->acts[0].distance > p;
	}
	return f->repeats && reaches;
}

void
infer_make_steps(struct found *f, struct made *made)
{
	uint32_t *targets;

	*made = (struct made){
	    .step_of = mem_calloc(f->length, sizeof(*made->step_of))};
	f->all_throttled = is_throttled(f);
	targets = list_targets(f, made);
	infer_add_setup(f, made);
	add_beginning(f, made);
	for (uint32_t p = 0; p < f->length; p++) {
		if (p > 0)
			add_slots(f, made, p, 0, f->batches[p].n_acts);
		infer_add_changes(f, made, p);
		made->step_of[p] = made->n;
		infer_add_step(made, STEP_BATCH)->position = p;
	}
	if (is_even_throttle(f))
		targets[0] = 0;
	else if (f->repeats)
		add_slots(f, made, f->length, 0, f->batches[0].n_before);
	else
		add_terminations(f, made, f->length, 0, END_EARLY, 0);
	infer_make_throttles(f, made, targets);
	free(targets);
}

void
infer_made_free(struct made *made)
{
	free(made->steps);
	free(made->step_of);
}
