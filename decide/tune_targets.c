/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds what can be edited: the lines that set up contexts, or would, and the
 * batches that could run on another engine of their class. Contexts that stay as
 * they are are targets too, without values: others are placed above and below
 * them.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "decide/tune.h"
#include "engine/profile.h"
#include "engine/sched/sched.h"
#include "parser/document/document.h"
#include "run/plan.h"

#define MOST_CONTEXTS      128  /* of a document; later ones stay as they are */
#define DEFAULT_PREEMPT_US 100  /* doc/model/gem_wsim.md "A client" */
#define NO_ENGINE          (-1) /* several engines, or none */

/* A context, as all lines of its document set it up. */
struct tuned_context {
	uint32_t number;
	engine_mask map;            /* M; 0: none */
	uint32_t map_identity;      /* its line */
	bool balanced, pinned;      /* B; G or b: its engines are not edited */
	unsigned set[N_STEP_KINDS]; /* lines with P, S, X */
	bool has_batch, early;      /* early: a batch is before the first X */
	unsigned on[DEVICE_MAX_ENGINES]; /* batches with that engine alone */
	engine_mask classes; /* engines of the classes of its batches */
	unsigned n_named;    /* batches that name an engine by instance */
};

struct tuned_document {
	const struct document *doc;
	size_t source;
	struct tuned_context list[MOST_CONTEXTS];
	size_t n;
};

static struct tuned_context *
tuned_context_of(struct tuned_document *d, uint32_t number)
{
	for (size_t i = 0; i < d->n; i++)
		if (d->list[i].number == number)
			return &d->list[i];
	if (d->n == MOST_CONTEXTS)
		return NULL;
	d->list[d->n] = (struct tuned_context){.number = number};
	return &d->list[d->n++];
}

static engine_mask
mask_of_map(const struct device *dev, const struct step *step)
{
	engine_mask map = 0;

	for (uint32_t i = 0; i < step->map.n_engines; i++)
		map |= device_match(dev, step->map.engines[i]);
	return map;
}

/* Looks at the lines that set up a context; P, S and X are counted. */
static void
look_at_setup(struct tuned_document *d, const struct device *dev, size_t line,
    const struct step *step)
{
	struct tuned_context *c = tuned_context_of(d, step->context);

	if (c == NULL)
		return;
	c->set[step->kind]++;
	if (step->kind == STEP_MAP) {
		c->map = mask_of_map(dev, step);
		c->map_identity = document_identity(
		    d->doc, document_line(d->doc, line));
	}
	c->balanced |= step->kind == STEP_BALANCE;
	c->pinned |= step->kind == STEP_PARALLEL || step->kind == STEP_BOND;
}

/* Returns the engines that a batch may run on. */
static engine_mask
engines_of_batch(const struct device *dev, const struct tuned_context *c,
    struct engine_name name)
{
	struct engine_name render = {.class = CLASS_RCS, .gt = -1};
	engine_mask all;

	if (c->map != 0)
		return name.class == CLASS_DEFAULT
		    ? c->map
		    : device_match(dev, name) & c->map;
	all = device_match(dev, name.class == CLASS_DEFAULT ? render : name);
	return all & -all; /* the first */
}

/* Returns the engines of the classes of some. */
static engine_mask
engines_like(const struct device *dev, engine_mask some)
{
	engine_mask like = 0;

	for (unsigned i = 0; i < dev->n_engines; i++)
		if (some >> i & 1)
			like |= device_match(dev,
			    (struct engine_name){
				.class = dev->engines[i].class, .gt = -1});
	return like;
}

static int
single_engine(engine_mask engines)
{
	return engines != 0 && (engines & (engines - 1)) == 0
	    ? __builtin_ctzll(engines)
	    : NO_ENGINE;
}

static void
look_at_batch(
    struct tuned_document *d, const struct device *dev, const struct step *step)
{
	struct tuned_context *c = tuned_context_of(d, step->context);
	engine_mask engines;
	int single;

	if (c == NULL)
		return;
	engines = engines_of_batch(dev, c, step->batch.engine);
	single = single_engine(engines);
	c->early |= c->set[STEP_PREEMPTION] == 0;
	c->has_batch = true;
	c->classes |= engines_like(dev, engines);
	if (single != NO_ENGINE)
		c->on[single]++;
	c->n_named += step->batch.engine.instance > 0;
}

