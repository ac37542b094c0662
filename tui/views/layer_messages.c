/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The list of messages in the Layer view: which of the log's messages it shows
 * (filter), its columns, following the newest one, scrolling to the right,
 * searching.
 */
#include "tui/views/layer_view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tui/views/columns.h"
#include "tui/views/list.h"

#define SCROLL_COLS 8
#define MAX_SKIP    4096

void
layer_messages_free(struct layer_messages *l)
{
	free(l->ids);
	text_free(&l->filter);
	text_free(&l->line);
}

/* Looks into the message's line of --layer-dump, and into its words. */
static bool
has(struct layer_messages *l, const struct message *m,
    const struct needle *needle)
{
	text_clear(&l->line);
	message_print(m, &l->line);
	text_addc(&l->line, ' ');
	message_describe(m, &l->line);
	return needle_find(needle, text_str(&l->line), l->line.len, 0) !=
	    NOWHERE;
}

/* Drops messages that the log has dropped. The cursor stays on its message as
 * long as that exists. */
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

/* A row as its columns print it. */
struct message_cell {
	const struct message *message;
	const char *words;
	size_t len;
	int skip; /* columns of the words scrolled away */
	const struct needle *searched;
};

static enum role
role_of_type(const void *row)
{
	const struct message_cell *cell = row;

	switch (cell->message->type) {
	case MESSAGE_WORKLOAD: return ROLE_ANNOTATION;
	case MESSAGE_ANNEX:
	case MESSAGE_TAG_ANNEX:
	case MESSAGE_RESOLVED: return ROLE_NORMAL;
	default: return ROLE_DIM;
	}
}

static enum role
role_number(const void *row)
{
	(void)row;
	return ROLE_STRONG;
}

static void
print_type(struct text *out, const void *row)
{
	const struct message_cell *cell = row;

	text_adds(out, message_type_info(cell->message->type)->name);
}

static int
measure_number(const void *table, int table_width)
{
	(void)table;
	return table_width >= 60 ? 9 : 7;
}

/* Appends n; 0: the message has none. */
static void
add_message_number(struct text *out, uint64_t n)
{
	if (n != 0)
		text_addf(out, "%" PRIu64, n);
}

static void
print_submit(struct text *out, const void *row)
{
	add_message_number(
	    out, ((const struct message_cell *)row)->message->sequence);
}

static void
print_tag(struct text *out, const void *row)
{
	add_message_number(
	    out, ((const struct message_cell *)row)->message->tag);
}

static void
draw_words(struct area *a, int y, int x, int width, const void *row)
{
	const struct message_cell *cell = row;

	put_cut_skip(a, y, x + 2, width - 2, role_of_type(row), cell->words,
	    cell->len, cell->skip);
	paint_matches(
	    a, y, x + 2, cell->words, cell->len, cell->skip, cell->searched);
}

/* Shows instead of a title whether the list follows the newest message. */
static void
heading_words(
    struct text *out, const struct column *column, int width, const void *table)
{
	const struct layer_messages *l = table;

	(void)column;
	(void)width;
	if (l->filter.len > 0)
		return;
	text_adds(out, l->held ? "held (F follows)" : "live");
	if (l->lost)
		text_adds(out, ", oldest dropped");
}

static const struct column message_columns[] = {
    {"MESSAGE", 12, .gap = VIEW_NUMBER_COLS, .flags = COL_LEFT,
	.print = print_type, .role = role_of_type},
    {"SUBMIT", .measure = measure_number, .print = print_submit,
	.role = role_number},
    {"TAG", .measure = measure_number, .print = print_tag, .role = role_number},
    {NULL, .percent = 100, .gap = 2, .flags = COL_LEFT,
	.heading = heading_words, .draw = draw_words},
};
#define N_MESSAGE_COLUMNS                                                      \
	((int)(sizeof(message_columns) / sizeof(*message_columns)))

static void
draw_messages_title(const struct layer_messages *l, struct columns *columns,
    struct area *a, enum role role)
{
	columns_fit(columns, message_columns, N_MESSAGE_COLUMNS,
	    &(struct columns_room){.width = a->r.w, .keep = -1});
	columns_draw_titles(
	    columns, a, role, &(struct columns_order){.column = -1}, l);
	if (l->filter.len > 0)
		putf(a, 0, a->r.w - columns->widths[N_MESSAGE_COLUMNS - 1] + 2,
		    a->r.w, ROLE_WARN, "filter: %s", text_str(&l->filter));
	list_draw_place(&l->list, a, role);
}

static void
draw_message_row(struct layer_messages *l, const struct message *m,
    const struct columns *columns, struct area *a, int y,
    const struct needle *needle)
{
	struct message_cell cell = {
	    .message = m, .skip = l->skip, .searched = needle};

	text_clear(&l->line);
	message_describe(m, &l->line);
	cell.words = text_str(&l->line);
	cell.len = l->line.len;
	columns_draw_row(columns, a, y, ROLE_NORMAL, ROW_FLAT, &cell);
}

void
layer_messages_draw(struct layer_messages *l, const struct message_log *log,
    const struct view_env *env, struct area *a, bool focus)
{
	struct needle needle = needle_of(env->search, strlen(env->search));
	struct columns columns;
	struct message m;
	uint64_t next;

	if (!l->held)
		l->list.cursor = l->n > 0 ? l->n - 1 : 0;
	list_fit(&l->list, l->n, a->r.h - 1);
	draw_messages_title(
	    l, &columns, a, focus ? ROLE_TITLE_FOCUS : ROLE_TITLE);
	for (size_t i = 0; i < l->list.height; i++) {
		size_t at = l->list.top + i;

		if (at >= l->n || !message_log_at(log, l->ids[at], &m, &next))
			break;
		draw_message_row(l, &m, &columns, a, (int)i + 1, &needle);
		if (at == l->list.cursor && focus)
			paint(a, (int)i + 1, 0, a->r.w, ROLE_SELECTED_FOCUS);
	}
	if (l->n == 0)
		put_cut(a, 1, 1, a->r.w - 1, ROLE_DIM,
		    l->filter.len > 0 ? "no message matches"
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
	case ACT_FOLLOW: l->held = !l->held; return true;
	case ACT_LEFT: scroll_messages(l, -SCROLL_COLS); return true;
	case ACT_RIGHT: scroll_messages(l, SCROLL_COLS); return true;
	default: break;
	}
	if (!list_act(&l->list, action))
		return false;
	l->held = l->list.cursor + 1 < l->n;
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
		l->held = w.at + 1 < l->n;
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
	l->held = false;
}

bool
layer_messages_at_cursor(const struct layer_messages *l,
    const struct message_log *log, struct message *m, uint64_t *at)
{
	uint64_t next;

	if (l->list.cursor >= l->n)
		return false;
	*at = l->ids[l->list.cursor];
	return message_log_at(log, *at, m, &next);
}

bool
layer_messages_selected(const struct layer_messages *l,
    const struct message_log *log, struct message *m, uint64_t *at)
{
	return l->held && layer_messages_at_cursor(l, log, m, at);
}
