/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of a decision: its question, how far it is, the curve, and each run
 * that it has made. */
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/units.h"
#include "run/plan.h"
#include "tui/console/decision.h"
#include "tui/console/ui.h"
#include "tui/views/page.h"
#include "tui/views/plot.h"

/* Rows of the page that are not for the plot. */
#define OTHER_ROWS 9
#define MOST_ROWS  16

void
decision_answer(const struct decision *d, struct text *out)
{
	if (d->error.len > 0) {
		text_addf(out, "failed: %s", text_str(&d->error));
		return;
	}
	if (d->stopped)
		text_adds(out, "stopped: ");
	if (d->kind == DECISION_TUNE)
		tuning_answer(d->tuning, out);
	else if (d->kind == DECISION_SWEEP)
		text_addf(
		    out, "%zu of %zu runs", d->n_rows, sweep_n_rows(&d->sweep));
	else if (d->capacity.n_tried > 0)
		capacity_print(&d->capacity, d->plan, out);
	else
		text_adds(out, "no run has ended yet");
}

/* Adds the question. */
static void
add_question(struct page *p, const struct decision *d)
{
	struct text line = {0};

	source_add_title(d->plan, d->source, &line);
	text_addc(&line, ':');
	for (size_t i = 0; i < d->goal.n; i++)
		text_addf(
		    &line, "%s %s", i > 0 ? "," : "", d->goal.list[i].text);
	if (d->goal.n > 0)
		text_addf(&line, "; %u seed%s from %u",
		    d->capacity.question.seeds,
		    d->capacity.question.seeds == 1 ? "" : "s", d->plan->seed);
	for (size_t i = 0; i < d->sweep.n; i++)
		text_addf(&line, "%s %s (%zu)", i > 0 ? "," : "",
		    d->sweep.axes[i].key, d->sweep.axes[i].values.n);
	page_add(p, ROLE_LABEL, text_str(&line), NULL);
	text_free(&line);
}

/* Returns what can be done with what was found; NULL: nothing. */
static const char *
decision_hint(const struct decision *d)
{
	struct capacity_answer a;

	if (d->kind == DECISION_SWEEP)
		return ":sweep plot COLUMN draws another column, :sweep open N "
		       "restarts as row N";
	if (d->capacity.n_tried == 0)
		return NULL;
	capacity_answer(&d->capacity, &a);
	return a.count > 0 ? ":capacity launch restarts with that many" : NULL;
}

/* Adds the answer, or how far it is, and what can be done. */
static void
add_state(struct page *p, const struct decision *d)
{
	bool capacity = d->kind == DECISION_CAPACITY;
	struct text line = {0};

	if (d->aside != NULL && capacity)
		text_addf(&line,
		    "searching: %zu counts tried, now %u; "
		    ":capacity stop ends it",
		    d->capacity.n_tried, capacity_next(&d->capacity));
	else if (d->aside != NULL)
		text_addf(&line,
		    "running: %zu of %zu runs; :sweep stop ends it", d->n_rows,
		    sweep_n_rows(&d->sweep));
	else
		decision_answer(d, &line);
	page_add_text(p, text_str(&line));
	if (d->aside == NULL && decision_hint(d) != NULL)
		page_add(p, ROLE_DIM, decision_hint(d), NULL);
	page_add(p, ROLE_NORMAL, "", NULL);
	text_free(&line);
}

void
decision_size_plot(const struct ui *ui, struct plot *plot)
{
	int rows = ui->layout.body.h - OTHER_ROWS;

	plot->cols = ui->layout.body.w;
	plot->rows = rows < MOST_ROWS ? rows : MOST_ROWS;
	plot->unicode = ui->screen.unicode;
}

double
decision_plot_unit(const struct condition *c)
{
	return c->figure == GOAL_LATENCY || c->figure == GOAL_QUEUE_WAIT ? 1e6
									 : 1;
}

void
decision_add_figure(const struct condition *c, struct text *out)
{
	text_addf(out, "%s%s", goal_name(c),
	    decision_plot_unit(c) != 1   ? ", ms"
		: c->figure == GOAL_RATE ? " per second"
		: c->percent             ? ", % of periods"
					 : "");
}

/* The figure of the first condition, by clients. */
static void
add_capacity_plot(struct page *p, const struct ui *ui, const struct decision *d)
{
	const struct condition *c = &d->goal.list[0];
	double unit = decision_plot_unit(c);
	const struct capacity *found = &d->capacity;
	struct plot_point *points = mem_calloc(
	    found->n_tried + 1, sizeof *points);
	struct text name = {0};
	struct plot plot = {.points = points,
	    .n = found->n_tried,
	    .x_name = "clients",
	    .has_limit = true,
	    .limit = c->limit / unit};

	for (size_t i = 0; i < found->n_tried; i++)
		points[i] = (struct plot_point){.x = found->tried[i].count,
		    .y = goal_value(c, &found->tried[i].worst) / unit,
		    .bad = !found->tried[i].holds};
	decision_add_figure(c, &name);
	text_adds(&name, ", by clients");
	plot.y_name = text_str(&name);
	decision_size_plot(ui, &plot);
	plot_add(p, &plot);
	text_free(&name);
	free(points);
}

