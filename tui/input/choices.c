/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See choices.h. */
#include "tui/input/choices.h"

#include <stdio.h>
#include <string.h>

#include <readline/readline.h>

void
choices_clear(struct choices *c)
{
	text_clear(&c->rows);
	text_clear(&c->words);
	c->n = c->chosen = 0;
}

void
choices_free(struct choices *c)
{
	text_free(&c->rows);
	text_free(&c->words);
}

/* The folder that all names are in says nothing. */
static size_t
common_folder(const char *common)
{
	const char *slash = strrchr(common, '/');

	return slash != NULL ? (size_t)(slash - common) + 1 : 0;
}

void
choices_set(struct choices *c, char **matches, size_t n, int begin)
{
	size_t skip = common_folder(matches[0]);

	choices_clear(c);
	for (size_t i = 1; i <= n; i++) {
		const char *name = matches[i] + skip;

		text_add_visible(&c->rows, name, strlen(name));
		text_addc(&c->rows, '\n');
		text_add(&c->words, matches[i], strlen(matches[i]) + 1);
	}
	c->n = c->chosen = n;
	c->begin = begin;
	c->end = begin + (int)strlen(matches[0]);
}

static const char *
word(const struct choices *c, size_t i)
{
	const char *s = text_str(&c->words);

	while (i-- > 0)
		s += strlen(s) + 1;
	return s;
}

bool
choices_take(struct choices *c, int by)
{
	if (c->words.len == 0 || c->end > rl_end)
		return false;
	if (c->chosen == c->n)
		c->chosen = by > 0 ? 0 : c->n - 1;
	else
		c->chosen = (c->chosen + (by > 0 ? 1 : c->n - 1)) % c->n;
	rl_begin_undo_group();
	rl_delete_text(c->begin, c->end);
	rl_point = c->begin;
	rl_insert_text(word(c, c->chosen));
	rl_end_undo_group();
	c->end = rl_point;
	return true;
}

bool
choices_is_folder(const struct choices *c)
{
	return c->words.len > 0 && c->chosen < c->n &&
	    rl_line_buffer[c->end - 1] == '/';
}
