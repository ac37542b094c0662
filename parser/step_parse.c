/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fields of each kind of step. */
#include "parser/step_parse.h"

#include <ctype.h>
#include <string.h>

/* Fields of a kind, the letter included: the dots of its syntax and one. */
static const uint8_t n_fields[N_STEP_KINDS] = {
    [STEP_BATCH] = 5,
    [STEP_DELAY] = 2,
    [STEP_PERIOD] = 2,
    [STEP_SYNC] = 2,
    [STEP_THROTTLE] = 2,
    [STEP_QUEUE_DEPTH] = 2,
    [STEP_FENCE] = 1,
    [STEP_ADVANCE] = 2,
    [STEP_TERMINATE] = 2,
    [STEP_PRIORITY] = 3,
    [STEP_SSEU] = 3,
    [STEP_PREEMPTION] = 3,
    [STEP_MAP] = 3,
    [STEP_BALANCE] = 2,
    [STEP_BOND] = 4,
    [STEP_PARALLEL] = 3,
    [STEP_SET] = 3,
    [STEP_SHARED_SET] = 3,
};

uint32_t
step_n_fields(enum step_kind kind)
{
	return n_fields[kind];
}

bool
step_kind_of(struct field first, enum step_kind *kind)
{
	if (first.len && first.s[0] >= '0' && first.s[0] <= '9') {
		*kind = STEP_BATCH;
		return true;
	}
	if (first.len != 1)
		return false;
	switch (first.s[0]) {
	case 'd': *kind = STEP_DELAY; break;
	case 'p': *kind = STEP_PERIOD; break;
	case 's': *kind = STEP_SYNC; break;
	case 't': *kind = STEP_THROTTLE; break;
	case 'q': *kind = STEP_QUEUE_DEPTH; break;
	case 'f': *kind = STEP_FENCE; break;
	case 'a': *kind = STEP_ADVANCE; break;
	case 'T': *kind = STEP_TERMINATE; break;
	case 'P': *kind = STEP_PRIORITY; break;
	case 'S': *kind = STEP_SSEU; break;
	case 'X': *kind = STEP_PREEMPTION; break;
	case 'M': *kind = STEP_MAP; break;
	case 'B': *kind = STEP_BALANCE; break;
	case 'b': *kind = STEP_BOND; break;
	case 'G': *kind = STEP_PARALLEL; break;
	case 'w': *kind = STEP_SET; break;
	case 'W': *kind = STEP_SHARED_SET; break;
	default: return false;
	}
	return true;
}

/* Batches may use context 0, steps that set a context up may not. */
static uint32_t
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

static bool
parse_wait(struct scan *scan, struct field f)
{
	if (field_is(f, '1'))
		return true;
	if (!f.len)
		scan_error(scan, f,
		    "empty wait: use 1 to wait for the batch, 0 not to");
	else if (!field_is(f, '0'))
		scan_error(scan, f,
		    "wait '%s' is neither 0 nor 1: use 1 to wait for the "
		    "batch, 0 not to",
		    quote(f).s);
	return false;
}

static void
parse_batch(struct scan *scan, const struct field *f, struct step *step)
{
	step->context = parse_context(scan, f[0], 0);
	parse_engine(scan, f[1], &step->batch.engine);
	parse_durations(scan, f[2], step);
	parse_dependencies(scan, f[3], step);
	step->batch.wait = parse_wait(scan, f[4]);
}

