/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of a comparison: the figures of both sides with their difference, and the
 * charts of each side. */
#include <string.h>

#include "report/html.h"
#include "report/page.h"
#include "report/report.h"
#include "run/plan.h"

static void
add_difference_cell(const struct compared_figure *f, struct text *out)
{
	double a = f->value[0], b = f->value[1];

	text_adds(out, "<td>");
	if (a != 0)
		text_addf(out, "%+.1f&nbsp;%%", 100 * (b - a) / a);
	text_adds(out, "</td>");
}

static void
add_compared_table(const struct compared_page *page, struct text *out)
{
	struct text columns = {0};

	text_addf(&columns, "<figure|%s|%s|the second is more by",
	    page->names[0], page->names[1]);
	html_begin_section(out, "figures", "Figures of both sides");
	text_addf(out,
	    "<p class=\"dim\">%u of %zu figures differ by more than %.0f&nbsp;%%: "
	    "they are marked.</p>\n",
	    page->n_apart, page->n, page->percent);
	html_begin_table(out, text_str(&columns));
	for (size_t i = 0; i < page->n; i++) {
		const struct compared_figure *f = &page->figures[i];

		text_addf(out, "<tr%s>", f->marked ? " class=\"off\"" : "");
		html_cell_text(out, f->name);
		html_cell_real(out, f->value[0], 3);
		html_cell_real(out, f->value[1], 3);
		add_difference_cell(f, out);
		text_adds(out, "</tr>\n");
	}
	html_end_table(out);
	html_end_section(out);
	text_free(&columns);
}

static void
add_side(struct compared_page *page, unsigned side, struct text *out)
{
	struct run_page *run = &page->sides[side];

	run->figures = report_object(run->result);
	run->side = page->names[side];
	page_busyness(run, out);
	page_latency(run, out);
	json_decref(run->figures);
	run->figures = NULL;
}

void
page_of_comparison(struct compared_page *page, struct text *out)
{
	const struct plan *model = page->sides[1].result->plan;
	struct text title = {0};

	page_add_titles(model, &title);
	text_addf(&title, ": %s and %s", page->names[0], page->names[1]);
	page_begin(text_str(&title), out);
	page_command(page->command, out);
	page_fact(out, "First side", page->names[0]);
	page_fact(out, "Second side", page->names[1]);
	page_plan_facts(model, false, out);
	text_adds(out, "</dl>\n");
	add_compared_table(page, out);
	add_side(page, 0, out);
	add_side(page, 1, out);
	page_documents(model, true, out);
	page_end(out);
	text_free(&title);
}
