/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Chooses the engine of each batch by its name and its context's map
 * (doc/model/common.md "Virtual engines"), and makes the rings.
 */
#include <string.h>

#include "base/text.h"
#include "engine/compile/compile.h"

/* Reports a name that a batch of a mapped context can't use, and those that it
 * can. */
static bool
refuse_engine(struct compiler *c, const struct source_step *s,
    const struct context_def *def, const char *what)
{
	struct text name = {0}, engines = {0};

	engine_name_print(&name, s->step->batch.engine);
	compile_add_engines(c, def->map, &engines);
	compile_report(c, s, DIAG_ERROR, 1,
	    "engine '%s' %s context %u: expected%s%s", text_str(&name), what,
	    def->number, text_str(&engines),
	    def->balanced ? ", or DEFAULT for any of them" : "");
	text_free(&name);
	text_free(&engines);
	return false;
}

static bool
choose_fixed(struct engine_choice *choice, engine_mask match)
{
	*choice = (struct engine_choice){
	    .engine = (uint8_t)__builtin_ctzll(match)};
	return true;
}

/* Chooses for DEFAULT without a map: the first RCS, else CCS, else engine. */
static bool
choose_default(struct compiler *c, struct engine_choice *choice)
{
	static const uint8_t order[] = {CLASS_RCS, CLASS_CCS};

	for (unsigned i = 0; i < sizeof order; i++) {
		engine_mask match = device_match(
		    c->dev, (struct engine_name){.class = order[i], .gt = -1});

		if (match != 0)
			return choose_fixed(choice, match);
	}
	return choose_fixed(choice, 1);
}

static bool
choose_unmapped(struct compiler *c, const struct source_step *s,
    struct engine_choice *choice)
{
	struct engine_name name = s->step->batch.engine;

	if (name.class == CLASS_DEFAULT)
		return choose_default(c, choice);

	engine_mask match = device_match(c->dev, name);

	if (match != 0)
		return choose_fixed(choice, match);
	compile_no_engine(c, s, 1, name);
	return false;
}

/* Chooses the virtual engine, or the only one of the map. */
static bool
choose_balanced(const struct context_def *def, struct engine_choice *choice)
{
	if (!def->is_virtual)
		return choose_fixed(choice, def->map);
	*choice = (struct engine_choice){.is_virtual = true};
	return true;
}

/* Chooses for an engine that is not in the map (doc/model/language.md "Engines
 * outside the map"): with load balancing the virtual engine, as gem_wsim
 * does. */
static bool
choose_outside(struct compiler *c, const struct source_step *s,
    const struct context_def *def, struct engine_choice *choice)
{
	struct engine_name name = s->step->batch.engine;

	if (!def->balanced)
		return refuse_engine(c, s, def, "is not in the map of");
	if (device_match(c->dev, name) == 0) {
		compile_no_engine(c, s, 1, name);
		return false;
	}
	choose_balanced(def, choice);
	choice->is_outside = true;
	return true;
}

static bool
choose_mapped(struct compiler *c, const struct source_step *s,
    const struct context_def *def, struct engine_choice *choice)
{
	struct engine_name name = s->step->batch.engine;
	bool is_default = name.class == CLASS_DEFAULT;
	engine_mask match = is_default ? def->map
				       : device_match(c->dev, name) & def->map;

	if (match == 0)
		return choose_outside(c, s, def, choice);
	if ((match & (match - 1)) == 0)
		return choose_fixed(choice, match);
	if (def->balanced && match == def->map)
		return choose_balanced(def, choice);
	return refuse_engine(c, s, def,
	    def->balanced ? "fits only a part of the map of"
			  : "fits several engines of the map of");
}

void
compile_warn_outside(struct compiler *c, const struct source_step *s)
{
	const struct context_def *def =
	    &c->program
		 ->contexts[program_find_context(c->program, s->step->context)];
	struct text name = {0}, engines = {0};

	engine_name_print(&name, s->step->batch.engine);
	compile_add_engines(c, def->map, &engines);
	compile_report(c, s, DIAG_WARNING, 1,
	    "engine '%s' is not in the map of context %u: it runs on any of%s, "
	    "as DEFAULT does",
	    text_str(&name), def->number, text_str(&engines));
	text_free(&name);
	text_free(&engines);
}

/* Reports a batch of a parallel context that names an engine. */
static bool
refuse_parallel(struct compiler *c, const struct source_step *s)
{
	struct text name = {0};

	engine_name_print(&name, s->step->batch.engine);
	compile_report(c, s, DIAG_ERROR, 1,
	    "engine '%s' of a parallel context: expected DEFAULT",
	    text_str(&name));
	text_free(&name);
	return false;
}

bool
compile_choose_engine(struct compiler *c, const struct source_step *s,
    struct engine_choice *choice)
{
	uint32_t context = program_find_context(c->program, s->step->context);
	const struct context_def *def = &c->program->contexts[context];

	if (c->contexts[context].parallel != NULL) {
		if (s->step->batch.engine.class != CLASS_DEFAULT)
			return refuse_parallel(c, s);
		*choice = (struct engine_choice){.is_virtual = true};
		return true;
	}
	if (c->contexts[context].map == NULL)
		return choose_unmapped(c, s, choice);
	if (def->map == 0)
		return false; /* reported with the map */
	return choose_mapped(c, s, def, choice);
}

static engine_mask
parallel_engines(const struct context_def *def)
{
	engine_mask mask = 0;

	for (uint32_t i = 0; i < def->n_rows * def->n_siblings; i++)
		mask |= (engine_mask)1 << def->rows[i];
	return mask;
}

static void
make_virtual(struct ring_def *ring, const struct context_def *def,
    const struct context_source *source)
{
	ring->is_virtual = true;
	ring->engine = source->first_engine;
	ring->engines = def->n_rows > 0 ? parallel_engines(def) : def->map;
	ring->n_bonds = def->n_bonds;
	ring->bonds = def->bonds;
	ring->n_rows = def->n_rows;
	ring->n_siblings = def->n_siblings;
	ring->rows = def->rows;
}

void
compile_rings(struct compiler *c)
{
	struct program *p = c->program;
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->n_contexts; i++) {
		struct context_def *def = &p->contexts[i];

		def->first_ring = n;
		def->n_rings = (uint32_t)__builtin_popcountll(
				   c->contexts[i].used) +
		    c->contexts[i].used_virtual;
		n += def->n_rings;
	}
	p->n_rings = n;
	p->rings = compile_alloc(c, n, sizeof *p->rings);
	for (uint32_t i = 0; i < p->n_contexts; i++) {
		struct ring_def *ring = p->rings + p->contexts[i].first_ring;

		for (engine_mask m = c->contexts[i].used; m != 0; m &= m - 1) {
			unsigned engine = (unsigned)__builtin_ctzll(m);

			*ring++ = (struct ring_def){
			    .context = i,
			    .engine = (uint8_t)engine,
			    .engines = (engine_mask)1 << engine,
			};
		}
		if (c->contexts[i].used_virtual) {
			ring->context = i;
			make_virtual(ring, &p->contexts[i], &c->contexts[i]);
		}
	}
}

uint32_t
compile_find_ring(
    const struct compiler *c, uint32_t context, struct engine_choice choice)
{
	const struct context_def *def = &c->program->contexts[context];
	uint32_t i = def->first_ring;

	for (; i + 1 < def->first_ring + def->n_rings; i++) {
		const struct ring_def *ring = &c->program->rings[i];

		if (!choice.is_virtual && ring->engine == choice.engine)
			break;
	}
	return i;
}
