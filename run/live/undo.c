/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See live.h: undo and redo, told by what they do to the text. */
#include "base/text.h"
#include "parser/document/edit.h"
#include "run/live/tune_part.h"

static void
add_text(const struct line *line, struct text *out)
{
	size_t before = out->len;

	tweak_add_line(out, line);
	if (out->len == before)
		text_adds(out, "an empty line");
}

/* A line that is there no more may have been the last. */
static void
add_place(const struct document *doc, size_t line, struct text *out)
{
	if (line < document_n_lines(doc))
		text_addf(out, "line %zu", tweak_row(doc, line));
	else
		text_adds(out, "the end");
}

static void
tell(const struct document *doc, const struct edit_effect *told,
    struct text *out)
{
	if (told->was != NULL)
		add_text(told->was, out);
	if (told->was != NULL && told->is != NULL)
		text_adds(out, " -> ");
	if (told->is != NULL)
		add_text(told->is, out);
	text_adds(out,
	    told->was == NULL      ? " is back at "
		: told->is == NULL ? " has gone from "
				   : " at ");
	add_place(doc, told->line, out);
	if (told->n > 1)
		text_addf(out, ", and %zu more line%s", told->n - 1,
		    told->n == 2 ? "" : "s");
}

bool
session_undo(struct session *s, size_t source, enum live_when when,
    enum live_result *result, struct text *said)
{
	struct document *doc = s->plan->sources[source].doc;
	struct edit_effect told;
	struct text why = {0};

	if (!edit_undo(doc))
		return false;
	if (edit_undone(doc, &told))
		tell(doc, &told, said);
	*result = session_document_changed(s, source, when, &why);
	text_free(&why);
	return true;
}

bool
session_redo(struct session *s, size_t source, enum live_when when,
    enum live_result *result, struct text *said)
{
	struct document *doc = s->plan->sources[source].doc;
	struct edit_effect told;
	struct text why = {0};

	if (!edit_redo(doc))
		return false;
	if (edit_redone(doc, &told))
		tell(doc, &told, said);
	*result = session_document_changed(s, source, when, &why);
	text_free(&why);
	return true;
}
