/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keys that edit the shown descriptor line by line. Each edit is one step of
 * undo, and the clients of the document get it at their next iteration. A line
 * is typed in place, at a prompt that the descriptor's view draws; the document
 * has it when it is accepted. Several pasted lines are in the document at once.
 */
#include <string.h>

#include "base/text.h"
#include "parser/document/document.h"
#include "parser/document/edit.h"
#include "run/live/live.h"
#include "tui/console/actions.h"
#include "tui/console/ui.h"
#include "tui/input/typed_step.h"
#include "tui/views/page.h"
#include "tui/views/view.h"

static struct document *
shown_document(const struct ui *ui)
{
	return ui->session->plan->sources[ui->selection.source].doc;
}

/* Moves the cursor to a line. False: there is none, and a message says so. */
static bool
has_line(struct ui *ui)
{
	size_t n = document_n_lines(shown_document(ui));

	if (programs_refuse_edit(ui))
		return false;
	if (ui->selection.line >= n && n > 0)
		ui->selection.line = n - 1;
	if (n == 0)
		ui_say(
		    ui, ROLE_WARN, "the descriptor is empty: o inserts a line");
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
	case LIVE_SAME: launch_say_waiting(ui, ui->selection.source); break;
	case LIVE_TAKEN:
		ui_say_change(ui,
		    at_once ? "the clients run the new text"
			    : "the clients run it from their next iteration "
			      "on (! at once)");
		break;
	case LIVE_STARTED: launch_say_started(ui, ui->selection.source); break;
	case LIVE_BAD:
		if (launch_say_waiting(ui, ui->selection.source))
			break;
		ui_add_problem(ui, ui->selection.source, &problem);
		ui_say(ui, ROLE_BAD,
		    "the run continues with the previous text; %s",
		    text_str(&problem));
		break;
	}
	text_free(&said);
	text_free(&problem);
}

/* A line typed in place. */

static struct document *
edited_document(const struct ui *ui)
{
	return ui->session->plan->sources[ui->edit.draft.source].doc;
}

/* Collects the diagnostics of the line as it is typed. */
static void
diagnose_line(struct ui *ui, const char *line)
{
	struct line_edit *e = &ui->edit;

	diag_list_clear(&e->diags);
	if (*line != 0)
		draft_diagnose(edited_document(ui), e->draft.line,
		    e->draft.is_new, line, strlen(line), &e->diags);
	diag_list_sort(&e->diags);
}

static void
line_changed(struct ui *ui, const char *line, int arg)
{
	(void)arg;
	text_clear(&ui->message);
	diagnose_line(ui, line);
}

static void
line_cancelled(struct ui *ui, int arg)
{
	(void)arg;
	text_clear(&ui->message);
	ui->selection.line = ui->edit.from;
}

static bool
is_unchanged(const struct ui *ui, const char *line)
{
	size_t len;
	const char *text = document_line_text(
	    edited_document(ui), ui->edit.draft.line, &len);

	return len == strlen(line) && memcmp(text, line, len) == 0;
}

static void open_draft(struct ui *ui, const char *text);

static void
line_accepted(struct ui *ui, const char *line, int arg)
{
	const struct line_draft *draft = &ui->edit.draft;
	struct document *doc = edited_document(ui);
	struct text err = {0};
	bool done;

	(void)arg;
	text_clear(&ui->message);
	if (!draft->is_new && is_unchanged(ui, line))
		return;
	if (ui->edit.after_paste && *line == 0) {
		ui->selection.line = ui->edit.from;
		return;
	}
	done = draft->is_new
	    ? edit_insert(doc, draft->line, line, strlen(line), &err)
	    : edit_replace(doc, draft->line, line, strlen(line), &err);
	if (done) {
		document_edited(ui, draft->line, false);
	} else {
		/* Keep what was typed. */
		open_draft(ui, line);
		ui_say_error(ui, "Can't change the line", &err);
	}
	text_free(&err);
}

