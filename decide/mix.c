/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a mix of clients. */
#include "decide/mix.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

/* Reads "4", "x" or "2x", and moves *s behind it. */
static bool
read_field(const char **s, struct mix_field *field)
{
	unsigned long n = 1;
	char *end = (char *)*s;

	if (**s >= '1' && **s <= '9')
		n = strtoul(*s, &end, 10);
	else if (**s != 'x')
		return false;
	if (n > MIX_MAX)
		return false;
	if (*end == 'x') {
		field->factor = (unsigned)n;
		end++;
	} else {
		field->fixed = (unsigned)n;
	}
	*s = end;
	return true;
}

static bool
read_fields(const char *s, struct mix_field *fields, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!read_field(&s, &fields[i]) ||
		    *s != (i + 1 < n ? ':' : '\0'))
			return false;
		s++;
	}
	return true;
}

/* True if one of the fields is multiplied. */
static bool
is_counted(const struct mix_field *fields, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (fields[i].factor > 0)
			return true;
	return false;
}

struct mix_field *
mix_read_fixed(const char *s, size_t n, struct text *err)
{
	struct mix_field *fields = mem_calloc(n + 1, sizeof *fields);

	for (size_t i = 0; i < n; i++)
		fields[i].fixed = 1;
	if (s == NULL || (read_fields(s, fields, n) && !is_counted(fields, n)))
		return fields;
	free(fields);
	text_adds(err, "invalid mix '");
	text_add_visible(err, s, strlen(s));
	text_addf(err,
	    "': expected %zu number%s of clients with ':' between them, e.g. "
	    "4:1; with --capacity one of them has an x",
	    n, n == 1 ? "" : "s");
	return NULL;
}

struct mix_field *
mix_read(const char *s, size_t n, struct text *err)
{
	struct mix_field *fields = mem_calloc(n + 1, sizeof *fields);

	if (s != NULL &&
	    (!read_fields(s, fields, n) || !is_counted(fields, n))) {
		free(fields);
		text_adds(err, "invalid mix '");
		text_add_visible(err, s, strlen(s));
		text_addf(err,
		    "': expected %zu field%s with ':' between them, each a "
		    "number, x or Nx, at least one with x, e.g. 4:x",
		    n, n == 1 ? "" : "s");
		return NULL;
	}
	for (size_t i = 0; s == NULL && i < n; i++)
		fields[i].factor = 1;
	return fields;
}
