/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names of engines, CLASS[instance][-gt] (doc/model/gem_wsim.md "Language"):
 * one name parsed and printed, and the lists of names in the fields of steps.
 */
#include "parser/engine_name.h"

#include <string.h>

#include "base/text.h"
#include "parser/step_parse.h"

#define MAX_INSTANCE_DIGITS 3
#define MAX_GT_DIGITS       2

const char *const engine_class_names[N_CLASSES + 1] = {
    [CLASS_RCS] = "RCS",
    [CLASS_BCS] = "BCS",
    [CLASS_VCS] = "VCS",
    [CLASS_VECS] = "VECS",
    [CLASS_CCS] = "CCS",
    [CLASS_DEFAULT] = "DEFAULT",
};

const char *const engine_class_help[N_CLASSES] = {
    [CLASS_RCS] = "render",
    [CLASS_BCS] = "copy",
    [CLASS_VCS] = "video",
    [CLASS_VECS] = "video enhancement",
    [CLASS_CCS] = "compute",
};

/* Returns the length of the class name that s begins with, 0 if none. */
static size_t
parse_class(const char *s, size_t len, uint8_t *engine_class)
{
	for (uint8_t i = 0; i <= N_CLASSES; i++) {
		const char *name = engine_class_names[i];
		size_t n = i == CLASS_DEFAULT ? 7 : i == CLASS_VECS ? 4 : 3;
		size_t k = 0;

		if (n > len)
			continue;
		while (k < n && (s[k] & ~0x20) == name[k])
			k++;
		if (k == n) {
			*engine_class = i;
			return n;
		}
	}
	return 0;
}

/* Parses up to max digits without leading zeros. Returns their number, 0 after
 * an error. */
static size_t
parse_digits(const char *s, size_t len, size_t max, int *value)
{
	size_t n = 0;

	*value = 0;
	while (n < len && s[n] >= '0' && s[n] <= '9') {
		if (n == max)
			return 0;
		*value = *value * 10 + (s[n++] - '0');
	}
	if (n > 1 && s[0] == '0')
		return 0;
	return n;
}

/* Parses all of s[0..len). False if that fails; *name is unchanged then. */
static bool
engine_name_parse(struct engine_name *name, const char *s, size_t len)
{
	struct engine_name got = {.gt = -1};
	size_t at = parse_class(s, len, &got.class);
	int value;

	if (!at)
		return false;
	if (at < len && got.class == CLASS_DEFAULT)
		return false;
	if (at < len && s[at] != '-') {
		size_t n = parse_digits(
		    s + at, len - at, MAX_INSTANCE_DIGITS, &value);

		if (!n || !value)
			return false;
		got.instance = value;
		at += n;
	}
	if (at < len) {
		size_t n;

		if (s[at++] != '-')
			return false;
		n = parse_digits(s + at, len - at, MAX_GT_DIGITS, &value);
		if (!n)
			return false;
		got.gt = (int16_t)value;
		at += n;
	}
	if (at != len)
		return false;
	*name = got;
	return true;
}

void
engine_name_print(struct text *t, struct engine_name name)
{
	text_adds(t, engine_class_names[name.class]);
	if (name.instance)
		text_addf(t, "%d", name.instance);
	if (name.gt >= 0)
		text_addf(t, "-%d", name.gt);
}

bool
engine_name_equal(struct engine_name a, struct engine_name b)
{
	return a.class == b.class && a.gt == b.gt && a.instance == b.instance;
}

#define KNOWN "RCS, BCS, VCS, VECS, CCS"

void
parse_engine(struct scan *scan, struct field f, struct engine_name *name)
{
	if (engine_name_parse(name, f.s, f.len))
		return;
	*name = (struct engine_name){.class = CLASS_DEFAULT, .gt = -1};
	if (!f.len)
		scan_error(scan, f,
		    "empty engine: expected DEFAULT or one of " KNOWN
		    ", e.g. RCS or VCS2");
	else
		scan_error(scan, f,
		    "invalid engine '%s': expected DEFAULT or one of " KNOWN
		    " with an optional instance from 1 and gt, e.g. RCS, VCS2 "
		    "or VCS1-0",
		    quote(f).s);
}

void
parse_master(struct scan *scan, struct field f, struct engine_name *name)
{
	parse_engine(scan, f, name);
	if (name->class == CLASS_DEFAULT && !scan->failed)
		scan_error(scan, f,
		    "invalid master 'DEFAULT' of a bond: expected one engine, "
		    "e.g. RCS or VCS1");
}

static void
parse_listed(struct scan *scan, struct field f, const char *what,
    bool with_default, struct engine_name *name)
{
	bool known = engine_name_parse(name, f.s, f.len);

	if (known && (name->class != CLASS_DEFAULT || with_default))
		return;
	if (!f.len)
		scan_error(scan, f,
		    "empty engine in %s: expected names joined by |, e.g. "
		    "VCS1|VCS2",
		    what);
	else if (known)
		scan_error(scan, f,
		    "invalid engine 'DEFAULT' in %s: expected one of " KNOWN
		    ", e.g. VCS1",
		    what);
	else
		scan_error(scan, f,
		    "invalid engine '%s' in %s: expected one of " KNOWN
		    " with an optional instance from 1, e.g. VCS2",
		    quote(f).s, what);
}

static uint32_t
parse_list(struct scan *scan, struct field f, const char *what,
    bool with_default, struct engine_name *names)
{
	struct field rest = f, part;
	uint32_t n = 0;

	while (scan_part(&rest, '|', &part))
		parse_listed(scan, part, what, with_default, &names[n++]);
	return n;
}

void
parse_map(
    struct scan *scan, struct field f, const char *what, struct step *step)
{
	step->map.engines = arena_array(
	    scan->arena, scan_count(f, '|'), sizeof(*step->map.engines));
	step->map.n_engines = parse_list(
	    scan, f, what, false, step->map.engines);
	step->map.n_rows = 1;
}

void
parse_rows(struct scan *scan, struct field f, struct step *step)
{
	struct field rest = f, part;
	uint32_t n = 0, width = 0;

	step->map.n_rows = 0;
	step->map.engines = arena_array(scan->arena,
	    scan_count(f, '/') + scan_count(f, '|'),
	    sizeof(*step->map.engines));
	while (scan_part(&rest, '/', &part)) {
		uint32_t row = parse_list(
		    scan, part, "a parallel slot", true, step->map.engines + n);

		if (!step->map.n_rows++)
			width = row;
		else if (row != width)
			scan_error(scan, part,
			    "invalid row of a parallel slot: expected %u "
			    "engines as in row 1, got %u",
			    width, row);
		n += row;
	}
	step->map.n_engines = n;
}
