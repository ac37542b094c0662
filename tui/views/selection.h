/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is selected, by what it is: it outlives sorting and restarts. Views set
 * it as their cursors move; keys act on it (console/act_*.c). */
#ifndef TUI_VIEWS_SELECTION_H
#define TUI_VIEWS_SELECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/nsec.h"

struct context;
struct session;

struct selection {
	uint32_t client;  /* id */
	uint32_t context; /* index among the client's */
	size_t source;    /* the descriptor that is shown, of plan->sources */
	size_t line;      /* of its document: the descriptor's cursor */
	/* The cursor is on the client itself (tree); context is its first. */
	bool whole_client;
	uint64_t request; /* seq of that under the cursor of Fences or
			     Timeline; 0 */
	uint64_t miss;    /* of the trail, that was gone to last; 0 */
	nsec at;          /* the cursor of the timeline */
};

/* The context, by its number in the text; not if the client has none such. */
void select_context(struct selection *sel, const struct session *s,
    uint32_t client, uint32_t number);
/* NULL: it is not there (any more). */
const struct context *selected_context(
    const struct selection *sel, const struct session *s);

#endif
