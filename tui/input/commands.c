/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See commands.h. */
#include "tui/input/commands.h"

#include <string.h>

#include "base/text.h"

const struct command_info command_infos[N_COMMANDS] = {
    [CMD_ARM_METADATA] = {"arm-metadata", "[FILE|off]", ARG_FILE, true,
	"write from now on what Arm's timeline viewer reads beside a trace; "
	"alone, or off: end that"},
    [CMD_ARM_METADATA_FORCED] = {"arm-metadata!", "FILE", ARG_FILE, false,
	"the same, over what is there"},
    [CMD_BIND] = {"bind", "[KEY ACTION|KEY none]", ARG_BINDING, true,
	"give an action one more key, or free a key; alone: all keys"},
    [CMD_COMPARE] = {"compare", "[SCHEDULER]", ARG_SCHEDULER, true,
	"run all anew, and beside it the same under another scheduler; alone: "
	"compare nothing any more"},
    [CMD_CONFIG] = {"config", "[FILE]", ARG_FILE, true,
	"write a config file with everything in it as a comment, where there "
	"is none yet"},
    [CMD_DELAY] = {"delay", "SECONDS", ARG_TEXT, false,
	"draw the screen that often; keys show at once"},
    [CMD_DUMP] = {"dump", "FILE [REGION]...", ARG_FILE, false,
	"write the screen, or views, header, footer of it, as text"},
    [CMD_DURATION] = {"duration", "MICROSECONDS", ARG_TEXT, false,
	"of the step under the descriptor's cursor: 1000, 500-1000, *"},
    [CMD_FILTER] = {"filter", "TEXT", ARG_TEXT, true,
	"show only contexts that have all words, or those after a |; a word "
	"may be ctx=2"},
    [CMD_EDIT] = {"edit", "[FILE]", ARG_FILE, true,
	"open a file and start a client of it; alone: read the shown one again"},
    [CMD_EDIT_FORCED] = {"edit!", "", ARG_NONE, false,
	"read the file again, whatever was edited (undo brings that back)"},
    [CMD_HELP] = {"help", "", ARG_NONE, false, "the keys and commands"},
    [CMD_KILL] = {"kill", "[CLIENT]", ARG_TEXT, true,
	"kill that client, or those tagged or selected; asks"},
    [CMD_LAUNCH] = {"launch", "[N] [FILE]", ARG_FILE, true,
	"N (1) clients more of the descriptor that is shown, or of a file"},
    [CMD_LAYER] = {"layer", "[FILE|off]", ARG_FILE, true,
	"write the messages of the layer from now on; alone, or off: end that"},
    [CMD_LAYER_FORCED] = {"layer!", "FILE", ARG_FILE, false,
	"the same, over what is there"},
    [CMD_PAUSE] = {"pause", "", ARG_NONE, false, "pause, or go on"},
    [CMD_PREEMPT] = {"preempt", "[CTX] MICROSECONDS", ARG_TEXT, false,
	"change a context's preemption period, in the text too; 0: none"},
    [CMD_PRIO] = {"prio", "[CTX] N", ARG_TEXT, false,
	"change a context's priority, in the text too"},
    [CMD_PROFILE] = {"profile", "NAME|FILE", ARG_PROFILE, false,
	"model another GPU; restarts"},
    [CMD_QUIT] = {"quit", "", ARG_NONE, false, "quit"},
    [CMD_RECOVER] = {"recover", "", ARG_NONE, false,
	"ask again about unsaved edits that were left of the shown file and "
	"kept for later"},
    [CMD_REDO] = {"redo", "", ARG_NONE, false, "redo what was undone"},
    [CMD_QUIT_FORCED] = {"quit!", "", ARG_NONE, false,
	"quit; what was not written is lost"},
    [CMD_RESTART] = {"restart", "", ARG_NONE, false, "start again at time 0"},
    [CMD_SCHEDULER] = {"scheduler", "NAME", ARG_SCHEDULER, false,
	"schedule in another way; restarts"},
    [CMD_SET] = {"set", "[NAME [VALUE]]", ARG_SETTING, true,
	"change a setting for now, or tell its value; alone: all of them"},
    [CMD_SNAPSHOT] = {"snapshot", "", ARG_NONE, false,
	"keep the figures since the last change, to compare those of now with"},
    [CMD_SORT] = {"sort", "COLUMN", ARG_COLUMN, false,
	"sort the contexts; -COLUMN: the other way round"},
    [CMD_SPEED] = {"speed", "N|max", ARG_TEXT, false,
	"virtual time per real time"},
    [CMD_SSEU] = {"sseu", "[CTX] MASK", ARG_TEXT, false,
	"change a context's slice mask, in the text too; -1: all slices"},
    [CMD_STEP] = {"step", "[event|batch|iteration]", ARG_STEP, true,
	"pause, and go on by one of these"},
    [CMD_THEME] = {"theme", "NAME", ARG_THEME, false, "change the colours"},
    [CMD_TRACE] = {"trace", "[FILE|off]", ARG_FILE, true,
	"write a trace from now on: Chrome's trace events if the name ends in "
	".json, else Perfetto's; alone, or off: end that"},
    [CMD_TRACE_FORCED] = {"trace!", "FILE", ARG_FILE, false,
	"the same, over what is there"},
    [CMD_UNDO] = {"undo", "", ARG_NONE, false,
	"undo the last change of the descriptor that is shown"},
    [CMD_VIEW] = {"view", "NAME|default", ARG_VIEW, false,
	"show a view, as the keys 0 to 6 do"},
    [CMD_WALL] = {"wall", "", ARG_NONE, false,
	"write all descriptors that have unsaved edits"},
    [CMD_WQ] = {"wq", "[FILE]", ARG_FILE, true, "write, and quit"},
    [CMD_WRITE] = {"write", "[FILE]", ARG_FILE, true,
	"write the shown descriptor to its file, or to another"},
    [CMD_WRITE_FORCED] = {"write!", "[FILE]", ARG_FILE, true,
	"the same, over what is there"},
};

