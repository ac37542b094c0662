/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines of the Descriptor view: numbers of the line and of its step, figures of
 * the step in columns where there is room, live marks, text; and diagnostics with
 * carets below a line.
 */
#include "tui/views/descriptor.h"

#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "base/util.h"
#include "parser/diag.h"
#include "run/live/saving.h"
#include "run/plan.h"
#include "tui/input/complete.h"
#include "tui/views/list.h"

/* indentation of the further rows of a message below its line */
#define HANG_COLS 2
#define MAX_ROWS  1000 /* of a line's diagnostics */

/* The columns of the area that the diagnostic's bytes take. */
struct span {
	int from, to;
};

static struct span
span_of(
    const struct caret_line *line, const struct area *a, const struct diag *d)
{
	size_t from = d->col < line->len ? d->col : line->len;
	size_t to = d->len < line->len - from ? from + d->len : line->len;
	int before = line->x - line->skip;
	struct span s;

	s.from = before + columns(a->screen, line->text, from);
	s.to = before + columns(a->screen, line->text, to);
	return s;
}

/* Draws a caret below the first byte and a tail as long as the rest. Bytes
 * that are scrolled away are pointed at from the edge. Returns the column
 * after it. */
static int
draw_caret(const struct caret_line *line, struct area *a, int y, enum role role,
    struct span s, bool draw)
{
	int last = a->r.w - 1;
	int x = s.from < line->x ? line->x : s.from > last ? last : s.from;
	int end = s.to > a->r.w ? a->r.w : s.to;

	if (draw)
		put_char(a, y, x, role,
		    s.from < line->x ? L'<'
			: s.from > x ? L'>'
				     : L'^');
	for (x++; x < end; x++)
		if (draw)
			put_char(a, y, x, role, L'~');
	return x;
}

/* Draws a message from (x, y) on, or with draw false measures it; returns the
 * row after it. */
static int
draw_diag_message(struct area *a, int y, int x, int hang, enum role role,
    const char *s, bool draw)
{
	do {
		size_t n = bytes_of_row(a->screen, s, strlen(s), a->r.w - x);

		if (draw && y == a->r.h - 1)
			put_cut(a, y, x, a->r.w, role, s);
		else if (draw)
			put_n(a, y, x, a->r.w, role, s, n);
		s += n + strspn(s + n, " ");
		x += hang;
		hang = 0;
		y++;
	} while (*s != 0 && y < a->r.h);
	return y;
}

/* Returns the columns of the message's longest word. */
static int
longest_word(const struct area *a, const char *s)
{
	int longest = 0;

	while (*s != 0) {
		size_t len = strcspn(s, " ");
		int w = columns(a->screen, s, len);

		if (w > longest)
			longest = w;
		s += len + strspn(s + len, " ");
	}
	return longest;
}

/* True if the message takes fewer rows beside the caret than below it, and
 * breaks no word. */
static bool
fits_beside(
    const struct area *a, int beside, int below, int begin, const char *message)
{
	struct area b = *a;
	int n, m;

	if (longest_word(a, message) > a->r.w - beside - begin)
		return false;
	b.r.h = MAX_ROWS;
	n = draw_diag_message(
	    &b, 0, beside + begin, 0, ROLE_NORMAL, message, false);
	m = draw_diag_message(&b, 1, below + begin, HANG_COLS - begin,
	    ROLE_NORMAL, message, false);
	return n < m;
}

enum caret_look
caret_look(const struct caret_line *line, const struct diag *d)
{
	size_t from = line->point, to = line->point;

	if (!line->is_typed)
		return CARET_FULL;
	while (from > 0 && strchr(STEP_BREAKS, line->text[from - 1]) == NULL)
		from--;
	to += strcspn(line->text + to, STEP_BREAKS);
	if (d->col >= line->len)
		return to == line->len ? CARET_HIDDEN : CARET_FULL;
	return d->col <= to && d->col + d->len >= from ? CARET_HINT
						       : CARET_FULL;
}

/* Draws a diagnostic, or with draw false measures it; returns the row after
 * it. */
