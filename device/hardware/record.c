/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * News of a GPU for the simulation that follows it: starts and ends of batches
 * by their stamps, once fences or a look say that there are any.
 */
#include "device/hardware/record.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>

#include "device/hardware/context.h"
#include "device/hardware/health.h"
#include "device/hardware/record_private.h"
#include "device/hardware/sync_file.h"
#include "engine/client/client.h"

/* The clock is set that often, and if the GPU was idle. */
#define CLOCK_EVERY_NS NSEC_PER_SEC
#define CLOCK_IDLE_NS  (20 * NSEC_PER_MSEC)
#define MOST_EVENTS    64
/* Batches that were told to end may take that long. */
#define LAST_NS NSEC_PER_SEC
/* Ticks by which a time is too late of which the upper half was stored after
 * the lower one had begun again. */
#define TORN (UINT64_C(1) << 32)

static const struct followed_ops record_ops = {
    .contexts = record_open_contexts,
    .note = record_note,
    .submit = record_submit,
    .end = record_end,
    .forget = record_forget,
    .killed = record_kill,
    .ring_closed = record_close_ring,
};

void
record_configure(const struct hardware *hw, struct sim_config *config)
{
	facts_profile(&hw->facts, &config->profile);
	config->sched = &sched_follow;
}

/* Each request in flight has a descriptor: as many as this process may have. */
static void
take_descriptors(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

struct record *
record_new(struct hardware *hw, struct sim *sim, struct text *err)
{
	struct record *r = mem_calloc(1, sizeof *r);

	r->followed.ops = &record_ops;
	r->hw = hw;
	r->sim = sim;
	r->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (r->epoll < 0) {
		text_addf(err, "no epoll: %s", strerror(errno));
		free(r);
		return NULL;
	}
	take_descriptors();
	r->base_ns = r->clock_ns = hardware_now();
	follow_device(sim, &r->followed);
	return r;
}

void
record_free(struct record *r)
{
	if (r == NULL)
		return;
	record_finish(r);
	while (r->requests != NULL)
		record_request_free(r, r->requests);
	record_contexts_free(r);
	record_clients_free(r);
	close(r->epoll);
	text_free(&r->failure);
	free(r);
}

const struct hardware *
record_hardware(const struct record *r)
{
	return r->hw;
}

int
record_fd(const struct record *r)
{
	return r->epoll;
}

nsec
record_patience(const struct record *r)
{
	return r->any_unwatched ? NSEC_PER_MSEC : NSEC_NEVER;
}

nsec
record_wall(const struct record *r, nsec time)
{
	return time < NSEC_NEVER - r->base_ns ? r->base_ns + time : NSEC_NEVER;
}

void
record_set_time(struct record *r, nsec time)
{
	r->base_ns = hardware_now() - time;
}

void
record_fail(struct record *r, struct text *err)
{
	if (r->failure.len == 0 && hardware_works(r->hw, &r->failure))
		text_adds(&r->failure, text_str(err));
	text_free(err);
}

void
record_check(struct record *r)
{
	if (r->failure.len == 0)
		hardware_works(r->hw, &r->failure);
}

const char *
record_failure(const struct record *r)
{
	return text_str(&r->failure);
}

/* Returns true if the GPU has a request that is not known to have ended. */
static bool
is_busy(const struct record *r)
{
	for (const struct record_request *q = r->requests; q != NULL;
	     q = q->next)
		if (q->submitted && !q->ended)
			return true;
	return false;
}

void
record_end_batches(struct record *r)
{
	for (struct record_request *q = r->requests; q != NULL; q = q->next)
		record_end_request(q);
}

void
record_finish(struct record *r)
{
	nsec until = hardware_now() + LAST_NS, now;
	struct pollfd ends = {.fd = r->epoll, .events = POLLIN};

	record_end_batches(r);
	record_ask_fences(r);
	while (is_busy(r) && (now = hardware_now()) < until) {
		nsec most = nsec_earlier(record_patience(r), until - now);

		poll(&ends, 1, (int)(most / NSEC_PER_MSEC) + 1);
		record_ask_fences(r);
	}
}

/* Returns the simulation's time of a stamp, which is not after now. */
static nsec
stamp_time(const struct record *r, uint64_t ticks, nsec now)
{
	nsec cpu = clock_time(&r->hw->clock, ticks),
	     torn = TORN * NSEC_PER_SEC / r->hw->clock.hz / 2;

	if (cpu > r->base_ns + now + torn)
		cpu = clock_time(&r->hw->clock, ticks - TORN);
	return cpu > r->base_ns ? cpu - r->base_ns : 0;
}

/* Returns the engine that a batch began on: of a virtual engine by its mark,
 * else one that is free. */
static struct hw_engine *
engine_begun(const struct record *r, const struct request *rq,
    const struct batch_stamps *stamps)
{
	int found = hardware_engine_of(r->hw, stamps->mark);
	engine_mask allowed = rq->allowed;
	struct device *dev = &r->sim->device;

	if (found >= 0 && (allowed >> found & 1) != 0)
		return &dev->engines[found];
	for (engine_mask m = allowed; m != 0; m &= m - 1) {
		struct hw_engine *e = &dev->engines[__builtin_ctzll(m)];

		if (e->running == NULL)
			return e;
	}
	return &dev->engines[__builtin_ctzll(allowed)];
}

/* Reports what the stamps of a row say. Returns its time that was seen last. */
static nsec
report_row(struct record *r, struct record_row *row, nsec now)
{
	const struct request *rq = request_get(row->rq);
	struct batch_stamps stamps;
	nsec start, seen;

	if (row->page == NULL || rq == NULL)
		return now;
	batch_read(row->page->object.map, &stamps);
	if (!stamps.begun)
		return now;
	start = stamp_time(r, stamps.start, now);
	seen = nsec_later(start, stamp_time(r, stamps.seen, now));
	if (!row->started)
		follow_started(
		    r->sim, row->rq, engine_begun(r, rq, &stamps), start);
	else if (row->seen != stamps.seen)
		follow_ran(r->sim, row->rq, NULL, seen);
	row->started = true;
	row->seen = stamps.seen;
	return seen;
}

/* Returns true if the context of a request was reset since, for a batch of its
 * own. */
static bool
was_guilty(struct record *r, struct record_request *q)
{
	struct gpu_context_resets resets;
	bool guilty;

	if (q->killed || gpu_context_resets(r->hw, q->gpu->id, &resets) != 0)
		return false;
	guilty = resets.guilty != q->gpu->guilty;
	q->gpu->guilty = resets.guilty;
	return guilty;
}

/* Reports the end of a request with the error of its fence. */
static void
report_failed(struct record *r, struct record_request *q, nsec now)
{
	nsec time = q->fence_ns > r->base_ns ? q->fence_ns - r->base_ns : now;
	bool guilty = was_guilty(r, q);

	if (!guilty && !q->killed)
		record_check(r);
	for (uint32_t i = 0; i < q->n_rows; i++) {
		report_row(r, &q->rows[i], now);
		/* The driver does not say how it found the hang. */
		if (guilty)
			follow_hung(r->sim, q->rows[i].rq, time,
			    q->error == -EINTR ? HANG_REQUEST : HANG_HEARTBEAT,
			    q->error);
		else
			follow_ended(r->sim, q->rows[i].rq, time, q->error);
	}
}

/* Sets the clock by a request that has ended. */
static void
observe_request(struct record *r, const struct record_request *q)
{
	struct clock_batch batch = {
	    .submitted_ns = q->submitted_ns, .signalled_ns = q->fence_ns};
	struct batch_stamps stamps;

	if (!r->hw->clock.by_batches || q->n_rows > 1)
		return;
	batch_read(q->rows[0].page->object.map, &stamps);
	batch.start = stamps.start;
	batch.seen = stamps.seen;
	clock_observe(&r->hw->clock, &batch);
}

/* Reports how long a batch ran by the clock of its context. */
static void
report_worked(struct record *r, const struct record_row *row)
{
	struct batch_stamps stamps;

	batch_read(row->page->object.map, &stamps);
	if (stamps.worked > 0)
		follow_worked(r->sim, row->rq,
		    clock_span(stamps.worked, r->hw->context_hz));
}

static void
report_finished(struct record *r, struct record_request *q, nsec now)
{
	if (q->error == 0)
		observe_request(r, q);
	if (q->error != 0) {
		report_failed(r, q, now);
		return;
	}
	for (uint32_t i = 0; i < q->n_rows; i++) {
		nsec end = report_row(r, &q->rows[i], now);

		report_worked(r, &q->rows[i]);
		follow_ended(r->sim, q->rows[i].rq, end, 0);
	}
}

/* Reports requests of a ring, in order: those that have ended leave its queue,
 * the first that has not is looked at. */
static void
report_ring(struct record *r, struct record_ring *rr, nsec now)
{
	while (rr->first != NULL && rr->first->ended) {
		struct record_request *q = rr->first;

		rr->first = q->next_of_ring;
		q->next_of_ring = NULL;
		if (rr->first == NULL)
			rr->last = &rr->first;
		report_finished(r, q, now);
	}
	for (uint32_t i = 0; rr->first != NULL && i < rr->first->n_rows; i++)
		report_row(r, &rr->first->rows[i], now);
}

/* Reports requests of all rings that have some in flight. */
static void
report_rings(struct record *r, nsec now)
{
	struct record_ring **at = &r->busy, *rr;

	while ((rr = *at) != NULL) {
		report_ring(r, rr, now);
		rr->busy = rr->first != NULL;
		if (rr->busy)
			at = &rr->next_busy;
		else
			*at = rr->next_busy;
	}
}

/* Notes that a fence has signalled, or has gone with the device. */
static void
note_signalled(struct record *r, struct record_request *q)
{
	struct sync_info info = {0};
	int rc = sync_ask(q->fence, &info);

	q->ended = true;
	q->error = rc != 0 ? rc : info.error;
	q->fence_ns = info.time_ns;
	epoll_ctl(r->epoll, EPOLL_CTL_DEL, q->fence, NULL);
}

/* Looks at the fences, one by one, that epoll had no room for. */
static void
ask_unwatched(struct record *r)
{
	r->any_unwatched = false;
	for (struct record_request *q = r->requests; q != NULL; q = q->next) {
		struct pollfd fence = {.fd = q->fence, .events = POLLIN};

		if (!q->unwatched || !q->submitted || q->ended)
			continue;
		if (poll(&fence, 1, 0) > 0)
			note_signalled(r, q);
		else
			r->any_unwatched = true;
	}
}

void
record_ask_fences(struct record *r)
{
	struct epoll_event events[MOST_EVENTS];
	int n;

	do {
		n = epoll_wait(r->epoll, events, MOST_EVENTS, 0);
		for (int i = 0; i < n; i++)
			note_signalled(r, events[i].data.ptr);
	} while (n == MOST_EVENTS || (n < 0 && errno == EINTR));
	if (r->any_unwatched)
		ask_unwatched(r);
}

static void
report_bans(struct record *r)
{
	r->any_banned = false;
	for (struct record_context *rc = r->contexts; rc != NULL;
	     rc = rc->next) {
		if (rc->banned)
			follow_banned(r->sim, rc->context);
		rc->banned = false;
	}
}

/* A GPU that slept may count from 0 again. */
static void
set_clock_if_due(struct record *r)
{
	nsec now = hardware_now(),
	     every = r->was_idle ? CLOCK_IDLE_NS : CLOCK_EVERY_NS;
	struct text err = {0};

	if (now - r->clock_ns < every)
		return;
	if (!clock_set(&r->hw->clock, r->hw->fd, &err))
		record_check(r);
	text_free(&err);
	r->clock_ns = now;
	r->was_idle = false;
}

nsec
record_look(struct record *r)
{
	nsec now;

	set_clock_if_due(r);
	now = hardware_now() - r->base_ns;
	record_ask_fences(r);
	report_rings(r, now);
	if (r->any_banned)
		report_bans(r);
	return now;
}
