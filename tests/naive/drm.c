/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scheduler drm, policies fifo and rr. The rules quoted are those under `drm`
 * on the page of its rules. In order: what a submit does to its entity; when
 * the head of an entity is ready; which head an engine takes; the steps of one
 * instant, which are those of fifo.
 *
 * An entity is what the other schedulers call a timeline: one for each
 * (client, context, engine), one for a load balanced context. One credit, so
 * that to be put on the ring and to start is the same.
 */
#include "tests/naive/world.h"

enum { LOW, NORMAL, HIGH };

static bool
is_on_ring(const struct naive_request *rq)
{
	return rq->row.start != NSEC_NEVER;
}

/* "Priority below 0 is LOW, 0 NORMAL, above 0 HIGH." */
static int
find_level(int priority)
{
	if (priority < 0)
		return LOW;
	return priority == 0 ? NORMAL : HIGH;
}

/* "It stays attached while idle; it leaves when its client has ended." */
static bool
is_attached(const struct naive_world *w, const struct naive_ring *entity)
{
	return entity->attached != 0 &&
	    w->clients[entity->client].state != ENDED;
}

/* Idle: "queue empty, last job ended". The job that is just being submitted is
 * the last row, and none of them yet. */
static bool
is_idle(const struct naive_world *w, unsigned entity)
{
	for (unsigned i = w->first_open; i + 1 < w->n_requests; i++) {
		if (w->requests[i].ring == entity && !naive_ended(w, i))
			return false;
	}
	return true;
}

/* "One for each attached entity, one for each job from its submit to its end."
 * The entity to be bound counts where it is attached, its new job does not. */
static unsigned
find_score(const struct naive_world *w, int e)
{
	unsigned score = 0;

	for (unsigned i = 0; i < w->n_rings; i++)
		score += is_attached(w, &w->rings[i]) && w->rings[i].bound == e;
	for (unsigned i = w->first_open; i + 1 < w->n_requests; i++)
		score += w->requests[i].bound == e && !naive_ended(w, i);
	return score;
}

/* "The engine with the lowest score, ties to the first in the order RCS, BCS,
 * VCS, VECS, CCS and then by instance." A fixed one has no choice. */
static int
find_engine(const struct naive_world *w, const struct naive_request *rq)
{
	int best = NONE;

	for (int e = 0; e < (int)w->n_engines; e++) {
		if (rq->target->may[e] &&
		    (best == NONE || find_score(w, e) < find_score(w, best)))
			best = e;
	}
	return best;
}

/*
 * "At each submit, an idle balanced entity is bound"; "`P` counts for an entity
 * from the first job that finds it idle". "An entity is attached to its
 * scheduler, at the tail, with its first job and when it comes to another
 * engine or level": also to one that it has been on before.
 */
static void
submitted(struct naive_world *w, unsigned row)
{
	struct naive_request *rq = &w->requests[row];
	struct naive_ring *entity = &w->rings[rq->ring];
	int engine, level;

	if (is_idle(w, rq->ring)) {
		engine = find_engine(w, rq);
		level = find_level(rq->priority);
		if (entity->attached == 0 || entity->bound != engine ||
		    entity->level != level)
			entity->attached = ++w->n_attached;
		entity->bound = engine;
		entity->level = level;
	}
	rq->bound = entity->bound;
}

/*
 * "For a job of its own entity nothing; for a job bound to the same engine
 * (whatever context, balanced too), that it has been put on the ring, be it
 * `f-n`, `s-n`, data or object; for a job of another engine its end, `s-n`:
 * that it has been put on the ring; a software fence: its signal." The one
 * before it in its entity: "has been put on the ring".
 */
static bool
is_over(const struct naive_world *w, const struct naive_request *rq,
    struct naive_wait wait)
{
	const struct naive_request *of;

	if (wait.cause == FOR_SIGNAL)
		return w->fences[wait.which].signalled;
	of = &w->requests[wait.which];
	if (wait.cause == FOR_TIMELINE || wait.cause == FOR_START)
		return is_on_ring(of);
	if (of->ring == rq->ring)
		return true; /* is_over() of FOR_TIMELINE sees to it */
	if (of->bound == rq->bound)
		return is_on_ring(of);
	return of->row.end != NSEC_NEVER;
}

