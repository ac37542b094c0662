/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers of a descriptor and their ranges, for all code that takes one: the
 * parser, edits, options, live changes, recordings. The diagnostic has the same
 * words everywhere: "invalid priority '5000': expected -1023 to 1023, e.g. 10".
 */
#ifndef PARSER_VALUE_H
#define PARSER_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text;

#define STEP_MAX_US       1000000000ull /* doc/model/gem_wsim.md "Language" */
#define STEP_MAX_SLEEP_US 2147483647ull /* of d and p: gem_wsim's int */
#define STEP_MAX_PRIORITY 1023
#define STEP_MAX_OBJECTS  1000000u    /* in one working set: bounds memory */
#define STEP_MAX_NUMBER   2147483647u /* of contexts, sets, steps back */

/* STEP_MAX_PRIORITY in words, for prompts and help. */
#define PRIORITY_RANGE "-1023 to 1023"

enum value_kind {
	VALUE_CONTEXT,       /* set up by P, S, X, M, B, b or G */
	VALUE_BATCH_CONTEXT, /* 0 as well */
	VALUE_PRIORITY,
	VALUE_SLICE_MASK,  /* -1: all slices */
	VALUE_PREEMPTION,  /* us between preemption points; 0: none */
	VALUE_DURATION,    /* us */
	VALUE_DELAY,       /* us */
	VALUE_PERIOD,      /* us */
	VALUE_THROTTLE,    /* steps; 0: off */
	VALUE_QUEUE_DEPTH, /* steps; 0: off */
	VALUE_SET,         /* id of a working set */
	N_VALUE_KINDS
};

struct value_range {
	int64_t min, max;
	const char *invalid;  /* "invalid priority": kind of its diagnostics */
	const char *expected; /* "-1023 to 1023, e.g. 10" */
};

extern const struct value_range value_ranges[N_VALUE_KINDS];

/* False if value is not in the range of its kind: appends a diagnostic to err,
 * which may be NULL. */
bool value_check(enum value_kind kind, int64_t value, struct text *err);
/* Reads a value as a descriptor has it; slice masks may be hexadecimal. False
 * if that fails: *value is 0 and a diagnostic is appended to err, which may be
 * NULL. */
bool value_read(enum value_kind kind, const char *s, size_t len, int64_t *value,
    struct text *err);

#endif
