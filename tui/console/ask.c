/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Asks the user: a line at a prompt, or a question answered by one key. Keys and
 * pastes go there until it is over.
 */
#include <stdlib.h>
#include <string.h>

#include "tui/console/actions.h"
#include "tui/console/ui.h"

void
ui_open_line(struct ui *ui, const struct ui_line *line, const char *text,
    const void *scene)
{
	prompt_open(line->input, text, ui->persistent, scene);
	text_clear(&ui->line_seen);
	text_adds(&ui->line_seen, text);
	ui->line = line;
	ui->line_waits = false;
}

/* Closes the prompt as Esc does. */
static void
ui_cancel_line(struct ui *ui)
{
	const struct ui_line *line = ui->line;

	ui->line = NULL;
	prompt_cancel();
	if (line != NULL && line->cancelled != NULL)
		line->cancelled(ui, line->arg);
}

/* Reports a changed line to the code that opened it. */
static void
report_change(struct ui *ui)
{
	struct ui_prompt now = prompt_look();

	if (ui->line->changed == NULL ||
	    strcmp(now.line, text_str(&ui->line_seen)) == 0)
		return;
	text_clear(&ui->line_seen);
	text_adds(&ui->line_seen, now.line);
	ui->line->changed(ui, text_str(&ui->line_seen), ui->line->arg);
}

void
ui_line_key(struct ui *ui, const struct key_press *key)
{
	const struct ui_line *line = ui->line;
	char *typed = NULL;

	if (ui->line_waits) {
		line_help_key(ui, key->code);
		return;
	}
	if (line_help_wants(ui, key->code)) {
		line_help_open(ui);
		return;
	}
	switch (prompt_feed(key, &typed)) {
	case PROMPT_OPEN: report_change(ui); break;
	case PROMPT_CANCELLED: ui_cancel_line(ui); break;
	case PROMPT_ACCEPTED:
		ui->line = NULL;
		line->accepted(ui, typed, line->arg);
		break;
	}
	free(typed);
}

/* After a key that is not an answer, answers are ignored for this time; after one
 * that begins a command or a search, until Enter plus this time. */
#define IGNORE_NS (NSEC_PER_SEC / 2)

/* Adds the first key of an action. */
static void
add_key_of(const struct ui *ui, const char *action, struct text *out)
{
	const char *keys = keymap_keys(
	    &ui->settings->keymap, action_find(&console_actions, action));

	text_add(out, keys, strcspn(keys, " "));
}

static void
say_paste_ignored(struct ui *ui, size_t n)
{
	struct text keys = {0};

	add_key_of(ui, "descriptor", &keys);
	text_adds(&keys, " or ");
	add_key_of(ui, "command", &keys);
	ui_say(ui, ROLE_WARN, "paste of %zu byte%s ignored: press %s first", n,
	    n == 1 ? "" : "s", text_str(&keys));
	text_free(&keys);
}

static void
forget_question(struct ui *ui)
{
	ui->question.answers = NULL;
	ui->question.stray_key = ui->question.typing = false;
	text_clear(&ui->question.text);
}

void
ui_ask(struct ui *ui, const struct ui_answer *answers, const char *fmt, ...)
{
	va_list ap;

	forget_question(ui);
	va_start(ap, fmt);
	text_addv(&ui->question.text, fmt, ap);
	va_end(ap);
	ui->question.answers = answers;
}

static bool
is_answer(const struct ui_answer *a, int code)
{
	return code > 0 && code < 128 && strchr(a->keys, code) != NULL;
}

/* A key that is not an answer: the question stays, and says so. */
static void
note_stray_key(struct ui *ui, int code)
{
	struct ui_question *q = &ui->question;

	q->stray_key = true;
	if (code == ':' || code == '/' || code == '\\')
		q->typing = true;
	else if (code == KEY_ENTER_CODE)
		q->typing = false;
	q->ignore_until = q->typing ? NSEC_NEVER : ui->now + IGNORE_NS;
}

/* True for the keys that cancel a question. */
static bool
is_way_out(int code)
{
	return code == KEY_ESC || code == KEY_C_C || code == KEY_C_G;
}

/* True if an answer counts: it came alone, and is not ignored after a stray key.
 * Esc and C-c always count. */
static bool
is_meant(const struct ui *ui, int code)
{
	const struct ui_question *q = &ui->question;

	if (is_way_out(code))
		return true;
	return !ui->more_keys && (!q->stray_key || ui->now >= q->ignore_until);
}

bool
ui_question_key(struct ui *ui, int code)
{
	const struct ui_answer *a = ui->question.answers;

	if (a == NULL)
		return false;
	while (a->keys != NULL && !is_answer(a, code))
		a++;
	if (a->keys == NULL && is_way_out(code)) {
		forget_question(ui);
		return true;
	}
	if (a->keys == NULL || !is_meant(ui, code)) {
		note_stray_key(ui, code);
		return true;
	}
	forget_question(ui);
	if (a->given != NULL)
		a->given(ui, a->arg);
	return true;
}

void
ui_paste_typed(struct ui *ui, const char *text, size_t len, bool first)
{
	prompt_paste(text, len, first);
	report_change(ui);
}

void
ui_paste(struct ui *ui, const struct key_press *key)
{
	bool edits = ui->line != NULL ? line_edit_draft(ui) != NULL
				      : ui->focus == PART_DESCRIPTOR &&
		ui->page == NULL && !ui->layout.too_small;

	if (ui->line_waits)
		return;
	if (ui->line != NULL && !edits)
		ui_paste_typed(
		    ui, key->pasted.text, key->pasted.len, key->pasted.first);
	else if (ui->line == NULL && ui->question.answers != NULL)
		note_stray_key(ui, key->code);
	else if (edits)
		line_edit_paste(ui, key);
	else
		say_paste_ignored(ui, key->pasted.total);
}
