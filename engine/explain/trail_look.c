/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a trail: records by id, and by time with a binary search. */
#include "engine/explain/trail.h"

#include "base/util.h"

const struct trail_request *
trail_request(const struct trail *t, uint64_t id)
{
	const struct trail_request *r = trail_place(&t->requests, id);

	return id != 0 && r != NULL && r->id == id ? r : NULL;
}

const struct trail_span *
trail_span(const struct trail *t, unsigned engine, uint64_t id)
{
	if (engine >= t->n_engines ||
	    !trail_holds(t->engines[engine].n, t->size, id))
		return NULL;
	return trail_place(&t->engines[engine].spans, id);
}

const struct trail_wait *
trail_wait(const struct trail *t, uint64_t id)
{
	return trail_holds(t->n_waits, t->size, id) ? trail_place(&t->waits, id)
						    : NULL;
}

const struct trail_miss *
trail_miss(const struct trail *t, uint64_t id)
{
	return trail_holds(t->n_misses, TRAIL_MISSES, id)
	    ? trail_place(&t->misses, id)
	    : NULL;
}

const struct trail_hang *
trail_hang(const struct trail *t, uint64_t id)
{
	return trail_holds(t->n_hangs, TRAIL_HANGS, id)
	    ? trail_place(&t->hangs, id)
	    : NULL;
}

uint64_t
trail_last_wait(const struct trail *t, uint32_t client)
{
	return client < t->n_clients ? t->clients[client].wait : 0;
}

/* By time. */

typedef nsec time_fn(const struct trail *t, unsigned engine, uint64_t id);

static nsec
span_taken_of(const struct trail *t, unsigned engine, uint64_t id)
{
	return trail_span(t, engine, id)->taken_ns;
}

static nsec
span_end_of(const struct trail *t, unsigned engine, uint64_t id)
{
	return trail_span(t, engine, id)->end_ns;
}

/* The oldest requests, which began before the trail, have no record. */
static nsec
request_submit_of(const struct trail *t, unsigned engine, uint64_t id)
{
	const struct trail_request *r = trail_request(t, id);

	(void)engine;
	return r != NULL ? r->submit_ns : 0;
}

static nsec
miss_came_of(const struct trail *t, unsigned engine, uint64_t id)
{
	(void)engine;
	return trail_miss(t, id)->came_ns;
}

static nsec
hang_time_of(const struct trail *t, unsigned engine, uint64_t id)
{
	(void)engine;
	return trail_hang(t, id)->time;
}

/* Returns the first id from first to n whose time is at least that; n + 1:
 * none. */
static uint64_t
first_at(const struct trail *t, unsigned engine, uint64_t first, uint64_t n,
    nsec time, time_fn *time_of)
{
	return lower_bound(id, first, n + 1, time_of(t, engine, id) < time);
}

static nsec
just_after(nsec time)
{
	return time < NSEC_NEVER ? time + 1 : NSEC_NEVER;
}

/* Returns which of n records of an engine, in the order of time, end after t0 and
 * begin before t1. */
static struct trail_range
range_between(const struct trail *t, unsigned engine, uint64_t n, nsec t0,
    nsec t1, time_fn *begin_of, time_fn *end_of)
{
	struct trail_range range = {1, 1};

	if (n == 0 || t1 <= t0)
		return range;
	range.first = first_at(
	    t, engine, trail_oldest(n, t->size), n, just_after(t0), end_of);
	range.end = first_at(t, engine, range.first, n, t1, begin_of);
	return range;
}

/* Returns the last of n records that begins before that time, or the oldest if
 * none does; 0: there is none. */
static uint64_t
last_begun(const struct trail *t, unsigned engine, uint64_t n, nsec time,
    time_fn *begin_of)
{
	uint64_t oldest = trail_oldest(n, t->size), id;

	if (n == 0)
		return 0;
	id = first_at(t, engine, oldest, n, time, begin_of);
	return id > oldest ? id - 1 : oldest;
}

struct trail_range
trail_requests(const struct trail *t, nsec t1, size_t max)
{
	uint64_t n = t->last_request, oldest = trail_oldest(n, t->size);
	uint64_t end = first_at(t, 0, oldest, n, t1, request_submit_of);

	return (struct trail_range){
	    end - oldest > max ? end - max : oldest, end};
}

struct trail_range
trail_spans(const struct trail *t, unsigned engine, nsec t0, nsec t1)
{
	uint64_t n = engine < t->n_engines ? t->engines[engine].n : 0;

	return range_between(t, engine, n, t0, t1, span_taken_of, span_end_of);
}

