/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The submission engine on `ideal` against the naive model: random
 * descriptors, compared request by request and figure by figure.
 *
 *   NAIVE_SCHED=X  this scheduler only
 *   NAIVE_COUNT=N  so many cases of each (else as below)
 *   NAIVE_SEED=N   the first one's seed (1); the others follow
 *   NAIVE_ROWS=1   shows all requests when some differ
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/sim.h"
#include "parser/mem.h"
#include "tests/naive/generate.h"
#include "tests/naive/naive.h"

#define MAX_ROWS   4000
#define MAX_EVENTS 2000000

/* Both sides of one case. */
struct match {
	struct naive_generated g;
	bool watched; /* the engine's side with timeouts */
	struct document *docs[NAIVE_MAX_GENERATED], *append;
	struct naive_config config;
	struct naive_result naive;

	struct program *programs[NAIVE_MAX_GENERATED];
	struct sim *sim;
	struct observer observer;
	struct naive_row *rows; /* of the engine */
	struct request **requests;
	size_t n_rows, cap_rows, cap_requests;
	struct text what; /* differs */
};

static void
print_time(struct text *out, const char *name, nsec t)
{
	if (t == NSEC_NEVER)
		text_addf(out, " %s -", name);
	else
		text_addf(out, " %s %llu", name, (unsigned long long)t);
}

static void
print_row(struct text *out, const struct naive_row *r)
{
	text_addf(out, "client %u iteration %llu step %u context %u engine %d",
	    r->client, (unsigned long long)r->iteration, r->step, r->context,
	    r->engine);
	print_time(out, "submit", r->submit);
	print_time(out, "ready", r->ready);
	print_time(out, "start", r->start);
	print_time(out, "end", r->end);
	print_time(out, "run", r->run);
	text_addf(out, " preemptions %u", r->preemptions);
	text_adds(out, "\n");
}

/* The engine's side: rows as it tells them. */

static void
on_submitted(struct observer *o, struct request *rq)
{
	struct match *m =
	    (struct match *)((char *)o - offsetof(struct match, observer));
	size_t n = m->n_rows;

	m->rows = mem_grow(m->rows, n, &m->cap_rows, sizeof *m->rows);
	m->requests = mem_grow(
	    m->requests, n, &m->cap_requests, sizeof *m->requests);
	rq->observer = n;
	m->requests[n] = rq;
	m->rows[n] = (struct naive_row){
	    .client = rq->client->id,
	    .iteration = rq->iteration,
	    .step = rq->step,
	    .context = rq->context->def->number,
	    .submit = rq->submit_ns,
	};
	m->n_rows++;
}

static void
copy_request(struct match *m, size_t row, const struct request *rq)
{
	struct naive_row *r = &m->rows[row];

	r->ready = fence_time(&rq->queued);
	r->start = fence_time(&rq->scheduled);
	r->end = fence_time(&rq->finished);
	r->engine = r->start == NSEC_NEVER || rq->engine == NULL
	    ? -1
	    : rq->engine->index;
	r->run = rq->run_ns;
	if (r->end == NSEC_NEVER && rq->piece_ns != NSEC_NEVER)
		r->run += m->sim->now - rq->piece_ns;
	r->preemptions = rq->preemptions;
	if (rq->finished.error != 0)
		text_addf(
		    &m->what, "row %zu: error %d\n", row, rq->finished.error);
}

static void
on_ended(struct observer *o, struct request *rq)
{
	struct match *m =
	    (struct match *)((char *)o - offsetof(struct match, observer));

	copy_request(m, rq->observer, rq);
	m->requests[rq->observer] = NULL;
}

