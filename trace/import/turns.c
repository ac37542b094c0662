/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plays the turns that the GuC gave to queues on an engine, from when their jobs
 * were handed to it and when they ended (doc/model/guc.md "Places", "Quantum",
 * "Giving way"; doc/model/import.md "Time on the engine"). How long a job runs need
 * not be known for that: it runs in its turns until the trace says that it has
 * ended. A job that ends while another one has the turn shows that the quantum is
 * not right, or that the GuC had other rules.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "base/util.h"
#include "trace/import/import_private.h"

/* Queues that share an engine; with more nothing is played. */
#define MAX_QUEUES 64
/* Where a job can be interrupted: every so much of its own time. */
#define POINT_NS (100 * NSEC_PER_USEC)
/* One end of this many may be another job's than that which had the turn. */
#define ENDS_PER_MISS 100

/* Quanta that are tried: that of i915 (1 ms), others that people set, and Xe's. */
static const nsec quanta[] = {1000000, 5000000, 2000000, 10000000, 500000};

/* A job was handed over, or has ended. */
struct turn_event {
	nsec time;
	struct job *job;
	uint32_t entry; /* of the job */
	bool is_end;
};

/* A job as it is played. */
struct turn_job {
	struct job *job;
	struct turn_job *next; /* of the queue */
	nsec start, run;
};

struct turn_queue {
	const struct job_line *line;
	struct turn_job *first, **last;
	uint64_t place;
	nsec used; /* of the quantum, since it took the place */
};

struct guc_turns {
	struct turn_event *events;
	struct turn_job *jobs;
	size_t n_events, n_jobs;
	struct turn_queue queues[MAX_QUEUES];
	size_t n_queues;
	struct turn_queue *running;
	nsec at, put_at; /* when the running one was put on the engine */
	nsec quantum;
	uint64_t n_places, n_missed;
};

static int
band_of(const struct turn_queue *q)
{
	int priority = q->first->job->priority;

	if (priority == INFER_NO_PRIORITY)
		return 0;
	return (priority > 0) - (priority < 0);
}

/* Returns the queue that would be next, of those that wait. */
static struct turn_queue *
first_waiting(struct guc_turns *t)
{
	struct turn_queue *best = NULL;

	for (size_t i = 0; i < t->n_queues; i++) {
		struct turn_queue *q = &t->queues[i];

		if (q->first == NULL || q == t->running)
			continue;
		if (best == NULL || band_of(q) > band_of(best) ||
		    (band_of(q) == band_of(best) && q->place < best->place))
			best = q;
	}
	return best;
}

static void
put_on(struct guc_turns *t, struct turn_queue *q)
{
	t->running = q;
	t->put_at = t->at;
}

/* The running queue gives way, if it has to: at a point of its job, or between two. */
static void
give_way(struct guc_turns *t)
{
	struct turn_queue *q = t->running, *next = first_waiting(t);
	bool may = q->first->run == 0 ||
	    (q->first->run % POINT_NS == 0 && t->at > t->put_at);

	if (!may || next == NULL || band_of(next) < band_of(q))
		return;
	if (band_of(next) == band_of(q) && q->used < t->quantum)
		return;
	if (q->used >= t->quantum) {
		q->used = 0;
		q->place = t->n_places++;
	}
	put_on(t, next);
}

/* Returns how long the running queue goes on for certain: up to the next point of its
 * job if others wait. */
static nsec
until_point(struct guc_turns *t, nsec most)
{
	const struct turn_queue *q = t->running;
	nsec point = POINT_NS - q->first->run % POINT_NS;
	struct turn_queue *next = first_waiting(t);

	if (next == NULL || band_of(next) < band_of(q))
		return most;
	if (band_of(next) == band_of(q) && q->used + point < t->quantum)
		point += (t->quantum - q->used - 1) / POINT_NS * POINT_NS;
	return nsec_earlier(point, most);
}

/* Gives the engine to whom it is due now. */
static void
give_away(struct guc_turns *t)
{
	if (t->running != NULL && t->running->first == NULL)
		t->running = NULL;
	if (t->running != NULL)
		give_way(t);
	else if (first_waiting(t) != NULL)
		put_on(t, first_waiting(t));
}

/* Plays turns up to now. What is due at that very instant is left for later, as jobs
 * may end or come then. */
static void
play_to(struct guc_turns *t, nsec now)
{
	while (t->at < now) {
		struct turn_job *job;
		nsec span;

		give_away(t);
		if (t->running == NULL) {
			t->at = now;
			return;
		}
		span = until_point(t, now - t->at);
		job = t->running->first;
		if (job->start == NSEC_NEVER)
			job->start = t->at;
		job->run += span;
		t->running->used += span;
		t->at += span;
	}
}

