/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The canonical text: one step a row, no outer blanks, comments kept. */
#include "parser/document/document_private.h"

#include "base/text.h"

/* Blank lines stay where rows of the file were blank; an empty step between
 * two commas is none. */
static bool
is_shown(const struct document *doc, size_t i)
{
	const struct line *line = sequence_line(&doc->seq, i);
	const struct line *before;

	if (line->kind != LINE_BLANK)
		return true;
	if (line->separator == SEP_COMMA || line->separator == SEP_NONE)
		return false;
	before = i ? sequence_line(&doc->seq, i - 1) : NULL;
	return !before || before->separator != SEP_COMMA;
}

void
document_format(const struct document *doc, struct text *out)
{
	size_t n = sequence_n_lines(&doc->seq);

	for (size_t i = 0; i < n; i++) {
		const struct line *line = sequence_line(&doc->seq, i);
		struct raw_line raw;

		if (!is_shown(doc, i))
			continue;
		line_recut(&raw, line, doc->source);
		if (line->step)
			step_print(out, line->step);
		else
			text_add(out, raw.trimmed.s, raw.trimmed.len);
		text_addc(out, '\n');
	}
}
