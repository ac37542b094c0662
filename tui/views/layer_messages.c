/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See layer_messages.h. */
#include "tui/views/layer_view.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tui/views/list.h"

#define TYPE_COLS   10
#define NUMBER_COLS 9
#define SCROLL_COLS 8
#define MAX_SKIP    4096

void
layer_messages_free(struct layer_messages *l)
{
	free(l->ids);
	text_free(&l->filter);
	text_free(&l->line);
}

static bool
has(struct layer_messages *l, const struct message *m,
    const struct needle *needle)
{
	text_clear(&l->line);
	message_print(m, &l->line);
	return needle_find(needle, text_str(&l->line), l->line.len, 0) !=
	    NOWHERE;
}

/* The cursor stays on its message, as long as that is there. */
static void
drop_messages(struct layer_messages *l, uint64_t first)
{
	size_t gone = 0;

	while (gone < l->n && l->ids[gone] < first)
		gone++;
	if (gone == 0)
		return;
	memmove(l->ids, l->ids + gone, (l->n - gone) * sizeof(*l->ids));
	l->n -= gone;
	l->list.cursor -= l->list.cursor < gone ? l->list.cursor : gone;
	l->list.top -= l->list.top < gone ? l->list.top : gone;
}

void
layer_messages_update(struct layer_messages *l, const struct message_log *log)
{
	struct needle needle = needle_of(text_str(&l->filter), l->filter.len);
	uint64_t first = message_log_first(log);
	struct message m;
	uint64_t next;

	l->lost = first > 0;
	drop_messages(l, first);
	if (l->looked_at < first)
		l->looked_at = first;
	for (; message_log_at(log, l->looked_at, &m, &next);
	     l->looked_at = next) {
		if (l->filter.len > 0 && !has(l, &m, &needle))
			continue;
		l->ids = mem_grow(l->ids, l->n, &l->cap, sizeof(*l->ids));
		l->ids[l->n++] = l->looked_at;
	}
}

static int
number_columns(const struct area *a)
{
	return a->r.w >= 60 ? NUMBER_COLS : NUMBER_COLS - 2;
}

static void
draw_messages_title(
    const struct layer_messages *l, struct area *a, enum role role)
{
	int w = number_columns(a), x = TYPE_COLS + 2 * w + 1;

	fill(a, 0, 0, a->r.w, role);
	put(a, 0, 0, TYPE_COLS, role, "MESSAGE");
	put_right(a, 0, TYPE_COLS, w, role, "SUBMIT");
	put_right(a, 0, TYPE_COLS + w, w, role, "TAG");
	if (l->filter.len > 0)
		putf(a, 0, x + 1, a->r.w, ROLE_WARN, "filter: %s",
		    text_str(&l->filter));
	else if (l->stands)
		put(a, 0, x + 1, a->r.w, role, "stands (F follows)");
	else
		put(a, 0, x + 1, a->r.w, role, "follows");
	if (l->lost && l->filter.len == 0)
		put(a, 0, x + (l->stands ? 19 : 8), a->r.w, role,
		    ", the last ones");
	list_draw_place(&l->list, a, role);
}

static void
put_message_number(struct area *a, int y, int x, int w, uint64_t n)
{
	char buf[24];

	snprintf(buf, sizeof(buf), "%" PRIu64, n);
	if (n != 0)
		put_right(a, y, x, w, ROLE_STRONG, buf);
}

static enum role
role_of(enum message_type type)
{
	switch (type) {
	case MESSAGE_WORKLOAD: return ROLE_ANNOTATION;
	case MESSAGE_ANNEX:
	case MESSAGE_TAG_ANNEX:
	case MESSAGE_RESOLVED: return ROLE_NORMAL;
	default: return ROLE_DIM;
	}
}

static void
draw_message_row(struct layer_messages *l, const struct message *m,
    struct area *a, int y, const struct needle *needle)
{
	int w = number_columns(a), x = TYPE_COLS + 2 * w + 2;

	text_clear(&l->line);
	text_add_visible(&l->line, m->json, m->len);
	put(a, y, 0, TYPE_COLS, role_of(m->type),
	    message_type_info(m->type)->name);
	put_message_number(a, y, TYPE_COLS, w, m->sequence);
	put_message_number(a, y, TYPE_COLS + w, w, m->tag);
	put_cut_skip(a, y, x, a->r.w - x, role_of(m->type), text_str(&l->line),
	    l->line.len, l->skip);
	paint_matches(
	    a, y, x, text_str(&l->line), l->line.len, l->skip, needle);
}

void
layer_messages_draw(struct layer_messages *l, const struct message_log *log,
    const struct view_env *env, struct area *a, bool focus)
{
	struct needle needle = needle_of(env->search, strlen(env->search));
	struct message m;
	uint64_t next;

	if (!l->stands)
		l->list.cursor = l->n > 0 ? l->n - 1 : 0;
	list_fit(&l->list, l->n, a->r.h - 1);
	draw_messages_title(l, a, focus ? ROLE_TITLE_FOCUS : ROLE_TITLE);
	for (size_t i = 0; i < l->list.height; i++) {
		size_t at = l->list.top + i;

		if (at >= l->n || !message_log_at(log, l->ids[at], &m, &next))
			break;
		draw_message_row(l, &m, a, (int)i + 1, &needle);
		if (at == l->list.cursor && focus)
			paint(a, (int)i + 1, 0, a->r.w, ROLE_SELECTED_FOCUS);
	}
	if (l->n == 0)
		put_cut(a, 1, 1, a->r.w - 1, ROLE_DIM,
		    l->filter.len > 0 ? "no message has that"
				      : "no messages yet");
}

static void
scroll_messages(struct layer_messages *l, int by)
{
	l->skip += by;
	if (l->skip < 0)
		l->skip = 0;
	if (l->skip > MAX_SKIP)
		l->skip = MAX_SKIP;
}

bool
layer_messages_act(struct layer_messages *l, enum action action)
{
	switch (action) {
	case ACT_FOLLOW: l->stands = !l->stands; return true;
	case ACT_LEFT: scroll_messages(l, -SCROLL_COLS); return true;
	case ACT_RIGHT: scroll_messages(l, SCROLL_COLS); return true;
	default: break;
	}
	if (!list_act(&l->list, action))
		return false;
	l->stands = l->list.cursor + 1 < l->n;
	return true;
}

bool
layer_messages_find(struct layer_messages *l, const struct message_log *log,
    const char *text, size_t from, int step)
{
	struct needle needle = needle_of(text, strlen(text));
	struct message m;
	uint64_t next;

	for (struct list_walk w = walk_begin(l->n, from, step);
	     walk_goes_on(&w); walk_step(&w)) {
		if (!message_log_at(log, l->ids[w.at], &m, &next) ||
		    !has(l, &m, &needle))
			continue;
		l->list.cursor = w.at;
		l->stands = w.at + 1 < l->n;
		return true;
	}
	return false;
}

void
layer_messages_filter(struct layer_messages *l, const char *text)
{
	if (strcmp(text_str(&l->filter), text) == 0)
		return;
	text_clear(&l->filter);
	text_adds(&l->filter, text);
	l->n = 0;
	l->looked_at = 0;
	l->stands = false;
}

bool
layer_messages_selected(const struct layer_messages *l,
    const struct message_log *log, struct message *m, uint64_t *at)
{
	uint64_t next;

	if (!l->stands || l->list.cursor >= l->n)
		return false;
	*at = l->ids[l->list.cursor];
	return message_log_at(log, *at, m, &next);
}
