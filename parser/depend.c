/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * References from a step to earlier ones: the target of s, a and T, and the
 * dependency field of a batch (0, or -n f-n s-n rS-a[-b] wS-a[-b] joined by
 * '/').
 */
#include <ctype.h>

#include "parser/step_parse.h"

static struct field
without_first(struct field f)
{
	return (struct field){f.s + 1, f.len - 1};
}

/* The target of s, a, T: "-n". */
uint32_t
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

/* "-n" after the letter, if any. */
static void
parse_back(
    struct scan *scan, struct field whole, struct field f, struct dep *dep)
{
	uint64_t back;

	if (!f.len || f.s[0] != '-') {
		scan_error(scan, whole,
		    "dependency '%s' has no offset: count steps back, like "
		    "%.*s-1",
		    quote(whole).s, (int)(f.s - whole.s), whole.s);
		return;
	}
	switch (scan_number(without_first(f), MAX_BACK, &back)) {
	case NUMBER_NONE:
		scan_error(scan, whole,
		    "dependency '%s' is no offset: count steps back in "
		    "digits, like %.*s-1",
		    quote(whole).s, (int)(f.s - whole.s), whole.s);
		break;
	case NUMBER_BIG:
		scan_error(scan, whole,
		    "dependency '%s' reaches back too far: at most %u steps",
		    quote(whole).s, MAX_BACK);
		break;
	case NUMBER_OK:
		if (!back)
			scan_error(scan, whole,
			    "dependency '%s' is the step itself: name an "
			    "earlier one with -1 or more",
			    quote(whole).s);
		dep->back = (uint32_t)back;
	}
}

static uint32_t
parse_object(struct scan *scan, struct field whole, struct field f)
{
	uint64_t value;

	switch (scan_number(f, STEP_MAX_OBJECTS - 1, &value)) {
	case NUMBER_NONE:
		if (!f.len)
			scan_error(scan, whole,
			    "dependency '%s' lacks an object: write %c1-0 for "
			    "the first object of set 1",
			    quote(whole).s, whole.s[0]);
		else
			scan_error(scan, f,
			    "object '%s' of dependency '%s' is no number: write "
			    "%c1-0 for the first object of set 1",
			    quote(f).s, quote(whole).s, whole.s[0]);
		break;
	case NUMBER_BIG:
		scan_error(scan, f,
		    "object %s is out of range: a working set has at most %u",
		    quote(f).s, STEP_MAX_OBJECTS);
		break;
	case NUMBER_OK: return (uint32_t)value;
	}
	return 0;
}

/* "S-a" or "S-a-b" after r or w. */
static void
parse_objects(struct scan *scan, struct field whole, struct dep *dep)
{
	struct field set, objects, first, last;
	uint64_t id;

	if (!scan_split(without_first(whole), '-', &set, &objects)) {
		scan_error(scan, whole,
		    "dependency '%s' names no object: write %c%.*s-0 for the "
		    "first of the set",
		    quote(whole).s, whole.s[0], set.len < 20 ? (int)set.len : 0,
		    set.s);
		return;
	}
	if (scan_number(set, MAX_CONTEXT, &id) != NUMBER_OK)
		scan_error(scan, set.len ? set : whole,
		    "'%s' in dependency '%s' is no working set: use the id of "
		    "a w or W step, like %c1-0",
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
		    "objects '%s' are no range: the second must be above the "
		    "first",
		    quote(objects).s);
}

static void
parse_unknown(struct scan *scan, struct field f)
{
	char lower = f.len ? (char)tolower((unsigned char)f.s[0]) : 0;

	if (!f.len)
		scan_error(scan, f,
		    "empty dependency: use 0 for none, or -n, f-n, s-n, rS-o, "
		    "wS-o joined by /");
	else if (f.s[0] >= '1' && f.s[0] <= '9')
		scan_error(scan, f,
		    "dependency '%s' points forward: offsets count back, did "
		    "you mean '-%s'",
		    quote(f).s, quote(f).s);
	else if (lower != f.s[0] &&
	    (lower == 'f' || lower == 's' || lower == 'r' || lower == 'w'))
		scan_error(scan, f,
		    "dependency '%s' is unknown: did you mean '%c%s'",
		    quote(f).s, lower, quote(without_first(f)).s);
	else
		scan_error(scan, f,
		    "dependency '%s' is unknown: use 0 for none, -n, f-n, "
		    "s-n, rS-o or wS-o",
		    quote(f).s);
}

/* False for a "0", which adds nothing. */
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
