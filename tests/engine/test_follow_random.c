/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A simulation that follows a device of any kind (doc/model/hardware.md): one
 * that preempts at random, refuses submissions, fails and hangs, and whose news
 * come late and in any order of requests. Each request that is submitted ends
 * once, each run ends, and the invariants of debug builds hold all the while. The
 * words of the device, told again, make the same record.
 */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/util.h"
#include "engine/client/control.h"
#include "engine/follow/follow.h"
#include "engine/follow/follow_past.h"
#include "engine/invariants/invariants.h"
#include "parser/document/document.h"
#include "tests/naive/generate.h"
#include "tests/runner/test.h"
#include "tests/support/environment.h"
#include "tests/support/lab.h"

#define N_RUNS    120
#define MAX_LOOKS 20000
#define MAX_DEPS  64
#define LATEST    (200 * NSEC_PER_USEC)
#define UNTIL     (10 * NSEC_PER_MSEC)

/* A request as the device has it. */
struct random_job {
	struct request_ref rows[8];
	unsigned n_rows;
	engine_mask allowed;
	uint64_t deps[MAX_DEPS]; /* numbers of jobs that must end before */
	unsigned n_deps;
	uint32_t client;
	bool submitted, begun, ended, infinite;
	nsec last; /* of its news */
};

/* A word of the device, or a kill, between two instants. */
struct random_word {
	nsec at;
	uint64_t instant;
	bool is_kill;
	struct follow_word word;
	struct control kill;
};

struct random_gpu {
	struct followed followed;
	struct follow_listener listener;
	struct random_word *words;
	size_t n_words, cap_words;
	struct lab lab;
	struct random_job *jobs;
	size_t n_jobs, cap_jobs;
	size_t first_left; /* all before have ended */
	nsec wall;
	uint64_t random;
	bool fails;
	unsigned n_forgotten;
};

static unsigned
any_below(struct random_gpu *g, unsigned n)
{
	g->random = g->random * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(g->random >> 33) % n;
}

static struct random_gpu *
random_gpu_of(struct followed *device)
{
	return container_of(device, struct random_gpu, followed);
}

/* Requests to the device. */

static void
note_job(struct followed *device, struct request *rq,
    const struct submission *s, const struct dependency *deps, size_t n)
{
	struct random_gpu *g = random_gpu_of(device);
	struct random_job *j;

	(void)s;
	g->jobs = mem_grow(g->jobs, g->n_jobs, &g->cap_jobs, sizeof *g->jobs);
	j = &g->jobs[g->n_jobs];
	*j = (struct random_job){.allowed = rq->allowed,
	    .client = rq->client->id,
	    .infinite = rq->infinite};
	for (size_t i = 0; i < n && j->n_deps < MAX_DEPS; i++) {
		if (deps[i].cause != WAIT_SUBMIT)
			j->deps[j->n_deps++] = (uint64_t)(uintptr_t)follow_data(
			    deps[i].signaler);
	}
	for (; rq != NULL; rq = rq->next_row) {
		j->rows[j->n_rows++] = request_ref(rq);
		follow_set_data(rq, (void *)(uintptr_t)g->n_jobs);
	}
	g->n_jobs++;
}

static struct random_job *
job_of(struct followed *device, const struct request *rq)
{
	return &random_gpu_of(device)->jobs[(size_t)(uintptr_t)follow_data(rq)];
}

static int
submit_job(struct followed *device, struct request *rq, nsec *time_ns)
{
	struct random_gpu *g = random_gpu_of(device);
	struct random_job *j = job_of(device, rq);

	if (g->fails && any_below(g, 10) == 0 &&
	    follow_counts(rq->client->sim)->n_in_flight > 0)
		return -EAGAIN;
	if (g->fails && any_below(g, 30) == 0) {
		j->ended = true;
		return -ENOSPC;
	}
	g->wall += any_below(g, 3000);
	*time_ns = g->wall;
	j->submitted = true;
	j->last = g->wall;
	return 0;
}

