/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How fast the engine simulates under each scheduler, beside how fast a bare
 * heap is in the same run: the least that any simulation with timers costs on
 * this machine. With arguments: these schedulers only.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "base/heap.h"
#include "base/region.h"
#include "base/text.h"
#include "engine/sim.h"
#include "parser/diag.h"
#include "parser/document/document.h"
#include "tests/bench/bench.h"

#define TIMERS       1000
#define HOLDS        2000000ull
#define BATCHES      1000000ull
#define CONTEXTS     1000
#define ROUNDS       5
#define PER_CLIENT   5 /* contexts of a client of chain_text */
#define FEW          10
#define MANY         100000
#define MANY_CLIENTS 1000
#define FEW_WAITERS  100
#define MANY_WAITERS 10000

/*
 * Five contexts, each on an engine of its own; every batch needs the one
 * before, and one turn is in flight at a time.
 */
static const char chain_text[] = "1.RCS.100-300.0.0\n"
				 "2.BCS.100-300.-1.0\n"
				 "3.VCS1.100-300.-1.0\n"
				 "4.VCS2.100-300.-1.0\n"
				 "5.VECS1.100-300.-1.1\n";
/* One turn, and then nothing for longer than is measured. */
static const char idle_text[] = "1.RCS.1.0.0\n"
				"2.BCS.1.-1.0\n"
				"3.VCS1.1.-1.0\n"
				"4.VCS2.1.-1.0\n"
				"5.VECS1.1.-1.1\n"
				"d.1000000000\n";

/* With costs, timeouts and heartbeats as hardware has them; all else is measured
 * on the model's bare rules. */
static const char *const hardware[] = {"default", "dg2-g10"};

#define N_HARDWARE (sizeof hardware / sizeof *hardware)

/* A model to measure on: a device, and a program that fits it. */
struct bed {
	struct sim_config config;
	struct document *doc;
	struct program *program;
};

static void
take_profile(struct profile *profile, const char *name)
{
	struct text err = {0};

	profile_init(profile);
	if (name == NULL || profile_load(profile, name, &err))
		return;
	fprintf(stderr, "%s\n", text_str(&err));
	exit(1);
}

/* profile: NULL for none. */
static void
bed_open_on(struct bed *bed, const struct sched_ops *sched, const char *profile,
    const char *name, const char *text, size_t len)
{
	struct device device;
	struct diag_list diags = {0};
	struct program_options options = {
	    .duration_scale = 1, .delay_scale = 1, .all_slices = 0};

	*bed = (struct bed){0};
	take_profile(&bed->config.profile, profile);
	bed->config.sched = sched;
	bed->config.seed = 1;
	device_init(&device, &bed->config.profile);
	options.all_slices = device_all_slices(&device);
	bed->doc = document_parse(name, text, len, SOURCE_FILE);
	const struct document *doc = bed->doc;
	bed->program = program_compile(&doc, 1, &device, &options, &diags);
	if (bed->program == NULL) {
		fprintf(stderr, "%s does not compile\n", name);
		exit(1);
	}
	diag_list_free(&diags);
}

static void
bed_open(struct bed *bed, const struct sched_ops *sched, const char *name,
    const char *text, size_t len)
{
	bed_open_on(bed, sched, NULL, name, text, len);
}

static void
bed_close(struct bed *bed)
{
	program_free(bed->program);
	document_free(bed->doc);
}

static void
add_clients(struct sim *sim, const struct bed *bed, unsigned n)
{
	struct workload *w = sim_add_workload(sim, "bench", bed->program);
	const struct client_options options = {0};

	for (unsigned i = 0; i < n; i++)
		sim_add_client(sim, w, &options);
}

static struct sim *
start(const struct bed *bed, unsigned clients)
{
	struct sim *sim = sim_new(&bed->config);

	add_clients(sim, bed, clients);
	return sim;
}

/* Runs until n more batches have ended. */
static void
run_batches(struct sim *sim, uint64_t n)
{
	uint64_t goal = sim->n_ended_requests + n;

	while (sim->n_ended_requests < goal)
		if (sim_run(sim, NSEC_NEVER, goal - sim->n_ended_requests) !=
		    SIM_RUNNING) {
			fprintf(stderr, "the simulation stopped\n");
			exit(1);
		}
}

