/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pauses that are measured: their mean is kept whatever a client did in them, and those
 * that vary become several (doc/model/infer.md "Acts", "Pauses that vary").
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "trace/infer/infer.h"

#define MOST 1024
#define US   NSEC_PER_USEC

/* Threads of which each batch takes 100 us. */
struct threads {
	struct infer_request requests[MOST];
	struct infer_act acts[MOST];
	nsec ends[8]; /* of each thread's last one */
	struct infer_input input;
};

static void
no_threads(struct threads *t)
{
	*t = (struct threads){0};
	t->input = (struct infer_input){.requests = t->requests,
	    .acts = t->acts,
	    .deps_are_complete = true,
	    .from_start = true};
}

/* A batch that the thread submits so long after its last one had ended. */
static void
add_batch(struct threads *t, uint32_t thread, nsec pause)
{
	nsec queued = t->ends[thread] + pause;

	assert_true(t->input.n_requests < MOST);
	t->requests[t->input.n_requests++] = (struct infer_request){
	    .client = thread,
	    .context = thread,
	    .class = CLASS_RCS,
	    .instance = 1,
	    .queued_ns = queued,
	    .ready_ns = queued,
	    .start_ns = queued,
	    .end_ns = queued + 100 * US,
	    .run_ns = 100 * US,
	};
	t->ends[thread] = queued + 100 * US;
}

/* Returns a number below 10 that is not regular. */
static unsigned
any_of_10(unsigned i)
{
	uint64_t x = (i + 1) * 0x9e3779b97f4a7c15u;

	x ^= x >> 29;
	x *= 0xbf58476d1ce4e5b9u;
	return (unsigned)((x >> 32) % 10);
}

/* The thread waits for its last batch before the next one. */
static void
add_wait(struct threads *t, uint32_t thread)
{
	uint32_t last = (uint32_t)t->input.n_requests - 1;

	while (t->requests[last].client != thread)
		last--;
	t->acts[t->input.n_acts++] = (struct infer_act){.client = thread,
	    .request = last,
	    .from_ns = t->requests[last].queued_ns,
	    .to_ns = t->requests[last].end_ns,
	    .next = (uint32_t)t->input.n_requests + 1};
}

static void
infer_threads(const struct threads *t, bool vary, struct infer_result *result)
{
	const struct infer_options options = {
	    .titled = true, .merge = true, .vary = vary};
	struct text err = {0};

	assert_true(infer(&t->input, &options, result, &err));
	text_free(&err);
}

static const char *
text_of(const struct infer_result *result, size_t which)
{
	assert_true(which < result->n_clients);
	return text_str(&result->clients[which].text);
}

static void
expect_in(const char *text, const char *part)
{
	if (strstr(text, part) == NULL)
		fail_msg("no %s in %s", part, text);
}

/* Returns the sum of the delays of a descriptor, in us; sets *n. */
static unsigned long
sum_of_delays(const char *text, unsigned *n)
{
	unsigned long sum = 0;

	*n = 0;
	while ((text = strstr(text, "\nd.")) != NULL) {
		sum += strtoul(text + 3, NULL, 10);
		text += 3;
		++*n;
	}
	return sum;
}

/* Pauses of 500, 600 and 2000 us, for two, one and two of five iterations: their mean is
 * not their median. */
static nsec
skewed_pause(unsigned i)
{
	unsigned any = any_of_10(i);

	return (any < 4 ? 500 : any < 6 ? 600 : 2000) * US;
}

/* The shares of the short, the middle and the long ones are apart. */
static void
test_vary(void **state)
{
	static struct threads t;
	struct infer_result result;
	unsigned n, each, mean = 0;
	unsigned long sum;
	char said[64];

	(void)state;
	no_threads(&t);
	for (unsigned i = 0; i < 200; i++) {
		if (i > 0)
			add_wait(&t, 0);
		add_batch(&t, 0, skewed_pause(i));
		mean += (unsigned)(skewed_pause(i) / US) * (i > 0);
	}
	mean /= 199;
	infer_threads(&t, false, &result);
	expect_in(text_of(&result, 0), "# 200 iterations of 1 batch;");
	assert_in_range(
	    sum_of_delays(text_of(&result, 0), &n), mean - 1, mean + 1);
	assert_int_equal(n, 1);
	infer_free(&result);

	infer_threads(&t, true, &result);
	expect_in(text_of(&result, 0), "their mean is 500us\nd.500\n");
	expect_in(text_of(&result, 0), "their mean is 600us\nd.600\n");
	expect_in(text_of(&result, 0), "their mean is 2.00ms\nd.1999\n");
	each = result.clients[0].n_batches;
	assert_true(each >= 5 && each % 2 == 1);
	snprintf(
	    said, sizeof(said), "\n# each is %u of the program's, with", each);
	expect_in(text_of(&result, 0), said);
	assert_int_equal(result.clients[0].n_iterations, 200 / each);
	sum = sum_of_delays(text_of(&result, 0), &n);
	assert_int_equal(n, each);
	assert_in_range(sum, each * (mean - 5), each * (mean + 5));
	infer_free(&result);
}

