/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Four command buffers on a layer (layer_lab.h), and what is recorded into them
 * again and again. */
#ifndef TESTS_SUPPORT_LAYER_BENCH_H
#define TESTS_SUPPORT_LAYER_BENCH_H

#include "tests/support/layer_lab.h"

struct layer_bench {
	struct layer_lab lab;
	struct command_buffer cb[4];
};

extern const struct workload_info layer_bench_1080p;  /* a render pass */
extern const struct workload_info layer_bench_groups; /* a dispatch */

void layer_bench_init(struct layer_bench *b);
/* said: all that was reported meanwhile. */
void layer_bench_done(struct layer_bench *b, const char *said);

/* Begins one that is submitted once. */
void layer_bench_begin(struct command_buffer *cb);
void layer_bench_push(struct command_buffer *cb, const char *label);
/* A whole pass; one of its parts. */
void layer_bench_pass(struct command_buffer *cb, uint32_t draws);
void layer_bench_part(
    struct command_buffer *cb, bool resume, bool suspend, uint32_t draws);
/* To the first queue. */
void layer_bench_submit(struct layer_bench *b, unsigned cb);

/* The messages since the last look; all records of the merger. */
void layer_bench_expect(struct layer_bench *b, const char *messages);
void layer_bench_expect_merged(struct layer_bench *b, const char *records);

#endif
