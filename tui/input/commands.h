/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of commands (":speed 10"): what parses them and lists them. They are
 * completed in console/command_prompt.c, and done in console/execute.c. */
#ifndef TUI_INPUT_COMMANDS_H
#define TUI_INPUT_COMMANDS_H

#include <stdbool.h>

struct text;

enum command {
	CMD_ARM_METADATA,
	CMD_ARM_METADATA_FORCED,
	CMD_BIND,
	CMD_CONFIG,
	CMD_COMPARE,
	CMD_DELAY,
	CMD_DUMP,
	CMD_DURATION,
	CMD_EDIT,
	CMD_EDIT_FORCED,
	CMD_FILTER,
	CMD_HELP,
	CMD_KILL,
	CMD_LAUNCH,
	CMD_LAYER,
	CMD_LAYER_FORCED,
	CMD_PAUSE,
	CMD_PREEMPT,
	CMD_PRIO,
	CMD_PROFILE,
	CMD_QUIT,
	CMD_RECOVER,
	CMD_REDO,
	CMD_QUIT_FORCED,
	CMD_RESTART,
	CMD_SCHEDULER,
	CMD_SET,
	CMD_SORT,
	CMD_SNAPSHOT,
	CMD_SPEED,
	CMD_SSEU,
	CMD_STEP,
	CMD_THEME,
	CMD_TRACE,
	CMD_TRACE_FORCED,
	CMD_UNDO,
	CMD_VIEW,
	CMD_WALL,
	CMD_WQ,
	CMD_WRITE,
	CMD_WRITE_FORCED,
	N_COMMANDS,
};

enum argument {
	ARG_NONE,
	ARG_TEXT,
	ARG_FILE,
	ARG_PROFILE,
	ARG_SCHEDULER,
	ARG_STEP,
	ARG_VIEW,
	ARG_COLUMN,
	ARG_BINDING, /* a key, and the name of an action */
	ARG_SETTING, /* its name, and a value */
	ARG_THEME,
};

struct command_info {
	const char *name; /* with a "!" at the end: what is typed has one too */
	const char *syntax; /* of the argument; "" */
	enum argument argument;
	bool optional; /* the argument */
	const char *help;
};

extern const struct command_info command_infos[N_COMMANDS];

/*
 * Splits a line into a command, which may be shortened while that is unique,
 * and its argument (within line, "" if none). N_COMMANDS and a text: there is
 * no such command, or the argument is missing or too many.
 */
enum command command_parse(
    const char *line, const char **argument, struct text *err);

/* What the command of a line takes; ARG_NONE also where there is none. */
enum argument command_argument(const char *line);

/* For gpuwl-top(1). */
void commands_print_man(struct text *out);

#endif
