/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which contexts are shown, and in which order: words of a filter against the
 * cells of a row; sorting rows and laying them out as a tree.
 */
#include "tui/views/contexts.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"

enum context_column
column_find(const char *name, size_t len)
{
	enum context_column found = N_COLUMNS;

	if (len == strlen("busy") && strncasecmp(name, "busy", len) == 0)
		return COLUMN_RUN;
	for (int i = 0; i < N_COLUMNS && len > 0; i++) {
		const char *title = context_columns[i].title;
		/* "run" is the whole title of RUN%. */
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
	/* A sign such as "~3" is not part of the number. */
	sign = strspn(text_str(room), "~");
	if (word->column != N_COLUMNS &&
	    !(context_columns[column].flags & COL_LEFT))
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
		if (context_columns[i].flags & COL_FOUND &&
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

static int
sign_of_difference(double d)
{
	return (d > 0) - (d < 0);
}

static int
compare_order(const void *pa, const void *pb, void *arg)
{
	const struct order_keys *k = arg;
	uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
	int way = k->descends ? -1 : 1, d = 0;

	if (k->groups != NULL && k->group_of[a] != k->group_of[b]) {
		uint32_t ga = k->group_of[a], gb = k->group_of[b];

		d = sign_of_difference(k->groups[ga] - k->groups[gb]) * way;
		return d != 0 ? d : ga < gb ? -1 : 1;
	}
	d = sign_of_difference(k->rows[a] - k->rows[b]) * way;
	return d != 0 ? d : (a > b) - (a < b);
}

static bool
is_sorted(const uint32_t *order, size_t n, struct order_keys *keys)
{
	for (size_t i = 1; i < n; i++)
		if (compare_order(&order[i - 1], &order[i], keys) > 0)
			return false;
	return true;
}

void
order_sort(uint32_t *order, size_t n, const struct order_keys *keys)
{
	struct order_keys arg = *keys;

	if (!is_sorted(order, n, &arg))
		qsort_r(order, n, sizeof(*order), compare_order, &arg);
}

size_t
order_tree(uint32_t *lines, const uint32_t *order, size_t n,
    const uint32_t *group_of, const bool *folded)
{
	size_t n_lines = 0;

	for (size_t i = 0; i < n; i++) {
		uint32_t group = group_of[order[i]];

		if (i == 0 || group != group_of[order[i - 1]])
			lines[n_lines++] = LINE_GROUP | group;
		if (!folded[group])
			lines[n_lines++] = order[i];
	}
	return n_lines;
}
