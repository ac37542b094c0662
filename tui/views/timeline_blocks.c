/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A row of the timeline: a bar for each column in the colour of its context, or
 * the look of another use of the engine; edges where two blocks meet; labels on
 * the blocks; and signs where a batch left the engine before its end.
 */
#include <stdio.h>

#include "base/text.h"
#include "base/units.h"
#include "tui/views/context_colours.h"
#include "tui/views/timeline.h"
#include "tui/views/uses.h"

#define NAME_COLS TIMELINE_NAME_COLS
#define MIN_BLOCK 4      /* columns of a block that has a sign at its end */
#define FULL      0.875F /* share from which a column is drawn full */

static enum role
block_role(const struct view_env *env, const struct trail_request *r)
{
	if (r == NULL)
		return ROLE_DIM;
	return r->error != 0
	    ? ROLE_BAD
	    : context_colour(env->colours, r->client, r->context);
}

static const struct trail_request *
request_of_cell(const struct timeline *v, const struct view_env *env, int col)
{
	return trail_request(trail_of(env), v->cells[col].request);
}

/* Returns a bar as high as the share of the column in which a batch ran. */
wchar_t
timeline_bar(const struct screen *s, float share, bool several)
{
	static const wchar_t bars[] = L"▁▂▃▄▅▆▇█";
	int level = (int)(share * 8);

	if (!s->unicode)
		return share < 0.5F ? L'.' : several ? L'+' : L'#';
	return bars[level > 7 ? 7 : level < 0 ? 0 : level];
}

/* Returns the use that has most of the column. Only running has bars: another
 * use that fills the cell must have half of it, unless nothing ran. */
static enum engine_use
main_use(const struct timeline_cell *c)
{
	int most = USE_RUNNING;

	for (int use = 0; use < N_USES; use++)
		if (c->shares[use] > c->shares[most])
			most = use;
	return c->shares[most] < 0.5F && c->shares[USE_RUNNING] > 0
	    ? USE_RUNNING
	    : (enum engine_use)most;
}

static bool
runs_mostly(const struct timeline_cell *c)
{
	return main_use(c) == USE_RUNNING && c->shares[USE_RUNNING] > 0;
}

/* Returns the number of cells from col on that have the same span as their main
 * one. */
static int
visible_length(const struct timeline *v, int col)
{
	int n = 1;

	while (col + n < v->axis.cols &&
	    v->cells[col + n].span == v->cells[col].span)
		n++;
	return n;
}

/* True if two blocks meet at the left of the column. A column that several
 * requests share has no edge, but for one that goes on after it. */
static bool
has_edge(const struct timeline *v, int col)
{
	const struct timeline_cell *c = &v->cells[col];

	if (col == 0 || !runs_mostly(c) || !runs_mostly(c - 1) ||
	    c->span == c[-1].span || c->shares[USE_RUNNING] < FULL ||
	    c[-1].shares[USE_RUNNING] < FULL)
		return false;
	return !c->several || visible_length(v, col) > 1;
}

static void
draw_block_cell(const struct timeline *v, const struct view_env *env,
    struct area *a, int y, int col)
{
	const struct timeline_cell *c = &v->cells[col];
	const struct trail_request *r = request_of_cell(v, env, col);
	enum engine_use use = main_use(c);
	bool unicode = a->screen->unicode;
	int x = NAME_COLS + col;

	if (c->unknown && r == NULL)
		put_char(a, y, x, ROLE_DIM, unicode ? L'┄' : L'?');
	else if (c->shares[use] <= 0)
		return;
	else if (use != USE_RUNNING)
		put_block(a, y, x, use_role(use), use_glyph(use, unicode));
	else if (has_edge(v, col))
		put_block(a, y, x, block_role(env, r), unicode ? L'▐' : L'|');
	else
		put_block(a, y, x, block_role(env, r),
		    timeline_bar(
			a->screen, c->shares[USE_RUNNING], c->several));
}

/* Returns the number of cells from col on that one span has alone. */
static int
block_length(const struct timeline *v, int col)
{
	int n = 1;

	while (col + n < v->axis.cols && !v->cells[col + n].several &&
	    v->cells[col + n].span == v->cells[col].span)
		n++;
	return n;
}

/* Puts text on a block. ASCII blocks are made of characters, so that text there
 * needs no ground. */
static void
put_on_block(
    struct area *a, int y, int col, enum role role, const struct text *label)
{
	int len = (int)label->len;

	put(a, y, NAME_COLS + col, len, role, text_str(label));
	if (a->screen->unicode)
		paint_on_block(a, y, NAME_COLS + col, len, role);
}

/* Appends how long the batch ran in the span, if that is over. */
static void
add_run_length(struct text *label, const struct trail_span *s)
{
	char buf[UNITS_LEN];

	if (s != NULL && s->end_ns != NSEC_NEVER && s->begin_ns < s->end_ns)
		text_addf(label, " %s",
		    format_duration(buf, s->end_ns - s->begin_ns));
}

/* Prints the longest label of the batch that is narrower than length columns:
 * its name with its line and how long it ran, the name alone, or the context.
 * One client alone is not named. */
