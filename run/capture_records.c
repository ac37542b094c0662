/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From the log of a process to the records that descriptors are inferred from.
 * A thread that has its contexts for itself, and whose requests wait for none of
 * another, is a client; those that share are one together, with the threads that
 * only wait for their requests.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "run/capture_private.h"

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

/* The acts that records are made of. */
struct act_span {
	const struct capture_process *p;
	const struct capture_act *acts;
	size_t n;
	uint64_t first; /* number of acts[0] */
};

static const struct capture_act *
act_at(const struct act_span *s, uint64_t number)
{
	return number >= s->first && number - s->first < s->n
	    ? &s->acts[number - s->first]
	    : NULL;
}

static const struct capture_dep *
deps_of(const struct act_span *s, const struct capture_act *act)
{
	return s->p->deps + (act->first_dep - s->p->deps_first);
}

static bool
is_submission(const struct capture_act *act)
{
	return act->kind == CAPTURED_SUBMIT;
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
join_by_context(const struct act_span *s, uint32_t *groups)
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

/* A thread that waits for fences of another is one client with it. Data may be
 * shared by threads that have nothing else in common, as a W of gem_wsim. */
static void
join_by_deps(const struct act_span *s, uint32_t *groups)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct capture_act *act = &s->acts[i], *on;

		if (act->kind != CAPTURED_SUBMIT)
			continue;
		for (unsigned k = 0; k < act->n_deps; k++) {
			const struct capture_dep *dep = &deps_of(s, act)[k];

			on = act_at(s, dep->act);
			if (on != NULL && dep->kind != INFER_DATA &&
			    dep->kind < CAPTURED_READ)
				join_groups(groups, act->thread, on->thread);
		}
	}
}

/* True if a thread waits for a request of another: a driver may have a thread that
 * submits for its program. */
static bool
waits_for_other(const struct act_span *s, const struct capture_act *act)
{
	const struct capture_act *on = act->kind == CAPTURED_WAIT
	    ? act_at(s, act->target)
	    : NULL;

	return on != NULL && on->thread != act->thread;
}

/* Joins threads that submit nothing to those whose requests they wait for. */
static void
join_by_waits(const struct act_span *s, uint32_t *groups)
{
	bool submits[CAPTURE_THREADS] = {false};

	for (size_t i = 0; i < s->n; i++)
		submits[s->acts[i].thread] |= is_submission(&s->acts[i]);
	for (size_t i = 0; i < s->n; i++) {
		const struct capture_act *act = &s->acts[i];

		if (!submits[act->thread] && waits_for_other(s, act))
			join_groups(groups, act->thread,
			    act_at(s, act->target)->thread);
	}
}

/* Time of a request on its engine: since its start, if it still runs. */
static nsec
run_until_now(const struct capture *c, const struct capture_act *act)
{
	return act->end == NSEC_NEVER && act->start <= c->sim->now
	    ? c->sim->now - act->start
	    : act->run;
}

/* Takes what a request depends on, and the objects that clients share, which have
 * no dependencies of their own then. */
static void
take_deps(struct capture_records *r, const struct act_span *s,
    const struct capture_act *act, struct infer_request *to)
{
	for (unsigned k = 0; k < act->n_deps; k++) {
		const struct capture_dep *dep = &deps_of(s, act)[k];
		uint32_t shared = capture_shared_number(
		    &r->shared, dep->object);

		if (dep->kind >= CAPTURED_READ) {
			if (shared == 0)
				continue;
			r->uses[r->input.n_uses++] = (struct infer_use){
			    shared, dep->kind == CAPTURED_WRITE};
			to->n_uses++;
		} else if (shared == 0 && act_at(s, dep->act) != NULL) {
			r->deps[r->input.n_deps++] = (struct infer_dep){
			    .request = r->index[dep->act - s->first],
			    .kind = dep->kind};
			to->n_deps++;
		}
	}
}

static void
take_submission(struct capture_records *r, const struct act_span *s,
    const struct capture_act *act, struct infer_request *to)
{
	*to = (struct infer_request){
	    .client = group_of(r->groups, act->thread),
	    .context = act->slot->context,
	    .slot = act->slot->place,
	    .class = act->class,
	    .instance = act->instance,
	    .allowed = act->allowed,
	    .queued_ns = act->to,
	    .call_ns = act->to - act->from,
	    .ready_ns = act->ready,
	    .start_ns = act->start,
	    .end_ns = act->end,
	    .run_ns = run_until_now(s->p->capture, act),
	    .priority = act->priority,
	    .first_dep = (uint32_t)r->input.n_deps,
	    .first_use = (uint32_t)r->input.n_uses,
	    .label = act->label,
	    .origin = act->origin,
	    .setup = &act->slot->setup,
	    .first_row = (uint32_t)r->input.n_row_runs,
	    .sseu = act->sseu,
	    .infinite = act->infinite,
	    .released_ns = act->released,
	    .no_points = act->no_points,
	    .unfinished = act->failed || act->start == NSEC_NEVER ||
		act->end == NSEC_NEVER,
	};
	take_deps(r, s, act, to);
	for (unsigned k = 1; k < act->slot->setup.n_rows && k < INFER_MAX_ROWS;
	     k++)
		r->row_runs[r->input.n_row_runs++] = act->row_runs[k - 1];
}

/* The act that made the last of the fences that are signalled; CAPTURE_NONE: it
 * is not in the log. */
