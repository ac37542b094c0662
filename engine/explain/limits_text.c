/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words of limits: one line that says which engine limits the run, or what
 * clients wait for instead. */
#include "base/text.h"
#include "base/units.h"
#include "engine/explain/limits.h"
#include "engine/sim.h"

#define WORTH_SAYING                                                           \
	0.05 /* share of slice switches, or of waits, that is named */

/* Adds " 71 %". */
static void
add_percent(double share, struct text *out)
{
	text_addf(out, " %.0f %%", share * 100);
}

/* Adds " 71 % of 2.00s": other figures beside it are of other windows. */
static void
add_percent_of_window(const struct limits *l, double share, struct text *out)
{
	char window[UNITS_LEN];

	add_percent(share, out);
	text_addf(out, " of %s", format_duration(window, l->to - l->from));
}

static void
add_queued(const struct limits *l, struct text *out)
{
	text_addf(out, l->queue < 10 ? "%.1f queued" : "%.0f queued", l->queue);
}

/* Adds the share of slice switches if they take much, else the queue. */
static void
add_slices_or_queue(const struct limits *l, struct text *out)
{
	if (l->slices < WORTH_SAYING) {
		add_queued(l, out);
		return;
	}
	text_adds(out, "slice switches take");
	add_percent(l->slices, out);
}

/* Adds "runs 78 %, switches 22 % (slices 20 %)". */
static void
add_engine_use(const struct limits *l, struct text *out)
{
	text_adds(out, "runs");
	add_percent(l->ran, out);
	text_adds(out, ", switches");
	add_percent(l->switched, out);
	if (l->slices < WORTH_SAYING)
		return;
	text_adds(out, " (slices");
	add_percent(l->slices, out);
	text_addc(out, ')');
}

static const char *
who_waits(const struct limits *l)
{
	return l->n_clients == 1 ? "its client waits" : "clients wait";
}

/* Adds "(client 5: 80 %, client 2: 78 %, 4 more)". */
static void
add_waiters(const struct limits *l, struct text *out)
{
	if (l->n_waiters == 0)
		return;
	text_adds(out, " (");
	for (unsigned i = 0; i < l->n_waiters; i++) {
		const struct limits_waiter *w = &l->waiters[i];

		text_adds(out, i > 0 ? ", " : "");
		if (w->context > 0)
			text_addf(out, "context %u:", w->context);
		else
			text_addf(out, "client %u:", w->client);
		add_percent(w->share, out);
	}
	if (l->n_more > 0)
		text_addf(out, ", %u more", l->n_more);
	text_addc(out, ')');
}

/* Names the wait of clients at a step that waits for no batch. */
static const char *
block_words(enum client_block block)
{
	switch (block) {
	case BLOCK_PERIOD: return "wait for periods (p)";
	case BLOCK_DELAY: return "are in delays (d)";
	case BLOCK_SUBMIT: return "submit (CPU time)";
	case BLOCK_CPU: return "wait for a CPU";
	case BLOCK_IDLE: return "have nothing to do in an iteration";
	default: return NULL;
	}
}

/* Adds what clients mostly do. */
static void
add_clients(const struct limits *l, const struct sim *sim, struct text *out)
{
	const char *words = "wait for running batches";
	double most = l->served;
	unsigned engine = DEVICE_MAX_ENGINES;

	for (unsigned i = 0; i < N_BLOCKS; i++) {
		if (l->blocks[i] <= most ||
		    block_words((enum client_block)i) == NULL)
			continue;
		most = l->blocks[i];
		words = block_words((enum client_block)i);
	}
	for (unsigned i = 0; i < sim->device.n_engines; i++) {
		if (l->turns[i] <= most)
			continue;
		most = l->turns[i];
		engine = i;
	}
	if (most <= 0)
		return;
	if (engine < DEVICE_MAX_ENGINES)
		text_addf(out, "; clients wait for %s",
		    sim->device.engines[engine].name);
	else
		text_addf(out, "; clients %s:", words);
	add_percent(most, out);
}

static void
add_found(const struct limits *l, const struct sim *sim, bool is_long,
    struct text *out)
{
	text_addf(out, "%s limits: ", sim->device.engines[l->engine].name);
	if (is_long) {
		add_engine_use(l, out);
		text_adds(out, "; ");
		add_queued(l, out);
	} else {
		add_slices_or_queue(l, out);
	}
	if (l->n_clients == 0)
		return;
	if (l->waits < WORTH_SAYING) {
		add_clients(l, sim, out);
		return;
	}
	text_addf(out, ", %s", who_waits(l));
	add_percent_of_window(l, l->waits, out);
	text_adds(out, " for it");
	if (is_long)
		add_waiters(l, out);
}

static void
add_not_found(const struct limits *l, const struct sim *sim, bool is_long,
    struct text *out)
{
	text_adds(out, is_long ? "no engine limits" : "no limit");
	if (l->held > 0) {
		text_addf(out, is_long ? ": %s is busiest," : ": %s busiest,",
		    sim->device.engines[l->engine].name);
		add_percent_of_window(l, l->held, out);
	}
	if (l->held > 0 && is_long) {
		text_adds(out, " (");
		add_engine_use(l, out);
		text_addc(out, ')');
	}
	add_clients(l, sim, out);
}

static void
add_limits(const struct limits *l, const struct sim *sim, bool is_long,
    struct text *out)
{
	if (l->to <= l->from)
		return;
	if (l->found)
		add_found(l, sim, is_long, out);
	else
		add_not_found(l, sim, is_long, out);
}

void
limits_short(const struct limits *l, const struct sim *sim, struct text *out)
{
	add_limits(l, sim, false, out);
}

void
limits_long(const struct limits *l, const struct sim *sim, struct text *out)
{
	add_limits(l, sim, true, out);
}
