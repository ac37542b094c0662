/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the contexts table looks. Only lines on the screen are drawn. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "tui/views/contexts.h"
#include "tui/views/selection.h"
#include "tui/views/view.h"

#define NARROW_COLS 60
#define PLACE_COLS  6 /* at least for the place, in a narrow list of more */

/* Which columns fit, that of the order in any case, and how wide the last one is that takes the rest. */
static void
fit_columns(int width, bool compared, int sort, int widths[N_COLUMNS])
{
	int used = 0;

	memset(widths, 0, N_COLUMNS * sizeof(*widths));
	for (int level = 0; level < N_COLUMNS; level++)
		for (int i = 0; i < N_COLUMNS; i++) {
			const struct column_info *info = &context_columns[i];

			if ((i == sort ? 0 : info->importance) != level ||
			    (info->compared && !compared) ||
			    used + info->width > width)
				continue;
			widths[i] = info->width;
			used += info->width;
		}
	/* What is left goes to the columns of text. */
	if (widths[COLUMN_ENGINES] > 0 && widths[COLUMN_WORKLOAD] > 0) {
		int more = (width - used) / 2;

		widths[COLUMN_ENGINES] += more;
		used += more;
	}
	if (widths[COLUMN_WORKLOAD] > 0)
		widths[COLUMN_WORKLOAD] += width - used;
	else if (widths[COLUMN_ENGINES] > 0)
		widths[COLUMN_ENGINES] += width - used;
}

static void
put_cell(struct area *a, int y, int x, int width,
    const struct column_info *info, enum role role, const char *text)
{
	if (info->left)
		put_cut(a, y, x + 2, width - 2, role, text);
	else
		put_right(a, y, x + (x > 0), width - (x > 0), role, text);
}

/* The name of the column that is sorted by, and which way. */
static void
draw_sorted_title(const struct contexts *c, struct area *a, int x, int width)
{
	const struct column_info *info = &context_columns[c->table.sort];
	bool down = info->descends != c->table.inverted;
	const char *sign = a->screen->unicode ? (down ? "▾" : "▴")
					      : (down ? "v" : "^");
	char title[32];

	snprintf(title, sizeof(title), "%s%s%s", info->left ? "" : sign,
	    info->title, info->left ? sign : "");
	put_cell(a, 0, x, width, info, ROLE_SORTED, title);
}

static void
draw_contexts_title(
    const struct contexts *c, const struct view_env *env, struct area *a)
{
	enum role role = view_title_role(env);
	bool beside = env->session->baseline.kind == BASELINE_SHADOW;
	int x = 0;

	fill(a, 0, 0, a->r.w, role);
	for (int i = 0; i < N_COLUMNS; x += c->widths[i], i++) {
		const struct column_info *info = &context_columns[i];

		if (c->widths[i] > 0 && (int)c->table.sort == i)
			draw_sorted_title(c, a, x, c->widths[i]);
		else if (c->widths[i] > 0)
			put_cell(a, 0, x, c->widths[i], info, role,
			    beside && info->title_beside != NULL
				? info->title_beside
				: info->title);
	}
	list_draw_place(&c->list, a, role);
}

bool
contexts_have_notes(const struct contexts *c, const struct view_env *env)
{
	return baseline_name(env->session) != NULL ||
	    table_is_filtered(&c->table) || c->stays ||
	    tags_count(env->tags) > 0;
}