/* "Only the job at the head of an entity is looked at." */
static void
look_at_heads(struct naive_world *w)
{
	for (unsigned i = w->first_open; i < w->n_requests; i++) {
		struct naive_request *rq = &w->requests[i];
		bool ready = rq->row.ready == NSEC_NEVER;

		for (unsigned k = 0; ready && k < rq->n_waits; k++)
			ready = is_over(w, rq, rq->waits[k]);
		if (ready)
			rq->row.ready = w->now;
	}
}

/* A ready head, queued on this engine and level; an entity has one at most. */
static bool
is_candidate(const struct naive_world *w, unsigned row, int e, int level)
{
	const struct naive_request *rq = &w->requests[row];

	return rq->row.ready != NSEC_NEVER && !is_on_ring(rq) &&
	    rq->bound == e && w->rings[rq->ring].level == level;
}

/* "The head that was submitted first, ties by order of submission." */
static int
choose_first(const struct naive_world *w, int e, int level)
{
	for (unsigned i = w->first_open; i < w->n_requests; i++) {
		if (is_candidate(w, i, e, level))
			return (int)i;
	}
	return NONE;
}

/* Returns the entity that it chose last on this level, as that was attached. "If
 * that entity has been detached since, from the first": 0. */
static unsigned
find_turn(const struct naive_world *w, int e, int level)
{
	unsigned turn = w->engines[e].turns[level];

	for (unsigned i = 0; i < w->n_rings; i++) {
		if (is_attached(w, &w->rings[i]) &&
		    w->rings[i].attached == turn)
			return turn;
	}
	return 0;
}

/* "The next entity with a ready head after the one it chose last on this level,
 * in the order in which entities were attached, from the first one again after
 * the last." */
static int
choose_next(const struct naive_world *w, int e, int level)
{
	unsigned turn = find_turn(w, e, level);
	int first = NONE, next = NONE;

	for (unsigned i = w->first_open; i < w->n_requests; i++) {
		unsigned at = w->rings[w->requests[i].ring].attached;

		if (!is_candidate(w, i, e, level))
			continue;
		if (first == NONE ||
		    at < w->rings[w->requests[first].ring].attached)
			first = (int)i;
		if (at > turn &&
		    (next == NONE ||
			at < w->rings[w->requests[next].ring].attached))
			next = (int)i;
	}
	return next != NONE ? next : first;
}

/* "A scheduler with a credit free takes, from the highest level that has a
 * ready head": what it would take. */
static int
choose(const struct naive_world *w, int e)
{
	bool rr = w->config->scheduler == NAIVE_DRM_RR;

	if (w->engines[e].running != NONE)
		return NONE;
	for (int level = HIGH; level >= LOW; level--) {
		int row = rr ? choose_next(w, e, level)
			     : choose_first(w, e, level);

		if (row != NONE)
			return row;
	}
	return NONE;
}

/* "Only a job put on the ring moves the turn." */
static void
put_on_ring(struct naive_world *w, unsigned row)
{
	const struct naive_request *rq = &w->requests[row];
	const struct naive_ring *entity = &w->rings[rq->ring];

	w->engines[rq->bound].turns[entity->level] = entity->attached;
	naive_start(w, row, rq->bound);
}

/* "One at a time, of all engines that could take a job now the one whose choice
 * was submitted first takes it." */
static bool
take_one(struct naive_world *w)
{
	int best = NONE;

	for (int e = 0; e < (int)w->n_engines; e++) {
		int row = choose(w, e);

		if (row != NONE && (best == NONE || row < best))
			best = row;
	}
	if (best == NONE)
		return false;
	put_on_ring(w, (unsigned)best);
	return true;
}

/* "Ends; then heads become ready; then [one is taken], and what that made ready
 * is ready before the next is chosen; until nothing changes." */
static void
settle(struct naive_world *w)
{
	naive_end_due(w);
	do {
		do {
			look_at_heads(w);
		} while (take_one(w));
	} while (naive_end_due(w));
}

const struct naive_rules naive_drm = {
    .submitted = submitted,
    .settle = settle,
    .sum_up = naive_sum_up_whole,
};
