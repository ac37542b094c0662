/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the table of options: as --help, and as the list in the man page. */
#include <string.h>

#include "base/text.h"
#include "engine/profile.h"
#include "engine/sched/sched.h"
#include "run/options.h"
#include "run/options_table.h"

#define HELP_COLUMN 31
#define HELP_WIDTH  79

static const char *const group_titles[N_SHOWN_GROUPS] = {
    [GROUP_MODE] = "What to do",
    [GROUP_WORKLOAD] = "Workloads",
    [GROUP_MODEL] = "Model",
    [GROUP_BATCH] = "Batch mode",
    [GROUP_DECISION] = "Decisions",
    [GROUP_IMPORT] = "Traces of a machine",
    [GROUP_CONSOLE] = "Console",
    [GROUP_RECORDING] = "Recordings",
    [GROUP_LAYER] = "Layer stream",
    [GROUP_PROGRAM] = "Programs on a virtual i915",
};

static const char usage[] =
    "Usage: gpuwl-top [OPTION]... [FILE]...             the console\n"
    "       gpuwl-top -b -w FILE|TEXT [OPTION]...       batch mode\n"
    "       gpuwl-top --serve[=NAME] [OPTION]... [FILE]... [-- PROGRAM [ARG]...]\n"
    "       gpuwl-top --check FILE...\n"
    "       gpuwl-top --format FILE\n"
    "       gpuwl-top --layer-dump FILE\n"
    "       gpuwl-top --calibrate=FILE -D FILTER\n"
    "       gpuwl-top --compare-device -D FILTER --profile=FILE -w FILE\n"
    "\n"
    "Runs gem_wsim's workload descriptors on a modelled GPU and shows what\n"
    "happens. Without a FILE the console runs a shipped example.\n";

static const char ending[] =
    "\nExit status: 0 done; 1 the input is wrong; 2 the options are wrong;\n"
    "3 the run failed (hang, deadlock, results that could not be written);\n"
    "128+n stopped by signal n; batch mode writes its results first if n is HUP,\n"
    "INT, QUIT or TERM.\n";

static void
pad_column(struct text *out, size_t from, size_t to)
{
	for (; from < to; from++)
		text_addc(out, ' ');
}

/* Appends words from column HELP_COLUMN on, with line breaks at HELP_WIDTH. */
static void
add_wrapped(struct text *out, const char *words)
{
	size_t column = HELP_COLUMN;

	while (*words != '\0') {
		size_t len = strcspn(words, " ");

		if (column > HELP_COLUMN && column + 1 + len > HELP_WIDTH) {
			text_addc(out, '\n');
			pad_column(out, 0, HELP_COLUMN);
			column = HELP_COLUMN;
		} else if (column > HELP_COLUMN) {
			text_addc(out, ' ');
			column++;
		}
		text_add(out, words, len);
		column += len;
		words += len;
		words += strspn(words, " ");
	}
	text_addc(out, '\n');
}

static void
help_option(struct text *out, const struct option_info *info)
{
	size_t start = out->len;

	if (info->letter != 0)
		text_addf(out, "  -%c, --%s", info->letter, info->name);
	else
		text_addf(out, "      --%s", info->name);
	if (info->argument != NULL && *info->argument != '[')
		text_addc(out, '=');
	if (info->argument != NULL)
		text_adds(out, info->argument);
	if (out->len - start + 2 > HELP_COLUMN) {
		text_addc(out, '\n');
		start = out->len;
	}
	pad_column(out, out->len - start, HELP_COLUMN);
	add_wrapped(out, info->help);
}

static void
list_names(struct text *out)
{
	const char *name;

	text_adds(out, "\nSchedulers:");
	for (unsigned i = 0; (name = sched_name(i)) != NULL; i++)
		text_addf(out, "%s %s", i > 0 ? "," : "", name);
	text_adds(out, "\nProfiles:");
	for (unsigned i = 0; (name = profile_builtin(i)) != NULL; i++)
		text_addf(out, "%s %.*s", i > 0 ? "," : "",
		    (int)strcspn(name, "."), name);
	text_addc(out, '\n');
}

static const char run_usage[] =
    "Usage: gpuwl-run [OPTION]... PROGRAM [ARG]...\n"
    "\n"
    "Runs a program on a virtual i915, whose GPU is the model: its batches are\n"
    "scheduled and timed, and nothing is drawn, computed or decoded. Standard\n"
    "error has a line for each process that used it, unless -q is given.\n"
    "\n"
    "Options:\n";

static const char run_ending[] =
    "\nExit status: that of the program (128+n after signal n); 125 it could not be\n"
    "run; 126 it can't be run on a virtual device; 127 there is no such program.\n";

void
options_print_run_help(struct text *out)
{
	text_adds(out, run_usage);
	for (size_t i = 0; i < N_OPTIONS; i++) {
		const struct option_info *info = &option_table[i];

		if (info->group == GROUP_MODE
			? strcmp(info->name, "help") == 0 ||
			    strcmp(info->name, "version") == 0
			: (info->modes & IN(MODE_PROGRAM)) != 0)
			help_option(out, info);
	}
	list_names(out);
	text_adds(out, run_ending);
}

void
options_print_help(struct text *out)
{
	text_adds(out, usage);
	for (unsigned g = 0; g < N_SHOWN_GROUPS; g++) {
		text_addf(out, "\n%s:\n", group_titles[g]);
		for (size_t i = 0; i < N_OPTIONS; i++)
			if (option_table[i].group == g)
				help_option(out, &option_table[i]);
	}
	list_names(out);
	text_adds(out, ending);
}

/* Appends a long name with each hyphen as a minus, which roff writes \-. */
static void
add_roff_name(struct text *out, const char *name)
{
	text_adds(out, "\\-\\-");
	for (; *name != '\0'; name++)
		text_adds(out, *name == '-' ? "\\-" : (char[]){*name, 0});
}

static void
add_roff_argument(struct text *out, const char *argument)
{
	if (argument == NULL)
		return;
	if (*argument == '[')
		text_addf(out, "\\fR[=\\fI%.*s\\fR]",
		    (int)strcspn(argument + 2, "]"), argument + 2);
	else
		text_addf(out, "\\fR=\\fI%s\\fR", argument);
}

/* Appends text with the minus signs of options and numbers escaped, so that
 * roff does not make hyphens of them. */
static void
add_roff_text(struct text *out, const char *s)
{
	if (*s == '\'' || *s == '.')
		text_adds(out, "\\&");
	for (char before = ' '; *s != '\0'; before = *s++) {
		if (*s == '-' && strchr(" '-", before) != NULL)
			text_addc(out, '\\');
		text_addc(out, *s);
	}
	text_addc(out, '\n');
}

void
options_print_man(struct text *out)
{
	for (unsigned g = 0; g < N_SHOWN_GROUPS; g++) {
		text_addf(out, ".SS %s\n", group_titles[g]);
		for (size_t i = 0; i < N_OPTIONS; i++) {
			const struct option_info *info = &option_table[i];

			if (info->group != g)
				continue;
			text_adds(out, ".TP\n\\fB");
			if (info->letter != 0)
				text_addf(out, "\\-%c\\fR, \\fB", info->letter);
			add_roff_name(out, info->name);
			add_roff_argument(out, info->argument);
			text_adds(out, "\\fR\n");
			add_roff_text(out, info->help);
		}
	}
}
