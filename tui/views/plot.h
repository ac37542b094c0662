/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plot of points in characters, as lines of a page. */
#ifndef TUI_VIEWS_PLOT_H
#define TUI_VIEWS_PLOT_H

#include <stdbool.h>
#include <stddef.h>

struct page;

struct plot_point {
	double x, y;
	bool bad; /* drawn as a cross */
};

struct plot {
	const struct plot_point *points;
	size_t n;
	const char *y_name, *x_name;
	bool has_limit; /* a line at height limit */
	double limit;
	int cols, rows; /* of the screen, for all of it */
	bool unicode;
};

/* Adds the lines to a page; at least 30 columns and 6 rows. */
void plot_add(struct page *p, const struct plot *plot);

#endif
