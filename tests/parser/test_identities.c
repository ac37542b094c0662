/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines keep their identities (parser/document/document.h) over edits. */
#include <stdint.h>
#include <string.h>

#include "base/text.h"
#include "parser/document/edit.h"
#include "tests/runner/test.h"
#include "tests/support/any_edit.h"

TEST(identities)
{
	for (unsigned run = 0; run < 30; run++) {
		struct document *doc = edit_any_document(edit_dice(40));

		for (unsigned i = 0; i < 100; i++) {
			edit_anything(doc);
			/* Identities asked for late are right, too. */
			if (run % 2 == 0 || i > 50)
				check_identities(doc);
		}
		document_free(doc);
	}
}

static uint32_t
identity_at(const struct document *doc, size_t line)
{
	return document_identity(doc, document_line(doc, line));
}

TEST(identity_follows)
{
	static const char text[] = "d.1\nd.2\nd.3\nd.4\n";
	struct document *doc = document_parse(
	    "doc", text, strlen(text), SOURCE_FILE);
	uint32_t first[4];

	for (size_t i = 0; i < 4; i++)
		first[i] = identity_at(doc, i);
	assert_true(edit_replace(doc, 1, "d.9", 3, NULL));
	assert_int_equal(identity_at(doc, 1), first[1]);
	assert_true(edit_insert(doc, 0, "d.7", 3, NULL));
	assert_int_equal(identity_at(doc, 2), first[1]);
	assert_true(edit_move(doc, 2, 1, 5, NULL));
	assert_int_equal(identity_at(doc, 4), first[1]);
	assert_true(edit_delete(doc, 4, 1, EDIT_REFUSE_REFERRED, NULL));
	assert_null(document_identified(doc, first[1]));
	while (edit_undo(doc))
		;
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(identity_at(doc, i), first[i]);
	edit_rewrite(doc, "d.1\nd.5\nd.3\nd.4\n", 16);
	assert_int_equal(identity_at(doc, 0), first[0]);
	assert_int_equal(identity_at(doc, 3), first[3]);
	document_free(doc);
}
