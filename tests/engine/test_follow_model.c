/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The record of a device that does what the model does is the model's own run
 * (doc/model/hardware.md): random descriptors run under a scheduler; another
 * simulation runs them again by when batches began, went on and ended.
 * Each request, engine and client must come out the same, to the nanosecond.
 * The invariants of debug builds hold all the while.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/util.h"
#include "engine/follow/follow.h"
#include "engine/sim.h"
#include "parser/document/document.h"
#include "tests/naive/generate.h"
#include "tests/runner/test.h"
#include "tests/support/environment.h"

#define MAX_FACTS 20000
#define UNTIL     (20 * NSEC_PER_MSEC)
#define N_CASES   100

/* A request, in both runs. */
struct twin_row {
	uint32_t client, step, row;
	uint64_t iteration;
	int engine; /* -1: it has not begun */
	nsec start, end, run;
	uint32_t preemptions;
	struct request_ref ref; /* while it is in flight */
};

struct twin_run {
	struct observer observer;
	struct sim *sim;
	struct twin_row *rows;
	size_t n_rows, cap_rows;
};

/* An event of the first run. */
struct fact {
	nsec time;
	size_t row; /* of that run */
	enum { FACT_BEGAN, FACT_ENDED } what;
	bool first; /* began: for the first time */
	int engine;
};

struct replay_case {
	struct naive_generated g;
	struct document *docs[NAIVE_MAX_GENERATED], *append;
	struct program *programs[NAIVE_MAX_GENERATED];
	struct twin_run model, record;
	struct followed device;
	struct fact *facts;
	size_t n_facts;
	size_t *same; /* by row of the model: row of the record + 1; 0: none */
	uint64_t n_preemptions;
	bool idles;
};

/* Rows. */

static void
row_submitted(struct observer *o, struct request *rq)
{
	struct twin_run *run = container_of(o, struct twin_run, observer);

	run->rows = mem_grow(
	    run->rows, run->n_rows, &run->cap_rows, sizeof *run->rows);
	run->rows[run->n_rows] = (struct twin_row){
	    .client = rq->client->id,
	    .step = rq->origin.step,
	    .row = rq->row,
	    .iteration = rq->origin.iteration,
	    .engine = -1,
	    .start = NSEC_NEVER,
	    .end = NSEC_NEVER,
	    .ref = request_ref(rq),
	};
	rq->observer = run->n_rows++;
}

static void
row_ended(struct observer *o, struct request *rq)
{
	struct twin_run *run = container_of(o, struct twin_run, observer);
	struct twin_row *r = &run->rows[rq->observer];

	r->engine = rq->engine != NULL ? rq->engine->index : -1;
	r->start = fence_time(&rq->scheduled);
	r->end = fence_time(&rq->finished);
	r->run = rq->run_ns;
	r->preemptions = rq->preemptions;
}

static void
add_fact(struct replay_case *k, struct request *rq, struct fact fact)
{
	if (k->n_facts == MAX_FACTS)
		return;
	fact.time = k->model.sim->now;
	fact.row = rq->observer;
	fact.engine = rq->engine != NULL ? rq->engine->index : -1;
	k->facts[k->n_facts++] = fact;
}

static void
fact_began(struct observer *o, struct request *rq)
{
	add_fact(container_of(o, struct replay_case, model.observer), rq,
	    (struct fact){
		.what = FACT_BEGAN, .first = !fence_signalled(&rq->scheduled)});
}

static void
fact_ended(struct observer *o, struct request *rq)
{
	struct replay_case *k = container_of(
	    o, struct replay_case, model.observer);

	row_ended(o, rq);
	k->n_preemptions += rq->preemptions;
	add_fact(k, rq, (struct fact){.what = FACT_ENDED});
}

/* The two runs. */

static int
accept_submission(struct followed *device, struct request *rq, nsec *time_ns)
{
	(void)device;
	(void)rq;
	(void)time_ns;
	return 0;
}

static const struct followed_ops replay_ops = {.submit = accept_submission};

static struct document *
parse_text(const struct text *text)
{
	return document_parse(
	    "generated", text_str(text), text->len, SOURCE_FILE);
}

static void
compile_all(struct replay_case *k, const struct profile *profile)
{
	struct program_options options = {
	    .duration_scale = k->g.duration_scale,
	    .delay_scale = k->g.delay_scale,
	};
	struct device dev;

	device_init(&dev, profile);
	options.all_slices = device_all_slices(&dev);
	k->append = parse_text(&k->g.append);
	for (unsigned i = 0; i < k->g.n_workloads; i++) {
		const struct document *docs[] = {NULL, k->append};
		struct diag_list diags[2] = {{0}, {0}};

		docs[0] = k->docs[i] = parse_text(&k->g.workloads[i]);
		k->programs[i] = program_compile(
		    docs, 2, &dev, &options, diags);
		assert_non_null(k->programs[i]);
		diag_list_free(&diags[0]);
		diag_list_free(&diags[1]);
	}
}