/* The target of s, a, T: "-n". */
static uint32_t
parse_target(struct scan *scan, struct field f, char letter)
{
	struct field digits = f;
	uint64_t value;

	if (!f.len) {
		scan_error(scan, f,
		    "empty target: count steps back, like %c.-1", letter);
		return 0;
	}
	if (f.s[0] != '-') {
		scan_error(scan, f,
		    "target '%s' does not count back: write steps back with "
		    "a minus, like %c.-1",
		    quote(f).s, letter);
		return 0;
	}
	digits.s++;
	digits.len--;
	switch (scan_number(digits, MAX_BACK, &value)) {
	case NUMBER_NONE:
		scan_error(scan, f,
		    "target '%s' is no offset: count steps back in digits, "
		    "like %c.-1",
		    quote(f).s, letter);
		break;
	case NUMBER_BIG:
		scan_error(scan, f,
		    "target '%s' reaches back too far: at most %u steps",
		    quote(f).s, MAX_BACK);
		break;
	case NUMBER_OK:
		if (!value)
			scan_error(scan, f,
			    "target '%s' is the step itself: name an earlier "
			    "one with -1 or more",
			    quote(f).s);
	}
	return (uint32_t)value;
}

/* t and q: how many; 0 turns it off. */
static uint32_t
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

static int64_t
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

static int64_t
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

static uint32_t
parse_set_id(struct scan *scan, struct field f)
{
	uint64_t value;

	switch (scan_number(f, MAX_CONTEXT, &value)) {
	case NUMBER_NONE:
		if (f.len)
			scan_error(scan, f,
			    "working set '%s' is no number: use an id from 0 "
			    "to %u",
			    quote(f).s, MAX_CONTEXT);
		else
			scan_error(scan, f,
			    "empty working set: use an id from 0 to %u",
			    MAX_CONTEXT);
		break;
	case NUMBER_BIG:
		scan_error(scan, f,
		    "working set %s is too big: use an id from 0 to %u",
		    quote(f).s, MAX_CONTEXT);
		break;
	case NUMBER_OK: break;
	}
	return (uint32_t)value;
}

void
step_parse(struct scan *scan, const struct field *f, enum step_kind kind,
    struct step *step)
{
	*step = (struct step){.kind = kind};
	switch (kind) {
	case STEP_BATCH: parse_batch(scan, f, step); break;
	case STEP_DELAY:
		step->us = parse_us(scan, f[1], "delay", 1, STEP_MAX_SLEEP_US);
		break;
	case STEP_PERIOD:
		step->us = parse_us(scan, f[1], "period", 1, STEP_MAX_SLEEP_US);
		break;
	case STEP_SYNC: step->back = parse_target(scan, f[1], 's'); break;
	case STEP_THROTTLE:
		step->count = parse_limit(scan, f[1], "throttle");
		break;
	case STEP_QUEUE_DEPTH:
		step->count = parse_limit(scan, f[1], "queue depth");
		break;
	case STEP_FENCE: break;
	case STEP_ADVANCE: step->back = parse_target(scan, f[1], 'a'); break;
	case STEP_TERMINATE: step->back = parse_target(scan, f[1], 'T'); break;
	case STEP_PRIORITY:
		step->context = parse_context(scan, f[1], 1);
		step->value = parse_priority(scan, f[2]);
		break;
	case STEP_SSEU:
		step->context = parse_context(scan, f[1], 1);
		step->value = parse_mask(scan, f[2]);
		break;
	case STEP_PREEMPTION:
		step->context = parse_context(scan, f[1], 1);
		step->us = parse_us(
		    scan, f[2], "preemption time", 0, STEP_MAX_US);
		break;
	case STEP_MAP:
		step->context = parse_context(scan, f[1], 1);
		parse_map(scan, f[2], "an engine map", step);
		break;
	case STEP_BALANCE: step->context = parse_context(scan, f[1], 1); break;
	case STEP_BOND:
		step->context = parse_context(scan, f[1], 1);
		parse_map(scan, f[2], "a bond", step);
		parse_master(scan, f[3], &step->map.master);
		break;
	case STEP_PARALLEL:
		step->context = parse_context(scan, f[1], 1);
		parse_rows(scan, f[2], step);
		break;
	case STEP_SET:
	case STEP_SHARED_SET:
		step->set.id = parse_set_id(scan, f[1]);
		parse_sizes(scan, f[2], step);
		break;
	case N_STEP_KINDS: break;
	}
}
