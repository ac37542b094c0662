/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The columns of the Engines view: name, load against time, and what runs now.
 * engine_columns[] has a row for each.
 */
#include "tui/views/engines.h"

#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "tui/views/uses.h"

/* ---- Columns: name and load ---- */

static int
measure_name(const void *table, int table_width)
{
	const struct engines *e = table;
	const struct device *dev = &e->session->run.sim->device;
	size_t longest = e->by_class ? sizeof("VECS x16") - 1 : 5;

	(void)table_width;
	for (unsigned i = 0; i < dev->n_engines && !e->by_class; i++)
		if (strlen(dev->engines[i].name) > longest)
			longest = strlen(dev->engines[i].name);
	return VIEW_NUMBER_COLS + (int)longest + 1;
}

static void
heading_name(
    struct text *out, const struct column *column, int width, const void *table)
{
	const struct engines *e = table;

	(void)width;
	text_adds(out, e->by_class ? "CLASS" : column->title);
}

static void
print_name(struct text *out, const void *row)
{
	const struct engine_cell *cell = row;

	if (!cell->engines->by_class)
		text_adds(out, cell->first->name);
	else if (cell->group.n == 1)
		text_adds(out, engine_class_names[cell->first->class]);
	else
		text_addf(out, "%s x%u", engine_class_names[cell->first->class],
		    cell->group.n);
}

static enum role
role_name_column(const void *row)
{
	(void)row;
	return ROLE_LABEL;
}

/* Names the rows that are shown when not all of them are. */
static void
heading_meter(
    struct text *out, const struct column *column, int width, const void *table)
{
	const struct row_list *l = &((const struct engines *)table)->list;

	if (l->n <= l->height || width < 9)
		text_adds(out, width < 17 ? "BUSY" : column->title);
	else
		text_addf(out, "%s%zu-%zu of %zu", width < 17 ? "" : "BUSY, ",
		    l->top + 1, l->top + l->height, l->n);
}

static void
draw_meter(struct area *a, int y, int x, int width, const void *row)
{
	const struct engine_cell *cell = row;

	put_uses(a, y, x, width, cell->load.shares);
}

static void
print_percent(struct text *out, const void *row)
{
	const struct engine_cell *cell = row;

	text_addf(out, "%.0f%%", (double)cell->load.shares[USE_RUNNING] * 100);
}

static enum role
role_percent(const void *row)
{
	(void)row;
	return ROLE_STRONG;
}

/* Sets *change to the running share minus that of the baseline, in points: 78 %
 * against 72 % is 6. False: the baseline has no share of it. */
static bool
find_change(const struct engine_cell *cell, double *change)
{
	struct engine_group group = cell->group;
	double live, other;

	*change = 0;
	for (unsigned i = 0; i < group.n; i++) {
		if (!baseline_engine(
			cell->session, group.first + i, &live, &other))
			return false;
		*change += (live - other) * 100 / group.n;
	}
	return true;
}

static void
print_share_change(struct text *out, const void *row)
{
	double change;

	if (find_change(row, &change))
		text_addf(out, "%+.1fpt", change);
	else
		text_addc(out, '-');
}

static enum role
role_change(const void *row)
{
	double change;

	return find_change(row, &change) ? ROLE_NORMAL : ROLE_DIM;
}

static void
print_queued(struct text *out, const void *row)
{
	const struct engine_cell *cell = row;
	char buf[UNITS_LEN];

	text_adds(out, format_count(buf, cell->load.queued));
}

static enum role
role_queued(const void *row)
{
	const struct engine_cell *cell = row;

	return cell->load.queued > 0 ? ROLE_NORMAL : ROLE_DIM;
}

static void
print_blocked(struct text *out, const void *row)
{
	const struct engine_cell *cell = row;
	char buf[UNITS_LEN];

	text_adds(out, format_count(buf, cell->load.blocked));
}

static enum role
role_blocked(const void *row)
{
	const struct engine_cell *cell = row;

	return cell->load.blocked > 0 ? ROLE_NORMAL : ROLE_DIM;
}

/* Fills mean[] with the mean history of the group, in percent, rounded up so
 * that a little shows. Returns the number of samples, at most max. */
static int
history_of(const struct session *s, struct engine_group group, int max,
    unsigned char mean[HISTORY_SAMPLES])
{
	unsigned sums[HISTORY_SAMPLES] = {0};
	int n = 0;

	for (unsigned i = group.first; i < group.first + group.n; i++) {
		n = load_history_engine(&s->history, i, USE_RUNNING, max, mean);
		for (int j = 0; j < n; j++)
			sums[j] += mean[j];
	}
	for (int j = 0; j < n; j++)
		mean[j] = (unsigned char)((sums[j] + group.n - 1) / group.n);
	return n;
}

static void
draw_history(struct area *a, int y, int x, int width, const void *row)
{
	const struct engine_cell *cell = row;
	unsigned char percent[HISTORY_SAMPLES];
	int n;

	if (width < 2)
		return;
	n = history_of(cell->session, cell->group, width - 1, percent);
	put_history(a, y, x + 1, width - 1, percent, n);
}

/* ---- Columns: what runs now ---- */

#define CLIENT_COLS   7
#define CONTEXT_COLS  5
#define PRIORITY_COLS 6
#define PRIORITY_FROM 48 /* columns of the table */

/* Returns width in the table of engines, 0 in that of classes. */
static int
unless_by_class(const void *table, int width)
{
	return ((const struct engines *)table)->by_class ? 0 : width;
}

static int
measure_client(const void *table, int table_width)
{
	(void)table_width;
	return unless_by_class(table, CLIENT_COLS);
}

static int
measure_context(const void *table, int table_width)
{
	(void)table_width;
	return unless_by_class(table, CONTEXT_COLS);
}

