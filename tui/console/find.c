/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Search, in the page or in the pane with the focus; filters of contexts,
 * requests and the layer's messages; the order of the contexts. Searches and filters
 * show what they find while they are typed.
 */
#include "base/text.h"
#include "tui/console/actions.h"
#include "tui/console/ui.h"
#include "tui/views/page.h"
#include "tui/views/view.h"

static bool
can_search(const struct ui *ui)
{
	return ui->page != NULL || ui->views[ui->focus]->ops->find != NULL;
}

static size_t
find_place(const struct ui *ui)
{
	const struct view *v = ui->views[ui->focus];

	return ui->page != NULL ? page_place(ui->page) : v->ops->place(v);
}

static bool
find_text(struct ui *ui, const char *text, size_t from, int step)
{
	struct view_env env = ui_env(ui, ui->focus);
	struct view *v = ui->views[ui->focus];

	if (ui->page != NULL)
		return page_find(ui->page, text, from, step);
	ui->selection.miss = 0;
	return v->ops->find(v, &env, text, from, step);
}

static void
say_not_found(struct ui *ui)
{
	struct text shown = {0};

	text_add_visible(&shown, text_str(&ui->search), ui->search.len);
	ui_say(ui, ROLE_BAD, "not found: %s", text_str(&shown));
	text_free(&shown);
}

static void
set_search(struct ui *ui, const char *text)
{
	text_clear(&ui->search);
	text_adds(&ui->search, text);
}

/* Goes to the first match from where the search began; back there if there is
 * none, or no text. */
static void
search_changed(struct ui *ui, const char *text, int arg)
{
	(void)arg;
	set_search(ui, text);
	if (!find_text(ui, text, ui->searched_from, 1))
		find_text(ui, "", ui->searched_from, 1);
}

static void
search_cancelled(struct ui *ui, int arg)
{
	search_changed(ui, "", arg);
}

/* An empty line ends the search. */
static void
search_accepted(struct ui *ui, const char *text, int arg)
{
	(void)arg;
	set_search(ui, text);
	if (*text != 0 && !find_text(ui, text, ui->searched_from, 1))
		say_not_found(ui);
}

static const struct prompt_kind search_prompt = {
    .prompt = "search: ",
    .history = "search",
};

static const struct ui_line search_line = {
    .input = &search_prompt,
    .accepted = search_accepted,
    .changed = search_changed,
    .cancelled = search_cancelled,
    .place = PART_FOOTER,
};

void
act_search(struct ui *ui, int arg)
{
	(void)arg;
	if (ui->layout.too_small)
		return;
	if (!can_search(ui)) {
		ui_say(ui, ROLE_NORMAL, "this pane can't be searched");
		return;
	}
	ui->searched_from = find_place(ui);
	ui_open_line(ui, &search_line, "", NULL);
}

/* step: 1 next, -1 previous. */
void
act_find(struct ui *ui, int step)
{
	size_t from;

	if (!can_search(ui) || ui->search.len == 0) {
		ui_say(ui, ROLE_NORMAL, "no search yet (/ searches)");
		return;
	}
	from = find_place(ui);
	if (!find_text(ui, text_str(&ui->search), from + (size_t)step, step)) {
		say_not_found(ui);
		return;
	}
	if (step > 0 ? find_place(ui) <= from : find_place(ui) >= from)
		ui_say(ui, ROLE_NORMAL,
		    find_place(ui) == from ? "the only match"
			: step > 0         ? "continued from the first row"
					   : "continued from the last row");
}

/* Returns the view that filters act on: with the focus, if it has a filter. */
static enum part
filtered_part(const struct ui *ui)
{
	return ui->page == NULL && ui->views[ui->focus]->ops->set_filter != NULL
	    ? ui->focus
	    : PART_CONTEXTS;
}

static void
set_filter(struct ui *ui, const char *text, int part)
{
	struct view_env env = ui_env(ui, (enum part)part);
	struct view *v = ui->views[part];

	v->ops->set_filter(v, &env, text);
}

/* Restores the selection too: filtering may have moved it. */
static void
filter_cancelled(struct ui *ui, int part)
{
	ui->selection = ui->selected_before;
	set_filter(ui, text_str(&ui->filter_before), part);
}

static const struct prompt_kind filter_prompt = {
    .prompt = "filter: ",
    .history = "filter",
};

static void
help_filter(const struct ui *ui, struct page *p)
{
	(void)ui;
	page_add(p, ROLE_LABEL, "A filter of rows", NULL);
	page_add(p, ROLE_KEY, "  vcs wait", "rows that have both words");
	page_add(p, ROLE_KEY, "  vcs | bcs", "rows that have one of them");
	page_add(p, ROLE_KEY, "  ctx=2 state=ready",
	    "a column and its value: a number as a whole, part of a text");
	page_add(p, ROLE_KEY, "  Desktop",
	    "with a capital letter: in this case only");
	page_add(p, ROLE_NORMAL, "",
	    "Messages of the layer are searched for the whole text.");
	page_add(p, ROLE_NORMAL, "", NULL);
}

#define FILTER_LINE(part)                                                      \
	[part] = {.input = &filter_prompt,                                     \
	    .accepted = set_filter,                                            \
	    .changed = set_filter,                                             \
	    .cancelled = filter_cancelled,                                     \
	    .help = help_filter,                                               \
	    .arg = (int)(part),                                                \
	    .place = PART_FOOTER}

/* One for each view with a filter. */
static const struct ui_line filter_lines[N_PARTS] = {
    FILTER_LINE(PART_CONTEXTS),
    FILTER_LINE(PART_REQUESTS),
    FILTER_LINE(PART_LAYER),
};

void
act_filter(struct ui *ui, int arg)
{
	enum part part = filtered_part(ui);
	const struct view *v = ui->views[part];

	(void)arg;
	if (ui->layout.too_small)
		return;
	arrange_show(ui, part);
	ui->selected_before = ui->selection;
	text_clear(&ui->filter_before);
	text_adds(&ui->filter_before, v->ops->filter(v));
	ui_open_line(
	    ui, &filter_lines[part], text_str(&ui->filter_before), NULL);
}

bool
cmd_filter(struct ui *ui, const char *typed, int arg, struct text *err)
{
	(void)arg;
	(void)err;
	set_filter(ui, typed, (int)filtered_part(ui));
	return true;
}

bool
cmd_sort(struct ui *ui, const char *typed, int arg, struct text *err)
{
	struct view_env env = ui_env(ui, PART_CONTEXTS);

	(void)arg;
	return contexts_sort(ui->views[PART_CONTEXTS], &env, typed, err);
}
