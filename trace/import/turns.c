/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plays the turns that the GuC gave to queues on engines, from when their jobs
 * were handed to it and when they ended (doc/model/import.md "Time on the engine").
 * A job that ends while another one has the turn shows that the quantum is not
 * right, or that the GuC had other rules.
 */
#include "trace/import/turns.h"

#include <stdlib.h>

#include "base/util.h"

/* One end of this many may be another job's than that which had the turn. */
#define ENDS_PER_MISS 100
/* Looks at queues, one for each queue and engine between two changes, that all quanta
 * take together, and how many more for each job: some ten minutes of turns of 1 ms of
 * two queues even where jobs are few. Requests of a damaged trace may last for years. */
#define MAX_LOOKS     10000000
#define LOOKS_PER_JOB 10000

/* Quanta that are tried: that of i915 (1 ms), others that people set, and Xe's. */
static const nsec quanta[] = {1000000, 5000000, 2000000, 10000000, 500000};

/* The order of what happens at one instant (doc/model/guc.md "One instant"). */
enum turn_rank {
	ORDER_END,
	ORDER_WOKEN,      /* handed over, as a wait is over */
	ORDER_BEHIND,     /* the same, by the start of another job */
	ORDER_SUBMITTED,  /* a client submits */
	ORDER_END_AT_ONCE /* of what came at that instant */
};

/* A job was handed over, has ended, or was raised. */
struct turn_event {
	nsec time;
	uint32_t entry; /* of the job */
	uint32_t by;    /* index of the job that ended, came or was submitted */
	uint8_t order;  /* enum turn_rank */
	bool is_end;
	int8_t raised_to; /* -1: it was not raised */
};

static int
compare_turn_events(const void *a, const void *b)
{
	const struct turn_event *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	if (x->order != y->order)
		return (int)x->order - (int)y->order;
	if (x->by != y->by)
		return x->by < y->by ? -1 : 1;
	if (x->raised_to != y->raised_to)
		return (int)y->raised_to - (int)x->raised_to;
	return x->entry < y->entry ? -1 : x->entry > y->entry;
}

/* A job that was handed to the GuC for one of the engines. */
static bool
is_played(const struct guc_turns *t, const struct job *job)
{
	return job->same_as == NO_JOB && job->line->device == t->device &&
	    turns_handed_ns(job) != NSEC_NEVER &&
	    (!job->ended || job->run_ns != NSEC_NEVER) &&
	    (turns_allowed(t->im, job) & t->allowed) != 0;
}

static bool
job_waits_for_start(const struct import *im, const struct job *job)
{
	for (uint32_t d = job->first_dep; d != NO_JOB; d = im->deps[d].next)
		if (im->deps[d].kind == INFER_SUBMIT)
			return true;
	return false;
}

/* The hand-over of a queue's last job: that of the next one is not before it. */
struct last_handed {
	nsec time;
	enum turn_rank order;
};

static enum turn_rank
order_of_hand_over(
    const struct import *im, const struct job *job, struct last_handed *last)
{
	nsec handed = turns_handed_ns(job);
	enum turn_rank order = job->added_ns >= handed ? ORDER_SUBMITTED
	    : job_waits_for_start(im, job)             ? ORDER_BEHIND
						       : ORDER_WOKEN;

	if (last->time == handed && last->order > order)
		order = last->order;
	*last = (struct last_handed){handed, order};
	return order;
}

static void
add_event(struct guc_turns *t, struct turn_event e)
{
	e.entry = (uint32_t)t->n_jobs - 1;
	t->events[t->n_events++] = e;
}

/* Lists what happens to the job that was added last. */
static void
list_events(struct guc_turns *t, struct last_handed *last)
{
	const struct job *job = t->jobs[t->n_jobs - 1].job;
	const struct turn_bands *bands = &t->bands[job->index];
	nsec handed = turns_handed_ns(job);

	add_event(t,
	    (struct turn_event){.time = handed,
		.by = job->index,
		.order = (uint8_t)order_of_hand_over(t->im, job, last),
		.raised_to = -1});
	if (job->ended)
		add_event(t,
		    (struct turn_event){.time = job->end_ns,
			.by = job->index,
			.order = handed == job->end_ns ? ORDER_END_AT_ONCE
						       : ORDER_END,
			.is_end = true,
			.raised_to = -1});
	for (int8_t b = 0; b < TURN_BANDS; b++)
		if (b > bands->own && bands->since_ns[b] != NSEC_NEVER)
			add_event(t,
			    (struct turn_event){.time = bands->since_ns[b],
				.by = bands->by[b],
				.order = ORDER_SUBMITTED,
				.raised_to = b});
}

