/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A growing byte string, always zero terminated. Used for file contents,
 * printed steps and the texts of errors. Zero-initialise it, text_free() it.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

struct text {
	char *data; /* NULL while nothing was ever added */
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
/* The string, "" if nothing was added. */
const char *text_str(const struct text *t);

/*
 * Adds s with control bytes, invalid UTF-8 and DEL replaced by a visible
 * stand-in ("^X" style is not used: one '?' each), so that what came from a
 * file can be shown on a terminal.
 */
void text_add_visible(struct text *t, const char *s, size_t len);

/* The digits of n, at most so many, without a 0 behind them; returns their end.
 * For lines of which there are very many: printf takes its time. */
#define TEXT_MAX_DIGITS 20
char *text_put_count(char *p, uint64_t n);

#endif
