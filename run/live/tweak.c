/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tweaks of contexts: priorities, slice masks and preemption periods. Each is
 * an edit of the governing step, and reported with its effect. */
#include "run/live/tweak.h"

#include <stdlib.h>

#include "base/text.h"
#include "engine/client/control.h"
#include "engine/sched/steps.h"
#include "parser/document/edit.h"
#include "run/live/tweak_edits.h"
#include "run/plan.h"

static bool
edit_p(struct document *doc, const struct tweak_target *t, int64_t value,
    size_t *line, struct text *err)
{
	return edit_priority(doc, t->context, t->at, (int)value, line, err);
}

static bool
edit_s(struct document *doc, const struct tweak_target *t, int64_t value,
    size_t *line, struct text *err)
{
	return edit_sseu(doc, t->context, t->at, value, line, err);
}

static bool
edit_x(struct document *doc, const struct tweak_target *t, int64_t value,
    size_t *line, struct text *err)
{
	return edit_preemption(
	    doc, t->context, t->at, (uint64_t)value, line, err);
}

static bool
check_p(const struct session *s, int64_t value, struct text *err)
{
	struct control control = {.kind = CONTROL_PRIORITY, .value = value};

	return value_check(VALUE_PRIORITY, value, err) &&
	    run_gpu_allows(&s->run, &control, err);
}

static bool
check_s(const struct session *s, int64_t value, struct text *err)
{
	struct control control = {.kind = CONTROL_SSEU, .value = value};

	return device_check_slices(&s->run.sim->device, value, err) &&
	    run_gpu_allows(&s->run, &control, err);
}

static bool
check_x(const struct session *s, int64_t value, struct text *err)
{
	(void)s;
	return value_check(VALUE_PREEMPTION, value, err);
}

/* By kind of tweak. */
static const struct {
	enum step_kind step;
	const char *plural;
	bool (*check)(const struct session *s, int64_t value, struct text *err);
	bool (*edit)(struct document *doc, const struct tweak_target *t,
	    int64_t value, size_t *line, struct text *err);
} tweak_kinds[] = {
    [TWEAK_PRIORITY] = {STEP_PRIORITY, "priorities", check_p, edit_p},
    [TWEAK_SSEU] = {STEP_SSEU, "slice masks", check_s, edit_s},
    [TWEAK_PREEMPTION] = {STEP_PREEMPTION, "preemption periods", check_x,
	edit_x},
};

bool
tweak_target_of_context(const struct session *s, uint32_t client,
    uint32_t context, struct tweak_target *target)
{
	const struct sim *sim = s->run.sim;
	const struct client *c;

	if (client >= sim->n_clients)
		return false;
	c = sim->clients[client];
	if (context >= c->n_contexts)
		return false;
	if (client_workload(c) >= s->plan->n_sources)
		return false;
	*target = (struct tweak_target){
	    .source = plan_document(s->plan, client_workload(c)),
	    .context = c->contexts[context]->def->number,
	    .at = live_step_of_client(s, c),
	    .client = client,
	};
	return true;
}

bool
tweak_target_of_line(const struct session *s, size_t source, size_t line,
    enum tweak_kind kind, struct tweak_target *target)
{
	const struct document *doc = s->plan->sources[source].doc;
	const struct step *step = line < document_n_lines(doc)
	    ? document_line_step(doc, line)
	    : NULL;

	if (step == NULL || !step_has_context(step))
		return false;
	*target = (struct tweak_target){
	    .source = source,
	    .context = step->context,
	    .at = document_step_of_line(doc, line) +
		(step->kind == tweak_kinds[kind].step),
	    .client = -1,
	};
	return true;
}

static int64_t
step_value(const struct step *step)
{
	return step->kind == STEP_PREEMPTION ? (int64_t)step->us : step->value;
}

bool
tweak_value(const struct session *s, const struct tweak_target *target,
    enum tweak_kind kind, int64_t *value)
{
	const struct document *doc = s->plan->sources[target->source].doc;
	size_t line;

