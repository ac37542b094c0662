/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of settings: one row each, with the values that it takes; the
 * values, looks and keys in force and where they come from; and how the command
 * line and the config file are combined at the start.
 */
#include "tui/settings/settings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/state_folder.h"
#include "base/units.h"
#include "engine/profile.h"
#include "engine/sched/sched.h"
#include "run/options.h"
#include "tui/settings/config.h"
#include "tui/views/contexts.h"

#define BLANKS " \t"

/* Appends "unknown WHAT 'value': expected one of" and the offered values.
 * Returns false. */
static bool
refuse_name(struct text *err, const char *what, const char *value,
    const char *(*offered)(unsigned i))
{
	const char *name;

	text_addf(err, "unknown %s '", what);
	text_add_visible(err, value, strlen(value));
	text_adds(err, "': expected one of");
	for (unsigned i = 0; (name = offered(i)) != NULL; i++)
		text_addf(err, " %s", name);
	return false;
}

static bool
check_theme(const char *value, struct text *err)
{
	unsigned number;

	return theme_find(value, &number) ||
	    refuse_name(err, "theme", value, theme_name);
}

bool
setting_is_yes(const char *value)
{
	return strcmp(value, "yes") == 0 || strcmp(value, "on") == 0;
}

static bool
check_bool(const char *value, struct text *err)
{
	if (setting_is_yes(value) || strcmp(value, "no") == 0 ||
	    strcmp(value, "off") == 0)
		return true;
	text_adds(err, "invalid value '");
	text_add_visible(err, value, strlen(value));
	text_adds(err, "': expected yes or no");
	return false;
}

static const char *
bool_value(unsigned i)
{
	static const char *const names[] = {"yes", "no"};

	return i < 2 ? names[i] : NULL;
}

static bool
check_delay(const char *value, struct text *err)
{
	nsec delay;

	return options_read_delay(value, &delay, err);
}

static bool
check_speed(const char *value, struct text *err)
{
	double speed;

	return read_speed(value, &speed, err);
}

static const char *
speed_value(unsigned i)
{
	static const char *const names[] = {"0.1", "1", "10", "100", "max"};

	return i < 5 ? names[i] : NULL;
}

bool
settings_parse_views(const char *value, unsigned *shown, enum part *first)
{
	*shown = 0;
	if (strcmp(value, "default") == 0)
		return true;
	for (size_t len; *(value += strspn(value, BLANKS)) != 0; value += len) {
		enum part p;

		len = strcspn(value, BLANKS);
		p = layout_find(value, len);
		if (p < PART_FIRST_PANE || p == N_PARTS)
			return false;
		if (*shown == 0)
			*first = p;
		*shown |= PANE(p);
	}
	return *shown != 0;
}

static const char *
views_value(unsigned i)
{
	if (PART_FIRST_PANE + i < N_PARTS)
		return layout_name(PART_FIRST_PANE + i);
	return PART_FIRST_PANE + i == N_PARTS ? "default" : NULL;
}

static bool
check_views(const char *value, struct text *err)
{
	unsigned shown;
	enum part first;

	return settings_parse_views(value, &shown, &first) ||
	    refuse_name(err, "view in", value, views_value);
}

static const char *
sort_value(unsigned i)
{
	for (int column = 0; column < N_COLUMNS; column++)
		if (context_columns[column].sort_name != NULL && i-- == 0)
			return context_columns[column].sort_name;
	return NULL;
}

static bool
check_sort(const char *value, struct text *err)
{
	const char *column = value + (*value == '-'), *name;

	for (unsigned i = 0; (name = sort_value(i)) != NULL; i++)
		if (strcmp(name, column) == 0)
			return true;
	return refuse_name(err, "column", value, sort_value);
}

static bool
check_scheduler(const char *value, struct text *err)
{
	return strcmp(value, SCHED_OF_PROFILE) == 0 ||
	    sched_find(value, err) != NULL;
}

