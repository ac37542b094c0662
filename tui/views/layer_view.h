/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The messages of the layer as they come, the last ones: a list of the layer
 * view. It follows the newest until the cursor leaves it. */
#ifndef TUI_VIEWS_LAYER_VIEW_H
#define TUI_VIEWS_LAYER_VIEW_H

#include "layerstream/message.h"
#include "trace/layer_messages.h"
#include "tui/views/list.h"
#include "tui/views/view.h"

/* Zeroed at first. */
struct layer_messages {
	struct row_list list;
	uint64_t *ids; /* of those that pass the filter, as in the log */
	size_t n, cap;
	uint64_t looked_at; /* those before it in the log */
	bool stands;        /* does not follow */
	bool lost;          /* older ones are not kept any more */
	int skip;           /* columns, at the left */
	struct text filter, line;
};

void layer_messages_free(struct layer_messages *l);
/* Looks at what has come; costs what has. */
void layer_messages_update(
    struct layer_messages *l, const struct message_log *log);
/* With a title; focus: keys move its cursor. */
void layer_messages_draw(struct layer_messages *l,
    const struct message_log *log, const struct view_env *env, struct area *a,
    bool focus);
/* False: not an action of it. */
bool layer_messages_act(struct layer_messages *l, enum action action);
bool layer_messages_find(struct layer_messages *l,
    const struct message_log *log, const char *text, size_t from, int step);
/* Only messages that have the text; "": all. */
void layer_messages_filter(struct layer_messages *l, const char *text);
/* That the cursor stands on. False: it follows, or there is none. */
bool layer_messages_selected(const struct layer_messages *l,
    const struct message_log *log, struct message *m, uint64_t *at);

/*
 * What is under the cursor, merged: of a message all that the others say of its
 * workload; of a request (Fences, Timeline) its workloads; or else what engines
 * do now. A part of the layer view.
 */

/* With a title. message: where the one under the cursor is in the log;
 * UINT64_MAX: there is none. */
void layer_box_draw(
    const struct view_env *env, struct area *a, uint64_t message);
/* Appends what the messages of the log say of the workload of that one, merged:
 * its submitID and tag, and JSON. False: it is not about a workload. */
bool layer_box_merge(
    const struct message_log *log, uint64_t message, struct text *out);

#endif
