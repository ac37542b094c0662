/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of all settings: what each is, who said so, what it is for. */
#include <string.h>

#include "base/text.h"
#include "tui/console/ui.h"

#define ORIGIN_COLS 13

/* "default", "line 12", "--delay", "typed": who said so. */
static void
add_origin(struct text *out, const struct origin *o, const char *option)
{
	size_t start = out->len;

	switch (o->kind) {
	case FROM_DEFAULT: text_adds(out, "default"); break;
	case FROM_FILE: text_addf(out, "line %u", o->line); break;
	case FROM_OPTION: text_addf(out, "--%s", option); break;
	case FROM_TYPED: text_adds(out, "typed"); break;
	}
	do
		text_addc(out, ' ');
	while (out->len - start < ORIGIN_COLS);
}

static void
add_row(struct page *p, const char *name, const char *value,
    const struct text *right)
{
	struct text left = {0};

	text_addf(&left, "  %-11s ", name);
	text_add_visible(&left, value, strlen(value));
	page_add(p, ROLE_KEY, text_str(&left), text_str(right));
	text_free(&left);
}

static void
add_setting(struct page *p, const struct ui *ui, enum setting which)
{
	static const struct origin typed = {.kind = FROM_TYPED};
	const struct setting_info *info = &setting_infos[which];
	struct text value = {0}, right = {0};

	ui_setting_value(ui, which, &value);
	add_origin(&right,
	    ui_setting_stands(ui, which) ? &ui->settings->origins[which]
					 : &typed,
	    info->option);
	text_addf(&right, "%s (%s)", info->help, info->syntax);
	add_row(p, info->name, text_str(&value), &right);
	text_free(&value);
	text_free(&right);
}

static void
add_file(struct page *p, const struct ui *ui)
{
	const char *path = ui->settings->path;
	struct text line = {0};

	text_adds(&line, "Config file: ");
	if (path != NULL)
		text_add_visible(&line, path, strlen(path));
	else
		text_adds(&line, "none (:config writes one to begin with)");
	page_add(p, ROLE_LABEL, text_str(&line), NULL);
	if (ui->settings->n_problems > 0)
		page_add_text(p, text_str(&ui->settings->problems));
	page_add(p, ROLE_NORMAL, "", NULL);
	text_free(&line);
}

static void
add_own_looks(struct page *p, const struct settings *s)
{
	struct text right = {0}, look = {0};

	page_add(p, ROLE_LABEL, "Colours of your own ([colours])", NULL);
	for (enum role r = 0; r < N_ROLES; r++) {
		if (!s->theme.own[r])
			continue;
		text_clear(&look);
		text_clear(&right);
		look_print(&s->theme.looks[r], &look);
		add_origin(&right, &s->look_origins[r], NULL);
		add_row(p, role_name(r), text_str(&look), &right);
	}
	page_add(p, ROLE_NORMAL, "", NULL);
	text_free(&look);
	text_free(&right);
}

static bool
has_own_looks(const struct settings *s)
{
	for (enum role r = 0; r < N_ROLES; r++)
		if (s->theme.own[r])
			return true;
	return false;
}

static void
add_key(struct page *p, const struct settings *s, size_t row)
{
	const char *keys = keymap_keys(&s->keymap, row);
	struct text left = {0}, right = {0};

	text_addf(&left, "  %s", key_rows[row].name);
	add_origin(&right, &s->key_origins[row], NULL);
	text_addf(
	    &right, "%-11s %s", *keys != 0 ? keys : "none", key_rows[row].help);
	page_add(p, ROLE_KEY, text_str(&left), text_str(&right));
	text_free(&left);
	text_free(&right);
}

static void
add_keys(struct page *p, const struct settings *s)
{
	for (enum scope scope = 0; scope < N_SCOPES; scope++) {
		struct text title = {0};

		text_addf(&title, "Keys: %s", scope_names[scope]);
		page_add(p, ROLE_LABEL, text_str(&title), NULL);
		text_free(&title);
		for (size_t i = 0; i < n_key_rows; i++)
			if (key_rows[i].scope == scope)
				add_key(p, s, i);
	}
}

struct page *
settings_page(const struct ui *ui)
{
	struct page *p = page_new(
	    "Settings (:set NAME VALUE), keys (:bind KEY ACTION)");

	add_file(p, ui);
	page_add(p, ROLE_LABEL, "Settings", NULL);
	for (enum setting i = 0; i < N_SETTINGS; i++)
		add_setting(p, ui, i);
	page_add(p, ROLE_NORMAL, "", NULL);
	if (has_own_looks(ui->settings))
		add_own_looks(p, ui->settings);
	add_keys(p, ui->settings);
	return p;
}
