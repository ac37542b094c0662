/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading keys: curses' codes become key presses; mouse reports and pastes are
 * read past curses; keys can be read ahead to find one that stops long work.
 */
#include "tui/terminal/terminal_private.h"

#include <errno.h>
#include <ncurses.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "tui/input/keys.h"
#include "tui/terminal/sequences.h"

/* Codes that wgetch() returns for the start of a mouse report, whose bytes
 * follow. */
#define CURSES_KEY_MOUSE     0x4000
#define CURSES_KEY_MOUSE_OLD 0x4001
/* The same for a paste, and for an end without a paste. */
#define CURSES_KEY_PASTE     0x4002
#define CURSES_KEY_PASTE_END 0x4003

/* Defines key sequences that terminfo lacks: the other keypad mode, and
 * terminals that share a TERM. */
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
	    {"\033OQ", KEY_F(2)},
	    {"\033[12~", KEY_F(2)},
	    {"\033[[B", KEY_F(2)},
	    {"\033OR", KEY_F(3)},
	    {"\033[13~", KEY_F(3)},
	    {"\033[[C", KEY_F(3)},
	    {"\033OS", KEY_F(4)},
	    {"\033[14~", KEY_F(4)},
	    {"\033[[D", KEY_F(4)},
	    {"\033[15~", KEY_F(5)},
	    {"\033[[E", KEY_F(5)},
	    {"\033[2~", KEY_IC},
	    {"\033[3~", KEY_DC},
	    {"\033[17~", KEY_F(6)},
	    {"\033[18~", KEY_F(7)},
	    {"\033[19~", KEY_F(8)},
	    {"\033[20~", KEY_F(9)},
	    {"\033[21~", KEY_F(10)},
	    {"\033[23~", KEY_F(11)},
	    {"\033[24~", KEY_F(12)},
	    {MOUSE_PREFIX, CURSES_KEY_MOUSE},
	    {MOUSE_OLD, CURSES_KEY_MOUSE_OLD},
	    {PASTE_BEGIN, CURSES_KEY_PASTE},
	    {PASTE_END, CURSES_KEY_PASTE_END},
	};

	/* curses' own mouse support must not see reports. */
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
key_code_of(int c)
{
	if (c == '\n')
		return KEY_ENTER_CODE;
	if (c == '\b')
		return KEY_BACKSPACE_CODE;
	if (c < 0x80)
		return c;
	if (c < 0x100)
		/* a byte of a character, which the prompt takes */
		return KEY_UNKNOWN;
	if (c > KEY_F0 && c <= KEY_F(24))
		return KEY_FUNCTION + c - KEY_F0;
	for (size_t i = 0; i < sizeof(specials) / sizeof(*specials); i++)
		if (specials[i].curses == c)
			return specials[i].code;
	return KEY_UNKNOWN;
}

/* Sets the bytes that the terminal sent for the key. */
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

static void
curses_keys_take(int c, struct key_press *key)
{
	key->code = key_code_of(c);
	set_bytes(key, c);
}

/*
 * A paste is read past curses, which would look for keys in it. Without an end
 * it is over after SILENCE_NS of silence, or at a Ctrl-C that comes alone.
 */

#define SILENCE_NS (2 * NSEC_PER_SEC)

/* Reads one byte like read(), without blocking. */
static ssize_t
read_paste_byte(struct terminal *t, unsigned char *c)
{
	struct pollfd p = {.fd = t->fd, .events = POLLIN};
	ssize_t n;

	if (!t->own_fd && poll(&p, 1, 0) <= 0) {
		errno = EAGAIN;
		return -1;
	}
	do
		n = read(t->fd, c, 1);
	while (n < 0 && errno == EINTR);
	return n;
}

static enum terminal_read
give_paste(struct terminal *t, struct key_press *key)
{
	return paste_give(&t->paste, key) ? READ_KEY : READ_NONE;
}

static bool
was_silent(const struct terminal *t)
{
	return t->paste_silent != 0 &&
	    clock_wall() - t->paste_silent > SILENCE_NS;
}

