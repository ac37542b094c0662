/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Applies values of contexts that an edit has changed. P, S and X steps of the
 * text before and of the new one are compared in groups, by context and kind; a
 * group that differs is worked out for each client at its step, and set by
 * controls.
 */
#include "run/live/params.h"

#include <stdlib.h>

#include "base/mem.h"
#include "engine/client/control.h"
#include "run/live/live.h"

/* Limit of clients that get different values at once. More of them get theirs
 * when they come to the step. */
#define MAX_SINGLE 1000

static int
compare_governors(const void *a, const void *b)
{
	const struct param_step *x = a, *y = b;

	if (x->context != y->context)
		return x->context < y->context ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return x->step < y->step ? -1 : x->step > y->step;
}

void
param_steps_collect(struct param_steps *g, const struct version *version)
{
	const struct program *p = version->program;

	*g = (struct param_steps){0};
	for (uint32_t i = 0; i < p->n_ops; i++) {
		enum step_kind kind = p->ops[i].kind;
		const struct step *step;

		if ((kind != STEP_PRIORITY && kind != STEP_SSEU &&
			kind != STEP_PREEMPTION) ||
		    version->lines[i] == NULL)
			continue;
		step = document_step_was(version->lines[i]);
		g->list = mem_grow(g->list, g->n, &g->cap, sizeof(*g->list));
		g->list[g->n++] = (struct param_step){
		    .context = step->context,
		    .kind = kind,
		    .step = i,
		    .value = kind == STEP_PREEMPTION ? (int64_t)step->us
						     : step->value,
		};
	}
	if (g->n > 0)
		qsort(g->list, g->n, sizeof(*g->list), compare_governors);
}

void
param_steps_free(struct param_steps *g)
{
	free(g->list);
	*g = (struct param_steps){0};
}

/* The steps of one kind and context. */
struct group {
	const struct param_step *list;
	size_t n;
};

static bool
same_group(const struct param_step *a, const struct param_step *b)
{
	return a->context == b->context && a->kind == b->kind;
}

static struct group
group_at(const struct param_steps *g, size_t at)
{
	struct group group = {&g->list[at], 0};

	while (at + group.n < g->n &&
	    same_group(group.list, &g->list[at + group.n]))
		group.n++;
	return group;
}

static bool
same_values(const struct group *a, const struct group *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (a->list[i].value != b->list[i].value)
			return false;
	return true;
}

/* A value that a client is to get. */
struct param_change {
	uint32_t client;
	int64_t value;
};

struct param_changes {
	const struct session *session;
	const struct param_step *about; /* context and kind */
	const struct group *now;        /* steps of the newest text */
	struct param_change *list;
	size_t n, cap;
	bool any, alike;
	int64_t value; /* of all clients, if alike */
	/* The version of the client before, and whether it has the same
	 * steps. */
	const struct version *own;
	bool own_says_so;
};

static bool
takes_values(const struct client *c)
{
	return !c->killed && c->state != CLIENT_ENDED &&
	    c->state != CLIENT_DRAINING;
}

/* The value that the group has in force for a client at step at; false:
 * none. */
static bool
governed_value(
    const struct group *g, const struct client *c, size_t at, int64_t *value)
{
	bool said = false;

	/* Values carry over from one iteration to the next, but for X. */
	if (g->n > 0 && client_iteration(c) > 0 &&
	    g->list->kind != STEP_PREEMPTION) {
		*value = g->list[g->n - 1].value;
		said = true;
	}
	for (size_t i = 0; i < g->n && g->list[i].step < at; i++) {
		*value = g->list[i].value;
		said = true;
	}
	return said;
}

static int64_t
wanted_priority(const struct client *c, const struct group *g, size_t at)
{
	int64_t value;

	return governed_value(g, c, at, &value) ? value : c->priority;
}

static int64_t
wanted_sseu(const struct client *c, const struct group *g, size_t at)
{
	int64_t value = c->small_sseu ? 1 : -1;

	governed_value(g, c, at, &value);
	return value == -1 ? (int64_t)device_all_slices(&c->sim->device)
			   : value;
}

/* The compiler's default, for a batch without an X before it. */
#define DEFAULT_PREEMPT_US 100

/* True if the client's version has the same steps as the newest. Clients of one
 * version are checked once. */
