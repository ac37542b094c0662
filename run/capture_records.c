/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From the log of a process to the records that descriptors are inferred from.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "run/capture_private.h"

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
take_deps(struct capture_records *r, const struct capture_span *s,
    const struct capture_act *act, struct infer_request *to)
{
	for (unsigned k = 0; k < act->n_deps; k++) {
		const struct capture_dep *dep = &capture_deps_of(s, act)[k];
		uint32_t shared = capture_shared_number(
		    &r->shared, dep->object);

		if (dep->kind >= CAPTURED_READ) {
			if (shared == 0)
				continue;
			r->uses[r->input.n_uses++] = (struct infer_use){
			    shared, dep->kind == CAPTURED_WRITE};
			to->n_uses++;
		} else if (shared == 0 && capture_act_at(s, dep->act) != NULL) {
			r->deps[r->input.n_deps++] = (struct infer_dep){
			    .request = r->index[dep->act - s->first],
			    .kind = dep->kind};
			to->n_deps++;
		}
	}
}

static void
take_submission(struct capture_records *r, const struct capture_span *s,
    const struct capture_act *act, struct infer_request *to)
{
	*to = (struct infer_request){
	    .client = r->groups[act->thread],
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
	r->media[to - r->requests] = (struct capture_media){
	    act->decoded, act->coded, act->estimated};
	take_deps(r, s, act, to);
	for (unsigned k = 1; k < act->slot->setup.n_rows && k < INFER_MAX_ROWS;
	     k++)
		r->row_runs[r->input.n_row_runs++] = act->row_runs[k - 1];
}

/* The act that made the last of the fences that are signalled; CAPTURE_NONE: it
 * is not in the log. */
static uint64_t
fence_signalled_by(const struct capture_span *s,
    const struct capture_act *signal, uint64_t number)
{
	while (number-- > s->first) {
		const struct capture_act *act = capture_act_at(s, number);

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
take_other(struct capture_records *r, const struct capture_span *s, size_t i,
    struct infer_act *to)
{
	const struct capture_act *act = &s->acts[i];
	struct capture_span near = *s;
	uint64_t target = act->target;

	*to = (struct infer_act){.client = r->groups[act->thread],
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
	if (target == CAPTURE_NONE || capture_act_at(s, target) == NULL)
		return false;
	to->request = r->index[target - s->first];
	return true;
}

/* An act is for the request that its thread submits next; a wait for a request of
 * another thread, for the next one of their group. */
static void
set_next(struct capture_records *r, const struct capture_span *s)
{
	uint32_t next[CAPTURE_THREADS], of_group[CAPTURE_THREADS];
	size_t at = r->input.n_acts;

	for (unsigned i = 0; i < CAPTURE_THREADS; i++)
		next[i] = of_group[i] = (uint32_t)r->input.n_requests + 1;
	for (size_t i = s->n; i-- > 0;) {
		const struct capture_act *act = &s->acts[i];
		uint32_t group = r->groups[act->thread];

		if (act->kind == CAPTURED_SUBMIT)
			next[act->thread] = of_group[group] = r->index[i] + 1;
		else if (r->index[i] != UINT32_MAX)
			r->acts[--at].next = capture_waits_for_other(s, act)
			    ? of_group[group]
			    : next[act->thread];
	}
}

size_t
capture_acts_of_questions(const struct capture_process *p)
{
	size_t behind = 0;

	for (size_t i = 0; p->first == 0 && i < p->n; i++) {
		const struct capture_act *act = &p->acts[i];

		if (act->kind != CAPTURED_SUBMIT)
			continue;
		if (!act->empty || act->n_deps > 0)
			return behind;
		behind = i + 1;
	}
	return 0;
}

/* Counts the submissions of each group of threads that are not among the acts. */
static void
count_earlier(const struct capture_records *r, const struct capture_span *s,
    uint64_t earlier[CAPTURE_THREADS])
{
	const struct capture_process *p = s->p;

	for (uint32_t i = 0; i < CAPTURE_THREADS; i++)
		earlier[r->groups[i]] += p->dropped[i];
	for (const struct capture_act *act =
		 p->acts + capture_acts_of_questions(p);
	     act < s->acts; act++)
		if (act->kind == CAPTURED_SUBMIT)
			earlier[r->groups[act->thread]]++;
}

static void
take_acts(struct capture_records *r, const struct capture_span *s)
{
	uint64_t earlier[CAPTURE_THREADS] = {0};

	count_earlier(r, s, earlier);
	for (size_t i = 0; i < s->n; i++) {
		const struct capture_act *act = &s->acts[i];

		r->index[i] = UINT32_MAX;
		if (act->kind == CAPTURED_SUBMIT) {
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
	size_t questions = capture_acts_of_questions(p);
	size_t skip = p->n > max_acts ? p->n - max_acts : 0;
	struct capture_span s = {.p = p};

	if (skip < questions)
		skip = questions;
	s.acts = p->acts + skip;
	s.n = p->n - skip;
	s.first = p->first + skip;
	*r = (struct capture_records){
	    .requests = mem_calloc(s.n + 1, sizeof(*r->requests)),
	    .media = mem_calloc(s.n + 1, sizeof(*r->media)),
	    .deps = mem_calloc(p->n_deps + 1, sizeof(*r->deps)),
	    .uses = mem_calloc(p->n_deps + 1, sizeof(*r->uses)),
	    .acts = mem_calloc(s.n + 1, sizeof(*r->acts)),
	    .row_runs = mem_calloc(
		s.n + 1, (INFER_MAX_ROWS - 1) * sizeof(*r->row_runs)),
	    .index = mem_calloc(s.n + 1, sizeof(*r->index)),
	    .groups = mem_calloc(CAPTURE_THREADS, sizeof(*r->groups))};
	capture_groups_find(&s, r->groups);
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
	free(r->media);
	free(r->deps);
	free(r->uses);
	capture_shared_free(&r->shared);
	free(r->acts);
	free(r->row_runs);
	free(r->index);
	free(r->groups);
}
