/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See line_edit.h. */
#include "tui/console/line_edit.h"

#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "parser/document/draft.h"
#include "parser/document/edit.h"
#include "tui/console/act_edit.h"
#include "tui/console/ui.h"

static struct document *
edited_document(const struct ui *ui)
{
	return ui->session->plan->sources[ui->edit.draft.source].doc;
}

/* What is wrong with the line as it is typed now. */
static void
diagnose(struct ui *ui, const char *line)
{
	struct line_edit *e = &ui->edit;

	diag_list_clear(&e->diags);
	if (*line != 0)
		draft_diagnose(edited_document(ui), e->draft.line,
		    e->draft.is_new, line, strlen(line), &e->diags);
	diag_list_sort(&e->diags);
}

static void
changed(struct ui *ui, const char *line, nsec wall)
{
	(void)wall;
	text_clear(&ui->message);
	diagnose(ui, line);
}

static void
cancelled(struct ui *ui, nsec wall)
{
	(void)wall;
	text_clear(&ui->message);
	ui->selection.line = ui->edit.from;
}

static bool
is_as_before(const struct ui *ui, const char *line)
{
	size_t len;
	const char *text = document_line_text(
	    edited_document(ui), ui->edit.draft.line, &len);

	return len == strlen(line) && memcmp(text, line, len) == 0;
}

static void open_line(struct ui *ui, const char *text);

static void
accepted(struct ui *ui, const char *line, nsec wall)
{
	const struct line_draft *draft = &ui->edit.draft;
	struct document *doc = edited_document(ui);
	struct text err = {0};
	bool done;

	(void)wall;
	text_clear(&ui->message);
	if (!draft->is_new && is_as_before(ui, line))
		return;
	done = draft->is_new
	    ? edit_insert(doc, draft->line, line, strlen(line), &err)
	    : edit_replace(doc, draft->line, line, strlen(line), &err);
	if (done) {
		document_edited(ui, draft->line, false);
	} else {
		/* What was typed is not lost. */
		open_line(ui, line);
		ui_say_error(ui, "Can't be", &err);
	}
	text_free(&err);
}

static char
offer(const void *scene, const char *line, size_t start, const char *word,
    struct text *rows)
{
	return complete_step(scene, line, start, word, rows);
}

static const struct prompt_kind input = {
    .prompt = " ", /* readline leaks memory with none */
    .history = "lines",
    .breaks = STEP_BREAKS,
    .line_end = ',', /* as in a descriptor on the command line */
    .offer = offer,
};

static const struct ui_line line_of_descriptor = {
    .input = &input,
    .accepted = accepted,
    .changed = changed,
    .cancelled = cancelled,
    .place = PART_DESCRIPTOR,
    .hint = "Enter takes the line, Esc leaves it as it was, Tab completes",
};

static void
open_line(struct ui *ui, const char *text)
{
	struct line_edit *e = &ui->edit;

	e->scene = (struct step_scene){
	    .doc = edited_document(ui),
	    .profile = &ui->session->plan->profile,
	    .line = e->draft.line,
	};
	e->draft.diags = &e->diags;
	ui_open_line(ui, &line_of_descriptor, text);
	prompt_set_arg(&e->scene);
	diagnose(ui, text);
}

void
line_edit_open(struct ui *ui)
{
	struct line_edit *e = &ui->edit;
	struct text text = {0};
	const char *s;
	size_t len;

	e->draft.source = ui->selection.source;
	e->draft.line = e->from = ui->selection.line;
	e->draft.is_new = false;
	s = document_line_text(edited_document(ui), e->draft.line, &len);
	text_add(&text, s, strnlen(s, len));
	open_line(ui, text_str(&text));
	text_free(&text);
}

void
line_edit_open_new(struct ui *ui, size_t at)
{
	struct line_edit *e = &ui->edit;

	e->draft.source = ui->selection.source;
	e->from = ui->selection.line;
	e->draft.line = ui->selection.line = at;
	e->draft.is_new = true;
	open_line(ui, "");
}

const struct line_draft *
line_edit_draft(const struct ui *ui)
{
	return ui->line == &line_of_descriptor ? &ui->edit.draft : NULL;
}

void
line_edit_free(struct line_edit *edit)
{
	diag_list_free(&edit->diags);
}
