/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --capacity: its answer is that of single runs for every number of clients and
 * seed, on shipped and random descriptors; its lines, its JSON and its exit status.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/any_iteration.h"
#include "tests/support/run_program.h"

static char sources[2048]; /* the project's folder */

#define MOST  12
#define SEEDS 3

/* A question about one workload. */
struct question {
	const char *workload, *append, *goal, *profile;
};

/* Returns field i, from 0, of a line. */
static double
number_field(const char *line, unsigned i)
{
	while (i-- > 0)
		line += strcspn(line, "\t\n") + 1;
	return strtod(line, NULL);
}

/* Sets holds[1..MOST] by the lines of a sweep. False: a run failed. */
static bool
try_all(const struct question *q, unsigned column, double most, bool *holds)
{
	struct outcome r;
	const char *line;
	bool ok = true;

	RUN(&r, "-b", "-w", q->workload, "-a", q->append, "--duration=0.25",
	    "--profile", q->profile, "--sweep=clients=1..12",
	    "--sweep=seed=1..3", "-q");
	assert_int_equal(r.status, 0);
	line = r.out;
	for (unsigned i = 0; i < MOST * SEEDS; i++) {
		unsigned clients = i / SEEDS + 1;

		line = strchr(line, '\n') + 1;
		ok = ok && strstr(line, "\tok\n") != NULL;
		holds[clients] = (i % SEEDS == 0 || holds[clients]) &&
		    number_field(line, column) <= most;
	}
	outcome_free(&r);
	return ok;
}

/* Appends the answer that holds give, up to the reason. Returns false if they
 * are not monotone. */
static bool
add_expected(const bool *holds, struct text *out)
{
	unsigned n = MOST;

	while (n > 0 && !holds[n])
		n--;
	text_addf(out, "capacity %s%u client%s", n == MOST ? "at least " : "",
	    n, n == 1 ? "" : "s");
	for (unsigned i = 1; i < n; i++)
		if (!holds[i])
			return false;
	return true;
}

/* Compares --capacity with all single runs. */
static void
expect_as_all(const struct question *q, unsigned column, double most)
{
	struct text expected = {0};
	struct outcome r;
	bool holds[MOST + 1], monotone;

	if (!try_all(q, column, most, holds))
		return;
	monotone = add_expected(holds, &expected);
	RUN(&r, "-b", "-w", q->workload, "-a", q->append, "--duration=0.25",
	    "--profile", q->profile, "--capacity", "--max-clients=12", "--goal",
	    q->goal);
	assert_int_equal(r.status, 0);
	if (monotone &&
	    (strncmp(r.out, text_str(&expected), expected.len) != 0 ||
		strchr(r.out, '\n')[1] != '\0'))
		fail_msg(
		    "%s: %s, not %s", q->workload, r.out, text_str(&expected));
	if (!monotone && strstr(r.out, "\nnot monotone: ") == NULL)
		fail_msg("%s: %s", q->workload, r.out);
	text_free(&expected);
	outcome_free(&r);
}

#define MISSES_COLUMN  4
#define LATENCY_COLUMN 6

TEST(shipped)
{
	static const char *const names[] = {"composited", "desktop",
	    "transcode", "load-balance", "queue-depth", "split-frame",
	    "submit-fence", "sseu", "working-sets", "bonds",
	    "priority-inversion"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct question q = {.append = "p.33333",
		    .goal = "misses<=0",
		    .profile = "default"};
		char path[4096];

		snprintf(path, sizeof path, "%s/workloads/%s.wsim", sources,
		    names[i]);
		q.workload = path;
		expect_as_all(&q, MISSES_COLUMN, 0);
		q.goal = "latency.p99<=30ms";
		expect_as_all(&q, LATENCY_COLUMN, 30e6);
	}
}

TEST(random)
{
	for (uint64_t seed = 1; seed <= 15; seed++) {
		struct text steps = {0};
		struct question q = {.append = seed % 2 ? "p.5000" : "p.20000",
		    .goal = "misses<=0",
		    .profile = "ideal"};

		any_iteration(seed, true, &steps);
		write_file("random.wsim", text_str(&steps));
		q.workload = "random.wsim";
		expect_as_all(&q, MISSES_COLUMN, 0);
		text_free(&steps);
	}
}

