/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The commands that are typed after ":". The table has one row per command, in
 * the order of help and manual; below it, a line is split into a command and
 * its arguments. command_line.c has the prompt.
 */
#include <string.h>

#include "base/text.h"
#include "tui/console/actions.h"
#include "tui/console/ui.h"

#define BLANKS " \t"

const struct command_row console_commands[] = {
    {"arm-metadata", "[FILE|off]",
	"start to write the metadata that Arm's timeline viewer reads beside "
	"a trace; alone, or off: stop",
	ARG_FILE, cmd_output, OUTPUT_ARM, NULL, NULL},
    {"arm-metadata!", "FILE", "the same, replacing an existing file", ARG_FILE,
	cmd_output_over, OUTPUT_ARM, NULL, NULL},
    {"batch", "[FILE]",
	"show the command line that gives the same figures in batch mode, or "
	"write it to a new file",
	ARG_FILE, cmd_batch, 0, NULL, NULL},
    {"bind", "[KEY ACTION|KEY none]",
	"give an action one more key, or free a key; alone: list all keys",
	ARG_BINDING, cmd_bind, 0, NULL, NULL},
    {"branches", "[N]",
	"list the runs that were left for a change in the past, with what was "
	"changed and what it did; return to one",
	ARG_TEXT, cmd_branches, 0, NULL, NULL},
    {"capacity", "[GOAL|stop|show|launch|report FILE]",
	"search how many clients of the descriptor shown fit, beside the "
	"clients of others: GOAL as for --goal, e.g. rate>=29.9; stop: end the "
	"search; show: its page; launch: restart with that many; report: write it as "
	"a page for a browser",
	ARG_TEXT, cmd_capacity, 0, NULL, NULL},
    {"capture", "[FILE]",
	"write the descriptors of the selected program, or of all if no program "
	"is selected, as --capture does: FILE, FILE-2 and so on; alone: to "
	"PROGRAM.wsim",
	ARG_FILE, cmd_capture, 0, NULL, NULL},
    {"capture!", "[FILE]", "the same, replacing existing files", ARG_FILE,
	cmd_capture, WRITE_OVER, NULL, NULL},
    {"config", "[FILE]",
	"write a config file with all settings as comments, unless the file "
	"exists",
	ARG_FILE, cmd_config, 0, NULL, NULL},
    {"changes", "",
	"list edits and live changes with what each did to the figures",
	ARG_TEXT, NULL, 0, "changes", NULL},
    {"compare", "[SCHEDULER|trace]",
	"restart, and run the same under another scheduler beside it; trace: "
	"compare with the trace that :import has read, on the timeline too; "
	"alone: stop comparing",
	ARG_SCHEDULER, cmd_compare, 0, NULL, NULL},
    {"delay", "SECONDS", "set the time between frames; keys show at once",
	ARG_TEXT, cmd_delay, 0, NULL, NULL},
    {"dump", "FILE [REGION]...",
	"write the screen, or only some views, header or footer: as text, "
	"with colours (FILE.ansi), or as an image (FILE.svg)",
	ARG_FILE, cmd_dump, 0, NULL, NULL},
    {"duration", "MICROSECONDS",
	"set the duration of the step under the descriptor's cursor: 1000, "
	"500-1000, *",
	ARG_TEXT, cmd_duration, 0, NULL, NULL},
    {"edit", "[FILE]",
	"open a file and launch a client of it; alone: read the one shown "
	"again",
	ARG_FILE, cmd_edit, 0, NULL, "e"},
    {"edit!", "",
	"read the file again and drop unsaved edits (undo restores them)",
	ARG_TEXT, cmd_reread, 0, NULL, "e!"},
    {"filter", "[TEXT]",
	"show only contexts, in Requests requests, that contain all words, or "
	"those after a |; a word may be ctx=2",
	ARG_TEXT, cmd_filter, 0, NULL, NULL},
    {"goto", "PLACE",
	"pause at any instant of the run: a time (12.5, 3ms), +TIME, -TIME, "
	"LINE@ITERATION (LINE@: the last one), miss N, hang N, end",
	ARG_TEXT, cmd_goto, 0, NULL, NULL},
    {"hang", "[N]", "go to hang N, alone the last, and show its error state",
	ARG_TEXT, cmd_hang, 0, NULL, NULL},
    {"help", "[TEXT]",
	"show keys and commands, from the command of that name on, or the "
	"first row with the text",
	ARG_TEXT, cmd_help, 0, NULL, NULL},
    {"import", "[FILE... [OPTION=VALUE]...]",
	"read traces of a machine, as --import does, write a descriptor for each "
	"client, and restart with them for as long as the trace took; options: "
	"engine-map, time, clients, device, frame-on, profile, scheduler, output (a "
	"folder; default: this one); alone: show how near they come",
	ARG_FILE, cmd_import, 0, NULL, NULL},
    {"import!", "FILE... [OPTION=VALUE]...",
	"the same, replacing existing files", ARG_FILE, cmd_import, WRITE_OVER,
	NULL, NULL},
    {"kill", "[CLIENT]", "kill a client, or those tagged or selected; asks",
	ARG_TEXT, cmd_kill, 0, NULL, NULL},
    {"launch", "[N] [FILE]",
	"launch N (1) more clients of the descriptor shown, or of a file",
	ARG_FILE, cmd_launch, 0, NULL, "l la"},
    {"layer", "[FILE|off]",
	"start to write the messages of the layer; alone, or off: stop",
	ARG_FILE, cmd_output, OUTPUT_LAYER, NULL, NULL},
    {"layer!", "FILE", "the same, replacing an existing file", ARG_FILE,
	cmd_output_over, OUTPUT_LAYER, NULL, NULL},
    {"next-error", "",
	"go to the next line of the descriptor with an error or a warning",
	ARG_TEXT, NULL, 0, "next-error", NULL},
    {"output", "",
	"show what programs that were started here write, as it comes",
	ARG_TEXT, cmd_show_output, 0, NULL, NULL},
    {"pause", "", "pause or resume", ARG_TEXT, NULL, 0, "pause", NULL},
    {"preempt", "[CTX] MICROSECONDS",
	"set a context's preemption period, in the text too; 0: none", ARG_TEXT,
	cmd_tweak, TWEAK_PREEMPTION, NULL, NULL},
    {"prio", "[CTX] N", "set a context's priority, in the text too", ARG_TEXT,
	cmd_tweak, TWEAK_PRIORITY, NULL, NULL},
    {"profile", "NAME|FILE",
	"model another GPU, under its scheduler if the present one is the profile's; restarts",
	ARG_PROFILE, cmd_profile, 0, NULL, NULL},
    {"profile-frames", "[FILE|off]",
	"start to write a line of CSV for each frame, an iteration of a client, "
	"as --profile-frames does; alone, or off: stop",
	ARG_FILE, cmd_output, OUTPUT_FRAMES, NULL, NULL},
    {"profile-frames!", "FILE", "the same, replacing an existing file",
	ARG_FILE, cmd_output_over, OUTPUT_FRAMES, NULL, NULL},
    {"quit", "", "quit; asks first if there are unsaved edits", ARG_TEXT, NULL,
	0, "quit", "q qa"},
    {"recover", "",
	"ask again about unsaved edits of the file shown that were kept for "
	"later",
	ARG_TEXT, cmd_recover, 0, NULL, NULL},
    {"redo", "", "redo what was undone", ARG_TEXT, NULL, 0, "redo", NULL},
    {"quit!", "", "quit, and lose unsaved edits", ARG_TEXT, cmd_quit_now, 0,
	NULL, "q! qa!"},
    {"refused", "",
	"list programs and calls that the virtual i915 refused, and why",
	ARG_TEXT, cmd_refused, 0, NULL, NULL},
    {"report", "[FILE.html]",
	"write the run up to now as a page for a browser or for paper, with the "
	"changes and what each did; alone: to report.html",
	ARG_FILE, cmd_report, 0, NULL, NULL},
    {"report!", "[FILE.html]", "the same, replacing an existing file", ARG_FILE,
	cmd_report, WRITE_OVER, NULL, NULL},
    {"reset", "", "set totals to zero: they count from now on", ARG_TEXT, NULL,
	0, "reset-totals", NULL},
    {"restart", "", "restart at time 0", ARG_TEXT, NULL, 0, "restart", NULL},
    {"run", "PROGRAM [ARG]...",
	"start a program on the virtual i915, which is opened if there is "
	"none; :output shows what it writes",
	ARG_PROGRAM, cmd_run, 0, NULL, NULL},
    {"scheduler", "NAME", "use another scheduler; restarts", ARG_SCHEDULER,
	cmd_scheduler, 0, NULL, NULL},
    {"set", "[NAME [VALUE]]",
	"change a setting for now, or show its value; alone: list all",
	ARG_SETTING, cmd_set, 0, NULL, NULL},
    {"sort", "COLUMN", "sort the contexts; -COLUMN: in reverse order",
	ARG_COLUMN, cmd_sort, 0, NULL, NULL},
    {"snapshot", "",
	"take a snapshot of the figures since the last change, to compare with",
	ARG_TEXT, cmd_snapshot, 0, NULL, NULL},
    {"speed", "N|max", "set virtual time per real time", ARG_TEXT, cmd_speed, 0,
	NULL, NULL},
    {"sseu", "[CTX] MASK",
	"set a context's slice mask, in the text too; -1: all slices", ARG_TEXT,
	cmd_tweak, TWEAK_SSEU, NULL, NULL},
    {"step", "[event|batch|iteration]",
	"pause, then run to the next event, or to the end of a batch or an "
	"iteration",
	ARG_STEP, cmd_step, 0, NULL, NULL},
    {"sweep", "[KEY=VALUES...|stop|show|plot COLUMN|open N|report FILE]",
	"run each combination of values, as --sweep does; plot: draw another "
	"column; open: restart as row N; report: write it as a page",
	ARG_TEXT, cmd_sweep, 0, NULL, NULL},
    {"theme", "NAME", "change the colours", ARG_THEME, cmd_theme, 0, NULL,
	NULL},
    {"trace", "[FILE|off]",
	"start to write a trace: Chrome's trace events if the name ends in "
	".json, else Perfetto's; alone, or off: stop",
	ARG_FILE, cmd_output, OUTPUT_TRACE, NULL, NULL},
    {"trace!", "FILE", "the same, replacing an existing file", ARG_FILE,
	cmd_output_over, OUTPUT_TRACE, NULL, NULL},
    {"trace-kernel", "[FILE|off]",
	"start to write the run as a kernel traces it: FILE.txt as trace-cmd "
	"report -t, FILE.perf as perf script, else trace.dat; alone, or off: "
	"stop",
	ARG_FILE, cmd_output, OUTPUT_KERNEL, NULL, NULL},
    {"trace-kernel!", "FILE", "the same, replacing an existing file", ARG_FILE,
	cmd_output_over, OUTPUT_KERNEL, NULL, NULL},
    {"tune", "[KINDS GOAL keep=CTX|stop|show|apply|report FILE]",
	"search the fewest edits with which a goal holds, as --tune does; stop: end "
	"the search; show: its page; apply: make the edits, as one that u undoes; report: write "
	"it as a page",
	ARG_TEXT, cmd_tune, 0, NULL, NULL},
    {"undo", "", "undo the last change of the descriptor shown", ARG_TEXT, NULL,
	0, "undo", NULL},
    {"view", "NAME|default", "show a view, as the digit in its title does",
	ARG_VIEW, cmd_view, 0, NULL, NULL},
    {"wall", "", "write all descriptors that have unsaved edits", ARG_TEXT,
	cmd_write_all, 0, NULL, "wa"},
    {"wq", "[FILE]", "write, then quit; :x for short", ARG_FILE, cmd_write,
	WRITE_AND_QUIT, NULL, "x"},
    {"write", "[FILE]", "write the descriptor shown to its file, or to another",
	ARG_FILE, cmd_write, 0, NULL, "w"},
    {"write!", "[FILE]", "the same, replacing an existing file", ARG_FILE,
	cmd_write, WRITE_OVER, NULL, "w!"},
};
const size_t n_console_commands = sizeof(console_commands) /
    sizeof(*console_commands);

