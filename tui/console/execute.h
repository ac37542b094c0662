/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What commands do: a file cmd_*.c per group, each with a table from commands
 * (input/commands.h) to functions, which ends with N_COMMANDS.
 */
#ifndef TUI_CONSOLE_EXECUTE_H
#define TUI_CONSOLE_EXECUTE_H

#include "tui/console/ui.h"
#include "tui/input/commands.h"

struct text;

/* arg: "" if there is none. wall: the time of the key that entered it. False:
 * err says why. */
typedef bool command_fn(
    struct ui *ui, const char *arg, nsec wall, struct text *err);

struct command_row {
	enum command command;
	command_fn *run;
};

extern const struct command_row commands_of_files[];
extern const struct command_row commands_of_run[];
extern const struct command_row commands_of_screen[];
extern const struct command_row commands_of_table[];
extern const struct command_row commands_of_settings[];
extern const struct command_row commands_of_tweaks[];
extern const struct command_row commands_of_launches[];
extern const struct command_row commands_of_comparing[];
extern const struct command_row commands_of_layer[];

/* The prompt that commands are typed at. */
extern const struct ui_line command_line;

/* A line as it was typed after the colon; says what came of it. */
void execute(struct ui *ui, const char *typed, nsec wall);

#endif