	if (!edit_find_governing(doc, tweak_kinds[kind].step, target->context,
		target->at, &line, NULL))
		return false;
	*value = step_value(document_line_step(doc, line));
	return true;
}

/* The start of a relative tweak if the text sets no priority. */
static int64_t
priority_now(const struct session *s, const struct tweak_target *t)
{
	const struct context *context = t->client < 0
	    ? NULL
	    : live_find_context(s->run.sim->clients[t->client], t->context);

	return context != NULL ? context->priority
			       : s->plan->sources[t->source].priority;
}

/* Relative tweaks stop at the end of the range, and fail there. */
static bool
wanted_value(const struct session *s, const struct tweak *tweak,
    const struct tweak_target *t, int64_t *value, struct text *err)
{
	int64_t now;

	*value = tweak->value;
	if (!tweak->relative)
		return tweak_kinds[tweak->kind].check(s, *value, err);
	if (!tweak_value(s, t, tweak->kind, &now))
		now = priority_now(s, t);
	*value += now;
	if (*value > STEP_MAX_PRIORITY)
		*value = STEP_MAX_PRIORITY;
	if (*value < -STEP_MAX_PRIORITY)
		*value = -STEP_MAX_PRIORITY;
	return tweak_kinds[tweak->kind].check(
	    s, *value != now ? *value : now + tweak->value, err);
}

/* True if the edit of each target will succeed, so that none is made if another
 * one is refused. */
static bool
can_tweak(const struct session *s, const struct tweak *tweak,
    const struct tweak_target *list, size_t n, struct text *err)
{
	int64_t unused;

	for (size_t i = 0; i < n; i++) {
		if (list[i].context == 0) {
			text_adds(err,
			    "context 0 cannot be set by a step: contexts "
			    "count from 1");
			return false;
		}
		if (!wanted_value(s, tweak, &list[i], &unused, err))
			return false;
	}
	return true;
}

/* Appends "P.2.100 -> P.2.200 at line 15 (in force for client 0; 2 steps
 * ...)". */
static void
say_change(const struct session *s, const struct tweak_target *t,
    enum tweak_kind kind, const struct line *before, size_t line,
    struct text *said)
{
	const struct document *doc = s->plan->sources[t->source].doc;
	size_t n, unused;

	if (before == NULL)
		text_adds(said, "inserted ");
	else
		tweak_add_line(said, before);
	text_adds(said, before != NULL ? " -> " : "");
	tweak_add_line(said, document_line(doc, line));
	text_addf(said, " at line %zu", tweak_row(doc, line));
	edit_find_governing(
	    doc, tweak_kinds[kind].step, t->context, t->at, &unused, &n);
	if (n < 2)
		return;
	text_adds(said, " (");
	if (t->client >= 0)
		text_addf(
		    said, "in force for client %lld; ", (long long)t->client);
	text_addf(said, "%zu steps govern context %u)", n, t->context);
}

/* Counts edits. */
struct tweak_change {
	size_t n, n_same; /* n_same: level unchanged */
	bool above;       /* the last value is */
};

static void
count_change(struct tweak_change *change, int64_t before, int64_t after)
{
	change->n++;
	change->n_same += sched_level((int)before) == sched_level((int)after);
	change->above = after > 0;
}

/* Edits one target and counts it, unless the text has the value already. */
static bool
tweak_one(struct session *s, const struct tweak *tweak, struct tweak_target *t,
    struct tweak_change *change, struct tweak_place *place, struct text *said)
{
	enum step_kind step = tweak_kinds[tweak->kind].step;
	struct document *doc = s->plan->sources[t->source].doc;
	const struct line *before = NULL;
	int64_t value, old = priority_now(s, t);
	size_t line;

