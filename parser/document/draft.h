/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a document would say of a line that somebody is typing. The document
 * stays as it is, and the cost does not grow with its size.
 */
#ifndef PARSER_DOCUMENT_DRAFT_H
#define PARSER_DOCUMENT_DRAFT_H

#include "parser/document/document.h"

/*
 * Adds the diagnostics of text (one line, or several steps joined by commas)
 * in the place of line at, or if it is new before that (== document_n_lines: at
 * the end), as the edit would leave them at it. Columns are those of text.
 */
void draft_diagnose(const struct document *doc, size_t at, bool is_new,
    const char *text, size_t len, struct diag_list *diags);

#endif
