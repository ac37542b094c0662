/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which steps a scheduler refuses, and which change nothing under it. Both
 * follow from the flags of struct sched_ops.
 */
#include "engine/sched/steps.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "engine/compile/program.h"
#include "engine/profile.h"
#include "parser/diag.h"
#include "parser/document/document.h"

/* Refusals. */

/* Something that not all schedulers run. */
struct ability {
	const char *subject; /* in plural */
	const char *letter;  /* as users name the step */
	enum step_kind kind; /* of the step that asks for it; N_STEP_KINDS: the
				program as a whole */
	bool (*wanted)(const struct program *p);
	bool (*given)(const struct sched_ops *sched);
};

static bool
wants_parallel(const struct program *p)
{
	for (uint32_t i = 0; i < p->n_contexts; i++)
		if (p->contexts[i].n_rows > 0)
			return true;
	return false;
}

static bool
wants_bonds(const struct program *p)
{
	for (uint32_t i = 0; i < p->n_contexts; i++)
		if (p->contexts[i].n_bonds > 0)
			return true;
	return false;
}

static bool
wants_mixed_maps(const struct program *p)
{
	return p->mixed_balance;
}

static bool
gives_parallel(const struct sched_ops *sched)
{
	return sched->takes_parallel;
}

static bool
gives_bonds(const struct sched_ops *sched)
{
	return sched->takes_bonds;
}

static bool
gives_mixed_maps(const struct sched_ops *sched)
{
	return !sched->one_class;
}

static const struct ability abilities[] = {
    {"balanced maps of several classes", "B on several classes", N_STEP_KINDS,
	wants_mixed_maps, gives_mixed_maps},
    {"parallel slots (G)", "G", STEP_PARALLEL, wants_parallel, gives_parallel},
    {"engine bonds (b)", "b", STEP_BOND, wants_bonds, gives_bonds},
};

#define N_ABILITIES (sizeof(abilities) / sizeof(*abilities))

static bool
lacks(const struct sched_ops *sched, const struct ability *ability,
    const struct program *p)
{
	return !ability->given(sched) && ability->wanted(p);
}

/* Appends the names of the schedulers that have the ability: "fifo, execlists
 * or guc". */
static void
add_schedulers(bool (*given)(const struct sched_ops *sched), struct text *out)
{
	const struct sched_ops *sched, *last = NULL;
	bool first = true;

	for (unsigned i = 0; (sched = sched_list(i)) != NULL; i++) {
		if (!given(sched))
			continue;
		if (last != NULL)
			text_addf(out, "%s%s", first ? "" : ", ", last->name);
		first = first && last == NULL;
		last = sched;
	}
	text_addf(out, "%s%s", first ? "" : " or ", last->name);
}

/* Appends "guc, the scheduler of profile mtl,". */
static void
add_scheduler(const struct sched_ops *sched, const struct profile *profile,
    struct text *out)
{
	struct text ignored = {0};

	if (sched_find(profile->scheduler, &ignored) == sched)
		text_addf(out, "%s, the scheduler of profile %s,", sched->name,
		    profile->name);
	else
		text_addf(out, "%s, chosen instead of profile %s's %s,",
		    sched->name, profile->name, profile->scheduler);
	text_free(&ignored);
}

bool
sched_accepts(const struct sched_ops *sched, const struct program *p,
    const struct profile *profile, struct text *err)
{
	for (size_t i = 0; i < N_ABILITIES; i++) {
		if (!lacks(sched, &abilities[i], p))
			continue;
		text_addf(err, "%s need --scheduler=", abilities[i].subject);
		add_schedulers(abilities[i].given, err);
		text_adds(err, ": ");
		add_scheduler(sched, profile, err);
		text_adds(err, " refuses them");
		return false;
	}
	return sched->accepts == NULL || sched->accepts(p, profile, err);
}

