/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A trace as the baseline of live figures: those of the trace's requests up to the
 * time of the run, which are added as it goes on.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "base/text.h"
#include "run/import/beside.h"
#include "run/live/session.h"
#include "run/plan.h"

void
session_set_trace(struct session *s, struct beside *trace, size_t *sources)
{
	session_forget_baseline(s);
	beside_free(s->beside);
	free(s->beside_sources);
	s->beside = trace;
	s->beside_sources = sources;
	if (trace == NULL)
		return;
	s->baseline.kind = BASELINE_TRACE;
	s->is_beside = true;
	baseline_trace_launched(s);
	baseline_trace_begin(s);
}

bool
session_compare_trace(struct session *s, struct text *err)
{
	if (s->beside == NULL) {
		text_adds(err,
		    "no trace was imported: expected e.g. :import game.txt "
		    "before it");
		return false;
	}
	if (session_is_past(s)) {
		text_adds(err,
		    "figures are compared in the present: F returns there");
		return false;
	}
	session_forget_baseline(s);
	s->baseline.kind = BASELINE_TRACE;
	s->is_beside = true;
	baseline_trace_begin(s);
	baseline_trace_follow(s);
	return true;
}

const struct beside *
session_trace(const struct session *s)
{
	return s->is_beside ? s->beside : NULL;
}

/* Returns the first client of a source in a launch. */
static uint32_t
first_of_source(const struct plan *plan, size_t source)
{
	uint32_t n = 0;

	for (size_t i = 0; i < source; i++)
		n += plan->sources[i].waiting ? 0 : plan->sources[i].clones;
	return n;
}

/* Numbers the clients of the trace as the launch has numbered those of the
 * descriptors. */
void
baseline_trace_launched(struct session *s)
{
	for (uint32_t i = 0; s->beside != NULL && i < s->beside->n_clients;
	     i++) {
		struct beside_client *c = &s->beside->clients[i];
		size_t source = s->beside_sources[c->descriptor];
		const struct source *from = &s->plan->sources[source];

		c->id = from->waiting || c->ordinal >= from->clones
		    ? BESIDE_NOT_RUN
		    : first_of_source(s->plan, source) + c->ordinal;
	}
}

/* Returns a number above those of all clients. */
static uint32_t
end_of_trace_clients(const struct beside *b)
{
	uint32_t end = 0;

	for (uint32_t i = 0; i < b->n_clients; i++)
		if (b->clients[i].id != BESIDE_NOT_RUN &&
		    b->clients[i].id >= end)
			end = b->clients[i].id + 1;
	return end;
}

/* Makes the figures of the trace's contexts, by the clients of the run. */
static void
make_trace_figures(struct figures *f, const struct beside *b)
{
	uint32_t end = end_of_trace_clients(b);

	f->first = mem_calloc(end + 1, sizeof(*f->first));
	for (uint32_t i = 0; i < b->n_clients; i++)
		if (b->clients[i].id != BESIDE_NOT_RUN)
			f->first[b->clients[i].id + 1] = b->first[i + 1] -
			    b->first[i];
	while (f->n_clients < end &&
	    f->first[f->n_clients] + f->first[f->n_clients + 1] <=
		FIGURES_CONTEXTS) {
		f->first[f->n_clients + 1] += f->first[f->n_clients];
		f->n_clients++;
	}
	f->n_contexts = f->first[f->n_clients];
	f->contexts = mem_calloc(f->n_contexts + 1, sizeof(*f->contexts));
	for (uint32_t i = 0; i < b->n_clients; i++) {
		uint32_t id = b->clients[i].id;

		for (uint32_t k = b->first[i];
		     id < f->n_clients && k < b->first[i + 1]; k++)
			f->contexts[f->first[id] + k - b->first[i]].number =
			    b->numbers[k];
	}
}

void
baseline_trace_begin(struct session *s)
{
	struct baseline *r = &s->baseline;

	figures_free(&r->to);
	r->n_taken = 0;
	make_trace_figures(&r->to, s->beside);
}

static struct context_figures *
figures_of_request(
    struct figures *f, const struct beside *b, const struct beside_request *r)
{
	uint32_t id = b->clients[r->client].id;

	if (id >= f->n_clients)
		return NULL;
	for (size_t i = f->first[id]; i < f->first[id + 1]; i++)
		if (f->contexts[i].number == r->context)
			return &f->contexts[i];
	return NULL;
}

static void
take_request(struct session *s, const struct beside_request *r)
{
	struct baseline *base = &s->baseline;
	struct context_figures *c = figures_of_request(&base->to, s->beside, r);

	if (c == NULL)
		return;
	c->batches++;
	c->busy_ns += r->run_ns;
	histogram_add(&c->times, LATENCY, r->end_ns - r->queued_ns);
}

void
baseline_trace_follow(struct session *s)
{
	const struct device *dev = &s->run.sim->device;
	struct baseline *r = &s->baseline;
	const struct beside *b = s->beside;
	nsec now;

	if (r->kind != BASELINE_TRACE)
		return;
	now = nsec_earlier(s->run.sim->now, b->end_ns);
	if (now < r->to.at)
		baseline_trace_begin(s);
	while (r->n_taken < b->n && b->requests[r->n_taken].end_ns <= now)
		take_request(s, &b->requests[r->n_taken++]);
	for (unsigned i = 0; i < dev->n_engines; i++) {
		const struct beside_engine *e = beside_of(
		    b, dev->engines[i].class, dev->engines[i].instance);

		if (e != NULL)
			r->to.engines[i].ns[USE_RUNNING] = beside_used(e, now);
	}
	r->to.iterations = beside_iterations(b, now);
	r->to.at = now;
}