static size_t
word_length(const char *s)
{
	return strcspn(s, BLANKS);
}

static bool
is_word(const char *word, const char *s, size_t len)
{
	return strlen(word) == len && strncmp(word, s, len) == 0;
}

/* True if name[0..len) begins the command's name, with a "!" exactly if that
 * has one. */
static bool
abbreviates(const char *name, size_t len, const struct command_row *c)
{
	size_t n = strlen(c->name);

	if (len > 0 && (name[len - 1] == '!') != (c->name[n - 1] == '!'))
		return false;
	if (len > 0 && name[len - 1] == '!')
		len--;
	return strncmp(c->name, name, len) == 0;
}

static bool
has_short_name(const struct command_row *c, const char *name, size_t len)
{
	const char *s = c->short_names;

	for (; s != NULL && *s != 0; s += strspn(s, " "))
		if (strcspn(s, " ") == len && strncmp(s, name, len) == 0)
			return true;
		else
			s += strcspn(s, " ");
	return false;
}

/* Returns the command of that name, short name or unique abbreviation; NULL:
 * none, or several. */
static const struct command_row *
find_command(const char *name, size_t len)
{
	const struct command_row *found = NULL;
	unsigned n = 0;

	for (size_t i = 0; i < n_console_commands; i++) {
		const struct command_row *c = &console_commands[i];

		if (is_word(c->name, name, len) || has_short_name(c, name, len))
			return c;
		if (!abbreviates(name, len, c))
			continue;
		found = c;
		n++;
	}
	return n == 1 ? found : NULL;
}

