/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sizes of a working set: [count n] bytes [- bytes], joined by '/'. */
#include "parser/step_parse.h"

#define MAX_BYTES ((uint64_t)1 << 62)

static unsigned
unit_shift(char c)
{
	switch (c) {
	case 'k':
	case 'K': return 10;
	case 'm':
	case 'M': return 20;
	case 'g':
	case 'G': return 30;
	}
	return 0;
}

/* Digits and an optional unit; 0 if wrong. */
static uint64_t
parse_bytes(struct scan *scan, struct field whole, struct field f)
{
	struct field digits = f;
	unsigned shift = f.len ? unit_shift(f.s[f.len - 1]) : 0;
	uint64_t value;

	digits.len -= shift != 0;
	switch (scan_number(digits, MAX_BYTES >> shift, &value)) {
	case NUMBER_NONE:
		scan_error(scan, f.len ? f : whole,
		    "size '%s' is no number of bytes: write 4096, 4k, 2M, 1g, "
		    "10n4k for ten, or a range 4k-1m",
		    quote(f.len ? f : whole).s);
		break;
	case NUMBER_BIG:
		scan_error(scan, f, "size '%s' is too big: at most 2^62 bytes",
		    quote(f).s);
		break;
	case NUMBER_OK:
		if (!value)
			scan_error(scan, f,
			    "size '%s' is empty: an object has one byte or "
			    "more",
			    quote(f).s);
	}
	return value << shift;
}

static uint32_t
parse_count(struct scan *scan, struct field whole, struct field f)
{
	uint64_t value;

	switch (scan_number(f, STEP_MAX_OBJECTS, &value)) {
	case NUMBER_NONE:
		scan_error(scan, f.len ? f : whole,
		    "count '%s' is no number: write 10n4k for ten objects of "
		    "4k",
		    quote(f).s);
		break;
	case NUMBER_BIG:
		scan_error(scan, f,
		    "count %s is too big: a working set has at most %u "
		    "objects",
		    quote(f).s, STEP_MAX_OBJECTS);
		break;
	case NUMBER_OK:
		if (!value)
			scan_error(scan, f,
			    "count 0 makes no object: leave the size out, or "
			    "count from 1");
	}
	return (uint32_t)value;
}

static struct set_size
parse_size(struct scan *scan, struct field f)
{
	struct set_size size = {.count = 1};
	struct field count, bytes = f, min, max;

	if (!f.len) {
		scan_error(scan, f,
		    "empty size: write bytes like 4096 or 4k, joined by /");
		return size;
	}
	if (scan_split(f, 'n', &count, &bytes))
		size.count = parse_count(scan, f, count);
	else
		bytes = f;
	if (!scan_split(bytes, '-', &min, &max)) {
		size.min_bytes = size.max_bytes = parse_bytes(scan, f, bytes);
		return size;
	}
	size.min_bytes = parse_bytes(scan, f, min);
	size.max_bytes = parse_bytes(scan, f, max);
	if (!scan->failed && size.max_bytes <= size.min_bytes)
		scan_error(scan, bytes,
		    "size '%s' is no range: the second must be above the "
		    "first",
		    quote(bytes).s);
	return size;
}

/* Counts and bytes of all sizes together stay within bounds. */
static void
check_total(struct scan *scan, struct field f, struct step *step)
{
	uint64_t objects = 0, bytes = 0;

	for (uint32_t i = 0; i < step->set.n_sizes; i++) {
		const struct set_size *size = &step->set.sizes[i];
		uint64_t sum;

		objects += size->count;
		if (__builtin_mul_overflow(
			size->count, size->max_bytes, &sum) ||
		    __builtin_add_overflow(bytes, sum, &bytes))
			bytes = UINT64_MAX;
	}
	if (objects > STEP_MAX_OBJECTS)
		scan_error(scan, f,
		    "%llu objects are too many: a working set has at most %u",
		    (unsigned long long)objects, STEP_MAX_OBJECTS);
	else if (bytes > MAX_BYTES)
		scan_error(scan, f,
		    "the working set is too big: at most 2^62 bytes together");
	step->set.n_objects = (uint32_t)objects;
}

void
parse_sizes(struct scan *scan, struct field f, struct step *step)
{
	struct field rest = f, part;
	uint32_t n = 0;

	step->set.sizes = arena_array(
	    scan->arena, scan_count(f, '/'), sizeof(*step->set.sizes));
	while (scan_part(&rest, '/', &part))
		step->set.sizes[n++] = parse_size(scan, part);
	step->set.n_sizes = n;
	step->set.n_objects = 0;
	if (!scan->failed)
		check_total(scan, f, step);
}
