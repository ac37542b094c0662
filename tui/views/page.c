/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See page.h. */
#include "tui/views/page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parser/mem.h"
#include "tui/views/match.h"

#define LEFT_COLS 26
#define NARROWEST 20

struct page *
page_new(const char *title)
{
	struct page *p = mem_calloc(1, sizeof(*p));

	p->title = mem_strdup(title);
	p->list.pager = true;
	return p;
}

void
page_free(struct page *p)
{
	if (p == NULL)
		return;
	for (size_t i = 0; i < p->n; i++) {
		free(p->lines[i].left);
		free(p->lines[i].right);
	}
	free(p->lines);
	free(p->title);
	free(p);
}

void
page_add(struct page *p, enum role role, const char *left, const char *right)
{
	p->lines = mem_grow(p->lines, p->n, &p->cap, sizeof(*p->lines));
	p->lines[p->n++] = (struct page_line){
	    role, mem_strdup(left), right != NULL ? mem_strdup(right) : NULL};
}

/* How much of a line to take: all, or up to the last blank that fits. */
static size_t
break_at(const char *line, size_t len, size_t width)
{
	size_t at = width;

	if (len <= width)
		return len;
	while (at > 0 && line[at] != ' ')
		at--;
	return at > width / 2 ? at : width;
}

/* However narrow the screen, every line takes something of the text. */
void
page_add_text(struct page *p, const char *text, size_t width)
{
	width = width > NARROWEST ? width : NARROWEST;
	while (*text != 0) {
		size_t len = strcspn(text, "\n");
		size_t take = break_at(text, len, width);
		char *line = mem_strndup(text, take);

		page_add(p, ROLE_NORMAL, line, NULL);
		free(line);
		text += take;
		if (*text == '\n' || (take < len && *text == ' '))
			text++;
	}
}

void
page_add_hanging(struct page *p, enum role role, const char *head,
    const char *text, size_t width)
{
	int indent = (int)strlen(head);
	size_t room = width > (size_t)indent + 20 ? width - (size_t)indent : 20;

	do {
		size_t take = break_at(text, strlen(text), room);
		char *line;

		if (asprintf(&line, "%*s%.*s", indent, head, (int)take, text) <
		    0)
			abort();
		page_add(p, role, line, NULL);
		free(line);
		text += take + (text[take] == ' ');
		head = "";
	} while (*text != 0);
}

static void
draw_title(const struct page *p, struct area *a)
{
	char place[64];
	size_t end = p->list.top + p->list.height;

	fill(a, 0, 0, a->r.w, ROLE_TITLE_FOCUS);
	put(a, 0, 1, a->r.w, ROLE_TITLE_FOCUS, p->title);
	if (p->n <= p->list.height)
		return;
	snprintf(place, sizeof(place), " %zu-%zu of %zu ", p->list.top + 1,
	    end < p->n ? end : p->n, p->n);
	put_right(a, 0, 0, a->r.w, ROLE_TITLE_FOCUS, place);
}

static void
draw_text(struct area *a, int y, int x, enum role role, const char *s,
    const struct needle *needle)
{
	put(a, y, x, a->r.w, role, s);
	paint_matches(a, y, x, s, strlen(s), 0, needle);
}

void
page_draw(struct page *p, struct area *a, const char *search)
{
	struct needle needle = needle_of(search, strlen(search));
	int left = a->r.w < 60 ? 14 : LEFT_COLS;

	list_fit(&p->list, p->n, a->r.h - 1);
	draw_title(p, a);
	for (int y = 1; y < a->r.h; y++) {
		size_t at = p->list.top + (size_t)y - 1;
		const struct page_line *line = &p->lines[at];
		int x;

		if (at >= p->n)
			break;
		x = columns(a->screen, line->left, strlen(line->left)) + 2;
		draw_text(a, y, 1, line->role, line->left, &needle);
		if (line->right != NULL)
			draw_text(a, y, x < left ? left : x + 1, ROLE_NORMAL,
			    line->right, &needle);
	}
}

static bool
line_has(const struct page_line *line, const struct needle *needle)
{
	const char *right = line->right != NULL ? line->right : "";

	return needle_find(needle, line->left, strlen(line->left), 0) !=
	    NOWHERE ||
	    needle_find(needle, right, strlen(right), 0) != NOWHERE;
}

bool
page_find(struct page *p, const char *text, size_t from, int step)
{
	struct needle needle = needle_of(text, strlen(text));

	for (struct walk w = walk_begin(p->n, from, step); walk_goes_on(&w);
	     walk_step(&w))
		if (line_has(&p->lines[w.at], &needle)) {
			p->found = p->list.top = w.at;
			list_fit(&p->list, p->n, (int)p->list.height);
			return true;
		}
	return false;
}

size_t
page_place(const struct page *p)
{
	const struct list *l = &p->list;
	bool shown = p->found >= l->top && p->found < l->top + l->height;

	return shown ? p->found : l->top;
}
