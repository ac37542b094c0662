/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whose an engine was, from when jobs were handed to it and when they left it
 * (doc/model/import.md "Time on the engine"). Time that has passed while jobs were
 * on the engine is kept in spans until one of them leaves it: the one that was
 * handed over first has all of it; one that overtook others has the part since it
 * came, all of that if it has a higher priority, else an equal share.
 */
#include <stdlib.h>
#include <string.h>

#include "trace/import/import_private.h"

/* Jobs on an engine at most: more have no end in the trace. */
#define MAX_ON_ENGINE 4096
/* Jobs of these that share it. */
#define MAX_SHARERS 64

static struct engine_jobs *
jobs_on(struct import *im, const struct job *job)
{
	return &im->devices[job->line->device]->engines[job->engine];
}

/* True if a job at that place is the first of its queue. */
static bool
leads(const struct engine_jobs *e, size_t place)
{
	for (size_t i = 0; i < place; i++)
		if (e->jobs[i]->line == e->jobs[place]->line)
			return false;
	return true;
}

/* Gives each queue's first job an equal share, of those with the highest
 * priority. */
static void
share_in_turns(struct engine_jobs *e, nsec time)
{
	size_t n = e->n < MAX_SHARERS ? e->n : MAX_SHARERS, n_turns = 0;
	size_t turns[MAX_SHARERS];
	int priority = INT16_MIN;

	for (size_t i = 0; i < n; i++) {
		if (e->jobs[i]->priority < priority || !leads(e, i))
			continue;
		if (e->jobs[i]->priority > priority)
			n_turns = 0;
		priority = e->jobs[i]->priority;
		turns[n_turns++] = i;
	}
	for (size_t i = 0; i < n_turns; i++)
		e->jobs[turns[i]]->shared_ns += time / n_turns;
}

/* Lets the last span go on to now. */
static void
advance(struct engine_jobs *e, nsec now)
{
	if (e->n > 0 && now > e->at)
		share_in_turns(e, now - e->at);
	if (e->n > 0 && e->n_spans > 0 && now > e->at)
		e->spans[e->n_spans - 1].left_ns += now - e->at;
	e->at = nsec_later(e->at, now);
}

static void
begin_span(struct engine_jobs *e)
{
	struct engine_span *last = e->n_spans > 0 ? &e->spans[e->n_spans - 1]
						  : NULL;

	if (last != NULL && last->left_ns == 0) {
		last->from_ns = e->at;
		return;
	}
	e->spans = mem_grow(
	    e->spans, e->n_spans, &e->cap_spans, sizeof(*e->spans));
	e->spans[e->n_spans++] = (struct engine_span){.from_ns = e->at};
}

static void
drop_oldest_job(struct engine_jobs *e)
{
	e->jobs[0]->on_engine = false;
	memmove(e->jobs, e->jobs + 1, --e->n * sizeof(struct job *));
}

/* Notes which jobs may have shared the engine: those of different queues. */
static void
note_company(const struct engine_jobs *e, struct job *job)
{
	for (size_t i = 0; i < e->n; i++) {
		if (e->jobs[i]->line == job->line) {
			job->had_company |= e->jobs[i]->had_company;
			continue;
		}
		e->jobs[i]->had_company = true;
		job->had_company = true;
	}
}

void
on_engine_in(struct import *im, struct job *job, nsec now)
{
	struct engine_jobs *e = jobs_on(im, job);

	if (job->on_engine)
		return;
	advance(e, now);
	if (e->n == 0)
		e->n_spans = 0;
	if (e->n == MAX_ON_ENGINE)
		drop_oldest_job(e);
	note_company(e, job);
	e->jobs = mem_grow(e->jobs, e->n, &e->cap, sizeof(struct job *));
	e->jobs[e->n++] = job;
	begin_span(e);
	job->on_engine = true;
	/* Until it has time, this is when it was handed over last. */
	if (job->start_ns == NSEC_NEVER)
		job->start_ns = e->at;
	if (job->run_ns == NSEC_NEVER)
		job->run_ns = 0;
	job->in_ns = e->at;
}

static size_t
place_on(const struct engine_jobs *e, const struct job *job)
{
	size_t i = 0;

	while (i < e->n && e->jobs[i] != job)
		i++;
	return i;
}

/* Number of queues whose jobs are before that place, its own one included. */
static uint32_t
count_sharers(const struct engine_jobs *e, size_t place)
{
	uint32_t n = 1;

	for (size_t i = 0; i < place && i < MAX_SHARERS; i++) {
		bool again = e->jobs[i]->line == e->jobs[place]->line;

		for (size_t k = 0; k < i && !again; k++)
			again = e->jobs[k]->line == e->jobs[i]->line;
		n += !again;
	}
	return n;
}

