/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Queues that take turns on engines, by the rules of the GuC (doc/model/guc.md
 * "Places", "Quantum", "Giving way", "Choice of an engine", "One instant"). How long
 * a job runs need not be known: it has the turns of its queue until it is ended.
 */
#include "trace/import/turns.h"

/* Where a job can be interrupted: every so much of its own time. */
#define POINT_NS (100 * NSEC_PER_USEC)

void
turns_begin(struct guc_turns *t, nsec quantum)
{
	t->quantum = quantum;
	t->n_queues = t->n_engines = 0;
	t->at = 0;
	t->n_places = t->n_missed = 0;
	for (uint8_t i = 0; i < TURN_ENGINES; i++)
		if ((t->allowed >> i & 1) != 0)
			t->engines[t->n_engines++] = (struct turn_engine){
			    .number = i};
	for (size_t i = 0; i < t->n_jobs; i++) {
		struct turn_job *job = &t->jobs[i];

		job->next = NULL;
		job->start = NSEC_NEVER;
		job->run = 0;
		job->band = t->bands[job->job->index].own;
		job->first_engine = job->engine = NO_ENGINE;
	}
}

static bool
turn_is_due(const struct turn_queue *q)
{
	return q->first != NULL && q->on == NULL;
}

static void
take_new_place(struct guc_turns *t, struct turn_queue *q)
{
	q->place = t->n_places++;
	q->used = 0;
}

/* The owner of an engine begins its next job, or goes on with one. */
static void
start_job(struct guc_turns *t, struct turn_engine *e)
{
	struct turn_job *job = e->owner->first;

	e->between = false;
	e->put_at = t->at;
	job->engine = e->number;
	if (job->start != NSEC_NEVER)
		return;
	job->start = t->at;
	job->first_engine = e->number;
}

static void
leave_turn(struct guc_turns *t, struct turn_queue *q)
{
	q->on->owner = NULL;
	q->on->between = false;
	q->on = NULL;
	if (q->first != NULL && q->used >= t->quantum)
		take_new_place(t, q);
}

static void
enter_engine(struct guc_turns *t, struct turn_queue *q, struct turn_engine *e)
{
	if (e->owner != NULL) {
		e->owner->off_at = t->at;
		leave_turn(t, e->owner);
	}
	e->owner = q;
	q->on = e;
	q->last_engine = e->number;
	start_job(t, e);
}

/* True if the owner of an engine gives way to that queue now: between two of its
 * jobs, or at a point of one. */
static bool
turn_gives_way(const struct guc_turns *t, const struct turn_engine *e,
    const struct turn_queue *to)
{
	const struct turn_job *job = e->owner->first;

	if (to->first->band < job->band)
		return false;
	if (to->first->band == job->band &&
	    (e->owner->used < t->quantum || to->off_at == t->at))
		return false;
	return e->between || (job->run % POINT_NS == 0 && t->at > e->put_at);
}

/* Returns the engine for a waiting queue: the free one that it was on last, else the
 * first free one, else likewise of those that give way; NULL: none. */
static struct turn_engine *
choose_engine_of_turn(struct guc_turns *t, const struct turn_queue *q)
{
	struct turn_engine *found = NULL;
	bool free_one = false;

	for (size_t i = 0; i < t->n_engines; i++) {
		struct turn_engine *e = &t->engines[i];
		bool is_free = e->owner == NULL;

		if ((q->allowed >> e->number & 1) == 0 ||
		    (!is_free && (free_one || !turn_gives_way(t, e, q))))
			continue;
		if (found == NULL || (is_free && !free_one) ||
		    e->number == q->last_engine)
			found = e;
		free_one |= is_free;
	}
	return found;
}

/* Gives an engine to the first waiting queue that can have one; false: none can. */
static bool
give_one_away(struct guc_turns *t)
{
	struct turn_queue *best = NULL;
	struct turn_engine *engine = NULL;

	for (size_t i = 0; i < t->n_queues; i++) {
		struct turn_queue *q = &t->queues[i];
		struct turn_engine *e;

		if (!turn_is_due(q) ||
		    (best != NULL &&
			(q->first->band < best->first->band ||
			    (q->first->band == best->first->band &&
				q->place > best->place))))
			continue;
		e = choose_engine_of_turn(t, q);
		if (e == NULL)
			continue;
		best = q;
		engine = e;
	}
	if (best != NULL)
		enter_engine(t, best, engine);
	return best != NULL;
}

void
turns_share_out(struct guc_turns *t)
{
	for (size_t i = 0; i < t->n_engines; i++)
		if (t->engines[i].owner != NULL &&
		    t->engines[i].owner->first == NULL)
			leave_turn(t, t->engines[i].owner);
	while (give_one_away(t))
		;
	for (size_t i = 0; i < t->n_engines; i++)
		if (t->engines[i].between)
			start_job(t, &t->engines[i]);
}