static uint64_t
fence_signalled_by(
    const struct act_span *s, const struct capture_act *signal, uint64_t number)
{
	while (number-- > s->first) {
		const struct capture_act *act = act_at(s, number);

		if (act->kind == CAPTURED_FENCE &&
		    act->timeline == signal->timeline &&
		    act->value <= signal->value)
			return number;
	}
	return CAPTURE_NONE;
}

/* Software fences are few steps back; a search in all of a long log would take
 * long for timelines without waits. */
#define FENCE_REACH 1024

static bool
take_other(struct capture_records *r, const struct act_span *s, size_t i,
    struct infer_act *to)
{
	const struct capture_act *act = &s->acts[i];
	struct act_span near = *s;
	uint64_t target = act->target;

	*to = (struct infer_act){.client = group_of(r->groups, act->thread),
	    .from_ns = act->from,
	    .to_ns = act->to,
	    .kind = act->kind == CAPTURED_WAIT ? INFER_WAIT
		: act->kind == CAPTURED_FENCE  ? INFER_MADE
					       : INFER_SIGNALLED};
	if (act->kind == CAPTURED_FENCE)
		return true;
	if (i > FENCE_REACH && act->kind == CAPTURED_SIGNAL) {
		near.first += i - FENCE_REACH;
		near.acts += i - FENCE_REACH;
		near.n -= i - FENCE_REACH;
	}
	if (act->kind == CAPTURED_SIGNAL)
		target = fence_signalled_by(&near, act, s->first + i);
	if (target == CAPTURE_NONE || act_at(s, target) == NULL)
		return false;
	to->request = r->index[target - s->first];
	return true;
}

/* An act is for the request that its thread submits next; a wait for a request of
 * another thread, for the next one of their group. */
static void
set_next(struct capture_records *r, const struct act_span *s)
{
	uint32_t next[CAPTURE_THREADS], of_group[CAPTURE_THREADS];
	size_t at = r->input.n_acts;

	for (unsigned i = 0; i < CAPTURE_THREADS; i++)
		next[i] = of_group[i] = (uint32_t)r->input.n_requests + 1;
	for (size_t i = s->n; i-- > 0;) {
		const struct capture_act *act = &s->acts[i];
		uint32_t group = r->groups[act->thread];

		if (is_submission(act))
			next[act->thread] = of_group[group] = r->index[i] + 1;
		else if (r->index[i] != UINT32_MAX)
			r->acts[--at].next = waits_for_other(s, act)
			    ? of_group[group]
			    : next[act->thread];
	}
}

/* Counts the submissions of each group of threads that are not among the acts. */
static void
count_earlier(const struct capture_records *r, const struct act_span *s,
    uint64_t earlier[CAPTURE_THREADS])
{
	for (uint32_t i = 0; i < CAPTURE_THREADS; i++)
		earlier[group_of(r->groups, i)] += s->p->dropped[i];
	for (const struct capture_act *act = s->p->acts; act < s->acts; act++)
		if (is_submission(act))
			earlier[group_of(r->groups, act->thread)]++;
}

static void
take_acts(struct capture_records *r, const struct act_span *s)
{
	uint64_t earlier[CAPTURE_THREADS] = {0};

	count_earlier(r, s, earlier);
	for (size_t i = 0; i < s->n; i++) {
		const struct capture_act *act = &s->acts[i];

		r->index[i] = UINT32_MAX;
		if (is_submission(act)) {
			struct infer_request *to =
			    &r->requests[r->input.n_requests];

			r->index[i] = (uint32_t)r->input.n_requests++;
			take_submission(r, s, act, to);
			to->n_earlier = earlier[to->client];
		} else if (take_other(r, s, i, &r->acts[r->input.n_acts])) {
			r->index[i] = (uint32_t)r->input.n_acts++;
		}
	}
	set_next(r, s);
}

void
capture_records_take(
    struct capture_records *r, const struct capture_process *p, size_t max_acts)
{
	size_t skip = p->n > max_acts ? p->n - max_acts : 0;
	struct act_span s = {p, p->acts + skip, p->n - skip, p->first + skip};

	*r = (struct capture_records){
	    .requests = mem_calloc(s.n + 1, sizeof(*r->requests)),
	    .deps = mem_calloc(p->n_deps + 1, sizeof(*r->deps)),
	    .uses = mem_calloc(p->n_deps + 1, sizeof(*r->uses)),
	    .acts = mem_calloc(s.n + 1, sizeof(*r->acts)),
	    .row_runs = mem_calloc(
		s.n + 1, (INFER_MAX_ROWS - 1) * sizeof(*r->row_runs)),
	    .index = mem_calloc(s.n + 1, sizeof(*r->index)),
	    .groups = mem_calloc(CAPTURE_THREADS, sizeof(*r->groups))};
	for (uint32_t i = 0; i < CAPTURE_THREADS; i++)
		r->groups[i] = i;
	join_by_context(&s, r->groups);
	join_by_deps(&s, r->groups);
	join_by_waits(&s, r->groups);
	for (uint32_t i = 0; i < CAPTURE_THREADS; i++)
		r->groups[i] = group_of(r->groups, i);
	capture_shared_find(&r->shared, p, s.acts, s.n, r->groups);
	take_acts(r, &s);
	r->input.requests = r->requests;
	r->input.deps = r->deps;
	r->input.uses = r->uses;
	r->input.acts = r->acts;
	r->input.row_runs = r->row_runs;
	r->input.deps_are_complete = true;
	r->input.from_start = true;
}

void
capture_records_free(struct capture_records *r)
{
	free(r->requests);
	free(r->deps);
	free(r->uses);
	capture_shared_free(&r->shared);
	free(r->acts);
	free(r->row_runs);
	free(r->index);
	free(r->groups);
}
