/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What somebody is asked for: a line at a prompt, or the answer to a question.
 * See ui.h. */
#include <stdlib.h>
#include <string.h>

#include "tui/console/ui.h"

void
ui_open_line(struct ui *ui, const struct ui_line *line, const char *text)
{
	prompt_open(line->input, text, ui->persistent);
	text_clear(&ui->line_seen);
	text_adds(&ui->line_seen, text);
	ui->line = line;
}

void
ui_cancel_line(struct ui *ui, nsec wall)
{
	const struct ui_line *line = ui->line;

	ui->line = NULL;
	prompt_cancel();
	if (line != NULL && line->cancelled != NULL)
		line->cancelled(ui, wall);
}

/* Tells who asked of what the line is now. */
static void
follow_changes(struct ui *ui, nsec wall)
{
	struct ui_prompt now = prompt_look();

	if (ui->line->changed == NULL ||
	    strcmp(now.line, text_str(&ui->line_seen)) == 0)
		return;
	text_clear(&ui->line_seen);
	text_adds(&ui->line_seen, now.line);
	ui->line->changed(ui, text_str(&ui->line_seen), wall);
}

void
ui_line_key(struct ui *ui, const struct key_press *key, nsec wall)
{
	const struct ui_line *line = ui->line;
	char *typed = NULL;

	switch (prompt_feed(key, &typed)) {
	case PROMPT_OPEN: follow_changes(ui, wall); break;
	case PROMPT_CANCELLED: ui_cancel_line(ui, wall); break;
	case PROMPT_ACCEPTED:
		ui->line = NULL;
		line->accepted(ui, typed, wall);
		break;
	}
	free(typed);
}

static void
forget_question(struct ui *ui)
{
	ui->question.answers = NULL;
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

/* Other keys are no answer: the question stays. */
bool
ui_question_key(struct ui *ui, int code, nsec wall)
{
	const struct ui_answer *a = ui->question.answers;

	if (a == NULL)
		return false;
	while (a->keys != NULL && !is_answer(a, code))
		a++;
	if (a->keys == NULL && (code == KEY_ESC || code == KEY_C_C))
		forget_question(ui);
	if (a->keys == NULL)
		return true;
	forget_question(ui);
	if (a->given != NULL)
		a->given(ui, wall);
	return true;
}
