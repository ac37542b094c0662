/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The page of a sweep, from its lines: curves over the key that varies fastest, a
 * line for each combination of the others, and the table.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "decide/values.h"
#include "report/curve.h"
#include "report/html.h"
#include "report/page.h"
#include "run/plan.h"

#define MOST_COLUMNS 128
#define MOST_ROWS    1000 /* in the table, and in curves */

/* The lines of a sweep, cut into cells, which are zero terminated. */
struct sweep_cells {
	char *text;
	char *columns[MOST_COLUMNS];
	size_t n_columns, n_keys; /* keys come first */
	char **rows;              /* n_rows times n_columns */
	size_t n_rows, left;      /* left: rows that are not here */
};

/* Cuts a line at its tabs. Returns the number of cells. */
static size_t
cut_cells(char *line, char **cells, size_t most)
{
	size_t n = 0;

	while (line != NULL && n < most) {
		cells[n++] = line;
		line = strchr(line, '\t');
		if (line != NULL)
			*line++ = '\0';
	}
	return n;
}

/* Adds the row in a line, unless it is not whole or there are enough. */
static void
add_cells(struct sweep_cells *s, char *line)
{
	char *cells[MOST_COLUMNS];

	if (cut_cells(line, cells, MOST_COLUMNS) != s->n_columns)
		return;
	if (s->n_rows == MOST_ROWS)
		return;
	memcpy(s->rows + s->n_rows++ * s->n_columns, cells,
	    s->n_columns * sizeof *cells);
}

/* Reads the lines. The first columns, up to elapsed_ns, are keys. */
static void
read_cells(struct sweep_cells *s, const char *tsv)
{
	char *line, *next;

	*s = (struct sweep_cells){.text = mem_strdup(tsv)};
	for (line = s->text; (next = strchr(line, '\n')) != NULL; line = next) {
		*next++ = '\0';
		if (s->n_columns > 0) {
			add_cells(s, line);
			continue;
		}
		s->n_columns = cut_cells(line, s->columns, MOST_COLUMNS);
		s->rows = mem_calloc(MOST_ROWS * s->n_columns, sizeof *s->rows);
		while (s->n_keys < s->n_columns &&
		    strcmp(s->columns[s->n_keys], "elapsed_ns") != 0)
			s->n_keys++;
	}
}

static const char *
sweep_cell(const struct sweep_cells *s, size_t row, size_t column)
{
	return s->rows[row * s->n_columns + column];
}

/* Returns the column of that name; n_columns: none. */
static size_t
find_column(const struct sweep_cells *s, const char *name)
{
	size_t i = 0;

	while (i < s->n_columns && strcmp(s->columns[i], name) != 0)
		i++;
	return i;
}

/* Returns the number of rows in which all keys but the last are the same as in the
 * first of them. */
static size_t
series_length(const struct sweep_cells *s, size_t first)
{
	size_t n = 1;

	for (; first + n < s->n_rows; n++)
		for (size_t k = 0; k + 1 < s->n_keys; k++)
			if (strcmp(sweep_cell(s, first, k),
				sweep_cell(s, first + n, k)) != 0)
				return n;
	return n;
}

/* The curves of a sweep: the numbers of its last key, ascending, and the rows of
 * each series. */
struct sweep_curves {
	double *x, *y;
	size_t n; /* points of a series */
	size_t n_series, series_left;
	struct text names[CURVE_SERIES];
};

/* Finds the points. False: the last key has words, or does not ascend, or has one
 * value. */
static bool
find_points(struct sweep_curves *c, const struct sweep_cells *s)
{
	if (s->n_keys == 0 || s->n_rows < 2)
		return false;
	c->n = series_length(s, 0);
	c->x = mem_calloc(c->n, sizeof *c->x);
	for (size_t i = 0; i < c->n; i++) {
		if (!values_number(sweep_cell(s, i, s->n_keys - 1), &c->x[i]) ||
		    (i > 0 && c->x[i] <= c->x[i - 1]))
			return false;
	}
	c->n_series = s->n_rows / c->n;
	if (c->n_series > CURVE_SERIES) {
		c->series_left = c->n_series - CURVE_SERIES;
		c->n_series = CURVE_SERIES;
	}
	return c->n > 1 && c->n_series > 0;
}

static void
name_series(struct sweep_curves *c, const struct sweep_cells *s)
{
	for (size_t i = 0; i < c->n_series; i++)
		for (size_t k = 0; k + 1 < s->n_keys; k++)
			text_addf(&c->names[i], "%s%s %s", k > 0 ? ", " : "",
			    s->columns[k], sweep_cell(s, i * c->n, k));
}

static void
draw_sweep_column(struct sweep_curves *c, const struct sweep_cells *s,
    const char *name, const char *caption, enum curve_unit unit,
    struct text *out)
{
	size_t column = find_column(s, name);
	struct curve curve = {
	    .caption = caption,
	    .unit = unit,
	    .n = c->n,
	    .x = c->x,
	    .x_name = s->columns[s->n_keys - 1],
	    .n_series = c->n_series,
	    .limit = NAN,
	    .mark = NAN,
	};

