/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random contexts: maps, load balancing, bonds, parallel slots, and the names
 * that a batch on them may use. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "tests/naive/maker.h"

static const struct {
	const char *class, *name;
	unsigned of_class; /* all engines of the class */
} engines[MAKER_ENGINES] = {
    {"RCS", "RCS1", 1 << 0},
    {"BCS", "BCS1", 1 << 1},
    {"VCS", "VCS1", 3 << 2},
    {"VCS", "VCS2", 3 << 2},
    {"VECS", "VECS1", 3 << 4},
    {"VECS", "VECS2", 3 << 4},
    {"CCS", "CCS1", 1 << 6},
};

static unsigned
count(unsigned mask)
{
	return (unsigned)__builtin_popcount(mask);
}

static unsigned
first_of(unsigned mask)
{
	return (unsigned)__builtin_ctz(mask);
}

/* One engine of the mask. */
static unsigned
pick(uint64_t *random, unsigned mask)
{
	unsigned e;

	do {
		e = maker_below(random, MAKER_ENGINES);
	} while (!(mask & 1u << e));
	return e;
}

/* Any letter case. */
static void
add_name(struct maker *m, const char *name)
{
	bool lower = maker_chance(m->random, 5);

	for (; *name != 0; name++)
		text_addc(m->text,
		    (char)(lower ? tolower((unsigned char)*name) : *name));
}

static void
add_engine(struct maker *m, unsigned e)
{
	if (count(engines[e].of_class) == 1 && maker_chance(m->random, 70))
		add_name(m, engines[e].class);
	else
		add_name(m, engines[e].name);
}

/* A class with more engines than one, too, sometimes. */
static void
add_engine_or_class(struct maker *m, unsigned e)
{
	if (maker_chance(m->random, 25))
		add_name(m, engines[e].class);
	else
		add_engine(m, e);
}

/* "VCS", "RCS|VCS2", "VCS2|RCS": a class alone where all of it is meant,
 * sometimes. */
static void
add_list(struct maker *m, unsigned mask)
{
	bool more = false, backwards = maker_chance(m->random, 20);

	for (unsigned i = 0; i < MAKER_ENGINES; i++) {
		unsigned e = backwards ? MAKER_ENGINES - 1 - i : i;
		unsigned class = engines[e].of_class;

		if (!(mask & 1u << e))
			continue;
		if (more)
			text_addc(m->text, '|');
		more = true;
		if ((mask & class) == class && count(class) > 1 &&
		    maker_chance(m->random, 60)) {
			add_name(m, engines[e].class);
			mask &= ~class;
		} else {
			add_engine(m, e);
			mask &= ~(1u << e);
		}
	}
}

/* A map of some engines, one class alone or mixed. */
static unsigned
random_map(struct maker *m)
{
	unsigned map = 0;
	unsigned n = 1 + maker_below(m->random, 3);

	if (maker_chance(m->random, 40))
		return maker_chance(m->random, 70) ? 3 << 2 : 3 << 4;
	if (maker_chance(m->random, 10))
		n = 5;
	while (n-- > 0)
		map |= 1u << (maker_chance(m->random, 70)
			       ? pick(m->random, m->style->palette)
			       : maker_below(m->random, MAKER_ENGINES));
	return map;
}

/* Returns the engines of a map that are of one class, chosen at random. */
static unsigned
within_class(struct maker *m, unsigned map)
{
	return map & engines[pick(m->random, map)].of_class;
}

/* On `ideal` only VCS1/VCS2 and VECS1/VECS2 can be. */
static void
make_parallel(struct maker *m, struct made_context *c)
{
	bool video = (m->style->palette & 3u << 2) != 0;
	bool enhance = (m->style->palette & 3u << 4) != 0;

	if (video == enhance)
		video = maker_chance(m->random, 50);
	c->map = video ? 3 << 2 : 3 << 4;
	c->parallel = true;
	c->at_end = maker_chance(m->random, 10);
}

void
maker_contexts(struct maker *m)
{
	static const uint32_t numbers[] = {0, 1, 2, 3, 4, 7, 100, 2147483647};

	m->n_contexts = 1 + maker_below(m->random, MAKER_MAX_CONTEXTS);
	for (unsigned i = 0; i < m->n_contexts; i++) {
		struct made_context *c = &m->contexts[i];

		/* Two numbers for each place, so that none comes twice. */
		c->number = numbers[2 * i + maker_chance(m->random, 30)];
		/* Context 0 can't be set up. */
		if (c->number == 0)
			continue;
		if (m->style->parallel && maker_chance(m->random, 40)) {
			make_parallel(m, c);
			continue;
		}
		if (maker_chance(m->random, m->style->shared ? 15 : 45))
			continue;
		c->map = random_map(m);
		c->balanced = maker_chance(m->random, 80);
		if (c->balanced && m->style->one_class)
			c->map = within_class(m, c->map);
		c->bonded = !m->style->unbonded && c->balanced &&
		    count(c->map) > 1 && maker_chance(m->random, 45);
		c->at_end = maker_chance(m->random, 10);
	}
}

