/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ":" prompt: completes commands and their arguments, goes to a line that
 * is typed as a number, and runs a command (commands.c).
 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "parser/document/document.h"
#include "tui/console/actions.h"
#include "tui/console/ui.h"
#include "tui/input/filenames.h"
#include "tui/settings/settings.h"
#include "tui/views/page.h"

/* The i-th possible value of an argument; NULL after the last. */
typedef const char *value_fn(unsigned i);

static const char *
command_name(unsigned i)
{
	return i < n_console_commands ? console_commands[i].name : NULL;
}

static const char *
step_name(unsigned i)
{
	static const char *const names[] = {"event", "batch", "iteration"};

	return i < 3 ? names[i] : NULL;
}

static const char *
no_value(unsigned i)
{
	(void)i;
	return NULL;
}

static const char *
setting_name(unsigned i)
{
	return i < N_SETTINGS ? setting_infos[i].name : NULL;
}

static const char *
action_name(unsigned i)
{
	if (i == console_actions.n)
		return "none";
	return i < console_actions.n ? console_actions.rows[i].name : NULL;
}

/* Returns the setting that is the first argument; N_SETTINGS: none. */
static enum setting
named_setting(const char *line)
{
	char name[32] = "";

	sscanf(line, "%*s %31s", name);
	return setting_find(name);
}

/* Returns the setting whose values an argument takes; N_SETTINGS: none. */
static enum setting
setting_of_argument(const char *line, size_t argument)
{
	static const struct {
		enum argument kind;
		enum setting setting;
	} first[] = {
	    {ARG_PROFILE, SET_PROFILE},
	    {ARG_SCHEDULER, SET_SCHEDULER},
	    {ARG_THEME, SET_THEME},
	    {ARG_VIEW, SET_VIEWS},
	    {ARG_COLUMN, SET_SORT},
	};
	enum argument kind = command_argument(line);

	if (kind == ARG_SETTING && argument == 2)
		return named_setting(line);
	for (size_t i = 0; i < sizeof(first) / sizeof(*first); i++)
		if (first[i].kind == kind && argument == 1)
			return first[i].setting;
	return N_SETTINGS;
}

static value_fn *
argument_values(const char *line, size_t argument)
{
	enum argument kind = command_argument(line);
	enum setting which = setting_of_argument(line, argument);

	if (argument == 0)
		return command_name;
	if (which != N_SETTINGS && setting_infos[which].value != NULL)
		return setting_infos[which].value;
	if (kind == ARG_STEP && argument == 1)
		return step_name;
	if (kind == ARG_SETTING && argument == 1)
		return setting_name;
	return kind == ARG_BINDING && argument == 2 ? action_name : no_value;
}

const char *
command_complete(
    const char *line, const char *word, size_t argument, unsigned i)
{
	value_fn *value = argument_values(line, argument);
	enum argument kind = command_argument(line);
	const char *s;

	if (kind == ARG_PROGRAM && argument == 1)
		return program_complete(word, i);
	if (argument > 0 && (kind == ARG_FILE || kind == ARG_PROGRAM))
		return filename_complete(word, i);
	for (unsigned at = 0; (s = value(at)) != NULL; at++)
		if (strncmp(s, word, strlen(word)) == 0 && i-- == 0)
			return s;
	return NULL;
}

static bool
argument_is_file(const char *line, size_t argument)
{
	return argument > 0 && command_argument(line) == ARG_PROFILE;
}

static const char *
command_help(const char *name)
{
	for (size_t i = 0; i < n_console_commands; i++)
		if (strcmp(console_commands[i].name, name) == 0)
			return console_commands[i].help;
	return NULL;
}

static const char *
action_help(const char *name)
{
	size_t at = action_find(&console_actions, name);

	return at < console_actions.n ? console_actions.rows[at].help : NULL;
}

static const char *
setting_help(const char *name)
{
	enum setting which = setting_find(name);

	return which < N_SETTINGS ? setting_infos[which].help : NULL;
}

/* Returns what a value of a setting means; NULL: its name says it. */
static const char *
value_meaning(enum setting which, const char *value)
{
	const struct setting_info *info = &setting_infos[which];

	return info->meaning != NULL ? info->meaning(info, value) : NULL;
}

/* Returns what a completion of the argument-th word of line is for; NULL: its
 * name says it. */
static const char *
command_meaning(const char *line, const char *completion, size_t argument)
{
	enum argument kind = command_argument(line);
	enum setting which = setting_of_argument(line, argument);

	if (argument == 0)
		return command_help(completion);
	if (which != N_SETTINGS)
		return value_meaning(which, completion);
	if (kind == ARG_BINDING && argument == 2)
		return action_help(completion);
	if (kind == ARG_SETTING && argument == 1)
		return setting_help(completion);
	return NULL;
}

