/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares names with a mistyped word, by the letters to change. */
#include "base/near.h"

#include <ctype.h>
#include <string.h>

#define LONGEST 40 /* bytes of a word that is compared */

static size_t
least(size_t a, size_t b, size_t c)
{
	size_t n = a < b ? a : b;

	return n < c ? n : c;
}

static bool
same_letter(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Returns the letters to insert, remove or replace between a and b, both at
 * most LONGEST long (Levenshtein's distance). */
static size_t
count_changes(const char *a, const char *b)
{
	size_t row[LONGEST + 1], n = strlen(b);

	for (size_t j = 0; j <= n; j++)
		row[j] = j;
	for (size_t i = 1; a[i - 1] != '\0'; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= n; j++) {
			size_t above = row[j];

			row[j] = least(above + 1, row[j - 1] + 1,
			    diagonal + !same_letter(a[i - 1], b[j - 1]));
			diagonal = above;
		}
	}
	return row[n];
}

bool
near_is(const char *word, const char *name)
{
	size_t len = strlen(word);

	if (len > LONGEST || strlen(name) > LONGEST || len == 0)
		return false;
	return count_changes(word, name) <= (len + 2) / 3;
}

void
near_add(struct near *near, const char *name, size_t len)
{
	if (near->n == NEAR_MAX)
		return;
	if (near->n > 1)
		text_adds(&near->names, ", ");
	if (near->n > 0)
		text_add(&near->names, near->last.data, near->last.len);
	text_clear(&near->last);
	text_add(&near->last, name, len);
	near->n++;
}

void
near_print(const struct near *near, struct text *out)
{
	text_add(out, text_str(&near->names), near->names.len);
	text_addf(
	    out, "%s%s", near->n > 1 ? " or " : "", text_str(&near->last));
}

void
near_free(struct near *near)
{
	text_free(&near->names);
	text_free(&near->last);
	*near = (struct near){0};
}
