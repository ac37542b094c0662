/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Curves: figures over a number that was varied, such as clients, a line for each
 * series, with dots where there was a run. */
#ifndef REPORT_CURVE_H
#define REPORT_CURVE_H

#include <stddef.h>

struct text;

#define CURVE_SERIES 8 /* at most */

/* How values are written. */
enum curve_unit { CURVE_NUMBER, CURVE_NS, CURVE_PERCENT };

struct curve {
	const char *caption; /* words of the program */
	enum curve_unit unit;
	size_t n;        /* points of each series */
	const double *x; /* ascending */
	const char *x_name;
	const double *y[CURVE_SERIES];   /* NAN: none */
	const char *names[CURVE_SERIES]; /* text of elsewhere; NULL: one only */
	size_t n_series;
	double limit; /* a horizontal line; NAN: none */
	double mark;  /* a vertical line at that x; NAN: none */
};

/* Adds the figure; nothing if there is no value. */
void curve_draw(const struct curve *c, struct text *out);

#endif