static void
end_job(struct followed *device, struct request *rq)
{
	job_of(device, rq)->infinite = false;
}

static void
forget_job(struct followed *device, struct request *rq)
{
	struct random_job *j = job_of(device, rq);

	j->ended = true;
	random_gpu_of(device)->n_forgotten += j->n_rows;
}

/* Ends the jobs of a killed client, with an error or without. */
static void
kill_jobs(struct followed *device, struct client *c)
{
	struct random_gpu *g = random_gpu_of(device);

	for (size_t i = g->first_left; i < g->n_jobs; i++) {
		if (g->jobs[i].client == c->id)
			g->jobs[i].infinite = false;
	}
}

static const struct followed_ops random_gpu_ops = {
    .note = note_job,
    .submit = submit_job,
    .end = end_job,
    .forget = forget_job,
    .killed = kill_jobs,
};

/* Acts of the device. */

static bool
can_begin(const struct random_gpu *g, const struct random_job *j)
{
	for (unsigned i = 0; i < j->n_deps; i++) {
		if (!g->jobs[j->deps[i]].ended)
			return false;
	}
	return j->submitted && !j->ended;
}

/* Returns a time of news of a job, maybe before the record's. */
static nsec
any_time(struct random_gpu *g, struct random_job *j)
{
	nsec late = any_below(g, LATEST);
	nsec time = g->wall > late ? g->wall - late : 0;

	j->last = nsec_later(j->last, time);
	return j->last;
}

static struct hw_engine *
any_engine(struct random_gpu *g, const struct random_job *j, unsigned row)
{
	struct device *dev = &g->lab.sim->device;
	engine_mask m = j->allowed;
	unsigned n = (unsigned)__builtin_popcountll(m);
	/* Rows are on engines of their own. */
	unsigned skip = (j->n_rows > 1 ? row : any_below(g, n)) % n;

	while (skip-- > 0)
		m &= m - 1;
	return &dev->engines[__builtin_ctzll(m)];
}

static void
end_somehow(struct random_gpu *g, struct random_job *j)
{
	bool fails = g->fails && any_below(g, 20) == 0;
	bool hangs = fails && j->begun && any_below(g, 2) == 0;

	j->ended = true;
	for (unsigned i = 0; i < j->n_rows; i++) {
		nsec time = any_time(g, j);

		if (hangs)
			follow_hung(
			    g->lab.sim, j->rows[i], time, HANG_HEARTBEAT, -EIO);
		else {
			if (any_below(g, 2) == 0)
				follow_worked(g->lab.sim, j->rows[i],
				    any_below(g, LATEST));
			follow_ended(
			    g->lab.sim, j->rows[i], time, fails ? -EIO : 0);
		}
	}
}

static void
do_something(struct random_gpu *g, struct random_job *j)
{
	for (unsigned i = 0; !j->begun && i < j->n_rows; i++)
		follow_started(g->lab.sim, j->rows[i], any_engine(g, j, i),
		    any_time(g, j));
	if (j->begun && j->n_rows == 1 && any_below(g, 3) == 0)
		follow_ran(g->lab.sim, j->rows[0],
		    any_below(g, 2) ? any_engine(g, j, 0) : NULL,
		    any_time(g, j));
	j->begun = true;
	if (!j->infinite && any_below(g, 3) == 0)
		end_somehow(g, j);
}

/* Looks at the device. */
static void
look(struct random_gpu *g)
{
	while (g->first_left < g->n_jobs && g->jobs[g->first_left].ended)
		g->first_left++;
	for (size_t i = g->first_left; i < g->n_jobs; i++) {
		struct random_job *j = &g->jobs[i];

		if (!can_begin(g, j) || any_below(g, 2) == 0)
			continue;
		if (g->fails && any_below(g, 40) == 0)
			end_somehow(g, j); /* it may not have begun */
		else
			do_something(g, j);
	}
}