/* The hold model: take the first of TIMERS, put it back at a later time. */
static double
holds_per_second(void)
{
	struct heap heap = {0};
	uint64_t seq = 0, random = 88172645463325252u;
	uint64_t n = bench_count(HOLDS);
	double t0;

	while (seq < TIMERS) {
		uint64_t key = bench_random(&random) % 1000000;

		heap_push(&heap, key, ++seq, NULL);
	}
	t0 = bench_clock();
	for (uint64_t i = 0; i < n; i++) {
		uint64_t key = heap_peek(&heap)->key;

		heap_pop(&heap);
		key += bench_random(&random) % 1000000;
		heap_push(&heap, key, ++seq, NULL);
	}
	t0 = bench_clock() - t0;
	heap_free(&heap);
	return (double)n / t0;
}

/* Nanoseconds that a batch takes from here on. */
static double
cost_of(struct sim *sim)
{
	uint64_t n = bench_count(BATCHES);
	double t0 = bench_clock();

	run_batches(sim, n);
	return (bench_clock() - t0) * 1e9 / (double)n;
}

/* Once all have submitted and the memory has been touched. */
static double
cost_of_contexts(const struct bed *bed, unsigned contexts)
{
	struct sim *sim = start(bed, contexts / PER_CLIENT);
	double cost;

	run_batches(sim, 2ull * contexts);
	cost = cost_of(sim);
	sim_free(sim);
	return cost;
}

/* Returns the cost of a few clients beside many that were busy and are idle now. */
static double
cost_beside_idle(const struct bed *bed, const struct bed *idle)
{
	struct sim *sim = start(idle, MANY / PER_CLIENT);
	double cost;

	run_batches(sim, MANY);
	add_clients(sim, bed, FEW / PER_CLIENT);
	run_batches(sim, 2ull * FEW);
	cost = cost_of(sim);
	sim_free(sim);
	return cost;
}

/* n batches, each of a context of its own, wait for the end of one. */
static double
cost_of_waiters(const struct sched_ops *sched, unsigned n)
{
	static const char *const engines[] = {"RCS", "VCS1", "VCS2", "VECS1"};
	struct text text = {0};
	struct bed bed;
	struct sim *sim;
	double cost;

	text_adds(&text, "0.BCS.1000.0.0\n");
	for (unsigned i = 1; i <= n; i++)
		text_addf(
		    &text, "%u.%s.10.-%u.%d\n", i, engines[i % 4], i, i == n);
	bed_open(&bed, sched, "waiters", text_str(&text), text.len);
	sim = start(&bed, 1);
	run_batches(sim, 2ull * n);
	cost = cost_of(sim);
	sim_free(sim);
	bed_close(&bed);
	text_free(&text);
	return cost;
}

enum figure {
	BATCHES_1000,
	PER_HOLD,
	COST_FEW,
	COST_MANY,
	MANY_TO_FEW,
	COST_IDLE,
	IDLE_TO_FEW,
	COST_FEW_WAITERS,
	COST_MANY_WAITERS,
	WAITERS_GROWTH,
	N_FIGURES,
};

static const struct {
	const char *name, *unit;
} figures[N_FIGURES] = {
    [BATCHES_1000] = {"batches_1000_contexts", "batches/s"},
    [PER_HOLD] = {"batches_per_hold", "ratio"},
    [COST_FEW] = {"cost_10_contexts", "ns/batch"},
    [COST_MANY] = {"cost_100000_contexts", "ns/batch"},
    [MANY_TO_FEW] = {"cost_100000_to_10", "ratio"},
    [COST_IDLE] = {"cost_100000_idle", "ns/batch"},
    [IDLE_TO_FEW] = {"cost_idle_to_none", "ratio"},
    [COST_FEW_WAITERS] = {"cost_100_waiters", "ns/batch"},
    [COST_MANY_WAITERS] = {"cost_10000_waiters", "ns/batch"},
    [WAITERS_GROWTH] = {"cost_10000_to_100_waiters", "ratio"},
};

static void
print(const struct sched_ops *sched, const char *name, double value,
    const char *unit)
{
	char full[100];

	snprintf(full, sizeof(full), "engine.%s.%s", sched->name, name);
	bench_print(full, value, unit);
}

/* In turns, and ratios of neighbours, so that what else the machine does hits
 * all of them alike. */