static int
measure_priority(const void *table, int table_width)
{
	(void)table_width;
	return unless_by_class(table, PRIORITY_COLS);
}

/* Classes have one column in place of client, context and priority. */
static int
measure_running(const void *table, int table_width)
{
	if (!((const struct engines *)table)->by_class)
		return 0;
	return CLIENT_COLS + CONTEXT_COLS +
	    (table_width >= PRIORITY_FROM ? PRIORITY_COLS : 0);
}

static void
print_running_client(struct text *out, const void *row)
{
	const struct hw_engine *hw = ((const struct engine_cell *)row)->first;

	if (hw->running != NULL)
		text_addf(out, "%u", hw->running->client->id);
	else
		text_adds(out, hw->kept_for != NULL ? "held" : "-");
}

static enum role
role_client(const void *row)
{
	const struct engine_cell *cell = row;

	return cell->first->running != NULL ? ROLE_NORMAL : ROLE_DIM;
}

static void
print_running_context(struct text *out, const void *row)
{
	const struct request *rq =
	    ((const struct engine_cell *)row)->first->running;

	if (rq != NULL)
		text_addf(out, "%u", rq->context->def->number);
}

static void
print_running_priority(struct text *out, const void *row)
{
	const struct request *rq =
	    ((const struct engine_cell *)row)->first->running;

	if (rq != NULL)
		text_addf(out, "%d", rq->priority);
}

/* Prints client and context of each request that runs on the group. */
static void
print_all_running(const struct engine_cell *cell, struct text *out)
{
	for (unsigned i = 0; i < cell->group.n; i++) {
		const struct hw_engine *hw = &cell->first[i];

		if (hw->running == NULL)
			continue;
		text_addf(out, "%s%u:%u", out->len > 0 ? ", " : "",
		    hw->running->client->id, hw->running->context->def->number);
		if (cell->group.n > 1)
			text_addf(out, " on %s", hw->name);
	}
}

/* Goes on to the right end of the table. */
static void
draw_all_running(struct area *a, int y, int x, int width, const void *row)
{
	struct text t = {0};

	(void)width;
	print_all_running(row, &t);
	put_cut(a, y, x + 2, a->r.w, t.len > 0 ? ROLE_NORMAL : ROLE_DIM,
	    t.len > 0 ? text_str(&t) : "-");
	text_free(&t);
}

/* Draws the text of the step that submitted the request. */
static void
draw_step_text(struct area *a, int y, int x, int width, const struct session *s,
    const struct request *rq, enum role role)
{
	size_t len;
	const char *text = session_step_text(s, rq, &len);

	put_cut_skip(a, y, x, width, role, text, len, 0);
}

/* Draws the workload that annotations name for this moment, or else the step's
 * text. */
static void
draw_runs(struct area *a, int y, int x, int width, const struct session *s,
    const struct request *rq)
{
	struct text now = {0};

	if (layer_watch_now(&s->layer, rq, &now))
		put_cut(a, y, x, width, ROLE_ANNOTATION, text_str(&now));
	else
		draw_step_text(a, y, x, width, s, rq, ROLE_NORMAL);
	text_free(&now);
}

static void
heading_step(
    struct text *out, const struct column *column, int width, const void *table)
{
	const struct engines *e = table;

	(void)width;
	if (!e->by_class)
		text_adds(out, column->title);
}

/* An idle engine that the GuC holds for a parallel submission shows its step; a
 * class of several engines shows none. */
static void
draw_step(struct area *a, int y, int x, int width, const void *row)
{
	const struct engine_cell *cell = row;
	const struct hw_engine *hw = cell->first;
	const struct session *s = cell->session;

	x += 2;
	width -= 2;
	if (cell->engines->by_class) {
		if (cell->group.n == 1 && hw->running != NULL)
			draw_step_text(
			    a, y, x, width, s, hw->running, ROLE_NORMAL);
	} else if (hw->running != NULL) {
		draw_runs(a, y, x, width, s, hw->running);
	} else if (hw->kept_for != NULL) {
		draw_step_text(a, y, x, width, s, hw->kept_for, ROLE_DIM);
	}
}

const struct column engine_columns[] = {
    {"ENGINE", .gap = VIEW_NUMBER_COLS, .flags = COL_LEFT,
	.measure = measure_name, .heading = heading_name, .print = print_name,
	.role = role_name_column},
    {"BUSY and blocked", .percent = 100, .gap = 1, .flags = COL_LEFT,
	.heading = heading_meter, .draw = draw_meter},
    {NULL, 5, .print = print_percent, .role = role_percent},
    {"CHANGE", 9, .from = 56, .flags = COL_COMPARED,
	.print = print_share_change, .role = role_change},
    {"QUEUE", 6, .print = print_queued, .role = role_queued},
    {"BLKD", 6, .from = 72, .print = print_blocked, .role = role_blocked},
    {"HISTORY", .from = 60, .importance = 1, .percent = 45, .gap = 1,
	.flags = COL_LEFT, .draw = draw_history},
    {"CLIENT:CTX NOW", .gap = 2, .flags = COL_LEFT, .measure = measure_running,
	.draw = draw_all_running},
    {"CLIENT", .measure = measure_client, .print = print_running_client,
	.role = role_client},
    {"CTX", .measure = measure_context, .print = print_running_context},
    {"PRI", .from = PRIORITY_FROM, .measure = measure_priority,
	.print = print_running_priority},
    {"RUNS NOW", 38, .importance = 2, .percent = 35, .least = 19, .gap = 2,
	.flags = COL_LEFT, .heading = heading_step, .draw = draw_step},
};
const int n_engine_columns = sizeof(engine_columns) / sizeof(*engine_columns);
