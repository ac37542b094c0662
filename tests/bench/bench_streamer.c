/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How fast the command streamer executes: commands of a frame as a driver
 * submits it (state, draws, fences), MI commands on registers, and stores; and
 * what a timing loop costs, which must not depend on its duration.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "device/streamer/streamer.h"
#include "tests/bench/bench.h"

#define ROUNDS           5
#define DWORDS           0x20000
#define CODE             0x100000ull
#define DATA             (CODE + 4 * DWORDS - 4096)
#define ADDRESS(address) (uint32_t)(address), 0

struct batch_bench {
	uint32_t *code;
	unsigned n;
	struct streamer_gpu gpu;
	struct streamer_context *context;
	struct streamer_memory memory;
};

static void *
bench_span(void *data, uint64_t address, size_t *len, bool write)
{
	struct batch_bench *bench = data;
	uint64_t offset = address - CODE;

	(void)write;
	if (offset >= 4 * DWORDS)
		return NULL;
	*len = 4 * DWORDS - offset;
	return (char *)bench->code + offset;
}

static bool
bench_read(void *data, uint64_t address, void *buf, size_t len)
{
	size_t n;
	void *at = bench_span(data, address, &n, false);

	if (at == NULL || n < len)
		return false;
	memcpy(buf, at, len);
	return true;
}

static bool
bench_write(void *data, uint64_t address, const void *buf, size_t len)
{
	size_t n;
	void *at = bench_span(data, address, &n, true);

	if (at == NULL || n < len)
		return false;
	memcpy(at, buf, len);
	return true;
}

static void
open_bench(struct batch_bench *bench, uint32_t command_ns)
{
	*bench = (struct batch_bench){
	    .code = mem_calloc(DWORDS, 4),
	    .gpu = {.version = 120,
		.ring_hz = NSEC_PER_SEC,
		.context_hz = NSEC_PER_SEC,
		.costs = {.command_ns = command_ns}},
	    .context = streamer_context_new(),
	    .memory = {bench_span, bench_read, bench_write, bench},
	};
}

static void
close_bench(struct batch_bench *bench)
{
	streamer_context_free(bench->context);
	free(bench->code);
}

static void
emit(struct batch_bench *bench, const uint32_t *dwords, size_t n)
{
	memcpy(bench->code + bench->n, dwords, n * 4);
	bench->n += (unsigned)n;
}

