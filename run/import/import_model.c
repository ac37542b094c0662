/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the model of a trace: infers descriptors as from exact and from measured
 * times, runs them under the schedulers that the trace may be of, and keeps what
 * comes nearest.
 */
#include "run/import/import_model.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/stop.h"
#include "base/util.h"
#include "run/import/model_run.h"
#include "run/plan.h"

/* Traces with more requests have one try for each kind of times. */
/* Rows of a run of the model, at most: a model that does more is far from the
 * trace, and the time and memory that an import takes are bounded by them. */
#define ROWS_PER_REQUEST 4
#define ROWS_MORE        4000
#define MANY_REQUESTS    300000
/* A model that is so near is taken at once. */
#define NEAR_ENOUGH 0.2
/* Traces with fewer requests are run under all schedulers unless one does the same. */
#define FEW_REQUESTS 20000
#define THE_SAME     0.001 /* and all ends and starts in the same order */

struct trial_model {
	const char *profile;
	bool exact;
	bool from_start; /* the clients begin with the trace */
	bool roams; /* queues that nearly stayed on an engine may leave it */
};

/* The sides of the trace, for the descriptors of a model. */
static void
take_trace_side(const struct imported *trace,
    const struct infer_result *inferred, struct side *side)
{
	const struct infer_input *in = &trace->input;

	*side = (struct side){
	    .rows = mem_calloc(in->n_requests + 1, sizeof(*side->rows))};
	for (size_t i = 0; i < in->n_requests; i++) {
		const struct infer_request *r = &in->requests[i];
		size_t m = lower_bound(k, 0, inferred->n_members,
		    inferred->members[k].client < r->client);
		nsec start = r->start_ns != NSEC_NEVER ? r->start_ns
		    : r->ready_ns != NSEC_NEVER        ? r->ready_ns
						       : r->queued_ns;

		if (m == inferred->n_members ||
		    inferred->members[m].client != r->client)
			continue;
		side->rows[side->n++] = (struct side_row){.client = r->client,
		    .descriptor = inferred->members[m].descriptor,
		    .position = inferred->positions[i],
		    .engine = (uint8_t)(r->class * INFER_MAX_INSTANCES +
			r->instance - 1),
		    .queued_ns = r->queued_ns,
		    .ready_ns = r->ready_ns,
		    .start_ns = nsec_earlier(start, r->end_ns),
		    .end_ns = r->end_ns,
		    .run_ns = r->run_ns};
	}
	side->span_ns = trace->end_ns - trace->begin_ns;
	side_settle_runs(side);
}

static void
name_descriptors(struct import_model *m, const struct imported *trace)
{
	m->names = mem_calloc(m->inferred.n_clients + 1, sizeof(char *));
	m->begins = mem_calloc(m->inferred.n_clients + 1, sizeof(*m->begins));
	for (size_t i = 0; i < m->inferred.n_clients; i++) {
		const struct infer_client *c = &m->inferred.clients[i];

		m->names[i] = mem_strdup(trace->clients[c->client].name);
	}
}

static bool
open_profile(struct import_model *m, const struct imported *trace,
    const struct trial_model *trial, struct text *err)
{
	const unsigned *engines = trial->roams ? trace->roaming_engines
					       : trace->engines;

	if (!profile_load(&m->profile, trial->profile, err))
		return false;
	m->profile_name = mem_strdup(trial->profile);
	for (unsigned c = 0; c < N_CLASSES; c++) {
		if (engines[c] <= m->profile.n_engines[c])
			continue;
		m->profile.n_engines[c] = engines[c];
		m->has_own_engines = true;
	}
	return true;
}

static bool
infer_model(struct import_model *m, const struct imported *trace,
    const struct trial_model *trial, const struct stop *stop, struct text *err)
{
	struct infer_input input = trace->input;
	struct infer_options options = {.titled = true,
	    .exact = trial->exact,
	    .merge = true,
	    .stop = stop,
	    .submit_ns = m->profile.submit_ns,
	    .wakeup_ns = m->profile.wakeup_ns,
	    .slack_ns = m->profile.timer_slack_ns};

	input.from_start = trial->from_start;
	if (trial->roams)
		input.requests = trace->roaming;
	if (!infer(&input, &options, &m->inferred, err))
		return false;
	name_descriptors(m, trace);
	m->span_ns = trace->end_ns - trace->begin_ns;
	return true;
}

static void
take_begins(struct import_model *m, const struct side *model)
{
	for (size_t i = 0; i < m->inferred.n_clients; i++)
		m->begins[i] = NSEC_NEVER;
	for (size_t i = 0; i < model->n; i++) {
		nsec *begin = &m->begins[model->rows[i].descriptor];

		*begin = nsec_earlier(*begin, model->rows[i].queued_ns);
	}
}

/* Runs the descriptors of m under a scheduler and compares. */
static bool
measure(struct import_model *m, const struct imported *trace,
    const struct import_model_options *options, const char *scheduler,
    struct fidelity *fidelity, struct text *err)
{
	size_t n = m->inferred.n_clients;
	struct side model = {0}, seen = {0};
	struct side_figures a = {0}, b = {0};
	bool ok;

	ok = model_run(m, scheduler, options->seed,
	    ROWS_PER_REQUEST * trace->n_requests + ROWS_MORE, options->stop,
	    &model, err);
	if (ok) {
		take_trace_side(trace, &m->inferred, &seen);
		seen.has_starts = model.has_starts = trace->grade ==
			IMPORT_I915_A ||
		    trace->grade == IMPORT_TABLE;
		side_measure(&seen, m->inferred.clients, n, &a);
		side_measure(&model, m->inferred.clients, n, &b);
		fidelity_compare(fidelity, &a, &b, m->inferred.clients,
		    (const char *const *)m->names);
		m->is_cut = model.span_ns < m->span_ns;
		take_begins(m, &model);
	}
	side_figures_free(&a);
	side_figures_free(&b);
	side_free(&seen);
	side_free(&model);
	return ok;
}

