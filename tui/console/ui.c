/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See ui.h. */
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
	ui->views[PART_FENCES] = view_fences_new();
	ui->views[PART_TIMELINE] = view_timeline_new();
	ui->views[PART_DESCRIPTOR] = view_descriptor_new();
	ui->views[PART_LAYER] = view_layer_new();
	ui_resize(ui, 80, 24);
	ui_apply_settings(ui);
}

void
ui_free(struct ui *ui)
{
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
	text_free(&ui->copied);
	line_edit_free(&ui->edit);
	text_free(&ui->filing.path);
	recovered_free(&ui->filing.found);
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
	for (enum part p = 0; p < N_PARTS; p++) {
		struct view_env env = ui_env(ui, p);

		if (ui->views[p] != NULL && ui->views[p]->ops->launched)
			ui->views[p]->ops->launched(ui->views[p], &env);
	}
}

/* What nobody has asked for, but wants to know. */
static void
tell_news(struct ui *ui)
{
	struct text said = {0};

	if (refusal_notice_take(
		&ui->session->refusals, ui->session->run.sim, &said))
		ui_say(ui, ROLE_WARN, "%s", text_str(&said));
	text_clear(&said);
	if (ban_notice_take(&ui->session->bans, &said))
		ui_say(ui, ROLE_BAD, "%s", text_str(&said));
	text_free(&said);
}