#define ASK(r, ...)                                                            \
	RUN((r), "-b", "--profile=ideal", "--scheduler=fifo", "--seeds=1",     \
	    "--duration=1", "--capacity", __VA_ARGS__)

static void
expect_lines(const struct outcome *r, const char *lines)
{
	assert_string_equal(r->err, "");
	assert_int_equal(r->status, 0);
	assert_string_equal(r->out, lines);
}

/* A batch that cannot be preempted hangs when another client waits for its engine. */
TEST(hangs)
{
	static const char batch[] = "X.1.0,1.RCS.900000.0.1";
	json_t *o, *second;
	struct outcome r;

	RUN(&r, "-b", "--seeds=1", "--duration=4", "--max-clients=3",
	    "--capacity", "--goal=hangs<=0", "-w", batch);
	expect_lines(&r,
	    "capacity 1 client: 2 would have 5 hangs, not 0 (RCS 99.9 % "
	    "busy)\n");
	outcome_free(&r);
	RUN(&r, "-b", "--seeds=1", "--duration=4", "--max-clients=3",
	    "--capacity", "--goal=hangs<=5", "--json", "-q", "-w", batch);
	o = json_loads(r.out, 0, NULL);
	assert_non_null(o);
	second = json_array_get(json_object_get(o, "tried"), 1);
	assert_int_equal(
	    json_integer_value(json_object_get(second, "hangs")), 5);
	assert_true(json_is_true(json_object_get(second, "holds")));
	json_decref(o);
	outcome_free(&r);
}

/* One engine, of which each client needs a tenth: worked out by hand. */
TEST(lines)
{
	struct outcome r;

	ASK(&r, "-w", "1.RCS.1000.0.1,p.10000");
	expect_lines(&r,
	    "capacity 10 clients: 11 would miss 945 of 1000 periods (RCS "
	    "100.0 % busy)\n");
	outcome_free(&r);
	ASK(&r, "-w", "1.RCS.1000.0.1", "--goal=rate>=200");
	expect_lines(&r,
	    "capacity 5 clients: 6 would run at 167/s, not 200/s (RCS 100.0 % "
	    "busy)\n");
	outcome_free(&r);
	ASK(&r, "-w", "1.RCS.1000.0.1,p.16667", "--goal=rate>=60");
	expect_lines(&r,
	    "capacity 0 clients: 1 would run at 59.999/s, not 60/s (RCS 6.0 % "
	    "busy)\n");
	outcome_free(&r);
	ASK(&r, "-w", "1.RCS.1000.0.1", "--goal=rate>=2000");
	expect_lines(&r,
	    "capacity 0 clients: 1 would run at 1000/s, not 2000/s (RCS 100.0 % "
	    "busy)\n");
	outcome_free(&r);
	ASK(&r, "-w", "1.RCS.1000.0.1", "--goal=latency.p99<=3ms");
	expect_lines(&r,
	    "capacity 3 clients: 4 would have latency.p99 4 ms, not 3 ms (RCS "
	    "100.0 % busy)\n");
	outcome_free(&r);
	ASK(&r, "-w", "1.RCS.1000.0.1", "--goal=queue_wait.p99<=2ms");
	expect_lines(&r,
	    "capacity 3 clients: 4 would have queue_wait.p99 3 ms, not 2 ms "
	    "(RCS 100.0 % busy)\n");
	outcome_free(&r);
	ASK(&r, "-w", "1.RCS.6000.0.1,p.5000");
	expect_lines(&r,
	    "capacity 0 clients: 1 would miss 166 of 166 periods (RCS 100.0 % "
	    "busy)\n");
	outcome_free(&r);
	ASK(&r, "-w", "1.RCS.1000.0.1,p.10000", "--max-clients=7");
	expect_lines(&r, "capacity at least 7 clients\n");
	outcome_free(&r);
}

