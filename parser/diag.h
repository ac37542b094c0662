/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Diagnostics: what is wrong in a descriptor, where, and what would be right.
 * Lists own their messages.
 */
#ifndef PARSER_DIAG_H
#define PARSER_DIAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text;

enum severity { DIAG_ERROR, DIAG_WARNING };

struct diag {
	enum severity severity;
	uint32_t line; /* index of the document's line, from 0 */
	uint32_t col;  /* byte in that line, from 0 */
	uint32_t len;  /* bytes meant, at least 1 */
	char *message; /* "what is wrong, what would be right" */
};

struct diag_list {
	struct diag *list;
	size_t n, cap;
	size_t n_errors;
};

void diag_list_free(struct diag_list *l);
void diag_list_clear(struct diag_list *l);
void diag_add(struct diag_list *l, enum severity severity, uint32_t line,
    uint32_t col, uint32_t len, const char *fmt, ...)
    __attribute__((format(printf, 6, 7)));
/* By line, then column; stable. */
void diag_list_sort(struct diag_list *l);

#endif