/* What is compared with what, in a sentence. */
static void
draw_reference(const struct session *s, struct area *a, int x)
{
	const char *name = baseline_name(s);
	struct rates live, other;
	char buf[UNITS_LEN], text[256];
	int n;

	if (name == NULL || !baseline_totals(s, &live, &other))
		return;
	x += put(a, 1, x, a->r.w, ROLE_LABEL, "against ");
	x += put(a, 1, x, a->r.w, ROLE_STRONG, name);
	if (baseline_problem(s) != NULL) {
		snprintf(text, sizeof(text), ", which could not follow: %s",
		    baseline_problem(s));
		put_cut(a, 1, x, a->r.w, ROLE_BAD, text);
		return;
	}
	if (s->run.sim->now == baseline_since(s)) {
		put_cut(a, 1, x, a->r.w, ROLE_NORMAL, ": nothing has run yet");
		return;
	}
	n = snprintf(text, sizeof(text),
	    ": workloads/s %.1f (%.1f), misses/s %.1f (%.1f), %s %s",
	    live.iterations, other.iterations, live.missed, other.missed,
	    s->baseline.kind == BASELINE_SHADOW ? "in" : "in the last",
	    format_duration(buf, s->run.sim->now - baseline_since(s)));
	if (n > a->r.w - x)
		snprintf(text, sizeof(text),
		    ": miss/s %.1f (%.1f), w/s %.1f (%.1f)", live.missed,
		    other.missed, live.iterations, other.iterations);
	put_cut(a, 1, x, a->r.w, ROLE_NORMAL, text);
}

static void
draw_notes(const struct contexts *c, const struct view_env *env, struct area *a)
{
	const struct context_table *t = &c->table;
	const char *filter = contexts_filter(&c->view);
	int x = 1, progress = table_progress(t);

	if (*filter != 0) {
		x += put(a, 1, x, a->r.w, ROLE_LABEL, "filter ");
		x += put(a, 1, x, a->r.w - 30, ROLE_STRONG, filter) + 2;
	}
	if (t->hide_idle)
		x += put(a, 1, x, a->r.w, ROLE_LABEL, "idle hidden") + 2;
	if (progress < 100)
		x += putf(a, 1, x, a->r.w, ROLE_WARN, "filtering %d %%",
			 progress) +
		    2;
	else if (table_is_filtered(t))
		x += putf(a, 1, x, a->r.w, ROLE_NORMAL, "%zu of %zu", t->n_kept,
			 t->n_rows) +
		    2;
	if (tags_count(env->tags) > 0)
		x += putf(a, 1, x, a->r.w, ROLE_TAGGED, "%zu tagged",
			 tags_count(env->tags)) +
		    2;
	if (c->stays)
		x += put(a, 1, x, a->r.w, ROLE_LABEL, "follow off") + 2;
	draw_reference(env->session, a, x);
}

/* Less latency and fewer misses are good; of less than a twentieth nothing is
 * said. */
static enum role
change_role(const struct difference *d, int column)
{
	double live = 0, other = 0;

	if (column == COLUMN_NOW_MISSES) {
		live = d->live.missed;
		other = d->other.missed;
	} else if (column == COLUMN_NOW_LATENCY) {
		live = (double)d->live.mean_ns;
		other = (double)d->other.mean_ns;
	} else if (column == COLUMN_NOW_P99) {
		live = (double)d->live.p99_ns;
		other = (double)d->other.p99_ns;
	}
	if (!d->known || live == other)
		return ROLE_NORMAL;
	return live < other * 0.95 ? ROLE_GOOD
	    : live > other * 1.05  ? ROLE_BAD
				   : ROLE_NORMAL;
}

static enum role
cell_role(const struct context_cell *cell, int column)
{
	const struct context_line *row = cell->row;
	const struct client *client = row->context->client;

	if (client->state == CLIENT_ENDED)
		return ROLE_DIM;
	if (column == COLUMN_MISSES && client->period.missed > 0)
		return ROLE_BAD;
	if (column == COLUMN_STATE && row->context->ban.banned)
		return ROLE_BAD;
	if (column == COLUMN_BUSY && row->busy.busy > 0)
		return ROLE_STRONG;
	return cell->difference != NULL && context_columns[column].compared
	    ? change_role(cell->difference, column)
	    : ROLE_NORMAL;
}

/* Of a context in the tree, its client stands above, with what is the
 * client's. */