static bool
check_profile(const char *value, struct text *err)
{
	struct profile p;

	return profile_load(&p, value, err);
}

/* The name of a built-in profile, as profile_load() takes it. */
static const char *
profile_value(unsigned i)
{
	static char name[64];
	const char *file = profile_builtin(i);

	if (file == NULL)
		return NULL;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(file, "."), file);
	return name;
}

#define YES_OR_NO .syntax = "yes|no", .check = check_bool, .value = bool_value

const struct setting_info setting_infos[N_SETTINGS] = {
    [SET_THEME] = {"theme", .syntax = "NAME", .fallback = "default",
	.help = "colours; none if NO_COLOR is set", .check = check_theme,
	.value = theme_name},
    [SET_ASCII] = {"ascii", YES_OR_NO, .fallback = "no", .option = "ascii",
	.help = "only ASCII characters"},
    [SET_VIEWS] = {"views", .syntax = "NAMES|default", .fallback = "default",
	.help = "panes to show, the first with the focus", .check = check_views,
	.value = views_value},
    [SET_SORT] = {"sort", .syntax = "[-]COLUMN", .fallback = "client",
	.help = "order of contexts; -: in the other direction",
	.check = check_sort, .value = sort_value},
    [SET_TREE] = {"tree", YES_OR_NO, .fallback = "no",
	.help = "contexts below their clients"},
    [SET_HIDE_IDLE] = {"hide-idle", YES_OR_NO, .fallback = "no",
	.help = "leave out contexts that do nothing"},
    [SET_DELAY] = {"delay", .syntax = "SECONDS", .fallback = "1",
	.option = "delay", .help = "time between frames; keys show at once",
	.check = check_delay},
    [SET_SPEED] = {"speed", .syntax = "N|max", .fallback = "1",
	.option = "speed", .help = "virtual time per real time",
	.check = check_speed, .value = speed_value},
    [SET_SCHEDULER] = {"scheduler", .syntax = "NAME",
	.fallback = SCHED_OF_PROFILE, .option = "scheduler",
	.help = "scheduler, or profile for that of the profile; restarts",
	.check = check_scheduler, .value = sched_name},
    [SET_PROFILE] = {"profile", .syntax = "NAME|FILE", .fallback = "default",
	.option = "profile", .help = "the modelled GPU; restarts",
	.check = check_profile, .value = profile_value},
    [SET_HISTORY] = {"history", YES_OR_NO, .fallback = "yes",
	.help = "keep prompt histories between sessions"},
    [SET_MOUSE] = {"mouse", YES_OR_NO, .fallback = "yes", .option = "no-mouse",
	.help = "use the mouse; no: the terminal selects text with it"},
};

void
settings_init(struct settings *s, const struct action_table *actions)
{
	*s = (struct settings){
	    .key_origins = mem_calloc(actions->n, sizeof(*s->key_origins))};
	keymap_init(&s->keymap, actions);
}

void
settings_free(struct settings *s)
{
	for (enum setting i = 0; i < N_SETTINGS; i++) {
		free(s->values[i]);
		free(s->shown[i]);
	}
	keymap_free(&s->keymap);
	free(s->key_origins);
	free(s->path);
	text_free(&s->problems);
	*s = (struct settings){0};
}

enum setting
setting_find(const char *name)
{
	enum setting found = N_SETTINGS;
	size_t len = strlen(name);

	for (enum setting i = 0; len > 0 && i < N_SETTINGS; i++) {
		if (strcmp(setting_infos[i].name, name) == 0)
			return i;
		if (strncmp(setting_infos[i].name, name, len) != 0)
			continue;
		if (found != N_SETTINGS)
			return N_SETTINGS;
		found = i;
	}
	return found;
}

const char *
settings_value(const struct settings *s, enum setting which)
{
	return s->values[which] != NULL ? s->values[which]
					: setting_infos[which].fallback;
}

bool
settings_set(struct settings *s, enum setting which, const char *value,
    struct origin origin, struct text *err)
{
	const struct setting_info *info = &setting_infos[which];