static bool
compile(struct match *m, const struct profile *profile)
{
	struct device dev;
	struct program_options options = {
	    .duration_scale = m->g.duration_scale,
	    .delay_scale = m->g.delay_scale,
	};

	device_init(&dev, profile);
	options.all_slices = device_all_slices(&dev);
	for (unsigned i = 0; i < m->g.n_workloads; i++) {
		const struct document *docs[] = {m->docs[i], m->append};
		struct diag_list diags[2] = {{0}, {0}};

		m->programs[i] = program_compile(
		    docs, 2, &dev, &options, diags);
		for (unsigned k = 0; k < 2 && m->programs[i] == NULL; k++) {
			for (size_t d = 0; d < diags[k].n; d++)
				document_explain(
				    docs[k], &diags[k].list[d], &m->what);
		}
		diag_list_free(&diags[0]);
		diag_list_free(&diags[1]);
		if (m->programs[i] == NULL)
			return false;
	}
	return true;
}

static void
add_clients(struct match *m)
{
	struct workload *workloads[NAIVE_MAX_GENERATED];

	for (unsigned i = 0; i < m->g.n_workloads; i++)
		workloads[i] = sim_add_workload(
		    m->sim, "generated", m->programs[i]);
	for (unsigned i = 0; i < m->g.n_clients; i++) {
		bool background = m->g.clients[i].background;
		struct client_options options = {
		    .repeat = background ? 0 : m->g.clients[i].repeat,
		    .background = background,
		};

		sim_add_client(
		    m->sim, workloads[m->g.clients[i].workload], &options);
	}
}

/* Pulses many times in a batch, and timeouts that find nothing but what the
 * last pulse finds. */
static void
watch(struct profile *profile)
{
	profile->heartbeat_ns = 50 * NSEC_PER_USEC;
	profile->preempt_timeout_ns = 1000 * NSEC_PER_SEC;
	profile->preempt_timeout_compute_ns = 1000 * NSEC_PER_SEC;
	profile->request_timeout_ns = 1000 * NSEC_PER_SEC;
}

static bool
run_engine(struct match *m)
{
	struct sim_config config = {
	    .seed = m->g.seed,
	    .same_random = m->g.same_random,
	    .sync_deps = m->g.sync_deps,
	};

	profile_init(&config.profile);
	config.profile.ring_requests = m->g.ring_requests;
	if (m->watched)
		watch(&config.profile);
	config.sched = sched_find(
	    naive_scheduler_names[m->g.scheduler], &m->what);
	if (config.sched == NULL || !compile(m, &config.profile))
		return false;
	m->sim = sim_new(&config);
	m->observer.submitted = on_submitted;
	m->observer.ended = on_ended;
	sim_add_observer(m->sim, &m->observer);
	add_clients(m);
	if (sim_run(m->sim, NSEC_NEVER, MAX_EVENTS) == SIM_RUNNING) {
		text_adds(&m->what, "the engine does not come to an end\n");
		return false;
	}
	for (size_t i = 0; i < m->n_rows; i++) {
		if (m->requests[i] != NULL)
			copy_request(m, i, m->requests[i]);
	}
	return true;
}

/* The model's side. */
static bool
run_naive(struct match *m)
{
	struct naive_config *config = &m->config;

	naive_config_ideal(config);
	config->scheduler = m->g.scheduler;
	config->ring_requests = m->g.ring_requests;
	config->seed = m->g.seed;
	config->same_random = m->g.same_random;
	config->sync_deps = m->g.sync_deps;
	config->duration_scale = m->g.duration_scale;
	config->delay_scale = m->g.delay_scale;
	config->max_rows = MAX_ROWS;
	config->n_workloads = m->g.n_workloads;
	config->n_jobs = m->g.n_clients;
	for (unsigned i = 0; i < m->g.n_workloads; i++) {
		const struct document *docs[] = {m->docs[i], m->append};

		naive_workload_init(&config->workloads[i], docs, 2);
	}
	for (unsigned i = 0; i < m->g.n_clients; i++)
		config->jobs[i] = (struct naive_job){m->g.clients[i].workload,
		    m->g.clients[i].repeat, m->g.clients[i].background};
	if (!naive_run(config, &m->naive))
		text_adds(&m->what, "the model refuses it\n");
	return m->what.len == 0;
}

