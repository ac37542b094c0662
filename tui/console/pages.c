/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pages made from the tables: help, with the keys and commands and what the
 * screen shows; the settings, with their values and where these came from. And
 * pages of the lines that differ between two texts: a file and its document, or
 * a document and what a killed process left of it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diff.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"
#include "tui/console/actions.h"
#include "tui/console/ui.h"
#include "tui/input/keys.h"
#include "tui/views/page.h"

static void
add_key(struct page *p, const struct keymap *m, size_t row)
{
	struct text names = {0};
	const char *name, *keys = keymap_keys(m, row);
	size_t len;

	for (unsigned i = 0; (name = key_name_at(keys, i, &len)) != NULL; i++) {
		text_adds(&names, "  ");
		text_add(&names, name, len);
	}
	if (*keys == 0)
		text_addf(&names, "  (%s)", m->table->rows[row].name);
	page_add(p, ROLE_KEY, text_str(&names), m->table->rows[row].help);
	text_free(&names);
}

static void
add_commands(struct page *p)
{
	struct text left = {0};

	page_add(p, ROLE_KEY, "  :N", "go to line N of the descriptor");
	for (size_t i = 0; i < n_console_commands; i++) {
		const struct command_row *c = &console_commands[i];

		text_clear(&left);
		text_addf(&left, "  :%s %s", c->name, c->syntax);
		page_add(p, ROLE_KEY, text_str(&left), c->help);
	}
	text_free(&left);
}

static void
add_mouse(struct page *p)
{
	page_add(p, ROLE_LABEL, "Mouse and paste", NULL);
	page_add(p, ROLE_KEY, "  click",
	    "selects; on a column's name: sorts; on the last row: presses the key");
	page_add(p, ROLE_KEY, "  double click", "as Enter");
	page_add(p, ROLE_KEY, "  wheel", "scrolls the pane under the pointer");
	page_add(p, ROLE_KEY, "  paste",
	    "inserts into the line that is typed; ignored elsewhere");
	page_add(p, ROLE_NORMAL, "", NULL);
}

static void
add_legend(struct page *p)
{
	static const char *const rows[][2] = {
	    {"  [||||::::   ]",
		"busy, then waiting: the engine is free, but its work is "
		"blocked"},
	    {"  QUEUE, BLKD",
		"requests that wait for the engine; that are blocked"},
	    {"  AT, RDY, RUN, DONE",
		"clients at the step; its requests that are ready, running, "
		"done (without refused ones)"},
	    {"  ready 2/8, WAITERS",
		"the second of eight requests that wait for that engine; "
		"requests that wait for this one"},
	    {"  LATENCY, P99, MAX",
		"from submit to completion: mean, 99th percentile, longest"},
	    {"  MISS",
		"periods (p steps) that the client missed, the same for all "
		"of its contexts (W explains)"},
	    {"  STATE",
		"what the client does; banned: it hung too often, its batches "
		"are refused"},
	    {"  BUSY%",
		"over all engines, 200: two; HISTORY is of the last window"},
	    {"",
		"(latencies and misses are since the start; BUSY% and meters "
		"are of the last window)"},
	    {"  workloads/s",
		"iterations of all clients, the mean of the last ten windows "
		"(a window is the time between two frames)"},
	    {"",
		"(a client that does not wait for its batches misses no "
		"period: LATENCY and QUEUE grow instead)"},
	    {"  ... NOW",
		"of the last 1 or 2 s of virtual time at that speed, and the "
		"difference to the snapshot (=)"},
	    {"  ... HERE",
		"of this run so far, and the difference to the run beside it "
		"(:compare)"},
	    {"  BUSY% NOW, CHANGE",
		"the difference is in points (pt): from 72 % to 78 % is +6.0"},
	    {"  1:4  2/1:4 L9",
		"a batch: context 1, step 4; of client 2, line 9"},
	    {"  blocks", "timeline: the height is how busy the engine was"},
	    {"  > / ~ X",
		"end of a block: preempted, timeslice expired, yielded while "
		"polling, reset"},
	    {"  light  M  H",
		"held but not running (switch, poll); a missed period; a "
		"hang"},
	    {"  descriptor signs",
		"the step has running, ready, blocked requests; a client is "
		"at it"},
	    {"  priority: 0",
		"a value in a prompt: typing replaces it, an arrow key keeps "
		"it"},
	    {"  step 4",
		"batches and other steps are counted from 0, as in gem_wsim; "
		"comments are not counted"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		page_add(p, ROLE_KEY, rows[i][0], rows[i][1]);
}

struct page *
help_page(const struct keymap *m)
{
	struct page *p = page_new("Help: keys, commands, signs");

	for (enum scope s = 0; s < N_SCOPES; s++) {
		page_add(p, ROLE_LABEL, scope_name(s), NULL);
		for (size_t i = 0; i < m->table->n; i++)
			if (m->table->rows[i].scope == s)
				add_key(p, m, i);
		page_add(p, ROLE_NORMAL, "", NULL);
	}
	add_mouse(p);
	page_add(
	    p, ROLE_LABEL, "Commands (the first letters are enough)", NULL);
	add_commands(p);
	page_add(p, ROLE_NORMAL, "", NULL);
	page_add(p, ROLE_LABEL, "What the screen shows", NULL);
	add_legend(p);
	return p;
}

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
