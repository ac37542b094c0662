/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Applies settings, and the commands that change settings and keys. They change
 * the running console only, never the config file. The table of settings is in
 * console/settings_table.c.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/state_folder.h"
#include "base/text.h"
#include "tui/console/actions.h"
#include "tui/console/ui.h"
#include "tui/input/filenames.h"
#include "tui/settings/config.h"

void
ui_setting_value(const struct ui *ui, enum setting which, struct text *out)
{
	if (setting_infos[which].show != NULL)
		setting_infos[which].show(ui, out);
	else
		text_adds(out, settings_value(ui->settings, which));
}

bool
ui_setting_is_unchanged(const struct ui *ui, enum setting which)
{
	const char *shown = ui->settings->shown[which];
	struct text now = {0};
	bool same;

	ui_setting_value(ui, which, &now);
	same = shown != NULL && strcmp(shown, text_str(&now)) == 0;
	text_free(&now);
	return same;
}

static void
note_shown(struct ui *ui, enum setting which)
{
	struct text now = {0};

	ui_setting_value(ui, which, &now);
	free(ui->settings->shown[which]);
	ui->settings->shown[which] = mem_strdup(text_str(&now));
	text_free(&now);
}

void
ui_apply_settings(struct ui *ui)
{
	for (enum setting i = 0; i < N_SETTINGS; i++) {
		const char *value = settings_value(ui->settings, i);

		if (setting_infos[i].at_start)
			setting_infos[i].apply(ui, value, NULL);
		note_shown(ui, i);
	}
}

/* Changes a setting. False: err says why, and nothing has changed. */
static bool
ui_set(struct ui *ui, enum setting which, const char *value, struct text *err)
{
	if (!setting_infos[which].check(value, err) ||
	    !setting_infos[which].apply(ui, value, err))
		return false;
	settings_set(ui->settings, which, value,
	    (struct origin){.kind = FROM_TYPED}, err);
	note_shown(ui, which);
	return true;
}

#define BLANKS " \t"

/* Takes the first word off *rest, and the blanks around it. Free the word. */
static char *
take_word(const char **rest, const char *ends)
{
	const char *from = *rest + strspn(*rest, BLANKS);
	size_t len = strcspn(from, ends);

	*rest = from + len + strspn(from + len, ends);
	return mem_strndup(from, len);
}

/* Appends what a setting takes: " (NAME: fifo, execlists)". */
static void
add_choices(enum setting which, struct text *out)
{
	const struct setting_info *info = &setting_infos[which];
	const char *value;

	text_addf(out, " (%s", info->syntax);
	for (unsigned i = 0; info->value != NULL && !info->is_bool &&
	     (value = info->value(i)) != NULL;
	     i++)
		text_addf(out, "%s %s", i > 0 ? "," : ":", value);
	text_addc(out, ')');
}

static void
say_value(struct ui *ui, enum setting which, bool choices)
{
	struct text value = {0};

	ui_setting_value(ui, which, &value);
	if (choices)
		add_choices(which, &value);
	ui_say(ui, ROLE_NORMAL, "%s = %s", setting_infos[which].name,
	    text_str(&value));
	text_free(&value);
}

static bool
find_setting(const char *name, enum setting *which, struct text *err)
{
	*which = setting_find(name);
	if (*which != N_SETTINGS)
		return true;
	text_adds(err, "unknown setting '");
	text_add_visible(err, name, strlen(name));
	text_adds(err, "': expected one of");
	for (enum setting i = 0; i < N_SETTINGS; i++)
		text_addf(err, " %s", setting_infos[i].name);
	return false;
}

bool
cmd_set(struct ui *ui, const char *typed, int arg, struct text *err)
{
	char *name = take_word(&typed, BLANKS "=");
	bool given = *typed != 0, ok = true;
	enum setting which;

	(void)arg;
	if (*name == 0) {
		ui_open_page(ui, settings_page(ui));
	} else {
		ok = find_setting(name, &which, err) &&
		    (!given || ui_set(ui, which, typed, err));
		if (ok)
			say_value(ui, which, !given);
	}
	free(name);
	return ok;
}

bool
cmd_delay(struct ui *ui, const char *typed, int arg, struct text *err)
{
	(void)arg;
	if (!ui_set(ui, SET_DELAY, typed, err))
		return false;
	ui_say(ui, ROLE_NORMAL, "a frame every %g s", (double)ui->delay / 1e9);
	return true;
}

bool
cmd_theme(struct ui *ui, const char *typed, int arg, struct text *err)
{
	(void)arg;
	if (!ui_set(ui, SET_THEME, typed, err))
		return false;
	ui_say(ui, ROLE_NORMAL, "theme %s: %s", typed,
	    theme_help(ui->settings->theme.base));
	return true;
}

static void
say_keys(struct ui *ui, size_t row)
{
	const char *keys = keymap_keys(&ui->settings->keymap, row);

	ui->settings->key_origins[row] = (struct origin){.kind = FROM_TYPED};
	ui_say(ui, ROLE_NORMAL, "%s = %s", console_actions.rows[row].name,
	    *keys != 0 ? keys : "none");
}

static bool
bind_key(struct ui *ui, const char *key, const char *action, struct text *err)
{
	size_t row = action_find(&console_actions, action);

	if (!keymap_bind(&ui->settings->keymap, key, action, err))
		return false;
	if (row < console_actions.n)
		say_keys(ui, row);
	else
		ui_say(ui, ROLE_NORMAL, "%s is no longer bound", key);
	return true;
}

bool
cmd_bind(struct ui *ui, const char *typed, int arg, struct text *err)
{
	char *key = take_word(&typed, BLANKS);
	char *action = take_word(&typed, BLANKS);
	bool ok = true;

	(void)arg;
	if (*key == 0) {
		ui_open_page(ui, settings_page(ui));
	} else if (*action == 0 || *typed != 0) {
		text_adds(err, "usage: :bind KEY ACTION, e.g. :bind F12 pause");
		ok = false;
	} else {
		ok = bind_key(ui, key, action, err);
	}
	free(key);
	free(action);
	return ok;
}

bool
cmd_config(struct ui *ui, const char *typed, int arg, struct text *err)
{
	struct text path = {0};
	bool ok;

	(void)arg;
	if (*typed != 0)
		filename_of(typed, &path);
	else
		config_default_path(&path);
	if (path.len == 0)
		text_adds(err, "there is no home folder: expected a file name");
	ok = path.len > 0 &&
	    config_write(text_str(&path), &console_actions, err);
	if (ok)
		ui_say(ui, ROLE_NORMAL, "config file written to %s",
		    text_str(&path));
	text_free(&path);
	return ok;
}
