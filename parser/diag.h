/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Diagnostics of a descriptor: the place, what is invalid, what was expected.
 *
 * A list owns its messages. It keeps the first DIAG_FULL of each severity in
 * full and counts the others by kind, which is the format of their message up
 * to its colon. So a list is small whatever the input is.
 */
#ifndef PARSER_DIAG_H
#define PARSER_DIAG_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text;

/* A note is about valid text that gem_wsim or a platform would refuse. */
enum severity { DIAG_ERROR, DIAG_WARNING, DIAG_NOTE };

#define N_SEVERITIES 3
#define DIAG_FULL    100

struct diag {
	enum severity severity;
	uint32_t line;    /* index of the document's line, from 0 */
	uint32_t col;     /* byte in that line, from 0 */
	uint32_t len;     /* bytes, at least 1 */
	char *message;    /* "invalid X 'Y': expected Z, e.g. W" */
	const char *kind; /* a literal, not owned */
};

/* Diagnostics of one kind that are not kept in full. */
struct diag_kind {
	enum severity severity;
	const char *kind;
	size_t n;
};

struct diag_list {
	struct diag *list;
	size_t n, cap;
	size_t n_errors; /* including those that are only counted */
	size_t n_full[N_SEVERITIES];
	struct diag_kind *kinds;
	size_t n_kinds, cap_kinds;
};

/* A zeroed list is empty. */
void diag_list_free(struct diag_list *l);
/* Drops all diagnostics but keeps the memory for new ones. */
void diag_list_clear(struct diag_list *l);

/* Adds a diagnostic whose kind is its format, a literal. If the list has no
 * room for the message, only kind and severity are evaluated. */
#define diag_add(l, severity, line, col, len, ...)                             \
	diag_add_as(l, DIAG_FIRST(__VA_ARGS__, 0), severity, line, col, len,   \
	    __VA_ARGS__)
/* The same with another kind, a literal. */
#define diag_add_as(l, kind, severity, line, col, len, ...)                    \
	(diag_has_room((l), (severity))                                        \
		? diag_say((l), (kind), (severity), (line), (col), (len),      \
		      __VA_ARGS__)                                             \
		: diag_count((l), (kind), (severity), 1))
#define DIAG_FIRST(first, ...) first

/* True if the next diagnostic of that severity is kept in full. */
static inline bool
diag_has_room(const struct diag_list *l, enum severity severity)
{
	return l->n_full[severity] < DIAG_FULL;
}

/* Parts of diag_add_as(): keep a diagnostic in full, or count n of a kind. */
void diag_say(struct diag_list *l, const char *kind, enum severity severity,
    uint32_t line, uint32_t col, uint32_t len, const char *fmt, ...)
    __attribute__((format(printf, 7, 8)));
void diag_sayv(struct diag_list *l, const char *kind, enum severity severity,
    uint32_t line, uint32_t col, uint32_t len, const char *fmt, va_list ap)
    __attribute__((format(printf, 7, 0)));
void diag_count(
    struct diag_list *l, const char *kind, enum severity severity, size_t n);

/* Adds copies of all diagnostics in from; without warnings, only its errors. */
void diag_list_join(
    struct diag_list *l, const struct diag_list *from, bool warnings);
/* Sorts by line, then column, stably. In joined lists only the first DIAG_FULL
 * of each severity stay in full. */
void diag_list_sort(struct diag_list *l);

/* Appends a kind in words: its format up to the colon, with "..." for its
 * conversions. */
void diag_add_kind(struct text *out, const char *kind);
/* Appends a line for each severity with diagnostics that are only counted:
 * "and 3 more errors: 2 × unknown step '...', 1 × empty dependency". Each line
 * begins with prefix. */
void diag_list_add_rest(
    const struct diag_list *l, const char *prefix, struct text *out);

#endif
