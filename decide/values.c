/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads lists of values: words and ranges. */
#include "decide/values.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

/* FROM..TO, with the step that follows. */
struct number_range {
	double from, to;
	double factor; /* of each to the one before; 0: none */
	double step;   /* added to the one before */
};

bool
values_number(const char *s, double *n)
{
	char *end;

	if (*s == '\0' || s[strspn(s, "0123456789.eE+-")] != '\0' ||
	    *s == '+' || *s == 'e' || *s == 'E')
		return false;
	*n = strtod(s, &end);
	return *end == '\0' && isfinite(*n);
}

static bool
refuse_item(const char *item, const char *expected, struct text *err)
{
	text_adds(err, "invalid values '");
	text_add_visible(err, item, strlen(item));
	text_addf(err, "': expected %s", expected);
	return false;
}

static bool
append_value(
    struct values *v, const char *value, const char *item, struct text *err)
{
	if (v->n == VALUES_MAX)
		return refuse_item(
		    item, "at most 100000 values, e.g. 1..64*2", err);
	v->list = mem_grow(v->list, v->n, &v->cap, sizeof *v->list);
	v->list[v->n++] = mem_strdup(value);
	return true;
}

/* Reads what follows "..": TO, TO*FACTOR or TO+STEP. An exponent's sign is part
 * of its number. */
static bool
read_range_end(const char *s, struct number_range *range)
{
	size_t len = strcspn(s, "*+");
	char *to;
	bool ok;

	if (len > 0 && s[len] == '+' && (s[len - 1] | ' ') == 'e')
		len += 1 + strcspn(s + len + 1, "*+");
	to = mem_strndup(s, len);
	ok = values_number(to, &range->to);
	free(to);
	if (!ok)
		return false;
	range->step = 1;
	if (s[len] == '*')
		return values_number(s + len + 1, &range->factor) &&
		    range->factor > 1 && range->from > 0;
	if (s[len] == '+')
		return values_number(s + len + 1, &range->step) &&
		    range->step > 0;
	return true;
}

static bool
add_value_range(struct values *v, const struct number_range *range,
    const char *item, struct text *err)
{
	/* A step may be short of TO by what rounding took from it. */
	double to = range->to + range->to * 1e-9;
	double at = range->from;
	char value[32];

	for (size_t i = 1; at <= to; i++) {
		snprintf(value, sizeof value, "%.12g", at);
		if (!append_value(v, value, item, err))
			return false;
		at = range->factor > 0 ? at * range->factor
				       : range->from + (double)i * range->step;
	}
	return true;
}

/* Adds an item: a range if a number is before its "..", else a word. */
static bool
add_item(struct values *v, const char *item, struct text *err)
{
	const char *dots = strstr(item, "..");
	struct number_range range = {0};
	char *from;
	bool is_range;

	if (*item == '\0')
		return refuse_item(
		    item, "a value between the commas, e.g. 1,2,4", err);
	if (dots == NULL)
		return append_value(v, item, item, err);
	from = mem_strndup(item, (size_t)(dots - item));
	is_range = values_number(from, &range.from);
	free(from);
	if (!is_range)
		return append_value(v, item, item, err);
	if (!read_range_end(dots + 2, &range) || range.to < range.from)
		return refuse_item(item,
		    "FROM..TO, FROM..TO*FACTOR or FROM..TO+STEP, rising, e.g. "
		    "1..8, 1..64*2 or 0.5..2+0.25",
		    err);
	return add_value_range(v, &range, item, err);
}

bool
values_read(struct values *v, const char *s, struct text *err)
{
	bool ok = true;

	while (ok) {
		size_t len = strcspn(s, ",");
		char *item = mem_strndup(s, len);

		ok = add_item(v, item, err);
		free(item);
		if (s[len] == '\0')
			break;
		s += len + 1;
	}
	return ok;
}

void
values_free(struct values *v)
{
	for (size_t i = 0; i < v->n; i++)
		free(v->list[i]);
	free(v->list);
	*v = (struct values){0};
}