void
ui_tick(struct ui *ui, nsec wall)
{
	ui->session->delay = ui->delay;
	session_tick(ui->session, wall);
	tell_news(ui);
	ui_follow_launches(ui);
	for (enum part p = 0; p < N_PARTS; p++) {
		struct view_env env = ui_env(ui, p);

		if (ui->views[p] != NULL && ui->views[p]->ops->tick)
			ui->views[p]->ops->tick(ui->views[p], &env);
	}
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
ui_begin_work(struct ui *ui, bool reverts, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	text_clear(&ui->work.what);
	text_addv(&ui->work.what, fmt, ap);
	va_end(ap);
	ui->work.reverts = reverts;
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
	text_clear(&ui->message); /* the page says it all */
}

#define ROOMY_ROWS 8 /* of the descriptor: messages are seen as a whole */

void
ui_add_problem(struct ui *ui, size_t source, struct text *out)
{
	const char *problem = session_document_problem(ui->session, source);
	size_t line;

	arrange(ui); /* that may come before the first frame */
	if (ui->selection.source == source &&
	    ui->layout.parts[PART_DESCRIPTOR].h >= ROOMY_ROWS &&
	    session_problem_line(ui->session, source, &line))
		text_addf(
		    out, "%.*s is wrong", (int)strcspn(problem, ":"), problem);
	else
		text_adds(out, problem);
}

static bool
is_blank(const struct area *a, int y, int x, int width)
{
	const struct cell *row = a->screen->cells +
	    (size_t)(a->r.y + y) * (size_t)a->screen->cols + a->r.x;

	for (int i = x; i < x + width; i++)
		if (i < 0 || row[i].ch != L' ')
			return false;
	return true;
}

/* The key that shows a pane, and its name, at the end of its title: as much
 * as does not crowd what stands there. */
static void
draw_number(struct area *a, enum part part, enum role role)
{
	int number = part - PART_FIRST_PANE + 1;
	int name = (int)strlen(layout_name(part));

	if (is_blank(a, 0, a->r.w - name - 5, name + 5))
		putf(a, 0, a->r.w - name - 3, name + 3, role, "%s %d",
		    layout_name(part), number);
	else if (is_blank(a, 0, a->r.w - 4, 4))
		putf(a, 0, a->r.w - 2, 2, role, "%d", number);
}

/* Is the open line drawn by a view? Where that is not to be seen, it stands
 * in the footer. */
static bool
is_in_place(const struct ui *ui)
{
	return ui->line != NULL && ui->line->place != PART_FOOTER &&
	    ui->page == NULL && layout_shows(&ui->layout, ui->line->place);
}

static void
draw_part(struct ui *ui, enum part part)
{
	struct view_env env = ui_env(ui, part);
	struct ui_prompt prompt;
	struct area a = screen_area(&ui->screen, ui->layout.parts[part]);

	if (!layout_shows(&ui->layout, part))
		return;
	if (is_in_place(ui) && ui->line->place == part) {
		prompt = prompt_look();
		env.prompt = &prompt;
		env.draft = line_edit_draft(ui);
	}
	ui->views[part]->ops->draw(ui->views[part], &env, &a);
	if (part >= PART_FIRST_PANE)
		draw_number(&a, part, view_title_role(&env));
}

/* A letter rather than F10: the last of its keys. */
static const char *
quit_key(const struct ui *ui)
{
	const char *keys = keymap_keys(
	    &ui->settings->keymap, key_row_find("quit"));
	const char *blank = strrchr(keys, ' ');

	return blank != NULL ? blank + 1 : keys;
}

/* The one page that any size can show, with as much as fits of it. */
static void
draw_too_small(struct ui *ui)
{
	struct screen *s = &ui->screen;
	struct area a = screen_area(s, (struct rect){0, 0, s->cols, s->rows});
	int y = s->rows > 4 ? s->rows / 2 - 1 : 0;

	putf(&a, y, 0, s->cols, ROLE_STRONG, "%dx%d is too small", s->cols,
	    s->rows);
	putf(&a, y + 1, 0, s->cols, ROLE_NORMAL, "needs %dx%d", LAYOUT_MIN_COLS,
	    LAYOUT_MIN_ROWS);
	putf(&a, y + 2, 0, s->cols, ROLE_NORMAL, "%s quits", quit_key(ui));
}

static void
draw_footer(struct ui *ui, struct rect r)
{
	struct area footer = screen_area(&ui->screen, r);
	struct ui_prompt prompt = {0};

	if (ui->line != NULL && !is_in_place(ui))
		prompt = prompt_look();
	footer_draw(ui, &footer, prompt.line != NULL ? &prompt : NULL);
}

/* What waits for an answer is seen at any size. */
static void
draw_asked(struct ui *ui)
{
	struct screen *s = &ui->screen;

	if (ui->question.answers != NULL || ui->line != NULL)
		draw_footer(ui, (struct rect){0, s->rows - 1, s->cols, 1});
}

static struct ui_drawn
what_is(const struct ui *ui)
{
	const struct session *s = ui->session;
	struct ui_drawn now = {
	    .generation = s->generation,
	    .versions = s->run.versions.generation,
	    .n_clients = s->run.sim->n_clients,
	    .n_sources = s->plan->n_sources,
	    .source = ui->selection.source,
	};

	if (now.source < now.n_sources) {
		now.document = s->plan->sources[now.source].doc;
		now.revision = document_revision(now.document);
	}
	return now;
}

bool
ui_is_outdated(const struct ui *ui)
{
	struct ui_drawn now = what_is(ui);
	const struct ui_drawn *then = &ui->drawn;

	return now.generation != then->generation ||
	    now.versions != then->versions ||
	    now.n_clients != then->n_clients ||
	    now.n_sources != then->n_sources || now.source != then->source ||
	    now.document != then->document || now.revision != then->revision;
}

void
ui_draw(struct ui *ui)
{
	ui->unfinished = false;
	ui_follow_launches(ui);
	anchor_follow(ui);
	arrange(ui);
	if (layout_shows(&ui->layout, PART_LAYER))
		session_want_layer(ui->session);
	screen_clear(&ui->screen);
	if (ui->layout.too_small) {
		draw_too_small(ui);
		draw_asked(ui);
		ui->drawn = what_is(ui);
		return;
	}
	draw_part(ui, PART_HEADER);
	if (ui->page != NULL) {
		struct area a = screen_area(&ui->screen, ui->layout.body);

		page_draw(ui->page, &a, text_str(&ui->search));
	} else {
		for (enum part p = PART_FIRST_PANE; p < N_PARTS; p++)
			draw_part(ui, p);
	}
	draw_footer(ui, ui->layout.parts[PART_FOOTER]);
	anchor_set(ui);
	ui->drawn = what_is(ui);
}

/* All that keys do, but for what is a view's own. */
static const struct act_row *const act_tables[] = {
    act_screen,
    act_files,
    act_run,
    act_find,
    act_why_and_misses,
    act_edit,
    act_tweak,
    act_launch,
    act_compare,
};

static act_fn *
find_act(enum action action)
{
	size_t n = sizeof(act_tables) / sizeof(*act_tables);

	for (size_t i = 0; i < n; i++)
		for (const struct act_row *r = act_tables[i]; r->act != NULL;
		     r++)
			if (r->action == action)
				return r->act;
	return NULL;
}

static void
act_in_view(struct ui *ui, enum part part, enum action action)
{
	struct view_env env = ui_env(ui, part);
	struct view *v = ui->views[part];

	if (v->ops->act != NULL)
		v->ops->act(v, &env, action);
}

/* The title of the pane itself says so. */
static void
say_followed(struct ui *ui)
{
	if (ui->views[ui->focus]->ops->follow == NULL)
		ui_say(ui, ROLE_NORMAL, "follows the present");
}

void
ui_act(struct ui *ui, enum action action, nsec wall)
{
	act_fn *act = find_act(action);

	ui_follow_launches(ui);
	anchor_follow(ui);
	if (act != NULL)
		act(ui, wall);
	else if (action == ACT_FOLLOW && ui->page == NULL &&
	    ui_follow_present(ui))
		say_followed(ui);
	else if (ui->page != NULL)
		list_act(&ui->page->list, action);
	else if (action == ACT_SOURCE_NEXT || action == ACT_SOURCE_PREV)
		act_in_view(ui, PART_DESCRIPTOR, action);
	else
		act_in_view(ui, ui->focus, action);
	anchor_follow(ui);
}

bool
ui_follow_present(struct ui *ui)
{
	bool stood = false;

	for (enum part p = PART_FIRST_PANE; p < N_PARTS; p++) {
		struct view_env env = ui_env(ui, p);
		struct view *v = ui->views[p];

		if (v != NULL && v->ops->follow != NULL)
			stood |= v->ops->follow(v, &env);
	}
	return stood;
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

/* A key of another pane says whose it is. */
static void
say_whose(struct ui *ui, int code)
{
	struct text whose = {0};

	if (keymap_add_elsewhere(&ui->settings->keymap, code, &whose))
		ui_say(ui, ROLE_NORMAL, "%s", text_str(&whose));
	text_free(&whose);
}

void
ui_key(struct ui *ui, int code, nsec wall)
{
	bool page = ui->page != NULL && !ui->layout.too_small;
	enum action action;

	if (ui_question_key(ui, code, wall))
		return;
	action = keymap_find(&ui->settings->keymap, code,
	    ui->views[ui->focus]->ops->scope, page);

	/* What was said stays while a command is typed, so that :dump and
	 * the eye can have it. */
	if (action != ACT_COMMAND)
		text_clear(&ui->message);
	if (action != ACT_NONE)
		ui_act(ui, action, wall);
	else if (!page && !ui->layout.too_small)
		say_whose(ui, code);
}

void
ui_follow_page(struct ui *ui, nsec wall)
{
	void (*closed)(struct ui *, nsec) = ui->page_closed;

	if (closed == NULL || ui->page != NULL || ui->line != NULL ||
	    ui->leave != UI_STAY)
		return;
	ui->page_closed = NULL;
	if (ui->question.answers == NULL)
		closed(ui, wall);
}

/* NULL: the source has gone. */
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
