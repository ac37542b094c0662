/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A trial of each engine: does it run a batch, which mark does it have, which
 * clock do its contexts count by. All of it is gone afterwards.
 */
#include "device/hardware/trial.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "device/hardware/batch.h"
#include "device/hardware/context.h"
#include "device/hardware/hardware.h"
#include "device/hardware/submit.h"
#include "device/hardware/sync_file.h"
#include "engine/profile.h"

#define TRIAL_NS (500 * NSEC_PER_USEC)
#define LIMIT_NS (5 * NSEC_PER_SEC)
/* Tolerance of a ratio of two clocks that a trial measures, in parts of 1000. */
#define TOLERANCE 30

struct engine_trial {
	struct hardware *hw;
	uint32_t space, context;
	struct page_pool pool;
	struct batch_page *pages[DEVICE_MAX_ENGINES];
	int fences[DEVICE_MAX_ENGINES];
	nsec submitted_ns[DEVICE_MAX_ENGINES];
	unsigned n; /* batches that were submitted */
};

static bool
make_context(struct engine_trial *t, struct text *err)
{
	struct slot_setup slots[DEVICE_MAX_ENGINES];
	struct gpu_context_setup setup = {
	    .slots = slots, .n_slots = t->hw->facts.n_engines};

	if (!memory_space_new(t->hw, &t->space, err))
		return false;
	for (unsigned i = 0; i < setup.n_slots; i++)
		slots[i] = (struct slot_setup){.engines = UINT64_C(1) << i};
	setup.space = t->space;
	return gpu_context_new(t->hw, &setup, &t->context, err);
}

/* Names an engine for the user, as -l does. */
static void
add_engine_name(const struct hardware *hw, unsigned engine, struct text *err)
{
	struct profile profile;
	struct device dev;

	facts_profile(&hw->facts, &profile);
	device_init(&dev, &profile);
	text_addf(
	    err, "%s: engine %s", hw->facts.path, dev.engines[engine].name);
}

/* Submits the batch of the next engine. */
static bool
submit_trial(struct engine_trial *t, struct text *err)
{
	struct batch_order order = {.duration_ns = TRIAL_NS,
	    .points = t->hw->facts.has[FEATURE_PREEMPTION],
	    .engines = UINT64_C(1) << t->n};
	struct gpu_execbuf s = {.context = t->context,
	    .slot = t->n,
	    .pages = &t->pages[t->n],
	    .n_pages = 1,
	    .wait = -1,
	    .wait_start = -1};
	int rc;

	t->pages[t->n] = page_take(t->hw, &t->pool, err);
	if (t->pages[t->n] == NULL)
		return false;
	batch_write(t->hw, &order, t->pages[t->n]->object.map,
	    t->pages[t->n]->object.address);
	rc = gpu_submit(t->hw, &s, &t->fences[t->n], &t->submitted_ns[t->n]);
	if (rc == 0) {
		t->n++;
		return true;
	}
	page_give(&t->pool, t->pages[t->n]);
	add_engine_name(t->hw, t->n, err);
	text_addf(err, " takes no batch: %s", strerror(-rc));
	return false;
}

/* Waits for all batches. */
static bool
wait_trials(struct engine_trial *t, struct text *err)
{
	nsec until = hardware_now() + LIMIT_NS;

	for (unsigned i = 0; i < t->n; i++) {
		int rc = sync_wait(t->fences[i], until);

		if (rc == 0)
			continue;
		add_engine_name(t->hw, i, err);
		text_addf(err,
		    " has not run a batch of %u us within %u s: %s; expected a "
		    "GPU that others leave time",
		    (unsigned)(TRIAL_NS / 1000),
		    (unsigned)(LIMIT_NS / NSEC_PER_SEC), strerror(-rc));
		return false;
	}
	return true;
}

/* Keeps the marks if they tell the engines apart. */
static void
keep_marks(struct hardware *hw, const struct batch_stamps *stamps)
{
	for (unsigned i = 0; i < hw->facts.n_engines; i++)
		hw->marks[i] = stamps[i].mark;
	for (unsigned i = 0; i < hw->facts.n_engines; i++)
		if (hardware_engine_of(hw, hw->marks[i]) != (int)i)
			memset(hw->marks, 0, sizeof hw->marks);
}

/*
 * Sets the clock of contexts. A batch that was preempted ran for longer than it
 * worked, so that the greatest ratio of the two counts; and only known clocks
 * do: that of the ring, and those of Ice Lake (gt/intel_gt_clock_utils.c, and
 * gem_wsim's).
 */
static void
keep_clock(struct hardware *hw, const struct batch_stamps *stamps)
{
	const uint64_t clocks[] = {hw->facts.ring_hz, 13750000, 12500000};
	uint64_t most = 0;

	for (unsigned i = 0; i < hw->facts.n_engines; i++) {
		uint64_t ran = stamps[i].seen - stamps[i].start, hz;

		hz = ran > 0 ? stamps[i].worked * hw->facts.ring_hz / ran : 0;
		most = hz > most ? hz : most;
	}
	for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++) {
		uint64_t apart = most > clocks[i] ? most - clocks[i]
						  : clocks[i] - most;

		if (apart * 1000 < clocks[i] * TOLERANCE) {
			hw->context_hz = clocks[i];
			return;
		}
	}
}

static void
observe_trial(
    struct engine_trial *t, unsigned i, const struct batch_stamps *stamps)
{
	struct clock_batch batch = {
	    stamps->start, stamps->seen, t->submitted_ns[i], 0};
	struct sync_info info;

	if (sync_ask(t->fences[i], &info) != 0)
		return;
	batch.signalled_ns = info.time_ns;
	clock_observe(&t->hw->clock, &batch);
}

static void
keep_results(struct engine_trial *t)
{
	struct batch_stamps stamps[DEVICE_MAX_ENGINES];

	for (unsigned i = 0; i < t->n; i++) {
		batch_read(t->pages[i]->object.map, &stamps[i]);
		observe_trial(t, i, &stamps[i]);
	}
	keep_marks(t->hw, stamps);
	keep_clock(t->hw, stamps);
}

static void
end_trial(struct engine_trial *t)
{
	for (unsigned i = 0; i < t->n; i++) {
		batch_end(t->pages[i]->object.map);
		close(t->fences[i]);
		page_give(&t->pool, t->pages[i]);
	}
	if (t->context != 0)
		gpu_context_free(t->hw, t->context);
	if (t->space != 0)
		memory_space_free(t->hw, t->space);
	pages_free(t->hw, &t->pool);
}

bool
trial_run(struct hardware *hw, struct text *err)
{
	struct engine_trial t = {.hw = hw};
	bool ok = make_context(&t, err);

	while (ok && t.n < hw->facts.n_engines)
		ok = submit_trial(&t, err);
	ok = ok && wait_trials(&t, err);
	if (ok)
		keep_results(&t);
	end_trial(&t);
	return ok;
}
