/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints a config file, all of it commented out, and the manual's lists of
 * settings and colours, from the tables.
 */
#include "tui/settings/config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"

#define WIDTH 78

static const char preface[] =
    "# Settings of gpuwl-top, read from $XDG_CONFIG_HOME/gpuwl/config or\n"
    "# ~/.config/gpuwl/config when the console starts. The program never changes\n"
    "# this file. Each commented-out line shows the default: remove the # from a\n"
    "# line to change it. Options of the command line have priority; batch mode\n"
    "# (-b) does not read this file.\n";

static const char about_keys[] =
    "# action = keys; the first key is shown on the last line of the screen, and\n"
    "# none removes them all. A key is a character, C-a to C-z, F1 to F24, Space,\n"
    "# Tab, S-Tab, Enter, Esc, Backspace, Insert, Delete, Home, End, PgUp, PgDn,\n"
    "# Up, Down, Left, Right or Semicolon. Keys of the pane with the focus have\n"
    "# priority over those of Everywhere. C-c always quits.\n";

static const char about_colours[] =
    "# name = foreground [background] [attributes], instead of the theme's look.\n"
    "# Colours: default (the terminal's own), black, red, green, yellow, blue,\n"
    "# magenta, cyan, white, grey, or 0 to 255 on terminals that have them.\n"
    "# Attributes: bold, dim, underline, reverse. The looks below are those of the\n"
    "# theme default with 256 colours.\n";

/* Adds a comment, wrapped at WIDTH. */
static void
add_comment(struct text *out, const char *words)
{
	size_t column = 0;

	while (*words != 0) {
		size_t len = strcspn(words, " ");

		if (column > 0 && column + 1 + len > WIDTH) {
			text_addc(out, '\n');
			column = 0;
		}
		text_addf(
		    out, "%s%.*s", column > 0 ? " " : "# ", (int)len, words);
		column += len + (column > 0 ? 1 : 2);
		words += len + (words[len] == ' ');
	}
	text_addc(out, '\n');
}

static void
print_values(struct text *out, const struct setting_info *info)
{
	struct text values = {0};
	const char *s;

	if (info->value == NULL)
		return;
	for (unsigned i = 0; (s = info->value(i)) != NULL; i++)
		text_addf(&values, "%s%s", i > 0 ? ", " : "Values: ", s);
	add_comment(out, text_str(&values));
	text_free(&values);
}

static void
print_settings(struct text *out)
{
	text_adds(out, "\n[console]\n");
	for (enum setting i = 0; i < N_SETTINGS; i++) {
		const struct setting_info *info = &setting_infos[i];

		text_addc(out, '\n');
		add_comment(out, info->help);
		print_values(out, info);
		text_addf(out, "#%s = %s\n", info->name, info->fallback);
	}
}

/* ';' after a blank would begin a comment. */
static void
print_keys_of(struct text *out, const char *keys)
{
	const char *name;
	size_t len;

	if (*keys == 0)
		text_adds(out, " none");
	for (unsigned i = 0; (name = key_name_at(keys, i, &len)) != NULL; i++) {
		text_addc(out, ' ');
		if (len == 1 && *name == ';')
			text_adds(out, "Semicolon");
		else
			text_add(out, name, len);
	}
}

static void
print_key(struct text *out, const struct action_row *row)
{
	text_adds(out, "# ");
	text_adds(out, row->help);
	text_addf(out, "\n#%s =", row->name);
	print_keys_of(out, row->keys);
	text_addc(out, '\n');
}

static void
print_keys(const struct action_table *actions, struct text *out)
{
	text_adds(out, "\n[keys]\n");
	text_adds(out, about_keys);
	for (enum scope scope = 0; scope < N_SCOPES; scope++) {
		text_addf(out, "\n# -- %s --\n", scope_name(scope));
		for (size_t i = 0; i < actions->n; i++)
			if (actions->rows[i].scope == scope &&
			    strcmp(actions->rows[i].name, actions->fixed) != 0)
				print_key(out, &actions->rows[i]);
	}
}

static void
print_colours(struct text *out)
{
	struct theme theme = {0};

	text_adds(out, "\n[colours]\n");
	text_adds(out, about_colours);
	text_addc(out, '\n');
	for (enum role r = 0; r < N_ROLES; r++) {
		struct look look = theme_look(&theme, r, 256);

		text_addf(out, "#%s = ", role_name(r));
		look_print(&look, out);
		text_addc(out, '\n');
	}
}

void
config_print(const struct action_table *actions, struct text *out)
{
	text_adds(out, preface);
	print_settings(out);
	print_keys(actions, out);
	print_colours(out);
}

static void
make_folders(const char *path)
{
	char *copy = mem_strdup(path);

	for (char *p = copy; *p != 0 && (p = strchr(p + 1, '/')) != NULL;) {
		*p = 0;
		mkdir(copy, 0777); /* most of them exist */
		*p = '/';
	}
	free(copy);
}

bool
config_write(
    const char *path, const struct action_table *actions, struct text *err)
{
	struct text config = {0};
	bool ok;
	FILE *f;

	make_folders(path);
	f = fopen(path, "wx");
	if (f == NULL) {
		text_add_visible(err, path, strlen(path));
		text_addf(err, ": %s", strerror(errno));
		return false;
	}
	config_print(actions, &config);
	ok = fwrite(text_str(&config), 1, config.len, f) == config.len;
	ok = fclose(f) == 0 && ok;
	if (!ok)
		text_addf(err, "%s: %s", path, strerror(errno));
	text_free(&config);
	return ok;
}

/* Adds s with its hyphens as minus signs. */
static void
add_manual_text(struct text *out, const char *s)
{
	for (; *s != 0; s++)
		if (*s == '-')
			text_adds(out, "\\-");
		else
			text_addc(out, *s);
}

static void
add_values(struct text *out, const struct setting_info *info)
{
	const char *s;

	if (info->value == NULL ||
	    info->value == setting_infos[SET_PROFILE].value)
		return;
	text_adds(out, ".br\nValues: ");
	for (unsigned i = 0; (s = info->value(i)) != NULL; i++) {
		if (i > 0)
			text_adds(out, ", ");
		add_manual_text(out, s);
	}
	text_adds(out, ".\n");
}

void
config_print_man_settings(struct text *out)
{
	for (enum setting i = 0; i < N_SETTINGS; i++) {
		const struct setting_info *info = &setting_infos[i];

		text_adds(out, ".TP\n\\fB");
		add_manual_text(out, info->name);
		text_addf(out, "\\fR = \\fI%s\\fR\n", info->syntax);
		add_manual_text(out, info->help);
		text_addf(out, " (default %s).\n", info->fallback);
		add_values(out, info);
	}
}

void
config_print_man_roles(struct text *out)
{
	for (enum role r = 0; r < N_ROLES; r++) {
		add_manual_text(out, role_name(r));
		text_adds(out, r + 1 < N_ROLES ? ",\n" : ".\n");
	}
}
