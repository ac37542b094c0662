/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ranges of numbers, read and checked with one diagnostic for each kind;
 * and the duration field of a batch: n, n-m or *, one per row of a parallel
 * slot, joined by '/'.
 */
#include "parser/value.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "parser/step_parse.h"

#define DURATION_EXPECTED                                                      \
	"microseconds from 1 to 1000000000, e.g. 1000, 500-1000 or *"

const struct value_range value_ranges[N_VALUE_KINDS] = {
    [VALUE_CONTEXT] = {1, STEP_MAX_NUMBER, "invalid context",
	"1 to 2147483647, e.g. 1"},
    [VALUE_BATCH_CONTEXT] = {0, STEP_MAX_NUMBER, "invalid context",
	"0 to 2147483647, e.g. 1"},
    [VALUE_PRIORITY] = {-STEP_MAX_PRIORITY, STEP_MAX_PRIORITY,
	"invalid priority", PRIORITY_RANGE ", e.g. 10"},
    [VALUE_SLICE_MASK] = {-1, INT64_MAX, "invalid slice mask",
	"a mask from 1, e.g. 3 or 0x3, or -1 for all slices"},
    [VALUE_PREEMPTION] = {0, STEP_MAX_US, "invalid preemption period",
	"microseconds from 0 (none) to 1000000000, e.g. 100"},
    [VALUE_DURATION] = {1, STEP_MAX_US, "invalid duration", DURATION_EXPECTED},
    [VALUE_DELAY] = {1, STEP_MAX_SLEEP_US, "invalid delay",
	"microseconds from 1 to 2147483647, e.g. 1000"},
    [VALUE_PERIOD] = {1, STEP_MAX_SLEEP_US, "invalid period",
	"microseconds from 1 to 2147483647, e.g. 1000"},
    [VALUE_THROTTLE] = {0, STEP_MAX_NUMBER, "invalid throttle",
	"0 (off) to 2147483647, e.g. 2"},
    [VALUE_QUEUE_DEPTH] = {0, STEP_MAX_NUMBER, "invalid queue depth",
	"0 (off) to 2147483647, e.g. 4"},
    [VALUE_SET] = {0, STEP_MAX_NUMBER, "invalid working set",
	"an id from 0 to 2147483647, e.g. 1"},
};

static bool
in_range(enum value_kind kind, int64_t value)
{
	const struct value_range *range = &value_ranges[kind];

	if (kind == VALUE_SLICE_MASK && value == 0)
		return false;
	return value >= range->min && value <= range->max;
}

static unsigned
hex_digit(unsigned char c)
{
	return c <= '9' ? c - (unsigned)'0' : (c | 0x20u) - 'a' + 10;
}

/* Reads hexadecimal digits; false if there are others, or more than 63 bits. */
static bool
read_hexadecimal(struct field digits, int64_t *value)
{
	uint64_t v = 0;

	for (uint32_t i = 0; i < digits.len; i++) {
		unsigned char c = (unsigned char)digits.s[i];

		if (!isxdigit(c) || v > INT64_MAX / 16)
			return false;
		v = v * 16 + hex_digit(c);
	}
	*value = (int64_t)v;
	return digits.len > 0;
}

/* Reads "0x" and hexadecimal digits, decimal ones, or "-1". */
static bool
read_mask(struct field f, int64_t *value)
{
	uint64_t v;

	if (f.len == 2 && !memcmp(f.s, "-1", 2)) {
		*value = -1;
		return true;
	}
	if (f.len > 2 && f.s[0] == '0' && (f.s[1] | 0x20) == 'x')
		return read_hexadecimal(
		    (struct field){f.s + 2, f.len - 2}, value);
	if (scan_number(f, INT64_MAX, &v) != NUMBER_OK)
		return false;
	*value = (int64_t)v;
	return true;
}

static bool
read_number(enum value_kind kind, struct field f, int64_t *value)
{
	bool minus = f.len && f.s[0] == '-' && kind == VALUE_PRIORITY;
	struct field digits = {f.s + minus, f.len - minus};
	uint64_t v;

	if (kind == VALUE_SLICE_MASK)
		return read_mask(f, value) && in_range(kind, *value);
	if (scan_number(digits, INT64_MAX, &v) != NUMBER_OK)
		return false;
	*value = minus ? -(int64_t)v : (int64_t)v;
	return in_range(kind, *value);
}

static void
add_invalid_value(struct text *err, enum value_kind kind, struct field f)
{
	const struct value_range *range = &value_ranges[kind];

	if (err)
		text_addf(err, "%s '%s': expected %s", range->invalid,
		    quote(f).s, range->expected);
}

