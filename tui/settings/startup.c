/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See startup.h. */
#include "tui/settings/startup.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/state_folder.h"
#include "base/units.h"
#include "run/options.h"
#include "tui/settings/config.h"

/* Where nobody may look, as in another's home, nothing is. */
static bool
is_there(const char *path)
{
	return access(path, F_OK) == 0 ||
	    (errno != ENOENT && errno != ENOTDIR && errno != EACCES);
}

/* Nobody named it: it may be missing, and a bad one is no reason to stop. */
static void
load_usual(struct settings *s)
{
	struct text path = {0}, err = {0};

	config_default_path(&path);
	if (path.len > 0 && is_there(text_str(&path)) &&
	    !config_load(s, text_str(&path), &err)) {
		text_addf(&s->problems, "%s\n", text_str(&err));
		s->n_problems++;
	}
	text_free(&path);
	text_free(&err);
}

/* What the command line says is right already. */
static void
take_option(struct settings *s, enum setting which, const char *value)
{
	struct text err = {0};

	settings_set(
	    s, which, value, (struct origin){.kind = FROM_OPTION}, &err);
	text_free(&err);
}

static void
take_number(struct settings *s, enum setting which, double n)
{
	struct text value = {0};

	text_addf(&value, "%.15g", n);
	take_option(s, which, text_str(&value));
	text_free(&value);
}

static void
meet_scheduler_and_profile(struct settings *s, struct options *o)
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
meet_speed_and_delay(struct settings *s, struct options *o)
{
	nsec ns;

	if (o->speed_given && o->speed <= 0)
		take_option(s, SET_SPEED, "max");
	else if (o->speed_given)
		take_number(s, SET_SPEED, o->speed);
	else
		parse_speed(settings_value(s, SET_SPEED), &o->speed);
	if (o->delay > 0)
		take_number(s, SET_DELAY, o->delay);
	else if (settings_parse_delay(settings_value(s, SET_DELAY), &ns))
		o->delay = (double)ns / 1e9;
	if (o->ascii)
		take_option(s, SET_ASCII, "yes");
	if (o->no_mouse)
		take_option(s, SET_MOUSE, "no");
}

bool
startup_settings(struct settings *s, struct options *o, struct text *err)
{
	bool none = o->config != NULL ? strcmp(o->config, "none") == 0
				      : o->script != NULL;

	settings_init(s);
	if (o->config == NULL && !none)
		load_usual(s);
	else if (!none && !config_load(s, o->config, err))
		return false;
	meet_scheduler_and_profile(s, o);
	meet_speed_and_delay(s, o);
	return true;
}
