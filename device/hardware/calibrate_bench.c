/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bench of calibration: one engine, contexts whose slots are all that engine,
 * and batches that store clocks. No call of it decides what is measured.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "device/hardware/calibrate_private.h"
#include "device/hardware/context.h"
#include "device/hardware/submit.h"
#include "device/hardware/sync_file.h"

/* Between two looks at a batch: a hundredth of the limit, in these bounds. */
#define LEAST_LOOK (20 * NSEC_PER_USEC)
#define MOST_LOOK  NSEC_PER_MSEC
/* Multiples of it spread evenly, also in a half or a fifth of a span. */
#define PHASE_STEP 0.718281828

static void
bench_fail(struct bench *b, const char *what, int rc)
{
	if (bench_ok(b))
		text_addf(&b->failure, "%s: %s: %s", b->hw->facts.path, what,
		    strerror(-rc));
}

void
bench_open(struct bench *b, struct hardware *hw, unsigned engine)
{
	struct slot_setup slots[BENCH_RINGS];
	struct gpu_context_setup setup = {
	    .slots = slots, .n_slots = BENCH_RINGS};

	*b = (struct bench){.hw = hw, .engine = engine};
	for (unsigned i = 0; i < BENCH_RINGS; i++)
		slots[i] = (struct slot_setup){
		    .engines = UINT64_C(1) << engine};
	if (!memory_space_new(hw, &b->space, &b->failure))
		return;
	setup.space = b->space;
	for (unsigned i = 0; bench_ok(b) && i <= BENCH_RINGS; i++)
		gpu_context_new(hw, &setup, &b->contexts[i], &b->failure);
}

bool
bench_ok(const struct bench *b)
{
	return b->failure.len == 0;
}

void
bench_set_clock(const struct bench *b)
{
	struct text err = {0};

	/* A clock that cannot be read stays as it was. */
	clock_set(&b->hw->clock, b->hw->fd, &err);
	text_free(&err);
}

/* Frees a batch that is in the list. */
static void
bench_forget(struct bench *b, struct bench_batch *batch)
{
	struct bench_batch **at = &b->live;

	while (*at != batch)
		at = &(*at)->next;
	*at = batch->next;
	if (batch->fence >= 0)
		close(batch->fence);
	page_give(&b->pool, batch->page);
	free(batch);
}

void
bench_close(struct bench *b)
{
	while (b->live != NULL) {
		bench_end(b->live);
		bench_forget(b, b->live);
	}
	for (unsigned i = 0; i <= BENCH_RINGS; i++)
		if (b->contexts[i] != 0)
			gpu_context_free(b->hw, b->contexts[i]);
	if (b->space != 0)
		memory_space_free(b->hw, b->space);
	pages_free(b->hw, &b->pool);
	text_free(&b->failure);
}

/* Submits a page to a ring. Returns 0 or -errno; *fence is for close(). */
static int
bench_execute(struct bench *b, struct batch_page *page, unsigned context,
    unsigned slot, int *fence, nsec *before_ns)
{
	struct gpu_execbuf s = {.context = b->contexts[context],
	    .slot = slot,
	    .pages = &page,
	    .n_pages = 1,
	    .wait = -1,
	    .wait_start = -1};

	return gpu_submit(b->hw, &s, fence, before_ns);
}

/* Returns a batch with a page; NULL: the bench has failed. */
static struct bench_batch *
bench_batch_new(struct bench *b)
{
	struct bench_batch *batch;
	struct batch_page *page;

	if (!bench_ok(b))
		return NULL;
	page = page_take(b->hw, &b->pool, &b->failure);
	if (page == NULL)
		return NULL;
	batch = mem_calloc(1, sizeof *batch);
	*batch = (struct bench_batch){
	    .page = page, .fence = -1, .next = b->live};
	b->live = batch;
	return batch;
}

/* Returns the batch; NULL: the bench has failed. */
static struct bench_batch *
bench_submit(
    struct bench *b, struct bench_batch *batch, unsigned context, unsigned slot)
{
	int rc = bench_execute(
	    b, batch->page, context, slot, &batch->fence, &batch->before_ns);

	batch->after_ns = hardware_now();
	if (rc == 0)
		return batch;
	bench_fail(b, "no batch is taken", rc);
	bench_forget(b, batch);
	return NULL;
}