/* Short names that would be ambiguous, or are not the beginning of one. */
static const struct {
	const char *name;
	enum command command;
} short_names[] = {
    {"e", CMD_EDIT},
    {"e!", CMD_EDIT_FORCED},
    {"l", CMD_LAUNCH},
    {"la", CMD_LAUNCH},
    {"q", CMD_QUIT},
    {"q!", CMD_QUIT_FORCED},
    {"w", CMD_WRITE},
    {"w!", CMD_WRITE_FORCED},
    {"wa", CMD_WALL},
    {"x", CMD_WQ},
};

static const char blanks[] = " \t";

static size_t
word_length(const char *s)
{
	return strcspn(s, blanks);
}

/* Is name the beginning of a command's, and has it a "!" as that does? */
static bool
begins(enum command c, const char *name, size_t len)
{
	const char *full = command_infos[c].name;
	size_t n = strlen(full);

	if (len > 0 && (name[len - 1] == '!') != (full[n - 1] == '!'))
		return false;
	if (len > 0 && name[len - 1] == '!')
		len--;
	return strncmp(full, name, len) == 0;
}

static bool
is_name(const char *full, const char *name, size_t len)
{
	return strlen(full) == len && strncmp(full, name, len) == 0;
}

/* N_COMMANDS: none, or several. An exact name goes before longer ones. */
static enum command
find(const char *name, size_t len)
{
	enum command found = N_COMMANDS;
	unsigned n = 0;

	for (size_t i = 0; i < sizeof(short_names) / sizeof(*short_names); i++)
		if (is_name(short_names[i].name, name, len))
			return short_names[i].command;
	for (enum command c = 0; c < N_COMMANDS; c++) {
		if (!begins(c, name, len))
			continue;
		if (is_name(command_infos[c].name, name, len))
			return c;
		found = c;
		n++;
	}
	return n == 1 ? found : N_COMMANDS;
}

static void
explain_unknown(const char *name, size_t len, struct text *err)
{
	unsigned n = 0;

	for (enum command c = 0; len > 0 && c < N_COMMANDS; c++)
		n += begins(c, name, len);
	text_adds(
	    err, n > 1 ? "several commands begin with " : "no such command: ");
	text_add_visible(err, name, len);
	if (n < 2) {
		text_adds(err, " (:help lists them)");
		return;
	}
	text_addc(err, ':');
	for (enum command c = 0; c < N_COMMANDS; c++)
		if (begins(c, name, len))
			text_addf(err, " %s", command_infos[c].name);
}

enum command
command_parse(const char *line, const char **argument, struct text *err)
{
	const char *name = line + strspn(line, blanks);
	size_t len = word_length(name);
	enum command c = len > 0 ? find(name, len) : N_COMMANDS;
	const struct command_info *info;

	if (c == N_COMMANDS) {
		explain_unknown(name, len, err);
		return c;
	}
	info = &command_infos[c];
	*argument = name + len + strspn(name + len, blanks);
	if (info->argument == ARG_NONE && **argument != 0) {
		text_addf(err, ":%s takes no argument", info->name);
		return N_COMMANDS;
	}
	if (info->argument != ARG_NONE && !info->optional && **argument == 0) {
		text_addf(err, "usage: :%s %s", info->name, info->syntax);
		return N_COMMANDS;
	}
	return c;
}

enum argument
command_argument(const char *line)
{
	const char *name = line + strspn(line, blanks);
	enum command c = find(name, word_length(name));

	return c == N_COMMANDS ? ARG_NONE : command_infos[c].argument;
}

void
commands_print_man(struct text *out)
{
	for (enum command c = 0; c < N_COMMANDS; c++) {
		const struct command_info *info = &command_infos[c];

		text_addf(out, ".TP\n\\fB:%s\\fR", info->name);
		if (*info->syntax != 0)
			text_addf(out, " \\fI%s\\fR", info->syntax);
		text_addf(out, "\n%s\n", info->help);
	}
}
