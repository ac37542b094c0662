/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is said of a line that is being typed is what the document says of it
 * once it is there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "parser/diag.h"
#include "parser/document/document.h"
#include "parser/document/edit.h"

static void
add_said(struct text *out, const struct diag_list *diags, size_t from, size_t n)
{
	for (size_t i = 0; i < diags->n; i++)
		if (diags->list[i].line >= from &&
		    diags->list[i].line < from + n)
			text_addf(out, "%s;", diags->list[i].message);
}

/* The draft is typed before line at of the text, then inserted there. */
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

static void
test_named_by_nobody(void **state)
{
	(void)state;
	check_typed("1.RCS.5.0.0\n", 0, "f", "unused fence");
}

/* The offset of a line behind it led before the first step: it leads to what
 * is typed when that stands where it points. */
static void
test_named_by_what_led_nowhere(void **state)
{
	(void)state;
	check_typed("a.-1\n", 0, "f", "");
	check_typed("d.1\na.-2\n", 0, "f", "");
	check_typed("d.1\na.-2\n", 1, "f", "unused fence");
	check_typed("T.-1\n", 0, "1.RCS.*.0.0", "");
	check_typed("d.1\nT.-3\n", 0, "1.RCS.*.0.0,d.1", "");
	check_typed(
	    "d.1\nT.-4\n", 0, "1.RCS.*.0.0,d.1", "infinite batch without a T");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_named_by_nobody),
	    cmocka_unit_test(test_named_by_what_led_nowhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