/* The schedulers that a trace may be of, the likeliest first. */
static const char *const *
schedulers_of(enum import_grade grade)
{
	static const char *const execlists[] = {
	    "execlists", "fifo", "drm", "drm:fair", "drm:rr", "guc", NULL};
	static const char *const guc[] = {
	    "guc", "fifo", "execlists", "drm:fair", "drm:rr", "drm", NULL};
	static const char *const drm[] = {
	    "drm", "drm:fair", "drm:rr", "fifo", "guc", "execlists", NULL};

	switch (grade) {
	case IMPORT_I915_B: return guc;
	case IMPORT_SCHED: return drm;
	default: return execlists;
	}
}

/* True if no other scheduler need be tried. */
static bool
is_near(const struct fidelity *f, size_t n_requests)
{
	if (n_requests >= FEW_REQUESTS)
		return n_requests > MANY_REQUESTS || f->badness < NEAR_ENOUGH;
	return f->badness < THE_SAME && f->unlike <= 0;
}

/* Keeps the nearest fidelity of m under the schedulers. */
static bool
try_schedulers(struct import_model *m, const struct imported *trace,
    const struct import_model_options *options, struct text *err)
{
	const char *const given[] = {options->scheduler, NULL};
	const char *const *list = options->scheduler != NULL
	    ? given
	    : schedulers_of(trace->grade);

	for (; *list != NULL; list++) {
		struct fidelity f = {0};

		text_clear(err);
		if (!measure(m, trace, options, *list, &f, err)) {
			fidelity_free(&f);
			if (stop_is_wanted(options->stop))
				return false;
			continue; /* it refuses these descriptors */
		}
		if (m->scheduler != NULL &&
		    !fidelity_is_nearer(&f, &m->fidelity)) {
			fidelity_free(&f);
			continue;
		}
		free(m->scheduler);
		fidelity_free(&m->fidelity);
		m->scheduler = mem_strdup(*list);
		m->fidelity = f;
		if (is_near(&m->fidelity, trace->n_requests))
			break;
	}
	if (m->scheduler == NULL)
		return false;
	text_clear(err);
	return true;
}

static bool
try_model(struct import_model *m, const struct imported *trace,
    const struct import_model_options *options, const struct trial_model *trial,
    struct text *err)
{
	*m = (struct import_model){0};
	return open_profile(m, trace, trial, err) &&
	    infer_model(m, trace, trial, options->stop, err) &&
	    try_schedulers(m, trace, options, err);
}

#define MAX_TRIALS 6

/* Fills trials, and returns their number. */
static unsigned
list_trials(const struct imported *trace,
    const struct import_model_options *options,
    struct trial_model trials[MAX_TRIALS])
{
	const char *ideal = options->profile != NULL ? options->profile
						     : "ideal";
	bool exact = trace->has_exact_times || trace->grade == IMPORT_TABLE;
	unsigned n = 0;

	if (exact) {
		trials[n++] = (struct trial_model){ideal, .exact = true};
		trials[n++] = (struct trial_model){
		    ideal, .exact = true, .from_start = true};
	}
	if (exact && trace->roaming != NULL) {
		trials[n++] = (struct trial_model){
		    ideal, .exact = true, .roams = true};
		trials[n++] = (struct trial_model){
		    ideal, .exact = true, .from_start = true, .roams = true};
	}
	trials[n++] = (struct trial_model){ideal, .exact = false};
	if (options->profile == NULL)
		trials[n++] = (struct trial_model){"default", .exact = false};
	return n;
}

/* True if a trial may come nearer than m, and is worth its time. */
static bool
is_worth_it(const struct import_model *m, const struct imported *trace,
    const struct trial_model *trial)
{
	if (m->scheduler == NULL)
		return true;
	if (trial->from_start || trial->roams)
		return trace->n_requests < FEW_REQUESTS &&
		    !is_near(&m->fidelity, trace->n_requests);
	return m->fidelity.badness >= NEAR_ENOUGH &&
	    trace->n_requests <= MANY_REQUESTS;
}

bool
import_model_find(struct import_model *m, const struct imported *trace,
    const struct import_model_options *options, struct text *err)
{
	struct trial_model trials[MAX_TRIALS];
	unsigned n = list_trials(trace, options, trials);

	*m = (struct import_model){0};
	for (unsigned i = 0; i < n; i++) {
		struct import_model next;
		struct import_model *worse = &next;

		if (!is_worth_it(m, trace, &trials[i]))
			continue;
		if (!try_model(&next, trace, options, &trials[i], err)) {
			import_model_free(&next);
			return false;
		}
		if (m->scheduler == NULL ||
		    fidelity_is_nearer(&next.fidelity, &m->fidelity)) {
			struct import_model old = *m;

			*m = next;
			next = old;
		}
		import_model_free(worse);
	}
	return true;
}

void
import_model_free(struct import_model *m)
{
	for (size_t i = 0; m->names != NULL && i < m->inferred.n_clients; i++)
		free(m->names[i]);
	free(m->names);
	free(m->begins);
	free(m->scheduler);
	free(m->profile_name);
	fidelity_free(&m->fidelity);
	infer_free(&m->inferred);
	*m = (struct import_model){0};
}
