/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/export_text.h"

#include <string.h>

#define REPLACEMENT 0xfffd

/* Bytes of the character at s, that ends with a zero, 0: it is none. */
static size_t
char_length(const char *s)
{
	unsigned char c = (unsigned char)s[0], next = (unsigned char)s[1];
	size_t n = c < 0x80 ? 1
	    : c < 0xc2      ? 0
	    : c < 0xe0      ? 2
	    : c < 0xf0      ? 3
	    : c < 0xf5      ? 4
			    : 0;

	/* Longer than needed, surrogates, above U+10FFFF. */
	if ((c == 0xe0 && next < 0xa0) || (c == 0xed && next >= 0xa0) ||
	    (c == 0xf0 && next < 0x90) || (c == 0xf4 && next >= 0x90))
		return 0;
	for (size_t i = 1; i < n; i++)
		if (((unsigned char)s[i] & 0xc0) != 0x80)
			return 0;
	return n;
}

/* Of n bytes. */
static uint32_t
char_code(const char *s, size_t n)
{
	uint32_t code = (unsigned char)s[0];

	if (n > 1)
		code &= 0x7fu >> n;
	for (size_t i = 1; i < n; i++)
		code = code << 6 | ((unsigned char)s[i] & 0x3f);
	return code;
}

void
export_utf8(struct text *out, const char *s)
{
	while (*s != '\0') {
		size_t n = char_length(s);

		if (n > 0)
			text_add(out, s, n);
		else
			text_adds(out, "\xef\xbf\xbd");
		s += n > 0 ? n : 1;
	}
}

static void
escape(struct text *out, uint32_t code)
{
	if (code >= 0x10000) {
		code -= 0x10000;
		text_addf(out, "\\u%04x", 0xd800 + (code >> 10));
		code = 0xdc00 + (code & 0x3ff);
	}
	text_addf(out, "\\u%04x", code);
}

static void
add_string(struct text *out, const char *s, bool ascii, size_t max)
{
	size_t begin = out->len;

	text_addc(out, '"');
	while (*s != '\0' && out->len - begin < max) {
		size_t n = char_length(s);
		uint32_t code = n > 0 ? char_code(s, n) : REPLACEMENT;

		if (code == '"' || code == '\\') {
			text_addc(out, '\\');
			text_addc(out, *s);
		} else if (code < ' ' || code == 0x7f ||
		    (code > 0x7f && (ascii || n == 0)))
			escape(out, code);
		else
			text_add(out, s, n);
		s += n > 0 ? n : 1;
	}
	if (*s != '\0')
		text_adds(out, "\xe2\x80\xa6");
	text_addc(out, '"');
}

void
export_json_string(struct text *out, const char *s, bool ascii)
{
	add_string(out, s, ascii, SIZE_MAX);
}

void
export_json_short(struct text *out, const char *s, size_t max)
{
	add_string(out, s, false, max);
}

void
export_json_ascii(struct text *out, const char *json, size_t len)
{
	for (size_t i = 0, n; i < len; i += n) {
		n = char_length(json + i);
		if (n > len - i)
			n = 0; /* goes on behind what is ours */
		if (n == 1)
			text_addc(out, json[i]);
		else
			escape(
			    out, n > 0 ? char_code(json + i, n) : REPLACEMENT);
		n += n == 0;
	}
}

/* By hand: each event has some, and printf takes its time. */
void
export_count(struct text *out, uint64_t n)
{
	char digits[TEXT_MAX_DIGITS];

	text_add(out, digits, (size_t)(text_put_count(digits, n) - digits));
}

void
export_number(struct text *out, int64_t n)
{
	if (n < 0)
		text_addc(out, '-');
	export_count(out, n < 0 ? 0 - (uint64_t)n : (uint64_t)n);
}

void
export_us(struct text *out, uint64_t ns)
{
	unsigned rest = (unsigned)(ns % 1000);

	export_count(out, ns / 1000);
	text_addc(out, '.');
	text_addc(out, (char)('0' + rest / 100));
	text_addc(out, (char)('0' + rest / 10 % 10));
	text_addc(out, (char)('0' + rest % 10));
}
