/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Jobs as trace/infer takes requests: which of them count, in which contexts
 * their queues are, what they depend on, and which waits their clients made
 * (doc/model/import.md "Contexts", "Dependencies").
 */
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "trace/import/import_private.h"

static void
end_retired(struct import *im, struct job *job)
{
	if (job->ended || job->retired_ns == NSEC_NEVER)
		return;
	job->ended = true;
	job->end_ns = job->retired_ns;
	im->counts.n_retired++;
}

static bool
is_outside(const struct import *im, const struct job *job)
{
	return job->added_ns < im->options.from_ns ||
	    job->added_ns >= im->options.to_ns;
}

static bool
is_wanted_client(const struct import *im, const struct job_client *c)
{
	struct text name = {0};
	bool wanted;

	if (!im->has_regex)
		return true;
	text_addf(&name, "%s-%lld", c->comm, (long long)c->pid);
	wanted = regexec(&im->clients_regex, c->comm, 0, NULL, 0) == 0 ||
	    regexec(&im->clients_regex, text_str(&name), 0, NULL, 0) == 0;
	text_free(&name);
	return wanted;
}

/* The part of the trace that most jobs are of. */
static uint32_t
main_part(const struct import *im)
{
	uint32_t *n = mem_calloc(im->part + 1, sizeof(*n)), best = 0;

	for (size_t i = 0; i < im->n_jobs; i++)
		n[im->jobs[i]->part] += im->jobs[i]->ended;
	for (uint32_t i = 1; i <= im->part; i++)
		if (n[i] > n[best])
			best = i;
	free(n);
	return best;
}

/* Latest time of a job, ns: 100 years, where no clock of a trace is. */
#define LATEST_NS (36525ull * 24 * 3600 * NSEC_PER_SEC)

/* True for times that no job has: a fence that was used again may end a job before
 * its submission. */
static bool
is_impossible(const struct job *job)
{
	return job->added_ns != NSEC_NEVER &&
	    (job->added_ns > LATEST_NS ||
		(job->ended &&
		    (job->end_ns > LATEST_NS || job->end_ns < job->added_ns)));
}

/* True if a job without an end was waiting or running at the end of the trace: its
 * place among the client's jobs counts (doc/model/import.md "Requests"). A trace may
 * have submissions before and behind the time of which it has ends. */
static bool
was_in_flight(const struct import *im, const struct job *job)
{
	return !job->ended && job->line->client->has_ended &&
	    job->added_ns >= im->ends_from_ns &&
	    job->added_ns <= im->ends_to_ns &&
	    (job->engine != NO_ENGINE || homes_engines(job->line) != 0);
}

static bool
may_count(struct import *im, const struct job *job, uint32_t part)
{
	struct import_counts *c = &im->counts;

	if (!im->from_table && job->part != part) {
		c->n_other_part++;
	} else if (job->same_as != NO_JOB || job->added_ns == NSEC_NEVER ||
	    job->line->client == NULL) {
		return false;
	} else if (is_impossible(job)) {
		c->n_impossible++;
	} else if (job->line->client->is_kernel) {
		c->n_kernel++;
	} else if (job->ended ? job->engine == NO_ENGINE
			      : !was_in_flight(im, job)) {
		c->n_incomplete++;
	} else if (im->wanted_device != 0 &&
	    job->line->device != im->wanted_device) {
		c->n_other_device++;
	} else if (is_outside(im, job)) {
		c->n_outside++;
	} else if (!is_wanted_client(im, job->line->client)) {
		c->n_unwanted++;
	} else {
		return true;
	}
	return false;
}

static void
end_jobs(struct import *im, uint32_t part)
{
	im->ends_from_ns = NSEC_NEVER;
	for (size_t i = 0; i < im->n_jobs; i++) {
		struct job *job = im->jobs[i];

		end_retired(im, job);
		if (!job->ended || job->engine == NO_ENGINE ||
		    is_impossible(job))
			continue;
		job->line->engines |= 1ull << job->engine;
		if (job->line->client == NULL || job->line->client->is_kernel ||
		    (!im->from_table && job->part != part))
			continue;
		job->line->client->has_ended = true;
		im->ends_from_ns = nsec_earlier(
		    im->ends_from_ns, job->added_ns);
		im->ends_to_ns = nsec_later(im->ends_to_ns, job->end_ns);
	}
}

static void
choose_jobs(struct import *im)
{
	uint32_t part = main_part(im);

	im->main_part = part;
	end_jobs(im, part);
	for (size_t i = 0; i < im->n_jobs; i++)
		im->jobs[i]->is_spare = !may_count(im, im->jobs[i], part);
	devices_number(im);
	for (size_t i = 0; i < im->n_jobs; i++) {
		struct job *job = im->jobs[i];

		if (job->is_spare)
			continue;
		job->is_open = !job->ended;
		im->counts.n_open += job->is_open;
		job->record = (uint32_t)im->n_requests++;
		job->line->n_jobs++;
		job->line->client->is_used = true;
	}
}

