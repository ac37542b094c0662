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

/* The contexts that a person has marked, to do something to all of them. By
 * what they are: they outlive sorting and restarts, and may name a context
 * that is no more. */

#define TAGS_MAX 10000

struct tag_set {
	uint64_t *list; /* client << 32 | context, ascending */
	size_t n, cap;
};

size_t tags_count(const struct tag_set *t);
bool tags_has(const struct tag_set *t, uint32_t client, uint32_t context);
/* Adds it, or takes it out again. False: there are TAGS_MAX already. */
bool tags_toggle(struct tag_set *t, uint32_t client, uint32_t context);
void tags_clear(struct tag_set *t);
void tags_free(struct tag_set *t);

/* Calls back for each, by client and context, until that says false. client
 * is an id, context an index among the client's. */
typedef bool tag_fn(void *arg, uint32_t client, uint32_t context);
void tags_each(const struct tag_set *t, tag_fn *fn, void *arg);

#endif