static void
list_jobs(struct guc_turns *t)
{
	struct last_handed *last = mem_calloc(
	    t->im->n_lines + 1, sizeof(*last));
	size_t n = 0;

	for (size_t i = 0; i < t->im->n_jobs; i++)
		n += is_played(t, t->im->jobs[i]);
	t->events = mem_calloc((2 + TURN_BANDS) * n + 1, sizeof(*t->events));
	t->jobs = mem_calloc(n + 1, sizeof(*t->jobs));
	for (size_t i = 0; i < t->im->n_jobs; i++) {
		struct job *job = t->im->jobs[i];

		if (!is_played(t, job))
			continue;
		t->jobs[t->n_jobs++] = (struct turn_job){.job = job};
		list_events(t, &last[job->line->index]);
	}
	qsort(t->events, t->n_events, sizeof(*t->events), compare_turn_events);
	free(last);
}

/* True if the event before has the same submission, or belongs to the same instant
 * without one. */
static bool
goes_with_last(const struct guc_turns *t, size_t i)
{
	const struct turn_event *e = &t->events[i];

	if (e->order <= ORDER_WOKEN)
		return true;
	return i > 0 && e[-1].time == e->time && e[-1].order == e->order &&
	    (e->order != ORDER_SUBMITTED || e[-1].by == e->by);
}

static bool
play_event(struct guc_turns *t, size_t i)
{
	const struct turn_event *e = &t->events[i];
	struct turn_job *job = &t->jobs[e->entry];
	bool last_raised = e->raised_to >= 0 &&
	    (i + 1 == t->n_events || e[1].raised_to < 0 ||
		!goes_with_last(t, i + 1));

	if (!turns_play_to(t, e->time))
		return false;
	/* A client submits after engines were given away at an instant. */
	if (!goes_with_last(t, i))
		turns_share_out(t);
	if (e->raised_to >= 0)
		turns_raise(t, job, e->raised_to);
	else if (e->is_end)
		turns_end(t, job);
	else if (!turns_hand_over(t, job))
		return false;
	if (last_raised)
		turns_move_raised(t);
	return true;
}

/* Plays all with a quantum. False: more queues than can be played, or too many looks. */
static bool
play_turns(struct guc_turns *t, nsec quantum)
{
	turns_begin(t, quantum);
	for (size_t i = 0; i < t->n_events; i++)
		if (!play_event(t, i))
			return false;
	return true;
}

/* Jobs have the times that were played. */
static void
keep_turns(struct guc_turns *t)
{
	for (size_t i = 0; i < t->n_jobs; i++) {
		struct job *job = t->jobs[i].job;

		if (!job->ended)
			continue;
		if (t->jobs[i].engine != NO_ENGINE)
			job->engine = t->jobs[i].engine;
		job->run_ns = t->jobs[i].run;
		job->start_ns = t->jobs[i].start;
		job->had_company = false;
	}
}

/* Plays the turns on engines that are shared; where the trace does not agree with
 * any quantum, all is as it was. */
static void
settle_engines(const struct import *im, const struct turn_bands *bands,
    uint8_t device, uint64_t engines, uint64_t *looks_left)
{
	struct guc_turns t = {.im = im,
	    .bands = bands,
	    .device = device,
	    .allowed = engines,
	    .looks_left = looks_left};
	uint64_t least = UINT64_MAX;
	nsec best = 0;

	list_jobs(&t);
	for (size_t i = 0; i < sizeof(quanta) / sizeof(*quanta); i++) {
		if (t.n_jobs == 0 || least == 0 || !play_turns(&t, quanta[i]) ||
		    t.n_missed >= least)
			continue;
		least = t.n_missed;
		best = quanta[i];
	}
	if (best > 0 && least * ENDS_PER_MISS <= t.n_jobs &&
	    play_turns(&t, best))
		keep_turns(&t);
	free(t.events);
	free(t.jobs);
}

/* Adds to a set of engines those that a queue may have beside any of them. */
static uint64_t
add_shared(const struct import *im, uint8_t device, uint64_t engines)
{
	for (size_t i = 0; i < im->n_jobs; i++) {
		uint64_t set = im->jobs[i]->same_as == NO_JOB &&
			im->jobs[i]->line->device == device
		    ? turns_allowed(im, im->jobs[i])
		    : 0;

		if ((set & engines) != 0)
			engines |= set;
	}
	return engines;
}

void
guc_turns_settle(const struct import *im)
{
	struct turn_bands *bands = turns_find_bands(im);
	uint64_t looks = MAX_LOOKS + LOOKS_PER_JOB * (uint64_t)im->n_jobs;

	for (uint8_t d = 0; d < im->n_devices; d++) {
		uint64_t left = im->devices[d]->known_engines;

		while (left != 0) {
			uint64_t engines = add_shared(im, d, left & -left);

			settle_engines(im, bands, d, engines, &looks);
			left &= ~engines;
		}
	}
	free(bands);
}
