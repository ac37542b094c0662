/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A text, a zero byte, and edits drawn from the bytes after it. */
#include "tests/fuzz/fuzz_document.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MAX_TEXT  2000
#define MAX_EDITS 40

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum document_source source = size && data[0] & 1 ? SOURCE_INLINE
							  : SOURCE_FILE;
	const uint8_t *zero = size ? memchr(data, 0, size) : NULL;
	size_t len = zero ? (size_t)(zero - data) : size;
	struct source s = {data + len, data + size};
	struct document *doc;
	struct text first = {0};

	if (len > MAX_TEXT)
		return 0;
	text_add(&first, (const char *)data, len);
	doc = document_parse("fuzz", first.data, first.len, source);
	for (int i = 0; i < MAX_EDITS && s.at < s.end; i++) {
		random_edit(doc, &s);
		must_be_as_fresh(doc, source);
	}
	must_undo_and_redo(doc, &first, source);
	document_free(doc);
	text_free(&first);
	return 0;
}
