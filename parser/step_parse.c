/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parses the fields of a step, by its kind. Fields of their own files: numbers
 * and durations (value.c), references (depend.c), engines (engine_name.c).
 */
#include "parser/step_parse.h"

#define MAX_BYTES ((uint64_t)1 << 62)

#define COUNT_INVALID "invalid count '%s': expected 1 to %u objects, e.g. 10n4k"

uint32_t
step_n_fields(enum step_kind kind)
{
	return step_infos[kind].n_fields;
}

bool
step_kind_of(struct field first, enum step_kind *kind)
{
	if (first.len && first.s[0] >= '0' && first.s[0] <= '9') {
		*kind = STEP_BATCH;
		return true;
	}
	if (first.len != 1 || first.s[0] == 0)
		return false;
	for (enum step_kind k = 0; k < N_STEP_KINDS; k++) {
		if (step_infos[k].letter == first.s[0]) {
			*kind = k;
			return true;
		}
	}
	return false;
}

static bool
parse_wait(struct scan *scan, struct field f)
{
	if (field_is(f, '1'))
		return true;
	if (!field_is(f, '0'))
		scan_error(scan, f,
		    "invalid wait '%s': expected 1 to wait for the batch, or 0",
		    quote(f).s);
	return false;
}

/* Most steps are batches with a valid context: reads it without the table. */
static uint32_t
parse_batch_context(struct scan *scan, struct field f)
{
	uint64_t context;

	if (scan_number(f, STEP_MAX_NUMBER, &context) == NUMBER_OK)
		return (uint32_t)context;
	return (uint32_t)parse_value(scan, f, VALUE_BATCH_CONTEXT);
}

static void
parse_batch(struct scan *scan, const struct field *f, struct step *step)
{
	step->context = parse_batch_context(scan, f[0]);
	parse_engine(scan, f[1], &step->batch.engine);
	parse_durations(scan, f[2], step);
	parse_dependencies(scan, f[3], step);
	step->batch.wait = parse_wait(scan, f[4]);
}

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

/* Parses digits and an optional unit; 0 after an error. */
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
		    "invalid size '%s': expected bytes, e.g. 4096, 4k or 2M, a "
		    "range, e.g. 4k-1m, or a count and a size, e.g. 10n4k",
		    quote(f.len ? f : whole).s);
		break;
	case NUMBER_BIG:
		scan_error(scan, f,
		    "invalid size '%s': expected at most 2^62 bytes",
		    quote(f).s);
		break;
	case NUMBER_OK:
		if (!value)
			scan_error(scan, f,
			    "invalid size '%s': expected 1 byte or more, e.g. "
			    "4096",
			    quote(f).s);
	}
	return value << shift;
}

static uint32_t
parse_object_count(struct scan *scan, struct field whole, struct field f)
{
	uint64_t value;

	switch (scan_number(f, STEP_MAX_OBJECTS, &value)) {
	case NUMBER_NONE:
		scan_error(scan, f.len ? f : whole, COUNT_INVALID, quote(f).s,
		    STEP_MAX_OBJECTS);
		break;
	case NUMBER_BIG:
		scan_error(
		    scan, f, COUNT_INVALID, quote(f).s, STEP_MAX_OBJECTS);
		break;
	case NUMBER_OK:
		if (!value)
			scan_error(scan, f, COUNT_INVALID, quote(f).s,
			    STEP_MAX_OBJECTS);
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
		    "empty size: expected bytes joined by /, e.g. 4096/4k");
		return size;
	}
	if (scan_split(f, 'n', &count, &bytes))
		size.count = parse_object_count(scan, f, count);
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
		    "invalid size '%s': expected a range whose second size is "
		    "above the first, e.g. 4k-1m",
		    quote(bytes).s);
	return size;
}

/* Checks the sums of counts and bytes over all sizes. */
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
		    "too many objects: %llu, expected at most %u in a working "
		    "set",
		    (unsigned long long)objects, STEP_MAX_OBJECTS);
	else if (bytes > MAX_BYTES)
		scan_error(scan, f,
		    "working set too big: expected at most 2^62 bytes in all");
	step->set.n_objects = (uint32_t)objects;
}

static void
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

void
step_parse(struct scan *scan, const struct field *f, enum step_kind kind,
    struct step *step)
{
	*step = (struct step){.kind = kind};
	if (kind != STEP_BATCH && step_has_context(step))
		step->context = (uint32_t)parse_value(
		    scan, f[1], VALUE_CONTEXT);
	switch (kind) {
	case STEP_BATCH: parse_batch(scan, f, step); break;
	case STEP_DELAY:
		step->us = (uint64_t)parse_value(scan, f[1], VALUE_DELAY);
		break;
	case STEP_PERIOD:
		step->us = (uint64_t)parse_value(scan, f[1], VALUE_PERIOD);
		break;
	case STEP_SYNC: step->back = parse_target(scan, f[1], 's'); break;
	case STEP_THROTTLE:
		step->count = (uint32_t)parse_value(scan, f[1], VALUE_THROTTLE);
		break;
	case STEP_QUEUE_DEPTH:
		step->count = (uint32_t)parse_value(
		    scan, f[1], VALUE_QUEUE_DEPTH);
		break;
	case STEP_ADVANCE: step->back = parse_target(scan, f[1], 'a'); break;
	case STEP_TERMINATE: step->back = parse_target(scan, f[1], 'T'); break;
	case STEP_PRIORITY:
		step->value = parse_value(scan, f[2], VALUE_PRIORITY);
		break;
	case STEP_SSEU:
		step->value = parse_value(scan, f[2], VALUE_SLICE_MASK);
		break;
	case STEP_PREEMPTION:
		step->us = (uint64_t)parse_value(scan, f[2], VALUE_PREEMPTION);
		break;
	case STEP_MAP: parse_map(scan, f[2], "an engine map", step); break;
	case STEP_BOND:
		parse_map(scan, f[2], "a bond", step);
		parse_master(scan, f[3], &step->map.master);
		break;
	case STEP_PARALLEL: parse_rows(scan, f[2], step); break;
	case STEP_SET:
	case STEP_SHARED_SET:
		step->set.id = (uint32_t)parse_value(scan, f[1], VALUE_SET);
		parse_sizes(scan, f[2], step);
		break;
	case STEP_FENCE:
	case STEP_BALANCE:
	case N_STEP_KINDS: break;
	}
}