	if (column == s->n_columns)
		return;
	for (size_t i = 0; i < c->n_series; i++) {
		curve.y[i] = c->y + i * c->n;
		if (c->names[i].len > 0)
			curve.names[i] = text_str(&c->names[i]);
		for (size_t k = 0; k < c->n; k++)
			if (!values_number(sweep_cell(s, i * c->n + k, column),
				&c->y[i * c->n + k]))
				c->y[i * c->n + k] = NAN;
	}
	curve_draw(&curve, out);
}

static void
add_sweep_curves(const struct sweep_cells *s, struct text *out)
{
	struct sweep_curves c = {.n = 0};

	if (find_points(&c, s)) {
		c.y = mem_calloc(c.n_series * c.n, sizeof *c.y);
		name_series(&c, s);
		html_begin_section(out, "curves", "Curves");
		draw_sweep_column(
		    &c, s, "misses", "Missed periods", CURVE_NUMBER, out);
		draw_sweep_column(&c, s, "workloads_s", "Workloads per second",
		    CURVE_NUMBER, out);
		draw_sweep_column(
		    &c, s, "latency_p99_ns", "Latency p99", CURVE_NS, out);
		draw_sweep_column(&c, s, "busiest_percent",
		    "The busiest engine", CURVE_PERCENT, out);
		if (c.series_left > 0)
			text_addf(out,
			    "<p class=\"dim\">And %zu more combinations.</p>\n",
			    c.series_left);
		html_end_section(out);
	}
	for (size_t i = 0; i < CURVE_SERIES; i++)
		text_free(&c.names[i]);
	free(c.x);
	free(c.y);
}

/* True if all rows have that cell, which is 0: an engine without work. */
static bool
is_idle_column(const struct sweep_cells *s, size_t column)
{
	if (strncmp(s->columns[column], "busy_percent.", 13) != 0)
		return false;
	for (size_t i = 0; i < s->n_rows; i++)
		if (strcmp(sweep_cell(s, i, column), "0.0") != 0 &&
		    strcmp(sweep_cell(s, i, column), "-") != 0)
			return false;
	return true;
}

static void
add_cell(const char *column, const char *cell, struct text *out)
{
	double n;

	if (!values_number(cell, &n))
		html_cell_text(out, cell);
	else if (strlen(column) > 3 &&
	    strcmp(column + strlen(column) - 3, "_ns") == 0)
		html_cell_ns(out, (nsec)n);
	else
		text_addf(
		    out, "<td><data value=\"%s\">%s</data></td>", cell, cell);
}

static void
add_sweep_table(const struct sweep_cells *s, size_t n_rows, struct text *out)
{
	struct text columns = {0};

	for (size_t i = 0; i < s->n_columns; i++)
		if (!is_idle_column(s, i))
			text_addf(
			    &columns, "%s%s", i > 0 ? "|" : "", s->columns[i]);
	html_begin_section(out, "rows", "All runs");
	html_begin_table(out, text_str(&columns));
	for (size_t row = 0; row < s->n_rows; row++) {
		text_adds(out, "<tr>");
		for (size_t i = 0; i < s->n_columns; i++)
			if (!is_idle_column(s, i))
				add_cell(
				    s->columns[i], sweep_cell(s, row, i), out);
		text_adds(out, "</tr>\n");
	}
	html_end_table(out);
	if (s->n_rows < n_rows)
		text_addf(out, "<p class=\"dim\">And %zu more.</p>\n",
		    n_rows - s->n_rows);
	html_end_section(out);
	text_free(&columns);
}

/* Adds what is not as the facts say. */
static void
add_varied(const struct sweep_cells *s, struct text *out)
{
	struct text keys = {0};

	for (size_t i = 0; i < s->n_keys; i++)
		text_addf(&keys, "%s%s", i > 0 ? ", " : "", s->columns[i]);
	if (keys.len > 0)
		page_fact(out, "Varied", text_str(&keys));
	text_free(&keys);
}

void
page_of_sweep(const char *tsv, size_t n_rows, const struct plan *plan,
    const char *command, struct text *out)
{
	struct sweep_cells s;
	struct text title = {0};

	read_cells(&s, tsv);
	text_adds(&title, "Sweep of ");
	page_add_titles(plan, &title);
	page_begin(text_str(&title), out);
	page_command(command, out);
	page_plan_facts(plan, false, out);
	add_varied(&s, out);
	text_adds(out, "</dl>\n");
	if (s.n_rows > 0) {
		add_sweep_curves(&s, out);
		add_sweep_table(&s, n_rows, out);
	}
	page_documents(plan, false, out);
	page_end(out);
	text_free(&title);
	free(s.rows);
	free(s.text);
}
