/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which panes are on the screen: shown, hidden, walked through. The pane with
 * the focus always is. */
#ifndef TUI_CONSOLE_ARRANGE_H
#define TUI_CONSOLE_ARRANGE_H

#include "tui/console/ui.h"

/* Renews ui->layout. */
void arrange(struct ui *ui);
/* Shows a pane and gives it the focus; where there is no room for one more,
 * the least important goes. A page over the panes is closed. */
void arrange_show(struct ui *ui, enum part part);
/* False: it is the last. */
bool arrange_hide_focused(struct ui *ui);
/* These panes and no others, as far as there is room; first has the focus. */
void arrange_set(struct ui *ui, unsigned shown, enum part first);
/* As the size has it. */
void arrange_default(struct ui *ui);
/* The focus goes on by places. */
void arrange_walk(struct ui *ui, int by);

#endif
