/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Requests of a simulation in the driver: what they need is kept when they are
 * noted, and becomes an execbuf when they are submitted.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "device/hardware/context.h"
#include "device/hardware/record_private.h"
#include "device/hardware/sync_file.h"
#include "engine/client/client.h"

/* How long a batch is tried again that the driver does not take, for no reason that is
 * known. */
#define TRY_AGAIN_NS (100 * NSEC_PER_MSEC)

/* Notes. */

static void
keep_rows(struct record_request *q, struct request *rq)
{
	for (; rq != NULL; rq = rq->next_row) {
		if (q->n_rows < SUBMIT_MAX_ROWS)
			q->rows[q->n_rows].rq = request_ref(rq);
		q->n_rows++;
		follow_set_data(rq, q);
	}
}

static void
keep_uses(struct record_request *q, const struct submission *s)
{
	q->uses = mem_calloc(s->n_uses + 1, sizeof *q->uses);
	for (uint32_t i = 0; i < s->n_uses; i++) {
		const struct object_use *use = &s->uses[i];

		q->uses[q->n_uses++] = (struct record_use){
		    s->objects[use->shared], *use};
	}
}

static void
keep_waits(struct record_request *q, const struct dependency *deps, size_t n)
{
	q->waits = mem_calloc(n + 1, sizeof *q->waits);
	for (size_t i = 0; i < n; i++) {
		enum wait_cause cause = deps[i].cause;

		if (cause != WAIT_FENCE && cause != WAIT_SUBMIT)
			continue;
		q->waits[q->n_waits].rq = request_ref(deps[i].signaler);
		q->waits[q->n_waits++].at_start = cause == WAIT_SUBMIT;
	}
}

void
record_note(struct followed *device, struct request *rq,
    const struct submission *s, const struct dependency *deps, size_t n)
{
	struct record *r = record_of(device);
	struct record_request *q = mem_calloc(1, sizeof *q);

	q->fence = -1;
	q->ring = rq->ring->sched_data;
	q->client = q->ring != NULL ? q->ring->context->client : NULL;
	if (q->client != NULL)
		q->client->n_users++;
	keep_rows(q, rq);
	keep_uses(q, s);
	keep_waits(q, deps, n);
	q->next = r->requests;
	if (q->next != NULL)
		q->next->prev = q;
	r->requests = q;
}

/* Submissions. */

/* Writes the batch of a row to a page of its own, unless it was written. */
static bool
write_row(struct record *r, struct record_request *q, struct record_row *row)
{
	const struct request *rq = request_get(row->rq);
	struct batch_order order = {.duration_ns = rq->duration_ns,
	    .points = rq->preempt_ns > 0,
	    .engines = q->ring->engines};
	struct text err = {0};

	if (row->page != NULL)
		return true;
	if (q->n_rows > 1 || order.engines == 0)
		order.engines = rq->allowed;
	if (batch_possible(r->hw, &order, &err))
		row->page = page_take(r->hw, &q->client->pool, &err);
	if (row->page == NULL) {
		record_fail(r, &err);
		return false;
	}
	batch_write(
	    r->hw, &order, row->page->object.map, row->page->object.address);
	return true;
}

/* Adds a fence to those that are waited for. Returns 0 or -errno; *fence is its
 * own from the second on (*own). */
static int
merge_fence(int *fence, bool *own, int more)
{
	int both;

	if (*fence < 0) {
		*fence = more;
		return 0;
	}
	both = sync_merge(*fence, more);
	if (both < 0)
		return both;
	if (*own)
		close(*fence);
	*fence = both;
	*own = true;
	return 0;
}

/* The fences that a submission waits for. */
struct record_fences {
	int start, end; /* -1: none */
	bool own_start, own_end;
};

/* Finds the fences of a request's waits that are not over. Returns 0 or
 * -errno. */
