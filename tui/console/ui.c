/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The console's state: its views, what the session and the run tell them, the
 * message and the page that are shown, and the anchor that keeps the cursor on
 * its line.
 */
#include <stdlib.h>
#include <string.h>

#include "parser/document/document.h"
#include "run/live/saving.h"
#include "tui/console/ui.h"

struct view_env
ui_env(struct ui *ui, enum part part)
{
	return (struct view_env){
	    .session = ui->session,
	    .selection = &ui->selection,
	    .tags = &ui->tags,
	    .colours = &ui->colours,
	    .search = text_str(&ui->search),
	    .unfinished = &ui->unfinished,
	    .focus = part == ui->focus && ui->page == NULL,
	};
}

void
ui_init(struct ui *ui, struct session *session, struct settings *settings,
    bool unicode, bool for_a_person)
{
	*ui = (struct ui){
	    .session = session,
	    .settings = settings,
	    .unicode = unicode,
	    .for_a_person = for_a_person,
	    .focus = PART_CONTEXTS,
	};
	ui->views[PART_HEADER] = view_header_new();
	ui->views[PART_ENGINES] = view_engines_new();
	ui->views[PART_CONTEXTS] = view_contexts_new();
	ui->views[PART_REQUESTS] = view_requests_new();
	ui->views[PART_TIMELINE] = view_timeline_new();
	ui->views[PART_DESCRIPTOR] = view_descriptor_new();
	ui->views[PART_LAYER] = view_layer_new();
	ui_resize(ui, 80, 24);
	ui_apply_settings(ui);
	session_on_tick(session, ui_tick_again, ui);
}

void
ui_free(struct ui *ui)
{
	session_on_tick(ui->session, NULL, NULL);
	decision_free(&ui->decision);
	import_done_free(ui->imported);
	for (enum part p = 0; p < N_PARTS; p++)
		if (ui->views[p] != NULL)
			ui->views[p]->ops->free(ui->views[p]);
	page_free(ui->page);
	tags_free(&ui->tags);
	text_free(&ui->search);
	text_free(&ui->filter_before);
	text_free(&ui->message);
	text_free(&ui->work.what);
	text_free(&ui->line_seen);
	text_free(&ui->question.text);
	context_colours_free(&ui->colours);
	text_free(&ui->pasted);
	text_free(&ui->copied);
	line_edit_free(&ui->edit);
	text_free(&ui->save.path);
	recovered_free(&ui->offer.found);
	screen_free(&ui->screen);
}

void
ui_resize(struct ui *ui, int cols, int rows)
{
	screen_resize(&ui->screen, cols, rows);
}

void
ui_follow_launches(struct ui *ui)
{
	if (ui->generation == ui->session->generation)
		return;
	ui->generation = ui->session->generation;
	context_colours_free(&ui->colours);
	for (enum part p = 0; p < N_PARTS; p++) {
		struct view_env env = ui_env(ui, p);

		if (ui->views[p] != NULL && ui->views[p]->ops->launched)
			ui->views[p]->ops->launched(ui->views[p], &env);
	}
}

/* Reports what happened unasked: refused edits, bans. */
static void
say_news(struct ui *ui)
{
	struct text news = {0};

	if (refusal_notice_take(
		&ui->session->refusals, ui->session->run.sim, &news))
		ui_say(ui, ROLE_WARN, "%s", text_str(&news));
	text_clear(&news);
	if (ban_notice_take(&ui->session->bans, &news))
		ui_say(ui, ROLE_BAD, "%s", text_str(&news));
	text_free(&news);
}

void
ui_tick_views(struct ui *ui)
{
	for (enum part p = 0; p < N_PARTS; p++) {
		struct view_env env = ui_env(ui, p);

		if (ui->views[p] != NULL && ui->views[p]->ops->tick)
			ui->views[p]->ops->tick(ui->views[p], &env);
	}
}

void
ui_tick(struct ui *ui)
{
	ui->session->delay = ui->delay;
	session_tick(ui->session, ui->now);
	say_news(ui);
	programs_say_news(ui);
	programs_follow_output(ui);
	decision_follow(ui, false);
	programs_describe(ui);
	ui_follow_launches(ui);
	ui_tick_views(ui);
}

void
ui_say(struct ui *ui, enum role role, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	text_clear(&ui->message);
	text_addv(&ui->message, fmt, ap);
	va_end(ap);
	ui->message_role = role;
}

void
ui_say_change(struct ui *ui, const char *said)
{
	ui_follow_present(ui);
	ui_say(ui, ROLE_NORMAL, "%s", said);
}

