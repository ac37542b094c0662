/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Search in the pane with the focus, or in the page over it, and the filter of
 * the contexts: both show what they find as it is typed. */
#include "base/text.h"
#include "tui/console/ui.h"
#include "tui/views/view.h"

static bool
can_search(const struct ui *ui)
{
	return ui->page != NULL || ui->views[ui->focus]->ops->find != NULL;
}

static size_t
place(const struct ui *ui)
{
	const struct view *v = ui->views[ui->focus];

	return ui->page != NULL ? page_place(ui->page) : v->ops->place(v);
}

static bool
find(struct ui *ui, const char *text, size_t from, int step)
{
	struct view_env env = ui_env(ui, ui->focus);
	struct view *v = ui->views[ui->focus];

	if (ui->page != NULL)
		return page_find(ui->page, text, from, step);
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

/* The first match from where the search began; back there while nothing is
 * looked for, or found. */
static void
search_changed(struct ui *ui, const char *text, nsec wall)
{
	(void)wall;
	set_search(ui, text);
	if (!find(ui, text, ui->searched_from, 1))
		find(ui, "", ui->searched_from, 1);
}

static void
search_cancelled(struct ui *ui, nsec wall)
{
	search_changed(ui, "", wall);
}

/* An empty line: nothing is looked for any more. */
static void
search_accepted(struct ui *ui, const char *text, nsec wall)
{
	(void)wall;
	set_search(ui, text);
	if (*text != 0 && !find(ui, text, ui->searched_from, 1))
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

static void
act_search(struct ui *ui, nsec wall)
{
	(void)wall;
	if (ui->layout.too_small)
		return;
	if (!can_search(ui)) {
		ui_say(ui, ROLE_NORMAL, "nothing to search in this pane");
		return;
	}
	ui->searched_from = place(ui);
	ui_open_line(ui, &search_line, "", NULL);
}

static void
find_again(struct ui *ui, int step)
{
	size_t from;

	if (!can_search(ui) || ui->search.len == 0) {
		ui_say(ui, ROLE_NORMAL, "nothing is searched (/ begins)");
		return;
	}
	from = place(ui);
	if (!find(ui, text_str(&ui->search), from + (size_t)step, step)) {
		say_not_found(ui);
		return;
	}
	if (step > 0 ? place(ui) <= from : place(ui) >= from)
		ui_say(ui, ROLE_NORMAL,
		    place(ui) == from ? "the only one"
			: step > 0    ? "went on from the first row"
				      : "went on from the last row");
}

static void
act_find_next(struct ui *ui, nsec wall)
{
	(void)wall;
	find_again(ui, 1);
}

static void
act_find_prev(struct ui *ui, nsec wall)
{
	(void)wall;
	find_again(ui, -1);
}

static void
set_filter(struct ui *ui, const char *text, nsec wall)
{
	struct view_env env = ui_env(ui, PART_CONTEXTS);

	(void)wall;
	contexts_set_filter(ui->views[PART_CONTEXTS], &env, text);
}

/* Another context may have been selected meanwhile, of those that passed. */
static void
filter_cancelled(struct ui *ui, nsec wall)
{
	ui->selection = ui->selected_before;
	set_filter(ui, text_str(&ui->filter_before), wall);
}

static const struct prompt_kind filter_prompt = {
    .prompt = "filter: ",
    .history = "filter",
};

static const struct ui_line filter_line = {
    .input = &filter_prompt,
    .accepted = set_filter,
    .changed = set_filter,
    .cancelled = filter_cancelled,
    .place = PART_FOOTER,
};

static void
set_layer_filter(struct ui *ui, const char *text, nsec wall)
{
	(void)wall;
	layer_set_filter(ui->views[PART_LAYER], text);
}

static void
layer_filter_cancelled(struct ui *ui, nsec wall)
{
	set_layer_filter(ui, text_str(&ui->filter_before), wall);
}

static const struct ui_line layer_filter_line = {
    .input = &filter_prompt,
    .accepted = set_layer_filter,
    .changed = set_layer_filter,
    .cancelled = layer_filter_cancelled,
    .place = PART_FOOTER,
};

/* Of messages, in the layer view. */
static void
filter_layer(struct ui *ui)
{
	const char *now = layer_filter(ui->views[PART_LAYER]);

	text_clear(&ui->filter_before);
	text_adds(&ui->filter_before, now);
	ui_open_line(
	    ui, &layer_filter_line, text_str(&ui->filter_before), NULL);
}

static void
act_filter(struct ui *ui, nsec wall)
{
	const char *now = contexts_filter(ui->views[PART_CONTEXTS]);

	(void)wall;
	if (ui->layout.too_small)
		return;
	if (ui->focus == PART_LAYER && ui->page == NULL) {
		filter_layer(ui);
		return;
	}
	arrange_show(ui, PART_CONTEXTS);
	ui->selected_before = ui->selection;
	text_clear(&ui->filter_before);
	text_adds(&ui->filter_before, now);
	ui_open_line(ui, &filter_line, now, NULL);
}

const struct act_row act_find[] = {
    {ACT_SEARCH, act_search},
    {ACT_FIND_NEXT, act_find_next},
    {ACT_FIND_PREV, act_find_prev},
    {ACT_FILTER, act_filter},
    {ACT_NONE, NULL},
};

/* Commands that concern the contexts table. */

static bool
run_filter(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	struct view_env env = ui_env(ui, PART_CONTEXTS);

	(void)wall;
	(void)err;
	contexts_set_filter(ui->views[PART_CONTEXTS], &env, arg);
	return true;
}

static bool
run_sort(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	struct view_env env = ui_env(ui, PART_CONTEXTS);

	(void)wall;
	return contexts_sort(ui->views[PART_CONTEXTS], &env, arg, err);
}

const struct command_row commands_of_table[] = {
    {CMD_FILTER, run_filter},
    {CMD_SORT, run_sort},
    {N_COMMANDS, NULL},
};
