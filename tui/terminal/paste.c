/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See paste.h. */
#include "tui/terminal/paste.h"

#include <string.h>

#include "tui/input/keys.h"

void
paste_begin(struct paste_reader *p)
{
	p->reading = true;
	p->begun = false;
	p->matched = p->total = p->len = p->given = 0;
}

/* The bytes given are not needed any more. */
static void
drop_given(struct paste_reader *p)
{
	p->len -= p->given;
	memmove(p->piece, p->piece + p->given, p->len);
	p->given = 0;
}

static void
add(struct paste_reader *p, const char *s, size_t len)
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
	/* It was the beginning of something else: no part of it but the first
	 * byte can begin an end. */
	add(p, PASTE_END, p->matched);
	p->matched = byte == *PASTE_END;
	if (p->matched == 0)
		add(p, &byte, 1);
	return p->len >= PASTE_PIECE;
}

void
paste_break_off(struct paste_reader *p)
{
	drop_given(p);
	add(p, PASTE_END, p->matched);
	p->matched = 0;
	p->reading = false;
}

/* Bytes at the end of the text that begin a UTF-8 character without ending it. */
static size_t
unfinished(const char *s, size_t len)
{
	for (size_t n = 1; n <= 3 && n <= len; n++) {
		unsigned char c = (unsigned char)s[len - n];
		size_t whole = c >= 0xf0 ? 4
		    : c >= 0xe0          ? 3
		    : c >= 0xc2          ? 2
					 : 1;

		if ((c & 0xc0) != 0x80)
			return whole > n ? n : 0;
	}
	return 0;
}

bool
paste_give(struct paste_reader *p, struct key_press *key)
{
	size_t n;

	drop_given(p);
	n = p->len - (p->reading ? unfinished(p->piece, p->len) : 0);
	if (n == 0 && (p->reading || p->begun))
		return false;
	*key = (struct key_press){
	    .code = KEY_PASTE,
	    .pasted = {.text = p->piece,
		.len = n,
		.total = p->total,
		.first = !p->begun},
	};
	p->begun = true;
	p->given = n;
	return true;
}