static void
add_tried(struct page *p, const struct tried *t)
{
	const struct trial_figures *f = &t->worst;
	char latency[UNITS_LEN], wait[UNITS_LEN];
	struct text line = {0};

	text_addf(&line, "%8u  %-5s %10" PRIu64 " %10.3f %10s %10s", t->count,
	    t->holds ? "holds" : "fails", f->missed, f->lowest_rate,
	    format_duration(latency, f->latency_p99_ns),
	    format_duration(wait, f->queue_wait_p99_ns));
	if (f->n_engines > 0)
		text_addf(&line, "  %s %.1f %%", f->engines[f->busiest].name,
		    f->engines[f->busiest].busy_percent);
	goal_add_backlog(f, ", ", &line);
	page_add(p, t->holds ? ROLE_NORMAL : ROLE_BAD, text_str(&line), NULL);
	text_free(&line);
}

static void
add_capacity(struct page *p, const struct ui *ui, const struct decision *d)
{
	if (d->capacity.n_tried == 0)
		return;
	add_capacity_plot(p, ui, d);
	page_add(p, ROLE_NORMAL, "", NULL);
	page_add(p, ROLE_LABEL,
	    " clients  goal      misses       rate   latency  queue wait"
	    "  busiest",
	    NULL);
	for (size_t i = 0; i < d->capacity.n_tried; i++)
		add_tried(p, &d->capacity.tried[i]);
}

const char *
decision_field(const struct text *lines, size_t n, size_t i, size_t *len)
{
	const char *s = text_str(lines);

	for (; n > 0 && s != NULL; n--) {
		s = strchr(s, '\n');
		s = s != NULL ? s + 1 : NULL;
	}
	if (s == NULL || *s == '\0')
		return NULL;
	for (; i > 0; i--) {
		s += strcspn(s, "\t\n");
		if (*s != '\t')
			return NULL;
		s++;
	}
	*len = strcspn(s, "\t\n");
	return s;
}

/* Returns the number of a column. */
static size_t
column_number(const struct decision *d, const char *name)
{
	const char *column;
	size_t len, i = 0;

	while ((column = decision_field(&d->header, 0, i, &len)) != NULL &&
	    (len != strlen(name) || strncmp(column, name, len) != 0))
		i++;
	return i;
}

/* A column, by the number of the row; rows that failed are left out. */
static void
add_sweep_plot(struct page *p, const struct ui *ui, const struct decision *d)
{
	struct plot_point *points = mem_calloc(d->n_rows + 1, sizeof *points);
	size_t column = column_number(d, d->column), len;
	struct text name = {0};
	struct plot plot = {.points = points, .x_name = "row"};
	const char *line = text_str(&d->rows);

	for (size_t i = 0; i < d->n_rows; i++) {
		struct text rest = {.data = (char *)(uintptr_t)line};
		const char *field = decision_field(&rest, 0, column, &len);
		char *end = NULL;
		double y = field != NULL ? strtod(field, &end) : 0;

		if (end != NULL && end > field && isfinite(y))
			points[plot.n++] = (struct plot_point){
			    .x = (double)(i + 1), .y = fabs(y)};
		line = strchr(line, '\n') + 1;
	}
	text_addf(&name, "%s, by row", d->column);
	plot.y_name = text_str(&name);
	decision_size_plot(ui, &plot);
	plot_add(p, &plot);
	text_free(&name);
	free(points);
}

/* Columns of the list of rows, behind the keys. */
enum list_column {
	LIST_RATE,
	LIST_MISSES,
	LIST_LATENCY,
	LIST_BUSIEST,
	LIST_PERCENT,
	LIST_STATUS,
	N_LIST_COLUMNS
};

static const char *const sweep_list_columns[N_LIST_COLUMNS] = {
    [LIST_RATE] = "workloads_s",
    [LIST_MISSES] = "misses",
    [LIST_LATENCY] = "latency_p99_ns",
    [LIST_BUSIEST] = "busiest",
    [LIST_PERCENT] = "busiest_percent",
    [LIST_STATUS] = "status",
};

/* Adds "5.64ms" for the text of a number of ns, anything else as it is. */
static void
add_ns(const char *field, size_t len, struct text *out)
{
	char buf[UNITS_LEN], *end;
	unsigned long long ns = strtoull(field, &end, 10);

	if (len > 0 && end == field + len)
		text_addf(out, " %10s", format_duration(buf, (nsec)ns));
	else
		text_addf(out, " %10.*s", (int)len, field);
}

