/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clients launched and killed, as keys and commands do it. */
#ifndef TUI_CONSOLE_LAUNCH_H
#define TUI_CONSOLE_LAUNCH_H

#include "tui/console/ui.h"

/* Opens a file as one more descriptor, with n clients, and shows it. One that
 * is open gets n more clients if more is true. False: err says why not. */
bool launch_file(struct ui *ui, const char *path, uint32_t n, bool more,
    nsec wall, struct text *err);
/* n more clients of the descriptor that is shown. */
bool launch_shown(struct ui *ui, uint32_t n, struct text *err);
/* If the source waits: says why. False: it does not. */
bool launch_say_waiting(struct ui *ui, size_t source);
/* Says that it waits no more. */
void launch_say_started(struct ui *ui, size_t source);
/* Asks whether that client is to be killed; ended ones: err says so. */
bool launch_ask_kill(struct ui *ui, uint32_t client, struct text *err);

#endif
