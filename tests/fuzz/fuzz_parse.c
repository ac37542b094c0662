/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes can be read, checked, explained; and asked about line by line. */
#include "tests/fuzz/fuzz_document.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
ask(const struct document *doc)
{
	for (size_t i = 0; i < document_n_lines(doc); i++) {
		size_t n, len;
		uint32_t col, width;

		document_line_text(doc, i, &len);
		document_line_diagnostics(doc, i, &n);
		for (unsigned field = 0; field < 7; field++) {
			document_field(doc, i, field, &col, &width);
			MUST(col <= len && width <= len - col);
		}
		if (document_line_kind(doc, i) == LINE_BAD)
			MUST(n > 0);
	}
}

/* Each is at a place of its line, and can be shown. */
static void
explain(
    const struct document *doc, const struct diag_list *diags, struct text *out)
{
	for (size_t i = 0; i < diags->n; i++) {
		size_t len;

		document_line_text(doc, diags->list[i].line, &len);
		MUST(diags->list[i].len > 0);
		MUST(diags->list[i].col <= len);
		if (i < 32)
			document_explain(doc, &diags->list[i], out);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum document_source source = size && data[0] & 1 ? SOURCE_INLINE
							  : SOURCE_FILE;
	struct document *doc = document_parse(
	    "fuzz", (const char *)data, size, source);
	const struct diag_list *diags = document_diagnostics(doc);
	struct diag_list notes = {0};
	struct text out = {0};

	MUST(document_is_valid(doc) == !diags->n_errors);
	explain(doc, diags, &out);
	document_is_portable(doc, &notes);
	explain(doc, &notes, &out);
	for (size_t i = 0; i < out.len; i++)
		MUST(out.data[i] == '\n' || (unsigned char)out.data[i] >= ' ');
	ask(doc);
	diag_list_free(&notes);
	text_free(&out);
	document_free(doc);
	return 0;
}
