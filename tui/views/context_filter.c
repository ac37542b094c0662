/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See context_filter.h. */
#include "tui/views/context_filter.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"

enum context_column
column_find(const char *name, size_t len)
{
	enum context_column found = N_COLUMNS;

	for (int i = 0; i < N_COLUMNS && len > 0; i++) {
		const char *title = context_columns[i].title;
		/* "busy" for BUSY% is all of it. */
		size_t full = strcspn(title, "%");

		if (strncasecmp(title, name, len) != 0)
			continue;
		if (len >= full)
			return (enum context_column)i;
		if (found != N_COLUMNS)
			return N_COLUMNS;
		found = (enum context_column)i;
	}
	return found;
}

static struct filter_word
make_word(const char *s, size_t len, bool other)
{
	const char *equals = memchr(s, '=', len);
	struct filter_word word = {.column = N_COLUMNS, .other = other};

	if (equals != NULL)
		word.column = (int)column_find(s, (size_t)(equals - s));
	if (word.column != N_COLUMNS) {
		len -= (size_t)(equals - s) + 1;
		s = equals + 1;
	}
	word.needle = needle_of(s, len);
	return word;
}

void
filter_set(struct context_filter *f, const char *text)
{
	const char *s;
	bool other = false;
	char *copy = mem_strdup(text);

	filter_free(f);
	f->text = copy;
	for (s = copy; *s != 0 && f->n_words < FILTER_MAX_WORDS;) {
		size_t len = strcspn(s, " |");

		if (len > 0) {
			f->words[f->n_words++] = make_word(s, len, other);
			other = false;
		}
		s += len;
		if (*s == '|')
			other = f->n_words > 0;
		s += *s != 0;
	}
}

void
filter_free(struct context_filter *f)
{
	free(f->text);
	*f = (struct context_filter){0};
}

static bool
cell_has(const struct filter_word *word, enum context_column column,
    filter_cell *cell, void *arg, struct text *room)
{
	size_t sign;

	text_clear(room);
	cell(arg, column, room);
	/* "~3": a sign before a number is not of it. */
	sign = strspn(text_str(room), "~");
	if (word->column != N_COLUMNS && !context_columns[column].left)
		return needle_is(
		    &word->needle, text_str(room) + sign, room->len - sign);
	return needle_find(&word->needle, text_str(room), room->len, 0) !=
	    NOWHERE;
}

static bool
word_passes(const struct filter_word *word, filter_cell *cell, void *arg,
    struct text *room)
{
	if (word->column != N_COLUMNS)
		return cell_has(
		    word, (enum context_column)word->column, cell, arg, room);
	for (int i = 0; i < N_COLUMNS; i++)
		if (context_columns[i].found &&
		    cell_has(word, (enum context_column)i, cell, arg, room))
			return true;
	return false;
}

bool
filter_passes(const struct context_filter *f, filter_cell *cell, void *arg,
    struct text *room)
{
	bool passes = true;

	for (size_t i = 0; i < f->n_words; i++) {
		if (f->words[i].other && passes)
			return true;
		if (f->words[i].other)
			passes = true;
		if (passes)
			passes = word_passes(&f->words[i], cell, arg, room);
	}
	return passes;
}
