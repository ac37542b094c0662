/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pauses that are measured: their mean is kept whatever a client did in them, and those
 * that vary become several (doc/model/infer.md "Acts", "Pauses that vary").
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/runner/test.h"
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
TEST(vary)
{
	static struct threads t;
	struct infer_result result;
	unsigned n, each, mean = 0;
	unsigned long sum;
	char said[64];

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
	expect_in(text_of(&result, 0), "their mean is 2.00ms\nd.2000\n");
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
TEST(even)
{
	static struct threads t;
	struct infer_result result;
	unsigned n;

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
TEST(other_acts)
{
	static struct threads t;
	struct infer_result result;
	unsigned n, mean = 0;

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
TEST(rates)
{
	static struct threads t;
	struct infer_result result;

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

/* An iteration of two batches that begins at start, whatever the client does between the
 * two; it waits for each. */
static void
add_round(struct threads *t, nsec start, unsigned i)
{
	if (i > 0)
		add_wait(t, 0);
	add_batch(t, 0, start - t->ends[0]);
	add_wait(t, 0);
	add_batch(t, 0, (100 + 150 * any_of_10(i)) * US);
	t->requests[t->input.n_requests - 1].context = 1;
}

/* Iterations of two batches that take 2 ms, a tenth of them 2.4 ms, whatever the client
 * does between the two: their period is the mean. */
TEST(mean_period)
{
	static struct threads t;
	struct infer_result result;
	nsec start = 0, sum = 0;
	char said[32];

	no_threads(&t);
	for (unsigned i = 0; i < 200; i++) {
		nsec period = (any_of_10(i + 500) < 1 ? 2400 : 2000) * US;

		add_round(&t, start, i);
		start += period;
		sum += i < 199 ? period : 0;
	}
	infer_threads(&t, false, &result);
	expect_in(text_of(&result, 0), "# 200 iterations of 2 batches;");
	snprintf(said, sizeof(said), "\np.%u\n", (unsigned)(sum / 199 / US));
	expect_in(text_of(&result, 0), said);
	infer_free(&result);
}

/* Returns the sum of the numbers of all lines that begin with a name; sets the largest. */
static unsigned long
sum_of_lines(
    const char *text, const char *name, unsigned *n, unsigned long *largest)
{
	unsigned long sum = 0;

	*n = 0;
	*largest = 0;
	while ((text = strstr(text, name)) != NULL) {
		unsigned long number;

		text += strlen(name);
		number = strtoul(text, NULL, 10);
		sum += number;
		if (number > *largest)
			*largest = number;
		++*n;
	}
	return sum;
}

/* Iterations of two batches that take 2 ms, but 15 % of them 3 ms: they become several, so
 * that the median is kept, too. Periods count from the start of the first one. */
TEST(vary_period)
{
	static struct threads t;
	struct infer_result result;
	unsigned n, each;
	unsigned long last, before = 0, n_2000 = 0;
	nsec start = 0, sum = 0;

	no_threads(&t);
	for (unsigned i = 0; i < 200; i++) {
		nsec period =
		    (i % 20 == 3 || i % 20 == 8 || i % 20 == 16 ? 3000 : 2000) *
		    US;

		add_round(&t, start, i);
		start += period;
		sum += i < 199 ? period : 0;
	}
	infer_threads(&t, true, &result);
	each = result.clients[0].n_batches / 2;
	assert_true(each >= 3 && each % 2 == 1);
	sum_of_lines(text_of(&result, 0), "\np.", &n, &last);
	assert_int_equal(n, each);
	assert_in_range(last, each * (sum / 199 / US) - each,
	    each * (sum / 199 / US) + each);
	for (const char *at = text_of(&result, 0);
	     (at = strstr(at, "\np.")) != NULL; at += 3) {
		unsigned long us = strtoul(at + 3, NULL, 10);

		assert_true(us > before);
		n_2000 += us - before == 2000;
		before = us;
	}
	assert_true(n_2000 > each / 2);
	infer_free(&result);
}

/* A pause, and an iteration of a batch that the client ends after 2 ms, one that it submits
 * as long after the first as until_second, and a wait for that, which begins late. */
static void
add_ended(struct threads *t, nsec pause, nsec until_second, nsec late)
{
	nsec begin = t->ends[0] + pause, second = begin + until_second;
	nsec end = begin + 2000 * US, from = end - 10 * US + late;
	uint32_t n = (uint32_t)t->input.n_requests;
	struct infer_request *rq = &t->requests[n];

	assert_true(n + 2 <= MOST);
	rq[0] = rq[1] = (struct infer_request){
	    .class = CLASS_RCS,
	    .instance = 1,
	    .queued_ns = begin,
	    .ready_ns = begin,
	    .start_ns = begin,
	    .end_ns = end,
	    .run_ns = end - begin,
	    .infinite = true,
	};
	rq[1].infinite = false;
	rq[1].queued_ns = rq[1].ready_ns = second;
	rq[1].start_ns = second > end ? second : end;
	rq[1].end_ns = rq[1].start_ns + 100 * US;
	rq[1].run_ns = 100 * US;
	t->input.n_requests += 2;
	from = from > second ? from : second;
	t->ends[0] = from > rq[1].end_ns ? from : rq[1].end_ns;
	t->acts[t->input.n_acts++] = (struct infer_act){
	    .request = n + 1,
	    .from_ns = from,
	    .to_ns = t->ends[0],
	    .next = n + 3,
	};
}

/* Sets the sums of the pauses from each infinite batch up to its T, and behind that. */
static void
sum_around_ends(const char *text, unsigned long sums[2], unsigned *n_ends)
{
	unsigned long begin = 0;
	bool after = false;

	sums[0] = sums[1] = *n_ends = 0;
	for (; text != NULL; text = strchr(text + 1, '\n')) {
		unsigned long us = strlen(text) > 3
		    ? strtoul(text + 3, NULL, 10)
		    : 0;

		if (strstr(text, "1.RCS.*") == text + 1) {
			after = false;
			begin = sums[0];
		} else if (strncmp(text, "\nT.", 3) == 0) {
			after = true;
			++*n_ends;
		} else if (strncmp(text, "\nd.", 3) == 0) {
			sums[after] += us;
		} else if (strncmp(text, "\np.", 3) == 0) {
			assert_false(after);
			sums[0] = begin + us;
		}
	}
}

/* Batches run as long as they did, in the mean, also where the client was stopped: in a sixth
 * of the iterations before it submitted the second one, in another before it waited. */
TEST(mean_of_ended)
{
	static struct threads t;
	struct infer_result result;
	unsigned long sums[2], frame;
	unsigned n;

	no_threads(&t);
	for (unsigned i = 0; i < 200; i++)
		add_ended(&t, 300 * US, (i % 6 == 2 ? 3000 : 200) * US,
		    (i % 6 == 5 ? 1500 : 0) * US);
	frame = (unsigned long)(t.requests[398].queued_ns -
		    t.requests[0].queued_ns) /
	    US / 199;
	infer_threads(&t, false, &result);
	expect_in(text_of(&result, 0), "# 200 iterations of 2 batches;");
	sum_around_ends(text_of(&result, 0), sums, &n);
	assert_int_equal(n, 1);
	assert_in_range(sums[0], 1990, 2010);
	assert_in_range(sums[0] + 100 + sums[1], frame - 20, frame + 20);
	infer_free(&result);
}

/* Likewise where they are ended within a sleep, before a wait that begins later, and where a
 * pause before them is too short for a delay, and so is part of another. */
TEST(mean_within)
{
	static struct threads t;
	struct infer_result result;
	unsigned long sums[2], late = 0;
	unsigned n;

	no_threads(&t);
	for (unsigned i = 0; i < 200; i++) {
		unsigned us = 800 + 100 * any_of_10(i);

		add_ended(&t, 15 * US, (i % 6 == 2 ? 2600 : 400) * US, us * US);
		late += us - 10;
	}
	infer_threads(&t, false, &result);
	expect_in(text_of(&result, 0), "# 200 iterations of 2 batches;");
	sum_around_ends(text_of(&result, 0), sums, &n);
	assert_int_equal(n, 1);
	assert_in_range(sums[0], 1995, 2005);
	assert_in_range(sums[1], late / 200 - 5, late / 200 + 25);
	infer_free(&result);
}

/* Likewise with pauses that vary: each of several has its end. */
TEST(vary_ended)
{
	static struct threads t;
	struct infer_result result;
	unsigned long sums[2];
	unsigned n, each;

	no_threads(&t);
	for (unsigned i = 0; i < 200; i++)
		add_ended(&t, skewed_pause(i), 200 * US, 0);
	infer_threads(&t, true, &result);
	each = result.clients[0].n_batches / 2;
	assert_true(each >= 5 && each % 2 == 1);
	sum_around_ends(text_of(&result, 0), sums, &n);
	assert_int_equal(n, each);
	assert_in_range(sums[0], 1990 * each, 2010 * each);
	infer_free(&result);
}