uint64_t
trail_span_at(const struct trail *t, unsigned engine, nsec time)
{
	struct trail_range range = trail_spans(
	    t, engine, time, just_after(time));

	return range.first < range.end ? range.first : 0;
}

uint64_t
trail_next_span(const struct trail *t, unsigned engine, nsec time)
{
	uint64_t n, id;

	if (engine >= t->n_engines)
		return 0;
	n = t->engines[engine].n;
	id = first_at(t, engine, trail_oldest(n, t->size), n, just_after(time),
	    span_taken_of);
	return id <= n ? id : 0;
}

uint64_t
trail_previous_span(const struct trail *t, unsigned engine, nsec time)
{
	uint64_t n, oldest, id;

	if (engine >= t->n_engines)
		return 0;
	n = t->engines[engine].n;
	oldest = trail_oldest(n, t->size);
	id = first_at(t, engine, oldest, n, time, span_taken_of);
	return id > oldest ? id - 1 : 0;
}

/* Returns how much of [from, to) is before until. */
static nsec
passed(nsec from, nsec to, nsec until)
{
	nsec end = nsec_earlier(to, until);

	return end > from ? end - from : 0;
}

void
trail_add_span(
    struct engine_times *times, const struct trail_span *s, nsec until)
{
	nsec end = nsec_earlier(s->end_ns, until);
	nsec begin = nsec_earlier(s->begin_ns, end);
	nsec switched = nsec_earlier(trail_switched(s), begin);

	times->ns[USE_SWITCHING] += passed(
	    s->taken_ns + s->completion_ns, switched, end);
	times->ns[USE_POLLING] += passed(switched, begin, end);
	times->ns[USE_RUNNING] += passed(begin, end, end);
}

const struct trail_gap *
trail_gap(const struct trail *t, unsigned engine, uint64_t id)
{
	if (engine >= t->n_engines ||
	    !trail_holds(t->engines[engine].n_gaps, t->size, id))
		return NULL;
	return trail_place(&t->engines[engine].gaps, id);
}

static nsec
gap_from_of(const struct trail *t, unsigned engine, uint64_t id)
{
	return trail_gap(t, engine, id)->from_ns;
}

static nsec
gap_to_of(const struct trail *t, unsigned engine, uint64_t id)
{
	return trail_gap(t, engine, id)->to_ns;
}

struct trail_range
trail_gaps(const struct trail *t, unsigned engine, nsec t0, nsec t1)
{
	uint64_t n = engine < t->n_engines ? t->engines[engine].n_gaps : 0;

	return range_between(t, engine, n, t0, t1, gap_from_of, gap_to_of);
}

/* Returns how long the engine was free with blocked requests up to that time. */
static nsec
blocked_until(const struct trail *t, unsigned engine, nsec time)
{
	uint64_t n = engine < t->n_engines ? t->engines[engine].n_gaps : 0;
	const struct trail_gap *gap = trail_gap(
	    t, engine, last_begun(t, engine, n, time, gap_from_of));

	if (gap == NULL)
		return 0;
	return gap->before + passed(gap->from_ns, gap->to_ns, time);
}

const struct trail_poll *
trail_poll(const struct trail *t, unsigned engine, uint64_t id)
{
	if (engine >= t->n_engines ||
	    !trail_holds(t->engines[engine].n_polls, t->size, id))
		return NULL;
	return trail_place(&t->engines[engine].polls, id);
}

static nsec
poll_from_of(const struct trail *t, unsigned engine, uint64_t id)
{
	return trail_poll(t, engine, id)->from_ns;
}

static nsec
poll_to_of(const struct trail *t, unsigned engine, uint64_t id)
{
	return trail_poll(t, engine, id)->to_ns;
}

struct trail_range
trail_polls(const struct trail *t, unsigned engine, nsec t0, nsec t1)
{
	uint64_t n = engine < t->n_engines ? t->engines[engine].n_polls : 0;

	return range_between(t, engine, n, t0, t1, poll_from_of, poll_to_of);
}

/* Returns how long batches on the engine polled memory up to that time. */
static nsec
polled_until(const struct trail *t, unsigned engine, nsec time)
{
	uint64_t n = engine < t->n_engines ? t->engines[engine].n_polls : 0;
	const struct trail_poll *poll = trail_poll(
	    t, engine, last_begun(t, engine, n, time, poll_from_of));

	if (poll == NULL)
		return 0;
	return poll->before + passed(poll->from_ns, poll->to_ns, time);
}