static bool
is_above_all(const struct engine_jobs *e, size_t place)
{
	for (size_t i = 0; i < place; i++)
		if (e->jobs[i]->priority >= e->jobs[place]->priority)
			return false;
	return true;
}

/* Gives a job a share of the spans that began at from or later. */
static void
give_spans(struct engine_jobs *e, struct job *job, nsec from, uint32_t sharers)
{
	size_t kept = 0;
	bool first = job->run_ns == 0;

	for (size_t i = 0; i < e->n_spans; i++) {
		struct engine_span s = e->spans[i];
		nsec part = s.from_ns >= from ? s.left_ns / sharers : 0;

		if (part > 0 && first) {
			job->start_ns = s.from_ns;
			first = false;
		}
		job->run_ns += part;
		s.left_ns -= part;
		if (s.left_ns > 0)
			e->spans[kept++] = s;
	}
	e->n_spans = kept;
}

/* Jobs of the same queue that were handed over before one that ended have ended
 * with it, and share its time: i915 tells of the last of such a run only. */
static void
end_those_before(struct engine_jobs *e, struct job *job, nsec now)
{
	size_t n = 0, kept = 0, place = place_on(e, job);
	nsec run = job->run_ns, at;

	for (size_t i = 0; i < place; i++)
		n += e->jobs[i]->line == job->line;
	if (n == 0)
		return;
	at = job->start_ns;
	for (size_t i = 0; i < e->n; i++) {
		struct job *other = e->jobs[i];

		if (other->line != job->line || other == job ||
		    other->seqno > job->seqno) {
			e->jobs[kept++] = other;
			continue;
		}
		other->start_ns = at;
		other->run_ns += run / (n + 1);
		at += run / (n + 1);
		other->on_engine = false;
		other->ended = true;
		other->end_ns = nsec_earlier(at, now);
	}
	e->n = kept;
	job->start_ns = nsec_earlier(at, now);
	job->run_ns = run - run / (n + 1) * n;
}

void
on_engine_out(struct import *im, struct job *job, nsec now, bool ended)
{
	struct engine_jobs *e = jobs_on(im, job);
	size_t place = place_on(e, job);
	bool is_first;

	advance(e, now);
	if (place == e->n)
		return;
	/* Jobs of the same queue are in its order. */
	is_first = true;
	for (size_t i = 0; i < place; i++)
		is_first = is_first && e->jobs[i]->line == job->line;
	if (is_first)
		give_spans(e, job, 0, 1);
	else if (ended)
		give_spans(e, job, job->in_ns,
		    is_above_all(e, place) ? 1 : count_sharers(e, place));
	if (ended)
		end_those_before(e, job, now);
	place = place_on(e, job);
	memmove(&e->jobs[place], &e->jobs[place + 1],
	    (--e->n - place) * sizeof(struct job *));
	job->on_engine = false;
	if (e->n > 0)
		begin_span(e);
}

static void
clear_engines(struct job_device *device)
{
	for (size_t i = 0; i < N_CLASSES * INFER_MAX_INSTANCES; i++) {
		struct engine_jobs *e = &device->engines[i];

		for (size_t k = 0; k < e->n; k++)
			e->jobs[k]->on_engine = false;
		e->n = e->n_spans = 0;
		e->at = 0;
	}
}

void
on_engine_clear(struct import *im)
{
	for (uint8_t d = 0; d < im->n_devices; d++)
		clear_engines(im->devices[d]);
}

static void
add_durations(struct job *job)
{
	struct job_line *line = job->line;
	double run = (double)job->run_ns / 1e3;
	double shared = (double)job->shared_ns / 1e3;

	line->n_jobs++;
	line->run += run;
	line->run_squares += run * run;
	line->shared += shared;
	line->shared_squares += shared * shared;
}

static double
variance_of(double sum, double squares, double n)
{
	return n > 0 ? squares - sum * sum / n : 0;
}

/* Takes equal shares where durations of a queue vary less with them. */
static void
settle_shares(struct import *im)
{
	double apart = 0, shared = 0;

	for (size_t i = 0; i < im->n_jobs; i++)
		if (im->jobs[i]->ended && im->jobs[i]->run_ns != NSEC_NEVER)
			add_durations(im->jobs[i]);
	for (size_t i = 0; i < im->n_lines; i++) {
		struct job_line *l = im->lines[i];

		apart += variance_of(l->run, l->run_squares, l->n_jobs);
		shared += variance_of(l->shared, l->shared_squares, l->n_jobs);
		l->n_jobs = 0;
	}
	for (size_t i = 0; i < im->n_jobs && shared < apart; i++)
		if (im->jobs[i]->run_ns != NSEC_NEVER)
			im->jobs[i]->run_ns = im->jobs[i]->shared_ns;
}

void
on_engine_settle(struct import *im)
{
	if (!im->any_in || im->any_out)
		return;
	settle_shares(im);
	guc_turns_settle(im);
}
