/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Colours of contexts: of their blocks on the timeline, and of their swatches.
 * They are given out in order of appearance; two contexts share a colour only when
 * all are taken by contexts that may still submit.
 */
#ifndef TUI_VIEWS_CONTEXT_COLOURS_H
#define TUI_VIEWS_CONTEXT_COLOURS_H

#include <stdint.h>

#include "base/hash.h"
#include "tui/screen/theme.h"

struct sim;

/* All zero: no context has a colour. */
struct context_colours {
	struct chains known;
	uint32_t *seen; /* contexts that a client had, by its id */
	size_t n_seen, cap_seen;
	unsigned next; /* the colour after the one given out last */
	uint32_t users[N_CONTEXT_COLOURS]; /* contexts that may still submit */
};

void context_colours_free(struct context_colours *c);
/* Gives colours to contexts that are new in the simulation. */
void context_colours_update(struct context_colours *c, const struct sim *sim);
/* Returns the role of a context, by its number in the text; of one that is not
 * known, a new one. */
enum role context_colour(
    struct context_colours *c, uint32_t client, uint32_t context);

#endif
