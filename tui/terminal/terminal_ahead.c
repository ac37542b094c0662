/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading keys ahead, to look for one that stops what takes long; the others
 * are given when they are asked for. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tui/terminal/terminal_private.h"

/* More than a person types meanwhile; a flood stays where it is. */
#define KEYS_AHEAD 4096

static void
push(struct keys_ahead *a, const struct key_press *key)
{
	struct key_press own = *key;

	if (key->code == KEY_PASTE)
		own.pasted.text = mem_strndup(
		    key->pasted.text != NULL ? key->pasted.text : "",
		    key->pasted.len);
	a->list = mem_grow(a->list, a->n, &a->cap, sizeof(*a->list));
	a->list[a->n++] = own;
}

static void
free_pasted(const struct key_press *key)
{
	if (key->code == KEY_PASTE)
		free((char *)(uintptr_t)key->pasted.text);
}

void
terminal_forget_ahead(struct terminal *t)
{
	struct keys_ahead *a = &t->ahead;

	for (size_t i = a->first; i < a->n; i++)
		free_pasted(&a->list[i]);
	free(a->list);
	free(a->given);
	*a = (struct keys_ahead){0};
}

enum terminal_read
terminal_read(struct terminal *t, struct key_press *key)
{
	struct keys_ahead *a = &t->ahead;

	free(a->given);
	a->given = NULL;
	if (!terminal_has_keys(t))
		return terminal_read_now(t, key);
	*key = a->list[a->first++];
	if (key->code == KEY_PASTE)
		a->given = (char *)(uintptr_t)key->pasted.text;
	if (a->first == a->n)
		a->first = a->n = 0;
	return READ_KEY;
}

bool
terminal_has_keys(const struct terminal *t)
{
	return t->ahead.first < t->ahead.n;
}

/* False: the terminal has gone. */
static bool
read_ahead(struct terminal *t)
{
	enum terminal_read got = READ_KEY;
	struct key_press key;

	while (got == READ_KEY && t->ahead.n < KEYS_AHEAD) {
		got = terminal_read_now(t, &key);
		if (got == READ_KEY)
			push(&t->ahead, &key);
	}
	return got != READ_END;
}

/* NULL: there is none. */
static struct key_press *
find(struct keys_ahead *a, bool (*is_wanted)(const struct key_press *key))
{
	for (size_t i = a->first; i < a->n; i++)
		if (is_wanted(&a->list[i]))
			return &a->list[i];
	return NULL;
}

bool
terminal_find_key(
    struct terminal *t, bool (*is_wanted)(const struct key_press *key))
{
	return !read_ahead(t) || find(&t->ahead, is_wanted) != NULL;
}

void
terminal_drop_key(
    struct terminal *t, bool (*is_wanted)(const struct key_press *key))
{
	struct keys_ahead *a = &t->ahead;
	struct key_press *key = find(a, is_wanted);

	if (key == NULL)
		return;
	free_pasted(key);
	a->n--;
	memmove(key, key + 1, (size_t)(a->list + a->n - key) * sizeof(*key));
	if (a->first == a->n)
		a->first = a->n = 0;
}
