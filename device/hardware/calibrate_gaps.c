/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measurements of gaps: chains of batches without work wait behind a blocker, so
 * that the driver has them all when they begin; the time between two starts is
 * that of the gap and of a few commands (doc/model/libdrm.md "Calibration").
 */
#include "device/hardware/calibrate_private.h"
#include "device/hardware/context.h"

#define CHAIN  BENCH_RINGS
#define CHAINS 24
/* Gaps that differ by less, in parts, are the same. */
#define SAME 0.05

/* The ring of link i of a chain. */
enum chain_rings { ONE_RING, ONE_CONTEXT, CONTEXTS };

static struct bench_batch *
chain_link(struct bench *b, enum chain_rings rings, unsigned i)
{
	switch (rings) {
	case ONE_CONTEXT: return bench_clocks(b, 0, i, 0);
	case CONTEXTS: return bench_clocks(b, i, 0, 0);
	default: return bench_clocks(b, 0, 0, 0);
	}
}

/* Runs a chain. Returns the mean time from a start to the next one, ns. */
static double
run_chain(struct bench *b, enum chain_rings rings)
{
	struct bench_batch *blocker = bench_spin(b, BENCH_BLOCKER, false);
	struct bench_batch *links[CHAIN];
	struct bench_result first, last = {0};

	for (unsigned i = 0; i < CHAIN; i++)
		links[i] = chain_link(b, rings, i);
	bench_end(blocker);
	bench_finish(b, blocker);
	first = bench_finish(b, links[0]);
	for (unsigned i = 1; i < CHAIN; i++)
		last = bench_finish(b, links[i]);
	return bench_ns(b, (double)(last.stamps.start - first.stamps.start)) /
	    (CHAIN - 1);
}

static void
measure_chains(struct calibration *c, enum chain_rings rings, struct samples *s)
{
	/* The start. */
	double batch = 2 * calibration_figure(c, MEASURE_COMMAND);

	for (unsigned i = 0; i < CHAINS && bench_ok(&c->bench); i++) {
		double gap = run_chain(&c->bench, rings) - batch;

		samples_add(s, gap > 0 ? gap : 0);
	}
}

void
measure_command(struct calibration *c, struct samples *s)
{
	for (unsigned i = 0; i < CHAINS && bench_ok(&c->bench); i++) {
		struct bench_result r = bench_finish(
		    &c->bench, bench_clocks(&c->bench, 0, 0, BATCH_MAX_CLOCKS));

		samples_add(s, r.clocks_ns / (BATCH_MAX_CLOCKS - 1));
	}
}

void
measure_same_ring(struct calibration *c, struct samples *s)
{
	measure_chains(c, ONE_RING, s);
}

void
measure_next(struct calibration *c, struct samples *s)
{
	measure_chains(c, ONE_CONTEXT, s);
}

/* Where each ring has a logical context of its own, a ring of the same context
 * costs a switch as well. */
static bool
is_switch_hidden(struct samples *s, double next)
{
	struct figure contexts = figure_of(s);

	return contexts.value < next * (1 + SAME);
}

void
measure_switch(struct calibration *c, struct samples *s)
{
	double next = calibration_figure(c, MEASURE_NEXT);

	measure_chains(c, CONTEXTS, s);
	if (is_switch_hidden(s, next)) {
		struct figure *f = c->figures[MEASURE_NEXT];

		next = calibration_figure(c, MEASURE_SAME_RING);
		f[calibration_class(c)] =
		    c->figures[MEASURE_SAME_RING][calibration_class(c)];
	}
	for (unsigned i = 0; i < s->n; i++)
		s->list[i] = s->list[i] > next ? s->list[i] - next : 0;
}

/* Gives contexts one slice and all of them in turn; or all. */
static void
set_masks(struct bench *b, uint32_t mask)
{
	for (unsigned i = 0; i < CHAIN && bench_ok(b); i++)
		gpu_context_set_slices(b->hw, b->contexts[i], 0,
		    i % 2 == 1 ? mask : 0, &b->failure);
}

void
measure_sseu(struct calibration *c, struct samples *s)
{
	const struct facts *facts = &c->hw->facts;
	double other = calibration_figure(c, MEASURE_NEXT) +
	    calibration_figure(c, MEASURE_SWITCH);

	if (!facts->has[FEATURE_SSEU] || facts->slices < 2 ||
	    calibration_class(c) != CLASS_RCS)
		return;
	set_masks(&c->bench, 1);
	measure_chains(c, CONTEXTS, s);
	set_masks(&c->bench, 0);
	for (unsigned i = 0; i < s->n; i++)
		s->list[i] = s->list[i] > other ? s->list[i] - other : 0;
}