void
ui_begin_work(struct ui *ui, bool reverts, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	text_clear(&ui->work.what);
	text_addv(&ui->work.what, fmt, ap);
	va_end(ap);
	ui->work.reverts = reverts;
	ui->work.is_new = true;
}

void
ui_begin_work_on(struct ui *ui, bool reverts, const char *verb, size_t source)
{
	struct text title = {0};

	source_add_title(ui->session->plan, source, &title);
	ui_begin_work(ui, reverts, "%s %s", verb, text_str(&title));
	text_free(&title);
}

void
ui_open_page(struct ui *ui, struct page *page)
{
	struct area a = screen_area(&ui->screen, ui->layout.body);

	page_free(ui->page);
	ui->page = page;
	ui->line_waits = false;
	if (page != NULL)
		page_fit(page, &a); /* keys may come before it is drawn */
}

void
ui_say_error(struct ui *ui, const char *title, const struct text *err)
{
	const char *s = text_str(err);
	size_t first = strcspn(s, "\n"), room = (size_t)ui->screen.cols * 7 / 4;
	struct page *page;

	ui_say(ui, ROLE_BAD, "%.*s", (int)first, s);
	if (first <= room && (s[first] == 0 || s[first + 1] == 0))
		return;
	page = page_new(title);
	page_add_text(page, s);
	ui_open_page(ui, page);
	text_clear(&ui->message); /* the page has all of it */
}

/* Rows of the descriptor from which on it shows diagnostics in full. */
#define ROOMY_ROWS 8

void
ui_add_problem(struct ui *ui, size_t source, struct text *out)
{
	const char *problem = session_document_problem(ui->session, source);
	size_t line;

	arrange(ui); /* the first frame may not be drawn yet */
	if (ui->selection.source == source &&
	    ui->layout.parts[PART_DESCRIPTOR].h >= ROOMY_ROWS &&
	    session_problem_line(ui->session, source, &line))
		text_addf(
		    out, "%.*s is wrong", (int)strcspn(problem, ":"), problem);
	else
		text_adds(out, problem);
}

bool
ui_follow_present(struct ui *ui)
{
	bool was_past = false;

	for (enum part p = PART_FIRST_PANE; p < N_PARTS; p++) {
		struct view_env env = ui_env(ui, p);
		struct view *v = ui->views[p];

		if (v != NULL && v->ops->follow != NULL)
			was_past |= v->ops->follow(v, &env);
	}
	return was_past;
}

void
ui_show_time(struct ui *ui, nsec at)
{
	struct view_env env = ui_env(ui, PART_TIMELINE);
	struct view *v = ui->views[PART_TIMELINE];

	ui_follow_launches(ui);
	if (v != NULL && v->ops->show_time != NULL)
		v->ops->show_time(v, &env, at);
}

void
ui_follow_page(struct ui *ui)
{
	void (*closed)(struct ui *) = ui->page_closed;

	if (closed == NULL || ui->page != NULL || ui->line != NULL ||
	    ui->leave != UI_STAY)
		return;
	ui->page_closed = NULL;
	if (ui->question.answers == NULL)
		closed(ui);
}

/* NULL: the source no longer exists. */
static const struct document *
selected_document(const struct ui *ui)
{
	const struct plan *plan = ui->session->plan;

	return ui->selection.source < plan->n_sources
	    ? plan->sources[ui->selection.source].doc
	    : NULL;
}

void
anchor_set(struct ui *ui)
{
	const struct selection *sel = &ui->selection;
	const struct document *doc = selected_document(ui);
	struct anchor *a = &ui->anchor;

	if (doc == NULL)
		return;
	if (a->document == doc && a->source == sel->source &&
	    a->line == sel->line && a->revision == document_revision(doc) &&
	    a->identity != 0)
		return;
	*a = (struct anchor){.document = doc,
	    .source = sel->source,
	    .line = sel->line,
	    .revision = document_revision(doc)};
	if (sel->line < document_n_lines(doc))
		a->identity = document_identity(
		    doc, document_line(doc, sel->line));
}

void
anchor_follow(struct ui *ui)
{
	struct selection *sel = &ui->selection;
	const struct document *doc = selected_document(ui);
	const struct anchor *a = &ui->anchor;
	size_t at, n = doc != NULL ? document_n_lines(doc) : 0;

	if (doc != NULL && a->document == doc && sel->source == a->source &&
	    sel->line == a->line && a->revision != document_revision(doc) &&
	    a->identity != 0 &&
	    document_line_index(
		doc, document_identified(doc, a->identity), &at))
		sel->line = at;
	if (sel->line >= n)
		sel->line = n > 0 ? n - 1 : 0;
	anchor_set(ui);
}
