/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures of contexts and clients over a window: the differences of their totals
 * between two samples.
 */
#include "run/live/figures.h"
#include "run/live/overdue.h"
#include "tui/views/contexts.h"

/* True if it is time for a sample; *full: of a whole window. */
static bool
sample_is_due(
    const struct context_sample *b, const struct session *s, bool *full)
{
	*full = b->at < s->history.now;
	return s->run.sim->now > b->at && (*full || b->at == 0);
}

static void
add_context_totals(struct context_totals *t, const struct sim *sim,
    const struct context *context)
{
	struct sim_times times;

	sim_context_times(sim, context, &times);
	t->missed = client_misses(context->client);
	for (unsigned i = 0; i < sim->device.n_engines; i++)
		t->run_ns[sim->device.engines[i].class] += times.run_ns[i];
	t->poll_ns += times.all.ns[USE_POLLING];
	t->switch_ns += times.all.ns[USE_SWITCHING];
	if (context->batches == 0)
		return;
	t->batches += histogram_n(&context->times, LATENCY);
	t->latency_ns += (uint64_t)histogram_sum(&context->times, LATENCY);
}

/* Returns the sample that miss rates count from: the last one before the windows that
 * are averaged, else the oldest one. Returns the launch if there is no sample, or if
 * the oldest window begins with the launch. */
static struct missed_at
missed_before(const struct context_sample *b, nsec from)
{
	struct missed_at then = {0};
	uint32_t n = b->n_missed < RATE_SAMPLES ? b->n_missed : RATE_SAMPLES;

	if (from == 0)
		return then;
	for (uint32_t i = 1; i <= n; i++) {
		then = b->missed[(b->n_missed - i) % RATE_SAMPLES];
		if (then.at <= from)
			break;
	}
	return then;
}

/* Returns missed periods per second up to now. */
static float
miss_rate(
    const struct context_sample *b, const struct session *s, uint64_t missed)
{
	nsec now = s->run.sim->now;
	struct missed_at then = missed_before(
	    b, load_history_rate_from(&s->history));

	if (missed <= then.missed || now <= then.at)
		return 0;
	return (float)((double)(missed - then.missed) * NSEC_PER_SEC /
	    (double)(now - then.at));
}

static void
take_sample(struct context_sample *b, const struct session *s,
    const struct context_totals *totals, bool full)
{
	const struct context_totals *seen = &b->seen;
	struct context_shares *shares = &b->shares;
	nsec now = s->run.sim->now;
	double span = (double)(now - b->at);

	shares->run = 0;
	for (unsigned i = 0; i < N_CLASSES; i++) {
		nsec run = totals->run_ns[i] - seen->run_ns[i];

		shares->classes[i] = (float)((double)run / span);
		shares->run += shares->classes[i];
	}
	shares->poll =
	    (float)((double)(totals->poll_ns - seen->poll_ns) / span);
	shares->switching = totals->switch_ns > seen->switch_ns
	    ? (float)((double)(totals->switch_ns - seen->switch_ns) / span)
	    : 0;
	shares->latency_ns = totals->batches == seen->batches
	    ? NSEC_NEVER
	    : (totals->latency_ns - seen->latency_ns) /
		(totals->batches - seen->batches);
	shares->missed = miss_rate(b, s, totals->missed);
	if (!full)
		return;
	b->seen = *totals;
	b->at = now;
	b->missed[b->n_missed++ % RATE_SAMPLES] = (struct missed_at){
	    now, totals->missed};
}

void
sample_row(struct context_line *row, const struct session *s)
{
	const struct sim *sim = s->run.sim;
	struct context_totals totals = {0};
	bool full;

	if (!sample_is_due(&row->sample, s, &full))
		return;
	add_context_totals(&totals, sim, row->context);
	take_sample(&row->sample, s, &totals, full);
}

void
sample_client(struct context_sample *b, const struct session *s,
    const struct client *client)
{
	const struct sim *sim = s->run.sim;
	struct context_totals totals = {0};
	bool full;

	if (!sample_is_due(b, s, &full))
		return;
	if (client_past(client) != NULL)
		add_context_totals(&totals, sim, client_past(client));
	for (uint32_t i = 0; i < client->n_contexts; i++)
		add_context_totals(&totals, sim, client->contexts[i]);
	take_sample(b, s, &totals, full);
}

uint64_t
context_misses(const struct session *s, const struct context *context)
{
	const struct context_figures *then = figures_context(
	    &s->since, context);
	uint64_t missed = client_misses(context->client);

	return then != NULL ? missed - then->missed : missed;
}