/* Comparing. */

static bool
rows_equal(const struct naive_row *a, const struct naive_row *b)
{
	return a->client == b->client && a->iteration == b->iteration &&
	    a->step == b->step && a->context == b->context &&
	    a->engine == b->engine && a->submit == b->submit &&
	    a->ready == b->ready && a->start == b->start && a->end == b->end &&
	    a->run == b->run && a->preemptions == b->preemptions;
}

static void
print_rows(struct match *m)
{
	if (getenv("NAIVE_ROWS") == NULL)
		return;
	for (size_t i = 0; i < m->naive.n_rows; i++) {
		text_addf(&m->what, "%3zu model  ", i);
		print_row(&m->what, &m->naive.rows[i]);
		if (i >= m->n_rows ||
		    rows_equal(&m->rows[i], &m->naive.rows[i]))
			continue;
		text_addf(&m->what, "%3zu engine ", i);
		print_row(&m->what, &m->rows[i]);
	}
}

/* How far the batches got that take turns for ever depends on when that is
 * noticed. */
static bool
is_spinning(const struct match *m, size_t row)
{
	return m->naive.spins && m->naive.rows[row].end == NSEC_NEVER &&
	    m->rows[row].end == NSEC_NEVER;
}

static void
compare_rows(struct match *m)
{
	size_t n = m->n_rows < m->naive.n_rows ? m->n_rows : m->naive.n_rows;

	for (size_t i = 0; i < n; i++) {
		if (rows_equal(&m->rows[i], &m->naive.rows[i]) ||
		    is_spinning(m, i))
			continue;
		print_rows(m);
		text_addf(&m->what, "row %zu differs:\n  model:  ", i);
		print_row(&m->what, &m->naive.rows[i]);
		text_adds(&m->what, "  engine: ");
		print_row(&m->what, &m->rows[i]);
		return;
	}
	if (m->n_rows != m->naive.n_rows)
		text_addf(&m->what, "rows: model %zu, engine %zu\n",
		    m->naive.n_rows, m->n_rows);
}

static void
compare(struct match *m, const char *whose, unsigned index, const char *name,
    uint64_t naive, uint64_t engine)
{
	if (naive != engine)
		text_addf(&m->what, "%s %u, %s: model %llu, engine %llu\n",
		    whose, index, name, (unsigned long long)naive,
		    (unsigned long long)engine);
}

/* What the rows say of a context, as the engine counts it. */
static void
compare_context(struct match *m, const struct context *context)
{
	unsigned id = context->client->id;
	uint64_t batches = 0;
	nsec busy = 0;

	for (size_t i = 0; i < m->naive.n_rows; i++) {
		const struct naive_row *r = &m->naive.rows[i];

		if (r->client != id || r->context != context->def->number)
			continue;
		batches += r->end != NSEC_NEVER;
		busy += r->held;
	}
	compare(
	    m, "client", id, "batches of a context", batches, context->batches);
	compare(m, "client", id, "busy of a context", busy,
	    sim_context_busy(m->sim, context));
}

static void
compare_client(struct match *m, unsigned i)
{
	const struct naive_client_figures *f = &m->naive.clients[i];
	const struct client *c = m->sim->clients[i];
	bool ended = c->state == CLIENT_ENDED && !c->background;

	compare(m, "client", i, "iterations", f->iterations, c->iteration);
	compare(m, "client", i, "ended", f->ended, ended);
	compare(m, "client", i, "elapsed", f->elapsed,
	    ended ? c->ended_ns : m->sim->now);
	compare(m, "client", i, "periods", f->n_periods, c->period.n);
	compare(m, "client", i, "missed", f->missed, c->period.missed);
	compare(m, "client", i, "sum of periods", f->sum_us, c->period.sum_us);
	if (f->n_periods > 0) {
		compare(m, "client", i, "least period", f->min_us,
		    c->period.min_us);
		compare(m, "client", i, "greatest period", f->max_us,
		    c->period.max_us);
	}
	for (unsigned k = 0; k < c->program->n_contexts; k++)
		compare_context(m, c->contexts[k]);
}

