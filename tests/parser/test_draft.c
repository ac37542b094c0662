/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The diagnostics of a line being typed are those that it has once it is
 * inserted. */
#include <stdint.h>
#include <string.h>

#include "base/text.h"
#include "parser/diag.h"
#include "parser/document/document.h"
#include "parser/document/edit.h"
#include "tests/runner/test.h"

static void
add_said(struct text *out, const struct diag_list *diags, size_t from, size_t n)
{
	for (size_t i = 0; i < diags->n; i++)
		if (diags->list[i].line >= from &&
		    diags->list[i].line < from + n)
			text_addf(out, "%s;", diags->list[i].message);
}

/* Diagnoses a draft before line at of the text, then inserts it there. */
static void
check_typed(const char *text, size_t at, const char *draft, const char *said)
{
	struct document *doc = document_parse(
	    "t", text, strlen(text), SOURCE_FILE);
	struct text typed = {0}, there = {0};
	struct diag_list diags = {0};
	size_t n = document_n_lines(doc);

	draft_diagnose(doc, at, true, draft, strlen(draft), &diags);
	add_said(&typed, &diags, 0, SIZE_MAX);
	assert_true(edit_insert(doc, at, draft, strlen(draft), NULL));
	add_said(
	    &there, document_diagnostics(doc), at, document_n_lines(doc) - n);
	assert_string_equal(text_str(&typed), text_str(&there));
	if (strncmp(text_str(&typed), said, strlen(said)) != 0 ||
	    (*said == 0 && typed.len > 0))
		fail_msg("%s, wanted %s", text_str(&typed), said);
	diag_list_free(&diags);
	text_free(&typed);
	text_free(&there);
	document_free(doc);
}

TEST(unreferenced)
{
	check_typed("1.RCS.5.0.0\n", 0, "f", "unused fence");
}

/* An offset of a later line led to before the first step: it leads to the draft
 * if that is inserted there. */
TEST(referenced_from_beyond)
{
	check_typed("a.-1\n", 0, "f", "");
	check_typed("d.1\na.-2\n", 0, "f", "");
	check_typed("d.1\na.-2\n", 1, "f", "unused fence");
	check_typed("T.-1\n", 0, "1.RCS.*.0.0", "");
	check_typed("d.1\nT.-3\n", 0, "1.RCS.*.0.0,d.1", "");
	check_typed(
	    "d.1\nT.-4\n", 0, "1.RCS.*.0.0,d.1", "infinite batch without a T");
}
