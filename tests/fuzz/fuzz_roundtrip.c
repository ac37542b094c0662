/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A text that is read is printed byte for byte; the canonical text means the same
 * steps and is its own canonical text. */
#include "tests/fuzz/fuzz_document.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
must_mean_the_same(const struct document *a, const struct document *b)
{
	MUST(document_n_steps(a) == document_n_steps(b));
	for (size_t i = 0; i < document_n_steps(a); i++) {
		const struct step *x = document_line_step(
		    a, document_line_of_step(a, i));
		const struct step *y = document_line_step(
		    b, document_line_of_step(b, i));

		MUST(!x == !y);
		if (!x)
			continue;
		MUST(step_equal(x, y));
	}
	MUST(document_is_valid(a) == document_is_valid(b));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum document_source source = size && data[0] & 1 ? SOURCE_INLINE
							  : SOURCE_FILE;
	struct document *doc = document_parse(
	    "fuzz", (const char *)data, size, source);
	struct text printed = {0}, once = {0}, twice = {0};
	struct document *again;

	document_print(doc, &printed);
	MUST(printed.len == size);
	MUST(!size || !memcmp(printed.data, data, size));
	must_be_as_fresh(doc, source);
	document_format(doc, &once);
	again = document_parse("fuzz", text_str(&once), once.len, source);
	must_mean_the_same(doc, again);
	document_format(again, &twice);
	MUST(once.len == twice.len);
	MUST(!once.len || !memcmp(once.data, twice.data, once.len));
	text_free(&printed);
	text_free(&once);
	text_free(&twice);
	document_free(again);
	document_free(doc);
	return 0;
}
