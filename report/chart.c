/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws charts. Coordinates have one decimal at most, as files must stay small. */
#include "report/chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "report/html.h"

#define FAR_APART 30 /* values beyond this ratio get a logarithmic scale */

/* Adds a coordinate. */
static void
add_coordinate(struct text *out, double v)
{
	long tenths = lround(v * 10);

	if (tenths % 10 == 0)
		text_addf(out, "%ld", tenths / 10);
	else
		text_addf(out, "%s%ld.%ld", tenths < 0 ? "-" : "",
		    labs(tenths) / 10, labs(tenths) % 10);
}

static void
add_point(struct text *out, char command, double x, double y)
{
	text_addc(out, command);
	add_coordinate(out, x);
	text_addc(out, ' ');
	add_coordinate(out, CHART_HEIGHT - y);
}

void
chart_begin(struct text *out, const char *kind, const char *caption)
{
	text_addf(out, "<figure class=\"%s\">", kind);
	if (caption != NULL)
		text_addf(out, "<figcaption>%s</figcaption>", caption);
	text_adds(out, "<div class=\"plot\">\n");
}

static void
begin_drawing(struct text *out, const char *says)
{
	text_addf(out,
	    "<div class=\"area\"><svg viewBox=\"0 0 %d %d\" "
	    "preserveAspectRatio=\"none\" role=\"img\" aria-label=\"",
	    CHART_WIDTH, CHART_HEIGHT);
	html_add_text(out, says, SIZE_MAX);
	text_adds(out, "\">\n");
}

void
chart_area(
    struct text *out, const char *top, const char *bottom, const char *says)
{
	text_addf(out, "<div class=\"y\"><span>%s</span><span>%s</span></div>",
	    top, bottom);
	begin_drawing(out, says);
}

void
chart_lane(struct text *out, const char *name)
{
	text_adds(out, "<div class=\"lane\">");
	html_add_text(out, name, SIZE_MAX);
	text_adds(out, "</div>");
	begin_drawing(out, name);
}

void
chart_end_drawing(struct text *out)
{
	text_adds(out, "</svg>");
}

void
chart_end_area(struct text *out)
{
	text_adds(out, "</div>\n");
}

void
chart_times(struct text *out, nsec from, nsec to)
{
	nsec step = (to - from) / 4;
	char buf[UNITS_LEN];

	text_addf(out, "<div class=\"x\"><span>%s</span>",
	    from == 0 ? "0" : format_time(buf, from));
	for (unsigned i = 1; i <= 4; i++)
		text_addf(out, "<span>%s%s</span>", from == 0 ? "" : "+",
		    format_duration(buf, i == 4 ? to - from : i * step));
	text_adds(out, "</div>");
}

void
chart_words(struct text *out, const char *words)
{
	text_adds(out, "<div class=\"x\">");
	while (*words != '\0') {
		size_t len = strcspn(words, "|");

		text_adds(out, "<span>");
		html_add_text(out, words, len);
		text_adds(out, "</span>");
		words += len + (words[len] == '|');
	}
	text_adds(out, "</div>");
}

void
chart_end(struct text *out)
{
	text_adds(out, "</div></figure>\n");
}

void
chart_line(struct text *out, const char *class, const double *x,
    const double *y, size_t n)
{
	bool draws = false;

	text_addf(out, "<path class=\"l %s\" d=\"", class);
	for (size_t i = 0; i < n; i++) {
		bool known = !isnan(y[i]);

		if (known)
			add_point(out, draws ? 'L' : 'M', x[i], y[i]);
		/* A value alone is a short line. */
		if (known && !draws && (i + 1 == n || isnan(y[i + 1])))
			text_adds(out, "h2");
		draws = known;
	}
	text_adds(out, "\"/>\n");
}

/* Adds the path of one run of steps, from..to. */
static void
add_step_path(struct text *out, const double *x, const double *y,
    const double *floor, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		add_point(out, i == from ? 'M' : 'L', x[i], y[i]);
		text_addc(out, 'H');
		add_coordinate(out, x[i + 1]);
	}
	if (floor == NULL) {
		add_point(out, 'L', x[to], 0);
		text_addc(out, 'H');
		add_coordinate(out, x[from]);
	}
	for (size_t i = to; floor != NULL && i-- > from;) {
		add_point(out, 'L', x[i + 1], floor[i]);
		text_addc(out, 'H');
		add_coordinate(out, x[i]);
	}
	text_addc(out, 'Z');
}

void
chart_steps(struct text *out, const char *class, const double *x,
    const double *y, const double *floor, size_t n)
{
	text_addf(out, "<path class=\"%s\" d=\"", class);
	for (size_t i = 0; i < n;) {
		size_t from = i;

		while (i < n && y[i] > (floor != NULL ? floor[i] : 0))
			i++;
		if (i > from)
			add_step_path(out, x, y, floor, from, i);
		else
			i++;
	}
	text_adds(out, "\"/>\n");
}

void
chart_grid(struct text *out, double y)
{
	text_adds(out, "<path class=\"grid\" d=\"M0 ");
	add_coordinate(out, CHART_HEIGHT - y);
	text_addf(out, "H%d\"/>\n", CHART_WIDTH);
}

void
chart_begin_key(struct text *out)
{
	text_adds(out, "<div class=\"key\">");
}

void
chart_key(struct text *out, const char *class, const char *name)
{
	bool line = class[0] == 'l' && class[1] == ' ';

	text_addf(out,
	    "<span><svg viewBox=\"0 0 12 12\" aria-hidden=\"true\"><path "
	    "class=\"%s\" d=\"%s\"/></svg>",
	    class, line ? "M0 6H12" : "M0 0H12V12H0Z");
	html_add_text(out, name, SIZE_MAX);
	text_adds(out, "</span>");
}

void
chart_end_key(struct text *out)
{
	text_adds(out, "</div>\n");
}

struct chart_scale
chart_scale_for(double least, double most)
{
	struct chart_scale s = {.high = most > 0 ? most : 1};

	if (least > 0 && most / least > FAR_APART) {
		s.logarithmic = true;
		s.low = least;
	}
	return s;
}

double
chart_y(const struct chart_scale *s, double value)
{
	double share;

	if (value <= s->low)
		return 0;
	share = s->logarithmic ? log(value / s->low) / log(s->high / s->low)
			       : value / s->high;
	return fmin(share, 1) * CHART_HEIGHT;
}
