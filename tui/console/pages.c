/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pages made from the tables: the settings, with their values and where these
 * came from. And pages of the lines that differ between two texts: a file and
 * its document, or a document and what a killed process left of it. And all
 * fields of a message of the layer. Help is in help.c.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diff.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"
#include "layerstream/message.h"
#include "tui/console/actions.h"
#include "tui/console/ui.h"
#include "tui/input/keys.h"
#include "tui/views/page.h"

#define ORIGIN_COLS 13

/* Adds where a value comes from: "default", "line 12", "--delay", "typed". */
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
add_setting_row(struct page *p, const char *name, const char *value,
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
	    ui_setting_is_unchanged(ui, which) ? &ui->settings->origins[which]
					       : &typed,
	    info->option);
	text_addf(&right, "%s (%s)", info->help, info->syntax);
	add_setting_row(p, info->name, text_str(&value), &right);
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
		text_adds(&line, "none (:config writes one)");
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

	page_add(p, ROLE_LABEL, "Changed colours ([colours])", NULL);
	for (enum role r = 0; r < N_ROLES; r++) {
		if (!s->theme.own[r])
			continue;
		text_clear(&look);
		text_clear(&right);
		look_print(&s->theme.looks[r], &look);
		add_origin(&right, &s->look_origins[r], NULL);
		add_setting_row(p, role_name(r), text_str(&look), &right);
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
add_setting_key(struct page *p, const struct settings *s, size_t row)
{
	const char *keys = keymap_keys(&s->keymap, row);
	struct text left = {0}, right = {0};

	text_addf(&left, "  %s", console_actions.rows[row].name);
	add_origin(&right, &s->key_origins[row], NULL);
	text_addf(&right, "%-11s %s", *keys != 0 ? keys : "none",
	    console_actions.rows[row].help);
	page_add(p, ROLE_KEY, text_str(&left), text_str(&right));
	text_free(&left);
	text_free(&right);
}

static void
add_setting_keys(struct page *p, const struct settings *s)
{
	for (enum scope scope = 0; scope < N_SCOPES; scope++) {
		struct text title = {0};

		text_addf(&title, "Keys: %s", scope_name(scope));
		page_add(p, ROLE_LABEL, text_str(&title), NULL);
		text_free(&title);
		for (size_t i = 0; i < console_actions.n; i++)
			if (console_actions.rows[i].scope == scope)
				add_setting_key(p, s, i);
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
	add_setting_keys(p, ui->settings);
	return p;
}

#define MOST_SHOWN    2000
#define LONGEST_SHOWN 10000 /* bytes of a line */

struct diff_side {
	struct text text;
	const char **lines; /* n + 1: the last is the end */
	size_t n, cap;
};

struct differ {
	struct diff_side old, new;
	struct page *page;
};

static void
cut_lines(struct diff_side *s)
{
	const char *at = text_str(&s->text), *end = at + s->text.len;

	for (;;) {
		s->lines = mem_grow(s->lines, s->n, &s->cap, sizeof(*s->lines));
		s->lines[s->n] = at;
		if (at == end)
			return;
		s->n++;
		at = memchr(at, '\n', (size_t)(end - at));
		at = at != NULL ? at + 1 : end;
	}
}

static size_t
line_length(const struct diff_side *s, size_t i)
{
	return (size_t)(s->lines[i + 1] - s->lines[i]);
}

static bool
are_same_lines(const void *arg, size_t i, size_t k)
{
	const struct differ *d = arg;
	size_t len = line_length(&d->old, i);

	return len == line_length(&d->new, k) &&
	    memcmp(d->old.lines[i], d->new.lines[k], len) == 0;
}

static void
add_difference(struct differ *d, const struct diff_side *s, size_t i, char sign)
{
	size_t len = line_length(s, i);
	bool whole = len <= LONGEST_SHOWN;
	struct text t = {0};
	char head[32];

	if (d->page->n >= MOST_SHOWN)
		return;
	while (len > 0 && strchr("\r\n", s->lines[i][len - 1]) != NULL)
		len--;
	snprintf(head, sizeof(head), "%6zu %c ", i + 1, sign);
	text_add_visible(&t, s->lines[i], whole ? len : LONGEST_SHOWN);
	if (!whole)
		text_adds(&t, " ... and more");
	page_add_hanging(
	    d->page, sign == '-' ? ROLE_BAD : ROLE_GOOD, head, text_str(&t));
	text_free(&t);
}

/* Adds the lines that are in one text only, in order. */
static void
add_differences(struct differ *d)
{
	size_t *match, k = 0;

	cut_lines(&d->old);
	cut_lines(&d->new);
	match = mem_calloc(d->old.n + 1, sizeof(*match));
	diff_lines(d->old.n, d->new.n, are_same_lines, d, match);
	for (size_t i = 0; i < d->old.n; i++) {
		if (match[i] == DIFF_NONE) {
			add_difference(d, &d->old, i, '-');
			continue;
		}
		while (k < match[i])
			add_difference(d, &d->new, k++, '+');
		k++;
	}
	while (k < d->new.n)
		add_difference(d, &d->new, k++, '+');
	free(match);
	if (d->page->n == 0)
		page_add(d->page, ROLE_NORMAL, "no difference", NULL);
	if (d->page->n >= MOST_SHOWN)
		page_add(d->page, ROLE_DIM, "and more", NULL);
}

/* Frees the texts of d, not the page, which the caller owns. */
static void
differ_free(struct differ *d)
{
	text_free(&d->old.text);
	text_free(&d->new.text);
	free(d->old.lines);
	free(d->new.lines);
}

struct page *
differences_on_disk(const struct source *s, struct text *err)
{
	struct differ d = {0};

	if (file_read(s->name, &d.old.text, NULL, err)) {
		document_print_file(s->doc, &d.new.text);
		d.page = page_new(
		    "Differences: - on disk, + in the console (q closes, and "
		    "asks again)");
		add_differences(&d);
	}
	differ_free(&d);
	return d.page;
}

struct page *
differences_left(const struct source *s, const struct recovered *left)
{
	struct differ d = {0};

	document_print(s->doc, &d.old.text);
	text_add(&d.new.text, text_str(&left->contents), left->contents.len);
	d.page = page_new("Differences: - as it is, + unsaved edits (q closes, "
			  "and asks again)");
	add_differences(&d);
	differ_free(&d);
	return d.page;
}

static struct page *
message_page(const struct message *m)
{
	struct text t = {0};
	struct page *p;

	text_addf(&t, "Message: %s", message_type_info(m->type)->name);
	if (m->sequence != 0)
		text_addf(&t, ", submit %" PRIu64, m->sequence);
	if (m->tag != 0)
		text_addf(&t, ", tag %" PRIu64, m->tag);
	p = page_new(text_str(&t));
	text_clear(&t);
	message_print_json(m, &t);
	page_add_text(p, text_str(&t));
	text_free(&t);
	return p;
}

void
act_message(struct ui *ui, int arg)
{
	struct view_env env = ui_env(ui, PART_LAYER);
	struct message m;

	(void)arg;
	if (layer_message(ui->views[PART_LAYER], &env, &m))
		ui_open_page(ui, message_page(&m));
	else
		ui_say(ui, ROLE_WARN, "no message is selected (a: messages)");
}
