/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The prompt that commands are typed at (tui/input/commands.h), and what may be
 * said there: settings, their values and actions among it. */
#ifndef TUI_CONSOLE_COMMAND_PROMPT_H
#define TUI_CONSOLE_COMMAND_PROMPT_H

#include <stddef.h>

#include "tui/input/prompt.h"

extern const struct prompt_kind command_prompt;

/*
 * The i-th completion of word, the argument-th word (0: the command itself)
 * of line; NULL after the last. Good until the next call. Profiles that
 * are files are not completed here.
 */
const char *command_complete(
    const char *line, const char *word, size_t argument, unsigned i);

#endif