static void
choose_label(const struct view_env *env, const struct trail_request *r,
    const struct trail_span *s, int length, struct text *label)
{
	bool several = env->session->run.sim->n_clients > 1;
	struct batch_name name = batch_name_past(r);

	batch_name_short(&name, several, label);
	add_run_length(label, s);
	if ((int)label->len + 2 <= length)
		return;
	text_clear(label);
	batch_name_short(&name, several, label);
	if ((int)label->len + 2 <= length)
		return;
	text_clear(label);
	batch_name_tight(&name, several, label);
	if ((int)label->len + 2 <= length)
		return;
	text_clear(label);
	text_addf(label, "%u", r->context);
}

/* Draws a label after the block's edge, where the batch has most of the column,
 * and before its last column. */
static void
draw_label(const struct timeline *v, const struct view_env *env, struct area *a,
    int y, unsigned engine, int col, int length)
{
	const struct trail_request *r = request_of_cell(v, env, col);
	const struct trail_span *s = trail_span(
	    trail_of(env), engine, v->cells[col].span);
	struct text label = {0};
	int at = has_edge(v, col);

	if (r == NULL)
		return;
	choose_label(env, r, s, length, &label);
	if ((int)label.len + 2 <= length)
		at = 1;
	while (at < length && v->cells[col + at].shares[USE_RUNNING] < 0.5F)
		at++;
	if (at + (int)label.len < length)
		put_on_block(a, y, col + at, block_role(env, r), &label);
	text_free(&label);
}

static void
draw_labels(const struct timeline *v, const struct view_env *env,
    struct area *a, int y, unsigned engine)
{
	int n;

	for (int col = 0; col < v->axis.cols; col += n) {
		const struct timeline_cell *c = &v->cells[col];

		n = 1;
		if (c->request == 0 || c->several || !runs_mostly(c))
			continue;
		n = block_length(v, col);
		draw_label(v, env, a, y, engine, col, n);
	}
}

/* Puts brackets around a selected block of n columns, or a sign on a column. */
static void
put_selection(const struct timeline *v, const struct view_env *env,
    struct area *a, int y, int col, int n)
{
	enum engine_use use = main_use(&v->cells[col]);
	enum role role = use == USE_RUNNING
	    ? block_role(env, request_of_cell(v, env, col))
	    : use_role(use);
	struct text sign = {0};

	if (n > 1) {
		text_addc(&sign, ']');
		put_on_block(a, y, col + n - 1, role, &sign);
		text_clear(&sign);
		text_addc(&sign, '[');
		put_on_block(a, y, col, role, &sign);
	} else {
		put_char(a, y, NAME_COLS + col, role,
		    selection_sign(a->screen->unicode));
		if (a->screen->unicode)
			paint_on_block(a, y, NAME_COLS + col, 1, role);
	}
	text_free(&sign);
}

static void
draw_selection(
    const struct timeline *v, const struct view_env *env, struct area *a, int y)
{
	int n;

	for (int col = 0; col < v->axis.cols; col += n) {
		const struct timeline_cell *c = &v->cells[col];

		n = visible_length(v, col);
		if (c->request != 0 &&
		    selects_request(env->selection, env->session, c->request))
			put_selection(v, env, a, y, col, n);
	}
}

/* Returns the number of cells up to col that its span has alone. */
static int
block_length_before(const struct timeline *v, int col)
{
	int n = 1;

	while (n <= col && !v->cells[col - n].several &&
	    v->cells[col - n].span == v->cells[col].span)
		n++;
	return n;
}

static void
put_leaving(const struct timeline *v, const struct view_env *env,
    struct area *a, int y, int col, bool reset, char sign)
{
	const struct trail_request *r = request_of_cell(v, env, col);
	int x = NAME_COLS + col;

	put_char(a, y, x, reset ? ROLE_BAD : ROLE_WARN, (wchar_t)sign);
	if (a->screen->unicode && r != NULL &&
	    v->cells[col].shares[USE_RUNNING] >= 0.5F)
		paint_on_block(a, y, x, 1, block_role(env, r));
}

/* Draws a sign where a block ends although its batch had not. Short blocks have
 * none, except after a reset, so that signs do not hide the blocks. */
static void
draw_leavings(const struct timeline *v, const struct view_env *env,
    struct area *a, int y, unsigned engine)
{
	static const char signs[N_LEAVINGS] = {
	    [LEAVING_PREEMPTED] = '>',
	    [LEAVING_SLICE] = '/',
	    [LEAVING_YIELDED] = '~',
	    [LEAVING_RESET] = 'X',
	};

	for (int col = 0; col < v->axis.cols; col++) {
		const struct timeline_cell *c = &v->cells[col];
		const struct trail_span *s = trail_span(
		    trail_of(env), engine, c->span);
		bool reset;

		if (!c->last || s == NULL || signs[s->leaving] == 0)
			continue;
		reset = s->leaving == LEAVING_RESET;
		if (reset || block_length_before(v, col) >= MIN_BLOCK)
			put_leaving(
			    v, env, a, y, col, reset, signs[s->leaving]);
	}
}

void
timeline_draw_blocks(struct timeline *v, const struct view_env *env,
    struct area *a, int y, unsigned engine)
{
	timeline_row(trail_of(env), engine, &v->axis, now_of(env), v->cells);
	for (int col = 0; col < v->axis.cols; col++)
		draw_block_cell(v, env, a, y, col);
	draw_labels(v, env, a, y, engine);
	draw_selection(v, env, a, y);
	draw_leavings(v, env, a, y, engine);
}
