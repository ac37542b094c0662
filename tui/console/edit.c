/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys that edit the descriptor that is shown: each is one undo step. */
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "parser/document/document.h"
#include "parser/document/edit.h"
#include "run/live/live.h"
#include "tui/console/ui.h"

static struct document *
shown(const struct ui *ui)
{
	return ui->session->plan->sources[ui->selection.source].doc;
}

/* Is there a line to do something to? */
static bool
has_line(struct ui *ui)
{
	size_t n = document_n_lines(shown(ui));

	if (ui->selection.line >= n && n > 0)
		ui->selection.line = n - 1;
	if (n == 0)
		ui_say(ui, ROLE_WARN, "there is no line yet: o opens one");
	return n > 0;
}

void
document_edited(struct ui *ui, size_t line, bool at_once)
{
	struct text said = {0}, problem = {0};

	ui->selection.line = line;
	anchor_set(ui);
	switch (session_document_changed(
	    ui->session, ui->selection.source, at_once, &said)) {
	case LIVE_SAME: break;
	case LIVE_TAKEN:
		ui_say(ui, ROLE_NORMAL, "%s",
		    at_once ? "the clients run the text as it is now"
			    : "the clients take it over at their next "
			      "iteration (! at once)");
		break;
	case LIVE_STARTED: launch_say_started(ui, ui->selection.source); break;
	case LIVE_BAD:
		if (launch_say_waiting(ui, ui->selection.source))
			break;
		ui_add_problem(ui, ui->selection.source, &problem);
		ui_say(ui, ROLE_BAD, "the run goes on with the text before; %s",
		    text_str(&problem));
		break;
	}
	text_free(&said);
	text_free(&problem);
}

static void
act_edit_line(struct ui *ui, nsec wall)
{
	(void)wall;
	if (document_n_lines(shown(ui)) == 0)
		line_edit_open_new(ui, 0);
	else if (has_line(ui))
		line_edit_open(ui);
}

static void
act_open_above(struct ui *ui, nsec wall)
{
	(void)wall;
	line_edit_open_new(ui, ui->selection.line);
}

static void
act_open_below(struct ui *ui, nsec wall)
{
	size_t n = document_n_lines(shown(ui));

	(void)wall;
	line_edit_open_new(ui, n > 0 ? ui->selection.line + 1 : 0);
}

static bool
copy_line(struct ui *ui)
{
	size_t len;
	const char *s;

	if (!has_line(ui))
		return false;
	s = document_line_text(shown(ui), ui->selection.line, &len);
	text_clear(&ui->copied);
	text_add(&ui->copied, s, len);
	ui->has_copied = true;
	return true;
}

static void
act_copy(struct ui *ui, nsec wall)
{
	(void)wall;
	if (copy_line(ui))
		ui_say(ui, ROLE_NORMAL,
		    "copied: p pastes it below the cursor, P above");
}

static void
delete_line(struct ui *ui, enum edit_references how, struct text *err)
{
	if (edit_delete(shown(ui), ui->selection.line, 1, how, err))
		document_edited(ui, ui->selection.line, false);
}

static void
delete_with_references(struct ui *ui, nsec wall)
{
	struct text err = {0};

	(void)wall;
	delete_line(ui, EDIT_DROP_REFERENCES, &err);
	if (err.len > 0)
		ui_say_error(ui, "Can't delete", &err);
	text_free(&err);
}

static const struct ui_answer drop_answers[] = {
    {"rR", "drop those references", delete_with_references},
    {"\033\003", "keep", NULL},
    {0},
};

static void
act_delete(struct ui *ui, nsec wall)
{
	struct text err = {0};

	(void)wall;
	if (!copy_line(ui))
		return;
	delete_line(ui, EDIT_REFUSE_REFERRED, &err);
	if (err.len > 0)
		ui_ask(ui, drop_answers, "%s", text_str(&err));
	text_free(&err);
}

static void
paste(struct ui *ui, size_t at)
{
	struct text err = {0};

	if (!ui->has_copied) {
		ui_say(ui, ROLE_WARN, "nothing was copied: y copies a line");
	} else if (edit_insert(shown(ui), at, text_str(&ui->copied),
		       ui->copied.len, &err)) {
		document_edited(ui, at, false);
	} else {
		ui_say_error(ui, "Can't paste", &err);
	}
	text_free(&err);
}

static void
act_paste_below(struct ui *ui, nsec wall)
{
	size_t n = document_n_lines(shown(ui));

	(void)wall;
	paste(ui, n > 0 ? ui->selection.line + 1 : 0);
}

static void
act_paste_above(struct ui *ui, nsec wall)
{
	(void)wall;
	paste(ui, ui->selection.line);
}

/* To before line to; the cursor goes with it. */
static void
move_line(struct ui *ui, size_t to, size_t cursor)
{
	struct text err = {0};

	if (edit_move(shown(ui), ui->selection.line, 1, to, &err)) {
		document_edited(ui, cursor, false);
	} else {
		ui_say_error(ui, "Can't move", &err);
	}
	text_free(&err);
}

static void
act_move_up(struct ui *ui, nsec wall)
{
	(void)wall;
	if (has_line(ui) && ui->selection.line > 0)
		move_line(ui, ui->selection.line - 1, ui->selection.line - 1);
}

static void
act_move_down(struct ui *ui, nsec wall)
{
	(void)wall;
	if (has_line(ui) &&
	    ui->selection.line + 1 < document_n_lines(shown(ui)))
		move_line(ui, ui->selection.line + 2, ui->selection.line + 1);
}

static void
act_editor(struct ui *ui, nsec wall)
{
	(void)wall;
	ui->wants_editor = true;
}

static void
act_apply(struct ui *ui, nsec wall)
{
	(void)wall;
	document_edited(ui, ui->selection.line, true);
	if (ui->message.len == 0)
		ui_say(
		    ui, ROLE_NORMAL, "the clients run the text as it is now");
}

const struct act_row act_edit[] = {
    {ACT_EDIT_LINE, act_edit_line},
    {ACT_OPEN_BELOW, act_open_below},
    {ACT_OPEN_ABOVE, act_open_above},
    {ACT_DELETE_LINE, act_delete},
    {ACT_COPY_LINE, act_copy},
    {ACT_PASTE_BELOW, act_paste_below},
    {ACT_PASTE_ABOVE, act_paste_above},
    {ACT_MOVE_UP, act_move_up},
    {ACT_MOVE_DOWN, act_move_down},
    {ACT_APPLY, act_apply},
    {ACT_EDITOR, act_editor},
    {ACT_NONE, NULL},
};

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
	ui_open_line(ui, &line_of_descriptor, text, &e->scene);
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
