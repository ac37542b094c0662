/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See pasted.h. */
#include "tui/input/pasted.h"

#include <stdlib.h>

#include "base/text.h"
#include "base/utf8.h"

/* A character of one byte, or of as many as the locale can have. */
static bool
is_text(const struct utf8_char *c)
{
	return c->visible && (c->len == 1 ? c->code < 0x80 : MB_CUR_MAX > 1);
}

void
pasted_add(struct text *out, struct pasted *p, char line_end, const char *text,
    size_t len)
{
	for (size_t i = 0; i < len;) {
		const char *s = text + i;
		struct utf8_char c = utf8_decode(s, len - i);

		i += c.len;
		if (*s == '\n' || *s == '\r') {
			p->between = p->any;
		} else if (*s == '\t' || is_text(&c)) {
			if (p->between)
				text_addc(out, line_end != 0 ? line_end : ' ');
			p->between = false;
			p->any = true;
			text_add(out, *s == '\t' ? " " : s, c.len);
		}
	}
}