static int
find_fences(const struct record_request *q, struct record_fences *f)
{
	int rc = 0;

	*f = (struct record_fences){-1, -1, false, false};
	for (uint32_t i = 0; rc == 0 && i < q->n_waits; i++) {
		const struct request *rq = request_get(q->waits[i].rq);
		const struct record_request *on = rq != NULL ? follow_data(rq)
							     : NULL;

		if (on == NULL || on->fence < 0)
			continue;
		rc = q->waits[i].at_start
		    ? merge_fence(&f->start, &f->own_start, on->fence)
		    : merge_fence(&f->end, &f->own_end, on->fence);
	}
	return rc;
}

static void
close_fences(const struct record_fences *f)
{
	if (f->own_start)
		close(f->start);
	if (f->own_end)
		close(f->end);
}

/* Sets the priority and slices that the request has been submitted with. */
static bool
set_parameters(struct record *r, struct record_request *q,
    const struct request *rq, struct text *err)
{
	struct record_gpu *gpu = q->ring->context->gpu;
	uint32_t all = device_all_slices(&r->sim->device), mask;
	int priority = record_priority(r, rq->priority);

	mask = rq->ring->sseu != 0 ? rq->ring->sseu : rq->context->sseu;
	mask = (mask & all) == all ? 0 : mask & all;
	if (gpu->priority != priority &&
	    !gpu_context_set_priority(r->hw, gpu->id, priority, err))
		return false;
	gpu->priority = priority;
	if (mask == q->ring->slices || (q->ring->engines & 1) == 0 ||
	    r->sim->device.engines[0].class != CLASS_RCS)
		return true;
	if (!gpu_context_set_slices(r->hw, gpu->id, q->ring->slot, mask, err))
		return false;
	q->ring->slices = mask;
	return true;
}

static void
look_at_ring(struct record *r, struct record_ring *ring)
{
	if (ring->busy)
		return;
	ring->busy = true;
	ring->next_busy = r->busy;
	r->busy = ring;
}

static void
queue_request(struct record *r, struct record_request *q)
{
	struct epoll_event event = {.events = EPOLLIN, .data.ptr = q};

	r->was_idle = r->was_idle || follow_counts(r->sim)->n_in_flight == 0;
	q->gpu = q->ring->context->gpu;
	q->gpu->n_users++;
	q->submitted = true;
	*q->ring->last = q;
	q->ring->last = &q->next_of_ring;
	look_at_ring(r, q->ring);
	q->unwatched = epoll_ctl(r->epoll, EPOLL_CTL_ADD, q->fence, &event) !=
	    0;
	r->any_unwatched = r->any_unwatched || q->unwatched;
}

/* Submits a request whose batches are written. Returns 0 or -errno. */
static int
execute_request(struct record *r, struct record_request *q, nsec *time_ns)
{
	struct batch_page *pages[SUBMIT_MAX_ROWS];
	struct gpu_use *uses = mem_calloc(q->n_uses + 1, sizeof *uses);
	struct gpu_execbuf e = {.context = q->ring->context->gpu->id,
	    .slot = q->ring->slot,
	    .pages = pages,
	    .n_pages = q->n_rows,
	    .uses = uses,
	    .n_uses = q->n_uses};
	struct record_fences fences;
	int rc = find_fences(q, &fences);

	e.wait_start = fences.start;
	e.wait = fences.end;

	for (uint32_t i = 0; i < q->n_rows; i++)
		pages[i] = q->rows[i].page;
	for (uint32_t i = 0; rc == 0 && i < q->n_uses; i++) {
		uses[i].object = record_object(r, q->client, &q->uses[i]);
		uses[i].write = q->uses[i].use.write;
		rc = uses[i].object != NULL ? 0 : -ENOMEM;
	}
	if (rc == 0)
		rc = gpu_submit(r->hw, &e, &q->fence, time_ns);
	close_fences(&fences);
	free(uses);
	return rc;
}

/* Reports an execbuf that failed: one of a banned context ends its request, and
 * the run goes on, unless the GPU is lost; others are failures of the run. */