static void
make_request(const struct import *im, struct job *job)
{
	const struct job_line *line = job->line;

	homes_take_engine(job);
	im->requests[job->record] = (struct infer_request){
	    .client = line->client->index,
	    .class = (uint8_t)(job->engine / INFER_MAX_INSTANCES),
	    .instance = (uint8_t)(job->engine % INFER_MAX_INSTANCES + 1),
	    .queued_ns = job->added_ns,
	    .ready_ns = job->ready_ns,
	    .start_ns = job->start_ns,
	    .end_ns = job->end_ns,
	    .run_ns = job->is_open ? NSEC_NEVER : job->run_ns,
	    .priority = job->priority,
	    .origin = job->origin,
	    .unfinished = job->is_open,
	    /* Nothing tells when it left the engine for another one. */
	    .is_doubtful = job->had_company && im->any_in && !im->any_out,
	};
	homes_place(im, job, &im->requests[job->record]);
}

/* The job that counts for one. */
static const struct job *
root_of(const struct import *im, const struct job *job)
{
	return job->same_as != NO_JOB ? im->jobs[job->same_as] : job;
}

/* Moves the dependencies of jobs that are told of twice to the one that
 * counts. */
static void
move_deps(struct import *im)
{
	for (size_t i = 0; i < im->n_jobs; i++) {
		struct job *job = im->jobs[i], *root;
		uint32_t last = job->first_dep;

		if (job->same_as == NO_JOB || last == NO_JOB)
			continue;
		while (im->deps[last].next != NO_JOB)
			last = im->deps[last].next;
		root = im->jobs[job->same_as];
		im->deps[last].next = root->first_dep;
		root->first_dep = job->first_dep;
		job->first_dep = NO_JOB;
	}
}

static bool
has_made_dep(
    const struct import *im, const struct infer_request *r, uint32_t on)
{
	for (uint32_t i = 0; i < r->n_deps; i++)
		if (im->infer_deps[r->first_dep + i].request == on)
			return true;
	return false;
}

static void
make_deps(struct import *im, const struct job *job)
{
	struct infer_request *r = &im->requests[job->record];

	r->first_dep = (uint32_t)im->n_infer_deps;
	for (uint32_t d = job->first_dep; d != NO_JOB; d = im->deps[d].next) {
		const struct job *on = root_of(im, im->jobs[im->deps[d].on]);

		if (on->is_spare || on == job || on->line == job->line ||
		    r->n_deps >= 64 || has_made_dep(im, r, on->record))
			continue;
		im->infer_deps = mem_grow(im->infer_deps, im->n_infer_deps,
		    &im->cap_infer_deps, sizeof(*im->infer_deps));
		im->infer_deps[im->n_infer_deps++] = (struct infer_dep){
		    .request = on->record, .kind = im->deps[d].kind};
		r->n_deps++;
	}
}

static void
make_acts(struct import *im)
{
	im->acts = mem_calloc(im->n_waits + 1, sizeof(*im->acts));
	for (size_t i = 0; i < im->n_waits; i++) {
		const struct job_wait *w = &im->waits[i];
		const struct job *job = root_of(im, im->jobs[w->job]);

		if (job->is_spare || w->to_ns > LATEST_NS ||
		    w->to_ns < w->from_ns)
			continue;
		im->acts[im->n_acts++] = (struct infer_act){
		    .client = job->line->client->index,
		    .request = job->record,
		    .from_ns = w->from_ns,
		    .to_ns = w->to_ns,
		    .kind = INFER_WAIT};
	}
}

static int
compare_marks(const void *a, const void *b)
{
	const nsec *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void
choose_marks(struct import *im)
{
	im->mark_times = mem_calloc(im->n_marks + 1, sizeof(nsec));
	for (size_t i = 0; i < im->n_marks; i++)
		if (im->marks[i].part == im->main_part)
			im->mark_times[im->n_mark_times++] = im->marks[i].time;
	qsort(im->mark_times, im->n_mark_times, sizeof(nsec), compare_marks);
}

void
records_make(struct import *im)
{
	move_deps(im);
	on_engine_settle(im);
	choose_jobs(im);
	homes_settle(im);
	semaphores_settle(im);
	ties_order_clients(im);
	homes_place_lines(im);
	im->requests = mem_calloc(im->n_requests + 1, sizeof(*im->requests));
	for (size_t i = 0; i < im->n_jobs; i++)
		if (!im->jobs[i]->is_spare)
			make_request(im, im->jobs[i]);
	for (size_t i = 0; i < im->n_jobs; i++)
		if (!im->jobs[i]->is_spare)
			make_deps(im, im->jobs[i]);
	make_acts(im);
	choose_marks(im);
}