static struct random_word *
add_word(struct random_gpu *g)
{
	struct random_word *w;

	g->words = mem_grow(
	    g->words, g->n_words, &g->cap_words, sizeof *g->words);
	w = &g->words[g->n_words++];
	*w = (struct random_word){
	    .at = g->lab.sim->now, .instant = g->lab.sim->n_instants};
	return w;
}

static void
hear_word(struct follow_listener *listener, const struct follow_word *word)
{
	struct random_gpu *g = container_of(
	    listener, struct random_gpu, listener);

	add_word(g)->word = *word;
}

static void
kill_client(struct random_gpu *g, const struct control *kill)
{
	struct random_word *w = add_word(g);
	struct text err = {0};

	w->is_kill = true;
	w->kill = *kill;
	sim_control(g->lab.sim, kill, &err);
	text_free(&err);
}

static void
kill_any(struct random_gpu *g)
{
	struct control kill = {.kind = CONTROL_KILL,
	    .client = any_below(g, (unsigned)g->lab.sim->n_clients),
	    .persistent = any_below(g, 2)};

	kill_client(g, &kill);
}

static struct program *
compile_file(const struct text *text, const struct profile *profile)
{
	struct document *doc = document_parse(
	    "generated", text_str(text), text->len, SOURCE_FILE);
	const struct document *docs[] = {doc};
	struct program_options options = {
	    .duration_scale = 1, .delay_scale = 1};
	struct diag_list diags = {0};
	struct program *program;
	struct device dev;

	device_init(&dev, profile);
	options.all_slices = device_all_slices(&dev);
	program = program_compile(docs, 1, &dev, &options, &diags);
	assert_non_null(program);
	diag_list_free(&diags);
	document_free(doc);
	return program;
}

/* Makes the simulation, which has no clients yet. */
static void
open_generated(struct lab *lab, const struct naive_generated *made)
{
	lab_init(lab, "fifo");
	lab->config.seed = made->seed;
	lab->config.sync_deps = made->sync_deps;
	lab->config.profile.ring_requests = made->ring_requests;
	lab->config.sched = &sched_follow;
	lab_open(lab);
}

static void
add_generated(struct lab *lab, const struct naive_generated *made)
{
	for (unsigned i = 0; i < made->n_clients; i++) {
		struct program *program = compile_file(
		    &made->workloads[made->clients[i].workload],
		    &lab->config.profile);
		struct client_options options = {
		    .repeat = 1 + made->clients[i].repeat % 5};

		lab->programs[lab->n_programs++] = program;
		sim_add_client(lab->sim,
		    sim_add_workload(lab->sim, "generated", program), &options);
	}
}

/* Kills all, and lets what is left end. */
static void
wind_up(struct random_gpu *g)
{
	struct sim *sim = g->lab.sim;

	for (uint32_t i = 0; i < sim->n_clients; i++)
		kill_client(
		    g, &(struct control){.kind = CONTROL_KILL, .client = i});
	for (unsigned i = 0; i < MAX_LOOKS && sim->state == SIM_RUNNING; i++) {
		g->wall += 1 + any_below(g, 50000);
		look(g);
		sim_run(sim, g->wall, 0);
	}
}

static void
check_rows(const struct random_gpu *g)
{
	const struct sim *sim = g->lab.sim;

	for (size_t i = 0; i < g->lab.n_rows; i++) {
		const struct lab_row *row = &g->lab.rows[i];

		assert_true(row->end != NSEC_NEVER);
		assert_true(row->submit <= row->end);
	}
	for (unsigned i = 0; i < sim->device.n_engines; i++)
		assert_true(hw_engine_run(&sim->device.engines[i], sim->now) <=
		    sim->now);
	assert_int_equal(g->n_forgotten, g->lab.n_rows);
	assert_int_equal(follow_counts(sim)->n_in_flight, 0);
	assert_int_equal(follow_counts(sim)->n_held, 0);
}