static void
make_bond(struct maker *m, const struct made_context *c)
{
	unsigned siblings = 1u << pick(m->random, c->map);
	unsigned master = maker_chance(m->random, 75)
	    ? pick(m->random, m->style->palette)
	    : maker_below(m->random, MAKER_ENGINES);

	if (maker_chance(m->random, 30))
		siblings |= 1u << pick(m->random, c->map);
	text_addf(m->text, "b.%u.", c->number);
	for (unsigned e = 0, more = 0; e < MAKER_ENGINES; e++) {
		if (!(siblings & 1u << e))
			continue;
		if (more++)
			text_addc(m->text, '|');
		add_engine_or_class(m, e);
	}
	text_addc(m->text, '.');
	add_engine_or_class(m, master);
	maker_step(m, STEP_BOND);
}

static void
make_map(struct maker *m, const struct made_context *c, unsigned map)
{
	text_addf(m->text, "M.%u.", c->number);
	add_list(m, map);
	maker_step(m, STEP_MAP);
}

static void
make_slot(struct maker *m, const struct made_context *c)
{
	unsigned first = first_of(c->map);

	text_addf(m->text, "G.%u.", c->number);
	add_name(m, engines[first].name);
	text_addc(m->text, '/');
	add_name(m, engines[first + 1].name);
	maker_step(m, STEP_PARALLEL);
}

static void
make_context(struct maker *m, const struct made_context *c)
{
	if (c->map == 0)
		return;
	if (c->parallel) {
		make_slot(m, c);
		return;
	}
	if (maker_chance(m->random, 5)) /* the last one counts */
		make_map(m, c, random_map(m));
	make_map(m, c, c->map);
	if (!c->balanced)
		return;
	text_addf(m->text, "B.%u", c->number);
	maker_step(m, STEP_BALANCE);
	for (unsigned n = maker_below(m->random, 4); c->bonded && n-- > 0;)
		make_bond(m, c);
}

static void
make_set(struct maker *m, const struct made_set *set)
{
	text_addf(
	    m->text, "%c.%u.%s", set->shared ? 'W' : 'w', set->id, set->sizes);
	maker_step(m, set->shared ? STEP_SHARED_SET : STEP_SET);
}

void
maker_setup(struct maker *m, bool at_end)
{
	for (unsigned i = 0; i < m->n_contexts; i++) {
		if (m->contexts[i].at_end == at_end)
			make_context(m, &m->contexts[i]);
	}
	for (unsigned i = 0; i < m->n_sets; i++) {
		if (m->sets[i].at_end == at_end)
			make_set(m, &m->sets[i]);
	}
}

/* An engine that is not in the balanced map, by its own name or its class's. */
static void
add_outside(struct maker *m, unsigned map)
{
	unsigned e = pick(m->random, ~map);

	if ((map & engines[e].of_class) == 0)
		add_engine_or_class(m, e);
	else
		add_engine(m, e);
}

void
maker_engine_name(struct maker *m, const struct made_context *context)
{
	unsigned map = context->map;
	unsigned all = map != 0 ? map : m->style->palette;
	unsigned e = pick(m->random, all);
	bool covers = (map & engines[e].of_class) == map;
	bool alone = count(map & engines[e].of_class) == 1;

	if (context->parallel)
		add_name(m, "DEFAULT");
	else if (context->balanced && maker_chance(m->random, 10))
		add_outside(m, map);
	else if (context->balanced && maker_chance(m->random, 75))
		text_adds(m->text,
		    covers && maker_chance(m->random, 60) ? engines[e].class
							  : "DEFAULT");
	else if (map == 0 && maker_chance(m->random, 5))
		add_name(m, "DEFAULT");
	else if (map == 0 && maker_chance(m->random, 8))
		add_engine(m, maker_below(m->random, MAKER_ENGINES));
	else if (count(map) == 1 && maker_chance(m->random, 20))
		add_name(m, "DEFAULT");
	else if ((map == 0 || alone) && maker_chance(m->random, 30))
		add_name(m, engines[e].class);
	else
		add_engine(m, e);
}