/* Returns the queue of a line; NULL: there are too many. */
static struct turn_queue *
queue_of(struct guc_turns *t, const struct job_line *line)
{
	struct turn_queue *free_one = NULL;

	for (size_t i = 0; i < t->n_queues; i++) {
		if (t->queues[i].line == line)
			return &t->queues[i];
		if (t->queues[i].first == NULL && t->running != &t->queues[i])
			free_one = &t->queues[i];
	}
	if (free_one == NULL && t->n_queues < MAX_QUEUES)
		free_one = &t->queues[t->n_queues++];
	if (free_one == NULL)
		return NULL;
	*free_one = (struct turn_queue){.line = line};
	free_one->last = &free_one->first;
	return free_one;
}

static bool
hand_over(struct guc_turns *t, struct turn_job *job)
{
	struct turn_queue *q = queue_of(t, job->job->line);

	if (q == NULL)
		return false;
	/* A client submits after engines were given away at an instant. */
	if (job->job->added_ns >= t->at)
		give_away(t);
	if (q->first == NULL) {
		q->place = t->n_places++;
		q->used = 0;
	}
	*q->last = job;
	q->last = &job->next;
	return true;
}

static void
end_job(struct guc_turns *t, struct turn_job *job)
{
	struct turn_queue *q = queue_of(t, job->job->line);

	if (q == NULL || q->first != job) {
		t->n_missed++;
		return;
	}
	t->n_missed += q != t->running;
	if (job->start == NSEC_NEVER)
		job->start = t->at;
	q->first = job->next;
	if (q->first == NULL)
		q->last = &q->first;
}

/* Plays all with a quantum. False: more queues than can be played. */
static bool
play(struct guc_turns *t, nsec quantum)
{
	t->quantum = quantum;
	t->n_queues = 0;
	t->running = NULL;
	t->at = t->put_at = 0;
	t->n_places = t->n_missed = 0;
	for (size_t i = 0; i < t->n_jobs; i++) {
		t->jobs[i].next = NULL;
		t->jobs[i].start = NSEC_NEVER;
		t->jobs[i].run = 0;
	}
	for (size_t i = 0; i < t->n_events; i++) {
		const struct turn_event *e = &t->events[i];
		struct turn_job *job = &t->jobs[e->entry];

		play_to(t, e->time);
		if (e->is_end)
			end_job(t, job);
		else if (!hand_over(t, job))
			return false;
	}
	return true;
}

/* By time; at one instant first what ends, then what comes, in its order, then what
 * came and ended. */
static int
compare_turn_events(const void *a, const void *b)
{
	const struct turn_event *x = a, *y = b;
	int xs, ys;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	xs = !x->is_end ? 1 : x->job->in_ns == x->time ? 2 : 0;
	ys = !y->is_end ? 1 : y->job->in_ns == y->time ? 2 : 0;
	if (xs != ys)
		return xs - ys;
	return x->entry < y->entry ? -1 : x->entry > y->entry;
}

/* A job that was handed to the engine. */
static bool
is_played(const struct job *job, unsigned engine)
{
	return job->engine == engine && job->run_ns != NSEC_NEVER &&
	    job->same_as == NO_JOB;
}

static void
list_jobs(struct guc_turns *t, const struct import *im, unsigned engine)
{
	size_t n = 0;

	for (size_t i = 0; i < im->n_jobs; i++)
		n += is_played(im->jobs[i], engine);
	t->events = mem_calloc(2 * n + 1, sizeof(*t->events));
	t->jobs = mem_calloc(n + 1, sizeof(*t->jobs));
	for (size_t i = 0; i < im->n_jobs; i++) {
		struct job *job = im->jobs[i];
		uint32_t entry = (uint32_t)t->n_jobs;

		if (!is_played(job, engine))
			continue;
		t->jobs[t->n_jobs++] = (struct turn_job){.job = job};
		t->events[t->n_events++] = (struct turn_event){
		    job->in_ns, job, entry, false};
		if (job->ended)
			t->events[t->n_events++] = (struct turn_event){
			    job->end_ns, job, entry, true};
	}
	qsort(t->events, t->n_events, sizeof(*t->events), compare_turn_events);
}

/* Jobs have the times that were played. */
static void
keep_turns(struct guc_turns *t)
{
	for (size_t i = 0; i < t->n_jobs; i++) {
		struct job *job = t->jobs[i].job;

		if (!job->ended)
			continue;
		job->run_ns = t->jobs[i].run;
		job->start_ns = t->jobs[i].start;
		job->had_company = false;
	}
}

bool
guc_turns_settle(const struct import *im, unsigned engine)
{
	struct guc_turns t = {0};
	bool found = false;

	list_jobs(&t, im, engine);
	for (size_t i = 0; i < sizeof(quanta) / sizeof(*quanta) && !found;
	     i++) {
		found = t.n_jobs > 0 && play(&t, quanta[i]) &&
		    t.n_missed * ENDS_PER_MISS <= t.n_jobs;
	}
	if (found)
		keep_turns(&t);
	free(t.events);
	free(t.jobs);
	return found;
}
