/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random steps. An infinite batch gets its T, and an f mostly its a, a few
 * steps later; in between nothing waits in user space (with rare exceptions,
 * which wait for ever).
 */
#include <stdint.h>
#include <stdio.h>

#include "tests/naive/maker.h"

/* splitmix64 */
static uint64_t
next(uint64_t *random)
{
	uint64_t z = *random += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

unsigned
maker_below(uint64_t *random, unsigned n)
{
	return (unsigned)(next(random) % n);
}

bool
maker_chance(uint64_t *random, unsigned percent)
{
	return maker_below(random, 100) < percent;
}

void
maker_step(struct maker *m, enum step_kind kind)
{
	m->steps[m->n_steps++] = (struct made_step){.kind = kind};
	text_adds(m->text, "\n");
}

unsigned
maker_n_batches(const struct maker *m)
{
	unsigned n = 0;

	for (unsigned i = 0; i < m->n_steps; i++)
		n += m->steps[i].kind == STEP_BATCH;
	return n;
}

/* Something is held back that a later step lets go. */
static bool
is_holding(const struct maker *m)
{
	return m->n_closings > 0;
}

/* May a step wait in user space here? */
static bool
may_wait(struct maker *m)
{
	if (!is_holding(m))
		return true;
	return !m->style->calm && maker_chance(m->random, 25);
}

/* A step of that kind, as steps back from here; mostly a near one. 0: there
 * is none. */
static unsigned
find_back(struct maker *m, enum step_kind kind)
{
	unsigned skip = maker_chance(m->random, 70)
	    ? maker_below(m->random, 3)
	    : maker_below(m->random, 12);
	unsigned found = 0;

	for (unsigned i = m->n_steps; i-- > 0;) {
		if (m->steps[i].kind != kind)
			continue;
		found = m->n_steps - i;
		if (skip-- == 0)
			break;
	}
	return found;
}

static void
close_later(struct maker *m, enum step_kind kind, unsigned target)
{
	m->closings[m->n_closings++] = (struct made_closing){
	    kind, target, m->n_steps + maker_below(m->random, 5)};
}

/* Not by itself: a later f is advanced to, or the iteration ends. */
static void
close_perhaps(struct maker *m, unsigned target)
{
	m->closings[m->n_closings++] = (struct made_closing){
	    STEP_ADVANCE, target, UINT32_MAX};
}

static bool
is_closed_by(struct made_closing a, struct made_closing by)
{
	return a.kind == by.kind &&
	    (a.target == by.target ||
		(a.kind == STEP_ADVANCE && a.target < by.target));
}

static void
close_one(struct maker *m, struct made_closing c)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < m->n_closings; i++) {
		if (!is_closed_by(m->closings[i], c))
			m->closings[kept++] = m->closings[i];
	}
	m->n_closings = kept;
	text_addf(m->text, "%c.-%u", c.kind == STEP_TERMINATE ? 'T' : 'a',
	    m->n_steps - c.target);
	maker_step(m, c.kind);
}

static void
close_due(struct maker *m)
{
	for (unsigned i = 0; i < m->n_closings; i++) {
		if (m->closings[i].at <= m->n_steps) {
			close_one(m, m->closings[i]);
			i = UINT32_MAX; /* the list has changed */
		}
	}
}

/* At the end of the iteration software fences signal by themselves; nothing
 * waits in user space for those that are left to it. */
static void
close_all(struct maker *m)
{
	for (unsigned i = m->n_closings; i-- > 0;) {
		if (i >= m->n_closings)
			continue;
		if (m->closings[i].kind == STEP_TERMINATE ||
		    m->style->background || maker_chance(m->random, 40))
			close_one(m, m->closings[i]);
	}
}

/* "-2", "f-1", "s-3", "r0-1", "w1-0-2"; false: nothing that would be. */
static bool
make_dep(struct maker *m, bool *submit_used)
{
	unsigned which = maker_below(m->random, 100);
	unsigned batch = find_back(m, STEP_BATCH);
	unsigned fence = find_back(m, STEP_FENCE);
	unsigned submits = m->style->follows ? 5 : 2;
	const struct made_set *set;
	unsigned object;

	if (fence != 0 && which < 30) {
		text_addf(m->text, "%c-%u", which < 25 ? 'f' : 's', fence);
	} else if (m->n_sets > 0 && which < 55) {
		set = &m->sets[maker_below(m->random, m->n_sets)];
		object = maker_below(m->random, set->n_objects);
		text_addf(m->text, "%c%u-%u", which < 40 ? 'r' : 'w', set->id,
		    object);
		if (object + 1 < set->n_objects && which % 3 == 0)
			text_addf(m->text, "-%u", set->n_objects - 1);
	} else if (batch == 0) {
		return false;
	} else if (which % 10 < submits && !*submit_used) {
		text_addf(m->text, "s-%u", batch);
		*submit_used = true;
	} else if (which % 10 < submits + 2) {
		text_addf(m->text, "f-%u", batch);
	} else if (m->style->sync_deps && !may_wait(m)) {
		return false;
	} else {
		text_addf(m->text, "-%u", batch);
	}
	return true;
}