static void
add_all_clients(struct replay_case *k, struct sim *sim)
{
	struct workload *workloads[NAIVE_MAX_GENERATED];

	for (unsigned i = 0; i < k->g.n_workloads; i++)
		workloads[i] = sim_add_workload(
		    sim, "generated", k->programs[i]);
	for (unsigned i = 0; i < k->g.n_clients; i++) {
		bool background = k->g.clients[i].background;
		struct client_options options = {
		    .repeat = background ? 0 : k->g.clients[i].repeat,
		    .background = background,
		};

		sim_add_client(
		    sim, workloads[k->g.clients[i].workload], &options);
	}
}

static void
make_runs(struct replay_case *k, const char *scheduler)
{
	struct sim_config config = {
	    .seed = k->g.seed,
	    .same_random = k->g.same_random,
	    .sync_deps = k->g.sync_deps,
	};
	struct text err = {0};

	profile_init(&config.profile);
	config.profile.ring_requests = k->g.ring_requests;
	/* An engine that polls is nothing that stamps tell. */
	config.profile.semaphores = false;
	compile_all(k, &config.profile);
	config.sched = sched_find(scheduler, &err);
	k->model.sim = sim_new(&config);
	k->model.observer = (struct observer){.submitted = row_submitted,
	    .began = fact_began,
	    .ended = fact_ended};
	sim_add_observer(k->model.sim, &k->model.observer);
	add_all_clients(k, k->model.sim);
	config.sched = &sched_follow;
	k->record.sim = sim_new(&config);
	k->record.observer = (struct observer){
	    .submitted = row_submitted, .ended = row_ended};
	sim_add_observer(k->record.sim, &k->record.observer);
	k->device.ops = &replay_ops;
	follow_device(k->record.sim, &k->device);
	add_all_clients(k, k->record.sim);
}

/* The news. */

static bool
is_same_request(const struct twin_row *a, const struct twin_row *b)
{
	return a->client == b->client && a->step == b->step &&
	    a->row == b->row && a->iteration == b->iteration;
}

/* Returns the record's row of a fact; NULL: it was not submitted yet. */
static struct twin_row *
row_of(struct replay_case *k, const struct fact *fact)
{
	size_t *same = &k->same[fact->row];

	for (size_t i = 0; *same == 0 && i < k->record.n_rows; i++) {
		if (is_same_request(
			&k->record.rows[i], &k->model.rows[fact->row]))
			*same = i + 1;
	}
	return *same != 0 ? &k->record.rows[*same - 1] : NULL;
}

static bool
report_fact(struct replay_case *k, const struct fact *fact)
{
	const struct twin_row *row = row_of(k, fact);
	struct sim *sim = k->record.sim;

	if (row == NULL)
		return false;
	if (fact->what == FACT_ENDED)
		follow_ended(sim, row->ref, fact->time, 0);
	else if (fact->first)
		follow_started(sim, row->ref,
		    &sim->device.engines[fact->engine], fact->time);
	else
		follow_ran(sim, row->ref, &sim->device.engines[fact->engine],
		    fact->time);
	return true;
}

/* Reports all facts in order, as soon as what they are about is submitted.
 * Returns their number. */
static size_t
report_all(struct replay_case *k)
{
	size_t i = 0;

	while (i < k->n_facts) {
		nsec time = k->facts[i].time;
		size_t before = i;

		if (time > k->record.sim->now + 1)
			sim_run(k->record.sim, time - 1, 0);
		while (i < k->n_facts && k->facts[i].time == time &&
		    report_fact(k, &k->facts[i]))
			i++;
		if (i == before && k->record.sim->now == time &&
		    sim_next_event(k->record.sim) > time)
			break;
		if (sim_run(k->record.sim, time, 0) != SIM_RUNNING)
			break;
	}
	return i;
}

/* Differences. */

/* Returns true if both have submitted the same in one order. Not if clients
 * submit within one instant: the news of that come after all clients ran. */
static bool
same_order(const struct replay_case *k)
{
	size_t n = k->model.n_rows < k->record.n_rows ? k->model.n_rows
						      : k->record.n_rows;

	for (size_t i = 0; i < n; i++) {
		if (!is_same_request(&k->model.rows[i], &k->record.rows[i]))
			return false;
	}
	return true;
}

/* idles: the device may leave an engine idle though a batch was preempted there,
 * which its news do not tell. */
static bool
rows_equal(const struct twin_row *a, const struct twin_row *b, bool idles)
{
	return a->engine == b->engine && a->start == b->start &&
	    a->end == b->end &&
	    ((a->run == b->run && a->preemptions == b->preemptions) ||
		(idles && a->preemptions > 0));
}

static void
print_row(const struct twin_row *r, struct text *out)
{
	text_addf(out,
	    "%u.%llu.%u.%u on %d: %lld to %lld, ran %llu, %u preemptions\n",
	    r->client, (unsigned long long)r->iteration, r->step, r->row,
	    r->engine, (long long)r->start, (long long)r->end,
	    (unsigned long long)r->run, r->preemptions);
}

/* Returns true if a run ended by its foreground at that time, when others may
 * have done something in one run and not in the other. */