static int
draw_diag(const struct caret_line *line, struct area *a, int y,
    const struct diag *d, bool draw)
{
	bool error = d->severity == DIAG_ERROR;
	bool hint = caret_look(line, d) == CARET_HINT;
	enum role role = hint ? ROLE_DIM : error ? ROLE_BAD : ROLE_WARN;
	const char *what = hint ? "" : error ? "error: " : "warning: ";
	int begin = (int)strlen(what);
	int x = draw_caret(line, a, y, role, span_of(line, a, d), draw) + 1;
	int hang = 0;

	if (!fits_beside(a, x, line->x, begin, d->message)) {
		x = line->x;
		hang = HANG_COLS - begin;
		y++;
	}
	if (draw)
		put(a, y, x, begin, role, what);
	return draw_diag_message(a, y, x + begin, hang, role, d->message, draw);
}

int
caret_rows(const struct caret_line *line, const struct area *a)
{
	struct area b = *a;
	int rows = 0;

	b.r.h = MAX_ROWS;
	for (size_t i = 0; i < line->n && rows < MAX_ROWS; i++)
		if (caret_look(line, &line->list[i]) != CARET_HIDDEN)
			rows = draw_diag(line, &b, rows, &line->list[i], false);
	return rows;
}

int
caret_draw(const struct caret_line *line, struct area *a, int y)
{
	for (size_t i = 0; i < line->n && y < a->r.h; i++)
		if (caret_look(line, &line->list[i]) != CARET_HIDDEN)
			y = draw_diag(line, a, y, &line->list[i], true);
	return y;
}

#define LINE_COLS  7 /* line number of up to six digits, and a blank */
#define STEP_COLS  5 /* step number, after a blank */
#define COUNT_COLS 4
#define DONE_COLS  6
/* Widths of the view from which on it has these columns. */
#define WITH_STEPS 40
#define WITH_MARKS 64

/* Returns the width of the column of step numbers; 0: there is no room for
 * it. */
static int
step_columns(int width)
{
	return width >= WITH_STEPS ? STEP_COLS : 0;
}

/* Returns the width of the columns of marks; 0: there is no room for them. */
static int
mark_columns(int width)
{
	return width >= WITH_MARKS ? 4 * COUNT_COLS + DONE_COLS : 0;
}

int
lines_text_column(const struct area *a)
{
	return LINE_COLS + step_columns(a->r.w) + mark_columns(a->r.w) + 2;
}

/* Draws how many clients still run an older text, ending at column end, in at
 * most room columns if possible. Returns the columns it takes. */
static int
draw_older(const struct line_look *look, struct area *a, int end, int room)
{
	uint32_t older = look->marks->n_older;
	char buf[64], n[UNITS_LEN];
	int w;

	if (older == 0)
		return 0;
	format_count(n, older);
	w = snprintf(buf, sizeof(buf), " %s client%s the previous text (~)", n,
	    older == 1 ? " runs" : "s run");
	if (a->r.w < 64 || w > room)
		w = snprintf(buf, sizeof(buf), " ~%s", n);
	put(a, 0, end - w, w, ROLE_WARN, buf);
	return w;
}

/* Draws where the error is that keeps the text from running; returns as
 * draw_older(). */
static int
draw_not_run(const struct line_look *look, struct area *a, int end)
{
	const char *problem = session_document_problem(
	    look->env->session, look->source);
	char buf[64];
	int w;

	if (problem == NULL)
		return 0;
	if (a->r.w < 64 || strncmp(problem, "line ", 5) != 0)
		snprintf(buf, sizeof(buf), " not run");
	else
		snprintf(buf, sizeof(buf), " not run: %.*s",
		    (int)strcspn(problem, ":"), problem);
	w = (int)strlen(buf);
	put(a, 0, end - w, w, ROLE_BAD, buf);
	return w;
}

#define UNSAVED_COLS 4