/* Returns the first step that is the reason of a refusal; NULL: it is not about
 * one step. */
static const struct op *
find_refused_step(const struct sched_ops *sched, const struct program *p)
{
	size_t i = 0;

	while (i < N_ABILITIES && !lacks(sched, &abilities[i], p))
		i++;
	for (uint32_t j = 0; i < N_ABILITIES && j < p->n_ops; j++)
		if (p->ops[j].kind == abilities[i].kind)
			return &p->ops[j];
	return NULL;
}

bool
sched_diagnose(const struct sched_ops *sched, const struct program *p,
    const struct profile *profile, const struct document *const *docs,
    struct diag_list *diags, struct text *err)
{
	struct text why = {0};
	bool ok = sched_accepts(sched, p, profile, &why);
	const struct op *op = ok ? NULL : find_refused_step(sched, p);
	uint32_t col, len;

	if (op != NULL) {
		document_field(docs[op->document], op->line, 0, &col, &len);
		diag_add(&diags[op->document], DIAG_ERROR, op->line, col, len,
		    "%s", text_str(&why));
	} else if (!ok) {
		text_add(err, text_str(&why), why.len);
	}
	text_free(&why);
	return ok;
}

void
sched_add_needs(
    const struct sched_ops *sched, const struct program *p, struct text *out)
{
	for (size_t i = 0; i < N_ABILITIES; i++) {
		if (!lacks(sched, &abilities[i], p))
			continue;
		text_addf(out, "; %s needs --scheduler=", abilities[i].letter);
		add_schedulers(abilities[i].given, out);
	}
}

/* Steps without effect. */

#define NO_PRIORITY_YET INT_MIN

int
sched_level(int priority)
{
	return (priority > 0) - (priority < 0);
}

void
idle_steps_free(struct idle_steps *idle)
{
	free(idle->list);
	*idle = (struct idle_steps){0};
}

static void
add_idle(struct idle_steps *idle, struct idle_step step)
{
	idle->list = mem_grow(
	    idle->list, idle->n, &idle->cap, sizeof(*idle->list));
	idle->list[idle->n++] = step;
}

/* Priorities of a context while its steps are walked. */
struct priority_walk {
	int now;  /* before the step, in the first iteration */
	int last; /* at the end of an iteration */
};

/* Returns the priorities of each context at the beginning. */
static struct priority_walk *
begin_walk(const struct program *p, int priority)
{
	struct priority_walk *walk = mem_calloc(
	    p->n_contexts + 1, sizeof(*walk));

	for (uint32_t i = 0; i < p->n_contexts; i++)
		walk[i] = (struct priority_walk){priority, NO_PRIORITY_YET};
	for (uint32_t i = 0; i < p->n_ops; i++)
		if (p->ops[i].kind == STEP_PRIORITY)
			walk[p->ops[i].set.context].last =
			    (int)p->ops[i].set.value;
	return walk;
}

/* A P between priorities of one level, where only three levels differ. In later
 * iterations the context's first P follows its last. */
static void
look_at_level(
    struct idle_steps *idle, struct priority_walk *w, uint32_t step, int after)
{
	int before[2] = {w->now, w->last};
	bool differs = false;
	int from = after;

	for (unsigned i = 0; i < 2; i++) {
		if (before[i] == NO_PRIORITY_YET)
			continue;
		differs |= sched_level(before[i]) != sched_level(after);
		if (from == after)
			from = before[i];
	}
	w->now = after;
	w->last = NO_PRIORITY_YET;
	if (!differs && from != after)
		add_idle(
		    idle, (struct idle_step){step, SAME_LEVEL, from, after});
}

static void
look_at_priority(struct idle_steps *idle, const struct sched_ops *sched,
    struct priority_walk *w, uint32_t step, int after)
{
	if (sched->ignores_priority)
		add_idle(idle, (struct idle_step){.step = step, NO_PRIORITIES});
	else if (sched->three_levels)
		look_at_level(idle, w, step, after);
}