/* Pauses that vary as much up as down stay one. */
static void
test_even(void **state)
{
	static struct threads t;
	struct infer_result result;
	unsigned n;

	(void)state;
	no_threads(&t);
	for (unsigned i = 0; i < 200; i++) {
		if (i > 0)
			add_wait(&t, 0);
		add_batch(&t, 0, (i % 2 ? 500 : i % 4 ? 300 : 700) * US);
	}
	infer_threads(&t, true, &result);
	assert_null(strstr(text_of(&result, 0), "# each is"));
	sum_of_delays(text_of(&result, 0), &n);
	assert_true(n > 0);
	infer_free(&result);
}

/* In a fifth of the iterations the client does not wait, and pauses for longer, from its
 * submission on. */
static void
test_other_acts(void **state)
{
	static struct threads t;
	struct infer_result result;
	unsigned n, mean = 0;

	(void)state;
	no_threads(&t);
	for (unsigned i = 0; i < 200; i++) {
		unsigned any = any_of_10(i);
		unsigned pause = any < 2 ? 1900 : any < 6 ? 300 : 1100;

		if (i > 0 && any >= 2)
			add_wait(&t, 0);
		add_batch(&t, 0, pause * US);
		mean += i > 0 ? pause + (any < 2 ? 100 : 0) : 0;
	}
	mean /= 199;
	assert_in_range(mean, 800, 1100);
	infer_threads(&t, false, &result);
	expect_in(text_of(&result, 0), "# 200 iterations of 1 batch;");
	assert_in_range(
	    sum_of_delays(text_of(&result, 0), &n), mean - 1, mean + 1);
	infer_free(&result);
}

/* Two threads that differ in their rate by 2 % do not become clones where their pauses
 * vary; two that do not differ do, with the mean of both. */
static void
test_rates(void **state)
{
	static struct threads t;
	struct infer_result result;

	(void)state;
	for (unsigned more = 0; more < 2; more++) {
		no_threads(&t);
		for (unsigned i = 0; i < 400; i++) {
			uint32_t thread = i % 2;
			nsec pause = skewed_pause(i / 2);

			if (i > 1)
				add_wait(&t, thread);
			if (thread == 1)
				pause += (more ? 40 : 4) * US;
			add_batch(&t, thread, pause);
		}
		infer_threads(&t, true, &result);
		assert_int_equal(result.n_clients, more ? 2 : 1);
		infer_free(&result);
	}
}

/* Iterations of two batches that take 2 ms, a tenth of them 2.4 ms, whatever the client
 * does between the two: their period is the mean. */
static void
test_mean_period(void **state)
{
	static struct threads t;
	struct infer_result result;
	nsec start = 0, sum = 0;
	char said[32];

	(void)state;
	no_threads(&t);
	for (unsigned i = 0; i < 200; i++) {
		nsec period = (any_of_10(i + 500) < 1 ? 2400 : 2000) * US;

		if (i > 0)
			add_wait(&t, 0);
		add_batch(&t, 0, start - t.ends[0]);
		add_wait(&t, 0);
		add_batch(&t, 0, (100 + 150 * any_of_10(i)) * US);
		t.requests[t.input.n_requests - 1].context = 1;
		start += period;
		sum += i < 199 ? period : 0;
	}
	infer_threads(&t, false, &result);
	expect_in(text_of(&result, 0), "# 200 iterations of 2 batches;");
	snprintf(said, sizeof(said), "\np.%u\n", (unsigned)(sum / 199 / US));
	expect_in(text_of(&result, 0), said);
	infer_free(&result);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_vary),
	    cmocka_unit_test(test_even),
	    cmocka_unit_test(test_other_acts),
	    cmocka_unit_test(test_rates),
	    cmocka_unit_test(test_mean_period),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