	if (!info->check(value, err))
		return false;
	if (info->check == check_bool)
		value = setting_is_yes(value) ? "yes" : "no";
	free(s->values[which]);
	s->values[which] = mem_strdup(value);
	s->origins[which] = origin;
	if (which == SET_THEME)
		theme_find(value, &s->theme.base);
	return true;
}

bool
settings_set_look(struct settings *s, const char *role, const char *look,
    struct origin origin, struct text *err)
{
	enum role r = role_find(role);
	struct look parsed;

	if (r == N_ROLES) {
		text_adds(err, "unknown colour name '");
		text_add_visible(err, role, strlen(role));
		text_adds(err, "': expected one of");
		for (r = 0; r < N_ROLES; r++)
			text_addf(err, " %s", role_name(r));
		return false;
	}
	if (!look_parse(look, &parsed, err))
		return false;
	s->theme.own[r] = true;
	s->theme.looks[r] = parsed;
	s->look_origins[r] = origin;
	return true;
}

/* EACCES counts as absent: the home of another user. */
static bool
config_exists(const char *path)
{
	return access(path, F_OK) == 0 ||
	    (errno != ENOENT && errno != ENOTDIR && errno != EACCES);
}

/* Loads the config file at its usual place. It may be missing; errors are kept
 * as problems. */
static void
load_usual(struct settings *s)
{
	struct text path = {0}, err = {0};

	config_default_path(&path);
	if (path.len > 0 && config_exists(text_str(&path)) &&
	    !config_load(s, text_str(&path), &err)) {
		text_addf(&s->problems, "%s\n", text_str(&err));
		s->n_problems++;
	}
	text_free(&path);
	text_free(&err);
}

/* Sets what an option says. Options are checked before; a value that the
 * setting refuses all the same is a problem. */
static void
take_option(struct settings *s, enum setting which, const char *value)
{
	struct text err = {0};

	if (!settings_set(
		s, which, value, (struct origin){.kind = FROM_OPTION}, &err)) {
		text_addf(&s->problems, "--%s: %s\n",
		    setting_infos[which].option, text_str(&err));
		s->n_problems++;
	}
	text_free(&err);
}

static void
take_number_option(struct settings *s, enum setting which, double n)
{
	struct text value = {0};

	text_addf(&value, "%.15g", n);
	take_option(s, which, text_str(&value));
	text_free(&value);
}

static void
combine_scheduler_and_profile(struct settings *s, struct options *o)
{
	if (o->scheduler_given)
		take_option(s, SET_SCHEDULER, o->scheduler);
	else
		o->scheduler = settings_value(s, SET_SCHEDULER);
	if (o->profile_given)
		take_option(s, SET_PROFILE, o->profile);
	else
		o->profile = settings_value(s, SET_PROFILE);
}

static void
combine_speed_and_delay(struct settings *s, struct options *o)
{
	if (o->speed_given && o->speed <= 0)
		take_option(s, SET_SPEED, "max");
	else if (o->speed_given)
		take_number_option(s, SET_SPEED, o->speed);
	else
		read_speed(settings_value(s, SET_SPEED), &o->speed, NULL);
	if (o->delay > 0)
		take_number_option(s, SET_DELAY, (double)o->delay / 1e9);
	if (o->ascii)
		take_option(s, SET_ASCII, "yes");
	if (o->no_mouse)
		take_option(s, SET_MOUSE, "no");
}

bool
startup_settings(struct settings *s, struct options *o,
    const struct action_table *actions, struct text *err)
{
	bool none = o->config != NULL ? strcmp(o->config, "none") == 0
				      : o->script != NULL;

	settings_init(s, actions);
	if (o->config == NULL && !none)
		load_usual(s);
	else if (!none && !config_load(s, o->config, err))
		return false;
	combine_scheduler_and_profile(s, o);
	combine_speed_and_delay(s, o);
	return true;
}