struct bench_batch *
bench_clocks(struct bench *b, unsigned context, unsigned slot, unsigned n)
{
	struct bench_batch *batch = bench_batch_new(b);

	if (batch == NULL)
		return NULL;
	batch->n_clocks = n;
	batch_write_clocks(b->hw, b->engine, n, batch->page->object.map,
	    batch->page->object.address);
	return bench_submit(b, batch, context, slot);
}

struct bench_batch *
bench_spin(struct bench *b, unsigned context, bool points)
{
	struct batch_order order = {.duration_ns = NSEC_NEVER,
	    .points = points,
	    .engines = UINT64_C(1) << b->engine};
	struct bench_batch *batch = bench_batch_new(b);

	if (batch == NULL)
		return NULL;
	batch_write(b->hw, &order, batch->page->object.map,
	    batch->page->object.address);
	return bench_submit(b, batch, context, 0);
}

void
bench_end(const struct bench_batch *batch)
{
	if (batch != NULL)
		batch_end(batch->page->object.map);
}

int
bench_again(struct bench *b, const struct bench_batch *batch, unsigned context,
    unsigned slot)
{
	nsec before_ns;
	int fence, rc;

	if (!bench_ok(b))
		return -ECANCELED;
	rc = bench_execute(b, batch->page, context, slot, &fence, &before_ns);
	if (rc == 0)
		close(fence);
	return rc;
}

bool
bench_begins(const struct bench *b, const struct bench_batch *batch, nsec limit)
{
	struct batch_stamps stamps = {0};
	nsec until = hardware_now() + limit, look = limit / 100;

	while (bench_ok(b) && !stamps.begun) {
		batch_read(batch->page->object.map, &stamps);
		if (stamps.begun || hardware_now() > until)
			break;
		bench_pause(look < LEAST_LOOK ? LEAST_LOOK
			: look > MOST_LOOK    ? MOST_LOOK
					      : look);
	}
	return stamps.begun;
}

struct bench_result
bench_look(const struct bench *b, const struct bench_batch *batch)
{
	struct bench_result r = {0};
	const uint32_t *page;

	if (batch == NULL)
		return r;
	page = batch->page->object.map;
	r.before_ns = batch->before_ns;
	r.after_ns = batch->after_ns;

	batch_read(page, &r.stamps);
	if (batch->n_clocks > 0)
		r.clocks_ns = bench_ns(b,
		    batch_read_clock(page, batch->n_clocks - 1) -
			batch_read_clock(page, 0));
	return r;
}

/* Where the clock cannot be read it is known by batches that have ended. */
static void
observe_end(const struct bench *b, const struct bench_batch *batch,
    const struct batch_stamps *stamps)
{
	struct clock_batch times = {
	    stamps->start, stamps->seen, batch->before_ns, 0};
	struct sync_info info;

	if (!b->hw->clock.by_batches || sync_ask(batch->fence, &info) != 0)
		return;
	times.signalled_ns = info.time_ns;
	clock_observe(&b->hw->clock, &times);
}

struct bench_result
bench_finish(struct bench *b, struct bench_batch *batch)
{
	struct bench_result r = {0};
	int rc;

	if (!bench_ok(b) || batch == NULL)
		return r;
	rc = sync_wait(batch->fence, hardware_now() + BENCH_LIMIT);
	if (rc != 0) {
		bench_fail(b, "a batch of the calibration has not ended", rc);
		return r;
	}
	r = bench_look(b, batch);
	observe_end(b, batch, &r.stamps);
	bench_forget(b, batch);
	return r;
}

void
bench_pause(nsec ns)
{
	struct timespec t = {.tv_sec = (time_t)(ns / NSEC_PER_SEC),
	    .tv_nsec = (long)(ns % NSEC_PER_SEC)};

	nanosleep(&t, NULL);
}

nsec
bench_phase(unsigned i, nsec span)
{
	return (nsec)(fmod(i * PHASE_STEP, 1) * (double)span);
}

double
bench_ns(const struct bench *b, double ticks)
{
	return ticks * (double)NSEC_PER_SEC / (double)b->hw->facts.ring_hz;
}
