/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which contexts the table shows: those that pass the filter and, if asked for,
 * did something lately. A pass looks at all rows, at some in each tick or, for a
 * user who waits, at many at once; its result takes the place of the last one's.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "tui/views/contexts.h"

static void
print_cell(void *arg, int column, struct text *room)
{
	context_columns[column].print(room, arg);
}

/* True if nothing is in flight and nothing ran in the last window. */
static bool
is_idle(struct context_line *row, const struct session *s)
{
	if (row->context->client->state == CLIENT_ENDED)
		return true;
	sample_row(row, s);
	return row->context->in_flight == 0 && row->sample.shares.run <= 0 &&
	    row->sample.shares.poll <= 0 && row->sample.shares.switching <= 0;
}

static bool
passes(struct context_table *t, const struct session *s, size_t i)
{
	struct context_line *row = &t->rows[i];
	struct context_cell cell = {
	    .session = s, .row = row, .shares = &row->sample.shares};

	if (t->hide_idle && is_idle(row, s))
		return false;
	if (t->filter.n_words == 0)
		return true;
	cell.facts = table_facts(s, row->context);
	return filter_passes(&t->filter, print_cell, &cell, &t->cell);
}

bool
table_is_filtered(const struct context_table *t)
{
	return t->filter.n_words > 0 || t->hide_idle;
}

static void
stop_pass(struct context_table *t)
{
	free(t->pass.kept);
	t->pass = (struct filter_pass){0};
}

/* Looks at `budget` more rows; true: these were the last. */
static bool
filter_go_on(struct context_table *t, const struct session *s, size_t budget)
{
	struct filter_pass *p = &t->pass;

	for (; p->at < t->n_rows && budget > 0; p->at++, budget--) {
		if (!passes(t, s, p->at))
			continue;
		p->kept = mem_grow(p->kept, p->n, &p->cap, sizeof(*p->kept));
		p->kept[p->n++] = (uint32_t)p->at;
	}
	return p->at == t->n_rows;
}

static void
end_pass(struct context_table *t, const struct session *s)
{
	free(t->kept);
	/* An empty list differs from NULL, which shows all. */
	t->kept = t->pass.kept != NULL ? t->pass.kept : mem_calloc(1, 4);
	t->n_kept = t->pass.n;
	t->pass.kept = NULL;
	t->filtered_at = s->samples;
	t->crowds.wanted |= t->pass.waited_for;
	stop_pass(t);
	table_sort(t, s);
}

void
table_drop_filter(struct context_table *t)
{
	stop_pass(t);
	free(t->kept);
	t->kept = NULL;
	t->n_kept = 0;
}

void
table_filter_anew(struct context_table *t, const struct session *s)
{
	stop_pass(t);
	if (!table_is_filtered(t)) {
		table_drop_filter(t);
		table_sort(t, s);
		return;
	}
	t->pass.runs = t->pass.waited_for = true;
	table_continue_filter(t, s);
}

bool
table_continue_filter(struct context_table *t, const struct session *s)
{
	if (!t->pass.runs || !t->pass.waited_for)
		return false;
	if (!filter_go_on(t, s, TABLE_ROWS_AT_ONCE))
		return false;
	end_pass(t, s);
	return true;
}

int
table_progress(const struct context_table *t)
{
	if (!t->pass.runs || !t->pass.waited_for)
		return 100;
	return (int)(t->pass.at * 100 / (t->n_rows + 1));
}

bool
table_tick_filter(struct context_table *t, const struct session *s)
{
	if (!table_is_filtered(t) || t->pass.waited_for)
		return false;
	if (!t->pass.runs && t->filtered_at == s->samples)
		return false;
	t->pass.runs = true;
	if (!filter_go_on(t, s, TABLE_ROWS_PER_TICK))
		return false;
	end_pass(t, s);
	return true;
}

void
table_set_filter(
    struct context_table *t, const struct session *s, const char *text)
{
	filter_set(&t->filter, text, context_columns, N_COLUMNS);
	t->crowds.wanted = true;
	table_filter_anew(t, s);
}

void
table_hide_idle(struct context_table *t, const struct session *s, bool hide)
{
	t->hide_idle = hide;
	t->crowds.wanted = true;
	table_filter_anew(t, s);
}
