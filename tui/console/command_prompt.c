/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/console/command_prompt.h"

#include <stdio.h>
#include <string.h>

#include "tui/input/commands.h"
#include "tui/input/filenames.h"
#include "tui/input/keys.h"
#include "tui/settings/settings.h"

/* The i-th possible value. */
static const char *
command_name(unsigned i)
{
	return i < N_COMMANDS ? command_infos[i].name : NULL;
}

static const char *
step_name(unsigned i)
{
	static const char *const names[] = {"event", "batch", "iteration"};

	return i < 3 ? names[i] : NULL;
}

static const char *
no_name(unsigned i)
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
	if (i == n_key_rows)
		return "none";
	return i < n_key_rows ? key_rows[i].name : NULL;
}

typedef const char *value_fn(unsigned i);

/* What a setting, the word before the value, can be. */
static value_fn *
setting_values(const char *line)
{
	char name[32] = "";
	enum setting which;

	sscanf(line, "%*s %31s", name);
	which = setting_find(name);
	if (which == N_SETTINGS || setting_infos[which].value == NULL)
		return no_name;
	return setting_infos[which].value;
}

static value_fn *
argument_values(const char *line, size_t argument)
{
	enum argument kind = command_argument(line);
	const struct {
		enum argument kind;
		size_t argument;
		value_fn *value;
	} values[] = {
	    {ARG_PROFILE, 1, setting_infos[SET_PROFILE].value},
	    {ARG_SCHEDULER, 1, setting_infos[SET_SCHEDULER].value},
	    {ARG_STEP, 1, step_name},
	    {ARG_SETTING, 1, setting_name},
	    {ARG_BINDING, 2, action_name},
	    {ARG_THEME, 1, setting_infos[SET_THEME].value},
	    {ARG_VIEW, 1, setting_infos[SET_VIEWS].value},
	    {ARG_COLUMN, 1, setting_infos[SET_SORT].value},
	};

	if (argument == 0)
		return command_name;
	if (kind == ARG_SETTING && argument == 2)
		return setting_values(line);
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
		if (values[i].kind == kind && values[i].argument == argument)
			return values[i].value;
	return no_name;
}

const char *
command_complete(
    const char *line, const char *word, size_t argument, unsigned i)
{
	value_fn *value = argument_values(line, argument);
	const char *s;

	if (argument > 0 && command_argument(line) == ARG_FILE)
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

const struct prompt_kind command_prompt = {
    .prompt = ":",
    .history = "history",
    .complete = command_complete,
    .is_file = argument_is_file,
};
