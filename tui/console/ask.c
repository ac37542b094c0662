/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What somebody is asked for: a line at a prompt, or the answer to a question.
 * See ui.h. */
#include <stdlib.h>
#include <string.h>

#include "tui/console/ui.h"

void
ui_open_line(struct ui *ui, const struct ui_line *line, const char *text,
    const void *scene)
{
	prompt_open(line->input, text, ui->persistent, scene);
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

/* After a key that is no answer none is taken for so long; after one that
 * begins a line until Enter has ended that, and then for so long. */
#define DEAF_NS (NSEC_PER_SEC / 2)

/* The first of the keys that do it. */
static void
add_key_of(const struct ui *ui, const char *row, struct text *out)
{
	const char *keys = keymap_keys(
	    &ui->settings->keymap, key_row_find(row));

	text_add(out, keys, strcspn(keys, " "));
}

static void
say_ignored(struct ui *ui, size_t n)
{
	struct text keys = {0};

	add_key_of(ui, "edit-line", &keys);
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
	ui->question.astray = ui->question.typing = false;
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

/* A key that does not answer: the question stays, and says so. */
static void
go_astray(struct ui_question *q, int code, nsec wall)
{
	q->astray = true;
	if (code == ':' || code == '/' || code == '\\')
		q->typing = true;
	else if (code == KEY_ENTER_CODE)
		q->typing = false;
	q->deaf_until = q->typing ? NSEC_NEVER : wall + DEAF_NS;
}

/* Is it a key by itself? What leads out always counts. */
static bool
is_meant(const struct ui *ui, int code, nsec wall)
{
	const struct ui_question *q = &ui->question;

	if (code == KEY_ESC || code == KEY_C_C)
		return true;
	return !ui->more_keys && (!q->astray || wall >= q->deaf_until);
}

bool
ui_question_key(struct ui *ui, int code, nsec wall)
{
	const struct ui_answer *a = ui->question.answers;

	if (a == NULL)
		return false;
	while (a->keys != NULL && !is_answer(a, code))
		a++;
	if (a->keys == NULL && (code == KEY_ESC || code == KEY_C_C)) {
		forget_question(ui);
		return true;
	}
	if (a->keys == NULL || !is_meant(ui, code, wall)) {
		go_astray(&ui->question, code, wall);
		return true;
	}
	forget_question(ui);
	if (a->given != NULL)
		a->given(ui, wall);
	return true;
}

/* As keys it would do anything, and answer what is asked. */
void
ui_paste(struct ui *ui, const struct key_press *key, nsec wall)
{
	if (ui->line != NULL) {
		prompt_paste(
		    key->pasted.text, key->pasted.len, key->pasted.first);
		follow_changes(ui, wall);
	} else if (ui->question.answers != NULL) {
		go_astray(&ui->question, key->code, wall);
	} else {
		say_ignored(ui, key->pasted.total);
	}
}