static bool
own_says_so(struct param_changes *w, const struct client *c)
{
	const struct version *own = versions_find(
	    &w->session->run.versions, client_program(c));
	struct param_steps all;
	struct group group = {0};

	if (own == NULL || own == w->own)
		return own != NULL && w->own_says_so;
	param_steps_collect(&all, own);
	for (size_t i = 0; i < all.n; i += group.n) {
		group = group_at(&all, i);
		if (same_group(group.list, w->about))
			break;
		group = (struct group){NULL, group.n};
	}
	if (group.list == NULL)
		group.n = 0;
	w->own = own;
	w->own_says_so = same_values(&group, w->now);
	param_steps_free(&all);
	return w->own_says_so;
}

static int64_t
wanted_preemption(struct param_changes *w, const struct client *c, size_t at)
{
	int64_t value = DEFAULT_PREEMPT_US;

	if (own_says_so(w, c))
		return CONTROL_BY_PROGRAM;
	governed_value(w->now, c, at, &value);
	return value;
}

static int64_t
param_value(struct param_changes *w, const struct client *c)
{
	size_t at = live_step_of_client(w->session, c);

	switch (w->about->kind) {
	case STEP_PRIORITY: return wanted_priority(c, w->now, at);
	case STEP_SSEU: return wanted_sseu(c, w->now, at);
	default: return wanted_preemption(w, c, at);
	}
}

static int64_t
in_force(const struct context *context, enum step_kind kind)
{
	switch (kind) {
	case STEP_PRIORITY: return context->priority;
	case STEP_SSEU: return context->sseu;
	default:
		return context->preempt_ns == PREEMPT_BY_PROGRAM
		    ? CONTROL_BY_PROGRAM
		    : (int64_t)(context->preempt_ns / NSEC_PER_USEC);
	}
}

static void
collect_changes(struct param_changes *w, size_t source)
{
	const struct sim *sim = w->session->run.sim;

	for (size_t i = 0; i < sim->n_clients; i++) {
		const struct client *c = sim->clients[i];
		const struct context *context;
		int64_t value;

		if (client_workload(c) != source || !takes_values(c))
			continue;
		context = live_find_context(c, w->about->context);
		if (context == NULL)
			continue;
		value = param_value(w, c);
		w->alike = !w->any || (w->alike && value == w->value);
		w->any = true;
		w->value = value;
		if (value == in_force(context, w->about->kind))
			continue;
		w->list = mem_grow(w->list, w->n, &w->cap, sizeof(*w->list));
		w->list[w->n++] = (struct param_change){c->id, value};
	}
}

static enum control_kind
control_of_kind(enum step_kind kind)
{
	return kind == STEP_PRIORITY ? CONTROL_PRIORITY
	    : kind == STEP_SSEU      ? CONTROL_SSEU
				     : CONTROL_PREEMPTION;
}

/* Cannot fail: the compiler has checked the values. */
static void
set_param(
    struct session *s, struct control *control, uint32_t client, int64_t value)
{
	struct text ignored = {0};

	control->client = client;
	control->value = value;
	session_control(s, control, &ignored);
	text_free(&ignored);
}

static void
apply_group(struct session *s, size_t source, const struct param_step *about,
    const struct group *now)
{
	struct param_changes w = {.session = s, .about = about, .now = now};
	struct control control = {
	    .kind = control_of_kind(about->kind),
	    .workload = (uint32_t)source,
	    .context = about->context,
	};

	collect_changes(&w, source);
	if (w.n > 0 && w.alike)
		set_param(s, &control, CONTROL_ALL, w.value);
	else if (w.n <= MAX_SINGLE)
		for (size_t i = 0; i < w.n; i++)
			set_param(
			    s, &control, w.list[i].client, w.list[i].value);
	free(w.list);
}

/* Walks both lists in order. A group that is missing in one of them is
 * empty. */
void
params_apply(struct session *s, size_t source, const struct param_steps *before)
{
	const struct versioned *of = versions_of(
	    &s->run.versions, s->plan->sources[source].doc);
	struct param_steps now;
	size_t i = 0, k = 0;

	param_steps_collect(&now, of->newest);
	while (i < before->n || k < now.n) {
		struct group old = {0}, new = {0};
		struct param_step about;

		if (i < before->n)
			old = group_at(before, i);
		if (k < now.n)
			new = group_at(&now, k);
		if (old.n > 0 && new.n > 0 && !same_group(old.list, new.list)) {
			if (compare_governors(old.list, new.list) < 0)
				new.n = 0;
			else
				old.n = 0;
		}
		about = new.n > 0 ? *new.list : *old.list;
		if (!same_values(&old, &new))
			apply_group(s, source, &about, &new);
		i += old.n;
		k += new.n;
	}
	param_steps_free(&now);
}
