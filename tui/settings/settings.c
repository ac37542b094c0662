/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The settings in force, with the user's looks and keys, and where they come
 * from; and how the command line and the config file are combined at the start.
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
#include "run/options.h"
#include "tui/settings/config.h"

bool
setting_is_yes(const char *value)
{
	return strcmp(value, "yes") == 0 || strcmp(value, "on") == 0;
}

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
	if (info->is_bool)
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
