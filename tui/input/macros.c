/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See macros.h. A command of readline has no argument of ours: hence the
 * static struct. */
#include "tui/input/macros.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <readline/readline.h>

#include "base/mem.h"
#include "base/text.h"

/* Of what one key press plays: more is a macro that calls itself. */
#define MAX_PLAYED 1024

struct macro {
	Keymap map;
	int key;
	char *keys;
};

static struct {
	struct macro *list;
	size_t n, cap;
	struct text left; /* to be typed */
	size_t at;
	size_t played; /* since a key of the person's */
	unsigned n_endless;
} state;

bool
macros_have_byte(void)
{
	return state.at < state.left.len;
}

unsigned char
macros_take_byte(void)
{
	return (unsigned char)state.left.data[state.at++];
}

void
macros_end(void)
{
	text_clear(&state.left);
	state.at = state.played = 0;
}

/* Before what is left of the macro that it stands in. */
static void
push(const char *keys)
{
	struct text all = {0};

	text_adds(&all, keys);
	if (macros_have_byte())
		text_add(&all, state.left.data + state.at,
		    state.left.len - state.at);
	text_free(&state.left);
	state.left = all;
	state.at = 0;
}

static int
play(int count, int key)
{
	(void)count;
	for (size_t i = 0; i < state.n; i++) {
		const struct macro *m = &state.list[i];

		if (m->map != rl_executing_keymap || m->key != key)
			continue;
		state.played += strlen(m->keys) + 1;
		if (state.played > MAX_PLAYED)
			macros_end();
		else
			push(m->keys);
		break;
	}
	return 0;
}

/* On a key that is not A to Z, do-lowercase-version does that key again, which
 * is itself: for ever. */
static bool
is_endless(rl_command_func_t *f, int key)
{
	return f == rl_do_lowercase_version && (key < 'A' || key > 'Z');
}

static bool
is_unwanted(rl_command_func_t *f)
{
	return f == rl_re_read_init_file || f == rl_start_kbd_macro ||
	    f == rl_end_kbd_macro || f == rl_call_last_kbd_macro ||
	    f == rl_print_last_kbd_macro;
}

/* readline has the keys of a macro where others have a function. */
static void
take_macro(Keymap map, int key)
{
	state.list = mem_grow(
	    state.list, state.n, &state.cap, sizeof(*state.list));
	state.list[state.n++] = (struct macro){
	    .map = map,
	    .key = key,
	    .keys = (char *)(void *)map[key].function,
	};
	map[key].type = ISFUNC;
	map[key].function = play;
}

static void
take_map(Keymap map)
{
	for (int key = 0; key < KEYMAP_SIZE; key++) {
		KEYMAP_ENTRY *e = &map[key];

		if (e->function == NULL)
			continue;
		if (e->type == ISKMAP)
			take_map((Keymap)(void *)e->function);
		else if (e->type == ISMACR)
			take_macro(map, key);
		else if (is_unwanted(e->function))
			e->function = NULL;
		else if (is_endless(e->function, key)) {
			e->function = NULL;
			state.n_endless++;
		}
	}
}

unsigned
macros_install(void)
{
	state.n_endless = 0;
	take_map(emacs_standard_keymap);
	take_map(vi_insertion_keymap);
	take_map(vi_movement_keymap);
	return state.n_endless;
}
