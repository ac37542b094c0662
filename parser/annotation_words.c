/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What may be typed next in an annotation. */
#include <string.h>

#include "parser/annotation_private.h"

/* What is offered so far. */
struct offers {
	const char **list;
	size_t n, max;
	struct field typed;
};

static void
offer(struct offers *o, const char *word)
{
	for (size_t i = 0; i < o->n; i++)
		if (strcmp(o->list[i], word) == 0)
			return;
	if (o->n < o->max && strlen(word) >= o->typed.len &&
	    strncmp(word, o->typed.s, o->typed.len) == 0)
		o->list[o->n++] = word;
}

static void
offer_kinds(struct offers *o, struct field name)
{
	struct field value;

	for (unsigned i = 0; i < N_ANNOTATION_KINDS; i++) {
		const struct kind_row *row = &annotation_kinds[i];

		if (!name.len)
			offer(o, row->name);
		else if (row->second && reader_is(name, row->name, &value))
			offer(o, row->second);
	}
}

/* first: what belongs behind the name is not there yet. */
static void
offer_words(struct offers *o, const struct reader *r,
    const struct kind_row *row, bool first)
{
	unsigned left = row->words & ~r->words;

	if (first && row->first == FIRST_AMOUNT_OR_WHOLE)
		offer(o, "whole");
	if (first && row->first == FIRST_AREA)
		left = WORD_BIT(WORD_RESUME);
	else if (first && row->first != FIRST_NONE)
		return;
	for (unsigned i = 0; i < N_WORDS; i++)
		if (left & WORD_BIT(i))
			offer(o, annotation_word_rows[i].name);
}

/* Where the last word of text begins. */
static const char *
last_word(const char *text, size_t len)
{
	const char *p = text + len;

	while (p > text && !reader_blank(p[-1]) && p[-1] != '@')
		p--;
	return p;
}

size_t
annotation_words(
    const char *text, size_t len, const char **list, size_t max, size_t *typed)
{
	const char *last = last_word(text, len);
	struct offers o = {list, 0, max, {last, (uint32_t)(text + len - last)}};
	const struct kind_row *row;
	struct annotation a = {0};
	struct reader r;
	struct field f;
	bool first = true;

	*typed = o.typed.len;
	reader_init(&r, &a, text, (size_t)(last - text));
	f = reader_next(&r);
	row = f.len ? reader_kind(&r, f) : NULL;
	if (row == NULL) {
		offer_kinds(&o, f);
		return o.n;
	}
	for (f = reader_next(&r); f.len; f = reader_next(&r)) {
		reader_word(&r, row, f);
		first = false;
	}
	offer_words(&o, &r, row, first);
	return o.n;
}
