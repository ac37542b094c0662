/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The user's selection, and the contexts that are tagged for actions on
 * several. Both are kept as ids, so that they survive sorting and restarts.
 * Views set the selection as their cursors move; the console's actions use it.
 */
#ifndef TUI_VIEWS_SELECTION_H
#define TUI_VIEWS_SELECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#include "base/nsec.h"
#include "engine/gpu/engine.h"

struct context;
struct session;

struct selection {
	uint32_t client;  /* its id */
	uint32_t context; /* index in the client */
	size_t source;    /* the descriptor shown, of plan->sources */
	size_t line;      /* of its document: the descriptor's cursor */
	/* The cursor is on the client (tree); context is its first. */
	bool whole_client;
	/* The cursor is on a crowd, equal clients as one row; the context is one
	 * of them. */
	bool crowd;
	/* The cursor of Contexts is on another program's client of the GPU: its id
	 * plus one. The others are as before. 0: it is not. */
	uint64_t foreign;
	/* seq of the request under the cursor of Requests or Timeline; 0: none */
	uint64_t request;
	/* Counts requests that the user selected: views without the focus then
	 * scroll to the request. */
	uint64_t picked;
	bool by_line; /* the user selected a line last, not a request */
	uint64_t
	    miss; /* the trail's miss that was shown last, until a cursor moves;
			  0: none */
	nsec at;  /* the timeline's cursor */
	/* A program, by its client's id plus one, in whose place the Descriptor
	 * shows the document although it is selected; 0: none. */
	uint32_t document_over;
};

/* Selects the context with this number in the descriptor, if the client has
 * it. */
void select_context(struct selection *sel, const struct session *s,
    uint32_t client, uint32_t number);
/* Selects a request, as the user asked for; 0: none. */
void select_request(struct selection *sel, uint64_t request);
/* Sets the descriptor's line of the selected request. False: none is selected, or
 * its line is not known. */
bool selected_line(const struct selection *sel, const struct session *s,
    size_t *source, size_t *line);
/* True if the selected line is that of a request's step. */
bool selects_line_of(
    const struct selection *sel, const struct session *s, uint64_t request);
/* True if the user selected this request last, or the line of its step. */
bool selects_request(
    const struct selection *sel, const struct session *s, uint64_t request);
/* Returns the engine of the selected request; of a selected line, the engines
 * that had one of its requests in the last window, by their last
 * SELECTION_SPANS spans in it. */
engine_mask selected_engines(
    const struct selection *sel, const struct session *s);
#define SELECTION_SPANS 64
/* A sign of the selection that needs no colour. */
static inline wchar_t
selection_sign(bool unicode)
{
	return unicode ? L'◆' : L'*';
}
/* NULL: there is no such context (any more). */
const struct context *selected_context(
    const struct selection *sel, const struct session *s);

/* The tagged contexts. A tag may name a context that has ended. */

#define TAGS_MAX 10000

struct tag_set {
	uint64_t *list; /* client << 32 | context, ascending */
	size_t n, cap;
};

/* Return the number of tags, and whether a context is tagged. */
size_t tags_count(const struct tag_set *t);
bool tags_has(const struct tag_set *t, uint32_t client, uint32_t context);
/* Tags or untags a context. False: TAGS_MAX are tagged already. */
bool tags_toggle(struct tag_set *t, uint32_t client, uint32_t context);
/* Removes all tags; tags_free() also frees the list. */
void tags_clear(struct tag_set *t);
void tags_free(struct tag_set *t);

/* Calls fn for each tag in order, by client id and the context's index in the
 * client, until it returns false. */
typedef bool tag_fn(void *arg, uint32_t client, uint32_t context);
void tags_each(const struct tag_set *t, tag_fn *fn, void *arg);

#endif
