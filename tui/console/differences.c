/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A page of the lines that a file and its document have not in common. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diff.h"
#include "base/file.h"
#include "base/mem.h"
#include "tui/console/ui.h"

#define MOST_SHOWN    2000
#define LONGEST_SHOWN 10000 /* bytes of a line */

struct side {
	struct text text;
	const char **lines; /* one more than there are: the end */
	size_t n, cap;
};

struct differ {
	struct side file, doc;
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
same(const void *arg, size_t i, size_t k)
{
	const struct differ *d = arg;
	size_t len = length(&d->file, i);

	return len == length(&d->doc, k) &&
	    memcmp(d->file.lines[i], d->doc.lines[k], len) == 0;
}

static void
add(struct differ *d, const struct side *s, size_t i, char sign)
{
	size_t len = length(s, i);
	bool whole = len <= LONGEST_SHOWN;
	struct text t = {0};
	char head[32];

	if (d->page->n >= MOST_SHOWN)
		return;
	while (len > 0 && strchr("\r\n", s->lines[i][len - 1]) != NULL)
		len--;
	snprintf(head, sizeof(head), "%6zu %c ", i + 1, sign);
	text_add_visible(&t, s->lines[i], whole ? len : LONGEST_SHOWN);
	if (!whole)
		text_adds(&t, " ... and more");
	page_add_hanging(
	    d->page, sign == '-' ? ROLE_BAD : ROLE_GOOD, head, text_str(&t));
	text_free(&t);
}

/* What stays is not shown: only what stands before it, here and there. */
static void
walk(struct differ *d)
{
	size_t *match, k = 0;

	cut(&d->file);
	cut(&d->doc);
	match = mem_calloc(d->file.n + 1, sizeof(*match));
	diff_lines(d->file.n, d->doc.n, same, d, match);
	for (size_t i = 0; i < d->file.n; i++) {
		if (match[i] == DIFF_NONE) {
			add(d, &d->file, i, '-');
			continue;
		}
		while (k < match[i])
			add(d, &d->doc, k++, '+');
		k++;
	}
	while (k < d->doc.n)
		add(d, &d->doc, k++, '+');
	free(match);
	if (d->page->n == 0)
		page_add(d->page, ROLE_NORMAL, "no difference", NULL);
	if (d->page->n >= MOST_SHOWN)
		page_add(d->page, ROLE_DIM, "and more", NULL);
}

/* But for the page. */
static void
differ_free(struct differ *d)
{
	text_free(&d->file.text);
	text_free(&d->doc.text);
	free(d->file.lines);
	free(d->doc.lines);
}

struct page *
differences_on_disk(const struct source *s, struct text *err)
{
	struct differ d = {0};

	if (file_read(s->name, &d.file.text, NULL, err)) {
		document_print_file(s->doc, &d.doc.text);
		d.page = page_new(
		    "Differences: - on disk, + here (q closes, and asks "
		    "again)");
		walk(&d);
	}
	differ_free(&d);
	return d.page;
}

struct page *
differences_left(const struct source *s, const struct recovered *left)
{
	struct differ d = {0};

	document_print(s->doc, &d.file.text);
	text_add(&d.doc.text, text_str(&left->contents), left->contents.len);
	d.page = page_new(
	    "Differences: - as it is, + as it was left (q closes, "
	    "and asks again)");
	walk(&d);
	differ_free(&d);
	return d.page;
}
