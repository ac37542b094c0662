/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See anchor.h. */
#include "tui/console/anchor.h"

#include "parser/document/document.h"
#include "tui/console/ui.h"

/* NULL: the source has gone. */
static const struct document *
selected_document(const struct ui *ui)
{
	const struct plan *plan = ui->session->plan;

	return ui->selection.source < plan->n_sources
	    ? plan->sources[ui->selection.source].doc
	    : NULL;
}

void
anchor_set(struct ui *ui)
{
	const struct selection *sel = &ui->selection;
	const struct document *doc = selected_document(ui);
	struct anchor *a = &ui->anchor;

	if (doc == NULL)
		return;
	if (a->document == doc && a->source == sel->source &&
	    a->line == sel->line && a->revision == document_revision(doc) &&
	    a->identity != 0)
		return;
	*a = (struct anchor){.document = doc,
	    .source = sel->source,
	    .line = sel->line,
	    .revision = document_revision(doc)};
	if (sel->line < document_n_lines(doc))
		a->identity = document_identity(
		    doc, document_line(doc, sel->line));
}

void
anchor_follow(struct ui *ui)
{
	struct selection *sel = &ui->selection;
	const struct document *doc = selected_document(ui);
	const struct anchor *a = &ui->anchor;
	size_t at, n = doc != NULL ? document_n_lines(doc) : 0;

	if (doc != NULL && a->document == doc && sel->source == a->source &&
	    sel->line == a->line && a->revision != document_revision(doc) &&
	    a->identity != 0 &&
	    document_line_index(
		doc, document_identified(doc, a->identity), &at))
		sel->line = at;
	if (sel->line >= n)
		sel->line = n > 0 ? n - 1 : 0;
	anchor_set(ui);
}