static void
compare_engine(struct match *m, unsigned i)
{
	const struct naive_engine_figures *f = &m->naive.engines[i];
	const struct hw_engine *e = &m->sim->device.engines[i];

	if (strcmp(f->name, e->name) != 0)
		text_addf(&m->what, "engine %u: model %s, engine %s\n", i,
		    f->name, e->name);
	compare(
	    m, "engine", i, "busy", f->busy, hw_engine_busy(e, m->sim->now));
	compare(m, "engine", i, "batches", f->batches, e->batches);
	compare(m, "engine", i, "switches", f->switches, e->switches);
	compare(m, "engine", i, "preemptions", f->preemptions, e->preemptions);
}

static void
compare_run(struct match *m)
{
	compare_rows(m);
	compare(m, "run", 0, "deadlock", m->naive.deadlock,
	    m->sim->state == SIM_DEADLOCK);
	if (m->naive.spins)
		return;
	compare(m, "run", 0, "elapsed", m->naive.elapsed, m->sim->now);
	compare(m, "run", 0, "engines", m->naive.n_engines,
	    m->sim->device.n_engines);
	for (unsigned i = 0; i < m->g.n_clients; i++)
		compare_client(m, i);
	for (unsigned i = 0; i < m->naive.n_engines; i++)
		compare_engine(m, i);
}

/* One case. */

static struct document *
parse(struct match *m, const char *name, const struct text *text)
{
	struct document *doc = document_parse(
	    name, text_str(text), text->len, SOURCE_FILE);
	const struct diag_list *diags = document_diagnostics(doc);

	for (size_t i = 0; i < diags->n; i++) {
		if (diags->list[i].severity == DIAG_ERROR)
			document_explain(doc, &diags->list[i], &m->what);
	}
	return doc;
}

static void
match_free(struct match *m)
{
	for (unsigned i = 0; i < m->g.n_workloads; i++)
		naive_workload_clear(&m->config.workloads[i]);
	naive_result_clear(&m->naive);
	if (m->sim != NULL)
		sim_free(m->sim);
	for (unsigned i = 0; i < m->g.n_workloads; i++) {
		if (m->programs[i] != NULL)
			program_free(m->programs[i]);
		document_free(m->docs[i]);
	}
	document_free(m->append);
	free(m->rows);
	free(m->requests);
	naive_generated_clear(&m->g);
	text_free(&m->what);
}

struct tally {
	uint64_t rows, preemptions, deadlocks, gave_up, differ, hung;
};

/* What differs is left in m->what. */
static void
play(struct match *m, enum naive_scheduler scheduler, uint64_t seed,
    struct tally *tally)
{
	naive_generate(&m->g, scheduler, seed);
	for (unsigned i = 0; i < m->g.n_workloads; i++)
		m->docs[i] = parse(m, "generated", &m->g.workloads[i]);
	m->append = parse(m, "append", &m->g.append);
	if (m->what.len > 0 || !run_naive(m))
		return;
	tally->rows += m->naive.n_rows;
	for (unsigned i = 0; i < m->naive.n_engines; i++)
		tally->preemptions += m->naive.engines[i].preemptions;
	tally->deadlocks += m->naive.deadlock;
	tally->gave_up += m->naive.gave_up;
	/* What ran long without points was reset, which `ideal` has not; and
	 * what can't end is not told from it. */
	if (m->naive.gave_up || (m->watched && m->naive.deadlock) ||
	    !run_engine(m))
		return;
	if (m->sim->n_hangs == 0)
		compare_run(m);
	else
		text_clear(&m->what);
	tally->hung += m->sim->n_hangs > 0;
}

static uint64_t
from_environment(const char *name, uint64_t otherwise)
{
	const char *value = getenv(name);

	return value != NULL ? strtoull(value, NULL, 10) : otherwise;
}

