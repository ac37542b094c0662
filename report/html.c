/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes elements, and escapes text. */
#include "report/html.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "base/utf8.h"

static void
add_escaped(struct text *out, const char *s, size_t len)
{
	switch (*s) {
	case '&': text_adds(out, "&amp;"); break;
	case '<': text_adds(out, "&lt;"); break;
	case '>': text_adds(out, "&gt;"); break;
	case '"': text_adds(out, "&quot;"); break;
	case '\'': text_adds(out, "&#39;"); break;
	default: text_add(out, s, len); break;
	}
}

void
html_add_text(struct text *out, const char *s, size_t len)
{
	if (len == SIZE_MAX)
		len = strlen(s);
	for (size_t i = 0; i < len;) {
		struct utf8_char c = utf8_decode(s + i, len - i);

		if (c.visible)
			add_escaped(out, s + i, c.len);
		else
			text_addc(out, '?');
		i += c.len;
	}
}

void
html_addf(struct text *out, const char *fmt, ...)
{
	struct text words = {0};
	va_list ap;

	va_start(ap, fmt);
	text_addv(&words, fmt, ap);
	va_end(ap);
	html_add_text(out, text_str(&words), words.len);
	text_free(&words);
}

void
html_add_line(struct text *out, const char *s, size_t len, size_t most)
{
	size_t shown = len <= most ? len : utf8_whole(s, most);

	for (size_t i = 0; i < shown;) {
		const char *tab = memchr(s + i, '\t', shown - i);
		size_t n = tab != NULL ? (size_t)(tab - s) - i : shown - i;

		html_add_text(out, s + i, n);
		if (tab != NULL)
			text_adds(out, "    ");
		i += n + (tab != NULL);
	}
	if (shown < len)
		text_adds(out, "…");
}

void
html_add_count(struct text *out, uint64_t n)
{
	text_addf(out, "<data value=\"%" PRIu64 "\">%" PRIu64 "</data>", n, n);
}

void
html_add_real(struct text *out, double value, int decimals)
{
	text_addf(
	    out, "<data value=\"%.17g\">%.*f</data>", value, decimals, value);
}

void
html_add_ns(struct text *out, nsec ns)
{
	char buf[UNITS_LEN];

	text_addf(out, "<data value=\"%" PRIu64 "\">%s</data>", ns,
	    format_duration(buf, ns));
}

void
html_add_percent(struct text *out, nsec part, nsec whole)
{
	text_addf(out, "<data value=\"%" PRIu64 "\">%.1f&nbsp;%%</data>", part,
	    whole > 0 ? 100 * (double)part / (double)whole : 0);
}

void
html_begin_section(struct text *out, const char *id, const char *title)
{
	text_addf(out, "<section id=\"%s\">\n<h2>%s</h2>\n", id, title);
}

void
html_end_section(struct text *out)
{
	text_adds(out, "</section>\n");
}

void
html_begin_table(struct text *out, const char *columns)
{
	text_adds(out, "<div class=\"wide\"><table>\n<thead><tr>");
	while (*columns != '\0') {
		size_t len = strcspn(columns, "|");
		bool left = *columns == '<';

		text_adds(out,
		    left ? "<th class=\"t\" scope=\"col\">"
			 : "<th scope=\"col\">");
		html_add_text(out, columns + left, len - left);
		text_adds(out, "</th>");
		columns += len + (columns[len] == '|');
	}
	text_adds(out, "</tr></thead>\n<tbody>\n");
}

void
html_end_table(struct text *out)
{
	text_adds(out, "</tbody></table></div>\n");
}

void
html_cell_text(struct text *out, const char *s)
{
	text_adds(out, "<td class=\"t\">");
	html_add_text(out, s, SIZE_MAX);
	text_adds(out, "</td>");
}

void
html_cell_count(struct text *out, uint64_t n)
{
	text_adds(out, "<td>");
	html_add_count(out, n);
	text_adds(out, "</td>");
}

void
html_cell_real(struct text *out, double value, int decimals)
{
	text_adds(out, "<td>");
	html_add_real(out, value, decimals);
	text_adds(out, "</td>");
}

void
html_cell_ns(struct text *out, nsec ns)
{
	text_adds(out, "<td>");
	html_add_ns(out, ns);
	text_adds(out, "</td>");
}

void
html_cell_percent(struct text *out, nsec part, nsec whole)
{
	text_adds(out, "<td>");
	html_add_percent(out, part, whole);
	text_adds(out, "</td>");
}

uint64_t
figure_count(const json_t *o, const char *key)
{
	return (uint64_t)json_integer_value(json_object_get(o, key));
}

double
figure_real(const json_t *o, const char *key)
{
	return json_number_value(json_object_get(o, key));
}

const char *
figure_string(const json_t *o, const char *key)
{
	const char *s = json_string_value(json_object_get(o, key));

	return s != NULL ? s : "";
}
