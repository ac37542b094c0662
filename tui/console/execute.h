/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a command line typed at the prompt. Errors are shown on the screen. */
#ifndef TUI_EXECUTE_H
#define TUI_EXECUTE_H

#include "tui/console/ui.h"

void execute(struct ui *ui, const char *typed, nsec wall);

#endif
