/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Completion of a descriptor's line that is being typed, field by field:
 * contexts, kinds of steps, engines of the device, durations in use, steps to
 * refer to, words of annotations.
 */
#ifndef TUI_INPUT_COMPLETE_H
#define TUI_INPUT_COMPLETE_H

#include <stddef.h>

#include "engine/profile.h"
#include "parser/document/document.h"

struct text;

/* Characters between words of a line. */
#define STEP_BREAKS " \t.,/|"

/* The place of the line that is typed. */
struct step_scene {
	const struct document *doc;
	const struct profile *profile;
	size_t line; /* the line that is typed, or that a new one precedes */
};

/*
 * Adds the completions of word, which begins at byte start of the typed text:
 * a row "WORD\n" or "WORD\tMEANING\n" each, the likeliest first. Returns the
 * character that follows the word in the line; 0: that varies. The cost does
 * not depend on the document's length.
 */
char complete_step(const struct step_scene *scene, const char *text,
    size_t start, const char *word, struct text *out);

/* As complete_step(), for a line that begins with "#@". */
char complete_annotation(
    const char *text, size_t start, const char *word, struct text *out);

#endif
