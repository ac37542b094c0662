/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers of steps and their ranges: contexts, limits, priorities, slice masks,
 * times in us, and the duration field of a batch (n, n-m or *; one per row of a
 * parallel slot, joined by '/').
 */
#include "parser/step_parse.h"

#include <ctype.h>
#include <string.h>

uint64_t
parse_us(struct scan *scan, struct field f, const char *what, uint64_t min,
    uint64_t max)
{
	uint64_t value;

	switch (scan_number(f, max, &value)) {
	case NUMBER_NONE:
		scan_error(scan, f,
		    f.len ? "%s '%s' is no number: use microseconds like 1000"
			  : "empty %s%s: use microseconds like 1000",
		    what, quote(f).s);
		break;
	case NUMBER_BIG:
		scan_error(scan, f, "%s %s is too long: at most %llu us", what,
		    quote(f).s, (unsigned long long)max);
		break;
	case NUMBER_OK:
		if (value < min)
			scan_error(scan, f,
			    "%s 0 is no time: use 1 microsecond or more", what);
	}
	return value;
}

static uint64_t
parse_bound(struct scan *scan, struct field whole, struct field f)
{
	uint64_t value;

	switch (scan_number(f, STEP_MAX_US, &value)) {
	case NUMBER_NONE:
		scan_error(scan, whole,
		    "duration '%s' is no number: use microseconds like 1000, "
		    "a range like 500-1000, or *",
		    quote(whole).s);
		break;
	case NUMBER_BIG:
		scan_error(scan, f, "duration %s is too long: at most %llu us",
		    quote(f).s, STEP_MAX_US);
		break;
	case NUMBER_OK:
		if (!value)
			scan_error(scan, f,
			    "duration 0 is no time: use 1 microsecond or more");
	}
	return value;
}

static struct duration
parse_duration(struct scan *scan, struct field f)
{
	struct duration d = {0};
	struct field min, max;
	bool failed = scan->failed;

	if (field_is(f, '*')) {
		d.infinite = true;
		return d;
	}
	if (!f.len) {
		scan_error(scan, f,
		    "empty duration: use microseconds like 1000, a range like "
		    "500-1000, or *");
		return d;
	}
	if (!scan_split(f, '-', &min, &max)) {
		d.min_us = d.max_us = parse_bound(scan, f, f);
		return d;
	}
	scan->failed = false;
	d.min_us = parse_bound(scan, f, min);
	if (!scan->failed)
		d.max_us = parse_bound(scan, f, max);
	if (!scan->failed && d.max_us <= d.min_us)
		scan_error(scan, f,
		    "duration '%s' is no range: the second must be above the "
		    "first, like 500-1000",
		    quote(f).s);
	scan->failed |= failed;
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
		scan_error(scan, f, "%u durations are too many: at most %u",
		    count, UINT16_MAX);
		return;
	}
	rows = arena_array(scan->arena, count, sizeof(*rows));
	while (scan_part(&rest, '/', &part))
		rows[n++] = parse_duration(scan, part);
	step->batch.duration = rows[0];
	step->batch.rows = rows;
	step->batch.n_durations = (uint16_t)n;
}

/* Batches may use context 0, steps that set a context up may not. */
uint32_t
parse_context(struct scan *scan, struct field f, unsigned from)
{
	uint64_t value;

	switch (scan_number(f, MAX_CONTEXT, &value)) {
	case NUMBER_NONE:
		if (f.len)
			scan_error(scan, f,
			    "context '%s' is no number: use %u to %u",
			    quote(f).s, from, MAX_CONTEXT);
		else
			scan_error(scan, f,
			    "empty context: use a number from %u to %u", from,
			    MAX_CONTEXT);
		break;
	case NUMBER_BIG:
		scan_error(scan, f, "context %s is too big: use %u to %u",
		    quote(f).s, from, MAX_CONTEXT);
		break;
	case NUMBER_OK:
		if (value < from)
			scan_error(scan, f,
			    "context %u can't be set up: use %u to %u",
			    (unsigned)value, from, MAX_CONTEXT);
	}
	return (uint32_t)value;
}

/* t and q: how many; 0 turns it off. */
uint32_t
parse_limit(struct scan *scan, struct field f, const char *what)
{
	uint64_t value;

	switch (scan_number(f, MAX_BACK, &value)) {
	case NUMBER_NONE:
		if (f.len)
			scan_error(scan, f,
			    "%s '%s' is no number: use digits, 0 turns it off",
			    what, quote(f).s);
		else
			scan_error(scan, f,
			    "empty %s: use a number, 0 turns it off", what);
		break;
	case NUMBER_BIG:
		scan_error(scan, f, "%s %s is too big: at most %u", what,
		    quote(f).s, MAX_BACK);
		break;
	case NUMBER_OK: break;
	}
	return (uint32_t)value;
}

int64_t
parse_priority(struct scan *scan, struct field f)
{
	bool minus = f.len && f.s[0] == '-';
	struct field digits = {f.s + minus, f.len - minus};
	uint64_t value;

	switch (scan_number(digits, STEP_MAX_PRIORITY, &value)) {
	case NUMBER_NONE:
		if (f.len)
			scan_error(scan, f,
			    "priority '%s' is no number: use -%d to %d",
			    quote(f).s, STEP_MAX_PRIORITY, STEP_MAX_PRIORITY);
		else
			scan_error(scan, f, "empty priority: use -%d to %d",
			    STEP_MAX_PRIORITY, STEP_MAX_PRIORITY);
		break;
	case NUMBER_BIG:
		scan_error(scan, f,
		    "priority %s is out of range: use -%d to %d", quote(f).s,
		    STEP_MAX_PRIORITY, STEP_MAX_PRIORITY);
		break;
	case NUMBER_OK: break;
	}
	return minus ? -(int64_t)value : (int64_t)value;
}

static unsigned
hex_digit(unsigned char c)
{
	return c <= '9' ? c - (unsigned)'0' : (c | 0x20u) - 'a' + 10;
}

/* "0x" and hexadecimal digits, or decimal ones. */
static enum number
scan_mask(struct field f, uint64_t *value)
{
	uint64_t v = 0;

	if (f.len <= 2 || f.s[0] != '0' || (f.s[1] | 0x20) != 'x')
		return scan_number(f, INT64_MAX, value);
	*value = 0;
	for (uint32_t i = 2; i < f.len; i++) {
		unsigned char c = (unsigned char)f.s[i];

		if (!isxdigit(c))
			return NUMBER_NONE;
		v = v > INT64_MAX / 16 ? UINT64_MAX : v * 16 + hex_digit(c);
	}
	if (v > INT64_MAX)
		return NUMBER_BIG;
	*value = v;
	return NUMBER_OK;
}

int64_t
parse_mask(struct scan *scan, struct field f)
{
	uint64_t value;

	if (f.len == 2 && !memcmp(f.s, "-1", 2))
		return -1;
	switch (scan_mask(f, &value)) {
	case NUMBER_NONE:
		scan_error(scan, f,
		    "slice mask '%s' is no mask: use a number from 1 like 3 "
		    "or 0x3, or -1 for all slices",
		    quote(f).s);
		break;
	case NUMBER_BIG:
		scan_error(scan, f, "slice mask %s is too big: at most 63 bits",
		    quote(f).s);
		break;
	case NUMBER_OK:
		if (!value)
			scan_error(scan, f,
			    "slice mask 0 leaves no slice: use a number from "
			    "1, or -1 for all slices");
	}
	return (int64_t)value;
}
