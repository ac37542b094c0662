/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The columns of the Engines view: name, load, history, and who used it.
 * engine_columns[] has a row for each.
 */
#include "tui/views/engines.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "tui/views/foreign_rows.h"
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

void
engines_print_name(const struct engine_cell *cell, struct text *out)
{
	if (!cell->engines->by_class)
		text_adds(out, cell->first->name);
	else if (cell->group.n == 1)
		text_adds(out, engine_class_names[cell->first->class]);
	else
		text_addf(out, "%s x%u", engine_class_names[cell->first->class],
		    cell->group.n);
}

static void
print_name(struct text *out, const void *row)
{
	engines_print_name(row, out);
}

static enum role
role_name_column(const void *row)
{
	(void)row;
	return ROLE_LABEL;
}

static void
draw_meter(struct area *a, int y, int x, int width, const void *row)
{
	const struct engine_cell *cell = row;

	put_uses(a, y, x, width, cell->load.shares);
}

/* Rounded, but a little is not 0. */
static void
print_percent(struct text *out, float share)
{
	double percent = (double)share * 100;

	if (percent > 0 && percent < 0.5)
		text_adds(out, "<1");
	else
		text_addf(out, "%.0f", percent);
}

static void
print_use(struct text *out, const void *row, enum engine_use use)
{
	const struct engine_cell *cell = row;

	print_percent(out, cell->load.shares[use]);
}

static enum role
role_of_use(const void *row, enum engine_use use)
{
	const struct engine_cell *cell = row;

	return cell->load.shares[use] < 0.005F ? ROLE_DIM
	    : use == USE_RUNNING               ? ROLE_STRONG
					       : use_role(use);
}

static void
print_run(struct text *out, const void *row)
{
	print_use(out, row, USE_RUNNING);
}

static enum role
role_run(const void *row)
{
	return role_of_use(row, USE_RUNNING);
}

static void
print_switch(struct text *out, const void *row)
{
	print_use(out, row, USE_SWITCHING);
}

static enum role
role_switch(const void *row)
{
	return role_of_use(row, USE_SWITCHING);
}

static void
print_poll(struct text *out, const void *row)
{
	print_use(out, row, USE_POLLING);
}

static enum role
role_poll(const void *row)
{
	return role_of_use(row, USE_POLLING);
}

static void
print_blocked_share(struct text *out, const void *row)
{
	print_use(out, row, USE_BLOCKED);
}

static enum role
role_blocked_share(const void *row)
{
	return role_of_use(row, USE_BLOCKED);
}

/* The GPU with all its programs (tui/views/foreign_rows.h). */

static int
measure_gpu(const void *table, int table_width)
{
	(void)table_width;
	return foreign_busyness_cols(((const struct engines *)table)->session);
}

static void
heading_gpu(
    struct text *out, const struct column *column, int width, const void *table)
{
	(void)column;
	(void)width;
	foreign_busyness_title(((const struct engines *)table)->session, out);
}

float
engines_gpu_share(const struct engine_cell *cell)
{
	const struct busyness *b = cell->session->run.busyness;
	float share = 0;

	if (b->source == BUSYNESS_STAMPS)
		return cell->load.shares[USE_RUNNING] +
		    cell->load.shares[USE_SWITCHING] +
		    cell->load.shares[USE_POLLING];
	for (unsigned i = 0; i < cell->group.n; i++)
		share += b->engines[cell->group.first + i].share /
		    (float)cell->group.n;
	return share;
}

static void
print_gpu_share(struct text *out, const void *row)
{
	print_percent(out, engines_gpu_share(row));
}

static enum role
role_gpu_share(const void *row)
{
	return engines_gpu_share(row) < 0.005F ? ROLE_DIM : ROLE_STRONG;
}

#define SWITCH_COLS  8
#define SWITCH_FROM  100 /* columns of the table that always show it */
#define SWITCH_LEAST 60

