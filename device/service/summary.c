/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines of gpuwl-run and --serve about processes: "gem_wsim (pid 4711): 800
 * batches in 3.783 s; RCS 21.4 %, VCS1 98.0 %; 0 hangs". */
#include "device/service/summary.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "engine/sim.h"

static void
add_run_of_context(const struct sim *sim, const struct context *context,
    nsec run[DEVICE_MAX_ENGINES])
{
	struct sim_times times;

	sim_context_times(sim, context, &times);
	for (unsigned e = 0; e < sim->device.n_engines; e++)
		run[e] += times.run_ns[e];
}

/* Appends the percent of t that a client's batches have run on each engine it
 * used. */
static void
add_engine_shares(
    const struct sim *sim, const struct client *c, nsec t, struct text *out)
{
	nsec run[DEVICE_MAX_ENGINES] = {0};

	if (client_past(c) != NULL)
		add_run_of_context(sim, client_past(c), run);
	for (uint32_t i = 0; i < c->n_contexts; i++)
		add_run_of_context(sim, c->contexts[i], run);
	for (unsigned e = 0, n = 0; e < sim->device.n_engines; e++)
		if (run[e] > 0)
			text_addf(out, "%s %s %.1f %%", n++ == 0 ? ";" : ",",
			    sim->device.engines[e].name,
			    t > 0 ? 100.0 * (double)run[e] / (double)t : 0.0);
}

void
summary_add_others(const struct summary_others *others, struct text *out)
{
	if (others->programs > 0)
		text_addf(out,
		    "%" PRIu64 " other program%s, which ended before: %" PRIu64
		    " batch%s\n",
		    others->programs, others->programs == 1 ? "" : "s",
		    others->batches, others->batches == 1 ? "" : "es");
}

void
summary_add_past(const struct sim *sim, struct text *out)
{
	const struct past *past = &sim->outsiders.past;

	summary_add_others(
	    &(struct summary_others){past->n_summed, past->sums->batches}, out);
}

void
summary_add(const struct sim *sim, const struct client *c, uint64_t hangs,
    struct text *out)
{
	nsec t = client_elapsed(sim, c);

	if (c->batches == 0)
		return;
	text_add_visible(out, c->name, strlen(c->name));
	text_addf(out, " (pid %" PRId64 "): %" PRIu64 " batch%s in %.3f s",
	    c->pid, c->batches, c->batches == 1 ? "" : "es", (double)t / 1e9);
	add_engine_shares(sim, c, t, out);
	text_addf(out, "; %" PRIu64 " hang%s\n", hangs, hangs == 1 ? "" : "s");
}
