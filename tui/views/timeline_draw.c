/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How the Timeline view looks: title, ticks, a row of blocks for each engine,
 * events, and the details of the block under the cursor.
 */
#include <stdio.h>

#include "base/text.h"
#include "base/units.h"
#include "tui/views/timeline.h"
#include "tui/views/uses.h"

#define NAME_COLS TIMELINE_NAME_COLS
#define TICK_COLS 12
#define MIN_BLOCK 4 /* columns of a block that has a sign at its end */
/* height of the view from which on it has ticks, events and details */
#define MIN_ALL_ROWS 6

static void
draw_timeline_title(
    const struct timeline *v, const struct view_env *env, struct area *a)
{
	char column[UNITS_LEN], from[UNITS_LEN], to[UNITS_LEN];
	enum role role = view_title_role(env);
	nsec right = axis_right(&v->axis), now = now_of(env);

	fill(a, 0, 0, a->r.w, role);
	format_duration(column, v->axis.column);
	format_time(from, v->axis.left);
	format_time(to, right < now ? right : now);
	putf(a, 0, VIEW_NUMBER_COLS, a->r.w, role, "%s to %s, %s a column, %s",
	    from, to, column, v->follow ? "live" : "held (F follows)");
}

/* Draws times at round distances. */
static void
draw_ticks(const struct timeline *v, struct area *a, int y)
{
	int every = axis_tick(&v->axis, TICK_COLS);
	int first = every - (int)(v->axis.left / v->axis.column % (nsec)every);
	char buf[UNITS_LEN];

	for (int col = first % every; col < v->axis.cols; col += every) {
		put_char(a, y, NAME_COLS + col, ROLE_DIM,
		    a->screen->unicode ? L'╷' : L'|');
		put(a, y, NAME_COLS + col + 1, every - 1, ROLE_DIM,
		    format_time(buf, axis_time(&v->axis, col)));
	}
}

static enum role
context_role(const struct trail_request *r)
{
	return theme_context_role(r->client, r->context);
}

/* Returns a bar as high as the column's busy share. */
static wchar_t
busy_sign(const struct screen *s, const struct timeline_cell *c)
{
	static const wchar_t bars[] = L"▁▂▃▄▅▆▇█";
	int level = (int)(c->shares[USE_RUNNING] * 8);

	if (!s->unicode)
		return c->shares[USE_RUNNING] < 0.5F ? L'.'
		    : c->several                     ? L'+'
						     : L'#';
	return bars[level > 7 ? 7 : level < 0 ? 0 : level];
}

/* Returns the use that has most of the column. */
static enum engine_use
main_use(const struct timeline_cell *c)
{
	int most = USE_RUNNING;

	for (int use = 0; use < N_USES; use++)
		if (c->shares[use] > c->shares[most])
			most = use;
	return (enum engine_use)most;
}

static bool
runs_mostly(const struct timeline_cell *c)
{
	return main_use(c) == USE_RUNNING && c->shares[USE_RUNNING] > 0;
}

