/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws points into a grid of characters, with a scale at its left and below. Of
 * points in one cell the bad ones are seen. */
#include "tui/views/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "tui/views/page.h"

#define SCALE_COLS 10 /* of the scale at the left, with the axis */
#define LEAST_COLS 30
#define LEAST_ROWS 6

enum plot_cell { CELL_EMPTY, CELL_LIMIT, CELL_GOOD, CELL_BAD, N_PLOT_CELLS };

struct plot_grid {
	int cols, rows;
	double x_from, x_to, y_to; /* y is from 0 */
	unsigned char *cells;      /* enum plot_cell, from the top */
};

/* Returns 1, 2 or 5 times a power of ten, not below y. */
static double
round_up(double y)
{
	double power = pow(10, floor(log10(y)));
	double digit = y / power;

	if (digit <= 1)
		return power;
	return power * (digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}

static void
find_ranges(struct plot_grid *g, const struct plot *plot)
{
	double most = plot->has_limit ? plot->limit : 0;

	g->x_from = g->x_to = plot->n > 0 ? plot->points[0].x : 0;
	for (size_t i = 0; i < plot->n; i++) {
		g->x_from = fmin(g->x_from, plot->points[i].x);
		g->x_to = fmax(g->x_to, plot->points[i].x);
		most = fmax(most, plot->points[i].y);
	}
	g->y_to = most > 0 ? round_up(most) : 1;
}

static int
column_of(const struct plot_grid *g, double x)
{
	double width = g->x_to - g->x_from;

	return width > 0 ? (int)lround((x - g->x_from) / width * (g->cols - 1))
			 : 0;
}

static int
row_of(const struct plot_grid *g, double y)
{
	return g->rows - 1 - (int)lround(y / g->y_to * (g->rows - 1));
}

static void
mark_cell(struct plot_grid *g, int row, int column, enum plot_cell cell)
{
	unsigned char *at = &g->cells[row * g->cols + column];

	if (cell > *at)
		*at = (unsigned char)cell;
}

static void
fill_grid(struct plot_grid *g, const struct plot *plot)
{
	for (int x = 0; plot->has_limit && x < g->cols; x++)
		mark_cell(g, row_of(g, plot->limit), x, CELL_LIMIT);
	for (size_t i = 0; i < plot->n; i++) {
		const struct plot_point *at = &plot->points[i];

		mark_cell(g, row_of(g, at->y), column_of(g, at->x),
		    at->bad ? CELL_BAD : CELL_GOOD);
	}
}

/* Adds the scale of a row: at the top, in the middle and at the bottom. */
static void
add_scale(const struct plot_grid *g, int row, bool unicode, struct text *line)
{
	char number[16] = "";
	int at = g->rows - 1 - row;

	if (row == 0 || at == 0 || row == (g->rows - 1) / 2)
		snprintf(number, sizeof number, "%.4g",
		    g->y_to * at / (g->rows - 1));
	text_addf(line, "%*s %s", SCALE_COLS - 2, number, unicode ? "│" : "|");
}

static void
add_grid_row(struct page *p, const struct plot_grid *g, int row, bool unicode)
{
	static const char *const plain[N_PLOT_CELLS] = {" ", "-", "o", "x"};
	static const char *const shown[N_PLOT_CELLS] = {" ", "╌", "●", "×"};
	struct text line = {0};

	add_scale(g, row, unicode, &line);
	for (int x = 0; x < g->cols; x++)
		text_adds(&line,
		    (unicode ? shown : plain)[g->cells[row * g->cols + x]]);
	page_add(p, ROLE_NORMAL, text_str(&line), NULL);
	text_free(&line);
}

/* Adds the axis below the grid, and the ends of its scale. */
static void
add_x_axis(struct page *p, const struct plot_grid *g, const struct plot *plot)
{
	struct text line = {0};
	char from[16], to[16];
	int room;

	text_addf(
	    &line, "%*s%s", SCALE_COLS - 1, "", plot->unicode ? "└" : "+");
	for (int x = 0; x < g->cols; x++)
		text_adds(&line, plot->unicode ? "─" : "-");
	page_add(p, ROLE_NORMAL, text_str(&line), NULL);
	text_clear(&line);
	snprintf(from, sizeof from, "%.6g", g->x_from);
	snprintf(to, sizeof to, "%.6g", g->x_to);
	room = g->cols - (int)(strlen(from) + strlen(to)) - 1;
	text_addf(&line, "%*s%s", SCALE_COLS, "", from);
	if (g->x_to > g->x_from)
		text_addf(&line, "%*s %s", room, plot->x_name, to);
	page_add(p, ROLE_DIM, text_str(&line), NULL);
	text_free(&line);
}

void
plot_add(struct page *p, const struct plot *plot)
{
	struct plot_grid g = {
	    .cols = (plot->cols > LEAST_COLS ? plot->cols : LEAST_COLS) -
		SCALE_COLS - 1,
	    .rows = (plot->rows > LEAST_ROWS ? plot->rows : LEAST_ROWS) - 3,
	};

	g.rows -= g.rows % 2 == 0; /* one is in the middle */
	g.cells = mem_calloc((size_t)g.cols, (size_t)g.rows);
	find_ranges(&g, plot);
	fill_grid(&g, plot);
	page_add(p, ROLE_LABEL, plot->y_name, NULL);
	for (int row = 0; row < g.rows; row++)
		add_grid_row(p, &g, row, plot->unicode);
	add_x_axis(p, &g, plot);
	free(g.cells);
}
