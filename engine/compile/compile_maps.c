/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Resolves maps (M), load balancing (B), bonds (b) and parallel slots (G).
 * These steps count for the whole program, wherever they are in the text
 * (doc/model/gem_wsim.md "A client").
 */
#include <string.h>

#include "base/text.h"
#include "engine/compile/compile.h"

static engine_mask
engine_bit(unsigned engine)
{
	return (engine_mask)1 << engine;
}

static bool
is_one(engine_mask mask)
{
	return mask != 0 && (mask & (mask - 1)) == 0;
}

static bool
is_mixed(const struct device *dev, engine_mask mask)
{
	uint8_t first = dev->engines[__builtin_ctzll(mask)].class;

	for (unsigned i = 0; i < dev->n_engines; i++) {
		if ((mask & engine_bit(i)) && dev->engines[i].class != first)
			return true;
	}
	return false;
}

static void
compile_map(struct compiler *c, const struct source_step *s)
{
	uint32_t context = program_find_context(c->program, s->step->context);
	struct context_def *def = &c->program->contexts[context];
	struct context_source *source = &c->contexts[context];

	if (source->parallel != NULL) {
		compile_report(c, s, DIAG_ERROR, 1,
		    "context %u already has a parallel slot", def->number);
		return;
	}
	def->map = 0;
	source->map = s;
	source->map_repeats = false;
	for (uint32_t i = 0; i < s->step->map.n_engines; i++) {
		struct engine_name name = s->step->map.engines[i];
		engine_mask match = device_match(c->dev, name);

		if (match == 0)
			compile_no_engine(c, s, 2, name);
		else if (def->map == 0)
			source->first_engine = (uint8_t)__builtin_ctzll(match);
		source->map_repeats |= (def->map & match) != 0;
		def->map |= match;
	}
}

static void
report_sibling(struct compiler *c, const struct source_step *s,
    struct engine_name name, const struct context_def *def)
{
	struct text sibling = {0}, engines = {0};

	engine_name_print(&sibling, name);
	compile_add_engines(c, def->map, &engines);
	compile_report(c, s, DIAG_ERROR, 2,
	    "sibling '%s' is not in the map of context %u: expected%s",
	    text_str(&sibling), def->number, text_str(&engines));
	text_free(&sibling);
	text_free(&engines);
}

/* Returns the engines of the map that a bond names as siblings; a class means
 * all its engines in the map. */
static engine_mask
bond_siblings(struct compiler *c, const struct source_step *s,
    const struct context_def *def)
{
	engine_mask siblings = 0;

	for (uint32_t i = 0; i < s->step->map.n_engines; i++) {
		struct engine_name name = s->step->map.engines[i];
		engine_mask match = device_match(c->dev, name);

		if (match == 0)
			compile_no_engine(c, s, 2, name);
		else if ((match & def->map) == 0)
			report_sibling(c, s, name, def);
		siblings |= match & def->map;
	}
	return siblings;
}

/* Adds siblings to the bond of a master, or a new bond. There is one for each
 * master, which allows the siblings of all b steps that name it. */
static void
add_bond(struct compiler *c, struct context_def *def, uint8_t master,
    engine_mask siblings)
{
	struct bond *bonds = def->bonds;
	uint32_t n = def->n_bonds;

	for (uint32_t i = 0; i < n; i++) {
		if (bonds[i].master == master) {
			bonds[i].siblings |= siblings;
			return;
		}
	}
	bonds = compile_alloc(c, n + 1, sizeof *bonds);
	if (n > 0)
		memcpy(bonds, def->bonds, n * sizeof *bonds);
	bonds[n] = (struct bond){master, siblings};
	def->bonds = bonds;
	def->n_bonds = n + 1;
}

/* Adds the bonds of a b step, one for each engine that its master names. */
static void
compile_bond(struct compiler *c, const struct source_step *s)
{
	struct context_def *def =
	    &c->program
		 ->contexts[program_find_context(c->program, s->step->context)];
	engine_mask masters = device_match(c->dev, s->step->map.master);
	engine_mask siblings;

	if (def->map == 0)
		return; /* reported with the map */
	siblings = bond_siblings(c, s, def);
	if (masters == 0)
		compile_no_engine(c, s, 3, s->step->map.master);
	for (; masters != 0; masters &= masters - 1)
		add_bond(c, def, (uint8_t)__builtin_ctzll(masters), siblings);
}

#define REPORTED "" /* an error that needs no words */

/* The checks of a parallel slot, in the order of doc/model/guc.md "Parallel
 * slots". Each returns NULL or the words of an error. */
static const char *
check_rows(struct compiler *c, const struct source_step *s)
{
	const struct step *step = s->step;
	uint32_t siblings = step->map.n_engines / step->map.n_rows;
	engine_mask row = 0;

	for (uint32_t i = 0; i < step->map.n_engines; i++) {
		struct engine_name name = step->map.engines[i];
		engine_mask match = device_match(c->dev, name);

		if (name.class == CLASS_DEFAULT)
			return "DEFAULT in a parallel slot: expected single "
			       "engines, e.g. VCS1";
		if (match == 0) {
			compile_no_engine(c, s, 2, name);
			return REPORTED;
		}
		if (!is_one(match))
			return "a class in a parallel slot: expected single "
			       "engines, e.g. VCS1";
		if (i % siblings == 0)
			row = 0;
		if (row & match)
			return "an engine is twice in one row";
		row |= match;
	}
	return NULL;
}