	/* An earlier edit may have moved the step. */
	if (t->client >= 0)
		t->at = live_step_of_client(s, s->run.sim->clients[t->client]);
	if (!wanted_value(s, tweak, t, &value, said))
		return false;
	if (edit_find_governing(doc, step, t->context, t->at, &line, NULL)) {
		before = document_line(doc, line);
		old = step_value(document_line_step(doc, line));
		if (old == value) {
			tweak_add_line(said, before);
			text_addf(said, " is at line %zu already",
			    tweak_row(doc, line));
			*place = (struct tweak_place){t->source, line};
			return true;
		}
	}
	if (!tweak_kinds[tweak->kind].edit(doc, t, value, &line, said))
		return false;
	count_change(change, old, value);
	*place = (struct tweak_place){t->source, line};
	say_change(s, t, tweak->kind, before, line, said);
	return true;
}

/* Appends why the change has no effect, under this scheduler or on this
 * profile. */
static void
say_without_effect(const struct session *s, enum tweak_kind kind,
    const struct tweak_change *change, struct text *said)
{
	const struct sched_ops *sched = s->plan->sched;
	const struct profile *profile = &s->plan->profile;

	if (sched->reported)
		return; /* a GPU, of which no costs are known */
	if (kind == TWEAK_SSEU && profile->sseu_ns == 0)
		text_addf(
		    said, "; slices cost nothing on profile %s", profile->name);
	else if (kind == TWEAK_SSEU)
		return;
	else if (kind == TWEAK_PREEMPTION ? sched->never_preempts
					  : sched->ignores_priority)
		text_addf(said, "; %s ignores it (:scheduler execlists)",
		    sched->name);
	else if (kind == TWEAK_PREEMPTION && !profile->preemption)
		text_addf(said, "; profile %s does not preempt batches",
		    profile->name);
	else if (kind == TWEAK_PRIORITY && sched->three_levels &&
	    change->n > 0 && change->n == change->n_same)
		text_addf(said, "; %s treats all %s 0 alike", sched->name,
		    change->above ? "above" : "below");
}

void
tweak_say_without_effect(const struct session *s, enum tweak_kind kind,
    int64_t before, int64_t after, struct text *said)
{
	struct tweak_change change = {0};

	count_change(&change, before, after);
	say_without_effect(s, kind, &change, said);
}

/* Appends how many clients run the text, and why it has no effect on them. */
static void
say_effect(const struct session *s, enum tweak_kind kind, size_t source,
    const struct tweak_change *change, struct text *said)
{
	const struct sim *sim = s->run.sim;
	unsigned n = 0;

	for (size_t i = 0; i < sim->n_clients; i++)
		n += plan_document(s->plan, client_workload(sim->clients[i])) ==
			source &&
		    sim->clients[i]->state != CLIENT_ENDED;
	if (n > 1)
		text_addf(said, ", the text of %u clients", n);
	say_without_effect(s, kind, change, said);
}

bool
session_tweak(struct session *s, const struct tweak *tweak,
    const struct tweak_target *targets, size_t n, enum live_when when,
    struct tweak_place *place, struct text *said)
{
	struct tweak_target *list = tweak_unique(targets, &n);
	struct tweak_edits e;
	struct tweak_change change = {0};
	bool ok = true;

	text_clear(said);
	if (!can_tweak(s, tweak, list, n, said)) {
		free(list);
		return false;
	}
	tweak_begin(&e, s);
	for (size_t i = 0; i < n && ok; i++) {
		text_clear(said);
		tweak_open(&e, list[i].source);
		ok = tweak_one(s, tweak, &list[i], &change, place, said);
	}
	free(list);
	if (!ok) {
		tweak_give_up(&e);
		return false;
	}
	if (change.n > 1) {
		text_clear(said);
		text_addf(said, "%zu %s changed", change.n,
		    tweak_kinds[tweak->kind].plural);
	}
	tweak_finish(&e, when, said);
	say_effect(s, tweak->kind, place->source, &change, said);
	return true;
}
