/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What may come next in an annotation that is being typed: its words, and the
 * values of some. */
#ifndef TUI_INPUT_COMPLETE_ANNOTATION_H
#define TUI_INPUT_COMPLETE_ANNOTATION_H

#include <stddef.h>

struct text;

/* As complete_step(), of a line that begins with #@. */
char complete_annotation(
    const char *text, size_t start, const char *word, struct text *out);

#endif