static void
make_deps(struct maker *m, const struct made_context *context)
{
	unsigned n = maker_chance(m->random, 60);
	unsigned batch = find_back(m, STEP_BATCH);
	bool submit_used = false;
	size_t before = m->text->len;

	if (context->bonded && batch != 0 && maker_chance(m->random, 60)) {
		text_addf(m->text, "s-%u", batch);
		submit_used = true;
	}
	if (n > 0 && maker_chance(m->random, 40))
		n += 1 + maker_below(m->random, 2);
	while (n-- > 0) {
		struct text dep = {0}, *text = m->text;
		bool allowed = context->bonded ? submit_used : false;

		m->text = &dep;
		if (make_dep(m, context->bonded ? &submit_used : &allowed)) {
			if (text->len > before)
				text_addc(text, '/');
			text_adds(text, text_str(&dep));
		}
		m->text = text;
		text_free(&dep);
	}
	if (m->text->len == before)
		text_addc(m->text, '0');
}

static unsigned
random_us(struct maker *m)
{
	unsigned unit = m->style->unit;

	if (m->style->in_step)
		return 500 * (1 + maker_below(m->random, 8));
	if (maker_chance(m->random, m->style->instant ? 90 : 60))
		return unit;
	return 1 + maker_below(m->random, 3 * unit);
}

static void
make_duration(struct maker *m, bool infinite)
{
	unsigned us = random_us(m);

	if (infinite)
		text_addc(m->text, '*');
	else if (maker_chance(m->random, 15))
		text_addf(
		    m->text, "%u-%u", us, us + 1 + maker_below(m->random, 4));
	else
		text_addf(m->text, "%u", us);
}

/* One for each row of a parallel slot. */
static void
make_durations(struct maker *m, bool infinite)
{
	unsigned longer = maker_below(m->random, 2);

	make_duration(m, infinite && longer == 0);
	text_addc(m->text, '/');
	make_duration(
	    m, infinite && (longer == 1 || maker_chance(m->random, 10)));
}

static void
make_batch(struct maker *m)
{
	const struct made_context *c =
	    &m->contexts[maker_below(m->random, m->n_contexts)];
	bool infinite = m->uses_infinite && maker_chance(m->random, 12);
	unsigned row = m->n_steps;
	bool wait;

	text_addf(m->text, "%u.", c->number);
	maker_engine_name(m, c);
	text_addc(m->text, '.');
	if (c->parallel && maker_chance(m->random, 60))
		make_durations(m, infinite);
	else
		make_duration(m, infinite);
	text_addc(m->text, '.');
	make_deps(m, c);
	wait = maker_chance(m->random, m->style->instant ? 30 : 8) &&
	    may_wait(m) && (!infinite || !m->style->calm);
	text_addf(m->text, ".%d", wait && !infinite);
	maker_step(m, STEP_BATCH);
	m->steps[row].infinite = infinite;
	if (infinite && (m->style->calm || maker_chance(m->random, 97)))
		close_later(m, STEP_TERMINATE, row);
}

static void
make_sync(struct maker *m)
{
	unsigned back = find_back(m, STEP_BATCH);

	if (back == 0 || !may_wait(m))
		return;
	text_addf(m->text, "s.-%u", back);
	maker_step(m, STEP_SYNC);
}

static void
make_fence(struct maker *m)
{
	unsigned row = m->n_steps;

	if (!m->uses_fences)
		return;
	text_adds(m->text, "f");
	maker_step(m, STEP_FENCE);
	if (maker_chance(m->random, 30))
		close_perhaps(m, row);
	else
		close_later(m, STEP_ADVANCE, row);
}

static void
make_delay(struct maker *m)
{
	text_addf(m->text, "d.%u", random_us(m));
	maker_step(m, STEP_DELAY);
}

static void
make_period(struct maker *m, unsigned more)
{
	text_addf(m->text, "p.%u", random_us(m) + more);
	maker_step(m, STEP_PERIOD);
}

static void
make_limit(struct maker *m)
{
	if (!m->uses_limits)
		return;
	if (maker_chance(m->random, 50)) {
		text_addf(m->text, "t.%u",
		    maker_below(m->random, m->n_body < 6 ? m->n_body + 1 : 7));
		maker_step(m, STEP_THROTTLE);
	} else {
		text_addf(m->text, "q.%u", maker_below(m->random, 4));
		maker_step(m, STEP_QUEUE_DEPTH);
	}
}

static void
make_priority(struct maker *m, uint32_t context)
{
	text_addf(m->text, "P.%u.%d", context,
	    m->style->levels[maker_below(m->random, MAKER_LEVELS)]);
	maker_step(m, STEP_PRIORITY);
}

/* None, a few in each batch, one in some of them. */
static void
make_points(struct maker *m, uint32_t context)
{
	unsigned us = 1 + m->style->unit / (1 + maker_below(m->random, 9));

	if (maker_chance(m->random, 30))
		us = 1 + m->style->unit / 20;
	if (maker_chance(m->random, 15))
		us = 0;
	text_addf(m->text, "X.%u.%u", context, us);
	maker_step(m, STEP_PREEMPTION);
}

