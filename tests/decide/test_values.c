/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of values, goals and mixes, as they are typed. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "decide/goal.h"
#include "decide/mix.h"
#include "decide/trial_figures.h"
#include "decide/values.h"
#include "tests/runner/test.h"

static void
expect_values(const char *typed, const char *expected)
{
	struct values v = {0};
	struct text err = {0}, all = {0};

	if (!values_read(&v, typed, &err))
		fail_msg("%s: %s", typed, text_str(&err));
	for (size_t i = 0; i < v.n; i++)
		text_addf(&all, "%s%s", i > 0 ? " " : "", v.list[i]);
	assert_string_equal(text_str(&all), expected);
	text_free(&all);
	values_free(&v);
}

TEST(lists)
{
	expect_values("4", "4");
	expect_values("guc,fifo", "guc fifo");
	expect_values("1..4", "1 2 3 4");
	expect_values("1..64*2", "1 2 4 8 16 32 64");
	expect_values("1..100*10,7", "1 10 100 7");
	expect_values("0.5..2+0.25", "0.5 0.75 1 1.25 1.5 1.75 2");
	expect_values("0..0.3+0.1", "0 0.1 0.2 0.3");
	expect_values("3..3", "3");
	expect_values("../a.ini,b..c", "../a.ini b..c");
}

static void
refuse_values(const char *typed, const char *words)
{
	struct values v = {0};
	struct text err = {0};

	assert_false(values_read(&v, typed, &err));
	if (strstr(text_str(&err), words) == NULL)
		fail_msg("%s: '%s'", typed, text_str(&err));
	text_free(&err);
	values_free(&v);
}

TEST(refused_lists)
{
	refuse_values("", "between the commas");
	refuse_values("1,,2", "between the commas");
	refuse_values("8..1", "rising");
	refuse_values("1..", "FROM..TO");
	refuse_values("1..8*1", "FROM..TO*FACTOR");
	refuse_values("0..8*2", "FROM..TO*FACTOR");
	refuse_values("1..8+0", "FROM..TO+STEP");
	refuse_values("1..8+-1", "FROM..TO+STEP");
	refuse_values("1..nan", "FROM..TO");
	refuse_values("1..1000000", "at most 100000 values");
}

static const struct trial_figures figures = {
    .lowest_rate = 59.999,
    .periods = 4500,
    .missed = 3,
    .hangs = 1,
    .latency_p99_ns = 20400000,
    .queue_wait_p99_ns = 500000,
};

/* Expects the goal to hold, or (words) to be explained so. */
static void
expect_goal(const char *typed, const char *words)
{
	struct goal goal = {0};
	struct text out = {0};

	if (!goal_read(&goal, typed, &out))
		fail_msg("%s: %s", typed, text_str(&out));
	goal_explain(&goal, &figures, &out);
	assert_string_equal(text_str(&out), words);
	assert_int_equal(goal_violation(&goal, &figures).n > 0, *words != '\0');
	text_free(&out);
}

TEST(goals)
{
	expect_goal("misses<=3", "");
	expect_goal("misses<=2", "miss 3 of 4500 periods");
	expect_goal("misses<=0.1%", "");
	expect_goal("misses<=0.05%", "miss 3 of 4500 periods");
	expect_goal("rate>=59.9", "");
	expect_goal("rate>=60", "run at 59.999/s, not 60/s");
	expect_goal("latency.p99<=20.4ms", "");
	expect_goal("latency.p99<=20ms", "have latency.p99 20.4 ms, not 20 ms");
	expect_goal(
	    "latency.p99<=20000", "have latency.p99 20.4 ms, not 20 ms");
	expect_goal(
	    "latency.p99<=0.02s", "have latency.p99 20.4 ms, not 20 ms");
	expect_goal("queue_wait.p99<=500us", "");
	expect_goal("queue_wait.p99<=499999ns",
	    "have queue_wait.p99 500 us, not 499.999 us");
	expect_goal("hangs<=1", "");
	expect_goal("hangs<=0", "have 1 hang, not 0");
	/* The one that is violated most. */
	expect_goal("rate>=60,misses<=1,hangs<=9", "miss 3 of 4500 periods");
}

TEST(violations)
{
	struct violation none = {0}, one = {1, 2}, more = {1, 3}, two = {2, 1};

	assert_true(violation_compare(none, one) < 0);
	assert_true(violation_compare(more, one) > 0);
	assert_true(violation_compare(two, more) > 0);
	assert_int_equal(violation_compare(two, two), 0);
}

static void
refuse_goal(const char *typed)
{
	struct goal goal = {0};
	struct text err = {0};

	if (goal_read(&goal, typed, &err))
		fail_msg("'%s' was taken", typed);
	assert_non_null(strstr(text_str(&err), "expected misses<=0"));
	text_free(&err);
}

TEST(refused_goals)
{
	refuse_goal("");
	refuse_goal("misses");
	refuse_goal("misses>=0");
	refuse_goal("misses<=1.5");
	refuse_goal("misses<=-1");
	refuse_goal("rate<=3");
	refuse_goal("rate>=x");
	refuse_goal("rate>=3%");
	refuse_goal("latency.p99<=20m");
	refuse_goal("latency.p50<=20ms");
	refuse_goal("hangs<=0,");
}

TEST(mixes)
{
	struct text err = {0};
	struct mix_field *mix = mix_read("4:x:2x", 3, &err);

	assert_non_null(mix);
	assert_int_equal(mix[0].fixed, 4);
	assert_int_equal(mix[1].fixed, 0);
	assert_int_equal(mix[1].factor, 1);
	assert_int_equal(mix[2].factor, 2);
	free(mix);
	mix = mix_read(NULL, 2, &err);
	assert_int_equal(mix[1].factor, 1);
	free(mix);
	assert_null(mix_read("4:x", 3, &err));
	assert_null(mix_read("4:x:x:x", 3, &err));
	assert_null(mix_read("4:4", 2, &err));
	assert_null(mix_read("0:x", 2, &err));
	assert_null(mix_read("x:1000001", 2, &err));
	assert_null(mix_read("x:", 2, &err));
	assert_null(mix_read("", 1, &err));
	assert_non_null(strstr(text_str(&err),
	    "invalid mix '4:x': expected 3 fields with ':' between them"));
	text_free(&err);
}
