/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * HTML as text. All that comes from elsewhere (names, documents, command lines) goes
 * through html_add_text(); the other functions take words of the program, or call
 * it. Figures are <data> elements, whose value is the number that --json has.
 */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "base/nsec.h"
#include "base/text.h"

/* Adds text for an element or a quoted attribute; '?' for each character that is
 * not visible. len SIZE_MAX: s is zero terminated. */
void html_add_text(struct text *out, const char *s, size_t len);
/* Adds a formatted line of words, in the same way. */
void html_addf(struct text *out, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* Adds a line of a file: as above, with tabs as blanks, and an ellipsis behind most
 * bytes. */
void html_add_line(struct text *out, const char *s, size_t len, size_t most);

/* Add a figure: a whole number, a real one with that many decimals, a time as
 * people read it, and a part of a whole in percent. */
void html_add_count(struct text *out, uint64_t n);
void html_add_real(struct text *out, double value, int decimals);
void html_add_ns(struct text *out, nsec ns);
void html_add_percent(struct text *out, nsec part, nsec whole);

/* Begin and end a section with that heading, with words of the program. */
void html_begin_section(struct text *out, const char *id, const char *title);
void html_end_section(struct text *out);

/* Begins a table, which may be wider than the page. columns: headings with '|'
 * between them; '<' before one: its cells are text, to the left. */
void html_begin_table(struct text *out, const char *columns);
void html_end_table(struct text *out);
/* These add a cell: text of elsewhere, and figures. */
void html_cell_text(struct text *out, const char *s);
void html_cell_count(struct text *out, uint64_t n);
void html_cell_real(struct text *out, double value, int decimals);
void html_cell_ns(struct text *out, nsec ns);
void html_cell_percent(struct text *out, nsec part, nsec whole);

/* Return members of the object of --json, which must have them: 0 or "" if they
 * do not. */
uint64_t figure_count(const json_t *o, const char *key);
double figure_real(const json_t *o, const char *key);
const char *figure_string(const json_t *o, const char *key);

/* The style sheet. */
extern const char html_style[];

#endif
