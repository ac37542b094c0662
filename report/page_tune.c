/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of a search for edits: the goal before and after, what each edit does alone
 * and in the set, and the documents with the edits in them. */
#include <string.h>

#include "decide/tune.h"
#include "parser/document/document.h"
#include "report/html.h"
#include "report/page.h"
#include "run/plan.h"

/* Adds the lines of the answer; edits as a list of their own. */
static void
add_answer(const struct tune *t, struct text *out)
{
	struct text lines = {0};
	const char *line;

	tune_print(t, &lines);
	html_begin_section(out, "answer", "Edits, and what each is worth");
	for (line = text_str(&lines); *line != '\0';) {
		size_t len = strcspn(line, "\n");

		text_adds(out,
		    strncmp(line, "tried ", 6) == 0 ? "<p class=\"dim\">"
						    : "<p>");
		html_add_text(out, line, len);
		text_adds(out, "</p>\n");
		line += len + (line[len] == '\n');
	}
	html_end_section(out);
	text_free(&lines);
}

static void
add_question_of_tune(
    const struct tune *t, const struct plan *plan, struct text *out)
{
	const struct goal *goal = t->question.goal;
	struct text value = {0};

	for (size_t i = 0; i < goal->n; i++)
		text_addf(
		    &value, "%s%s", i > 0 ? ", " : "", goal->list[i].text);
	page_fact(out, "Goal", text_str(&value));
	page_plan_facts(plan, false, out);
	text_clear(&value);
	text_addf(&value, "%u searched with, %u more compared on",
	    t->question.seeds, tune_held_out(t));
	page_fact(out, "Seeds", text_str(&value));
	text_adds(out, "</dl>\n");
	text_free(&value);
}

static void
add_edited_documents(const struct tune *t, struct plan *plan, struct text *out)
{
	html_begin_section(out, "documents", "Descriptors with the edits");
	for (size_t i = 0; i < plan->n_sources; i++) {
		struct text text = {0}, err = {0};

		if (plan->sources[i].is_alias)
			continue;
		if (tune_print_document(t, &t->best, plan, i, &text, &err))
			page_edited_document(plan, i, &text, out);
		text_free(&text);
		text_free(&err);
	}
	html_end_section(out);
}

void
page_of_tune(const struct tune *t, struct plan *plan, const char *command,
    struct text *out)
{
	struct text title = {0};

	text_adds(&title, "Tuning of ");
	page_add_titles(plan, &title);
	page_begin(text_str(&title), out);
	page_command(command, out);
	add_question_of_tune(t, plan, out);
	add_answer(t, out);
	add_edited_documents(t, plan, out);
	page_end(out);
	text_free(&title);
}