static void
measure_round(const struct bed *bed, const struct bed *idle,
    double values[N_FIGURES][ROUNDS], size_t i)
{
	const struct sched_ops *sched = bed->config.sched;
	double hold = holds_per_second();

	values[BATCHES_1000][i] = 1e9 / cost_of_contexts(bed, CONTEXTS);
	values[PER_HOLD][i] = values[BATCHES_1000][i] / hold;
	values[COST_FEW][i] = cost_of_contexts(bed, FEW);
	values[COST_IDLE][i] = cost_beside_idle(bed, idle);
	values[COST_MANY][i] = cost_of_contexts(bed, MANY);
	values[MANY_TO_FEW][i] = values[COST_MANY][i] / values[COST_FEW][i];
	values[IDLE_TO_FEW][i] = values[COST_IDLE][i] / values[COST_FEW][i];
	values[COST_FEW_WAITERS][i] = cost_of_waiters(sched, FEW_WAITERS);
	values[COST_MANY_WAITERS][i] = cost_of_waiters(sched, MANY_WAITERS);
	values[WAITERS_GROWTH][i] = values[COST_MANY_WAITERS][i] /
	    values[COST_FEW_WAITERS][i];
}

static void
measure_speed(const struct bed *bed, const struct bed *idle)
{
	static double values[N_FIGURES][ROUNDS];
	size_t rounds = bench_quick() ? 1 : ROUNDS;

	for (size_t i = 0; i < rounds; i++)
		measure_round(bed, idle, values, i);
	for (unsigned f = 0; f < N_FIGURES; f++)
		print(bed->config.sched, figures[f].name,
		    bench_median(values[f], rounds), figures[f].unit);
}

static void
print_on(const struct sched_ops *sched, enum figure f, const char *profile,
    double value)
{
	char name[80];

	snprintf(name, sizeof(name), "%s_on_%s", figures[f].name, profile);
	print(sched, name, value, figures[f].unit);
}

/* The price of the costs of hardware and all knobs of nearness. */
static void
measure_hardware(const struct sched_ops *sched)
{
	size_t rounds = bench_quick() ? 1 : ROUNDS;

	for (size_t h = 0; h < N_HARDWARE; h++) {
		double values[ROUNDS], ratios[ROUNDS];
		struct bed bed;

		bed_open_on(&bed, sched, hardware[h], "chain", chain_text,
		    strlen(chain_text));
		for (size_t i = 0; i < rounds; i++) {
			double hold = holds_per_second();

			values[i] = 1e9 / cost_of_contexts(&bed, CONTEXTS);
			ratios[i] = values[i] / hold;
		}
		print_on(sched, BATCHES_1000, hardware[h],
		    bench_median(values, rounds));
		print_on(
		    sched, PER_HOLD, hardware[h], bench_median(ratios, rounds));
		bed_close(&bed);
	}
}

/* Per client, with its requests in flight: what a second thousand adds, after
 * that many iterations. */
static void
measure_memory(const struct bed *bed, unsigned iterations, const char *name)
{
	size_t memory[2];
	uint64_t batches = bed->program->n_batches;

	for (unsigned i = 0; i < 2; i++) {
		unsigned clients = MANY_CLIENTS * (i + 1);
		size_t before = bench_memory();
		struct sim *sim = start(bed, clients);

		run_batches(sim, iterations * batches * clients);
		memory[i] = bench_memory() - before + region_used(sim->region);
		sim_free(sim);
	}
	print(bed->config.sched, name,
	    (double)(memory[1] - memory[0]) / MANY_CLIENTS, "bytes/client");
}

static void
measure_memory_of_example(
    const struct sched_ops *sched, const char *path, const char *name)
{
	struct bed bed;

	for (size_t i = 0; i < n_embedded_files; i++) {
		const struct embedded_file *f = &embedded_files[i];

		if (strcmp(f->path, path) != 0)
			continue;
		bed_open(&bed, sched, path, f->data, f->len);
		measure_memory(&bed, 2, name);
		bed_close(&bed);
	}
}

static void
measure(const struct sched_ops *sched)
{
	struct bed bed, idle;

	bed_open(&bed, sched, "chain", chain_text, strlen(chain_text));
	bed_open(&idle, sched, "idle", idle_text, strlen(idle_text));
	measure_speed(&bed, &idle);
	measure_hardware(sched);
	measure_memory(&bed, 2, "memory_5_batches");
	measure_memory(&bed, 100, "memory_5_batches_later");
	bed_close(&idle);
	bed_close(&bed);
	measure_memory_of_example(
	    sched, "workloads/transcode.wsim", "memory_transcode");
}

static bool
is_wanted(const struct sched_ops *sched, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], sched->name) == 0)
			return true;
	return argc == 1;
}

int
main(int argc, char **argv)
{
	const struct sched_ops *sched;

	bench_print("heap.hold_1000", holds_per_second(), "holds/s");
	for (unsigned i = 0; (sched = sched_list(i)) != NULL; i++)
		if (is_wanted(sched, argc, argv))
			measure(sched);
	return 0;
}