static char
offer_words(const void *scene, const char *line, size_t start, const char *word,
    struct text *rows)
{
	return complete_step(scene, line, start, word, rows);
}

static const struct prompt_kind line_prompt = {
    .prompt = " ", /* with none readline leaks memory */
    .history = "lines",
    .breaks = STEP_BREAKS,
    .offer = offer_words,
};

/* Adds the field under the cursor, and the kind of step with all its fields. */
static void
help_line(const struct ui *ui, struct page *p)
{
	struct ui_prompt now = prompt_look();
	struct typed_step typed = typed_step_at(now.line, now.point);
	struct text explained = {0}, field = {0};
	const char *text;
	size_t tab;

	if (typed_is_comment(now.line) || typed.kind == N_STEP_KINDS)
		return;
	typed_explain(&ui->edit.scene, now.line, now.point, &explained);
	/* Without the step's syntax, which follows. */
	text = text_str(&explained);
	tab = strcspn(text, "\t");
	text_add(&field, text, tab);
	text_adds(&field, text + tab + strcspn(text + tab, "\n"));
	page_add(p, ROLE_LABEL, "The field under the cursor", NULL);
	page_add_text(p, text_str(&field));
	page_add(p, ROLE_NORMAL, "", NULL);
	page_add(p, ROLE_LABEL, "The step", NULL);
	help_add_step(p, typed.kind);
	page_add(p, ROLE_NORMAL, "", NULL);
	text_free(&explained);
	text_free(&field);
}

static const struct ui_line line_of_descriptor = {
    .input = &line_prompt,
    .accepted = line_accepted,
    .changed = line_changed,
    .cancelled = line_cancelled,
    .help = help_line,
    .more_help = help_add_language,
    .place = PART_DESCRIPTOR,
    .hint =
	"Enter accepts the line, Esc keeps the old one, Tab lists what fits",
};

static void
open_draft(struct ui *ui, const char *text)
{
	struct line_edit *e = &ui->edit;

	e->scene = (struct step_scene){
	    .doc = edited_document(ui),
	    .profile = &ui->session->plan->profile,
	    .line = e->draft.line,
	};
	e->draft.diags = &e->diags;
	e->draft.scene = &e->scene;
	ui_open_line(ui, &line_of_descriptor, text, &e->scene);
	diagnose_line(ui, text);
}

/* Opens the line under the cursor. */
static void
edit_this_line(struct ui *ui)
{
	struct line_edit *e = &ui->edit;
	struct text text = {0};
	const char *s;
	size_t len;

	e->draft.source = ui->selection.source;
	e->draft.line = e->from = ui->selection.line;
	e->draft.is_new = e->after_paste = false;
	s = document_line_text(edited_document(ui), e->draft.line, &len);
	text_add(&text, s, strnlen(s, len));
	open_draft(ui, text_str(&text));
	text_free(&text);
}

/* Opens a new line before line at; the number of lines: at the end. */
static void
edit_new_line(struct ui *ui, size_t at)
{
	struct line_edit *e = &ui->edit;

	e->draft.source = ui->selection.source;
	e->from = ui->selection.line;
	e->draft.line = ui->selection.line = at;
	e->draft.is_new = true;
	e->after_paste = false;
	open_draft(ui, "");
}

/* Pastes of several lines. */

/* Returns the line before which a new one is inserted, above or below (1) the
 * cursor. */
static size_t
line_to_insert(const struct ui *ui, int below)
{
	size_t n = document_n_lines(shown_document(ui));

	return ui->selection.line + (below && n > 0);
}

/* Inserts text before line at, or replaces that line; returns the lines that the
 * text has become. 0: it was refused, err says why. */
static size_t
take_lines(struct ui *ui, bool is_new, size_t at, const struct text *lines,
    struct text *err)
{
	struct source *source =
	    &ui->session->plan->sources[ui->selection.source];
	size_t before = document_n_lines(source->doc) - !is_new;
	bool done;

