/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Views. A view is a file with its own state and a table of callbacks. It draws
 * the session, keeps what the user did to it (cursor, order), and knows of
 * other views only the selection.
 */
#ifndef TUI_VIEWS_VIEW_H
#define TUI_VIEWS_VIEW_H

#include <stdbool.h>

#include "run/live/session.h"
#include "tui/input/keys.h"
#include "tui/input/prompt.h"
#include "tui/screen/screen.h"
#include "tui/views/selection.h"

struct context_colours;
struct step_scene;
struct tag_set;

/* A line of a descriptor while it is edited in place. */
struct line_draft {
	size_t source, line;
	bool is_new;                    /* inserted before line, which stays */
	const struct diag_list *diags;  /* of the text typed so far */
	const struct step_scene *scene; /* to explain it */
};

/* The session and the console's state, as views get them. */
struct view_env {
	const struct session *session;
	struct selection *selection;
	struct tag_set *tags; /* the tagged contexts */
	struct context_colours *colours;
	/* the text searched for, to be highlighted; "": none */
	const char *search;
	bool focus; /* the view has the focus */
	/* Set by draw() when the view has more to show at once. */
	bool *unfinished;
	/* The prompt that is open in this view, and its line; NULL: none. */
	const struct ui_prompt *prompt;
	const struct line_draft *draft;
};

struct view; /* part of the struct that each view has of its own */

struct view_ops {
	const char *name;
	enum scope scope; /* of its keys */
	/* Any of these may be NULL, except draw and free. */
	void (*draw)(
	    struct view *v, const struct view_env *env, struct area *a);
	/* Returns false for an action that is not one of the view's. */
	bool (*act)(
	    struct view *v, const struct view_env *env, enum action action);
	/* Handles a click or the wheel at (x, y) of the area drawn last.
	 * Returns false to let the caller handle it. */
	bool (*mouse)(struct view *v, const struct view_env *env, int x, int y,
	    enum mouse what);
	/* Moves the cursor to the next row that contains text, from row `from`
	 * on and wrapping around, by step (1 or -1). "" is in every row.
	 * Returns false, with the cursor unmoved, if no row has it. */
	bool (*find)(struct view *v, const struct view_env *env,
	    const char *text, size_t from, int step);
	/* Returns the cursor's row, for find(). */
	size_t (*place)(const struct view *v);
	/* Shows only rows that pass a filter; "": all (filter.h, or for messages
	 * of the layer a text that they contain). NULL: it has none. */
	void (*set_filter)(
	    struct view *v, const struct view_env *env, const char *text);
	/* Returns the filter's text; "": none */
	const char *(*filter)(const struct view *v);
	/* Called at each tick of the screen. */
	void (*tick)(struct view *v, const struct view_env *env);
	/* Called when a new run begins: pointers into the old one are stale. */
	void (*launched)(struct view *v, const struct view_env *env);
	/* Moves the cursor to a time. */
	void (*show_time)(struct view *v, const struct view_env *env, nsec at);
	/* Follows the present again. Returns false if it does already. */
	bool (*follow)(struct view *v, const struct view_env *env);
	/* Returns the rows that the view could fill. */
	int (*wants)(const struct view *v, const struct view_env *env);
	void (*free)(struct view *v);
};

struct view {
	const struct view_ops *ops;
};

/* Each returns a new view; the caller frees it with ops->free(). */
struct view *view_header_new(void);
struct view *view_engines_new(void);
struct view *view_contexts_new(void);
struct view *view_requests_new(void);
struct view *view_timeline_new(void);
struct view *view_descriptor_new(void);
struct view *view_layer_new(void);

/* Columns that a title leaves blank at the left, for the key of its pane. */
#define VIEW_NUMBER_COLS 2

/* The role of a pane's title row. */
static inline enum role
view_title_role(const struct view_env *env)
{
	return env->focus ? ROLE_TITLE_FOCUS : ROLE_TITLE;
}

/* The contexts view, as commands and prompts change it. */

struct text;

/* Sorts by "busy", or by "-busy" in the other direction. False: err lists the
 * columns. */
bool contexts_sort(struct view *v, const struct view_env *env,
    const char *column, struct text *err);
/* Appends the column as contexts_sort() takes it. */
void contexts_sorted_by(const struct view *v, struct text *out);
/* Shows equal clients as one row: never, from CROWD_MANY (contexts.h) of them on,
 * or always. */
enum crowd_mode { CROWDS_MANY, CROWDS_ALWAYS, CROWDS_NEVER };
void contexts_set_crowds(
    struct view *v, const struct view_env *env, enum crowd_mode mode);
enum crowd_mode contexts_crowds(const struct view *v);
/* Calls fn for each context of the crowd that is selected, until it returns
 * false. Returns false if no crowd is. */
bool contexts_each_selected(
    const struct view *v, const struct selection *sel, tag_fn *fn, void *arg);
/* Shows contexts below their clients. */
void contexts_set_tree(struct view *v, const struct view_env *env, bool tree);
bool contexts_tree(const struct view *v);
/* Leaves out contexts that did nothing lately. */
void contexts_set_hide_idle(
    struct view *v, const struct view_env *env, bool hide);
bool contexts_hide_idle(const struct view *v);
/* True if the selected context is among the lines. */
bool contexts_shows_selected(struct view *v, const struct view_env *env);

/* Moves the descriptor view's cursor to the next line with a diagnostic, from the
 * line below the cursor on and around the end. False: no line has one. */
bool descriptor_next_problem(
    struct view *v, const struct view_env *env, size_t *line);

/* Returns the program that is selected and shown in place of the document; NULL:
 * none. The document is shown while a line of it is typed. */
const struct client *descriptor_program(const struct view_env *env);

struct message;

/* Finds the layer view's message under the cursor, valid until more come. False: the cursor
 * is on annotations, or there is no message. */
bool layer_message(
    const struct view *v, const struct view_env *env, struct message *m);

#endif
