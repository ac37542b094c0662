/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/any_edit.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "parser/document/edit.h"
#include "tests/runner/test.h"

static uint64_t seed;

void
edit_seed(uint64_t s)
{
	seed = s;
}

unsigned
edit_dice(size_t n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return n > 0 ? (unsigned)((seed >> 33) % n) : 0;
}

/* Lines of all kinds; the last ones are wrong. */
static const char *const lines[] = {"1.RCS.700.0.0", "1.RCS.300-900.-1.0",
    "2.VCS1.400.0.0", "2.RCS.100.0.1", "P.1.3", "P.1.-4", "P.2.8", "S.1.1",
    "S.2.-1", "X.1.50", "X.2.0", "d.200", "# words", "", "t.3", "f", "a.-1",
    "s.-1", "1.BCS.50.f-1.0", "q.2", "2.RCS.20.-2/-1.0", "p.900",
    "#@ label push \"x\"", "w.1.4", "nonsense", "1.RCS.100.-90.0"};
#define N_LINES (sizeof(lines) / sizeof(*lines))

static const char *
any_line(void)
{
	return lines[edit_dice(edit_dice(6) > 0 ? N_LINES - 2 : N_LINES)];
}

struct document *
edit_any_document(unsigned n)
{
	struct document *doc;
	struct text t = {0};

	for (unsigned i = 0; i < n; i++)
		text_addf(&t, "%s\n", any_line());
	doc = document_parse("random", text_str(&t), t.len, SOURCE_FILE);
	text_free(&t);
	return doc;
}

static void
rewrite(struct document *doc)
{
	struct text t = {0}, out = {0};
	const char *s, *end;

	document_print(doc, &t);
	for (s = text_str(&t); *s != 0; s = end + (*end != 0)) {
		end = s + strcspn(s, "\n");
		if (edit_dice(8) == 0)
			text_addf(&out, "%s\n", any_line());
		if (edit_dice(8) > 0) {
			text_add(&out, s, (size_t)(end - s));
			text_addc(&out, '\n');
		}
	}
	edit_rewrite(doc, text_str(&out), out.len);
	text_free(&t);
	text_free(&out);
}

void
edit_anything(struct document *doc)
{
	size_t n = document_n_lines(doc), at = edit_dice(n);
	const char *line = any_line();

	switch (edit_dice(9)) {
	case 0:
		if (n < 60)
			edit_insert(
			    doc, edit_dice(n + 1), line, strlen(line), NULL);
		break;
	case 1:
		if (n > 5)
			edit_delete(doc, at, 1 + edit_dice(2),
			    EDIT_DROP_REFERENCES, NULL);
		break;
	case 2:
		if (n > 3)
			edit_move(doc, at, 1, edit_dice(n + 1), NULL);
		break;
	case 3:
	case 4:
		if (n > 0)
			edit_replace(doc, at, line, strlen(line), NULL);
		break;
	case 5: rewrite(doc); break;
	case 6: edit_redo(doc); break;
	default: edit_undo(doc); break;
	}
}

void
check_identities(const struct document *doc)
{
	uint32_t n = document_n_identities(doc);
	bool *seen = mem_calloc(n + 1u, sizeof(*seen));

	for (size_t i = 0; i < document_n_lines(doc); i++) {
		const struct line *line = document_line(doc, i);
		uint32_t identity = document_identity(doc, line);
		size_t index;

		assert_in_range(identity, 1, n);
		assert_false(seen[identity]);
		seen[identity] = true;
		assert_ptr_equal(document_identified(doc, identity), line);
		assert_true(document_line_index(doc, line, &index));
		assert_int_equal(index, i);
	}
	for (uint32_t i = 1; i <= n; i++)
		if (!seen[i])
			assert_null(document_identified(doc, i));
	free(seen);
}