	edit_group_begin(source->doc);
	/* A comma would end a comment. */
	if (source->is_inline)
		edit_into_file(source->doc);
	source->is_inline = false;
	done = is_new
	    ? edit_insert(source->doc, at, lines->data, lines->len, err)
	    : edit_replace(source->doc, at, lines->data, lines->len, err);
	edit_group_end(source->doc);
	return done ? document_n_lines(source->doc) - before : 0;
}

/* Says how many lines were pasted, before the message there is. */
static void
say_pasted(struct ui *ui, size_t n, bool typing)
{
	struct text said = {0};

	text_addf(&said, "%zu line%s pasted (%su undoes)", n, n == 1 ? "" : "s",
	    typing ? "Esc, then " : "");
	if (ui->message.len > 0)
		text_addf(&said, "; %s", text_str(&ui->message));
	else
		ui->message_role = ROLE_NORMAL;
	ui_say(ui, ui->message_role, "%s", text_str(&said));
	text_free(&said);
}

/* Puts the lines into the descriptor: where a line is typed, as a part of that
 * line, and goes on below; else below the cursor. */
static void
paste_lines(struct ui *ui, const struct text *pasted)
{
	bool typing = line_edit_draft(ui) != NULL;
	bool is_new = !typing || ui->edit.draft.is_new;
	size_t at = typing ? ui->edit.draft.line : line_to_insert(ui, 1), n;
	struct text all = {0}, err = {0};

	if (typing) {
		struct ui_prompt now = prompt_look();

		text_add(&all, now.line, now.point);
		text_add(&all, pasted->data, pasted->len);
		text_adds(&all, now.line + now.point);
		ui->line = NULL;
		prompt_cancel();
	} else {
		text_add(&all, pasted->data, pasted->len);
	}
	text_clear(&ui->message);
	n = take_lines(ui, is_new, at, &all, &err);
	if (n > 0) {
		document_edited(ui, at + n - 1, false);
		say_pasted(ui, n, typing);
	} else {
		ui_say_error(ui, "Can't paste", &err);
	}
	if (n > 0 && typing && ui->page == NULL)
		edit_new_line(ui, at + n);
	ui->edit.after_paste = n > 0;
	text_free(&all);
	text_free(&err);
}

/* Bytes of a paste that the descriptor takes. */
#define PASTE_MAX (1 << 20)

/* True if the text, with or without the end of its last line, is one line. */
static bool
is_one_line(const struct text *t)
{
	const char *end = memchr(t->data, '\n', t->len);

	return end == NULL || end + 1 == t->data + t->len;
}

