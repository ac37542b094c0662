/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scheduler guc, on engines; its queues are guc_queue.c. The rules quoted are
 * those under `guc` on the page of its rules. In order: preemption points and
 * giving way; which engines a queue takes; the steps of one instant; what is
 * next.
 *
 * Engines are had by sets, which are one engine each where the queue is not
 * parallel; so what is said of a virtual queue and of a set is one piece of
 * code.
 */
#include "tests/naive/guc.h"

static nsec
find_run_time(const struct naive_world *w, const struct naive_request *rq)
{
	return rq->row.run + (w->now - rq->piece);
}

/*
 * "Preemption points of a batch are after X, 2X, ... of its own run time, but
 * never where it has just been put on an engine: what starts at an instant is
 * not taken off at it." Of a parallel one: "nothing takes it off before its end
 * (X has no effect)".
 */
static bool
is_at_point(const struct naive_world *w, const struct naive_request *rq)
{
	nsec distance = naive_find_distance(w, rq);

	return rq->target->width == 1 && distance != 0 && rq->piece != w->now &&
	    find_run_time(w, rq) % distance == 0;
}

/*
 * It gives way "between two of its requests, or at a preemption point of the
 * running one, to a waiting queue of a higher band, or, if its quantum is used
 * up, of its own band, but within the band never to one that was itself taken
 * off an engine at this instant. Never to a lower band."
 */
static bool
gives_way(const struct naive_world *w, int e, unsigned to)
{
	const struct naive_engine *engine = &w->engines[e];
	int band;

	if (engine->queue == NONE)
		return false;
	if (engine->running != NONE &&
	    !is_at_point(w, &w->requests[engine->running]))
		return false;
	band = naive_guc_band(w, (unsigned)engine->queue);
	if (naive_guc_band(w, to) == band)
		return naive_guc_is_used_up(w, &w->rings[engine->queue]) &&
		    w->rings[to].off != w->now;
	return naive_guc_band(w, to) > band;
}

/* "`run_ns` the time on engines; `busy_ns` of engines by the time really spent
 * on each." Parallel: "the shorter ones keep their engines, busy". */
static void
count_piece(struct naive_world *w, struct naive_request *rq)
{
	rq->row.run += w->now - rq->piece;
	for (unsigned i = 0; i < rq->target->width; i++)
		w->result->engines[rq->target->sets[rq->set][i]].busy +=
		    w->now - rq->piece;
	rq->piece = NSEC_NEVER;
}

static void
leave(struct naive_world *w, unsigned queue)
{
	struct naive_ring *q = &w->rings[queue];

	for (unsigned i = 0; i < q->target->width; i++) {
		int e = q->target->sets[q->set][i];

		w->engines[e].running = NONE;
		w->engines[e].queue = NONE;
	}
	q->used = naive_guc_used(w, q);
	q->set = NONE;
	q->band = naive_guc_band(w, queue);
}

/*
 * "`preemptions` counts [a request taken off] (of the request, and of the
 * engine it was taken off); giving way between two requests counts none." And
 * it takes a new place "when it leaves an engine with its quantum used up".
 */
static void
take_off(struct naive_world *w, unsigned queue)
{
	int e = w->rings[queue].target->sets[w->rings[queue].set][0];
	int row = w->engines[e].running;

	if (row != NONE) {
		count_piece(w, &w->requests[row]);
		w->requests[row].row.preemptions++;
		w->result->engines[e].preemptions++;
	}
	leave(w, queue);
	w->rings[queue].off = w->now;
	if (naive_guc_is_used_up(w, &w->rings[queue]))
		naive_guc_take_place(w, queue);
}

/* "A request taken off goes on later with what is left." T "on one that was
 * taken off: it ends when it is on an engine again, after 0 ns more". */
static void
start_next(struct naive_world *w, unsigned queue)
{
	const struct naive_ring *q = &w->rings[queue];
	unsigned row = (unsigned)naive_guc_next_request(w, queue);
	struct naive_request *rq = &w->requests[row];

	rq->set = q->set;
	rq->piece = w->now;
	if (rq->row.start == NSEC_NEVER) {
		rq->row.start = w->now;
		w->progress = w->now;
	}
	if (!rq->infinite)
		rq->due = w->now + rq->duration - rq->row.run;
	else
		rq->due = rq->terminated ? w->now + rq->rest : NSEC_NEVER;
	for (unsigned i = 0; i < q->target->width; i++)
		naive_take(w, row, q->target->sets[q->set][i]);
}

static void
take(struct naive_world *w, unsigned queue, int set)
{
	struct naive_ring *q = &w->rings[queue];

	q->set = q->last_set = set;
	q->since = w->now;
	for (unsigned i = 0; i < q->target->width; i++)
		w->engines[q->target->sets[set][i]].queue = (int)queue;
	start_next(w, queue);
}

