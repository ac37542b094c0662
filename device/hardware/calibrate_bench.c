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

/* Returns an engine of another class, else another one; if there is only one, that. */
static unsigned
other_engine(const struct facts *facts, unsigned engine)
{
	unsigned other = engine;

	for (unsigned i = 1; i < facts->n_engines; i++) {
		unsigned e = (engine + i) % facts->n_engines;

		if (facts->engines[e].class != facts->engines[engine].class)
			return e;
		other = e;
	}
	return other;
}

/* Creates a context whose slots are all one engine. */
static void
open_bench_context(
    struct bench *b, unsigned context, unsigned engine, int priority)
{
	struct slot_setup slots[BENCH_RINGS];
	struct gpu_context_setup setup = {.space = b->space,
	    .priority = priority,
	    .slots = slots,
	    .n_slots = BENCH_RINGS};

	for (unsigned i = 0; i < BENCH_RINGS; i++)
		slots[i] = (struct slot_setup){
		    .engines = UINT64_C(1) << engine};
	if (bench_ok(b))
		gpu_context_new(
		    b->hw, &setup, &b->contexts[context], &b->failure);
}

void
bench_open(struct bench *b, struct hardware *hw, unsigned engine)
{
	bool polls = hw->facts.submission == BY_EXECLISTS;

	*b = (struct bench){.hw = hw,
	    .engine = engine,
	    .other = other_engine(&hw->facts, engine)};
	if (!memory_space_new(hw, &b->space, &b->failure))
		return;
	for (unsigned i = 0; i <= BENCH_BLOCKER; i++)
		open_bench_context(b, i, engine, 0);
	open_bench_context(b, BENCH_WAITER, engine, polls ? -1 : 0);
	open_bench_context(b, BENCH_OTHER, b->other, 0);
}

void
bench_set_priority(struct bench *b, unsigned context, int priority)
{
	if (bench_ok(b))
		gpu_context_set_priority(
		    b->hw, b->contexts[context], priority, &b->failure);
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
	for (unsigned i = 0; i < BENCH_CONTEXTS; i++)
		if (b->contexts[i] != 0)
			gpu_context_free(b->hw, b->contexts[i]);
	if (b->space != 0)
		memory_space_free(b->hw, b->space);
	pages_free(b->hw, &b->pool);
	text_free(&b->failure);
}

/* A ring, and what its next batch waits for. */
struct bench_place {
	unsigned context, slot;
	int wait; /* fence; -1: none */
};

/* Submits a page. Returns 0 or -errno; *fence is for close(). */
static int
bench_execute(struct bench *b, struct batch_page *page,
    const struct bench_place *place, int *fence, nsec *before_ns)
{
	struct gpu_execbuf s = {.context = b->contexts[place->context],
	    .slot = place->slot,
	    .pages = &page,
	    .n_pages = 1,
	    .wait = place->wait,
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
    struct bench *b, struct bench_batch *batch, const struct bench_place *place)
{
	int rc = bench_execute(
	    b, batch->page, place, &batch->fence, &batch->before_ns);

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
	return bench_submit(b, batch, &(struct bench_place){context, slot, -1});
}

/* Submits a batch with a loop to the first slot of a context; wait: fence, -1: none. */
static struct bench_batch *
bench_loop(
    struct bench *b, unsigned context, int wait, nsec duration_ns, bool points)
{
	unsigned engine = context == BENCH_OTHER ? b->other : b->engine;
	struct batch_order order = {.duration_ns = duration_ns,
	    .points = points,
	    .engines = UINT64_C(1) << engine};
	struct bench_batch *batch = bench_batch_new(b);

	if (batch == NULL)
		return NULL;
	batch_write(b->hw, &order, batch->page->object.map,
	    batch->page->object.address);
	return bench_submit(b, batch, &(struct bench_place){context, 0, wait});
}

struct bench_batch *
bench_spin(struct bench *b, unsigned context, bool points)
{
	return bench_loop(b, context, -1, NSEC_NEVER, points);
}

struct bench_batch *
bench_timed(struct bench *b, unsigned context, nsec duration_ns)
{
	return bench_loop(b, context, -1, duration_ns, true);
}

struct bench_batch *
bench_spin_after(
    struct bench *b, unsigned context, const struct bench_batch *after)
{
	if (after == NULL)
		return NULL;
	return bench_loop(b, context, after->fence, NSEC_NEVER, true);
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
	struct bench_place place = {context, slot, -1};
	nsec before_ns;
	int fence, rc;

	if (!bench_ok(b))
		return -ECANCELED;
	rc = bench_execute(b, batch->page, &place, &fence, &before_ns);
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

bool
bench_is_over(const struct bench *b, const struct bench_batch *batch)
{
	struct sync_info info;

	return bench_ok(b) &&
	    (sync_ask(batch->fence, &info) != 0 || info.signalled);
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
