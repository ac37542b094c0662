/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A descriptor's line while it is typed: the step and the field under the
 * cursor, what they mean, and the lines that offsets lead to.
 */
#ifndef TUI_INPUT_TYPED_STEP_H
#define TUI_INPUT_TYPED_STEP_H

#include <stdbool.h>
#include <stddef.h>

#include "parser/step.h"
#include "tui/input/complete.h"

/* The place of a byte in a typed line of steps joined by commas. */
struct typed_step {
	const char *step;    /* where the step begins */
	size_t steps_before; /* in the same line */
	enum step_kind kind; /* N_STEP_KINDS: unknown, or in the first field */
	unsigned number;     /* of the field, from 0 */
	enum step_field field; /* FIELD_NONE: none, or too many */
	const char *part;      /* the part of the field, between / or | */
	size_t len;            /* of the part, in bytes */
};

/* Returns the place of byte `at` of text. */
struct typed_step typed_step_at(const char *text, size_t at);
/* True for a comment or an annotation. */
bool typed_is_comment(const char *text);

/* A line of the document that an offset in the typed line leads to. */
struct typed_target {
	size_t line;
	char offset[16]; /* as typed: "f-2"; cut if longer */
};

/* Lists the targets of all offsets in text; returns their number, at most
 * max. */
size_t typed_targets(const struct step_scene *scene, const char *text,
    struct typed_target *list, size_t max);

/* Returns the step `back` steps before the typed one, and sets its line; NULL: its
 * line has an error, or the document has none, and *line is the number of lines. */
const struct step *typed_step_back(const struct step_scene *scene,
    const struct typed_step *typed, size_t back, size_t *line);

/*
 * Appends two lines about the field at byte `at` of text: its name, unit and
 * the value that is meant now, a tab and the syntax of the step; what may be
 * written there, and what follows. Nothing in a comment. The cost does not
 * depend on the document's length.
 */
void typed_explain(const struct step_scene *scene, const char *text, size_t at,
    struct text *out);

#endif
