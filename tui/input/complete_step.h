/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What may come next in a line of a descriptor that is being typed, by field:
 * contexts and kinds of steps, engines of the device, durations in use, steps
 * that can be named.
 */
#ifndef TUI_INPUT_COMPLETE_STEP_H
#define TUI_INPUT_COMPLETE_STEP_H

#include <stddef.h>

#include "engine/profile.h"
#include "parser/document/document.h"

struct text;

/* Between words of a line. */
#define STEP_BREAKS " \t.,/|"

struct step_scene {
	const struct document *doc;
	const struct profile *profile;
	size_t line; /* that is typed, or that the typed one is to precede */
};

/*
 * Adds what word, which begins at byte start of the typed text, could become:
 * a row "WORD\n" or "WORD\tMEANING\n" each, the likeliest first. Returns the
 * character that goes on after one of them, 0 if that can't be said. Costs
 * the same in a long document as in a short one.
 */
char complete_step(const struct step_scene *scene, const char *text,
    size_t start, const char *word, struct text *out);

#endif
