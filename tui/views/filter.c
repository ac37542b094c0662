/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Filters of tables: words of a filter against the cells of a row. */
#include "tui/views/filter.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

static int
column_of_word(const struct row_filter *f, const char *name, size_t len)
{
	int column = columns_find(f->columns, f->n_columns, name, len);

	return column >= 0 && f->columns[column].print != NULL ? column : -1;
}

static struct filter_word
make_word(const struct row_filter *f, const char *s, size_t len, bool other)
{
	const char *equals = memchr(s, '=', len);
	struct filter_word word = {.column = -1, .other = other};

	if (equals != NULL)
		word.column = column_of_word(f, s, (size_t)(equals - s));
	if (word.column >= 0) {
		len -= (size_t)(equals - s) + 1;
		s = equals + 1;
	}
	word.needle = needle_of(s, len);
	return word;
}

void
filter_set(struct row_filter *f, const char *text, const struct column *columns,
    int n_columns)
{
	const char *s;
	bool other = false;
	char *copy = mem_strdup(text);

	filter_free(f);
	f->columns = columns;
	f->n_columns = n_columns;
	f->text = copy;
	for (s = copy; *s != 0 && f->n_words < FILTER_MAX_WORDS;) {
		size_t len = strcspn(s, " |");

		if (len > 0) {
			f->words[f->n_words++] = make_word(f, s, len, other);
			other = false;
		}
		s += len;
		if (*s == '|')
			other = f->n_words > 0;
		s += *s != 0;
	}
}

const char *
filter_text(const struct row_filter *f)
{
	return f->text != NULL ? f->text : "";
}

void
filter_free(struct row_filter *f)
{
	free(f->text);
	*f = (struct row_filter){0};
}

static bool
cell_has(const struct row_filter *f, const struct filter_word *word, int column,
    filter_cell *cell, void *arg, struct text *room)
{
	size_t sign;

	text_clear(room);
	cell(arg, column, room);
	/* A sign such as "~3" is not part of the number. */
	sign = strspn(text_str(room), "~");
	if (word->column >= 0 && !(f->columns[column].flags & COL_LEFT))
		return needle_is(
		    &word->needle, text_str(room) + sign, room->len - sign);
	return needle_find(&word->needle, text_str(room), room->len, 0) !=
	    NOWHERE;
}

static bool
word_passes(const struct row_filter *f, const struct filter_word *word,
    filter_cell *cell, void *arg, struct text *room)
{
	if (word->column >= 0)
		return cell_has(f, word, word->column, cell, arg, room);
	for (int i = 0; i < f->n_columns; i++)
		if (f->columns[i].flags & COL_FOUND &&
		    cell_has(f, word, i, cell, arg, room))
			return true;
	return false;
}

bool
filter_passes(
    const struct row_filter *f, filter_cell *cell, void *arg, struct text *room)
{
	bool passes = true;

	for (size_t i = 0; i < f->n_words; i++) {
		if (f->words[i].other && passes)
			return true;
		if (f->words[i].other)
			passes = true;
		if (passes)
			passes = word_passes(f, &f->words[i], cell, arg, room);
	}
	return passes;
}
