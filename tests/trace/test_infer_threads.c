/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Threads of a program that begin one after another, pass data to each other, or end
 * before an iteration recurs (doc/model/infer.md "Iterations").
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "tests/runner/test.h"
#include "trace/infer/infer.h"

#define MOST 64
#define MS   NSEC_PER_MSEC

struct threads {
	struct infer_request requests[MOST];
	struct infer_use uses[MOST];
	struct infer_input input;
};

static void
no_threads(struct threads *t)
{
	*t = (struct threads){0};
	t->input = (struct infer_input){.requests = t->requests,
	    .uses = t->uses,
	    .deps_are_complete = true,
	    .from_start = true};
}

/* A batch of 1 ms of a thread. */
static void
add_batch(
    struct threads *t, uint32_t thread, enum engine_class class, nsec queued_ns)
{
	assert_true(t->input.n_requests < MOST);
	t->requests[t->input.n_requests++] = (struct infer_request){
	    .client = thread,
	    .context = thread,
	    .slot = class,
	    .class = (uint8_t) class,
	    .instance = 1,
	    .queued_ns = queued_ns,
	    .ready_ns = queued_ns,
	    .start_ns = queued_ns,
	    .end_ns = queued_ns + MS,
	    .run_ns = MS,
	};
}

/* Fails unless the descriptor of the thread has a text. */
static void
expect_text(const struct threads *t, size_t thread, const char *text)
{
	const struct infer_options options = {.exact = true};
	struct infer_result result;
	struct text err = {0};
	const char *found;

	assert_true(infer(&t->input, &options, &result, &err));
	assert_true(thread < result.n_clients);
	found = text_str(&result.clients[thread].text);
	if (strstr(found, text) == NULL)
		fail_msg("no %s in %s", text, found);
	infer_free(&result);
	text_free(&err);
}

/* The second thread begins 15 ms after the first, which then does 5 batches more.
 * Iterations, which all begin at once, would run 20 beside each other. */
TEST(begin_apart)
{
	static struct threads t;

	no_threads(&t);
	for (unsigned i = 0; i < 20; i++)
		add_batch(&t, 0, CLASS_RCS, i * MS);
	for (unsigned i = 0; i < 20; i++)
		add_batch(&t, 1, CLASS_BCS, (15 + i) * MS);
	expect_text(
	    &t, 0, "all 20 batches are one iteration; they explain 100.0 %");
	expect_text(
	    &t, 1, "all 20 batches are one iteration; they explain 100.0 %");
	expect_text(
	    &t, 1, "\nd.15000\n# wait: 1 of 1 pauses\n1.BCS.1000.0.1\n");
}

/* A thread that sleeps for 15 ms in each iteration, first, began with the others. */
TEST(sleeps_first)
{
	static struct threads t;

	no_threads(&t);
	for (unsigned i = 0; i < 32; i++)
		add_batch(&t, 0, CLASS_RCS, i * MS);
	for (unsigned i = 0; i < 4; i++)
		add_batch(&t, 1, CLASS_BCS, (15 + 16 * i) * MS);
	expect_text(&t, 0, "32 iterations of 1 batch");
	expect_text(&t, 1, "4 iterations of 1 batch");
}

/* A program goes on when the batch 15 before has ended. It ends before it has done that
 * twice since its first batch, which is another one. */
TEST(half_is_left)
{
	static struct threads t;

	no_threads(&t);
	for (unsigned i = 0; i < 30; i++) {
		add_batch(&t, 0, i == 0 ? CLASS_BCS : CLASS_RCS, i * MS);
		t.requests[i].queued_ns = i < 15 ? 0 : (i - 14) * MS;
		t.requests[i].ready_ns = t.requests[i].queued_ns;
	}
	expect_text(
	    &t, 0, "all 30 batches are one iteration; they explain 100.0 %");
}

/* A decoder makes three pictures for each that the other thread encodes: both have done
 * all of their work together. */
TEST(stages)
{
	static struct threads t;

	no_threads(&t);
	for (unsigned i = 0; i < 24; i++)
		add_batch(&t, 0, CLASS_VCS, i * MS);
	for (unsigned i = 0; i < 8; i++) {
		add_batch(&t, 1, CLASS_RCS, 3 * i * MS);
		add_batch(&t, 1, CLASS_BCS, (3 * i + 1) * MS);
	}
	for (uint32_t i = 0; i < t.input.n_requests; i++) {
		t.uses[i].object = 1;
		t.requests[i].first_use = i;
		t.requests[i].n_uses = 1;
	}
	t.input.n_uses = t.input.n_requests;
	expect_text(&t, 0, "8 iterations of 3 batches");
	expect_text(&t, 1, "8 iterations of 2 batches");
	/* Without data between them they have nothing in common. */
	for (uint32_t i = 0; i < t.input.n_requests; i++)
		t.requests[i].n_uses = 0;
	expect_text(&t, 0, "24 iterations of 1 batch");
}