/* Tells lab's simulation a word, when it was heard. */
static void
tell_again(struct lab *lab, struct follow_past *past, struct random_word *w)
{
	struct text err = {0};

	lab_run_instants(lab->sim, w->at, w->instant, 0);
	assert_int_equal(lab->sim->n_instants, w->instant);
	assert_true(sim_move_to(lab->sim, w->at));
	if (w->is_kill)
		sim_control(lab->sim, &w->kill, &err);
	else if (!follow_past_tell(past, lab->sim, &w->word, &err))
		fail_msg("%s", text_str(&err));
	text_free(&err);
}

static void
expect_same_rows(const struct lab *a, const struct lab *b)
{
	assert_int_equal(a->n_rows, b->n_rows);
	assert_int_equal(a->sim->state, b->sim->state);
	for (size_t i = 0; i < a->n_rows; i++) {
		const struct lab_row *x = &a->rows[i], *y = &b->rows[i];

		assert_string_equal(x->engine, y->engine);
		assert_int_equal(x->submit, y->submit);
		assert_int_equal(x->ready, y->ready);
		assert_int_equal(x->start, y->start);
		assert_int_equal(x->end, y->end);
		assert_int_equal(x->run, y->run);
		assert_int_equal(x->preemptions, y->preemptions);
		assert_int_equal(x->error, y->error);
	}
}

/* The words of the device make the same record once more. */
static void
play_again(const struct random_gpu *g, const struct naive_generated *made)
{
	struct follow_past *past = follow_past_new();
	struct lab lab;

	open_generated(&lab, made);
	follow_past_begin(past, lab.sim);
	add_generated(&lab, made);
	for (size_t i = 0; i < g->n_words; i++)
		if (!g->words[i].is_kill &&
		    follow_word_is_answer(&g->words[i].word))
			follow_past_add_answer(past, &g->words[i].word);
	for (size_t i = 0; i < g->n_words; i++)
		if (g->words[i].is_kill ||
		    !follow_word_is_answer(&g->words[i].word))
			tell_again(&lab, past, &g->words[i]);
	sim_run(lab.sim, g->lab.sim->now, 0);
	assert_false(follow_past_is_of_another(past));
	expect_same_rows(&lab, &g->lab);
	lab_free(&lab);
	follow_past_free(past);
}

static void
run_random(enum naive_scheduler generator, uint64_t seed)
{
	struct random_gpu *g = mem_calloc(1, sizeof *g);
	struct naive_generated made = {0};

	naive_generate(&made, generator, seed);
	g->followed.ops = &random_gpu_ops;
	g->random = seed;
	g->fails = seed % 2;
	g->listener.heard = hear_word;
	open_generated(&g->lab, &made);
	follow_device(g->lab.sim, &g->followed);
	follow_listen(g->lab.sim, &g->listener);
	add_generated(&g->lab, &made);
	while (g->wall < UNTIL && g->lab.sim->state == SIM_RUNNING) {
		sim_run(g->lab.sim, g->wall, 0);
		g->wall += 1 + any_below(g, 50000);
		look(g);
		if (any_below(g, 100) == 0)
			kill_any(g);
	}
	if (g->lab.sim->state != SIM_DONE)
		wind_up(g);
	if (g->lab.sim->state != SIM_DONE) {
		struct text all = {0};

		naive_generated_print(&made, &all);
		fprintf(stderr, "seed %llu, state %d:\n%s",
		    (unsigned long long)seed, g->lab.sim->state,
		    text_str(&all));
		fail();
	}
	invariants_check(g->lab.sim);
	check_rows(g);
	play_again(g, &made);
	lab_free(&g->lab);
	free(g->words);
	naive_generated_clear(&made);
	free(g->jobs);
	free(g);
}

static void
run_many(enum naive_scheduler generator)
{
	uint64_t count = test_rounds("FOLLOW_COUNT", N_RUNS);
	uint64_t first = from_environment("FOLLOW_SEED", 1);

	for (uint64_t seed = first; seed < first + count; seed++)
		run_random(generator, seed);
}

TEST(any_device)
{
	run_many(NAIVE_EXECLISTS);
}

TEST(any_device_with_parallel_slots)
{
	run_many(NAIVE_GUC);
}
