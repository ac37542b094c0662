/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Layer view: the latest messages, the workloads under the cursor, and the
 * annotations of the descriptor that is shown. The list of messages follows the
 * newest one until its cursor leaves it.
 */
#ifndef TUI_VIEWS_LAYER_VIEW_H
#define TUI_VIEWS_LAYER_VIEW_H

#include "layerstream/message.h"
#include "trace/messages.h"
#include "tui/views/list.h"
#include "tui/views/view.h"

/* The list of messages; zeroed at first. */
struct layer_messages {
	struct row_list list;
	/* positions in the log of the messages that pass the filter */
	uint64_t *ids;
	size_t n, cap;
	/* messages of the log before this position have been looked at */
	uint64_t looked_at;
	bool held; /* does not follow the newest message */
	bool lost; /* the log has dropped older messages */
	int skip;  /* columns scrolled to the right */
	struct text filter, line;
};

/* Frees what the list has. */
void layer_messages_free(struct layer_messages *l);
/* Takes in messages that have come; the cost is theirs. */
void layer_messages_update(
    struct layer_messages *l, const struct message_log *log);
/* Draws the list with a title. focus: keys move its cursor. */
void layer_messages_draw(struct layer_messages *l,
    const struct message_log *log, const struct view_env *env, struct area *a,
    bool focus);
/* Returns false for an action that is not one of the list's. */
bool layer_messages_act(struct layer_messages *l, enum action action);
/* Searches as views do (view.h). */
bool layer_messages_find(struct layer_messages *l,
    const struct message_log *log, const char *text, size_t from, int step);
/* Keeps only messages that contain text; "": all. */
void layer_messages_filter(struct layer_messages *l, const char *text);
/* Finds the message under the cursor and its position in the log. False: the
 * list follows, or is empty. */
bool layer_messages_selected(const struct layer_messages *l,
    const struct message_log *log, struct message *m, uint64_t *at);
/* The same for a list that follows, too: its newest message. */
bool layer_messages_at_cursor(const struct layer_messages *l,
    const struct message_log *log, struct message *m, uint64_t *at);

/*
 * The box of details: all that messages say of the workload of the one under
 * the cursor; or else the workloads of the selected request; or else what
 * engines run now.
 */

/* Draws the box with a title. message: position in the log of the message under
 * the cursor; UINT64_MAX: none. */
void layer_box_draw(
    const struct view_env *env, struct area *a, uint64_t message);

#endif