void
line_edit_paste(struct ui *ui, const struct key_press *key)
{
	struct text lines = {0};

	if (key->pasted.first)
		text_clear(&ui->pasted);
	if (key->pasted.total <= PASTE_MAX)
		text_add(&ui->pasted, key->pasted.text, key->pasted.len);
	if (!key->pasted.last)
		return;
	prompt_paste_lines(&lines, text_str(&ui->pasted), ui->pasted.len);
	if (key->pasted.total > PASTE_MAX)
		ui_say(ui, ROLE_WARN,
		    "paste of %zu bytes ignored: expected at most %d",
		    key->pasted.total, PASTE_MAX);
	else if (ui->line != NULL && (lines.len == 0 || is_one_line(&lines)))
		ui_paste_typed(ui, text_str(&ui->pasted), ui->pasted.len, true);
	else if (lines.len > 0 && !programs_refuse_edit(ui))
		paste_lines(ui, &lines);
	text_free(&lines);
	text_free(&ui->pasted);
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

void
act_edit_line(struct ui *ui, int arg)
{
	(void)arg;
	if (programs_refuse_edit(ui))
		return;
	if (document_n_lines(shown_document(ui)) == 0)
		edit_new_line(ui, 0);
	else if (has_line(ui))
		edit_this_line(ui);
}

void
act_next_error(struct ui *ui, int arg)
{
	struct view_env env = ui_env(ui, PART_DESCRIPTOR);
	struct view *v = ui->views[PART_DESCRIPTOR];
	size_t from = ui->selection.line, line;

	(void)arg;
	if (!descriptor_next_problem(v, &env, &line)) {
		ui_say(ui, ROLE_NORMAL,
		    "no errors or warnings in this descriptor");
		return;
	}
	arrange_show(ui, PART_DESCRIPTOR);
	if (line <= from)
		ui_say(ui, ROLE_NORMAL,
		    line == from ? "the only line with errors or warnings"
				 : "continued from the first line");
}

void
act_open_line(struct ui *ui, int below)
{
	if (!programs_refuse_edit(ui))
		edit_new_line(ui, line_to_insert(ui, below));
}

static bool
copy_this_line(struct ui *ui)
{
	size_t len;
	const char *s;

	if (!has_line(ui))
		return false;
	s = document_line_text(shown_document(ui), ui->selection.line, &len);
	text_clear(&ui->copied);
	text_add(&ui->copied, s, len);
	ui->has_copied = true;
	return true;
}

void
act_copy_line(struct ui *ui, int arg)
{
	(void)arg;
	if (copy_this_line(ui))
		ui_say(ui, ROLE_NORMAL,
		    "copied: p pastes it below the cursor, P above");
}

static void
delete_this_line(struct ui *ui, enum edit_references how, struct text *err)
{
	if (edit_delete(shown_document(ui), ui->selection.line, 1, how, err))
		document_edited(ui, ui->selection.line, false);
}

static void
delete_with_references(struct ui *ui, int arg)
{
	struct text err = {0};

	(void)arg;
	delete_this_line(ui, EDIT_DROP_REFERENCES, &err);
	if (err.len > 0)
		ui_say_error(ui, "Can't delete", &err);
	text_free(&err);
}

static const struct ui_answer drop_answers[] = {
    {"rR", "drop those references", delete_with_references, 0},
    {"\033\003", "keep", NULL, 0},
    {0},
};

void
act_delete_line(struct ui *ui, int arg)
{
	struct text err = {0};

	(void)arg;
	if (!copy_this_line(ui))
		return;
	delete_this_line(ui, EDIT_REFUSE_REFERRED, &err);
	if (err.len > 0)
		ui_ask(ui, drop_answers, "%s", text_str(&err));
	text_free(&err);
}

void
act_paste_line(struct ui *ui, int below)
{
	size_t at = line_to_insert(ui, below);
	struct text err = {0};

	if (programs_refuse_edit(ui))
		return;
	if (!ui->has_copied) {
		ui_say(ui, ROLE_WARN, "nothing to paste: y copies a line");
	} else if (edit_insert(shown_document(ui), at, text_str(&ui->copied),
		       ui->copied.len, &err)) {
		document_edited(ui, at, false);
	} else {
		ui_say_error(ui, "Can't paste", &err);
	}
	text_free(&err);
}

/* Moves the line up (by -1) or down (1); the cursor goes with it. */
void
act_move_line(struct ui *ui, int by)
{
	struct selection *sel = &ui->selection;
	struct document *doc = shown_document(ui);
	struct text err = {0};

	if (!has_line(ui) || (by < 0 && sel->line == 0) ||
	    (by > 0 && sel->line + 1 == document_n_lines(doc)))
		return;
	/* edit_move() takes the line that it is to precede. */
	if (edit_move(doc, sel->line, 1, by < 0 ? sel->line - 1 : sel->line + 2,
		&err))
		document_edited(
		    ui, by < 0 ? sel->line - 1 : sel->line + 1, false);
	else
		ui_say_error(ui, "Can't move", &err);
	text_free(&err);
}

void
act_editor(struct ui *ui, int arg)
{
	(void)arg;
	ui->wants_editor = true;
}

void
act_apply(struct ui *ui, int arg)
{
	(void)arg;
	document_edited(ui, ui->selection.line, true);
	if (ui->message.len == 0)
		ui_say(ui, ROLE_NORMAL, "the clients run the new text");
}
