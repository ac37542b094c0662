/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where each step goes in an edit, and lines rewritten so that their offsets
 * still name the same steps.
 */
#ifndef PARSER_DOCUMENT_REMAP_H
#define PARSER_DOCUMENT_REMAP_H

#include "parser/document/document_private.h"

/* Steps from this one to the next piece move by delta, or are gone. */
struct piece {
	size_t from;
	int64_t delta;
	bool gone;
};

/* Pieces by from; steps before the first stay, those of the last all move
 * alike and are preceded only by steps that came before it. */
struct remap {
	struct piece *pieces;
	size_t n, cap;
};

void remap_free(struct remap *map);
void remap_add(struct remap *map, size_t from, int64_t delta, bool gone);
/* The new number of a step; false if it is gone. */
bool remap_step(const struct remap *map, size_t step, size_t *to);
/* Moves nothing? */
bool remap_is_identity(const struct remap *map);

enum rewrite {
	REWRITE_SAME,      /* no reference is affected */
	REWRITE_CHANGED,   /* *to is the line to put in place */
	REWRITE_UNCHANGED, /* text as it was, but what it names changes: an
			      offset beyond the first step */
	REWRITE_LOST,      /* an s, a, T whose target is gone */
	REWRITE_FORWARD,   /* an offset would have to point forward */
};

/* Line, step number step. References to steps that are gone are dropped. */
enum rewrite remap_line(struct document *doc, const struct remap *map,
    struct line *line, size_t step, struct line **to);

/* A line with its field-th field replaced; all else as it was. */
struct line *line_with_field(struct document *doc, const struct line *line,
    unsigned field, const char *s, size_t len);
/* The same line with another separator, as far as that can follow it. */
struct line *line_with_separator(
    struct document *doc, struct line *line, uint8_t separator);

#endif