static const char *
check_classes(struct compiler *c, const uint8_t *rows, uint32_t n)
{
	const struct hw_engine *engines = c->dev->engines;

	for (uint32_t i = 0; i < n; i++) {
		if (engines[rows[i]].class == CLASS_RCS ||
		    engines[rows[i]].class == CLASS_CCS)
			return "RCS and CCS take no parallel submission";
	}
	for (uint32_t i = 1; i < n; i++) {
		if (engines[rows[i]].class != engines[rows[0]].class)
			return "all engines of a parallel slot must be of one "
			       "class";
	}
	return NULL;
}

/* Checks that each row is the one before it, one logical instance further. */
static void
check_contiguous(struct compiler *c, const struct source_step *s,
    const struct context_def *def)
{
	engine_mask before = 0;

	for (uint32_t r = 0; r < def->n_rows; r++) {
		engine_mask row = 0;

		for (uint32_t i = 0; i < def->n_siblings; i++)
			row |= engine_bit(def->rows[r * def->n_siblings + i]);
		if (r > 0 && row != before << 1) {
			compile_report(c, s, DIAG_ERROR, 2,
			    "row %u: expected row %u with all logical "
			    "instances plus one",
			    r + 1, r);
			return;
		}
		before = row;
	}
}

static void
sort_row(uint8_t *row, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++) {
		for (uint32_t k = i; k > 0 && row[k] < row[k - 1]; k--) {
			uint8_t swap = row[k];

			row[k] = row[k - 1];
			row[k - 1] = swap;
		}
	}
}

static void
compile_parallel(struct compiler *c, const struct source_step *s)
{
	const struct step *step = s->step;
	uint32_t context = program_find_context(c->program, step->context);
	struct context_def *def = &c->program->contexts[context];
	struct context_source *source = &c->contexts[context];
	const char *wrong;

	if (source->map != NULL || source->parallel != NULL) {
		compile_report(c, s, DIAG_ERROR, 1, "context %u already has %s",
		    def->number,
		    source->map != NULL ? "an engine map" : "a parallel slot");
		return;
	}
	source->parallel = s;
	if (step->map.n_rows < 2) {
		compile_report(c, s, DIAG_ERROR, 2,
		    "a parallel slot needs at least two rows");
		return;
	}
	wrong = step->map.n_engines % step->map.n_rows != 0
	    ? "every row needs the same number of siblings"
	    : check_rows(c, s);
	if (wrong != NULL) {
		if (*wrong != '\0')
			compile_report(c, s, DIAG_ERROR, 2, "%s", wrong);
		return;
	}
	def->n_rows = step->map.n_rows;
	def->n_siblings = step->map.n_engines / step->map.n_rows;
	def->rows = compile_alloc(c, step->map.n_engines, 1);
	for (uint32_t i = 0; i < step->map.n_engines; i++)
		def->rows[i] = (uint8_t)__builtin_ctzll(
		    device_match(c->dev, step->map.engines[i]));
	source->first_engine = def->rows[0];
	wrong = check_classes(c, def->rows, step->map.n_engines);
	if (wrong != NULL) {
		compile_report(c, s, DIAG_ERROR, 2, "%s", wrong);
		return;
	}
	check_contiguous(c, s, def);
	for (uint32_t r = 0; r < def->n_rows; r++)
		sort_row(def->rows + r * def->n_siblings, def->n_siblings);
}

/* Checks a map once its last M and all B are known. */
static void
finish_map(struct compiler *c, uint32_t context)
{
	struct context_def *def = &c->program->contexts[context];
	const struct context_source *source = &c->contexts[context];

	if (source->map == NULL || def->map == 0)
		return;
	if (source->map_repeats)
		compile_report(c, source->map,
		    def->balanced ? DIAG_ERROR : DIAG_WARNING, 2,
		    "the map of context %u names an engine twice", def->number);
	def->is_virtual = def->balanced && !is_one(def->map);
	if (def->is_virtual && is_mixed(c->dev, def->map)) {
		c->program->mixed_balance = true;
		compile_report(c, source->map, DIAG_WARNING, 2,
		    "context %u balances over engines of several classes, "
		    "which today's kernels refuse",
		    def->number);
	}
}

void
compile_maps(struct compiler *c)
{
	struct program *p = c->program;

	for (uint32_t i = 0; i < p->n_ops; i++) {
		const struct step *step = c->steps[i].step;

		if (step->kind == STEP_MAP)
			compile_map(c, &c->steps[i]);
		else if (step->kind == STEP_PARALLEL)
			compile_parallel(c, &c->steps[i]);
		else if (step->kind == STEP_BALANCE)
			p->contexts[program_find_context(
					c->program, step->context)]
			    .balanced = true;
	}
	/* The siblings of bonds are those of the last map. */
	for (uint32_t i = 0; i < p->n_ops; i++) {
		if (c->steps[i].step->kind == STEP_BOND)
			compile_bond(c, &c->steps[i]);
	}
	for (uint32_t i = 0; i < p->n_contexts; i++)
		finish_map(c, i);
}