static void
make_ranks(struct maker *m)
{
	for (unsigned i = 0; i < m->n_contexts; i++) {
		uint32_t context = m->contexts[i].number;

		if (context == 0) /* can't be set up */
			continue;
		if (maker_chance(m->random, 70))
			make_priority(m, context);
		if (maker_chance(m->random, 60))
			make_points(m, context);
	}
}

/* Makes a step that changes nothing under fifo. */
static void
make_tweak(struct maker *m)
{
	uint32_t context =
	    m->contexts[maker_below(m->random, m->n_contexts)].number;

	if (context == 0) /* can't be set up */
		return;
	if (m->style->ranked && maker_chance(m->random, 95)) {
		if (maker_chance(m->random, 60))
			make_priority(m, context);
		else
			make_points(m, context);
		return;
	}
	switch (maker_below(m->random, 3)) {
	case 0:
		text_addf(m->text, "P.%u.%d", context,
		    (int)maker_below(m->random, 2047) - 1023);
		maker_step(m, STEP_PRIORITY);
		break;
	case 1:
		text_addf(m->text, "S.%u.%d", context,
		    maker_chance(m->random, 50) ? -1 : 1);
		maker_step(m, STEP_SSEU);
		break;
	default:
		text_addf(m->text, "X.%u.%u", context,
		    maker_below(m->random, 3) * 50);
		maker_step(m, STEP_PREEMPTION);
		break;
	}
}

/* One step, unless what was drawn can't be here. */
static void
try_one(struct maker *m)
{
	unsigned which = maker_below(m->random, 100);

	if (m->idle)
		which = 66 + which / 3;
	else if (m->style->ranked && is_holding(m) && which < 30)
		which = 83; /* time to be preempted before T */
	else if (m->uses_limits && which >= 55 && which < 66)
		which = 84;
	else if (m->style->ranked && which >= 58 && which < 66)
		which = which < 64 ? 90 : 83;
	if (which < 66)
		make_batch(m);
	else if (which < 72)
		make_sync(m);
	else if (which < 79)
		make_fence(m);
	else if (which < 84)
		make_delay(m);
	else if (which < 90)
		make_limit(m);
	else if (which < 94)
		make_tweak(m);
	else if (which < 95)
		make_period(m, 2);
	else if (which < 97)
		text_adds(m->text, which < 96 ? "# nothing, at all\n" : "\n");
}

static void
make_one(struct maker *m)
{
	unsigned before = m->n_steps;

	while (m->n_steps == before)
		try_one(m);
}

static void
make_sets(struct maker *m)
{
	static const struct {
		const char *sizes;
		unsigned n;
	} kinds[] = {{"4k", 1}, {"3n4k", 3}, {"4096/2M", 2}, {"2n4k-1m/8k", 3}};

	if (maker_chance(m->random, 60))
		return;
	m->n_sets = 1 + maker_below(m->random, MAKER_MAX_SETS);
	for (unsigned i = 0; i < m->n_sets; i++) {
		struct made_set *set = &m->sets[i];
		unsigned kind = maker_below(m->random, 4);

		set->id = 3 * i + maker_below(m->random, 3);
		set->n_objects = kinds[kind].n;
		set->shared = maker_chance(m->random, 50);
		set->at_end = maker_chance(m->random, 10);
		snprintf(
		    set->sizes, sizeof set->sizes, "%s", kinds[kind].sizes);
	}
}

/* Steps that keep a client that loops from running far ahead. */
static void
make_brake(struct maker *m)
{
	make_sync(m);
	text_addf(m->text, "d.%u", 1 + m->style->unit);
	maker_step(m, STEP_DELAY);
	make_period(m, 4 * m->style->unit);
}

void
maker_make(struct maker *m, unsigned n_body)
{
	m->n_body = n_body;
	m->idle = maker_chance(m->random, 4);
	m->uses_fences = maker_chance(m->random, 40);
	m->uses_infinite = maker_chance(
			       m->random, m->style->instant ? 90 : 30) ||
	    (m->style->ranked && maker_chance(m->random, 30));
	m->uses_limits = maker_chance(m->random, 30);
	if (m->uses_limits || m->style->small_ring) {
		if (m->style->calm || maker_chance(m->random, 70))
			m->uses_fences = m->uses_infinite = false;
	}
	maker_contexts(m);
	make_sets(m);
	maker_setup(m, false);
	if (m->style->ranked)
		make_ranks(m);
	for (unsigned i = 0; i < n_body; i++) {
		close_due(m);
		make_one(m);
	}
	if (maker_n_batches(m) == 0 && !m->idle)
		make_batch(m);
	if (m->style->calm || maker_chance(m->random, 97))
		close_all(m);
	if (m->style->background)
		make_brake(m);
	else if (maker_chance(m->random, 25))
		make_period(m, m->style->unit);
	else if (maker_chance(m->random, 20))
		make_sync(m);
	maker_setup(m, true);
}
