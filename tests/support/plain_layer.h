/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A plain model of a layer, without commands: what the `#@` lines of submitted
 * batches mean, as lists of executions. For tests.
 */
#ifndef TESTS_SUPPORT_PLAIN_LAYER_H
#define TESTS_SUPPORT_PLAIN_LAYER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/sim.h"

enum plain_what { PUSH, POP, PASS, PART, OTHER, INDIRECT, OPEN, CLOSE };

struct plain_line {
	enum plain_what what;
	char label[8];
	int draws; /* -1: not said */
	bool suspend;
	unsigned times;
	uint64_t tag;
};

/* A command buffer. */
struct plain_buffer {
	uint32_t client, step;
	uint8_t row;
	const struct program *program;
	bool once, recorded;
	struct plain_line lines[64];
	size_t n;
	uint64_t running; /* request; 0 */
};

/* One execution of a workload, as it should be merged. */
struct plain_record {
	uint64_t tag;
	char *labels;
	int draws;
	bool pass, indirect, resolved;
};

struct plain_queue {
	const struct ring *ring;
	char (*stack)[8];
	size_t n, cap;
	size_t pass; /* record + 1 of the one that is suspended; 0 */
};

struct plain_request {
	size_t parts[1024]; /* records, in order */
	size_t n_parts;
	size_t at;                 /* which ran last */
	bool infinite, again;      /* begins anew with its next piece */
	uint64_t ran, told, since; /* ns */
	struct plain_buffer *buffer;
};

struct plain_layer {
	uint64_t last_tag;
	struct plain_buffer **buffers;
	size_t n_buffers, cap_buffers;
	struct plain_queue **queues;
	size_t n_queues, cap_queues;
	struct plain_record *records;
	size_t n_records, cap_records;
};

void plain_layer_free(struct plain_layer *p);
/* Appends the executions of rq, which is submitted, to r. */
void plain_submit(struct plain_layer *p, const struct sim *sim,
    const struct request *rq, struct plain_request *r);

#endif
