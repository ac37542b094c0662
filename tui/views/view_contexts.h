/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What commands and prompts do to the contexts table. */
#ifndef TUI_VIEW_CONTEXTS_H
#define TUI_VIEW_CONTEXTS_H

#include "tui/views/view.h"

struct text;

/* "busy", "-busy" the other way round. False: err has the columns. */
bool contexts_sort(struct view *v, const struct view_env *env,
    const char *column, struct text *err);
/* As of context_filter.h; "": everything. */
void contexts_set_filter(
    struct view *v, const struct view_env *env, const char *text);
const char *contexts_filter(const struct view *v); /* "": none */

#endif
