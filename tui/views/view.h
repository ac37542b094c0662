/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a view is: a file with its own state and a small table of callbacks.
 * A view draws what the session is, keeps what the person did to it (cursor,
 * order), and knows nothing of other views but the selection.
 */
#ifndef TUI_VIEWS_VIEW_H
#define TUI_VIEWS_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "run/live/session.h"
#include "tui/input/keys.h"
#include "tui/input/prompt.h"
#include "tui/screen/screen.h"
#include "tui/views/selection.h"

struct tag_set;

/* A line of a descriptor that is being typed in its place. */
struct line_draft {
	size_t source, line;
	bool is_new; /* it is to stand before line, which stays */
	const struct diag_list *diags; /* of what is typed */
};

struct view_env {
	const struct session *session;
	struct selection *selection;
	struct tag_set *tags; /* contexts (tags.h) */
	const char *search;   /* what is looked for, to be shown; "": nothing */
	bool focus;           /* this view has it */
	/* Drawing sets it when there will be more to show at once. */
	bool *unfinished;
	/* What is typed in this view; NULL: nothing. */
	const struct ui_prompt *prompt;
	const struct line_draft *draft;
};

struct view; /* each view's own, it begins with its ops */

struct view_ops {
	const char *name;
	enum scope scope; /* of its keys */
	/* Any of these may be NULL, but draw and free. */
	void (*draw)(
	    struct view *v, const struct view_env *env, struct area *a);
	/* False: the action is not for this view. */
	bool (*act)(
	    struct view *v, const struct view_env *env, enum action action);
	/* At (x, y) of its area as it was drawn last. False: not taken. */
	bool (*mouse)(struct view *v, const struct view_env *env, int x, int y,
	    enum mouse what);
	/* Moves the cursor to the next row with the text, beginning at `from`
	 * and going by step (1, -1) all around. "" is in every row. */
	bool (*find)(struct view *v, const struct view_env *env,
	    const char *text, size_t from, int step);
	/* Where the cursor is; with find. */
	size_t (*place)(const struct view *v);
	void (*tick)(struct view *v, const struct view_env *env);
	/* There is a new run: pointers into the old one are stale. */
	void (*launched)(struct view *v, const struct view_env *env);
	/* The cursor goes to that time. */
	void (*show_time)(struct view *v, const struct view_env *env, nsec at);
	/* It stands in the past: it follows the present again. False: it does
	 * that already. */
	bool (*follow)(struct view *v, const struct view_env *env);
	/* Rows that it could fill. */
	int (*wants)(const struct view *v, const struct view_env *env);
	void (*free)(struct view *v);
};

struct view {
	const struct view_ops *ops;
};

struct view *view_header_new(void);
struct view *view_engines_new(void);
struct view *view_contexts_new(void);
struct view *view_fences_new(void);
struct view *view_timeline_new(void);
struct view *view_descriptor_new(void);
struct view *view_layer_new(void);

/* The title row of a pane, to write column names on. */
static inline enum role
view_title_role(const struct view_env *env)
{
	return env->focus ? ROLE_TITLE_FOCUS : ROLE_TITLE;
}

/* What commands and prompts do to the contexts table. */

struct text;

/* "busy", "-busy" the other way round. False: err has the columns. */
bool contexts_sort(struct view *v, const struct view_env *env,
    const char *column, struct text *err);
/* The column as contexts_sort() takes it. */
void contexts_sorted_by(const struct view *v, struct text *out);
void contexts_set_tree(struct view *v, const struct view_env *env, bool tree);
bool contexts_tree(const struct view *v);
void contexts_set_hide_idle(
    struct view *v, const struct view_env *env, bool hide);
bool contexts_hide_idle(const struct view *v);
/* As of context_filter.h; "": everything. */
void contexts_set_filter(
    struct view *v, const struct view_env *env, const char *text);
/* Is what is selected among the lines? */
bool contexts_shows_selected(struct view *v, const struct view_env *env);
const char *contexts_filter(const struct view *v); /* "": none */

/* What prompts do to the layer view. */

/* Only messages that have the text; "": all. */
void layer_set_filter(struct view *v, const char *text);
const char *layer_filter(const struct view *v); /* "": none */

#endif
