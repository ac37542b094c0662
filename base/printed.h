/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines of programs' output, as a terminal shows them in the end: tabs, carriage
 * returns and backspaces move, later characters take the place of earlier ones,
 * and escape sequences have no text.
 */
#ifndef BASE_PRINTED_H
#define BASE_PRINTED_H

#include <stddef.h>

#include "base/text.h"

/* Columns of a line; characters beyond are left out. */
#define PRINTED_COLUMNS 65536

/* Adds the columns that a line of len bytes, without its newline, leaves on a
 * terminal that is wide enough. Of escape sequences, those that move within the
 * line or erase a part of it act. '?' is for each invalid byte and other
 * characters that are not visible. */
void text_add_printed(struct text *out, const char *line, size_t len);

#endif
