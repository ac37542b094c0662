/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fixes of readline 8.2: macros of the inputrc, keyboard macros and a few vi
 * commands crash it or never return. Macros are played here, key by key; broken
 * commands are replaced by commands that work, or unbound.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <readline/readline.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/utf8.h"
#include "tui/input/prompt_private.h"

/* Bytes that one key press may play: more is a macro that calls itself. */
#define MAX_PLAYED 1024

struct macro {
	Keymap map;
	int key;
	char *keys; /* bytes that it types */
};

/* readline's commands take no argument. */
static struct {
	struct macro *list;
	size_t n, cap;
	struct text left; /* bytes still to be typed, from at on */
	size_t at;
	size_t played;      /* bytes since a key was typed */
	unsigned n_endless; /* keys that were unbound as endless */
} macros;

bool
macros_have_byte(void)
{
	return macros.at < macros.left.len;
}

unsigned char
macros_take_byte(void)
{
	return (unsigned char)macros.left.data[macros.at++];
}

void
macros_end(void)
{
	text_clear(&macros.left);
	macros.at = macros.played = 0;
}

/* Inserts keys before what is left of the macro that they are part of. */
static void
push_keys(const char *keys)
{
	struct text all = {0};

	text_adds(&all, keys);
	if (macros_have_byte())
		text_add(&all, macros.left.data + macros.at,
		    macros.left.len - macros.at);
	text_free(&macros.left);
	macros.left = all;
	macros.at = 0;
}

/* Plays the macro bound to the key that readline runs. */
static int
play_macro(int count, int key)
{
	(void)count;
	for (size_t i = 0; i < macros.n; i++) {
		const struct macro *m = &macros.list[i];

		if (m->map != rl_executing_keymap || m->key != key)
			continue;
		macros.played += strlen(m->keys) + 1;
		if (macros.played > MAX_PLAYED)
			macros_end();
		else
			push_keys(m->keys);
		break;
	}
	return 0;
}

/* True for do-lowercase-version on a key that is not A to Z: readline runs the
 * key again, without end. */
static bool
is_endless_command(rl_command_func_t *f, int key)
{
	return f == rl_do_lowercase_version && (key < 'A' || key > 'Z');
}

/* Commands that would bypass the macros here, or inputrc.c. */
static bool
is_unwanted(rl_command_func_t *f)
{
	return f == rl_re_read_init_file || f == rl_start_kbd_macro ||
	    f == rl_end_kbd_macro || f == rl_call_last_kbd_macro ||
	    f == rl_print_last_kbd_macro;
}

/* readline keeps a macro's keys where other entries have a function. */
static void
take_macro(Keymap map, int key)
{
	macros.list = mem_grow(
	    macros.list, macros.n, &macros.cap, sizeof(*macros.list));
	macros.list[macros.n++] = (struct macro){
	    .map = map,
	    .key = key,
	    .keys = (char *)(void *)map[key].function,
	};
	map[key].type = ISFUNC;
	map[key].function = play_macro;
}

static void
take_macros_of_map(Keymap map)
{
	for (int key = 0; key < KEYMAP_SIZE; key++) {
		KEYMAP_ENTRY *e = &map[key];

		if (e->function == NULL)
			continue;
		if (e->type == ISKMAP)
			take_macros_of_map((Keymap)(void *)e->function);
		else if (e->type == ISMACR)
			take_macro(map, key);
		else if (is_unwanted(e->function))
			e->function = NULL;
		else if (is_endless_command(e->function, key)) {
			e->function = NULL;
			macros.n_endless++;
		}
	}
}

unsigned
macros_install(void)
{
	macros.n_endless = 0;
	take_macros_of_map(emacs_standard_keymap);
	take_macros_of_map(vi_insertion_keymap);
	take_macros_of_map(vi_movement_keymap);
	return macros.n_endless;
}

/*
 * vi's e and E, and completion from its command mode, never end in readline 8.2
 * when the last character of the line is not ASCII: they wait for the cursor to
 * pass it, and in command mode it can't.
 */

/* A word is a run of characters of one sort. For e, letters and digits are one
 * sort and signs another; for E (whole), all but blanks are one sort.
 * Characters beyond ASCII count as letters. */
enum word_sort { SORT_BLANK, SORT_LETTER, SORT_SIGN };

static enum word_sort
sort_at(int at, bool whole)
{
	unsigned char c = (unsigned char)rl_line_buffer[at];

	if (c == ' ' || c == '\t')
		return SORT_BLANK;
	return whole || c >= 0x80 || isalnum(c) || c == '_' ? SORT_LETTER
							    : SORT_SIGN;
}

/* Returns the byte after the character at that byte. */
static int
after_char(int at)
{
	struct utf8_char c = utf8_decode(
	    rl_line_buffer + at, (size_t)(rl_end - at));

	return at + c.len;
}

/* Returns the byte of the last character of the word that ends next. */
static int
word_end(int at, bool whole)
{
	enum word_sort sort;
	int last = at;

	if (at >= rl_end)
		return at;
	for (at = after_char(at);
	     at < rl_end && sort_at(at, whole) == SORT_BLANK;)
		at = after_char(at);
	if (at >= rl_end)
		return last;
	sort = sort_at(at, whole);
	for (; at < rl_end && sort_at(at, whole) == sort; at = after_char(at))
		last = at;
	return last;
}

static int
vi_end_word(int count, int key)
{
	while (count-- > 0) {
		int to = word_end(rl_point, isupper(key) != 0);

		if (to == rl_point)
			break;
		rl_point = to;
	}
	return 0;
}

/* Moves the cursor to the end of the word first, so that readline does not. */
static int
vi_complete_word(int count, int key)
{
	while (rl_point < rl_end && sort_at(rl_point, true) != SORT_BLANK)
		rl_point = after_char(rl_point);
	return rl_vi_complete(count, key);
}

/*
 * vi's searches free twice the undo list of a line that the search has put
 * aside. Here they drop it first: nothing can be undone after a search.
 */

static int
vi_search(int count, int key)
{
	rl_free_undo_list();
	return rl_vi_search(count, key);
}

static int
vi_search_again(int count, int key)
{
	rl_free_undo_list();
	return rl_vi_search_again(count, key);
}

static const struct {
	rl_command_func_t *broken, *fixed;
} vi_fixes[] = {
    {rl_vi_end_word, vi_end_word},
    {rl_vi_complete, vi_complete_word},
    {rl_vi_search, vi_search},
    {rl_vi_search_again, vi_search_again},
};

static void
fix_map(Keymap map)
{
	for (int key = 0; key < KEYMAP_SIZE; key++)
		for (size_t i = 0; i < sizeof(vi_fixes) / sizeof(*vi_fixes);
		     i++)
			if (map[key].type == ISFUNC &&
			    map[key].function == vi_fixes[i].broken)
				map[key].function = vi_fixes[i].fixed;
}

void
vi_fixes_install(void)
{
	fix_map(vi_movement_keymap);
	fix_map(vi_insertion_keymap);
}