/* The engines that sets hold, for a queue that stands behind these. */
struct held {
	bool engines[NAIVE_MAX_ENGINES];
};

static bool
is_free(const struct naive_world *w, int e, const struct held *held)
{
	return w->engines[e].queue == NONE && !held->engines[e];
}

/* "An engine is one that is free, or else one that gives way to it now." */
static bool
can_have(
    const struct naive_world *w, unsigned queue, int e, const struct held *held)
{
	return is_free(w, e, held) || gives_way(w, e, queue);
}

/* How many engines of a set are free, or can be had. */
static unsigned
count_engines(const struct naive_world *w, unsigned queue, int set,
    const struct held *held, bool only_free)
{
	const struct naive_target *target = w->rings[queue].target;
	unsigned n = 0;

	for (unsigned i = 0; i < target->width; i++) {
		int e = target->sets[set][i];

		n += only_free ? is_free(w, e, held)
			       : can_have(w, queue, e, held);
	}
	return n;
}

/* The set that it was on last if there are n engines of it, else the lowest of
 * which there are; NONE. */
static int
choose_set(const struct naive_world *w, unsigned queue, const struct held *held,
    bool only_free, unsigned n)
{
	const struct naive_ring *q = &w->rings[queue];

	if (q->last_set != NONE &&
	    count_engines(w, queue, q->last_set, held, only_free) >= n)
		return q->last_set;
	for (int set = 0; set < (int)q->target->n_sets; set++) {
		if (count_engines(w, queue, set, held, only_free) >= n)
			return set;
	}
	return NONE;
}

/*
 * "A virtual queue takes the free one that it was on last, else the lowest free
 * logical instance, else likewise among those that give way." A parallel one
 * "starts on all engines of a set at one instant, on the set it was on last if
 * all of it is free, else the lowest".
 */
static int
find_set(const struct naive_world *w, unsigned queue, const struct held *held)
{
	unsigned width = w->rings[queue].target->width;
	int set = choose_set(w, queue, held, true, width);

	if (set != NONE)
		return set;
	return choose_set(w, queue, held, false, width);
}

/* Takes off the queues that give way on the set; queues that take a new place by
 * that do so in the order of the old ones. False: none gives way. */
static bool
clear(struct naive_world *w, unsigned queue, int set)
{
	const struct naive_target *target = w->rings[queue].target;
	bool any = false;
	int first;

	do {
		first = NONE;
		for (unsigned i = 0; i < target->width; i++) {
			int e = target->sets[set][i];
			int q = w->engines[e].queue;

			if (gives_way(w, e, queue) &&
			    (first == NONE ||
				w->rings[q].place < w->rings[first].place))
				first = q;
		}
		if (first != NONE) {
			take_off(w, (unsigned)first);
			any = true;
		}
	} while (first != NONE);
	return any;
}

/*
 * "A waiting set that could have some but not all engines of a set takes what
 * gives way to it off, and *holds* those engines: they stay free, and only
 * queues that stand before it may take them." True: something was taken off.
 */
static bool
hold(struct naive_world *w, unsigned queue, struct held *held)
{
	const struct naive_target *target = w->rings[queue].target;
	int set = choose_set(w, queue, held, false, 1);

	if (set == NONE)
		return false;
	if (clear(w, queue, set))
		return true;
	for (unsigned i = 0; i < target->width; i++) {
		int e = target->sets[set][i];

		if (is_free(w, e, held))
			held->engines[e] = true;
	}
	return false;
}

/* "The first waiting queue for which there is an engine takes it." */
static bool
take_one(struct naive_world *w)
{
	struct held held = {{false}};
	int queue = NONE;

	while ((queue = naive_guc_next_waiting(w, queue)) != NONE) {
		int set = find_set(w, (unsigned)queue, &held);

		if (set != NONE) {
			clear(w, (unsigned)queue, set);
			take(w, (unsigned)queue, set);
			return true;
		}
		if (hold(w, (unsigned)queue, &held))
			return true;
	}
	return false;
}

/* "Queues with nothing to run leave." */
static void
leave_engines(struct naive_world *w)
{
	for (unsigned i = 0; i < w->n_rings; i++) {
		if (naive_guc_is_on_engine(w, i) &&
		    naive_guc_next_request(w, i) == NONE)
			leave(w, i);
	}
}

/* "The lowest engine whose queue stands between two requests starts the next
 * one." */
static bool
start_one(struct naive_world *w)
{
	for (unsigned e = 0; e < w->n_engines; e++) {
		if (w->engines[e].queue == NONE ||
		    w->engines[e].running != NONE)
			continue;
		start_next(w, (unsigned)w->engines[e].queue);
		return true;
	}
	return false;
}