static bool
is_told_above(const struct contexts *c, int column)
{
	return c->table.tree &&
	    (column == COLUMN_CLIENT || column == COLUMN_MISSES);
}

void
contexts_print(struct contexts *c, size_t line, int column,
    const struct context_cell *cell)
{
	const struct column_info *info = &context_columns[column];
	size_t client;

	text_clear(&c->text);
	if (!table_is_client(&c->table, line, &client)) {
		if (!is_told_above(c, column))
			info->print(&c->text, cell);
	} else if (info->print_client != NULL) {
		info->print_client(&c->text, cell);
	}
}

struct context_cell
contexts_cell(const struct contexts *c, const struct session *s, size_t line)
{
	struct context_cell cell = {
	    .session = s, .row = table_row(&c->table, line)};
	size_t client;

	table_is_client(&c->table, line, &client);
	cell.client_busy = &c->table.clients[client].busy;
	cell.facts = table_facts(s, cell.row->context);
	return cell;
}

/* Is it folded, or the last of its client? Is it tagged? */
static void
draw_signs(const struct contexts *c, const struct view_env *env, struct area *a,
    int y, size_t line)
{
	const struct context *context = table_row(&c->table, line)->context;
	bool unicode = a->screen->unicode;
	size_t client, next;

	if (table_is_client(&c->table, line, &client)) {
		bool folded = c->table.folded[client];

		put_char(a, y, 0, ROLE_STRONG,
		    unicode ? (folded ? L'▸' : L'▾') : (folded ? L'+' : L'-'));
		paint(a, y, 1, c->widths[COLUMN_CLIENT], ROLE_STRONG);
		return;
	}
	if (c->table.tree) {
		bool last = line + 1 == c->table.n_lines ||
		    table_is_client(&c->table, line + 1, &next);

		put_char(a, y, c->widths[COLUMN_CLIENT] - 1, ROLE_DIM,
		    unicode ? (last ? L'└' : L'├') : (last ? L'`' : L'|'));
	}
	if (!tags_has(env->tags, context->client->id, context->index))
		return;
	paint(a, y, 0, c->widths[COLUMN_CLIENT] + c->widths[COLUMN_CONTEXT],
	    ROLE_TAGGED);
	put_char(a, y, 0, ROLE_TAGGED, unicode ? L'•' : L'*');
}

static void
draw_context(struct contexts *c, const struct view_env *env, struct area *a,
    int y, size_t line)
{
	struct context_cell cell = contexts_cell(c, env->session, line);
	struct difference d;
	int x = 0;

	if (baseline_name(env->session) != NULL) {
		d = baseline_context(env->session, cell.row->context);
		cell.difference = &d;
	}
	table_sample_first(&c->table, env->session, line);
	for (int i = 0; i < N_COLUMNS; x += c->widths[i], i++) {
		if (c->widths[i] == 0)
			continue;
		contexts_print(c, line, i, &cell);
		put_cell(a, y, x, c->widths[i], &context_columns[i],
		    cell_role(&cell, i), text_str(&c->text));
	}
	draw_signs(c, env, a, y, line);
	if (line == c->list.cursor)
		paint(a, y, 0, a->r.w,
		    env->focus ? ROLE_SELECTED_FOCUS : ROLE_SELECTED);
}

void
contexts_draw_table(
    struct contexts *c, const struct view_env *env, struct area *a)
{
	bool all = c->list.n <= c->list.height;
	int room = all || a->r.w >= NARROW_COLS ? a->r.w : a->r.w - PLACE_COLS;

	fit_columns(room, baseline_name(env->session) != NULL,
	    (int)c->table.sort, c->widths);
	draw_contexts_title(c, env, a);
	if (c->first_y > 1)
		draw_notes(c, env, a);
	for (size_t i = 0; i < c->list.height; i++)
		if (c->list.top + i < c->list.n)
			draw_context(
			    c, env, a, (int)i + c->first_y, c->list.top + i);
}
