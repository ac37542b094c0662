/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * References from a step to earlier ones: the target of s, a and T, and the
 * dependency field of a batch (0, or -n f-n s-n rS-a[-b] wS-a[-b] joined by
 * '/').
 */
#include <ctype.h>

#include "parser/step_parse.h"

/* Parses "-n": steps back, at least 1; 0 if it is anything else. */
static uint32_t
read_back(struct field f)
{
	struct field digits = {f.s + 1, f.len - 1};
	uint64_t back;

	if (!f.len || f.s[0] != '-' ||
	    scan_number(digits, STEP_MAX_NUMBER, &back) != NUMBER_OK)
		return 0;
	return (uint32_t)back;
}

/* The target of s, a, T. */
uint32_t
parse_target(struct scan *scan, struct field f, char letter)
{
	uint32_t back = read_back(f);

	if (!back)
		scan_error(scan, f,
		    "invalid target '%s': expected the number of steps back, "
		    "e.g. %c.-1",
		    quote(f).s, letter);
	return back;
}

static struct field
without_first(struct field f)
{
	return (struct field){f.s + 1, f.len - 1};
}

/* Parses "-n", with the letter before it in whole. */
static void
parse_back(
    struct scan *scan, struct field whole, struct field f, struct dep *dep)
{
	dep->back = read_back(f);
	if (!dep->back)
		scan_error(scan, whole,
		    "invalid dependency '%s': expected the number of steps "
		    "back, e.g. %.*s-1",
		    quote(whole).s, (int)(f.s - whole.s), whole.s);
}

static uint32_t
parse_object(struct scan *scan, struct field whole, struct field f)
{
	uint64_t value;

	switch (scan_number(f, STEP_MAX_OBJECTS - 1, &value)) {
	case NUMBER_NONE:
		scan_error(scan, f.len ? f : whole,
		    "invalid object in dependency '%s': expected a number "
		    "from 0, e.g. %c1-0 for the first object of set 1",
		    quote(whole).s, whole.s[0]);
		break;
	case NUMBER_BIG:
		scan_error(scan, f,
		    "invalid object '%s': expected 0 to %u, e.g. %c1-0",
		    quote(f).s, STEP_MAX_OBJECTS - 1, whole.s[0]);
		break;
	case NUMBER_OK: return (uint32_t)value;
	}
	return 0;
}

/* Parses "S-a" or "S-a-b" after r or w. */
static void
parse_objects(struct scan *scan, struct field whole, struct dep *dep)
{
	struct field set, objects, first, last;
	uint64_t id;

	if (!scan_split(without_first(whole), '-', &set, &objects)) {
		scan_error(scan, whole,
		    "missing object in dependency '%s': expected one, e.g. "
		    "%c%.*s-0 for the first of the set",
		    quote(whole).s, whole.s[0], set.len < 20 ? (int)set.len : 0,
		    set.s);
		return;
	}
	if (scan_number(set, STEP_MAX_NUMBER, &id) != NUMBER_OK)
		scan_error(scan, set.len ? set : whole,
		    "invalid working set '%s' in dependency '%s': expected the "
		    "id of a w or W step, e.g. %c1-0",
		    quote(set).s, quote(whole).s, whole.s[0]);
	dep->set = (uint32_t)id;
	if (!scan_split(objects, '-', &first, &last)) {
		dep->first = dep->last = parse_object(scan, whole, first);
		return;
	}
	dep->first = parse_object(scan, whole, first);
	dep->last = parse_object(scan, whole, last);
	if (!scan->failed && dep->last <= dep->first)
		scan_error(scan, objects,
		    "invalid objects '%s': expected a range whose second "
		    "number is above the first, e.g. 0-3",
		    quote(objects).s);
}

static void
parse_unknown(struct scan *scan, struct field f)
{
	char lower = f.len ? (char)tolower((unsigned char)f.s[0]) : 0;

	if (!f.len)
		scan_error(scan, f,
		    "empty dependency: expected 0 for none, or -n, f-n, s-n, "
		    "rS-o, wS-o joined by /, e.g. -1/f-2");
	else if (f.s[0] >= '1' && f.s[0] <= '9')
		scan_error(scan, f,
		    "invalid dependency '%s': expected steps back, did you "
		    "mean '-%s'",
		    quote(f).s, quote(f).s);
	else if (lower != f.s[0] &&
	    (lower == 'f' || lower == 's' || lower == 'r' || lower == 'w'))
		scan_error(scan, f,
		    "unknown dependency '%s': did you mean '%c%s'", quote(f).s,
		    lower, quote(without_first(f)).s);
	else
		scan_error(scan, f,
		    "unknown dependency '%s': expected 0 for none, -n, f-n, "
		    "s-n, rS-o or wS-o, e.g. -1",
		    quote(f).s);
}

/* Parses one dependency. False for "0", which adds none. */
static bool
parse_dependency(struct scan *scan, struct field f, struct dep *dep)
{
	*dep = (struct dep){0};
	switch (f.len ? f.s[0] : 0) {
	case '-':
		dep->kind = DEP_DATA;
		parse_back(scan, f, f, dep);
		return true;
	case 'f':
		dep->kind = DEP_FENCE;
		parse_back(scan, f, without_first(f), dep);
		return true;
	case 's':
		dep->kind = DEP_SUBMIT;
		parse_back(scan, f, without_first(f), dep);
		return true;
	case 'r':
		dep->kind = DEP_READ;
		parse_objects(scan, f, dep);
		return true;
	case 'w':
		dep->kind = DEP_WRITE;
		parse_objects(scan, f, dep);
		return true;
	}
	if (!field_is(f, '0'))
		parse_unknown(scan, f);
	return false;
}

void
parse_dependencies(struct scan *scan, struct field f, struct step *step)
{
	struct field rest = f, part;
	struct dep first, *deps;
	uint32_t n;

	step->batch.n_deps = 0;
	step->batch.deps = NULL;
	if (field_is(f, '0'))
		return;
	scan_part(&rest, '/', &part);
	n = parse_dependency(scan, part, &first);
	if (!n && !rest.s)
		return;
	deps = arena_array(scan->arena,
	    n + (rest.s ? scan_count(rest, '/') : 0), sizeof(*deps));
	deps[0] = first;
	while (scan_part(&rest, '/', &part))
		n += parse_dependency(scan, part, &deps[n]);
	step->batch.n_deps = n;
	step->batch.deps = n ? deps : NULL;
}

bool
dep_read(const char *s, size_t len, struct dep *dep)
{
	struct field f = {s, len < UINT32_MAX ? (uint32_t)len : UINT32_MAX};
	struct scan scan = {.text = s};

	return parse_dependency(&scan, f, dep) && !scan.failed;
}
