/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A growing byte string, always zero terminated: file contents, printed steps,
 * reasons of errors. Zero-initialise it, text_free() it. Text that is added must
 * not be part of t itself.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

struct text {
	char *data; /* NULL until something is added */
	size_t len; /* without the terminating zero */
	size_t cap;
};

void text_free(struct text *t);
void text_clear(struct text *t); /* keeps the memory */
void text_add(struct text *t, const char *s, size_t len);
void text_adds(struct text *t, const char *s);
void text_addc(struct text *t, char c);
void text_addf(struct text *t, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void text_addv(struct text *t, const char *fmt, va_list ap)
    __attribute__((format(printf, 2, 0)));
/* Returns the string, "" if nothing was added. Valid until the next change. */
const char *text_str(const struct text *t);

/* Adds s with '?' for each invalid byte and each character that is not visible
 * (utf8.h), so that a file's text cannot control the terminal. */
void text_add_visible(struct text *t, const char *s, size_t len);
/* Adds s with U+FFFD for each byte that is not valid UTF-8. */
void text_add_valid(struct text *t, const char *s);

/* Adds a Unicode character as UTF-8. */
void text_add_code(struct text *t, uint32_t code);

/* Add decimal digits; faster than printf, for output with many numbers. */
void text_add_count(struct text *t, uint64_t n);
void text_add_number(struct text *t, int64_t n);
/* Adds nanoseconds as microseconds with three decimals. */
void text_add_us(struct text *t, uint64_t ns);

/* Writes the digits of n to p, at most TEXT_MAX_DIGITS, without a terminating
 * zero. Returns their end. */
#define TEXT_MAX_DIGITS 20
char *text_put_count(char *p, uint64_t n);

#endif
