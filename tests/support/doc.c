/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/doc.h"

#include <stdint.h>
#include <string.h>

#include "base/text.h"
#include "tests/runner/test.h"

struct document *
doc_of(const char *text, enum document_source source)
{
	return document_parse("t", text, strlen(text), source);
}

void
expect_text(const struct document *doc, const char *expected)
{
	struct text t = {0};

	document_print(doc, &t);
	assert_string_equal(text_str(&t), expected);
	text_free(&t);
}