TEST(mix)
{
	struct outcome r;

	write_file("a.wsim", "1.RCS.1000.0.1\np.10000\n");
	write_file("b.wsim", "1.RCS.500.0.1\np.10000\n");
	ASK(&r, "-w", "a.wsim", "-w", "b.wsim", "--mix=4:x");
	assert_memory_equal(
	    r.out, "capacity 12: 4 a.wsim + 12 b.wsim; 13 would miss ", 49);
	outcome_free(&r);
	ASK(&r, "-w", "a.wsim", "-w", "b.wsim", "--mix=x:2x");
	assert_memory_equal(
	    r.out, "capacity 5: 5 a.wsim + 10 b.wsim; 6 would miss ", 47);
	outcome_free(&r);
	ASK(&r, "-w", "a.wsim", "-w", "b.wsim");
	assert_memory_equal(
	    r.out, "capacity 6: 6 a.wsim + 6 b.wsim; 7 would miss ", 46);
	outcome_free(&r);
}

/* Figures are those after the warm-up. */
TEST(warmup)
{
	struct outcome r;

	ASK(&r, "-w", "1.RCS.6000.0.1,p.5000", "--warmup=0.5");
	expect_lines(&r,
	    "capacity 0 clients: 1 would miss 83 of 83 periods (RCS 100.0 % "
	    "busy)\n");
	outcome_free(&r);
	ASK(&r, "-w", "1.RCS.1000.0.1,p.10000", "--warmup=1");
	assert_int_equal(r.status, 2);
	assert_non_null(strstr(r.err, "--warmup: expected less than"));
	outcome_free(&r);
}

TEST(json)
{
	json_t *o, *tried, *fifth;
	struct outcome r;

	ASK(&r, "-w", "1.RCS.1000.0.1,p.10000", "--json", "-q");
	assert_int_equal(r.status, 0);
	o = json_loads(r.out, 0, NULL);
	assert_non_null(o);
	assert_int_equal(
	    json_integer_value(json_object_get(o, "capacity")), 10);
	assert_string_equal(
	    json_string_value(json_array_get(json_object_get(o, "goal"), 0)),
	    "misses<=0");
	assert_string_equal(
	    json_string_value(json_object_get(o, "limited_by")), "RCS");
	assert_true(json_is_number(json_object_get(o, "headroom_percent")));
	tried = json_object_get(o, "tried");
	assert_true(json_array_size(tried) >= 11);
	fifth = json_array_get(tried, 4);
	assert_int_equal(
	    json_integer_value(json_object_get(fifth, "clients")), 5);
	assert_true(json_is_true(json_object_get(fifth, "holds")));
	assert_int_equal(
	    json_integer_value(json_object_get(fifth, "misses")), 0);
	assert_true(json_number_value(json_object_get(
			json_object_get(fifth, "busy"), "RCS")) == 50);
	json_decref(o);
	outcome_free(&r);
}

/* The number of processes changes nothing. */
TEST(jobs)
{
	struct outcome one, four;

	ASK(&one, "-w", "1.RCS.500-1500.0.1,p.10000", "--json", "-j1");
	ASK(&four, "-w", "1.RCS.500-1500.0.1,p.10000", "--json", "-j4");
	assert_string_equal(one.out, four.out);
	assert_string_equal(one.err, four.err);
	outcome_free(&one);
	outcome_free(&four);
}

TEST(failures)
{
	struct outcome r;

	ASK(&r, "-w", "1.RCS.1000.0.1");
	assert_int_equal(r.status, 2);
	assert_non_null(strstr(r.err, "expected a condition, e.g. rate>=29.9"));
	outcome_free(&r);
	ASK(&r, "-w", "f,1.RCS.1000.f-1.1,p.10000");
	assert_int_equal(r.status, 3);
	assert_non_null(strstr(r.err, "1 client, seed 1: deadlock: "));
	outcome_free(&r);
	ASK(&r, "-w", "1.RCS.1000.0.1,p.10000", "--mix=x:x");
	assert_int_equal(r.status, 2);
	outcome_free(&r);
	ASK(&r, "-w", "1.RCS.1000.0.1", "--goal=rate>=fast");
	assert_int_equal(r.status, 2);
	outcome_free(&r);
}

static int
leave_sources(void **state)
{
	(void)state;
	assert_non_null(getcwd(sources, sizeof sources));
	enter_test_folder();
	return 0;
}

FIXTURES(leave_sources, NULL);
