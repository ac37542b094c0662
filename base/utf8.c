/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decoding UTF-8 and the width of what it shows. */
#include "base/utf8.h"

struct range {
	uint32_t first, last;
};

/* Two columns in every common terminal: the wide blocks of UAX #11. */
static const struct range wide[] = {
    {0x1100, 0x115f},
    {0x2e80, 0x303e},
    {0x3041, 0x33ff},
    {0x3400, 0x4dbf},
    {0x4e00, 0x9fff},
    {0xa000, 0xa4cf},
    {0xac00, 0xd7a3},
    {0xf900, 0xfaff},
    {0xfe30, 0xfe6f},
    {0xff00, 0xff60},
    {0xffe0, 0xffe6},
    {0x1f300, 0x1f64f},
    {0x1f680, 0x1f6ff},
    {0x1f900, 0x1f9ff},
    {0x20000, 0x3fffd},
};

/* No column of their own. */
static const struct range combining[] = {
    {0x0300, 0x036f},
    {0x0483, 0x0489},
    {0x0591, 0x05bd},
    {0x0610, 0x061a},
    {0x064b, 0x065f},
    {0x1ab0, 0x1aff},
    {0x1dc0, 0x1dff},
    {0x20d0, 0x20ff},
    {0xfe00, 0xfe0f},
    {0xfe20, 0xfe2f},
};

/* Are controls, are not seen, or would reorder or join what stands around them
 * on a terminal. */
static const struct range hidden[] = {
    {0x80, 0x9f},
    {0xad, 0xad},
    {0x061c, 0x061c},
    {0x200b, 0x200f},
    {0x2028, 0x202e},
    {0x2060, 0x206f},
    {0xd800, 0xdfff},
    {0xfeff, 0xfeff},
    {0xfff9, 0xfffb},
    {0xe0000, 0xe0fff},
};

static bool
within(uint32_t code, const struct range *ranges, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (code >= ranges[i].first && code <= ranges[i].last)
			return true;
	return false;
}

#define WITHIN(code, ranges)                                                   \
	within(code, ranges, sizeof(ranges) / sizeof((ranges)[0]))

/* Length that the first byte promises; 0 if it can't be a first byte. */
static unsigned
promised(unsigned char c)
{
	if (c < 0x80)
		return 1;
	if (c >= 0xc2 && c <= 0xdf)
		return 2;
	if (c >= 0xe0 && c <= 0xef)
		return 3;
	if (c >= 0xf0 && c <= 0xf4)
		return 4;
	return 0;
}

struct utf8_char
utf8_decode(const char *s, size_t len)
{
	static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
	struct utf8_char stand_in = {'?', 1, 1, false};
	unsigned char c = (unsigned char)s[0];
	unsigned n = promised(c);
	uint32_t code;

	if (!n || n > len || c < 0x20 || c == 0x7f)
		return stand_in;
	if (n == 1)
		return (struct utf8_char){c, 1, 1, true};
	code = c & (0x7fu >> n);
	for (unsigned i = 1; i < n; i++) {
		unsigned char next = (unsigned char)s[i];

		if ((next & 0xc0) != 0x80)
			return stand_in;
		code = code << 6 | (next & 0x3f);
	}
	if (code < least[n] || code > 0x10ffff)
		return stand_in;
	stand_in.len = (uint8_t)n;
	if (WITHIN(code, hidden))
		return stand_in;
	return (struct utf8_char){code, (uint8_t)n,
	    WITHIN(code, combining)  ? 0
		: WITHIN(code, wide) ? 2
				     : 1,
	    true};
}
