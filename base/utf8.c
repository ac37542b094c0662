/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decoding UTF-8, and the width and visibility of characters. */
#include "base/utf8.h"

#include <wchar.h>

#include <utf8proc.h>

/* False for characters that a terminal must not get: controls, and what is
 * not seen but joins, reorders or splits the text around it. */
static bool
is_visible(const utf8proc_property_t *property)
{
	switch (property->category) {
	case UTF8PROC_CATEGORY_CC:
	case UTF8PROC_CATEGORY_CF:
	case UTF8PROC_CATEGORY_CN:
	case UTF8PROC_CATEGORY_CS:
	case UTF8PROC_CATEGORY_ZL:
	case UTF8PROC_CATEGORY_ZP: return false;
	default: return !property->ignorable;
	}
}

/* Vowels and final consonants, drawn in the cell of the one before. */
static bool
is_conjoining_jamo(uint32_t code)
{
	return (code >= 0x1160 && code <= 0x11ff) ||
	    (code >= 0xd7b0 && code <= 0xd7fb);
}

/* Columns by Unicode's properties, with the exceptions that the C library makes. */
static uint8_t
width_by_property(uint32_t code, const utf8proc_property_t *property)
{
	if (property->category == UTF8PROC_CATEGORY_MC &&
	    property->charwidth == 0)
		return 1;
	if (is_conjoining_jamo(code))
		return 0;
	if ((code >= 0x3248 && code <= 0x324f) ||
	    (code >= 0x4dc0 && code <= 0x4dff))
		return 2;
	return (uint8_t)property->charwidth;
}

static uint8_t
utf8_width(uint32_t code, const utf8proc_property_t *property)
{
	int drawn = wcwidth((wchar_t)code);

	return drawn >= 0 ? (uint8_t)drawn : width_by_property(code, property);
}

size_t
utf8_length(char first)
{
	unsigned char c = (unsigned char)first;

	if (c < 0xc2 || c > 0xf4)
		return 1;
	return c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
}

size_t
utf8_whole(const char *s, size_t len)
{
	for (size_t n = 1; n <= 3 && n <= len; n++)
		if ((s[len - n] & 0xc0) != 0x80)
			return utf8_length(s[len - n]) > n ? len - n : len;
	return len;
}

struct utf8_char
utf8_decode(const char *s, size_t len)
{
	unsigned char first = (unsigned char)s[0];
	const utf8proc_property_t *property;
	struct utf8_char c = {.code = first, .len = 1, .width = 1};
	utf8proc_int32_t code;
	utf8proc_ssize_t n;

	if (first < 0x80) {
		c.valid = true;
		c.visible = first >= ' ' && first != 0x7f;
		return c;
	}
	n = utf8proc_iterate((const utf8proc_uint8_t *)s,
	    (utf8proc_ssize_t)(len < 4 ? len : 4), &code);
	if (n <= 0) {
		c.code = '?';
		return c;
	}
	property = utf8proc_get_property(code);
	c.code = (uint32_t)code;
	c.len = (uint8_t)n;
	c.valid = true;
	c.visible = is_visible(property);
	if (c.visible)
		c.width = utf8_width(c.code, property);
	return c;
}
