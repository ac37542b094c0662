/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What follows an edit, whoever made it. */
#ifndef TUI_CONSOLE_ACT_EDIT_H
#define TUI_CONSOLE_ACT_EDIT_H

#include "tui/console/ui.h"

/* The document that is shown was edited, the cursor belongs on this line now.
 * Its clients get it, at once or at their next iteration, and what came of it
 * is said. */
void document_edited(struct ui *ui, size_t line, bool at_once);

#endif
