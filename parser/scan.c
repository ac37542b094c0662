/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers, lists and quoted pieces of a line. */
#include "parser/scan.h"

#include <stdarg.h>
#include <string.h>

#include "parser/text.h"

#define QUOTED_BYTES 40

void
scan_error(struct scan *scan, struct field at, const char *fmt, ...)
{
	struct text message = {0};
	va_list ap;

	scan->failed = true;
	if (!scan->diags)
		return;
	va_start(ap, fmt);
	text_addv(&message, fmt, ap);
	va_end(ap);
	diag_add(scan->diags, DIAG_ERROR, scan->line,
	    (uint32_t)(at.s - scan->text), at.len, "%s", text_str(&message));
	text_free(&message);
}

enum number
scan_number(struct field f, uint64_t max, uint64_t *value)
{
	uint64_t v = 0;
	bool big = false;

	*value = 0;
	if (!f.len)
		return NUMBER_NONE;
	for (uint32_t i = 0; i < f.len; i++) {
		unsigned digit = (unsigned char)f.s[i] - '0';

		if (digit > 9)
			return NUMBER_NONE;
		if (v > (UINT64_MAX - digit) / 10)
			big = true;
		v = v * 10 + digit;
	}
	if (big || v > max)
		return NUMBER_BIG;
	*value = v;
	return NUMBER_OK;
}

bool
scan_part(struct field *rest, char separator, struct field *part)
{
	uint32_t n = 0;

	if (!rest->s)
		return false;
	while (n < rest->len && rest->s[n] != separator)
		n++;
	*part = (struct field){rest->s, n};
	if (n == rest->len)
		*rest = (struct field){0};
	else
		*rest = (struct field){rest->s + n + 1, rest->len - n - 1};
	return true;
}

uint32_t
scan_count(struct field f, char separator)
{
	uint32_t n = 1;

	for (uint32_t i = 0; i < f.len; i++)
		n += f.s[i] == separator;
	return n;
}

bool
scan_split(struct field f, char separator, struct field *before,
    struct field *after)
{
	struct field rest = f;

	scan_part(&rest, separator, before);
	*after = rest.s ? rest : (struct field){f.s + f.len, 0};
	return rest.s != NULL;
}

struct quoted
quote(struct field f)
{
	struct quoted q;
	struct text t = {0};
	size_t len = f.len < QUOTED_BYTES ? f.len : QUOTED_BYTES;

	/* Not through the middle of a character. */
	while (len < f.len && len && (f.s[len] & 0xc0) == 0x80)
		len--;
	text_add_visible(&t, f.s, len);
	if (len < f.len)
		text_adds(&t, "...");
	memcpy(q.s, text_str(&t), t.len + 1);
	text_free(&t);
	return q;
}
