/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which threads of a process are one client (doc/model/infer.md "Threads"): a thread
 * that has its contexts for itself is one, unless its requests wait for fences of
 * another thread, or are fed by it.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "run/capture_private.h"

/* A thread is fed by another if one in that many of its requests reads what that
 * wrote. */
#define FED_SHARE 10

/* Groups of threads: each points to another of its group, the first to
 * itself. */
static uint32_t
group_of(uint32_t *groups, uint32_t thread)
{
	while (groups[thread] != thread)
		thread = groups[thread] = groups[groups[thread]];
	return thread;
}

static void
join_groups(uint32_t *groups, uint32_t a, uint32_t b)
{
	a = group_of(groups, a);
	b = group_of(groups, b);
	if (a < b)
		groups[b] = a;
	else
		groups[a] = b;
}

const struct capture_act *
capture_act_at(const struct capture_span *s, uint64_t number)
{
	return number >= s->first && number - s->first < s->n
	    ? &s->acts[number - s->first]
	    : NULL;
}

const struct capture_dep *
capture_deps_of(const struct capture_span *s, const struct capture_act *act)
{
	return act->n_deps > 0 ? &s->p->deps[act->first_dep - s->p->deps_first]
			       : NULL;
}

static int
compare_owners(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	if (x[0] != y[0])
		return x[0] < y[0] ? -1 : 1;
	return (x[1] > y[1]) - (x[1] < y[1]);
}

/* Joins the threads that submit to one context. */
static void
join_by_context(const struct capture_span *s, uint32_t *groups)
{
	uint32_t(*owners)[2] = mem_calloc(s->n, sizeof(*owners));
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (s->acts[i].kind != CAPTURED_SUBMIT)
			continue;
		owners[n][0] = s->acts[i].slot->context;
		owners[n++][1] = s->acts[i].thread;
	}
	qsort(owners, n, sizeof(*owners), compare_owners);
	for (size_t i = 1; i < n; i++)
		if (owners[i][0] == owners[i - 1][0])
			join_groups(groups, owners[i][1], owners[i - 1][1]);
	free(owners);
}

/* A thread that waits for fences of another is one client with it. */
static void
join_by_fences(const struct capture_span *s, uint32_t *groups)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct capture_act *act = &s->acts[i], *on;

		if (act->kind != CAPTURED_SUBMIT)
			continue;
		for (unsigned k = 0; k < act->n_deps; k++) {
			const struct capture_dep *dep = &capture_deps_of(
			    s, act)[k];

			on = capture_act_at(s, dep->act);
			if (on != NULL && dep->kind != INFER_DATA &&
			    dep->kind < CAPTURED_READ)
				join_groups(groups, act->thread, on->thread);
		}
	}
}

bool
capture_waits_for_other(
    const struct capture_span *s, const struct capture_act *act)
{
	const struct capture_act *on = act->kind == CAPTURED_WAIT
	    ? capture_act_at(s, act->target)
	    : NULL;

	return on != NULL && on->thread != act->thread;
}

/* Joins threads that submit nothing to those whose requests they wait for. */
static void
join_by_waits(const struct capture_span *s, uint32_t *groups)
{
	bool submits[CAPTURE_THREADS] = {false};

	for (size_t i = 0; i < s->n; i++)
		submits[s->acts[i].thread] |= s->acts[i].kind ==
		    CAPTURED_SUBMIT;
	for (size_t i = 0; i < s->n; i++) {
		const struct capture_act *act = &s->acts[i];

		if (!submits[act->thread] && capture_waits_for_other(s, act))
			join_groups(groups, act->thread,
			    capture_act_at(s, act->target)->thread);
	}
}

/* Counts of what passes between groups of threads, at [writer * CAPTURE_THREADS + reader]. */
struct feeding {
	uint32_t *reads;    /* requests that read what the other wrote */
	bool *both;         /* they write the same object */
	uint32_t *requests; /* of each group */
};

/* True if an act writes the object of a dependency of its own. */
static bool
writes_object(const struct capture_span *s, const struct capture_act *act,
    const struct capture_dep *by)
{
	const struct capture_dep *deps = capture_deps_of(s, act);

	for (unsigned k = 0; by->object != 0 && k < act->n_deps; k++)
		if (deps[k].kind == CAPTURED_WRITE &&
		    deps[k].object == by->object)
			return true;
	return false;
}