static void
add_list_field(
    enum list_column column, const char *field, size_t len, struct text *out)
{
	switch (column) {
	case LIST_RATE: text_addf(out, " %11.*s", (int)len, field); break;
	case LIST_MISSES: text_addf(out, " %8.*s", (int)len, field); break;
	case LIST_LATENCY: add_ns(field, len, out); break;
	case LIST_BUSIEST: text_addf(out, "  %5.*s", (int)len, field); break;
	case LIST_PERCENT:
		text_addf(out, " %5.*s %s", (int)len, field,
		    *field == '-' ? " " : "%");
		break;
	default: text_addf(out, "  %.*s", (int)len, field);
	}
}

/* Adds the keys of a line, and its fields of columns, which has their
 * numbers. */
static void
add_list_row(struct page *p, const struct decision *d, const size_t *columns,
    const char *line, size_t number)
{
	struct text rest = {.data = (char *)(uintptr_t)line}, out = {0};
	bool ok = true;
	size_t len;

	text_addf(&out, "%4zu", number);
	for (size_t i = 0; i < d->sweep.n; i++) {
		const char *field = decision_field(&rest, 0, i, &len);

		text_addf(&out, " %9.*s", (int)len, field);
	}
	for (enum list_column i = 0; i < N_LIST_COLUMNS; i++) {
		const char *field = decision_field(&rest, 0, columns[i], &len);

		if (field == NULL)
			continue;
		add_list_field(i, field, len, &out);
		ok = i != LIST_STATUS || (len == 2 && field[0] == 'o');
	}
	page_add(p, ok ? ROLE_NORMAL : ROLE_BAD, text_str(&out), NULL);
	text_free(&out);
}

static void
add_list_header(struct page *p, const struct decision *d)
{
	struct text out = {0};

	text_addf(&out, "%4s", "row");
	for (size_t i = 0; i < d->sweep.n; i++) {
		size_t len = strlen(d->sweep.axes[i].key);

		text_addf(&out, " %9s",
		    d->sweep.axes[i].key + (len > 9 ? len - 9 : 0));
	}
	text_adds(
	    &out, " workloads/s   misses    latency  busiest        status");
	page_add(p, ROLE_LABEL, text_str(&out), NULL);
	text_free(&out);
}

static void
add_sweep(struct page *p, const struct ui *ui, const struct decision *d)
{
	const char *line = text_str(&d->rows);
	size_t columns[N_LIST_COLUMNS];

	for (size_t i = 0; i < N_LIST_COLUMNS; i++)
		columns[i] = column_number(d, sweep_list_columns[i]);
	add_sweep_plot(p, ui, d);
	page_add(p, ROLE_NORMAL, "", NULL);
	add_list_header(p, d);
	for (size_t i = 0; i < d->n_rows; i++) {
		add_list_row(p, d, columns, line, i + 1);
		line = strchr(line, '\n') + 1;
	}
}

static struct page *
decision_page(const struct ui *ui, const struct decision *d)
{
	bool capacity = d->kind == DECISION_CAPACITY;
	struct page *p = page_new(d->kind == DECISION_TUNE ? "Tuning"
		: capacity                                 ? "Capacity"
							   : "Sweep");

	if (d->kind == DECISION_TUNE) {
		tuning_add(p, ui, d);
		return p;
	}
	add_question(p, d);
	add_state(p, d);
	if (capacity)
		add_capacity(p, ui, d);
	else
		add_sweep(p, ui, d);
	return p;
}

static void
show_at(struct ui *ui, size_t top)
{
	struct decision *d = &ui->decision;
	struct page *p = decision_page(ui, d);

	p->list.top = top;
	ui_open_page(ui, p);
	d->page = p;
	d->cols = ui->layout.body.w;
	d->body_rows = ui->layout.body.h;
}

void
decision_show(struct ui *ui)
{
	show_at(ui, 0);
}

#define FOLLOW_NS (100 * NSEC_PER_MSEC)

void
decision_follow(struct ui *ui, bool news)
{
	struct decision *d = &ui->decision;
	nsec now = clock_wall();
	bool resized = d->cols != ui->layout.body.w ||
	    d->body_rows != ui->layout.body.h;

	if (ui->page == NULL || ui->page != d->page)
		return;
	d->stale |= news;
	if (!resized &&
	    !(d->stale &&
		(!ui->for_a_person || d->aside == NULL ||
		    now - d->shown >= FOLLOW_NS)))
		return;
	d->stale = false;
	d->shown = now;
	show_at(ui, ui->page->list.top);
}