void
lines_draw_title(const struct line_look *look, struct area *a)
{
	static const char *const names[] = {"AT", "BLK", "RDY", "RUN"};
	const struct plan *plan = look->env->session->plan;
	const struct source *source = &plan->sources[look->source];
	enum role role = view_title_role(look->env);
	const char *name = source->name;
	int problem, unsaved = 0;
	const char *slash = source->is_file ? strrchr(name, '/') : NULL;
	int x = LINE_COLS - 1, end = a->r.w;
	size_t n_documents;

	if (slash != NULL && slash[1] != 0)
		name = slash + 1;
	fill(a, 0, 0, a->r.w, role);
	put_right(a, 0, 0, LINE_COLS - 1, role, "LINE");
	put_right(a, 0, x, step_columns(a->r.w), role, "STEP");
	x += step_columns(a->r.w);
	if (mark_columns(a->r.w) > 0) {
		for (int i = 0; i < 4; i++, x += COUNT_COLS)
			put_right(a, 0, x, COUNT_COLS, role, names[i]);
		put_right(a, 0, x, DONE_COLS, role, "DONE");
		x += DONE_COLS;
	}
	x += 3;
	n_documents = plan_n_documents(plan, plan->n_sources);
	if (n_documents > 1) {
		char buf[64];

		snprintf(buf, sizeof(buf), " %zu of %zu (J K)",
		    plan_n_documents(plan, look->source + 1), n_documents);
		end -= (int)strlen(buf);
		put(a, 0, end, a->r.w - end, role, buf);
	}
	if (!source->is_file && !source->is_example)
		name = source_is_blank(source) ? "untitled" : "DESCRIPTOR (-w)";
	problem = draw_not_run(look, a, end);
	end -= problem;
	if (source_is_unsaved(source))
		unsaved = UNSAVED_COLS;
	if (problem == 0)
		end -= draw_older(look, a, end,
		    end - x - unsaved - columns(a->screen, name, strlen(name)));
	x += put_cut(a, 0, x, end - x - unsaved, role, name);
	if (unsaved > 0)
		put(a, 0, x, UNSAVED_COLS, role, " [+]");
}

static void
put_mark_count(
    struct area *a, int y, int x, int width, enum role role, uint64_t n)
{
	char buf[UNITS_LEN];

	if (n > 0)
		put_right(a, y, x, width, role,
		    width > COUNT_COLS ? format_count(buf, n)
				       : format_count_brief(buf, n));
}

static void
draw_counts(struct area *a, int y, const struct step_marks *m)
{
	int x = LINE_COLS - 1 + step_columns(a->r.w);

	put_mark_count(
	    a, y, x, COUNT_COLS, m->held > 0 ? ROLE_WARN : ROLE_STRONG, m->at);
	x += COUNT_COLS;
	put_mark_count(a, y, x, COUNT_COLS, ROLE_BLOCKED, m->blocked);
	x += COUNT_COLS;
	put_mark_count(a, y, x, COUNT_COLS, ROLE_WARN, m->ready);
	x += COUNT_COLS;
	put_mark_count(a, y, x, COUNT_COLS, ROLE_GOOD, m->running);
	x += COUNT_COLS;
	put_mark_count(a, y, x, DONE_COLS, ROLE_DIM, m->done);
}

/* Draws one sign for the furthest state of the step's requests, and one if a
 * client is at the step. */
static void
draw_sign(struct area *a, int y, int x, const struct step_marks *m)
{
	bool unicode = a->screen->unicode;

	if (m->running > 0)
		put_char(a, y, x, ROLE_GOOD, unicode ? L'●' : L'*');
	else if (m->ready > 0)
		put_char(a, y, x, ROLE_WARN, unicode ? L'◐' : L'+');
	else if (m->blocked > 0)
		put_char(a, y, x, ROLE_BLOCKED, unicode ? L'○' : L'o');
	if (m->at > 0)
		put_char(a, y, x + 1, m->held > 0 ? ROLE_WARN : ROLE_STRONG,
		    unicode ? L'▸' : L'>');
}

/* True if the step belongs to the selected context. */
static bool
is_of_selected(const struct line_look *look, const struct step *step)
{
	const struct sim *sim = look->env->session->run.sim;
	const struct selection *sel = look->env->selection;
	const struct client *c;

	if (sel->client >= sim->n_clients)
		return false;
	c = sim->clients[sel->client];
	if (plan_document(look->env->session->plan, client_workload(c)) !=
		look->source ||
	    sel->context >= c->n_contexts)
		return false;
	return step_has_context(step) &&
	    step->context == c->contexts[sel->context]->def->number;
}

