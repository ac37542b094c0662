/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The documents of a run with their edits, line by line against what was read. */
#include <stdlib.h>
#include <string.h>

#include "base/diff.h"
#include "base/mem.h"
#include "parser/document/document.h"
#include "report/html.h"
#include "report/page.h"
#include "run/plan.h"

#define MOST_LINE      400    /* bytes of a line */
#define MOST_DOCUMENTS 250000 /* bytes of all, as HTML */

/* The two texts of a document, as lines. */
struct document_sides {
	const struct document *doc;
	const struct line **was; /* as it was read */
	size_t n_was;
};

static const char *
line_of_side(const struct document_sides *d, size_t i, bool was, size_t *len)
{
	return was ? document_line_was(d->was[i], len)
		   : document_line_text(d->doc, i, len);
}

static bool
are_same_document_lines(const void *arg, size_t i, size_t k)
{
	const struct document_sides *d = arg;
	size_t n, m;
	const char *a = line_of_side(d, i, true, &n);
	const char *b = line_of_side(d, k, false, &m);

	return n == m && memcmp(a, b, n) == 0;
}

static void
add_document_line(const struct document_sides *d, size_t i, bool was,
    const char *class, struct text *out)
{
	size_t len;
	const char *s = line_of_side(d, i, was, &len);

	while (len > 0 && strchr("\r\n", s[len - 1]) != NULL)
		len--;
	if (class == NULL)
		class = len > 0 && *s == '#' ? "com" : "";
	if (*class != '\0')
		text_addf(out, "<span class=\"%s\" data-n=\"", class);
	else
		text_adds(out, "<span data-n=\"");
	if (was)
		text_adds(out, "−");
	else
		text_addf(
		    out, "%s%zu", strcmp(class, "ins") == 0 ? "+ " : "", i + 1);
	text_adds(out, "\">");
	html_add_line(out, s, len, MOST_LINE);
	text_adds(out, "</span>");
}

/* Adds all lines, those that were replaced too, up to most bytes of out. */
static void
add_document_lines(
    const struct document_sides *d, size_t most, struct text *out)
{
	size_t n = document_n_lines(d->doc), k = 0, i = 0;
	size_t *match = mem_calloc(d->n_was + 1, sizeof *match);

	diff_lines(d->n_was, n, are_same_document_lines, d, match);
	text_adds(out, "<pre>");
	while ((i < d->n_was || k < n) && out->len < most) {
		if (i < d->n_was && match[i] == DIFF_NONE)
			add_document_line(d, i++, true, "del", out);
		else if (i < d->n_was && match[i] == k)
			i++, add_document_line(d, k++, false, NULL, out);
		else
			add_document_line(d, k++, false, "ins", out);
	}
	text_adds(out, "</pre>\n");
	if (k < n || i < d->n_was)
		text_addf(out, "<p class=\"dim\">And %zu more lines.</p>\n",
		    n - k +
			(d->n_was - i > n - k ? d->n_was - i - (n - k) : 0));
	free(match);
}

static void
add_document(const struct plan *plan, size_t source, bool clients, size_t most,
    struct text *out)
{
	struct document_sides d = {.doc = plan->sources[source].doc};
	struct text title = {0};
	bool edited = document_state(d.doc) != 0;

	d.was = document_lines_read(d.doc, &d.n_was);
	source_add_title(plan, source, &title);
	text_adds(out, "<h3>");
	html_add_text(out, text_str(&title), title.len);
	text_adds(out, " <span class=\"dim\">");
	if (clients)
		text_addf(out, "%u client%s", plan->sources[source].clones,
		    plan->sources[source].clones == 1 ? "" : "s");
	text_addf(out, "%s</span></h3>\n",
	    !edited       ? ""
		: clients ? ", with edits"
			  : "with edits");
	add_document_lines(&d, most, out);
	free(d.was);
	text_free(&title);
}

void
page_edited_document(const struct plan *plan, size_t source,
    const struct text *text, struct text *out)
{
	const struct document *was = plan->sources[source].doc;
	struct document *now = document_parse(
	    document_name(was), text_str(text), text->len, SOURCE_FILE);
	struct document_sides d = {.doc = now, .n_was = document_n_lines(was)};
	struct text title = {0};

	d.was = mem_calloc(d.n_was + 1, sizeof *d.was);
	for (size_t i = 0; i < d.n_was; i++)
		d.was[i] = document_line(was, i);
	source_add_title(plan, source, &title);
	text_adds(out, "<h3>");
	html_add_text(out, text_str(&title), title.len);
	text_adds(out, "</h3>\n");
	if (out->len < MOST_DOCUMENTS)
		add_document_lines(&d, MOST_DOCUMENTS, out);
	free(d.was);
	document_free(now);
	text_free(&title);
}

void
page_documents(const struct plan *plan, bool clients, struct text *out)
{
	size_t most = out->len + MOST_DOCUMENTS, left = 0;

	if (plan->n_sources == 0)
		return;
	html_begin_section(out, "documents", "Descriptors");
	for (size_t i = 0; i < plan->n_sources; i++) {
		if (plan->sources[i].is_alias)
			continue;
		if (out->len < most)
			add_document(plan, i, clients, most, out);
		else
			left++;
	}
	if (left > 0)
		text_addf(out, "<p class=\"dim\">And %zu more.</p>\n", left);
	html_end_section(out);
}