/* Returns how long the owner of an engine goes on for certain, at most that long: to
 * a later point of its job if others wait. */
static nsec
until_point(const struct guc_turns *t, const struct turn_engine *e, nsec most)
{
	const struct turn_queue *owner = e->owner;
	nsec point = POINT_NS - owner->first->run % POINT_NS;
	int8_t band = INT8_MIN;

	for (size_t i = 0; i < t->n_queues; i++) {
		const struct turn_queue *q = &t->queues[i];

		if (turn_is_due(q) && (q->allowed >> e->number & 1) != 0 &&
		    q->first->band > band)
			band = q->first->band;
	}
	if (band < owner->first->band)
		return most;
	if (band == owner->first->band && owner->used + point < t->quantum)
		point += (t->quantum - owner->used - 1) / POINT_NS * POINT_NS;
	return nsec_earlier(point, most);
}

bool
turns_play_to(struct guc_turns *t, nsec now)
{
	uint64_t looks = 1 + (uint64_t)t->n_engines * t->n_queues;

	while (t->at < now) {
		nsec span = now - t->at;

		if (*t->looks_left < looks)
			return false;
		*t->looks_left -= looks;
		turns_share_out(t);
		for (size_t i = 0; i < t->n_engines; i++)
			if (t->engines[i].owner != NULL)
				span = until_point(t, &t->engines[i], span);
		for (size_t i = 0; i < t->n_engines; i++) {
			struct turn_queue *q = t->engines[i].owner;

			if (q == NULL)
				continue;
			q->first->run += span;
			q->used += span;
		}
		t->at += span;
	}
	return true;
}

/* Returns the queue of a line; NULL: there are too many. */
static struct turn_queue *
queue_of(struct guc_turns *t, const struct job_line *line)
{
	struct turn_queue *free_one = NULL;

	for (size_t i = 0; i < t->n_queues; i++) {
		struct turn_queue *q = &t->queues[i];

		if (q->line == line)
			return q;
		if (q->first == NULL && q->on == NULL)
			free_one = q;
	}
	if (t->n_queues < TURN_QUEUES)
		free_one = &t->queues[t->n_queues++];
	if (free_one == NULL)
		return NULL;
	*free_one = (struct turn_queue){
	    .line = line, .off_at = NSEC_NEVER, .last_engine = NO_ENGINE};
	free_one->last = &free_one->first;
	return free_one;
}

bool
turns_hand_over(struct guc_turns *t, struct turn_job *job)
{
	struct turn_queue *q = queue_of(t, job->job->line);

	if (q == NULL)
		return false;
	if (q->first == NULL) {
		q->allowed = turns_allowed(t->im, job->job) & t->allowed;
		take_new_place(t, q);
	}
	*q->last = job;
	q->last = &job->next;
	return true;
}

/* A virtual engine's job says where and when it began. */
static bool
began_as_traced(const struct turn_job *job)
{
	return job->job->line->moved == 0 ||
	    (job->first_engine == job->job->engine &&
		job->start == job->job->in_ns);
}

void
turns_end(struct guc_turns *t, struct turn_job *job)
{
	struct turn_queue *q = queue_of(t, job->job->line);
	struct turn_job *at = q != NULL ? q->first : NULL;

	/* One that was ended while it waited ends when it is on an engine again. */
	if (at == job && q->on == NULL)
		turns_share_out(t);
	t->n_missed += at == NULL || at != job || q->on == NULL ||
	    !began_as_traced(job);
	if (job->start == NSEC_NEVER)
		job->start = t->at;
	while (at != NULL && at != job)
		at = at->next;
	if (at == NULL)
		return;
	/* Jobs before it have ended unnoticed. */
	q->first = job->next;
	if (q->first == NULL)
		q->last = &q->first;
	if (q->on != NULL)
		q->on->between = true;
}

void
turns_raise(struct guc_turns *t, struct turn_job *job, int8_t band)
{
	struct turn_queue *q = queue_of(t, job->job->line);

	if (band <= job->band)
		return;
	job->band = band;
	if (q != NULL && q->first == job && q->on == NULL)
		q->raised = true;
}

void
turns_move_raised(struct guc_turns *t)
{
	struct turn_queue *first;

	do {
		first = NULL;
		for (size_t i = 0; i < t->n_queues; i++) {
			struct turn_queue *q = &t->queues[i];

			if (q->raised &&
			    (first == NULL || q->place < first->place))
				first = q;
		}
		if (first != NULL) {
			first->raised = false;
			take_new_place(t, first);
		}
	} while (first != NULL);
}
