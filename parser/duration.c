/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times: n, n-m or *, and one per row of a parallel slot joined by '/'. */
#include "parser/step_parse.h"

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