static enum role
line_role(const struct line_look *look, size_t line)
{
	const struct document *doc = look->doc;

	switch (document_line_kind(doc, line)) {
	case LINE_COMMENT: return ROLE_COMMENT;
	case LINE_ANNOTATION: return ROLE_ANNOTATION;
	case LINE_BAD: return ROLE_BAD;
	case LINE_STEP:
		if (is_of_selected(look, document_line_step(doc, line)))
			return ROLE_RELATED;
		return ROLE_NORMAL;
	default: return ROLE_NORMAL;
	}
}

/* Draws the row's number. Lines joined by commas share it; it is shown once. */
static void
draw_line_number(const struct document *doc, struct area *a, int y, size_t line)
{
	size_t row, column;
	char buf[UNITS_LEN];

	document_position(doc, line, 0, &row, &column);
	/* A longer number is rounded. */
	snprintf(buf, sizeof(buf), "%zu", row);
	if (column == 1 && row >= 1000000)
		put_mark_count(a, y, 0, LINE_COLS - 1, ROLE_DIM, row);
	else if (column == 1)
		put_right(a, y, 0, LINE_COLS - 1, ROLE_DIM, buf);
	else
		put_right(a, y, 0, LINE_COLS - 1, ROLE_DIM, ",");
}

/* Draws the number by which names of batches call the step. */
static void
draw_step_number(const struct document *doc, struct area *a, int y, size_t line)
{
	enum line_kind kind = document_line_kind(doc, line);
	char buf[UNITS_LEN];

	if (kind != LINE_STEP && kind != LINE_BAD)
		return;
	put_right(a, y, LINE_COLS, STEP_COLS - 1, ROLE_LABEL,
	    format_count_brief(buf, document_step_of_line(doc, line)));
}

void
line_draw_margin(
    const struct line_look *look, struct area *a, int y, size_t line)
{
	struct step_marks marks = marks_of_line(look->marks, line);

	draw_line_number(look->doc, a, y, line);
	if (step_columns(a->r.w) > 0)
		draw_step_number(look->doc, a, y, line);
	if (mark_columns(a->r.w) > 0)
		draw_counts(a, y, &marks);
	draw_sign(a, y, lines_text_column(a) - 2, &marks);
}

void
line_draw(const struct line_look *look, struct area *a, int y, size_t line)
{
	int x = lines_text_column(a);
	size_t len;
	const char *text = document_line_text(look->doc, line, &len);

	line_draw_margin(look, a, y, line);
	put_cut_skip(
	    a, y, x, a->r.w - x, line_role(look, line), text, len, look->skip);
}

void
line_draw_matches(
    const struct line_look *look, struct area *a, int y, size_t line)
{
	const char *search = look->env->search;
	struct needle needle = needle_of(search, strlen(search));
	size_t len;
	const char *text = document_line_text(look->doc, line, &len);

	paint_matches(
	    a, y, lines_text_column(a), text, len, look->skip, &needle);
}

static struct caret_line
carets_of_line(const struct line_look *look, const struct area *a, size_t line)
{
	struct caret_line w = {.x = lines_text_column(a), .skip = look->skip};

	w.list = document_line_diagnostics(look->doc, line, &w.n);
	w.text = document_line_text(look->doc, line, &w.len);
	return w;
}

/* As carets_of_line(), for the run's diagnostics, which are in order of lines. */
static struct caret_line
carets_of_run(const struct line_look *look, const struct area *a, size_t line)
{
	struct caret_line w = carets_of_line(look, a, line);
	const struct diag_list *all = look->of_run;
	size_t from = lower_bound(i, 0, all->n, all->list[i].line < line);

	w.n = lower_bound(i, from, all->n, all->list[i].line <= line) - from;
	w.list = w.n > 0 ? &all->list[from] : NULL;
	return w;
}

int
line_rows(const struct line_look *look, size_t line)
{
	struct caret_line w = carets_of_line(look, look->area, line);
	struct caret_line of_run = carets_of_run(look, look->area, line);

	return 1 + caret_rows(&w, look->area) + caret_rows(&of_run, look->area);
}

int
line_draw_diagnostics(
    const struct line_look *look, struct area *a, int y, size_t line)
{
	struct caret_line w = carets_of_line(look, a, line);
	struct caret_line of_run = carets_of_run(look, a, line);

	return caret_draw(&of_run, a, caret_draw(&w, a, y));
}