/* The first difference in full, of some others the seeds. */
static void
report(const struct match *m, uint64_t seed, struct tally *tally)
{
	struct text all = {0};

	/* print_error() has no room for it. */
	if (tally->differ == 0) {
		naive_generated_print(&m->g, &all);
		fprintf(stderr,
		    "NAIVE_SCHED=%s NAIVE_SEED=%llu NAIVE_COUNT=1\n%s%s",
		    naive_scheduler_names[m->g.scheduler],
		    (unsigned long long)seed, text_str(&all),
		    text_str(&m->what));
		text_free(&all);
	} else if (tally->differ < 20) {
		fprintf(stderr, "and NAIVE_SEED=%llu, rings of %u\n",
		    (unsigned long long)seed, m->g.ring_requests);
	}
	tally->differ++;
}

/* Sanitizers make it ten times slower, and see as much in fewer cases. */
#ifdef GPUWL_INVARIANTS
#define SHARE 8
#else
#define SHARE 1
#endif

static void
compare_cases(enum naive_scheduler scheduler, uint64_t otherwise, bool watched)
{
	const char *only = getenv("NAIVE_SCHED");
	uint64_t count = from_environment("NAIVE_COUNT", otherwise / SHARE);
	uint64_t first = from_environment("NAIVE_SEED", 1);
	struct tally tally = {0};

	if (only != NULL && strcmp(only, naive_scheduler_names[scheduler]) != 0)
		skip();
	for (uint64_t seed = first; seed < first + count; seed++) {
		struct match *m = mem_calloc(1, sizeof *m);

		m->watched = watched;
		play(m, scheduler, seed, &tally);
		if (m->what.len > 0)
			report(m, seed, &tally);
		match_free(m);
		free(m);
	}
	print_message("%s, %llu cases: %llu requests, %llu preemptions, "
		      "%llu deadlocks, %llu left out as too long\n",
	    naive_scheduler_names[scheduler], (unsigned long long)count,
	    (unsigned long long)tally.rows,
	    (unsigned long long)tally.preemptions,
	    (unsigned long long)tally.deadlocks,
	    (unsigned long long)tally.gave_up);
	assert_int_equal(tally.differ, 0);
	if (!watched)
		assert_int_equal(tally.hung, 0);
	else if (count >= 50)
		assert_in_range(tally.hung, 1, count / 2);
}

static void
test_scheduler(enum naive_scheduler scheduler, uint64_t otherwise)
{
	compare_cases(scheduler, otherwise, false);
}

static void
test_fifo(void **state)
{
	(void)state;
	test_scheduler(NAIVE_FIFO, 10000);
}

static void
test_execlists(void **state)
{
	(void)state;
	test_scheduler(NAIVE_EXECLISTS, 1500);
}

/* rules/execlists.md "Hangs": heartbeat pulses take no time, arm no slice and
 * count as no preemption while the engine answers. */
static void
test_execlists_answers_heartbeats(void **state)
{
	(void)state;
	compare_cases(NAIVE_EXECLISTS, 500, true);
}

static void
test_drm(void **state)
{
	(void)state;
	test_scheduler(NAIVE_DRM, 1500);
}

static void
test_drm_rr(void **state)
{
	(void)state;
	test_scheduler(NAIVE_DRM_RR, 1500);
}

static void
test_guc(void **state)
{
	(void)state;
	test_scheduler(NAIVE_GUC, 4000);
}

/* The same of guc's, in bands and with places of their own. */
static void
test_guc_answers_heartbeats(void **state)
{
	(void)state;
	compare_cases(NAIVE_GUC, 500, true);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_fifo),
	    cmocka_unit_test(test_execlists),
	    cmocka_unit_test(test_execlists_answers_heartbeats),
	    cmocka_unit_test(test_drm),
	    cmocka_unit_test(test_drm_rr),
	    cmocka_unit_test(test_guc),
	    cmocka_unit_test(test_guc_answers_heartbeats),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
