/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands that concern settings and keys. They change what is so now; the
 * config file is the person's. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/state_folder.h"
#include "base/text.h"
#include "tui/console/execute.h"
#include "tui/input/filenames.h"
#include "tui/settings/config.h"

#define BLANKS " \t"

/* Takes the first word of *rest, to be freed, and the blanks around it. */
static char *
take_word(const char **rest, const char *ends)
{
	const char *from = *rest + strspn(*rest, BLANKS);
	size_t len = strcspn(from, ends);

	*rest = from + len + strspn(from + len, ends);
	return mem_strndup(from, len);
}

static void
say_value(struct ui *ui, enum setting which)
{
	struct text value = {0};

	ui_setting_value(ui, which, &value);
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
	text_adds(err, "no setting is called '");
	text_add_visible(err, name, strlen(name));
	text_adds(err, "': use one of");
	for (enum setting i = 0; i < N_SETTINGS; i++)
		text_addf(err, " %s", setting_infos[i].name);
	return false;
}

static bool
run_set(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	char *name = take_word(&arg, BLANKS "=");
	enum setting which;
	bool ok = true;

	if (*name == 0) {
		ui_open_page(ui, settings_page(ui));
	} else {
		ok = find_setting(name, &which, err) &&
		    (*arg == 0 || ui_set(ui, which, arg, wall, err));
		if (ok)
			say_value(ui, which);
	}
	free(name);
	return ok;
}

static bool
run_theme(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	if (!ui_set(ui, SET_THEME, arg, wall, err))
		return false;
	ui_say(ui, ROLE_NORMAL, "theme %s: %s", arg,
	    theme_help(ui->settings->theme.base));
	return true;
}

static void
say_keys(struct ui *ui, size_t row)
{
	const char *keys = keymap_keys(&ui->settings->keymap, row);

	ui->settings->key_origins[row] = (struct origin){.kind = FROM_TYPED};
	ui_say(ui, ROLE_NORMAL, "%s = %s", key_rows[row].name,
	    *keys != 0 ? keys : "none");
}

static bool
bind_key(struct ui *ui, const char *key, const char *action, struct text *err)
{
	size_t row = key_row_find(action);

	if (!keymap_bind(&ui->settings->keymap, key, action, err))
		return false;
	if (row < n_key_rows)
		say_keys(ui, row);
	else
		ui_say(ui, ROLE_NORMAL, "%s does nothing now", key);
	return true;
}

static bool
run_bind(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	char *key = take_word(&arg, BLANKS), *action = take_word(&arg, BLANKS);
	bool ok = true;

	(void)wall;
	if (*key == 0) {
		ui_open_page(ui, settings_page(ui));
	} else if (*action == 0 || *arg != 0) {
		text_adds(
		    err, "usage: :bind KEY ACTION, such as :bind F12 pause");
		ok = false;
	} else {
		ok = bind_key(ui, key, action, err);
	}
	free(key);
	free(action);
	return ok;
}

static bool
run_config(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	struct text path = {0};
	bool ok;

	(void)wall;
	if (*arg != 0)
		filename_of(arg, &path);
	else
		config_default_path(&path);
	if (path.len == 0)
		text_adds(err, "no home folder: name a file");
	ok = path.len > 0 && config_write(text_str(&path), err);
	if (ok)
		ui_say(ui, ROLE_NORMAL, "config file written to %s",
		    text_str(&path));
	text_free(&path);
	return ok;
}

const struct command_row commands_of_settings[] = {
    {CMD_BIND, run_bind},
    {CMD_CONFIG, run_config},
    {CMD_SET, run_set},
    {CMD_THEME, run_theme},
    {N_COMMANDS, NULL},
};
