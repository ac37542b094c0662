/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Help while a line is typed: a page about what is typed, over the prompt. The
 * prompt keeps its text, cursor and undo, and gets the keys again when the page
 * is closed.
 */
#include "tui/console/actions.h"
#include "tui/console/ui.h"
#include "tui/input/prompt.h"
#include "tui/views/page.h"

static const struct {
	const char *keys, *meaning;
} typing_keys[] = {
    {"  Enter", "accepts the line"},
    {"  Esc C-g C-c", "cancels it, with no effect"},
    {"  Tab", "completes the word, or lists what fits; again: takes the next"},
    {"  Up Down", "earlier and later lines; C-r searches them"},
    {"  C-a C-e", "go to the begin and the end of the line"},
    {"  C-w C-u C-k", "delete the word, or all, before the cursor; all after"},
    {"  C-_", "undoes typing; further keys are those of readline"},
};

static void
add_typing_keys(struct page *p)
{
	page_add(p, ROLE_LABEL, "Keys while a line is typed", NULL);
	for (size_t i = 0; i < sizeof(typing_keys) / sizeof(*typing_keys); i++)
		page_add(
		    p, ROLE_KEY, typing_keys[i].keys, typing_keys[i].meaning);
	page_add(p, ROLE_NORMAL, "", NULL);
}

static const struct action_row *
page_action(const struct ui *ui, int code)
{
	return keymap_find(&ui->settings->keymap, code,
	    ui->views[ui->focus]->ops->scope, true);
}

bool
line_help_wants(const struct ui *ui, int code)
{
	const struct action_row *action = page_action(ui, code);

	/* Characters are typed, and control characters are readline's. */
	return code >= KEY_SPECIAL && ui->page == NULL &&
	    !ui->layout.too_small && action != NULL && action->run == act_help;
}

void
line_help_open(struct ui *ui)
{
	struct page *p = page_new("Help: what is typed");

	if (ui->line->help != NULL)
		ui->line->help(ui, p);
	add_typing_keys(p);
	if (ui->line->more_help != NULL)
		ui->line->more_help(p);
	ui_open_page(ui, p);
	ui->line_waits = true;
}

void
line_help_key(struct ui *ui, int code)
{
	const struct action_row *action = page_action(ui, code);

	if (action != NULL &&
	    (action->scope == SCOPE_PAGE || action->scope == SCOPE_LIST ||
		action->run == act_help))
		ui_act(ui, action->run, action->arg);
}
