/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Charts as SVG, which is stretched to the width of the page; words are beside it,
 * in HTML, so that they stay readable. Points are x from 0 to CHART_WIDTH and y
 * from 0 (below) to CHART_HEIGHT.
 */
#ifndef REPORT_CHART_H
#define REPORT_CHART_H

#include <stdbool.h>
#include <stddef.h>

#include "base/nsec.h"

struct text;

#define CHART_WIDTH  1000
#define CHART_HEIGHT 100

/* Begins a figure with a caption, of words of the program; NULL: none. kind: "",
 * "tall" or "strip", which has a lane's name at its left instead of values. */
void chart_begin(struct text *out, const char *kind, const char *caption);
/* Begins the drawing, with the values at the top and the bottom as words, and says
 * what it shows. */
void chart_area(
    struct text *out, const char *top, const char *bottom, const char *says);
void chart_lane(struct text *out, const char *name);
/* Ends the drawing; HTML that is positioned in the area may follow. */
void chart_end_drawing(struct text *out);
/* Ends the area. */
void chart_end_area(struct text *out);
/* Adds the times from..to below the last area. */
void chart_times(struct text *out, nsec from, nsec to);
/* Adds words below it instead, '|' between them. */
void chart_words(struct text *out, const char *words);
void chart_end(struct text *out);

/* Adds a line through n points; where y is NAN it is interrupted. */
void chart_line(struct text *out, const char *class, const double *x,
    const double *y, size_t n);
/* Adds steps: y[i] from x[i] to x[i + 1], of n + 1 values x, above floor[i]
 * (NULL: 0). */
void chart_steps(struct text *out, const char *class, const double *x,
    const double *y, const double *floor, size_t n);
/* Adds a horizontal line. */
void chart_grid(struct text *out, double y);
/* Adds a key: a square of the class, and its name. */
void chart_begin_key(struct text *out);
void chart_key(struct text *out, const char *class, const char *name);
void chart_end_key(struct text *out);

/* A scale of values: linear from 0, or logarithmic. */
struct chart_scale {
	double low, high;
	bool logarithmic;
};

/* Returns a scale for values from least (above 0) to most; logarithmic if they are
 * far apart. */
struct chart_scale chart_scale_for(double least, double most);
/* Returns y of a value; 0 at or below the lowest. */
double chart_y(const struct chart_scale *s, double value);

#endif
