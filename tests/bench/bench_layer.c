/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How fast layer command streams are recorded and played, messages built in
 * memory. The stream is a frame of a game: labels, render passes, dispatches,
 * a transfer. And how much longer a batch run takes that writes the messages of a
 * workload with annotations.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "layerstream/play.h"
#include "run/options.h"
#include "run/plan.h"
#include "tests/bench/bench.h"
#include "trace/layer.h"
#include "trace/outputs.h"

#define ROUNDS     5
#define RUN_ROUNDS 9

static const char *const lines[] = {
    "#@ label push \"Frame\"",
    "#@ label push \"Shadow\"",
    "#@ renderpass 2048x2048 draws=120 attach=D:clear:store",
    "#@ label pop",
    "#@ label push \"Main\"",
    ("#@ renderpass 1920x1080 draws=900 "
     "attach=C0:clear:store,C1:clear:store,D:clear:discard"),
    "#@ dispatch 120x68x1 local=16x16x1",
    "#@ label push \"Post\"",
    "#@ dispatch 60x34x1",
    "#@ copybuffer 65536",
    "#@ label pop",
    "#@ label pop",
    "#@ copyimage 2073600",
    "#@ label pop",
};

#define N_LINES (sizeof(lines) / sizeof(*lines))

static void
parse(struct arena *arena, struct annotation *list)
{
	for (size_t i = 0; i < N_LINES; i++)
		annotation_parse(
		    arena, lines[i], strlen(lines[i]), 0, &list[i], NULL);
}

static void
forget(struct message_buffer *b, const uint8_t *data, size_t n)
{
	(void)b;
	(void)data;
	(void)n;
}

/* Commands that a second plays, in millions. */
static double
play(struct play_queue *q, struct command_recording *r, uint64_t submits)
{
	struct played_submission *done;
	double begin = bench_clock(), seconds;

	for (uint64_t i = 0; i < submits; i++)
		play_submit(q, &r, 1, i, &done);
	seconds = bench_clock() - begin;
	return (double)(submits * r->submit.n) / seconds * 1e-6;
}

static void
bench_play(const char *name, unsigned flags, unsigned frames)
{
	struct message_buffer out = {.drain = forget};
	struct annotation list[N_LINES];
	struct arena arena = {0};
	struct tag_counter tags = {0};
	struct command_buffer cb, frame;
	struct player player;
	struct play_queue queue;
	double rates[ROUNDS];

	parse(&arena, list);
	command_buffer_init(&frame, &tags, NULL);
	record_annotations(&frame, list, N_LINES, RECORD_NOTHING);
	command_buffer_init(&cb, &tags, NULL);
	command_buffer_begin(&cb, flags);
	for (unsigned i = 0; i < frames; i++)
		record_execute(&cb, &frame);
	command_buffer_end(&cb);
	play_init(&player, &out, NULL, NULL);
	play_queue_init(&queue, &player, 1, 1);
	for (unsigned i = 0; i < ROUNDS; i++)
		rates[i] = play(&queue, cb.recording,
		    bench_count(10000000) / cb.recording->submit.n);
	bench_print(name, bench_median(rates, ROUNDS), "M/s");
	play_queue_free(&queue);
	arena_free(&arena);
	play_free(&player);
	command_buffer_free(&cb);
	command_buffer_free(&frame);
	message_buffer_free(&out);
}

/* Measures the recording of a frame, for frames that are submitted once. */
static void
bench_record(void)
{
	uint64_t n = bench_count(100000);
	struct annotation list[N_LINES];
	struct arena arena = {0};
	struct tag_counter tags = {0};
	struct command_buffer cb;
	double begin;

	parse(&arena, list);
	command_buffer_init(&cb, &tags, NULL);
	begin = bench_clock();
	for (uint64_t i = 0; i < n; i++)
		record_annotations(&cb, list, N_LINES, RECORD_NOTHING);
	bench_print(
	    "layer.record", (bench_clock() - begin) / (double)n * 1e6, "us");
	command_buffer_free(&cb);
	arena_free(&arena);
}

/* Seconds that the simulation takes, with --layer or without. */
static double
run_plan(struct plan *plan, int fd)
{
	struct outputs outputs = {0};
	struct layer *layer = NULL;
	struct text err = {0};
	struct run run;
	double begin;

	if (!plan_launch(plan, &run, &err)) {
		fprintf(stderr, "%s", text_str(&err));
		return 0;
	}
	begin = bench_clock();
	if (fd >= 0) {
		layer = layer_begin(run.sim, NULL);
		outputs_open(&outputs, OUTPUT_LAYER,
		    &(struct output_target){.path = "", .fd = dup(fd)}, NULL);
		outputs_watch(&outputs, run.sim, layer);
	}
	sim_run(run.sim, NSEC_NEVER - 1, UINT64_MAX);
	outputs_leave(&outputs);
	layer_end(layer);
	begin = bench_clock() - begin;
	if (fd >= 0)
		outputs_close(&outputs, OUTPUT_LAYER, NULL);
	run_free(&run);
	return begin;
}

/* A batch run with annotations on against the same without: at most 2. */
static void
bench_run(const char *name, const char *clients, uint64_t repeat)
{
	char count[24];
	const char *const argv[] = {"bench_layer", "-b", "-q", "-c", clients,
	    "-r", count, "-w", "workloads/layer.wsim", NULL};
	struct options o;
	struct plan plan;
	struct text err = {0};
	double ratios[RUN_ROUNDS];
	int status, fd = open("/dev/null", O_WRONLY);

	snprintf(count, sizeof(count), "%d", (int)bench_count(repeat));
	if (!options_parse(&o, 9, (char **)(uintptr_t)argv, &err) ||
	    !plan_open(&plan, &o, &status, &err)) {
		fprintf(stderr, "%s\n", text_str(&err));
		return;
	}
	for (unsigned i = 0; i < RUN_ROUNDS; i++) {
		double without = run_plan(&plan, -1);

		ratios[i] = run_plan(&plan, fd) / without;
	}
	bench_print(name, bench_median(ratios, RUN_ROUNDS), "x");
	plan_close(&plan);
	options_free(&o);
	text_free(&err);
	close(fd);
}

int
main(void)
{
	bench_play("layer.commands", 0, 16);
	bench_play("layer.commands_once", RECORD_ONE_TIME_SUBMIT, 16);
	bench_play("layer.commands_one_frame", 0, 1);
	bench_record();
	bench_run("layer.run_on_to_off", "1", 20000);
	bench_run("layer.run_on_to_off_1000_clients", "1000", 100);
	return 0;
}