static void
look_at_preemption(struct idle_steps *idle, const struct sched_ops *sched,
    const struct profile *profile, const struct program *p, uint32_t step)
{
	const struct context_def *def = &p->contexts[p->ops[step].set.context];
	struct idle_step found = {.step = step};

	if (sched->never_preempts)
		found.why = NO_PREEMPTION;
	else if (!profile->preemption)
		found.why = NO_PREEMPTION_ON_PROFILE;
	else if (def->n_rows > 0)
		found.why = NO_PREEMPTION_OF_SETS;
	else
		return;
	add_idle(idle, found);
}

void
sched_find_idle_steps(struct idle_steps *idle, const struct sched_ops *sched,
    const struct profile *profile, const struct program *p, int priority)
{
	struct priority_walk *walk = begin_walk(p, priority);

	for (uint32_t i = 0; i < p->n_ops; i++) {
		const struct op *op = &p->ops[i];

		if (op->kind == STEP_PRIORITY)
			look_at_priority(idle, sched, &walk[op->set.context], i,
			    (int)op->set.value);
		else if (op->kind == STEP_PREEMPTION)
			look_at_preemption(idle, sched, profile, p, i);
		else if (op->kind == STEP_SSEU && profile->slices == 1)
			add_idle(
			    idle, (struct idle_step){.step = i, ONE_SLICE});
	}
	free(walk);
}

static void
add_same_level(const struct idle_step *idle, const struct sched_ops *sched,
    struct text *out)
{
	text_addf(out, "%s treats all priorities %s 0 alike, %d as %d",
	    sched->name, idle->after > 0 ? "above" : "below", idle->after,
	    idle->before);
}

void
idle_step_add_why(const struct idle_step *idle, const struct sched_ops *sched,
    const struct profile *profile, struct text *out)
{
	switch (idle->why) {
	case NO_PRIORITIES:
		text_addf(out, "%s has no priorities", sched->name);
		break;
	case SAME_LEVEL: add_same_level(idle, sched, out); break;
	case NO_PREEMPTION:
		text_addf(out, "%s preempts %s", sched->name,
		    sched->stops_at_points ? "only batches that hang"
					   : "no batch");
		break;
	case NO_PREEMPTION_ON_PROFILE:
		text_addf(
		    out, "profile %s does not preempt batches", profile->name);
		break;
	case NO_PREEMPTION_OF_SETS:
		text_adds(out,
		    "batches of a parallel slot (G) are never "
		    "preempted");
		break;
	case ONE_SLICE:
		if (sched->reported)
			text_adds(out, "the GPU has one slice");
		else
			text_addf(
			    out, "profile %s has one slice", profile->name);
		break;
	}
}

void
idle_step_warn(const struct idle_step *idle, const struct sched_ops *sched,
    const struct profile *profile, const struct document *doc, size_t line,
    struct diag_list *diags)
{
	struct text why = {0};
	uint32_t col, len;

	document_field(doc, line, 0, &col, &len);
	idle_step_add_why(idle, sched, profile, &why);
	diag_add(diags, DIAG_WARNING, (uint32_t)line, col, len,
	    "step %zu has no effect: %s", document_step_of_line(doc, line),
	    text_str(&why));
	text_free(&why);
}

void
sched_warn_of_idle_steps(const struct sched_ops *sched,
    const struct profile *profile, const struct program *p, int priority,
    const struct document *const *docs, struct diag_list *diags)
{
	struct idle_steps idle = {0};

	sched_find_idle_steps(&idle, sched, profile, p, priority);
	for (size_t i = 0; i < idle.n; i++) {
		const struct op *op = &p->ops[idle.list[i].step];

		idle_step_warn(&idle.list[i], sched, profile,
		    docs[op->document], op->line, &diags[op->document]);
	}
	idle_steps_free(&idle);
}