static bool
is_cut_off(const struct sim *sim, nsec time)
{
	return sim->state == SIM_DONE && sim->now == time &&
	    sim->n_foreground < sim->n_clients;
}

static void
compare_rows(struct replay_case *k, struct text *out)
{
	for (size_t i = 0; i < k->model.n_rows; i++) {
		const struct twin_row *a = &k->model.rows[i];
		const struct twin_row *b = row_of(k, &(struct fact){.row = i});

		if (a->end == NSEC_NEVER || is_cut_off(k->model.sim, a->end) ||
		    (b != NULL && rows_equal(a, b, k->idles)))
			continue;
		print_row(a, out);
		if (b != NULL)
			print_row(b, out);
		return;
	}
}

static void
compare_totals(const struct replay_case *k, struct text *out)
{
	const struct sim *a = k->model.sim, *b = k->record.sim;

	if (a->n_iterations != b->n_iterations || a->n_missed != b->n_missed ||
	    a->n_ended_requests != b->n_ended_requests)
		text_addf(out, "%llu and %llu iterations\n",
		    (unsigned long long)a->n_iterations,
		    (unsigned long long)b->n_iterations);
	for (unsigned i = 0; i < a->device.n_engines; i++) {
		const struct hw_engine *x = &a->device.engines[i];
		const struct hw_engine *y = &b->device.engines[i];

		if ((!k->idles &&
			hw_engine_run(x, a->now) != hw_engine_run(y, b->now)) ||
		    x->batches != y->batches)
			text_addf(out, "%s ran %llu and %llu ns\n", x->name,
			    (unsigned long long)hw_engine_run(x, a->now),
			    (unsigned long long)hw_engine_run(y, b->now));
	}
	if (a->state == SIM_DONE && b->state != SIM_DONE)
		text_adds(out, "the record does not end\n");
}

static void
free_case(struct replay_case *k)
{
	sim_free(k->model.sim);
	sim_free(k->record.sim);
	for (unsigned i = 0; i < k->g.n_workloads; i++) {
		program_free(k->programs[i]);
		document_free(k->docs[i]);
	}
	document_free(k->append);
	naive_generated_clear(&k->g);
	free(k->model.rows);
	free(k->record.rows);
	free(k->facts);
	free(k->same);
	free(k);
}

/* Appends what differs. */
static void
compare(struct replay_case *k, size_t n_reported, struct text *out)
{
	if (n_reported < k->n_facts &&
	    !is_cut_off(k->model.sim, k->facts[n_reported].time))
		text_addf(
		    out, "%zu of %zu facts reported\n", n_reported, k->n_facts);
	sim_run(k->record.sim, k->model.sim->now, 0);
	compare_rows(k, out);
	if (!is_cut_off(k->model.sim, k->model.sim->now))
		compare_totals(k, out);
}

struct replay_tally {
	uint64_t compared, preemptions;
};

static void
replay_one(enum naive_scheduler generator, const char *scheduler, uint64_t seed,
    struct replay_tally *tally)
{
	struct replay_case *k = mem_calloc(1, sizeof *k);
	struct text differs = {0};
	size_t n;

	naive_generate(&k->g, generator, seed);
	k->idles = generator == NAIVE_GUC; /* for parallel slots */
	k->facts = mem_calloc(MAX_FACTS, sizeof *k->facts);
	make_runs(k, scheduler);
	sim_run(k->model.sim, UNTIL, 0);
	k->same = mem_calloc(k->model.n_rows + 1, sizeof *k->same);
	n = report_all(k);
	if (k->n_facts < MAX_FACTS && same_order(k)) {
		compare(k, n, &differs);
		tally->compared++;
		tally->preemptions += k->n_preemptions;
	}
	if (differs.len > 0) {
		naive_generated_print(&k->g, &differs);
		fprintf(stderr, "%s, FOLLOW_SEED=%llu:\n%s", scheduler,
		    (unsigned long long)seed, text_str(&differs));
		fail();
	}
	free_case(k);
}

static struct replay_tally
replay_many(enum naive_scheduler generator, const char *scheduler)
{
	uint64_t count = test_rounds("FOLLOW_COUNT", N_CASES);
	uint64_t first = from_environment("FOLLOW_SEED", 1);
	struct replay_tally tally = {0};

	for (uint64_t seed = first; seed < first + count; seed++)
		replay_one(generator, scheduler, seed, &tally);
	print_message("%llu of %llu compared, %llu preemptions\n",
	    (unsigned long long)tally.compared, (unsigned long long)count,
	    (unsigned long long)tally.preemptions);
	return tally;
}

TEST(record_of_fifo)
{
	replay_many(NAIVE_FIFO, "fifo");
}

TEST(record_of_execlists)
{
	assert_true(replay_many(NAIVE_EXECLISTS, "execlists").preemptions > 0);
}

TEST(record_of_drm)
{
	replay_many(NAIVE_DRM, "drm");
}

TEST(record_of_guc)
{
	assert_true(replay_many(NAIVE_GUC, "guc").preemptions > 0);
}
