/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of what keys (actions.c) and commands (commands.c) do, with the
 * functions in them. To add a key or a command, add its row and its function.
 */
#ifndef TUI_CONSOLE_ACTIONS_H
#define TUI_CONSOLE_ACTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/input/keys.h"
#include "tui/input/prompt.h"

struct text;
struct ui;

extern const struct action_table console_actions;

/* Completion of an argument by Tab. */
enum argument {
	ARG_TEXT, /* nothing */
	ARG_FILE,
	ARG_PROGRAM, /* of $PATH, or a file; then files */
	ARG_PROFILE, /* or a file */
	ARG_SCHEDULER,
	ARG_STEP,
	ARG_VIEW,
	ARG_COLUMN,
	ARG_BINDING, /* a key, then the name of an action */
	ARG_SETTING, /* its name, then a value */
	ARG_THEME,
};

/* Runs a command with its arguments as typed, "" if there are none, and
 * the row's arg. False: err says why. */
typedef bool command_fn(
    struct ui *ui, const char *typed, int arg, struct text *err);

struct command_row {
	const char *name;   /* a "!" at the end must be typed too */
	const char *syntax; /* of its arguments; "": it takes none; "[...]":
			       they may be left out */
	const char *help;
	enum argument argument;
	command_fn *run; /* NULL: it does what the action `same_as` does */
	int arg;
	const char *same_as;
	const char *short_names; /* separated by blanks: those that are not the
				    unique beginning of the name; NULL: none */
};

extern const struct command_row console_commands[];
extern const size_t n_console_commands;

/*
 * Splits a line into a command, which may be shortened while that is unique,
 * and its arguments, which point into line. NULL: there is no such command, or
 * it lacks an argument or takes none; err says which.
 */
const struct command_row *command_parse(
    const char *line, const char **typed, struct text *err);

/* Returns what completes the arguments of a line; ARG_TEXT too if its command
 * is unknown. */
enum argument command_argument(const char *line);

/*
 * Returns the i-th completion of word, the argument-th word (0: the command
 * itself) of line; NULL after the last. Valid until the next call. The prompt
 * itself completes profiles that are files.
 */
const char *command_complete(
    const char *line, const char *word, size_t argument, unsigned i);

/* The prompt that commands are typed at. */
extern const struct prompt_kind command_prompt;

/* Prints the commands as a list for gpuwl-top(1). */
void commands_print_man(struct text *out);

/* run_control.c: time, restarts, comparisons. */
action_fn act_pause, act_speed, act_step, act_restart, act_snapshot;
command_fn cmd_profile, cmd_scheduler, cmd_speed, cmd_step, cmd_snapshot,
    cmd_compare;

/* travel.c: any instant of the run. */
action_fn act_back;
command_fn cmd_goto, cmd_branches;

/* changes_page.c: what edits did, and totals. */
action_fn act_changes, act_reset_totals;

/* panes.c: the screen as a whole. */
action_fn act_focus, act_show, act_default, act_hide, act_zoom, act_cancel,
    act_close, act_help, act_settings, act_mouse, act_redraw;
command_fn cmd_view;

/* find.c: search and filter. */
action_fn act_search, act_find, act_filter;
command_fn cmd_filter, cmd_sort;
command_fn cmd_help; /* panes.c */

/* edit.c: lines of the descriptor. */
action_fn act_edit_line, act_open_line, act_delete_line, act_copy_line,
    act_paste_line, act_move_line, act_apply, act_editor, act_next_error;

/* tweaks.c: priorities, slice masks, preemption, durations, undo. */
action_fn act_nudge_priority, act_ask_tweak, act_scale, act_duration, act_undo;
command_fn cmd_tweak, cmd_duration;

/* launch.c: clients, and files that they run. */
action_fn act_add_client, act_kill, act_restart_client;
command_fn cmd_report;                                         /* report.c */
command_fn cmd_run, cmd_show_output, cmd_refused, cmd_capture; /* programs.c */
command_fn cmd_launch, cmd_kill, cmd_edit, cmd_reread;

/* save_dialog.c: writing files, quitting. */
action_fn act_write, act_quit;
command_fn cmd_write, cmd_write_all, cmd_quit_now;

/* Arguments of cmd_write. */
enum { WRITE_OVER = 1, WRITE_AND_QUIT = 2 };

/* recover.c */
command_fn cmd_recover;

/* why.c: causes of delays. */
action_fn act_why, act_miss;

/* pages.c */
action_fn act_message;

/* hangs.c: error states. */
action_fn act_hang;
command_fn cmd_hang;

/* command_line.c */
action_fn act_command;

/* apply_settings.c: settings, keys. */
command_fn cmd_set, cmd_delay, cmd_theme, cmd_bind, cmd_config;

/* decision.c: capacity and sweeps. */
command_fn cmd_capacity, cmd_sweep;

/* import.c: traces of a machine. */
command_fn cmd_import;

/* tuning.c: the fewest edits for a goal. */
command_fn cmd_tune;

/* batch.c: the same in batch mode. */
command_fn cmd_batch;
/* Prints the command line on standard error if a descriptor was saved. */
void batch_print_line(const struct ui *ui);

/* outputs.c: files for other tools; arg is an enum output_kind. */
command_fn cmd_output, cmd_output_over, cmd_dump;

#endif
