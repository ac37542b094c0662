/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What commands and prompts do to the contexts table. */
#ifndef TUI_VIEWS_VIEW_CONTEXTS_H
#define TUI_VIEWS_VIEW_CONTEXTS_H

#include "tui/views/view.h"

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

#endif
