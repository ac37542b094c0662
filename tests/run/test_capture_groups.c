/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which threads of a captured process are one client (doc/model/infer.md "Threads"):
 * those that share contexts, fences or a pipeline, not those that write for each other.
 */
#include <stddef.h>
#include <stdint.h>

#include "run/capture_private.h"
#include "tests/runner/test.h"

#define MOST 256

/* A log in which each thread has a context of its own. */
struct log {
	struct capture_process process;
	struct capture_act acts[MOST];
	struct capture_dep deps[MOST * 4];
	struct capture_slot slots[8];
	struct capture_span span;
};

static void
no_acts(struct log *log)
{
	*log = (struct log){0};
	for (uint32_t i = 0; i < 8; i++)
		log->slots[i].context = i;
	log->process.acts = log->acts;
	log->process.deps = log->deps;
	log->span.p = &log->process;
	log->span.acts = log->acts;
}

static uint64_t
add_submit(struct log *log, uint16_t thread, uint32_t context)
{
	assert_true(log->span.n < MOST);
	log->acts[log->span.n] = (struct capture_act){.kind = CAPTURED_SUBMIT,
	    .thread = thread,
	    .slot = &log->slots[context],
	    .first_dep = log->process.n_deps};
	log->process.n = log->span.n + 1;
	return log->span.n++;
}

/* Adds a dependency to the last submission. */
static void
add_dep(struct log *log, uint64_t on, uint8_t kind, uint64_t object)
{
	log->deps[log->process.n_deps++] = (struct capture_dep){
	    .act = on, .kind = kind, .object = object};
	log->acts[log->span.n - 1].n_deps++;
}

/* Adds a submission that writes or reads an object which act on used before. */
static uint64_t
add_use(
    struct log *log, uint16_t thread, uint64_t on, uint64_t object, bool write)
{
	uint64_t act = add_submit(log, thread, thread);

	add_dep(
	    log, UINT64_MAX, write ? CAPTURED_WRITE : CAPTURED_READ, object);
	if (on != UINT64_MAX)
		add_dep(log, on, INFER_DATA, object);
	return act;
}

static bool
are_one(const struct log *log, uint32_t a, uint32_t b)
{
	uint32_t groups[CAPTURE_THREADS];

	capture_groups_find(&log->span, groups);
	return groups[a] == groups[b];
}

/* A decoder writes pictures into four objects in turn; an encoder reads them. */
TEST(pipeline)
{
	static struct log log;
	uint64_t reader[4] = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};

	no_acts(&log);
	for (uint64_t i = 0; i < 20; i++) {
		uint64_t writer = add_use(
		    &log, 1, reader[i % 4], 1 + i % 4, true);

		reader[i % 4] = add_use(&log, 2, writer, 1 + i % 4, false);
	}
	assert_true(are_one(&log, 1, 2));
	assert_false(are_one(&log, 1, 3));
}

/* Clones of gem_wsim share a W: each reads what the other wrote. */
TEST(shared_set)
{
	static struct log log;
	uint64_t last = UINT64_MAX;

	no_acts(&log);
	for (uint64_t i = 0; i < 20; i++) {
		last = add_use(&log, 1 + i % 2, last, 1, true);
		last = add_use(&log, 1 + (i + 1) % 2, last, 1, false);
	}
	assert_false(are_one(&log, 1, 2));
}

/* Clones in step: both write, then both read what the second wrote. */
TEST(shared_set_in_step)
{
	static struct log log;
	uint64_t last = UINT64_MAX;

	no_acts(&log);
	for (uint64_t i = 0; i < 20; i++) {
		last = add_use(&log, 1, last, 1, true);
		last = add_use(&log, 2, last, 1, true);
		add_use(&log, 1, last, 1, false);
		add_use(&log, 2, last, 1, false);
	}
	assert_false(are_one(&log, 1, 2));
}

/* Clones that only write: each waits for the other's. */
TEST(written_by_both)
{
	static struct log log;
	uint64_t last = UINT64_MAX;

	no_acts(&log);
	for (uint64_t i = 0; i < 20; i++)
		last = add_use(&log, 1 + i % 2, last, 1, true);
	assert_false(are_one(&log, 1, 2));
}

/* A texture that was loaded once makes no pipeline. */
TEST(read_once)
{
	static struct log log;
	uint64_t writer;

	no_acts(&log);
	for (unsigned i = 0; i < 30; i++)
		add_submit(&log, 1, 1);
	writer = add_use(&log, 1, UINT64_MAX, 1, true);
	add_use(&log, 2, writer, 1, false);
	for (unsigned i = 0; i < 30; i++)
		add_submit(&log, 2, 2);
	assert_false(are_one(&log, 1, 2));
}

TEST(context_and_fence)
{
	static struct log log;
	uint64_t first;

	no_acts(&log);
	first = add_submit(&log, 1, 1);
	add_submit(&log, 2, 1);
	add_submit(&log, 3, 3);
	add_dep(&log, first, INFER_FENCE, 0);
	add_submit(&log, 4, 4);
	assert_true(are_one(&log, 1, 2));
	assert_true(are_one(&log, 1, 3));
	assert_false(are_one(&log, 1, 4));
}