static void
note_refusal(struct record *r, struct record_request *q, int rc)
{
	struct text err = {0};

	record_check(r);
	if (rc == -EIO) {
		q->ring->context->banned = true;
		r->any_banned = true;
		return;
	}
	text_addf(
	    &err, "%s refuses a batch: %s", r->hw->facts.path, strerror(-rc));
	record_fail(r, &err);
}

/* As execute_request(). The driver has no room for a ring that is full; with
 * nothing in flight there is another reason, which may pass. */
static int
execute_until_taken(struct record *r, struct record_request *q, nsec *time_ns)
{
	nsec until = hardware_now() + TRY_AGAIN_NS;
	int rc = execute_request(r, q, time_ns);

	while (
	    rc == -EAGAIN && q->ring->first == NULL && hardware_now() < until) {
		poll(NULL, 0, 1);
		rc = execute_request(r, q, time_ns);
	}
	return rc == -EAGAIN && q->ring->first == NULL ? -EBUSY : rc;
}

int
record_submit(struct followed *device, struct request *rq, nsec *time_ns)
{
	struct record *r = record_of(device);
	struct record_request *q = follow_data(rq);
	struct text err = {0};
	nsec cpu_ns;
	int rc;

	if (r->failure.len > 0)
		return -ENODEV;
	if (q->ring == NULL || q->ring->context->gpu == NULL)
		return -EIO;
	if (q->n_rows > SUBMIT_MAX_ROWS)
		return -EINVAL;
	for (uint32_t i = 0; i < q->n_rows; i++)
		if (!write_row(r, q, &q->rows[i]))
			return -ENODEV;
	if (!set_parameters(r, q, rq, &err)) {
		record_fail(r, &err);
		return -ENODEV;
	}
	rc = execute_until_taken(r, q, &cpu_ns);
	/* Descriptors come back with requests that end. */
	if (rc == -EMFILE && follow_counts(r->sim)->n_in_flight > 0)
		rc = -EAGAIN;
	if (rc == 0) {
		q->submitted_ns = cpu_ns;
		*time_ns = cpu_ns - r->base_ns;
		queue_request(r, q);
	} else if (rc != -EAGAIN) {
		note_refusal(r, q, rc);
	}
	return r->failure.len > 0 ? -ENODEV : rc;
}

void
record_end_request(struct record_request *q)
{
	for (uint32_t i = 0; i < q->n_rows && i < SUBMIT_MAX_ROWS; i++)
		if (q->rows[i].page != NULL)
			batch_end(q->rows[i].page->object.map);
}

void
record_end(struct followed *device, struct request *rq)
{
	const struct record_request *q = follow_data(rq);

	(void)device;
	for (uint32_t i = 0; rq != NULL && i < q->n_rows;
	     i++, rq = rq->next_row)
		if (rq->infinite && q->rows[i].page != NULL)
			batch_end(q->rows[i].page->object.map);
}

/* Takes a request out of the queue of its ring. */
static void
unqueue_request(struct record_request *q)
{
	struct record_request **at = &q->ring->first;

	while (*at != NULL && *at != q)
		at = &(*at)->next_of_ring;
	if (*at == NULL)
		return;
	*at = q->next_of_ring;
	if (q->ring->last == &q->next_of_ring)
		q->ring->last = at;
}

void
record_request_free(struct record *r, struct record_request *q)
{
	if (q->submitted)
		unqueue_request(q);
	if (q->fence >= 0)
		close(q->fence);
	for (uint32_t i = 0; i < q->n_rows && i < SUBMIT_MAX_ROWS; i++)
		if (q->rows[i].page != NULL)
			page_give(&q->client->pool, q->rows[i].page);
	record_gpu_put(r, q->gpu);
	if (q->prev != NULL)
		q->prev->next = q->next;
	else
		r->requests = q->next;
	if (q->next != NULL)
		q->next->prev = q->prev;
	record_client_put(r, q->client);
	free(q->uses);
	free(q->waits);
	free(q);
}

void
record_forget(struct followed *device, struct request *rq)
{
	record_request_free(record_of(device), follow_data(rq));
}
