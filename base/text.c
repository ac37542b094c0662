/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Growable strings: adding bytes, formatted text, numbers, and text of files
 * made safe to show. */
#include "base/text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <utf8proc.h>

#include "base/mem.h"
#include "base/utf8.h"

void
text_free(struct text *t)
{
	free(t->data);
	*t = (struct text){0};
}

void
text_clear(struct text *t)
{
	t->len = 0;
	if (t->data)
		t->data[0] = '\0';
}

/* Room for len more bytes and the terminating zero. */
static void
text_reserve(struct text *t, size_t len)
{
	size_t cap = t->cap ? t->cap : 64;

	if (len >= SIZE_MAX / 4 - t->len)
		mem_exhausted();
	while (cap <= t->len + len)
		cap *= 2;
	if (cap == t->cap)
		return;
	t->data = mem_realloc(t->data, cap, 1);
	t->cap = cap;
}

void
text_add(struct text *t, const char *s, size_t len)
{
	text_reserve(t, len);
	if (len)
		memcpy(t->data + t->len, s, len);
	t->len += len;
	t->data[t->len] = '\0';
}

void
text_adds(struct text *t, const char *s)
{
	text_add(t, s, strlen(s));
}

void
text_addc(struct text *t, char c)
{
	text_add(t, &c, 1);
}

void
text_addf(struct text *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	text_addv(t, fmt, ap);
	va_end(ap);
}

void
text_addv(struct text *t, const char *fmt, va_list ap)
{
	va_list again;
	int len;

	va_copy(again, ap);
	len = vsnprintf(NULL, 0, fmt, ap);
	if (len < 0)
		mem_exhausted();
	text_reserve(t, (size_t)len);
	vsnprintf(t->data + t->len, (size_t)len + 1, fmt, again);
	t->len += (size_t)len;
	va_end(again);
}

const char *
text_str(const struct text *t)
{
	return t->data ? t->data : "";
}

void
text_add_visible(struct text *t, const char *s, size_t len)
{
	size_t i = 0;

	while (i < len) {
		struct utf8_char c = utf8_decode(s + i, len - i);

		if (c.visible)
			text_add(t, s + i, c.len);
		else
			text_addc(t, '?');
		i += c.len;
	}
}

void
text_add_valid(struct text *t, const char *s)
{
	size_t len = strlen(s);

	for (size_t i = 0; i < len;) {
		struct utf8_char c = utf8_decode(s + i, len - i);

		if (c.valid)
			text_add(t, s + i, c.len);
		else
			text_adds(t, "\xef\xbf\xbd");
		i += c.len;
	}
}

char *
text_put_count(char *p, uint64_t n)
{
	char digits[TEXT_MAX_DIGITS];
	size_t i = sizeof(digits);

	do {
		digits[--i] = (char)('0' + n % 10);
		n /= 10;
	} while (n > 0);
	memcpy(p, digits + i, sizeof(digits) - i);
	return p + sizeof(digits) - i;
}

void
text_add_code(struct text *t, uint32_t code)
{
	utf8proc_uint8_t bytes[4];
	utf8proc_ssize_t n = utf8proc_encode_char((int32_t)code, bytes);

	text_add(t, (const char *)bytes, (size_t)n);
}

void
text_add_count(struct text *t, uint64_t n)
{
	char digits[TEXT_MAX_DIGITS];

	text_add(t, digits, (size_t)(text_put_count(digits, n) - digits));
}

void
text_add_number(struct text *t, int64_t n)
{
	if (n < 0)
		text_addc(t, '-');
	text_add_count(t, n < 0 ? 0 - (uint64_t)n : (uint64_t)n);
}

void
text_add_us(struct text *t, uint64_t ns)
{
	unsigned rest = (unsigned)(ns % 1000);

	text_add_count(t, ns / 1000);
	text_addc(t, '.');
	text_addc(t, (char)('0' + rest / 100));
	text_addc(t, (char)('0' + rest / 10 % 10));
	text_addc(t, (char)('0' + rest % 10));
}
