/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The annotations of the descriptor that is shown, each with the step that it
 * is about: a list of the layer view. */
#ifndef TUI_VIEWS_LAYER_ANNOTATIONS_H
#define TUI_VIEWS_LAYER_ANNOTATIONS_H

#include "tui/views/list.h"
#include "tui/views/view.h"

/* Zeroed at first. */
struct layer_annotations {
	struct list list;
	size_t *lines; /* of the document, that are annotations */
	size_t n, cap;
	/* Of which they are. */
	const struct document *doc;
	uint64_t revision;
};

void layer_annotations_free(struct layer_annotations *l);
/* Sources may be others now. */
void layer_annotations_forget(struct layer_annotations *l);
/* Looks for them, if the descriptor has changed. */
void layer_annotations_update(
    struct layer_annotations *l, const struct view_env *env);
/* With a title; focus: keys move its cursor. */
void layer_annotations_draw(struct layer_annotations *l,
    const struct view_env *env, struct area *a, bool focus);
/* The descriptor shows the annotation that the cursor is on. */
void layer_annotations_select(
    const struct layer_annotations *l, const struct view_env *env);

#endif
