/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A page of the lines that differ between two texts: a file and its document, or
 * a document and what was left of it by a killed process.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diff.h"
#include "base/file.h"
#include "base/mem.h"
#include "tui/console/ui.h"

#define MOST_SHOWN    2000
#define LONGEST_SHOWN 10000 /* bytes of a line */

struct diff_side {
	struct text text;
	const char **lines; /* n + 1: the last is the end */
	size_t n, cap;
};

struct differ {
	struct diff_side old, new;
	struct page *page;
};

static void
cut_lines(struct diff_side *s)
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
line_length(const struct diff_side *s, size_t i)
{
	return (size_t)(s->lines[i + 1] - s->lines[i]);
}

static bool
are_same_lines(const void *arg, size_t i, size_t k)
{
	const struct differ *d = arg;
	size_t len = line_length(&d->old, i);

	return len == line_length(&d->new, k) &&
	    memcmp(d->old.lines[i], d->new.lines[k], len) == 0;
}

static void
add_difference(struct differ *d, const struct diff_side *s, size_t i, char sign)
{
	size_t len = line_length(s, i);
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

/* Adds the lines that are in one text only, in order. */
static void
add_differences(struct differ *d)
{
	size_t *match, k = 0;

	cut_lines(&d->old);
	cut_lines(&d->new);
	match = mem_calloc(d->old.n + 1, sizeof(*match));
	diff_lines(d->old.n, d->new.n, are_same_lines, d, match);
	for (size_t i = 0; i < d->old.n; i++) {
		if (match[i] == DIFF_NONE) {
			add_difference(d, &d->old, i, '-');
			continue;
		}
		while (k < match[i])
			add_difference(d, &d->new, k++, '+');
		k++;
	}
	while (k < d->new.n)
		add_difference(d, &d->new, k++, '+');
	free(match);
	if (d->page->n == 0)
		page_add(d->page, ROLE_NORMAL, "no difference", NULL);
	if (d->page->n >= MOST_SHOWN)
		page_add(d->page, ROLE_DIM, "and more", NULL);
}

/* Not the page. */
static void
differ_free(struct differ *d)
{
	text_free(&d->old.text);
	text_free(&d->new.text);
	free(d->old.lines);
	free(d->new.lines);
}

struct page *
differences_on_disk(const struct source *s, struct text *err)
{
	struct differ d = {0};

	if (file_read(s->name, &d.old.text, NULL, err)) {
		document_print_file(s->doc, &d.new.text);
		d.page = page_new(
		    "Differences: - on disk, + in the console (q closes, and "
		    "asks again)");
		add_differences(&d);
	}
	differ_free(&d);
	return d.page;
}

struct page *
differences_left(const struct source *s, const struct recovered *left)
{
	struct differ d = {0};

	document_print(s->doc, &d.old.text);
	text_add(&d.new.text, text_str(&left->contents), left->contents.len);
	d.page = page_new("Differences: - as it is, + unsaved edits (q closes, "
			  "and asks again)");
	add_differences(&d);
	differ_free(&d);
	return d.page;
}
