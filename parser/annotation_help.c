/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of annotations as text: syntax, and what words are for. */
#include <string.h>

#include "base/text.h"
#include "parser/annotation_rows.h"

const char *
annotation_help(enum annotation_kind kind)
{
	return annotation_kinds[kind].help;
}

void
annotation_syntax_print(enum annotation_kind kind, struct text *t)
{
	static const char *const operands[] = {
	    [FIRST_NONE] = "",
	    [FIRST_LABEL] = " \"TEXT\"",
	    [FIRST_AREA] = " WIDTHxHEIGHT",
	    [FIRST_GROUPS] = " XxYxZ",
	    [FIRST_RAYS] = " XxYxZ",
	    [FIRST_AMOUNT] = " N",
	    [FIRST_AMOUNT_OR_WHOLE] = " N|whole",
	};
	const struct kind_row *row = &annotation_kinds[kind];

	text_addf(t, "#@ %s%s%s%s%s", row->name,
	    kind == ANNOTATION_WEIGHT ? annotation_options[WORD_WEIGHT].form
				      : "",
	    row->second ? " " : "", row->second ? row->second : "",
	    operands[row->first]);
	for (unsigned i = 0; i < N_WORDS; i++)
		if (row->words & WORD_BIT(i))
			text_addf(t, " [%s%s]", annotation_options[i].name,
			    annotation_options[i].form);
}

/* True if word is the name, or NAME=VALUE for a name that ends in '='. */
static bool
is_word_of(const char *name, const char *word, size_t len)
{
	size_t n = strlen(name);

	return len >= n && memcmp(word, name, n) == 0 &&
	    (len == n || name[n - 1] == '=');
}

const char *
annotation_word_help(const char *word, size_t len)
{
	for (unsigned i = 0; i < N_WORDS; i++)
		if (is_word_of(annotation_options[i].name, word, len))
			return annotation_options[i].help;
	for (unsigned i = 0; i < N_ANNOTATION_KINDS; i++) {
		const struct kind_row *row = &annotation_kinds[i];

		if (row->second && is_word_of(row->second, word, len))
			return row->help;
		if (is_word_of(row->name, word, len))
			return row->pair ? row->pair : row->help;
	}
	return NULL;
}