/* Counts an X, and looks at batches: which of both is first. */
static void
look_at_order(
    struct tuned_document *d, const struct device *dev, const struct step *step)
{
	struct tuned_context *c = tuned_context_of(d, step->context);

	if (step->kind == STEP_BATCH)
		look_at_batch(d, dev, step);
	else if (step->kind == STEP_PREEMPTION && c != NULL)
		c->set[STEP_PREEMPTION]++;
}

/* Looks at all maps before the first batch. */
static void
look_at_document(struct tuned_document *d, const struct device *dev)
{
	size_t n = document_n_lines(d->doc);

	for (size_t i = 0; i < 2 * n; i++) {
		const struct step *step = document_line_step(d->doc, i % n);

		if (step == NULL || !step_has_context(step))
			continue;
		if (i >= n)
			look_at_order(d, dev, step);
		else if (step->kind != STEP_BATCH &&
		    step->kind != STEP_PREEMPTION)
			look_at_setup(d, dev, i, step);
	}
}

static bool
stays_as_it_is(const struct tune *t, size_t source, uint32_t context)
{
	for (size_t i = 0; i < t->question.n_keep; i++) {
		const struct tune_kept *k = &t->question.keep[i];

		if ((k->source == TUNE_ALL_SOURCES || k->source == source) &&
		    (k->context == UINT32_MAX || k->context == context))
			return true;
	}
	return context == 0; /* has no P, S, X, M or B */
}

static struct tune_target *
new_target(struct tune *t, const struct tuned_document *d, enum tune_kind kind,
    uint32_t context)
{
	struct tune_target *target;

	t->targets = mem_grow(
	    t->targets, t->n_targets, &t->cap_targets, sizeof *t->targets);
	target = &t->targets[t->n_targets++];
	*target = (struct tune_target){
	    .kind = kind,
	    .kept = stays_as_it_is(t, d->source, context),
	    .source = d->source,
	    .context = context,
	    .n_lines = 1,
	};
	return target;
}

static uint32_t
identity_of(const struct tuned_document *d, size_t line)
{
	return document_identity(d->doc, document_line(d->doc, line));
}

/* A line that sets a value of a context. */
static void
add_setting_target(struct tune *t, const struct tuned_document *d,
    enum tune_kind kind, size_t line, const struct step *step)
{
	struct tune_target *target = new_target(t, d, kind, step->context);

	target->identity = identity_of(d, line);
	target->now = step->kind == STEP_PREEMPTION ? (int64_t)step->us
						    : step->value;
}

/* Values of a context: one target for each line that sets it, and one for the
 * line that is missing. */
static void
add_settings(struct tune *t, const struct tuned_document *d,
    const struct tuned_context *c)
{
	static const struct {
		enum step_kind step;
		enum tune_kind kind;
	} settings[] = {{STEP_PRIORITY, TUNE_PRIORITY}, {STEP_SSEU, TUNE_SSEU},
	    {STEP_PREEMPTION, TUNE_PREEMPT}};
	int64_t without[N_TUNE_KINDS] = {
	    [TUNE_PRIORITY] = t->plan->sources[d->source].priority,
	    [TUNE_SSEU] = -1,
	    [TUNE_PREEMPT] = DEFAULT_PREEMPT_US,
	};

	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
		enum tune_kind kind = settings[i].kind;

		if ((t->question.kinds >> kind & 1) == 0)
			continue;
		if (c->set[settings[i].step] > 0 &&
		    (kind != TUNE_PREEMPT || !c->early))
			continue;
		new_target(t, d, kind, c->number)->now = without[kind];
	}
}

/* A batch that could run on another engine. */
static void
add_batch_target(struct tune *t, const struct tuned_document *d,
    const struct tuned_context *c, size_t line, const struct step *step)
{
	engine_mask from = engines_of_batch(t->device, c, step->batch.engine);
	engine_mask to = engines_like(t->device, from);
	struct tune_target *target;

	if (c->map != 0)
		to &= c->map;
	if (from == 0 || single_engine(to) != NO_ENGINE)
		return;
	target = new_target(t, d, TUNE_ENGINES, c->number);
	target->identity = identity_of(d, line);
	target->now = single_engine(from);
	target->values = to;
}