/* Counts a request for each group that wrote what it reads. */
static void
count_reads(const struct capture_span *s, const struct capture_act *act,
    uint32_t *groups, struct feeding *f)
{
	uint32_t reader = group_of(groups, act->thread);

	f->requests[reader]++;
	for (unsigned k = 0; k < act->n_deps; k++) {
		const struct capture_dep *dep = &capture_deps_of(s, act)[k];
		const struct capture_act *on = capture_act_at(s, dep->act);
		uint32_t writer;

		if (dep->kind != INFER_DATA || on == NULL ||
		    writes_object(s, act, dep))
			continue;
		writer = group_of(groups, on->thread);
		if (writer != reader)
			f->reads[writer * CAPTURE_THREADS + reader]++;
	}
}

/* A group that writes an object. */
struct writing {
	uint64_t object;
	uint32_t group;
};

static int
compare_writings(const void *a, const void *b)
{
	const struct writing *x = a, *y = b;

	if (x->object != y->object)
		return x->object < y->object ? -1 : 1;
	return (x->group > y->group) - (x->group < y->group);
}

/* Lists the groups that write each object, once. Returns their number. */
static size_t
list_writings(
    const struct capture_span *s, uint32_t *groups, struct writing *list)
{
	size_t n = 0, kept = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct capture_act *act = &s->acts[i];
		const struct capture_dep *deps = capture_deps_of(s, act);

		for (unsigned k = 0;
		     act->kind == CAPTURED_SUBMIT && k < act->n_deps; k++)
			if (deps[k].kind == CAPTURED_WRITE)
				list[n++] = (struct writing){deps[k].object,
				    group_of(groups, act->thread)};
	}
	qsort(list, n, sizeof(*list), compare_writings);
	for (size_t i = 0; i < n; i++)
		if (kept == 0 ||
		    compare_writings(&list[kept - 1], &list[i]) != 0)
			list[kept++] = list[i];
	return kept;
}

/* Notes which groups write an object that the other one writes, too. */
static void
find_both(const struct capture_span *s, uint32_t *groups, struct feeding *f)
{
	struct writing *list = mem_calloc(s->p->n_deps + 1, sizeof(*list));
	size_t n = list_writings(s, groups, list);

	for (size_t i = 0; i < n; i++)
		for (size_t k = i + 1;
		     k < n && list[k].object == list[i].object; k++) {
			uint32_t a = list[i].group, b = list[k].group;

			f->both[a * CAPTURE_THREADS + b] = true;
			f->both[b * CAPTURE_THREADS + a] = true;
		}
	free(list);
}

/* True if the second group reads what the first one writes often enough, and nothing
 * goes the other way. */
static bool
is_fed(const struct feeding *f, uint32_t writer, uint32_t reader)
{
	uint32_t to = f->reads[writer * CAPTURE_THREADS + reader];
	uint32_t back = f->reads[reader * CAPTURE_THREADS + writer];
	uint32_t least = f->requests[writer] < f->requests[reader]
	    ? f->requests[writer]
	    : f->requests[reader];

	return to > 0 && back == 0 && to >= least / FED_SHARE &&
	    !f->both[writer * CAPTURE_THREADS + reader];
}

/* A thread that is fed by another, as an encoder by a decoder, is one client with
 * it: its requests follow those of the other, which a descriptor of its own cannot
 * name. Threads that write for each other, as clones that share a W of gem_wsim, are
 * clients. */
static void
join_by_data(const struct capture_span *s, uint32_t *groups)
{
	size_t pairs = (size_t)CAPTURE_THREADS * CAPTURE_THREADS;
	struct feeding f = {.reads = mem_calloc(pairs, sizeof(*f.reads)),
	    .both = mem_calloc(pairs, sizeof(*f.both)),
	    .requests = mem_calloc(CAPTURE_THREADS, sizeof(*f.requests))};

	for (size_t i = 0; i < s->n; i++)
		if (s->acts[i].kind == CAPTURED_SUBMIT)
			count_reads(s, &s->acts[i], groups, &f);
	find_both(s, groups, &f);
	for (uint32_t a = 0; a < CAPTURE_THREADS; a++)
		for (uint32_t b = 0; b < CAPTURE_THREADS; b++)
			if (is_fed(&f, a, b))
				join_groups(groups, a, b);
	free(f.reads);
	free(f.both);
	free(f.requests);
}

void
capture_groups_find(
    const struct capture_span *s, uint32_t groups[CAPTURE_THREADS])
{
	for (uint32_t i = 0; i < CAPTURE_THREADS; i++)
		groups[i] = i;
	join_by_context(s, groups);
	join_by_fences(s, groups);
	join_by_waits(s, groups);
	join_by_data(s, groups);
	for (uint32_t i = 0; i < CAPTURE_THREADS; i++)
		groups[i] = group_of(groups, i);
}
