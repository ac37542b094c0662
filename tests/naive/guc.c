/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scheduler guc. The rules quoted are those under `guc` on the page of its
 * rules. In order: when the head of a queue is handed over; bands; the order of
 * those that wait, and their places; giving way; which engines a queue takes;
 * the steps of one instant.
 *
 * A queue is what the other schedulers call a timeline: "each (client, context,
 * engine), each load balanced context and each parallel context". Engines are
 * had by sets, which are one engine each where the queue is not parallel; so
 * what is said of a virtual queue and of a set is one piece of code.
 */
#include <stdlib.h>

#include "parser/mem.h"
#include "tests/naive/world.h"

/* "Its quantum (1,000,000 ns in `ideal`)". */
#define QUANTUM NSEC_PER_MSEC

enum { NOTHING = -1, LOW, NORMAL, HIGH };

/* "Band: priority below 0 low, 0 normal, above 0 high." */
static int
find_request_band(int priority)
{
	if (priority < 0)
		return LOW;
	return priority == 0 ? NORMAL : HIGH;
}

/* "A queue runs its requests one after the other": the one that it runs, or
 * would run next. NONE: it has nothing. */
static int
find_next(const struct naive_world *w, unsigned queue)
{
	const struct naive_ring *q = &w->rings[queue];

	return q->handed.n > 0 ? q->handed.items[0] : NONE;
}

/* "The band of a queue is the best among its requests that are handed over and
 * have not ended; so it can fall back." */
static int
find_band(const struct naive_world *w, unsigned queue)
{
	const struct naive_list *handed = &w->rings[queue].handed;
	int best = NOTHING;

	for (unsigned i = 0; i < handed->n; i++) {
		int band = w->requests[handed->items[i]].priority;

		if (band > best)
			best = band;
	}
	return best;
}

static bool
is_on_engine(const struct naive_world *w, unsigned queue)
{
	return w->rings[queue].set != NONE;
}

/* "A queue with something handed over is on an engine, or waits." */
static bool
is_waiting(const struct naive_world *w, unsigned queue)
{
	return !is_on_engine(w, queue) && find_next(w, queue) != NONE;
}

/* "Its quantum is engine time since it took its place": a new place is a new
 * quantum. */
static void
take_place(struct naive_world *w, unsigned queue)
{
	struct naive_ring *q = &w->rings[queue];

	q->place = ++w->n_places;
	q->used = 0;
	q->since = w->now;
}

/* "A queue takes a new place when its band changes while it waits." */
static bool
has_changed(const struct naive_world *w, unsigned queue)
{
	return is_waiting(w, queue) &&
	    w->rings[queue].band != find_band(w, queue);
}

static void
follow_band(struct naive_world *w, unsigned queue)
{
	w->rings[queue].band = find_band(w, queue);
	take_place(w, queue);
}

/* "Several at once: in the order of their old places." */
static void
follow_bands(struct naive_world *w)
{
	int first;

	do {
		first = NONE;
		for (unsigned i = 0; i < w->n_rings; i++) {
			if (has_changed(w, i) &&
			    (first == NONE ||
				w->rings[i].place < w->rings[first].place))
				first = (int)i;
		}
		if (first != NONE)
			follow_band(w, (unsigned)first);
	} while (first != NONE);
}

/*
 * "A request that waits for others (data, objects, `f-n`, `s-n`, the ones
 * before it in its queue), and through them for more, raises all that have not
 * ended to its own band at its submit, never lowers." Waits are for earlier
 * requests, so one pass finds them. For one that has ended nobody waits.
 */
static void
raise_others(struct naive_world *w, unsigned row)
{
	bool *reached = mem_calloc(row + 1, sizeof *reached);
	int band = w->requests[row].priority;

	reached[row] = true;
	for (unsigned i = row + 1; i-- > w->first_open;) {
		struct naive_request *rq = &w->requests[i];

		if (!reached[i] || naive_ended(w, i))
			continue;
		if (rq->priority < band)
			rq->priority = band;
		for (unsigned k = 0; k < rq->n_waits; k++) {
			if (rq->waits[k].cause != FOR_SIGNAL)
				reached[rq->waits[k].which] = true;
		}
	}
	free(reached);
}

/* A request's priority is its band from here on: that "of the context when it
 * submits". */
static void
submitted(struct naive_world *w, unsigned row)
{
	struct naive_request *rq = &w->requests[row];

	rq->priority = find_request_band(rq->priority);
	w->progress = w->now;
	raise_others(w, row);
	follow_bands(w);
}

/*
 * "For requests of its own queue nothing (order does it); for any other request
 * its end, on the same engine too; `s-n`: its first start; a software fence:
 * its signal." And "the one before it in its queue is ready".
 */
