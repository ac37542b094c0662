/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Diagnostics: what is wrong in a descriptor, where, and what would be right.
 * Lists own their messages.
 *
 * A list keeps the first DIAG_FULL of each severity in full; those
 * after them are counted by kind, which is the format of their message up to
 * its colon. So a list takes little memory whatever the input is.
 */
#ifndef PARSER_DIAG_H
#define PARSER_DIAG_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text;

/* A note says of what is right that it will not do, or needs more, elsewhere.
 */
enum severity { DIAG_ERROR, DIAG_WARNING, DIAG_NOTE };

#define N_SEVERITIES 3
#define DIAG_FULL    100

struct diag {
	enum severity severity;
	uint32_t line;    /* index of the document's line, from 0 */
	uint32_t col;     /* byte in that line, from 0 */
	uint32_t len;     /* bytes meant, at least 1 */
	char *message;    /* "what is wrong, what would be right" */
	const char *kind; /* a format; of the program, not of the list */
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
	size_t n_errors; /* all, those that are only counted too */
	size_t n_full[N_SEVERITIES];
	struct diag_kind *kinds;
	size_t n_kinds, cap_kinds;
};

void diag_list_free(struct diag_list *l);
void diag_list_clear(struct diag_list *l);

/* Adds one, whose kind is its format: a literal. Where the list has no room for
 * its message, nothing but kind and severity is evaluated. */
#define diag_add(l, severity, line, col, len, ...)                             \
	diag_add_as(l, DIAG_FIRST(__VA_ARGS__, 0), severity, line, col, len,   \
	    __VA_ARGS__)
/* The same with another kind, good for as long as the program runs. */
#define diag_add_as(l, kind, severity, line, col, len, ...)                    \
	(diag_has_room((l), (severity))                                        \
		? diag_say((l), (kind), (severity), (line), (col), (len),      \
		      __VA_ARGS__)                                             \
		: diag_count((l), (kind), (severity), 1))
#define DIAG_FIRST(first, ...) first

static inline bool
diag_has_room(const struct diag_list *l, enum severity severity)
{
	return l->n_full[severity] < DIAG_FULL;
}

/* For diag_add() and diag_add_as(). */
void diag_say(struct diag_list *l, const char *kind, enum severity severity,
    uint32_t line, uint32_t col, uint32_t len, const char *fmt, ...)
    __attribute__((format(printf, 7, 8)));
void diag_sayv(struct diag_list *l, const char *kind, enum severity severity,
    uint32_t line, uint32_t col, uint32_t len, const char *fmt, va_list ap)
    __attribute__((format(printf, 7, 0)));
void diag_count(
    struct diag_list *l, const char *kind, enum severity severity, size_t n);

/* Adds what from has to what is there, without its warnings if so wanted. */
void diag_list_join(
    struct diag_list *l, const struct diag_list *from, bool warnings);
/* By line, then column; stable. Where lists were joined, only the first ones
 * stay in full. */
void diag_list_sort(struct diag_list *l);

/* "and 3 more errors: 2 × step '...' is unknown, 1 × empty dependency", one
 * line for each severity; nothing where all are in full. prefix:
 * before each line. */
void diag_list_add_rest(
    const struct diag_list *l, const char *prefix, struct text *out);

#endif