static enum terminal_read
terminal_read_paste(struct terminal *t, struct key_press *key)
{
	bool alone = t->paste_silent != 0;
	unsigned char c;
	ssize_t n;

	if (was_silent(t)) {
		paste_break_off(&t->paste);
		return give_paste(t, key);
	}
	while ((n = read_paste_byte(t, &c)) == 1) {
		t->paste_silent = 0;
		if (alone && c == KEY_C_C) {
			paste_break_off(&t->paste);
			return give_paste(t, key);
		}
		alone = false;
		if (paste_take(&t->paste, c))
			return give_paste(t, key);
	}
	if (n == 0)
		return READ_END;
	if (t->paste_silent == 0)
		t->paste_silent = clock_wall();
	return give_paste(t, key);
}

/* wgetch() returns ERR both for no input and for a terminal that is gone. */
static enum terminal_read
check_end(struct terminal *t)
{
	char c;
	ssize_t n;

	if (!t->own_fd)
		return READ_NONE;
	n = read(t->fd, &c, 1);
	if (n == 1) {
		ungetch((unsigned char)c);
		return READ_NONE;
	}
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return READ_NONE;
	return READ_END;
}

/* Takes a byte of a mouse report. Returns true if that completes *key. */
static bool
take_mouse_byte(struct terminal *t, int c, struct key_press *key, bool *taken)
{
	enum mouse_byte byte = mouse_take(&t->mouse, c, key);

	*taken = byte != MOUSE_OTHER;
	return byte == MOUSE_REPORT;
}

static void
begin_paste(struct terminal *t)
{
	paste_begin(&t->paste);
	t->paste_silent = 0;
}

static enum terminal_read
terminal_read_now(struct terminal *t, struct key_press *key)
{
	for (;;) {
		bool taken = false;
		int c;

		*key = (struct key_press){.code = KEY_NONE};
		if (t->paste.reading) {
			enum terminal_read got = terminal_read_paste(t, key);

			if (got != READ_NONE || t->paste.reading)
				return got;
		}
		c = wgetch(t->keys);
		if (c == ERR)
			return check_end(t);
		if (c == KEY_RESIZE) /* of resizeterm() */
			continue;
		if (t->mouse.reading && take_mouse_byte(t, c, key, &taken))
			return READ_KEY;
		if (taken)
			continue;
		if (c == CURSES_KEY_MOUSE || c == CURSES_KEY_MOUSE_OLD) {
			mouse_begin(&t->mouse, c == CURSES_KEY_MOUSE_OLD);
			continue;
		}
		if (c == CURSES_KEY_PASTE)
			begin_paste(t);
		if (c == CURSES_KEY_PASTE || c == CURSES_KEY_PASTE_END)
			continue;
		curses_keys_take(c, key);
		return READ_KEY;
	}
}

/* Keys that were read ahead are delivered by later reads. */

/* More than one types during long work; further input stays unread. */
#define KEYS_AHEAD 4096

static void
push_ahead(struct keys_ahead *a, const struct key_press *key)
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

/* Returns false if the terminal is gone. */
static bool
read_ahead(struct terminal *t)
{
	enum terminal_read got = READ_KEY;
	struct key_press key;

	while (got == READ_KEY && t->ahead.n < KEYS_AHEAD) {
		got = terminal_read_now(t, &key);
		if (got == READ_KEY)
			push_ahead(&t->ahead, &key);
	}
	return got != READ_END;
}

/* NULL: none */
static struct key_press *
find_ahead(struct keys_ahead *a, bool (*is_wanted)(const struct key_press *key))
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
	return !read_ahead(t) || find_ahead(&t->ahead, is_wanted) != NULL;
}

void
terminal_drop_key(
    struct terminal *t, bool (*is_wanted)(const struct key_press *key))
{
	struct keys_ahead *a = &t->ahead;
	struct key_press *key = find_ahead(a, is_wanted);

	if (key == NULL)
		return;
	free_pasted(key);
	a->n--;
	memmove(key, key + 1, (size_t)(a->list + a->n - key) * sizeof(*key));
	if (a->first == a->n)
		a->first = a->n = 0;
}