/* A narrow table shows switching once an engine has spent 1 % of the run so. */
static int
measure_switch(const void *table, int table_width)
{
	const struct sim *sim =
	    ((const struct engines *)table)->session->run.sim;
	const struct device *dev = &sim->device;

	if (table_width >= SWITCH_FROM)
		return SWITCH_COLS;
	for (unsigned i = 0; i < dev->n_engines; i++) {
		nsec ns = hw_engine_times(&dev->engines[i], sim->now)
			      .ns[USE_SWITCHING];

		if (table_width >= SWITCH_LEAST && ns * 100 > sim->now)
			return SWITCH_COLS;
	}
	return 0;
}

bool
engines_find_change(const struct engine_cell *cell, double *change)
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

	if (engines_find_change(row, &change))
		text_addf(out, "%+.1fpt", difference_in_steps(change, 0.1));
	else
		text_addc(out, '-');
}

static enum role
role_change(const void *row)
{
	double change;

	return engines_find_change(row, &change) ? ROLE_NORMAL : ROLE_DIM;
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

int
engines_history(const struct session *s, struct engine_group group,
    enum engine_use use, int max, unsigned char mean[HISTORY_SAMPLES])
{
	unsigned sums[HISTORY_SAMPLES] = {0};
	int n = 0;

	for (unsigned i = group.first; i < group.first + group.n; i++) {
		n = load_history_engine(&s->history, i, use, max, mean);
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
	n = engines_history(
	    cell->session, cell->group, USE_RUNNING, width - 1, percent);
	put_history(a, y, x + 1, width - 1, percent, n);
}

/* ---- Columns: who used it ---- */

#define PRIORITY_COLS 7
#define PRIORITY_FROM 72 /* columns of the table */

static int
measure_priority(const void *table, int table_width)
{
	(void)table_width;
	return ((const struct engines *)table)->by_class ? 0 : PRIORITY_COLS;
}

/* Returns who had most of the engine; NULL: no request, or the row is of several
 * engines. */
static const struct engine_user *
main_user(const struct engine_cell *cell)
{
	const struct engine_users *users =
	    &cell->session->users.engines[cell->group.first];

	return cell->group.n == 1 && users->n > 0 ? &users->list[0] : NULL;
}

static void
add_user(struct text *out, const struct engine_cell *cell,
    const struct engine_users *users, unsigned i)
{
	const struct engine_user *u = &users->list[i];

	if (i > 0)
		text_adds(out, ", ");
	if (cell->session->run.sim->n_clients > 1)
		text_addf(out, "%u/%u ", u->client, u->context);
	else
		text_addf(out, "%s%u ", i == 0 ? "ctx " : "", u->context);
	text_addf(out, "%s%.0f%%", users->sampled ? "~" : "", u->share * 100);
}

void
engines_print_users(const struct engine_cell *cell, struct text *out)
{
	for (unsigned i = 0; i < cell->group.n; i++) {
		const struct hw_engine *hw = &cell->first[i];
		const struct engine_users *users =
		    &cell->session->users.engines[hw->index];

		if (cell->group.n > 1 && users->n > 0)
			text_addf(
			    out, "%s%s: ", out->len > 0 ? "  " : "", hw->name);
		for (unsigned k = 0; k < users->n; k++)
			if (cell->group.n == 1 || k == 0)
				add_user(out, cell, users, k);
		if (cell->group.n == 1 && users->n_more > 0)
			text_addf(out, ", +%u", users->n_more);
	}
}

/* An engine that the GuC keeps free for a parallel submission says so. */
static void
draw_users(struct area *a, int y, int x, int width, const void *row)
{
	const struct engine_cell *cell = row;
	enum role role = ROLE_NORMAL;
	struct text t = {0};

	engines_print_users(cell, &t);
	if (t.len == 0) {
		role = ROLE_DIM;
		text_adds(
		    &t, cell->first->kept_for != NULL ? "kept free" : "-");
	}
	put_cut(a, y, x + 2, width - 2, role, text_str(&t));
	text_free(&t);
}

void
engines_draw_priority(struct area *a, int y, int x, int width, const void *row)
{
	const struct engine_user *u = main_user(row);
	char buf[16];

	if (u == NULL)
		return;
	snprintf(buf, sizeof(buf), "%d%s", u->priority,
	    !u->raised               ? ""
		: a->screen->unicode ? "↑"
				     : "^");
	put_right(a, y, x, width, u->raised ? ROLE_STRONG : ROLE_NORMAL, buf);
}

/* Columns from which on RUNS has what the batch is, beside its name. */
#define WITH_TEXT 22

/* Draws the label that annotations give the batch that runs, or else the text of
 * the step. */
static void
draw_batch_text(struct area *a, int y, int x, int width,
    const struct engine_cell *cell, const struct trail_request *past)
{
	const struct session *s = cell->session;
	const struct request *rq = cell->first->running;
	struct text now = {0};
	const char *text;
	size_t len;

	if (rq != NULL && rq->client->id == past->client &&
	    rq->context->def->number == past->context &&
	    layer_watch_now(&s->layer, rq, &now)) {
		put_cut(a, y, x, width, ROLE_ANNOTATION, text_str(&now));
	} else {
		text = session_past_step_text(s, past, &len);
		put_cut_skip(a, y, x, width, ROLE_NORMAL, text, len, 0);
	}
	text_free(&now);
}

void
engines_draw_runs(struct area *a, int y, int x, int width, const void *row)
{
	const struct engine_cell *cell = row;
	const struct session *s = cell->session;
	const struct engine_user *u = main_user(cell);
	const struct trail_request *past;
	struct batch_name name;
	struct text t = {0};
	int used;

	if (u == NULL || (past = trail_request(s->trail, u->request)) == NULL)
		return;
	name = batch_name_past(past);
	batch_name_short(&name, s->run.sim->n_clients > 1, &t);
	used = 2 + put_cut(a, y, x + 2, width - 2, ROLE_NORMAL, text_str(&t));
	text_free(&t);
	if (width >= WITH_TEXT)
		draw_batch_text(
		    a, y, x + used + 2, width - used - 2, cell, past);
}

static void
heading_what_ran(
    struct text *out, const struct column *column, int width, const void *table)
{
	const struct engines *e = table;

	(void)width;
	if (!e->by_class)
		text_adds(out, column->title);
}

const struct column engine_columns[] = {
    {"ENGINE", .gap = VIEW_NUMBER_COLS, .flags = COL_LEFT,
	.measure = measure_name, .heading = heading_name, .print = print_name,
	.role = role_name_column},
    {NULL, .percent = 100, .gap = 1, .flags = COL_LEFT, .draw = draw_meter},
    {"RUN%", 5, .print = print_run, .role = role_run},
    {"GPU%", .measure = measure_gpu, .heading = heading_gpu,
	.print = print_gpu_share, .role = role_gpu_share},
    {"SWITCH%", .measure = measure_switch, .print = print_switch,
	.role = role_switch},
    {"POLL%", 6, .print = print_poll, .role = role_poll},
    {"BLOCK%", 7, .from = 90, .print = print_blocked_share,
	.role = role_blocked_share},
    {"CHANGE", 9, .from = 56, .flags = COL_COMPARED,
	.print = print_share_change, .role = role_change},
    {"QUEUE", 6, .from = 44, .print = print_queued, .role = role_queued},
    {"BLKD", 5, .from = 72, .print = print_blocked, .role = role_blocked},
    {"HISTORY", .from = 60, .importance = 1, .percent = 18, .least = 8,
	.gap = 1, .flags = COL_LEFT, .draw = draw_history},
    {"USED BY", 18, .from = 56, .importance = 2, .percent = 30, .least = 18,
	.gap = 2, .flags = COL_LEFT, .draw = draw_users},
    {"PRI", .from = PRIORITY_FROM, .measure = measure_priority,
	.draw = engines_draw_priority},
    {"RUNS", 60, .from = 110, .importance = 3, .percent = 50, .least = 19,
	.gap = 2, .flags = COL_LEFT, .heading = heading_what_ran,
	.draw = engines_draw_runs},
};
const int n_engine_columns = sizeof(engine_columns) / sizeof(*engine_columns);
const int engine_meter_column = 1;
