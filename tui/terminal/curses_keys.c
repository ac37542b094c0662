/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See curses_keys.h. */
#include "tui/terminal/curses_keys.h"

#include <ncurses.h>
#include <stdlib.h>
#include <string.h>

#include "tui/input/keys.h"
#include "tui/terminal/mouse.h"
#include "tui/terminal/paste.h"

/* Keys come in more forms than terminfo has: the other keypad mode, other
 * terminals behind the same TERM. */
void
curses_keys_define(void)
{
	static const struct {
		const char *bytes;
		int key;
	} more[] = {
	    {"\033[A", KEY_UP},
	    {"\033[B", KEY_DOWN},
	    {"\033[C", KEY_RIGHT},
	    {"\033[D", KEY_LEFT},
	    {"\033OA", KEY_UP},
	    {"\033OB", KEY_DOWN},
	    {"\033OC", KEY_RIGHT},
	    {"\033OD", KEY_LEFT},
	    {"\033[H", KEY_HOME},
	    {"\033[F", KEY_END},
	    {"\033OH", KEY_HOME},
	    {"\033OF", KEY_END},
	    {"\033[1~", KEY_HOME},
	    {"\033[4~", KEY_END},
	    {"\033[5~", KEY_PPAGE},
	    {"\033[6~", KEY_NPAGE},
	    {"\033[Z", KEY_BTAB},
	    {"\033OP", KEY_F(1)},
	    {"\033[11~", KEY_F(1)},
	    {"\033[[A", KEY_F(1)},
	    {"\033OR", KEY_F(3)},
	    {"\033[13~", KEY_F(3)},
	    {"\033[[C", KEY_F(3)},
	    {"\033OS", KEY_F(4)},
	    {"\033[14~", KEY_F(4)},
	    {"\033[[D", KEY_F(4)},
	    {"\033[15~", KEY_F(5)},
	    {"\033[[E", KEY_F(5)},
	    {"\033[2~", KEY_IC},
	    {"\033[17~", KEY_F(6)},
	    {"\033[21~", KEY_F(10)},
	    {MOUSE_PREFIX, CURSES_KEY_MOUSE},
	    {MOUSE_OLD, CURSES_KEY_MOUSE_OLD},
	    {PASTE_BEGIN, CURSES_KEY_PASTE},
	    {PASTE_END, CURSES_KEY_PASTE_END},
	};

	/* curses has ways of its own with the mouse, which it is not to go. */
	define_key(NULL, KEY_MOUSE);
	for (size_t i = 0; i < sizeof(more) / sizeof(*more); i++)
		define_key(more[i].bytes, more[i].key);
}

static const struct {
	int curses, code;
} specials[] = {
    {KEY_UP, KEY_CURSOR_UP},
    {KEY_DOWN, KEY_CURSOR_DOWN},
    {KEY_LEFT, KEY_CURSOR_LEFT},
    {KEY_RIGHT, KEY_CURSOR_RIGHT},
    {KEY_PPAGE, KEY_PAGE_UP},
    {KEY_NPAGE, KEY_PAGE_DOWN},
    {KEY_HOME, KEY_HOME_CODE},
    {KEY_END, KEY_END_CODE},
    {KEY_IC, KEY_INSERT_CODE},
    {KEY_DC, KEY_DELETE_CODE},
    {KEY_BTAB, KEY_BACK_TAB},
    {KEY_ENTER, KEY_ENTER_CODE},
    {KEY_BACKSPACE, KEY_BACKSPACE_CODE},
};

static int
code_of(int c)
{
	if (c == '\n')
		return KEY_ENTER_CODE;
	if (c == '\b')
		return KEY_BACKSPACE_CODE;
	if (c < 0x80)
		return c;
	if (c < 0x100)
		return KEY_UNKNOWN; /* a part of a character: for the prompt */
	if (c > KEY_F0 && c <= KEY_F(24))
		return KEY_FUNCTION + c - KEY_F0;
	for (size_t i = 0; i < sizeof(specials) / sizeof(*specials); i++)
		if (specials[i].curses == c)
			return specials[i].code;
	return KEY_UNKNOWN;
}

/* The terminal's own sequence for a key that curses knows. */
static void
set_bytes(struct key_press *key, int c)
{
	char *s;

	if (c < 0x100) {
		key->bytes[0] = (char)c;
		key->len = 1;
		return;
	}
	s = keybound(c, 0);
	if (s != NULL && strlen(s) <= sizeof(key->bytes)) {
		key->len = strlen(s);
		memcpy(key->bytes, s, key->len);
	}
	free(s);
}

void
curses_keys_take(int c, struct key_press *key)
{
	key->code = code_of(c);
	set_bytes(key, c);
}