const struct prompt_kind command_prompt = {
    .prompt = ":",
    .history = "history",
    .complete = command_complete,
    .meaning = command_meaning,
    .is_file = argument_is_file,
};

static void
trim_end(struct text *t)
{
	while (t->len > 0 && strchr(" \t\r", t->data[t->len - 1]) != NULL)
		t->data[--t->len] = 0;
}

/* ":12" goes to line 12 of the descriptor, or to the last. False: no number
 * was typed. */
static bool
go_to_line(struct ui *ui, const char *typed)
{
	const struct document *doc =
	    ui->session->plan->sources[ui->selection.source].doc;
	size_t n = document_n_lines(doc), line;
	int64_t wanted;

	if (!parse_integer(typed, &wanted) || wanted < 0)
		return false;
	text_clear(&ui->message);
	arrange_show(ui, PART_DESCRIPTOR);
	ui->selection.document_over = ui->selection.client + 1;
	line = document_line_of_row(doc, (size_t)wanted);
	ui->selection.line = line < n ? line : n > 0 ? n - 1 : 0;
	return true;
}

static bool
run_command(struct ui *ui, const struct command_row *c, const char *typed,
    struct text *err)
{
	const struct action_row *action;

	/* A setting without a value: shows it, as :set NAME. */
	if (*typed == 0 && setting_find(c->name) != N_SETTINGS)
		return cmd_set(ui, c->name, 0, err);
	if (c->run != NULL)
		return c->run(ui, typed, c->arg, err);
	action =
	    &console_actions.rows[action_find(&console_actions, c->same_as)];
	ui_act(ui, action->run, action->arg);
	return true;
}

static void
execute(struct ui *ui, const char *typed, int arg)
{
	struct text err = {0}, line = {0};
	const struct command_row *c;
	const char *arguments;

	(void)arg;
	text_adds(&line, typed);
	trim_end(&line);
	if (go_to_line(ui, text_str(&line))) {
		/* done */
	} else if (strspn(text_str(&line), " \t") < line.len) {
		c = command_parse(text_str(&line), &arguments, &err);
		/* :dump shows the message and the page that are there. */
		if (c == NULL || c->run != cmd_dump) {
			text_clear(&ui->message);
			ui_open_page(ui, NULL);
		}
		if (c == NULL || !run_command(ui, c, arguments, &err))
			ui_say_error(ui, text_str(&line), &err);
	}
	text_free(&line);
	text_free(&err);
}

/* Returns the number of the word at byte `at`, from 0. */
static size_t
word_number(const char *line, size_t at)
{
	size_t n = 0;

	for (size_t i = 0; i < at; i++)
		n += line[i] == ' ' && (i == 0 || line[i - 1] != ' ');
	return n;
}

/* Adds what the argument under the cursor may be. */
static void
help_argument(struct page *p, const char *line, size_t argument)
{
	value_fn *value = argument_values(line, argument);
	const char *s;

	if (argument == 0 || value(0) == NULL)
		return;
	page_add(p, ROLE_LABEL, "Values", NULL);
	for (unsigned i = 0; (s = value(i)) != NULL; i++) {
		struct text left = {0};

		text_addf(&left, "  %s", s);
		page_add(p, ROLE_KEY, text_str(&left),
		    command_meaning(line, s, argument));
		text_free(&left);
	}
	page_add(p, ROLE_NORMAL, "", NULL);
}

/* Adds the command that is typed. */
static void
help_command(const struct ui *ui, struct page *p)
{
	struct ui_prompt now = prompt_look();
	struct text err = {0}, left = {0};
	const char *arguments;
	const struct command_row *c = command_parse(now.line, &arguments, &err);

	(void)ui;
	if (c != NULL) {
		text_addf(&left, "  :%s %s", c->name, c->syntax);
		page_add(p, ROLE_LABEL, "The command", NULL);
		page_add(p, ROLE_KEY, text_str(&left), c->help);
		page_add(p, ROLE_NORMAL, "", NULL);
		help_argument(p, now.line, word_number(now.line, now.point));
	}
	text_free(&err);
	text_free(&left);
}

static const struct ui_line command_line = {
    .input = &command_prompt,
    .accepted = execute,
    .help = help_command,
    .more_help = help_add_commands,
    .place = PART_FOOTER,
};

void
command_line_open(struct ui *ui, const char *text)
{
	ui_open_line(ui, &command_line, text, NULL);
}

void
act_command(struct ui *ui, int arg)
{
	(void)arg;
	if (!ui->layout.too_small)
		command_line_open(ui, "");
}
