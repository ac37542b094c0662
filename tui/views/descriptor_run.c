/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Diagnostics of the Descriptor view that depend on the run: the refusal of a
 * text that has no errors of its own, and steps without effect. They are found
 * again when the text, its program, the scheduler or the profile changes.
 */
#include <string.h>

#include "run/live/notices.h"
#include "run/plan.h"
#include "tui/views/descriptor.h"
#include "tui/views/list.h"

/* Adds why the text is not run, which begins with its line. */
static void
add_run_refusal(
    struct run_diagnostics *r, const struct session *s, size_t source)
{
	const struct document *doc = s->plan->sources[source].doc;
	const char *problem = session_document_problem(s, source);
	uint32_t col, len;
	size_t line;

	if (!document_is_valid(doc) ||
	    !session_problem_line(s, source, &line) ||
	    line >= document_n_lines(doc))
		return;
	document_field(doc, line, 0, &col, &len);
	problem += strcspn(problem, ":");
	problem += strspn(problem, ": ");
	diag_add(&r->list, DIAG_ERROR, (uint32_t)line, col, len, "%s", problem);
}

void
run_diagnostics_update(
    struct run_diagnostics *r, const struct session *s, size_t source)
{
	uint64_t revision = document_revision(s->plan->sources[source].doc);

	if (r->source == source && r->generation == s->generation &&
	    r->versions == s->run.versions.generation &&
	    r->revision == revision)
		return;
	r->source = source;
	r->generation = s->generation;
	r->versions = s->run.versions.generation;
	r->revision = revision;
	diag_list_clear(&r->list);
	add_run_refusal(r, s, source);
	idle_warnings_add(s, source, &r->list);
	diag_list_sort(&r->list);
}

static bool
has_diagnostic(
    const struct run_diagnostics *r, const struct document *doc, size_t line)
{
	size_t n;

	document_line_diagnostics(doc, line, &n);
	for (size_t i = 0; i < r->list.n && n == 0; i++)
		n = r->list.list[i].line == line;
	return n > 0;
}

bool
run_diagnostics_next(const struct run_diagnostics *r,
    const struct document *doc, size_t from, size_t *line)
{
	size_t n = document_n_lines(doc);

	for (struct list_walk w = walk_begin(n, from < n ? from : 0, 1);
	     walk_goes_on(&w); walk_step(&w))
		if (has_diagnostic(r, doc, w.at)) {
			*line = w.at;
			return true;
		}
	return false;
}