static bool
is_over(const struct naive_world *w, const struct naive_request *rq,
    struct naive_wait wait)
{
	const struct naive_request *of;

	if (wait.cause == FOR_SIGNAL)
		return w->fences[wait.which].signalled;
	of = &w->requests[wait.which];
	if (wait.cause == FOR_TIMELINE)
		return of->row.ready != NSEC_NEVER;
	if (of->ring == rq->ring)
		return true;
	if (wait.cause == FOR_START)
		return of->row.start != NSEC_NEVER;
	return of->row.end != NSEC_NEVER;
}

/* "A queue takes a new place when it gets something handed over while it has
 * nothing", or by that another band while it waits. */
static void
hand_over(struct naive_world *w, unsigned row)
{
	struct naive_request *rq = &w->requests[row];
	bool had_nothing = find_next(w, rq->ring) == NONE;

	rq->row.ready = w->now;
	naive_list_add(&w->rings[rq->ring].handed, (int)row);
	w->progress = w->now;
	if (had_nothing || has_changed(w, rq->ring))
		follow_band(w, rq->ring);
}

/* "The head of a queue is handed to GuC (`ready_ns`) when nothing is left that
 * it waits for. Several at one instant are handed over in order of
 * submission." */
static void
look_at_heads(struct naive_world *w)
{
	for (unsigned i = w->first_open; i < w->n_requests; i++) {
		const struct naive_request *rq = &w->requests[i];
		bool ready = rq->row.ready == NSEC_NEVER;

		for (unsigned k = 0; ready && k < rq->n_waits; k++)
			ready = is_over(w, rq, rq->waits[k]);
		if (ready)
			hand_over(w, i);
	}
}

/* "Waiting queues stand in the order of band, then of place." */
static bool
stands_before(const struct naive_world *w, unsigned a, unsigned b)
{
	int band_a = find_band(w, a), band_b = find_band(w, b);

	if (band_a != band_b)
		return band_a > band_b;
	return w->rings[a].place < w->rings[b].place;
}

/* The waiting queue that stands next after that one (NONE: the first). */
static int
find_next_waiting(const struct naive_world *w, int after)
{
	int next = NONE;

	for (unsigned i = 0; i < w->n_rings; i++) {
		if (!is_waiting(w, i) ||
		    (after != NONE && !stands_before(w, (unsigned)after, i)))
			continue;
		if (next == NONE || stands_before(w, i, (unsigned)next))
			next = (int)i;
	}
	return next;
}

static nsec
find_used(const struct naive_world *w, const struct naive_ring *q)
{
	return q->used + (q->set != NONE ? w->now - q->since : 0);
}

static bool
is_used_up(const struct naive_world *w, const struct naive_ring *q)
{
	return find_used(w, q) >= QUANTUM;
}

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
 * running one, to a waiting queue of a higher band, or of its own band if its
 * quantum is used up. Never to a lower band."
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
	band = find_band(w, (unsigned)engine->queue);
	if (find_band(w, to) == band)
		return is_used_up(w, &w->rings[engine->queue]);
	return find_band(w, to) > band;
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
	q->used = find_used(w, q);
	q->set = NONE;
	q->band = find_band(w, queue);
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
	if (is_used_up(w, &w->rings[queue]))
		take_place(w, queue);
}

/* "A request taken off goes on later with what is left." T "on one that was
 * taken off: it ends when it is on an engine again, after 0 ns more". */
static void
start_next(struct naive_world *w, unsigned queue)
{
	const struct naive_ring *q = &w->rings[queue];
	unsigned row = (unsigned)find_next(w, queue);
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

/* What gives way on the set is taken off; who takes a new place by that does so
 * in the order of the old ones. False: nothing does. */
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

	while ((queue = find_next_waiting(w, queue)) != NONE) {
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
		if (is_on_engine(w, i) && find_next(w, i) == NONE)
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
			look_at_heads(w);
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
		if (is_waiting(w, i) && may_take(w, i, e) &&
		    find_band(w, i) > best)
			best = find_band(w, i);
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
	band = find_band(w, rq->ring);
	waiting = find_waiting_band(w, e);
	distance = naive_find_distance(w, rq);
	if (rq->target->width > 1 || distance == 0 || waiting < band)
		return NSEC_NEVER;
	after = w->now;
	if (waiting == band && !is_used_up(w, &w->rings[rq->ring]))
		after += QUANTUM - find_used(w, &w->rings[rq->ring]) - 1;
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
    .submitted = submitted,
    .settle = settle,
    .instant_over = instant_over,
    .next = next,
    .sum_up = sum_up,
};
