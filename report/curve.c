/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws curves. The x axis is logarithmic where values are far apart, as they are
 * after doubling. */
#include "report/curve.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "report/chart.h"
#include "report/html.h"

#define APART 9 /* percent of the width, between two labels */

/* Returns the greatest value, the limit too; *least is the smallest above 0. */
static double
find_range(const struct curve *c, double *least)
{
	double most = isnan(c->limit) ? 0 : c->limit;

	*least = INFINITY;
	for (size_t s = 0; s < c->n_series; s++)
		for (size_t i = 0; i < c->n; i++) {
			double y = c->y[s][i];

			if (isnan(y))
				continue;
			most = fmax(most, y);
			if (y > 0)
				*least = fmin(*least, y);
		}
	return most;
}

/* Adds a value as words. */
static void
add_curve_value(struct text *out, enum curve_unit unit, double value)
{
	char buf[UNITS_LEN];

	switch (unit) {
	case CURVE_NS:
		text_adds(
		    out, value > 0 ? format_duration(buf, (nsec)value) : "0");
		break;
	case CURVE_PERCENT: text_addf(out, "%.4g&nbsp;%%", value); break;
	case CURVE_NUMBER: text_addf(out, "%.4g", value); break;
	}
}

/* The x axis. */
struct curve_axis {
	double low, high;
	bool logarithmic;
};

static struct curve_axis
axis_of(const struct curve *c)
{
	struct curve_axis a = {.low = c->x[0], .high = c->x[c->n - 1]};

	a.logarithmic = a.low > 0 && a.high / a.low > 20;
	if (a.high <= a.low)
		a.high = a.low + 1;
	return a;
}

static double
axis_x(const struct curve_axis *a, double x)
{
	double share = a->logarithmic ? log(x / a->low) / log(a->high / a->low)
				      : (x - a->low) / (a->high - a->low);

	/* Room for dots at both ends. */
	return (0.01 + 0.98 * fmin(fmax(share, 0), 1)) * CHART_WIDTH;
}

/* Adds the numbers of points below the axis, as many as there is room for, the last
 * one always. */
static void
add_axis_labels(
    const struct curve *c, const struct curve_axis *a, struct text *out)
{
	double end = axis_x(a, c->x[c->n - 1]) * 100 / CHART_WIDTH;
	double before = -APART;

	text_adds(out, "<div class=\"x at\">");
	for (size_t i = 0; i < c->n; i++) {
		double x = axis_x(a, c->x[i]) * 100 / CHART_WIDTH;

		if (i + 1 < c->n && (x - before < APART || end - x < APART))
			continue;
		text_addf(
		    out, "<span style=\"left:%.1f%%\">%.6g</span>", x, c->x[i]);
		before = x;
	}
	text_adds(out, "</div><div class=\"x name\">");
	html_add_text(out, c->x_name, SIZE_MAX);
	text_adds(out, "</div>");
}

static void
draw_series(const struct curve *c, size_t series, const struct curve_axis *a,
    const struct chart_scale *scale, struct text *out)
{
	const double *y = c->y[series];
	bool draws = false;

	text_addf(out, "<path class=\"l s%zu\" d=\"", series);
	for (size_t i = 0; i < c->n; i++) {
		if (!isnan(y[i]))
			text_addf(out, "%c%.1f %.1f", draws ? 'L' : 'M',
			    axis_x(a, c->x[i]),
			    CHART_HEIGHT - chart_y(scale, y[i]));
		draws = !isnan(y[i]);
	}
	text_addf(out, "\"/><path class=\"l s%zu dots\" d=\"", series);
	for (size_t i = 0; i < c->n; i++)
		if (!isnan(y[i]))
			text_addf(out, "M%.1f %.1fh0", axis_x(a, c->x[i]),
			    CHART_HEIGHT - chart_y(scale, y[i]));
	text_adds(out, "\"/>\n");
}

static void
draw_curve_marks(const struct curve *c, const struct curve_axis *a,
    const struct chart_scale *scale, struct text *out)
{
	if (!isnan(c->limit))
		text_addf(out, "<path class=\"due\" d=\"M0 %.1fH%d\"/>\n",
		    CHART_HEIGHT - chart_y(scale, c->limit), CHART_WIDTH);
	if (!isnan(c->mark))
		text_addf(out, "<path class=\"mark\" d=\"M%.1f 0V%d\"/>\n",
		    axis_x(a, c->mark), CHART_HEIGHT);
}

static void
add_curve_key(const struct curve *c, struct text *out)
{
	char class[32];

	chart_begin_key(out);
	for (size_t s = 0; s < c->n_series; s++) {
		snprintf(class, sizeof class, "l s%zu", s);
		if (c->names[s] != NULL)
			chart_key(out, class, c->names[s]);
	}
	chart_end_key(out);
}

void
curve_draw(const struct curve *c, struct text *out)
{
	double least, most = find_range(c, &least);
	struct chart_scale scale = chart_scale_for(0, most);
	struct curve_axis axis;
	struct text top = {0};

	if (c->n == 0 || c->n_series == 0 || most <= 0)
		return;
	if (c->unit == CURVE_NS)
		scale = chart_scale_for(isinf(least) ? 0 : least, most);
	if (c->unit == CURVE_PERCENT && scale.high <= 100)
		scale.high = 100;
	axis = axis_of(c);
	add_curve_value(&top, c->unit, scale.high);
	text_addc(&top, '\0');
	add_curve_value(&top, c->unit, scale.low);
	chart_begin(out, "tall", c->caption);
	chart_area(out, text_str(&top),
	    text_str(&top) + strlen(text_str(&top)) + 1, c->caption);
	for (int i = 1; i < 4; i++)
		chart_grid(out, i * CHART_HEIGHT / 4.0);
	draw_curve_marks(c, &axis, &scale, out);
	for (size_t s = 0; s < c->n_series; s++)
		draw_series(c, s, &axis, &scale, out);
	chart_end_drawing(out);
	chart_end_area(out);
	add_axis_labels(c, &axis, out);
	chart_end(out);
	if (c->names[0] != NULL)
		add_curve_key(c, out);
	text_free(&top);
}