/* The queue stays where it is: it "stands between two requests". */
static void
end(struct naive_world *w, int row)
{
	struct naive_request *rq = &w->requests[row];

	count_piece(w, rq);
	naive_list_remove(&w->rings[rq->ring].handed, row);
	rq->row.end = w->now;
	w->progress = w->now;
	for (unsigned i = 0; i < rq->target->width; i++) {
		int e = rq->target->sets[rq->set][i];

		w->engines[e].running = NONE;
		w->result->engines[e].batches++;
	}
}

/* "All that ends, ends." */
static bool
end_due(struct naive_world *w)
{
	bool any = false;

	for (unsigned e = 0; e < w->n_engines; e++) {
		int row = w->engines[e].running;

		if (row == NONE || w->requests[row].due > w->now)
			continue;
		end(w, row);
		any = true;
	}
	naive_skip_ended(w);
	return any;
}

/*
 * "All that ends, ends; then heads are handed over, and queues with nothing to
 * run leave; then one waiting queue takes an engine, and again from the handing
 * over; when none can, the lowest engine whose queue stands between two
 * requests starts the next one, and again from there; when nothing is left,
 * ends again."
 */
static void
settle(struct naive_world *w)
{
	end_due(w);
	do {
		do {
			naive_guc_look_at_heads(w);
			leave_engines(w);
		} while (take_one(w) || start_one(w));
	} while (end_due(w));
}

static bool
may_take(const struct naive_world *w, unsigned queue, int e)
{
	const struct naive_target *target = w->rings[queue].target;

	for (unsigned j = 0; j < target->n_sets; j++) {
		for (unsigned i = 0; i < target->width; i++) {
			if (target->sets[j][i] == e)
				return true;
		}
	}
	return false;
}

/* The best band that waits for the engine. */
static int
find_waiting_band(const struct naive_world *w, int e)
{
	int best = NOTHING;

	for (unsigned i = 0; i < w->n_rings; i++) {
		if (naive_guc_is_waiting(w, i) && may_take(w, i, e) &&
		    naive_guc_band(w, i) > best)
			best = naive_guc_band(w, i);
	}
	return best;
}

/* The next preemption point at which it gives way. */
static nsec
find_next_point(const struct naive_world *w, int e)
{
	const struct naive_request *rq;
	nsec distance, after, point;
	int band, waiting;

	if (w->engines[e].running == NONE)
		return NSEC_NEVER;
	rq = &w->requests[w->engines[e].running];
	band = naive_guc_band(w, rq->ring);
	waiting = find_waiting_band(w, e);
	distance = naive_find_distance(w, rq);
	if (rq->target->width > 1 || distance == 0 || waiting < band)
		return NSEC_NEVER;
	after = w->now;
	if (waiting == band && !naive_guc_is_used_up(w, &w->rings[rq->ring]))
		after += NAIVE_GUC_QUANTUM -
		    naive_guc_used(w, &w->rings[rq->ring]) - 1;
	point = w->now + distance - find_run_time(w, rq) % distance;
	while (point <= after)
		point += distance;
	return point;
}

static nsec
next(const struct naive_world *w)
{
	nsec first = NSEC_NEVER;

	for (int e = 0; e < (int)w->n_engines; e++) {
		if (find_next_point(w, e) < first)
			first = find_next_point(w, e);
	}
	return first;
}

static bool
is_anybody_asleep(const struct naive_world *w)
{
	for (unsigned i = 0; i < w->config->n_jobs; i++) {
		if (w->clients[i].state != ENDED && w->clients[i].wake > w->now)
			return true;
	}
	return false;
}

static bool
is_all_infinite(const struct naive_world *w)
{
	for (unsigned e = 0; e < w->n_engines; e++) {
		int row = w->engines[e].running;

		if (row != NONE && w->requests[row].due != NSEC_NEVER)
			return false;
	}
	return true;
}

/*
 * "A deadlock is also: all that could still run is infinite, and no client
 * sleeps." Where infinite ones do not give way to each other nothing happens
 * any more; where they do, nothing finite runs, and nothing starts, for so long
 * that each has had its turn.
 */
static void
instant_over(struct naive_world *w)
{
	if (is_anybody_asleep(w) || !is_all_infinite(w))
		w->progress = w->now;
	if (w->now < w->progress + NSEC_PER_SEC)
		return;
	w->result->deadlock = w->result->spins = true;
	w->stopped = true;
}

static void
sum_up(struct naive_world *w)
{
	for (unsigned i = 0; i < w->n_requests; i++) {
		struct naive_request *rq = &w->requests[i];

		if (rq->piece != NSEC_NEVER)
			count_piece(w, rq);
		rq->row.held = rq->row.run;
	}
}

const struct naive_rules naive_guc = {
    .submitted = naive_guc_submitted,
    .settle = settle,
    .instant_over = instant_over,
    .next = next,
    .sum_up = sum_up,
};