#define EMIT(bench, ...)                                                       \
	emit(bench, (const uint32_t[]){__VA_ARGS__},                           \
	    sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

/* Executes the batch to its end; returns the commands that it had. */
static uint64_t
execute(struct batch_bench *bench, nsec *ns, unsigned *calls)
{
	struct streamer_engine engine = {STREAMER_RENDER, 0};
	struct streamer_batch *batch = streamer_begin(
	    &bench->gpu, bench->context, &bench->memory, CODE);
	struct streamer_time now = {0};
	struct streamer_answer answer;
	uint64_t commands;

	*calls = 0;
	do {
		answer = streamer_run(batch, engine, now, STREAMER_BUDGET);
		now.engine_ns = now.running_ns += answer.run_ns;
		++*calls;
	} while (answer.verdict == STREAMER_RUNS);
	if (answer.verdict != STREAMER_ENDED)
		abort();
	commands = streamer_counts(batch)->commands;
	*ns = now.running_ns;
	streamer_end(batch);
	return commands;
}

/* A tenth of a frame: state of each kind of length, a draw, a fence. */
static void
emit_frame(struct batch_bench *bench)
{
	EMIT(bench, 0x78300000, 0, 0x78240000, 0, 0x784d0000, 0);
	EMIT(bench, 0x78100007, 0, 0, 0, 0, 0, 0, 0, 0);
	EMIT(bench, 0x786d1f00, 4, 0x786d1f00, 4);
	EMIT(bench, 0x78080003, 0, 0, 0, 0, 0x78490001, 0, 0);
	EMIT(bench, 0x11000001, 0x7008, 0x400);
	EMIT(bench, 0x7a000004, 0x102000, 0, 0, 0, 0);
	EMIT(bench, 0x7b000005, 4, 3, 0, 1, 0, 0);
}

/* A turn of a loop that computes, without the jump. */
static void
emit_registers(struct batch_bench *bench)
{
	EMIT(bench, 0x02800000);
	EMIT(bench, 0x11000001, 0x260c, 0);
	EMIT(bench, 0x15000001, 0x23a8, 0x2608);
	EMIT(bench, 0x0d000003, 0x08008001, 0x08008400, 0x10100000, 0x58000431);
	EMIT(bench, 0x10800001, 2048, 0);
}

static void
emit_stores(struct batch_bench *bench)
{
	EMIT(bench, 0x10000002, ADDRESS(DATA + 8), 5);
	EMIT(bench, 0x12000002, 0x2608, ADDRESS(DATA));
}

static void
emit_noops(struct batch_bench *bench)
{
	bench->n += 64;
}

/* Commands that a second executes, in millions. */
static void
bench_commands(
    const char *name, void (*piece)(struct batch_bench *), uint32_t command_ns)
{
	struct batch_bench bench;
	double rates[ROUNDS];
	unsigned calls;
	nsec ns;

	open_bench(&bench, command_ns);
	while (bench.n < DWORDS / 2)
		piece(&bench);
	EMIT(&bench, 0x05000000);
	for (unsigned i = 0; i < ROUNDS; i++) {
		uint64_t n = 0, least = bench_count(20000000);
		double begin = bench_clock();

		while (n < least)
			n += execute(&bench, &ns, &calls);
		rates[i] = (double)n / (bench_clock() - begin) * 1e-6;
	}
	bench_print(name, bench_median(rates, ROUNDS), "M/s");
	close_bench(&bench);
}

/* The time of the host that gem_wsim's loop of that duration takes. */
static void
bench_loop(const char *name, uint32_t ticks, uint32_t command_ns)
{
	uint64_t n = bench_count(20000);
	struct batch_bench bench;
	double us[ROUNDS];
	unsigned calls, loop;
	nsec ns;

	open_bench(&bench, command_ns);
	EMIT(&bench, 0x11000001, 0x2604, 0);
	EMIT(&bench, 0x15000001, 0x23a8, 0x2600);
	loop = bench.n;
	EMIT(&bench, 0x02800000);
	EMIT(&bench, 0x11000001, 0x260c, 0);
	EMIT(&bench, 0x15000001, 0x23a8, 0x2608);
	EMIT(
	    &bench, 0x0d000003, 0x08008001, 0x08008400, 0x10100000, 0x58000431);
	EMIT(&bench, 0x12000002, 0x2608, ADDRESS(DATA));
	for (unsigned i = 0; i < 8; i++)
		EMIT(&bench, 0x10800001, 2048, 0);
	EMIT(&bench, 0x1b200002, ~ticks, ADDRESS(DATA));
	EMIT(&bench, 0x18800101, ADDRESS(CODE + loop * 4));
	for (unsigned i = 0; i < ROUNDS; i++) {
		double begin = bench_clock();

		for (uint64_t j = 0; j < n; j++)
			execute(&bench, &ns, &calls);
		us[i] = (bench_clock() - begin) / (double)n * 1e6;
		if (command_ns == 0 && ns != ticks)
			abort();
	}
	bench_print(name, bench_median(us, ROUNDS), "us");
	close_bench(&bench);
}

int
main(void)
{
	bench_commands("streamer.frame", emit_frame, 0);
	bench_commands("streamer.frame_with_costs", emit_frame, 10);
	bench_commands("streamer.registers", emit_registers, 0);
	bench_commands("streamer.stores", emit_stores, 0);
	bench_commands("streamer.stores_with_costs", emit_stores, 10);
	bench_commands("streamer.noops", emit_noops, 0);
	bench_loop("streamer.loop_1us", 1000, 0);
	bench_loop("streamer.loop_1ms", 1000000, 0);
	bench_loop("streamer.loop_1s", 1000000000, 0);
	bench_loop("streamer.loop_1s_with_costs", 1000000000, 10);
	return 0;
}
