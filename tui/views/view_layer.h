/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What prompts do to the layer view. */
#ifndef TUI_VIEWS_VIEW_LAYER_H
#define TUI_VIEWS_VIEW_LAYER_H

#include "tui/views/view.h"

/* Only messages that have the text; "": all. */
void layer_set_filter(struct view *v, const char *text);
const char *layer_filter(const struct view *v); /* "": none */

#endif
