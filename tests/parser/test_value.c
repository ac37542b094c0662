/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranges of numbers: each kind takes its limits, refuses what is beyond them, and
 * has the same diagnostic in a descriptor and elsewhere. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "parser/document/document.h"
#include "parser/step.h"
#include "tests/runner/test.h"

/* The text around the number in a step, by its kind. */
static const struct {
	const char *before, *after;
} steps[N_VALUE_KINDS] = {
    [VALUE_CONTEXT] = {"P.", ".1"},
    [VALUE_BATCH_CONTEXT] = {"", ".RCS.1.0.0"},
    [VALUE_PRIORITY] = {"P.1.", ""},
    [VALUE_SLICE_MASK] = {"S.1.", ""},
    [VALUE_PREEMPTION] = {"X.1.", ""},
    [VALUE_DURATION] = {"1.RCS.", ".0.0"},
    [VALUE_DELAY] = {"d.", ""},
    [VALUE_PERIOD] = {"p.", ""},
    [VALUE_THROTTLE] = {"t.", ""},
    [VALUE_QUEUE_DEPTH] = {"q.", ""},
    [VALUE_SET] = {"w.", ".4k"},
};

/* Appends the errors of a step with that number. */
static void
add_errors(enum value_kind kind, const char *number, struct text *out)
{
	struct text step = {0};
	struct document *doc;
	const struct diag_list *diags;

	text_addf(
	    &step, "%s%s%s", steps[kind].before, number, steps[kind].after);
	doc = document_parse("t", text_str(&step), step.len, SOURCE_INLINE);
	diags = document_diagnostics(doc);
	for (size_t i = 0; i < diags->n; i++)
		/* A throttle is also compared with the number of steps. */
		if (diags->list[i].severity == DIAG_ERROR &&
		    strstr(diags->list[i].message, "number of steps") == NULL)
			text_adds(out, diags->list[i].message);
	document_free(doc);
	text_free(&step);
}

static void
check_number(enum value_kind kind, const char *number, bool fits)
{
	struct text read = {0}, parsed = {0};
	int64_t value = 1;

	assert_int_equal(
	    value_read(kind, number, strlen(number), &value, &read), fits);
	add_errors(kind, number, &parsed);
	if (strcmp(text_str(&read), text_str(&parsed)) != 0)
		fail_msg("%s: '%s', in a descriptor '%s'", number,
		    text_str(&read), text_str(&parsed));
	if (!fits) {
		assert_int_equal(value, 0);
		assert_int_equal(
		    strncmp(text_str(&read), value_ranges[kind].invalid,
			strlen(value_ranges[kind].invalid)),
		    0);
		assert_non_null(
		    strstr(text_str(&read), value_ranges[kind].expected));
	}
	text_free(&read);
	text_free(&parsed);
}

static void
check_value(enum value_kind kind, int64_t value, bool fits)
{
	struct text checked = {0};
	char number[24];

	snprintf(number, sizeof(number), "%lld", (long long)value);
	assert_int_equal(value_check(kind, value, &checked), fits);
	assert_int_equal(value_check(kind, value, NULL), fits);
	assert_int_equal(checked.len == 0, fits);
	text_free(&checked);
	check_number(kind, number, fits);
}

TEST(limits)
{
	for (enum value_kind kind = 0; kind < N_VALUE_KINDS; kind++) {
		const struct value_range *range = &value_ranges[kind];

		check_value(kind, range->min, true);
		check_value(kind, range->min - 1, false);
		check_value(kind, range->max, true);
		if (range->max < INT64_MAX)
			check_value(kind, range->max + 1, false);
		check_number(kind, "1x", false);
		check_number(kind, "+1", false);
		check_number(kind, "99999999999999999999", false);
	}
	check_value(VALUE_SLICE_MASK, 0, false);
	check_number(VALUE_SLICE_MASK, "0x3", true);
	check_number(VALUE_SLICE_MASK, "-01", false);
	check_number(VALUE_PRIORITY, "0x3", false);
}

/* The words of the priority's range are those of its limits. */
TEST(words)
{
	char range[32];

	snprintf(range, sizeof(range), "%d to %d", -STEP_MAX_PRIORITY,
	    STEP_MAX_PRIORITY);
	assert_string_equal(range, PRIORITY_RANGE);
}

static void
check_duration(enum value_kind kind, const char *s, const char *expected)
{
	struct text out = {0};
	struct duration d;

	if (duration_read(kind, s, strlen(s), &d, &out))
		duration_print(&out, d);
	assert_string_equal(text_str(&out), expected);
	text_free(&out);
}

TEST(durations)
{
	check_duration(VALUE_DURATION, "1000", "1000");
	check_duration(VALUE_DURATION, "500-1000", "500-1000");
	check_duration(VALUE_DURATION, "*", "*");
	check_duration(VALUE_DURATION, "1000-500",
	    "invalid duration '1000-500': expected microseconds from 1 to "
	    "1000000000, e.g. 1000, 500-1000 or *");
	check_duration(VALUE_DELAY, "2147483647", "2147483647");
	check_duration(VALUE_DELAY, "*",
	    "invalid delay '*': expected microseconds from 1 to 2147483647, "
	    "e.g. 1000");
}
