/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Waits of a client, and the readers of the data that it waits for (doc/model/infer.md
 * "Dependencies").
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "tests/runner/test.h"
#include "trace/infer/infer.h"

#define FRAMES 50
#define MS     NSEC_PER_MSEC

/* Frames of 4 ms: 2 ms on RCS, then 1 ms on BCS, which reads what the first made. The
 * client waits for the first one in each, for one time or two. */
struct waiting {
	struct infer_request requests[2 * FRAMES];
	struct infer_dep deps[FRAMES];
	struct infer_act acts[2 * FRAMES];
	struct infer_input input;
};

static struct infer_request
batch_of(enum engine_class class, nsec queued_ns, nsec start_ns, nsec end_ns)
{
	return (struct infer_request){.slot = class,
	    .class = (uint8_t) class,
	    .instance = 1,
	    .queued_ns = queued_ns,
	    .ready_ns = start_ns,
	    .start_ns = start_ns,
	    .end_ns = end_ns,
	    .run_ns = end_ns - start_ns};
}

static void
make_waiting(struct waiting *w)
{
	*w = (struct waiting){0};
	for (uint32_t i = 0; i < FRAMES; i++) {
		nsec at = i * 4 * MS;

		w->requests[2 * i] = batch_of(CLASS_RCS, at, at, at + 2 * MS);
		w->requests[2 * i + 1] = batch_of(
		    CLASS_BCS, at, at + 2 * MS, at + 3 * MS);
		w->requests[2 * i + 1].first_dep = i;
		w->requests[2 * i + 1].n_deps = 1;
		w->deps[i] = (struct infer_dep){
		    .request = 2 * i, .kind = INFER_DATA};
	}
	w->input = (struct infer_input){.requests = w->requests,
	    .n_requests = 2 * FRAMES,
	    .deps = w->deps,
	    .n_deps = FRAMES,
	    .acts = w->acts,
	    .deps_are_complete = true,
	    .from_start = true};
}

/* Waits for the first batch of a frame until it, or the reader, has ended. */
static void
wait_for_first(struct waiting *w, uint32_t frame, nsec from_ns, nsec to_ns)
{
	nsec at = frame * 4 * MS;

	w->acts[w->input.n_acts++] = (struct infer_act){.request = 2 * frame,
	    .kind = INFER_WAIT,
	    .from_ns = at + from_ns,
	    .to_ns = at + to_ns,
	    .next = 2 * frame + 3};
}

/* wakeup_us: that a client takes after a wait in which it slept. */
static void
expect_steps_with(const struct waiting *w, nsec wakeup_us, const char *steps)
{
	const struct infer_options options = {.exact = true,
	    .merge = true,
	    .wakeup_ns = wakeup_us * NSEC_PER_USEC};
	struct infer_result result;
	struct text err = {0};

	assert_true(infer(&w->input, &options, &result, &err));
	assert_int_equal(result.n_clients, 1);
	if (strstr(text_str(&result.clients[0].text), steps) == NULL)
		fail_msg(
		    "no %s in %s", steps, text_str(&result.clients[0].text));
	infer_free(&result);
	text_free(&err);
}

static void
expect_steps(const struct waiting *w, const char *steps)
{
	expect_steps_with(w, 1, steps);
}

/* A wait for a batch is for the readers of its data, too: where the client goes on before
 * the reader has ended, it reads an object of its own. */
TEST(goes_on_before_reader)
{
	static struct waiting w;

	make_waiting(&w);
	for (uint32_t i = 0; i < FRAMES; i++)
		wait_for_first(&w, i, 0, 2 * MS);
	expect_steps(
	    &w, "w.1.1n4k\n1.RCS.2000.w1-0.0\n1.BCS.1000.r1-0.0\ns.-2\n");
}

TEST(waits_for_reader)
{
	static struct waiting w;

	make_waiting(&w);
	for (uint32_t i = 0; i < FRAMES; i++)
		wait_for_first(&w, i, 0, 3 * MS);
	expect_steps(&w, "\n1.RCS.2000.0.0\n1.BCS.1000.-1.0\ns.-2\n");
}

/* It waits for one object of the batch, then for another one, which has a reader. */
TEST(waits_twice)
{
	static struct waiting w;

	make_waiting(&w);
	for (uint32_t i = 0; i < FRAMES; i++) {
		wait_for_first(&w, i, 0, 2 * MS);
		wait_for_first(&w, i, 2 * MS, 3 * MS);
	}
	expect_steps(&w, "\n1.BCS.1000.-1.0\n");
}

/* A client ends its infinite batch by a store and waits for it in the same instant, in
 * virtual time. It has not waited for that end in memory: it has slept until then. */
TEST(ends_by_itself)
{
	static struct waiting w;

	make_waiting(&w);
	w.input.n_requests = FRAMES;
	w.input.n_deps = 0;
	for (uint32_t i = 0; i < FRAMES; i++) {
		nsec at = i * 3 * MS;

		w.requests[i] = batch_of(CLASS_RCS, at, at, at + 3 * MS);
		w.requests[i].infinite = true;
		w.requests[i].released_ns = NSEC_NEVER;
		w.acts[i] = (struct infer_act){.request = i,
		    .kind = INFER_WAIT,
		    .from_ns = at + 3 * MS,
		    .to_ns = at + 3 * MS,
		    .next = i + 2};
	}
	w.input.n_acts = FRAMES;
	expect_steps(&w, "pauses\nd.3000\nT.-2\ns.-3\n");
}

/* It sleeps in two waits of three, after which it has to wake up: its sleeps that follow
 * are alike all the same. */
TEST(sleeps_in_most_waits)
{
	static struct waiting w;
	const nsec us = NSEC_PER_USEC;
	nsec at = 0;

	make_waiting(&w);
	w.input.n_requests = w.input.n_acts = FRAMES;
	w.input.n_deps = 0;
	for (uint32_t i = 0; i < FRAMES; i++) {
		bool sleeps = i % 3 != 0;
		nsec ended = at + 1000 * us, end = ended + sleeps * 10 * us;

		w.requests[i] = batch_of(CLASS_RCS, at, at, end);
		w.requests[i].infinite = true;
		w.requests[i].released_ns = ended;
		w.acts[i] = (struct infer_act){.request = i,
		    .kind = INFER_WAIT,
		    .from_ns = ended,
		    .to_ns = end,
		    .next = i + 2};
		at = end + sleeps * 20 * us + 300 * us;
	}
	expect_steps_with(
	    &w, 20, "T.-2\ns.-3\n# delay: 49 of 49 pauses\nd.300\n");
}