bool
value_check(enum value_kind kind, int64_t value, struct text *err)
{
	char s[24];
	int n = snprintf(s, sizeof(s), "%" PRId64, value);

	if (in_range(kind, value))
		return true;
	add_invalid_value(err, kind, (struct field){s, (uint32_t)n});
	return false;
}

bool
value_read(enum value_kind kind, const char *s, size_t len, int64_t *value,
    struct text *err)
{
	struct field f = {s, len < UINT32_MAX ? (uint32_t)len : UINT32_MAX};

	if (read_number(kind, f, value))
		return true;
	add_invalid_value(err, kind, f);
	*value = 0;
	return false;
}

static void
diagnose_value(struct scan *scan, struct field f, enum value_kind kind)
{
	const struct value_range *range = &value_ranges[kind];

	if (f.len)
		scan_error_as(scan, range->invalid, f, "%s '%s': expected %s",
		    range->invalid, quote(f).s, range->expected);
	else
		scan_error_as(scan, range->invalid, f, "empty %s: expected %s",
		    range->invalid + strlen("invalid "), range->expected);
}

int64_t
parse_value(struct scan *scan, struct field f, enum value_kind kind)
{
	int64_t value;

	if (read_number(kind, f, &value))
		return value;
	diagnose_value(scan, f, kind);
	return 0;
}

/* Parses a bound of a duration. A diagnostic shows whole unless the bound is
 * digits. */
static uint64_t
parse_bound(struct scan *scan, struct field whole, struct field bound)
{
	int64_t value;
	uint64_t v;

	if (read_number(VALUE_DURATION, bound, &value))
		return (uint64_t)value;
	if (scan_number(bound, UINT64_MAX, &v) == NUMBER_NONE)
		bound = whole;
	diagnose_value(scan, bound, VALUE_DURATION);
	return 0;
}

static struct duration
parse_duration(struct scan *scan, struct field f)
{
	struct duration d = {0};
	struct field min, max;

	if (field_is(f, '*')) {
		d.infinite = true;
		return d;
	}
	if (!scan_split(f, '-', &min, &max)) {
		d.min_us = d.max_us = parse_bound(scan, f, f);
		return d;
	}
	d.min_us = parse_bound(scan, f, min);
	if (d.min_us)
		d.max_us = parse_bound(scan, f, max);
	if (d.max_us && d.max_us <= d.min_us)
		scan_error(scan, f,
		    "invalid duration '%s': expected a range whose second "
		    "number is above the first, e.g. 500-1000",
		    quote(f).s);
	return d;
}

void
parse_durations(struct scan *scan, struct field f, struct step *step)
{
	struct field rest = f, part;
	uint32_t count, n = 0;
	struct duration *rows;
	uint64_t us;

	step->batch.rows = NULL;
	step->batch.n_durations = 1;
	/* Most are just a number. */
	if (scan_number(f, STEP_MAX_US, &us) == NUMBER_OK && us) {
		step->batch.duration = (struct duration){us, us, false};
		return;
	}
	count = scan_count(f, '/');
	if (count == 1) {
		step->batch.duration = parse_duration(scan, f);
		return;
	}
	if (count > UINT16_MAX) {
		scan_error(scan, f,
		    "too many durations: %u, expected at most %u", count,
		    UINT16_MAX);
		return;
	}
	rows = arena_array(scan->arena, count, sizeof(*rows));
	while (scan_part(&rest, '/', &part))
		rows[n++] = parse_duration(scan, part);
	step->batch.duration = rows[0];
	step->batch.rows = rows;
	step->batch.n_durations = (uint16_t)n;
}

enum value_kind
step_duration_kind(const struct step *step)
{
	switch (step ? step->kind : N_STEP_KINDS) {
	case STEP_BATCH: return VALUE_DURATION;
	case STEP_DELAY: return VALUE_DELAY;
	case STEP_PERIOD: return VALUE_PERIOD;
	default: return N_VALUE_KINDS;
	}
}

bool
duration_read(enum value_kind kind, const char *s, size_t len,
    struct duration *d, struct text *err)
{
	struct field f = {s, len < UINT32_MAX ? (uint32_t)len : UINT32_MAX};
	struct scan scan = {.text = s};
	int64_t us = 0;

	if (kind == VALUE_DURATION) {
		*d = parse_duration(&scan, f);
	} else {
		scan.failed = !read_number(kind, f, &us);
		*d = (struct duration){(uint64_t)us, (uint64_t)us, false};
	}
	if (scan.failed)
		add_invalid_value(err, kind, f);
	return !scan.failed;
}
