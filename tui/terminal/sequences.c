/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decoders for two kinds of terminal input, byte by byte: mouse reports, and
 * bracketed pastes that are delivered in pieces.
 */
#include "tui/terminal/sequences.h"

#include <string.h>

#include "base/utf8.h"

#include "tui/input/keys.h"

/* Larger coordinates are cut to this, which is beyond every screen. */
#define FAR_AWAY 100000

/* Modifier keys in the button's number. */
#define MODIFIERS (4 | 8 | 16)

void
mouse_begin(struct mouse_reader *m, bool old)
{
	*m = (struct mouse_reader){.reading = true, .old = old};
}

static int
mouse_code_of(int button)
{
	switch (button & ~MODIFIERS) {
	case 0: return KEY_CLICK;
	case 64: return KEY_WHEEL_UP;
	case 65: return KEY_WHEEL_DOWN;
	default: return KEY_NONE; /* other buttons, motion, releases */
	}
}

static enum mouse_byte
mouse_finish(struct mouse_reader *m, struct key_press *key)
{
	*key = (struct key_press){
	    .code = mouse_code_of(m->numbers[0]),
	    .x = m->numbers[1] - 1,
	    .y = m->numbers[2] - 1,
	};
	m->reading = false;
	return key->code != KEY_NONE && key->x >= 0 && key->y >= 0
	    ? MOUSE_REPORT
	    : MOUSE_NOTHING;
}

static enum mouse_byte
take_old(struct mouse_reader *m, int c, struct key_press *key)
{
	m->numbers[m->n++] = c - ' ';
	return m->n == 3 ? mouse_finish(m, key) : MOUSE_MORE;
}

static enum mouse_byte
mouse_give_up(struct mouse_reader *m, enum mouse_byte how)
{
	m->reading = false;
	return how;
}

/* Ignores the digits of a fourth number and further ones. */
static void
take_digit(struct mouse_reader *m, int digit)
{
	int *number;

	m->digits = true;
	if (m->n >= 3)
		return;
	number = &m->numbers[m->n];
	*number = *number * 10 + digit;
	if (*number > FAR_AWAY)
		*number = FAR_AWAY;
}

enum mouse_byte
mouse_take(struct mouse_reader *m, int c, struct key_press *key)
{
	/* A key, or the start of one, ends the report. */
	if (c < ' ' || c > 0xff || c == 0x7f)
		return mouse_give_up(m, MOUSE_OTHER);
	if (m->old)
		return take_old(m, c, key);
	if (c >= '0' && c <= '9') {
		take_digit(m, c - '0');
		return MOUSE_MORE;
	}
	if (c == ';' && m->digits) {
		m->n += m->n < 4;
		m->digits = false;
		return MOUSE_MORE;
	}
	if (c == 'M' && m->digits && m->n == 2)
		return mouse_finish(m, key);
	return mouse_give_up(m, MOUSE_NOTHING);
}

void
paste_begin(struct paste_reader *p)
{
	p->reading = true;
	p->begun = p->ended = false;
	p->matched = p->total = p->len = p->given = 0;
}

/* Drops the bytes that have been delivered. */
static void
drop_given(struct paste_reader *p)
{
	p->len -= p->given;
	memmove(p->piece, p->piece + p->given, p->len);
	p->given = 0;
}

static void
paste_add(struct paste_reader *p, const char *s, size_t len)
{
	memcpy(p->piece + p->len, s, len);
	p->len += len;
	p->total += len;
}

bool
paste_take(struct paste_reader *p, unsigned char c)
{
	char byte = (char)c;

	drop_given(p);
	if (byte == PASTE_END[p->matched]) {
		p->reading = ++p->matched < strlen(PASTE_END);
		return !p->reading;
	}
	/* The matched bytes belong to the text; of them and this byte only the
	 * latter can begin PASTE_END. */
	paste_add(p, PASTE_END, p->matched);
	p->matched = byte == *PASTE_END;
	if (p->matched == 0)
		paste_add(p, &byte, 1);
	return p->len >= PASTE_PIECE;
}

void
paste_break_off(struct paste_reader *p)
{
	drop_given(p);
	paste_add(p, PASTE_END, p->matched);
	p->matched = 0;
	p->reading = false;
}

bool
paste_give(struct paste_reader *p, struct key_press *key)
{
	size_t n;

	drop_given(p);
	n = p->reading ? utf8_whole(p->piece, p->len) : p->len;
	if (p->ended || (n == 0 && p->reading))
		return false;
	*key = (struct key_press){
	    .code = KEY_PASTE,
	    .pasted = {.text = p->piece,
		.len = n,
		.total = p->total,
		.first = !p->begun,
		.last = !p->reading},
	};
	p->ended = !p->reading;
	p->begun = true;
	p->given = n;
	return true;
}