/* Moves time in which batches polled memory from running to polling. */
static void
count_polled(struct engine_times *times, nsec polled)
{
	polled = nsec_earlier(polled, times->ns[USE_RUNNING]);
	times->ns[USE_RUNNING] -= polled;
	times->ns[USE_POLLING] += polled;
}

struct engine_times
trail_span_used(const struct trail *t, unsigned engine,
    const struct trail_span *s, nsec until)
{
	nsec end = nsec_earlier(s->end_ns, until);
	struct engine_times used = {0};

	trail_add_span(&used, s, until);
	count_polled(&used,
	    polled_until(t, engine, end) -
		polled_until(t, engine, nsec_earlier(s->begin_ns, end)));
	return used;
}

struct engine_times
trail_used(const struct trail *t, unsigned engine, nsec time)
{
	uint64_t n = engine < t->n_engines ? t->engines[engine].n : 0;
	uint64_t id = trail_previous_span(t, engine, time);
	const struct trail_span *s = trail_span(
	    t, engine, id != 0 ? id : trail_oldest(n, t->size));
	struct engine_times used = {0};

	if (s != NULL)
		used = s->before_it;
	if (id != 0)
		trail_add_span(&used, s, time);
	count_polled(&used, polled_until(t, engine, time));
	used.ns[USE_BLOCKED] = blocked_until(t, engine, time);
	return used;
}

nsec
trail_since(const struct trail *t)
{
	const struct trail_request *r = trail_request(
	    t, trail_oldest(t->last_request, t->size));
	nsec since = 0;

	if (t->last_request > t->size && r != NULL)
		since = r->submit_ns;
	for (unsigned i = 0; i < t->n_engines; i++) {
		uint64_t n = t->engines[i].n;

		if (n > t->size)
			since = nsec_later(since,
			    span_taken_of(t, i, trail_oldest(n, t->size)));
		n = t->engines[i].n_polls;
		if (n > t->size)
			since = nsec_later(since,
			    poll_from_of(t, i, trail_oldest(n, t->size)));
	}
	return since;
}

struct trail_range
trail_misses(const struct trail *t, nsec t0, nsec t1)
{
	uint64_t n = t->n_misses;
	uint64_t first = first_at(
	    t, 0, trail_oldest(n, TRAIL_MISSES), n, t0, miss_came_of);

	return (struct trail_range){
	    first, first_at(t, 0, first, n, t1, miss_came_of)};
}

struct trail_range
trail_hangs(const struct trail *t, nsec t0, nsec t1)
{
	uint64_t n = t->n_hangs;
	uint64_t first = first_at(
	    t, 0, trail_oldest(n, TRAIL_HANGS), n, t0, hang_time_of);

	return (struct trail_range){
	    first, first_at(t, 0, first, n, t1, hang_time_of)};
}

static bool
miss_is_of(const struct trail *t, uint64_t miss, uint32_t client)
{
	return client == TRAIL_ANY_CLIENT ||
	    trail_miss(t, miss)->client == client;
}

uint64_t
trail_next_miss(const struct trail *t, nsec time, uint32_t client)
{
	struct trail_range range = trail_misses(
	    t, just_after(time), NSEC_NEVER);

	for (uint64_t id = range.first; id < range.end; id++)
		if (miss_is_of(t, id, client))
			return id;
	return 0;
}

uint64_t
trail_previous_miss(const struct trail *t, nsec time, uint32_t client)
{
	struct trail_range range = trail_misses(t, 0, time);

	for (uint64_t id = range.end; id > range.first; id--)
		if (miss_is_of(t, id - 1, client))
			return id - 1;
	return 0;
}

const char *
trail_leaving_name(enum leaving leaving)
{
	static const char *const names[N_LEAVINGS] = {
	    [LEAVING_ENDED] = "ended",
	    [LEAVING_PREEMPTED] = "preempted",
	    [LEAVING_SLICE] = "timeslice expired",
	    [LEAVING_YIELDED] = "yielded",
	    [LEAVING_RESET] = "reset",
	};

	return names[leaving];
}

const char *
trail_cause_name(enum trail_cause cause)
{
	static const char *const names[] = {
	    [TRAIL_NOTHING] = "nothing",
	    [TRAIL_DATA] = "data",
	    [TRAIL_FENCE] = "fence",
	    [TRAIL_SUBMIT] = "submit fence",
	    [TRAIL_SOFTWARE] = "software fence",
	    [TRAIL_ORDER] = "ring order: end",
	    [TRAIL_SEMAPHORE] = "semaphore",
	};

	return names[cause];
}