static void
draw_cell(const struct timeline *v, const struct view_env *env, struct area *a,
    int y, int col)
{
	const struct timeline_cell *c = &v->cells[col];
	const struct trail_request *r = trail_request(
	    trail_of(env), c->request);
	bool unicode = a->screen->unicode;
	int x = NAME_COLS + col;

	if (c->unknown && r == NULL)
		put_char(a, y, x, ROLE_DIM, unicode ? L'┄' : L'?');
	else if (c->shares[main_use(c)] <= 0)
		return;
	else if (!runs_mostly(c))
		put_char(a, y, x, use_role(main_use(c)),
		    use_glyph(main_use(c), unicode));
	else if (r == NULL)
		put_char(a, y, x, ROLE_DIM, busy_sign(a->screen, c));
	else
		put_char(a, y, x, r->error != 0 ? ROLE_BAD : context_role(r),
		    busy_sign(a->screen, c));
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

/* Draws the name of the block's batch, its line too where it fits; one client
 * alone is not named. False: it does not fit. */
static bool
put_batch_label(const struct view_env *env, struct area *a, int y, int col,
    int length, const struct trail_request *r)
{
	struct batch_name name = batch_name_past(r);
	bool several = env->session->run.sim->n_clients > 1;
	struct text label = {0};
	bool fits;

	batch_name_short(&name, several, &label);
	if ((int)label.len + 2 > length) {
		text_clear(&label);
		batch_name_tight(&name, several, &label);
	}
	fits = (int)label.len + 2 <= length;
	if (fits)
		put(a, y, NAME_COLS + col + 1, (int)label.len, ROLE_STRONG,
		    text_str(&label));
	text_free(&label);
	return fits;
}

static void
draw_label(const struct timeline *v, const struct view_env *env, struct area *a,
    int y, int col, int length)
{
	const struct trail_request *r = trail_request(
	    trail_of(env), v->cells[col].request);
	char label[16];
	int len, at = 0;

	if (r == NULL || put_batch_label(env, a, y, col, length, r))
		return;
	/* A context number tells blocks apart without colours; it is not put
	 * where the request has less than half of the column. */
	len = snprintf(label, sizeof(label), "%u", r->context);
	while (at < length && v->cells[col + at].shares[USE_RUNNING] < 0.5F)
		at++;
	if (at + len < length)
		put(a, y, NAME_COLS + col + at, len, ROLE_STRONG, label);
}

static void
draw_labels(
    const struct timeline *v, const struct view_env *env, struct area *a, int y)
{
	int n;

	for (int col = 0; col < v->axis.cols; col += n) {
		const struct timeline_cell *c = &v->cells[col];

		n = 1;
		if (c->request == 0 || c->several || !runs_mostly(c))
			continue;
		n = block_length(v, col);
		draw_label(v, env, a, y, col, n);
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

		if (!c->last || s == NULL || signs[s->leaving] == 0)
			continue;
		if (s->leaving == LEAVING_RESET ||
		    block_length_before(v, col) >= MIN_BLOCK)
			put_char(a, y, NAME_COLS + col,
			    s->leaving == LEAVING_RESET ? ROLE_BAD : ROLE_WARN,
			    (wchar_t)signs[s->leaving]);
	}
}

static void
draw_timeline_cursor(const struct timeline *v, const struct view_env *env,
    struct area *a, int y, bool own_row)
{
	int col = axis_column(&v->axis, v->cursor);

	if (col >= 0 && col < v->axis.cols && own_row)
		paint(a, y, NAME_COLS + col, 1,
		    env->focus ? ROLE_SELECTED_FOCUS : ROLE_SELECTED);
}

static void
draw_timeline_engine(struct timeline *v, const struct view_env *env,
    struct area *a, int y, unsigned engine)
{
	const struct sim *sim = env->session->run.sim;
	bool own = engine == engine_of(v);

	timeline_row(trail_of(env), engine, &v->axis, sim->now, v->cells);
	put(a, y, 0, NAME_COLS - 1, own ? ROLE_STRONG : ROLE_LABEL,
	    sim->device.engines[engine].name);
	for (int col = 0; col < v->axis.cols; col++)
		draw_cell(v, env, a, y, col);
	draw_labels(v, env, a, y);
	draw_leavings(v, env, a, y, engine);
	if (own && env->focus)
		paint(a, y, 0, NAME_COLS - 1, ROLE_SELECTED_FOCUS);
	draw_timeline_cursor(v, env, a, y, own);
}

/* Draws missed periods and hangs. */
static void
draw_marks(
    const struct timeline *v, const struct view_env *env, struct area *a, int y)
{
	const struct trail *t = trail_of(env);
	nsec right = axis_right(&v->axis);
	struct trail_range misses = trail_misses(t, v->axis.left, right);
	struct trail_range hangs = trail_hangs(t, v->axis.left, right);

	put(a, y, 0, NAME_COLS - 1, ROLE_LABEL, "events");
	for (uint64_t i = misses.first; i < misses.end; i++)
		put_char(a, y,
		    NAME_COLS +
			axis_column(&v->axis, trail_miss(t, i)->came_ns),
		    ROLE_BAD, L'M');
	for (uint64_t i = hangs.first; i < hangs.end; i++)
		put_char(a, y,
		    NAME_COLS + axis_column(&v->axis, trail_hang(t, i)->time),
		    ROLE_BAD, L'H');
	draw_timeline_cursor(v, env, a, y, true);
}

static void
add_times(struct text *out, const struct trail_request *r,
    const struct trail_span *s, nsec now)
{
	char a[UNITS_LEN], b[UNITS_LEN], c[UNITS_LEN];
	nsec end = s->end_ns < now ? s->end_ns : now;

	text_addf(out, ", %s to ", format_time(a, s->taken_ns));
	if (s->end_ns == NSEC_NEVER)
		text_adds(out, "now");
	else
		text_addf(out, "%s (%s)", format_time(b, s->end_ns),
		    trail_leaving_name((enum leaving)s->leaving));
	text_addf(out, ": %s", format_duration(c, end - s->taken_ns));
	if (r->duration_ns != NSEC_NEVER)
		text_addf(out, " of %s", format_duration(a, r->duration_ns));
	text_addf(out, ", priority %d", r->priority);
	if (s->begin_ns > s->taken_ns && s->begin_ns != NSEC_NEVER)
		text_addf(out, ", %s switching",
		    format_duration(b, s->begin_ns - s->taken_ns));
}

/* Prints what the block under the cursor is, with its workload if that has no
 * row of its own. */
static void
describe_block(const struct timeline *v, const struct view_env *env,
    bool workload, struct text *out)
{
	const struct trail *t = trail_of(env);
	unsigned engine = engine_of(v);
	const struct trail_span *s = trail_span(
	    t, engine, trail_span_at(t, engine, v->cursor));
	const struct trail_request *r = s != NULL ? trail_request(t, s->request)
						  : NULL;
	char buf[UNITS_LEN];

	text_addf(out, "%s  %s: ", format_time(buf, v->cursor),
	    env->session->run.sim->device.engines[engine].name);
	if (v->cursor > now_of(env))
		text_adds(out, "in the future");
	else if (s == NULL)
		text_adds(out,
		    v->cursor < trail_since(t) ? "no longer recorded" : "idle");
	else if (r == NULL)
		text_adds(out, "request no longer recorded");
	else {
		if (workload &&
		    layer_watch_at(&env->session->layer, t, s, v->cursor, out))
			text_adds(out, "; ");
		session_name_past(env->session, r, out);
		text_addf(
		    out, ", iteration %llu", (unsigned long long)r->iteration);
		add_times(out, r, s, now_of(env));
	}
}

/* Draws the workload under the cursor in the row above the details. */
static void
draw_workload(
    const struct timeline *v, const struct view_env *env, struct area *a, int y)
{
	const struct trail *trail = trail_of(env);
	const struct trail_span *s = trail_span(
	    trail, engine_of(v), trail_span_at(trail, engine_of(v), v->cursor));
	struct text t = {0};

	put(a, y, 0, TIMELINE_NAME_COLS, ROLE_LABEL, "does");
	if (s != NULL && v->cursor <= now_of(env) &&
	    layer_watch_at(&env->session->layer, trail, s, v->cursor, &t))
		put(a, y, TIMELINE_NAME_COLS, a->r.w, ROLE_ANNOTATION,
		    text_str(&t));
	text_free(&t);
}

static void
draw_detail(const struct timeline *v, const struct view_env *env,
    struct area *a, int y, bool workload)
{
	struct text t = {0};

	describe_block(v, env, workload, &t);
	put_cut(a, y, 0, a->r.w, ROLE_NORMAL, text_str(&t));
	text_free(&t);
}

/* Sets the width of the axis and, in follow mode, its end. */
void
timeline_draw_all(
    struct timeline *v, const struct view_env *env, struct area *a)
{
	int engines = (int)env->session->run.sim->device.n_engines;
	bool all = a->r.h >= MIN_ALL_ROWS;
	/* The workload gets a row unless an engine would lose its own. */
	bool own = a->r.h - 1 - TIMELINE_EXTRA_ROWS > engines &&
	    timeline_extra_rows(env) > TIMELINE_EXTRA_ROWS;
	int y = 1, rows = a->r.h - 1 - (all ? TIMELINE_EXTRA_ROWS : 0) - own;

	list_fit(&v->list, (size_t)engines, rows);
	draw_timeline_title(v, env, a);
	if (all)
		draw_ticks(v, a, y++);
	v->first_y = y;
	for (size_t e = v->list.top; e < v->list.n && rows-- > 0; e++)
		draw_timeline_engine(v, env, a, y++, (unsigned)e);
	if (!all)
		return;
	draw_marks(v, env, a, y);
	if (own)
		draw_workload(v, env, a, a->r.h - 2);
	draw_detail(v, env, a, a->r.h - 1, !own);
}
