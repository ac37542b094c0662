/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A page of the lines that a file and its document have not in common. What
 * both begin and end with is skipped; of the rest the longest common
 * subsequence is what stayed, if there is not too much of it to look for one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parser/file.h"
#include "parser/mem.h"
#include "tui/console/files.h"

#define MOST_COMPARED 1000 /* lines of a side */
#define MOST_SHOWN    2000

struct side {
	struct text text;
	const char **lines; /* one more than there are: the end */
	size_t n, cap;
};

struct differ {
	struct side file, doc;
	size_t head, n_file, n_doc; /* the lines that may differ */
	uint16_t *common; /* [i][k]: of those from i and from k on; NULL */
	struct page *page;
};

static void
cut(struct side *s)
{
	const char *at = text_str(&s->text), *end = at + s->text.len;

	for (;;) {
		s->lines = mem_grow(s->lines, s->n, &s->cap, sizeof(*s->lines));
		s->lines[s->n] = at;
		if (at == end)
			return;
		s->n++;
		at = memchr(at, '\n', (size_t)(end - at));
		at = at != NULL ? at + 1 : end;
	}
}

static size_t
length(const struct side *s, size_t i)
{
	return (size_t)(s->lines[i + 1] - s->lines[i]);
}

static bool
same(const struct differ *d, size_t i, size_t k)
{
	size_t len = length(&d->file, i);

	return len == length(&d->doc, k) &&
	    memcmp(d->file.lines[i], d->doc.lines[k], len) == 0;
}

static void
skip_common(struct differ *d)
{
	size_t most = d->file.n < d->doc.n ? d->file.n : d->doc.n, tail = 0;

	while (d->head < most && same(d, d->head, d->head))
		d->head++;
	while (tail < most - d->head &&
	    same(d, d->file.n - 1 - tail, d->doc.n - 1 - tail))
		tail++;
	d->n_file = d->file.n - d->head - tail;
	d->n_doc = d->doc.n - d->head - tail;
}

static uint16_t *
common_at(const struct differ *d, size_t i, size_t k)
{
	return &d->common[i * (d->n_doc + 1) + k];
}

static void
count_common(struct differ *d)
{
	if (d->n_file > MOST_COMPARED || d->n_doc > MOST_COMPARED)
		return;
	d->common = mem_calloc(
	    (d->n_file + 1) * (d->n_doc + 1), sizeof(*d->common));
	for (size_t i = d->n_file; i-- > 0;)
		for (size_t k = d->n_doc; k-- > 0;) {
			uint16_t a = *common_at(d, i + 1, k);
			uint16_t b = *common_at(d, i, k + 1);

			if (same(d, d->head + i, d->head + k))
				a = b = *common_at(d, i + 1, k + 1) + 1;
			*common_at(d, i, k) = a > b ? a : b;
		}
}

static void
add(struct differ *d, const struct side *s, size_t i, char sign)
{
	size_t len = length(s, i);
	struct text t = {0};

	if (d->page->n >= MOST_SHOWN)
		return;
	while (len > 0 && strchr("\r\n", s->lines[i][len - 1]) != NULL)
		len--;
	text_addf(&t, "%6zu %c ", i + 1, sign);
	text_add_visible(&t, s->lines[i], len);
	page_add(
	    d->page, sign == '-' ? ROLE_BAD : ROLE_GOOD, text_str(&t), NULL);
	text_free(&t);
}

/* Of two lines that differ, does the file's go first? */
static bool
file_first(const struct differ *d, size_t i, size_t k)
{
	if (i == d->n_file || k == d->n_doc)
		return i < d->n_file;
	return d->common == NULL ||
	    *common_at(d, i + 1, k) >= *common_at(d, i, k + 1);
}

static void
walk(struct differ *d)
{
	size_t i = 0, k = 0;

	while (i < d->n_file || k < d->n_doc)
		if (d->common != NULL && i < d->n_file && k < d->n_doc &&
		    same(d, d->head + i, d->head + k)) {
			i++;
			k++;
		} else if (file_first(d, i, k)) {
			add(d, &d->file, d->head + i++, '-');
		} else {
			add(d, &d->doc, d->head + k++, '+');
		}
	if (d->page->n == 0)
		page_add(d->page, ROLE_NORMAL, "no difference", NULL);
	if (d->page->n >= MOST_SHOWN)
		page_add(d->page, ROLE_DIM, "and more", NULL);
}

struct page *
files_difference(const struct source *s, struct text *err)
{
	struct differ d = {0};

	if (file_read(s->name, &d.file.text, NULL, err)) {
		document_print_file(s->doc, &d.doc.text);
		cut(&d.file);
		cut(&d.doc);
		skip_common(&d);
		count_common(&d);
		d.page = page_new(
		    "Differences: - on disk, + here (q closes, w asks again)");
		walk(&d);
	}
	text_free(&d.file.text);
	text_free(&d.doc.text);
	free(d.file.lines);
	free(d.doc.lines);
	free(d.common);
	return d.page;
}