/* All batches of a context on one engine. */
static void
add_whole_context(struct tune *t, const struct tuned_document *d,
    const struct tuned_context *c, unsigned engine)
{
	engine_mask to = engines_like(t->device, UINT64_C(1) << engine);
	struct tune_target *target;

	if (c->map != 0 && single_engine(c->map) == NO_ENGINE)
		to &= c->map;
	if (single_engine(to) != NO_ENGINE)
		return;
	target = new_target(t, d, TUNE_ENGINES, c->number);
	target->whole_context = true;
	target->identity = c->map_identity; /* a map of one: edited too */
	target->now = engine;
	target->values = to;
	target->n_lines = c->on[engine];
	if (c->map != 0 && single_engine(c->map) != NO_ENGINE)
		target->n_lines = 1 + c->n_named;
	else
		target->identity = 0;
}

static void
add_engine_targets(struct tune *t, const struct tuned_document *d,
    const struct tuned_context *c)
{
	bool map_of_one = c->map != 0 && single_engine(c->map) != NO_ENGINE;

	for (unsigned i = 0; i < t->device->n_engines; i++)
		if (c->on[i] > 1 || (c->on[i] == 1 && map_of_one))
			add_whole_context(t, d, c, i);
}

/* Load balancing of a context with batches of one class. */
static void
add_balance(struct tune *t, const struct tuned_document *d,
    const struct tuned_context *c)
{
	unsigned first = (unsigned)__builtin_ctzll(c->classes | 1ull << 63);
	struct tune_target *target;
	engine_mask class;

	if (c->classes == 0 || first >= t->device->n_engines)
		return;
	class = engines_like(t->device, UINT64_C(1) << first);
	if (class != c->classes || single_engine(class) != NO_ENGINE ||
	    (c->map & ~class) != 0 || (c->balanced && c->map == class))
		return;
	target = new_target(t, d, TUNE_BALANCE, c->number);
	target->identity = c->map_identity;
	target->now = -1;
	target->class = t->device->engines[first].class;
	target->has_balance = c->balanced;
	target->n_lines = c->balanced ? 1 : 2 + c->n_named;
}

static bool
kinds_have(const struct tune *t, enum tune_kind kind)
{
	return (t->question.kinds >> kind & 1) != 0;
}

static void
add_context_targets(struct tune *t, const struct tuned_document *d,
    const struct tuned_context *c)
{
	if (!c->has_batch)
		return;
	add_settings(t, d, c);
	if (c->pinned || stays_as_it_is(t, d->source, c->number))
		return;
	if (kinds_have(t, TUNE_ENGINES))
		add_engine_targets(t, d, c);
	if (kinds_have(t, TUNE_BALANCE))
		add_balance(t, d, c);
}

static void
add_line_target(struct tune *t, struct tuned_document *d, size_t line)
{
	const struct step *step = document_line_step(d->doc, line);
	const struct tuned_context *c;

	if (step == NULL || !step_has_context(step))
		return;
	c = tuned_context_of(d, step->context);
	if (c == NULL || !c->has_batch)
		return;
	if (step->kind == STEP_PRIORITY && kinds_have(t, TUNE_PRIORITY))
		add_setting_target(t, d, TUNE_PRIORITY, line, step);
	if (step->kind == STEP_SSEU && kinds_have(t, TUNE_SSEU))
		add_setting_target(t, d, TUNE_SSEU, line, step);
	if (step->kind == STEP_PREEMPTION && kinds_have(t, TUNE_PREEMPT))
		add_setting_target(t, d, TUNE_PREEMPT, line, step);
	if (step->kind == STEP_BATCH && kinds_have(t, TUNE_ENGINES) &&
	    !c->pinned && !stays_as_it_is(t, d->source, c->number))
		add_batch_target(t, d, c, line, step);
}

static void
add_document_targets(struct tune *t, size_t source)
{
	struct tuned_document *d = mem_calloc(1, sizeof *d);
	size_t n;

	d->doc = t->plan->sources[source].doc;
	d->source = source;
	n = document_n_lines(d->doc);
	look_at_document(d, t->device);
	for (size_t i = 0; i < d->n; i++)
		add_context_targets(t, d, &d->list[i]);
	for (size_t i = 0; i < n; i++)
		add_line_target(t, d, i);
	free(d);
}

void
tune_find_targets(struct tune *t)
{
	for (size_t i = 0; i < t->plan->n_sources; i++) {
		const struct source *s = &t->plan->sources[i];

		if (!s->is_alias && !s->waiting && document_is_valid(s->doc))
			add_document_targets(t, i);
	}
}