static void
explain_unknown(const char *name, size_t len, struct text *err)
{
	unsigned n = 0;

	for (size_t i = 0; len > 0 && i < n_console_commands; i++)
		n += abbreviates(name, len, &console_commands[i]);
	text_adds(err, n > 1 ? "ambiguous command '" : "unknown command '");
	text_add_visible(err, name, len);
	if (n < 2) {
		text_adds(err, "': :help lists the commands");
		return;
	}
	text_adds(err, "': it may be");
	for (size_t i = 0; i < n_console_commands; i++)
		if (abbreviates(name, len, &console_commands[i]))
			text_addf(err, " %s", console_commands[i].name);
}

/* "[FILE]" may be left out, "[CTX] N" may not. */
static bool
needs_argument(const struct command_row *c)
{
	size_t len = strlen(c->syntax);

	return len > 0 && (c->syntax[0] != '[' || c->syntax[len - 1] != ']');
}

const struct command_row *
command_parse(const char *line, const char **typed, struct text *err)
{
	const char *name = line + strspn(line, BLANKS);
	size_t len = word_length(name);
	const struct command_row *c = len > 0 ? find_command(name, len) : NULL;

	if (c == NULL) {
		explain_unknown(name, len, err);
		return NULL;
	}
	*typed = name + len + strspn(name + len, BLANKS);
	if (*c->syntax == 0 && **typed != 0) {
		text_addf(err, ":%s takes no argument", c->name);
		return NULL;
	}
	if (needs_argument(c) && **typed == 0 &&
	    setting_find(c->name) == N_SETTINGS) {
		text_addf(err, "usage: :%s %s", c->name, c->syntax);
		return NULL;
	}
	return c;
}

enum argument
command_argument(const char *line)
{
	const char *name = line + strspn(line, BLANKS);
	const struct command_row *c = find_command(name, word_length(name));

	return c != NULL ? c->argument : ARG_TEXT;
}

void
commands_print_man(struct text *out)
{
	for (size_t i = 0; i < n_console_commands; i++) {
		const struct command_row *c = &console_commands[i];

		text_addf(out, ".TP\n\\fB:%s\\fR", c->name);
		if (*c->syntax != 0)
			text_addf(out, " \\fI%s\\fR", c->syntax);
		text_addf(out, "\n%s\n", c->help);
	}
}
