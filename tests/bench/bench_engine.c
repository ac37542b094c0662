/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How fast the engine simulates, beside how fast a bare heap is in the same
 * run: the least that any simulation with timers costs on this machine.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/embedded.h"
#include "engine/heap.h"
#include "engine/sim.h"
#include "parser/diag.h"
#include "parser/document.h"
#include "parser/text.h"
#include "tests/bench/bench.h"

#define TIMERS       1000
#define HOLDS        4000000ull
#define BATCHES      2000000ull
#define ROUNDS       9
#define PER_CLIENT   5 /* contexts of a client of chain_text */
#define MANY_CLIENTS 1000

/*
 * Five contexts, each on an engine of its own; every batch needs the one
 * before, and one turn is in flight at a time.
 */
static const char chain_text[] = "1.RCS.100-300.0.0\n"
				 "2.BCS.100-300.-1.0\n"
				 "3.VCS1.100-300.-1.0\n"
				 "4.VCS2.100-300.-1.0\n"
				 "5.VECS1.100-300.-1.1\n";

/* A model to measure on: a device, and a program that fits it. */
struct bed {
	struct sim_config config;
	struct document *doc;
	struct program *program;
};

static void
bed_open(struct bed *bed, const char *name, const char *text, size_t len)
{
	struct device device;
	struct diag_list diags = {0};
	struct program_options options = {1, 1, 0};
	struct text err = {0};

	profile_init(&bed->config.profile);
	bed->config.sched = sched_find("fifo", &err);
	bed->config.seed = 1;
	device_init(&device, &bed->config.profile);
	options.all_slices = device_all_slices(&device);
	bed->doc = document_parse(name, text, len, SOURCE_FILE);
	const struct document *doc = bed->doc;
	bed->program = program_compile(&doc, 1, &device, &options, &diags);
	if (bed->config.sched == NULL || bed->program == NULL) {
		fprintf(stderr, "%s does not compile\n", name);
		exit(1);
	}
	diag_list_free(&diags);
	text_free(&err);
}

static void
bed_close(struct bed *bed)
{
	program_free(bed->program);
	document_free(bed->doc);
}

static struct sim *
start(const struct bed *bed, unsigned clients)
{
	struct sim *sim = sim_new(&bed->config);
	struct workload *w = sim_add_workload(sim, "bench", bed->program);
	const struct client_options options = {0};

	for (unsigned i = 0; i < clients; i++)
		sim_add_client(sim, w, &options);
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

/* Once all have submitted and the memory has been touched. */
static double
batches_per_second(const struct bed *bed, unsigned contexts)
{
	unsigned clients = contexts / PER_CLIENT;
	struct sim *sim = start(bed, clients);
	uint64_t n = bench_count(BATCHES);
	double t0;

	run_batches(sim, 2ull * contexts);
	t0 = bench_clock();
	run_batches(sim, n);
	t0 = bench_clock() - t0;
	sim_free(sim);
	return (double)n / t0;
}

/* In turns, and ratios of neighbours, so that what else the machine does hits
 * all of them alike. */
static void
measure_speed(const struct bed *bed)
{
	double hold[ROUNDS], batches[ROUNDS], per_hold[ROUNDS];
	double few[ROUNDS], many[ROUNDS], growth[ROUNDS];
	size_t rounds = bench_quick() ? 1 : ROUNDS;

	for (size_t i = 0; i < rounds; i++) {
		hold[i] = holds_per_second();
		batches[i] = batches_per_second(bed, 1000);
		per_hold[i] = batches[i] / hold[i];
		few[i] = 1e9 / batches_per_second(bed, 10);
		many[i] = 1e9 / batches_per_second(bed, 100000);
		growth[i] = many[i] / few[i];
	}
	bench_print("heap.hold_1000", bench_median(hold, rounds), "holds/s");
	bench_print("engine.fifo.batches_1000_contexts",
	    bench_median(batches, rounds), "batches/s");
	bench_print("engine.fifo.batches_per_hold",
	    bench_median(per_hold, rounds), "ratio");
	bench_print("engine.fifo.cost_10_contexts", bench_median(few, rounds),
	    "ns/batch");
	bench_print("engine.fifo.cost_100000_contexts",
	    bench_median(many, rounds), "ns/batch");
	bench_print("engine.fifo.cost_100000_to_10",
	    bench_median(growth, rounds), "ratio");
}

/* Per client, with its requests in flight: what a second thousand adds. */
static void
measure_memory(const struct bed *bed, const char *name)
{
	size_t memory[2];
	uint64_t batches = bed->program->n_batches;

	for (unsigned i = 0; i < 2; i++) {
		unsigned clients = MANY_CLIENTS * (i + 1);
		size_t before = bench_memory();
		struct sim *sim = start(bed, clients);

		run_batches(sim, 2 * batches * clients);
		memory[i] = bench_memory() - before;
		sim_free(sim);
	}
	bench_print(name, (double)(memory[1] - memory[0]) / MANY_CLIENTS,
	    "bytes/client");
}

static void
measure_memory_of_example(const char *path, const char *name)
{
	struct bed bed = {0};

	for (size_t i = 0; i < n_embedded_files; i++) {
		const struct embedded_file *f = &embedded_files[i];

		if (strcmp(f->path, path) != 0)
			continue;
		bed_open(&bed, path, f->data, f->len);
		measure_memory(&bed, name);
		bed_close(&bed);
	}
}

int
main(void)
{
	struct bed bed = {0};

	bed_open(&bed, "chain", chain_text, strlen(chain_text));
	measure_speed(&bed);
	measure_memory(&bed, "engine.memory_5_batches");
	bed_close(&bed);
	measure_memory_of_example(
	    "workloads/transcode.wsim", "engine.memory_transcode");
	return 0;
}
