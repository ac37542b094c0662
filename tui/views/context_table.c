/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The contexts of a run as a table: adding clients, sampling busy times,
 * filtering and sorting, each bounded in cost per tick.
 */
#include "tui/views/contexts.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define LOWEST (-1e300) /* below every key */

static void
table_add_client(struct context_table *t, const struct client *client)
{
	size_t n = t->n_clients++;

	t->clients = mem_grow(
	    t->clients, n, &t->cap_clients, sizeof(*t->clients));
	t->clients[n] = (struct client_row){.first = t->n_rows};
	if (n == t->n_folded) {
		t->folded = mem_grow(
		    t->folded, n, &t->cap_folded, sizeof(*t->folded));
		t->folded[t->n_folded++] = false;
	}
	for (uint32_t i = 0; i < client->n_contexts; i++) {
		t->rows = mem_grow(
		    t->rows, t->n_rows, &t->cap_rows, sizeof(*t->rows));
		t->client_of = mem_grow(t->client_of, t->n_rows,
		    &t->cap_client_of, sizeof(*t->client_of));
		t->client_of[t->n_rows] = (uint32_t)n;
		t->rows[t->n_rows++] = (struct context_line){
		    .context = client->contexts[i]};
	}
}

struct context_line *
table_row(const struct context_table *t, size_t line)
{
	uint32_t at;

	if (t->lines == NULL)
		return &t->rows[line];
	at = t->lines[line];
	return &t->rows[line_is_group(at) ? t->clients[line_index(at)].first
					  : at];
}

bool
table_is_client(const struct context_table *t, size_t line, size_t *client)
{
	uint32_t at = t->lines == NULL ? (uint32_t)line : t->lines[line];

	*client = line_is_group(at) ? line_index(at) : t->client_of[at];
	return line_is_group(at);
}

const struct context_facts *
table_facts(const struct session *s, const struct context *context)
{
	const struct program *p = client_program(context->client);
	const struct version *version = versions_find(&s->run.versions, p);

	if (version == NULL || context->index >= p->n_contexts)
		return NULL;
	return &version->facts[context->index];
}

/* True if it is time for a sample; *full: of a whole window. */
static bool
sample_is_due(
    const struct context_sample *b, const struct session *s, bool *full)
{
	*full = b->at < s->history.now;
	return s->run.sim->now > b->at && (*full || b->at == 0);
}

static void
add_context_totals(struct context_totals *t, const struct sim *sim,
    const struct context *context)
{
	struct sim_times times;

	sim_context_times(sim, context, &times);
	for (unsigned i = 0; i < sim->device.n_engines; i++)
		t->run_ns[sim->device.engines[i].class] += times.run_ns[i];
	t->poll_ns += times.all.ns[USE_POLLING];
	t->switch_ns += times.all.ns[USE_SWITCHING];
	if (context->batches == 0)
		return;
	t->batches += histogram_n(&context->times, LATENCY);
	t->latency_ns += (uint64_t)histogram_sum(&context->times, LATENCY);
}

static void
take_sample(struct context_sample *b, nsec now,
    const struct context_totals *totals, bool full)
{
	const struct context_totals *seen = &b->seen;
	double span = (double)(now - b->at);

	b->run = 0;
	for (unsigned i = 0; i < N_CLASSES; i++) {
		nsec run = totals->run_ns[i] - seen->run_ns[i];

		b->classes[i] = (float)((double)run / span);
		b->run += b->classes[i];
	}
	b->poll = (float)((double)(totals->poll_ns - seen->poll_ns) / span);
	b->switching = totals->switch_ns > seen->switch_ns
	    ? (float)((double)(totals->switch_ns - seen->switch_ns) / span)
	    : 0;
	b->latency_ns = totals->batches == seen->batches
	    ? NSEC_NEVER
	    : (totals->latency_ns - seen->latency_ns) /
		(totals->batches - seen->batches);
	if (!full)
		return;
	b->seen = *totals;
	b->at = now;
}

static void
sample_row(struct context_line *row, const struct session *s)
{
	const struct sim *sim = s->run.sim;
	struct context_totals totals = {0};
	bool full;

	if (!sample_is_due(&row->sample, s, &full))
		return;
	add_context_totals(&totals, sim, row->context);
	take_sample(&row->sample, sim->now, &totals, full);
}

static void
sample_client(struct context_sample *b, const struct session *s,
    const struct client *client)
{
	const struct sim *sim = s->run.sim;
	struct context_totals totals = {0};
	bool full;

	if (!sample_is_due(b, s, &full))
		return;
	for (uint32_t i = 0; i < client->n_contexts; i++)
		add_context_totals(&totals, sim, client->contexts[i]);
	take_sample(b, sim->now, &totals, full);
}

static struct context_sample *
sample_of(const struct context_table *t, size_t line)
{
	size_t client;

	return table_is_client(t, line, &client) ? &t->clients[client].sample
						 : &table_row(t, line)->sample;
}

void
table_sample(struct context_table *t, const struct session *s, size_t line)
{
	size_t client;

	if (table_is_client(t, line, &client))
		sample_client(
		    &t->clients[client].sample, s, s->run.sim->clients[client]);
	else
		sample_row(table_row(t, line), s);
}

void
table_sample_first(
    struct context_table *t, const struct session *s, size_t line)
{
	if (sample_of(t, line)->at == 0)
		table_sample(t, s, line);
}

/* Copies the rows that are shown, in their own order; returns their number. */
static size_t
copy_kept(const struct context_table *t, uint32_t *order)
{
	if (t->kept != NULL) {
		memcpy(order, t->kept, t->n_kept * sizeof(*order));
		return t->n_kept;
	}
	for (size_t i = 0; i < t->n_rows; i++)
		order[i] = (uint32_t)i;
	return t->n_rows;
}

/* Sets the keys of the rows and, by sum or maximum, of their clients. */
static void
make_keys(struct context_table *t, const struct session *s,
    const uint32_t *order, size_t n)
{
	const struct column *info = &context_columns[t->sort];

	t->keys = mem_realloc(t->keys, t->n_rows + 1, sizeof(*t->keys));
	t->client_keys = mem_realloc(
	    t->client_keys, t->n_clients + 1, sizeof(*t->client_keys));
	for (size_t i = 0; i < t->n_clients; i++)
		t->client_keys[i] = t->sort == COLUMN_CLIENT ? (double)i
		    : info->flags & COL_MAX                  ? LOWEST
							     : 0;
	for (size_t i = 0; i < n; i++) {
		uint32_t row = order[i];
		double *client = &t->client_keys[t->client_of[row]];
		struct context_cell cell = {.session = s, .row = &t->rows[row]};
		double key = t->sort == COLUMN_CLIENT ? (double)row
						      : info->key(&cell);

		t->keys[row] = key;
		if (info->flags & COL_SUM)
			*client += key;
		else if (info->flags & COL_MAX && key > *client)
			*client = key;
	}
}

static void
make_table_lines(struct context_table *t, const struct session *s)
{
	bool as_they_stand = t->sort == COLUMN_CLIENT && !t->inverted;
	uint32_t *order;
	size_t n;

	free(t->lines);
	t->lines = NULL;
	t->n_lines = t->n_rows;
	if (as_they_stand && t->kept == NULL && !t->tree)
		return;
	order = mem_realloc(NULL, t->n_rows + 1, sizeof(*order));
	n = copy_kept(t, order);
	make_keys(t, s, order, n);
	order_sort(order, n,
	    &(struct order_keys){
		.rows = t->keys,
		.descends = context_descends(t->sort) != t->inverted,
		.groups = t->tree ? t->client_keys : NULL,
		.group_of = t->client_of,
	    });
	t->lines = order;
	t->n_lines = n;
	if (!t->tree)
		return;
	t->lines = mem_realloc(NULL, n + t->n_clients + 1, sizeof(*t->lines));
	t->n_lines = order_tree(t->lines, order, n, t->client_of, t->folded);
	free(order);
}

static void
sort_rows(struct context_table *t, const struct session *s)
{
	t->sorted_at = s->samples;
	if ((t->sort >= COLUMN_RUN && t->sort <= COLUMN_SWITCH) ||
	    t->sort == COLUMN_LATENCY)
		for (size_t i = 0; i < t->n_rows; i++)
			sample_row(&t->rows[i], s);
	make_table_lines(t, s);
}

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
	return row->context->in_flight == 0 && row->sample.run <= 0 &&
	    row->sample.poll <= 0 && row->sample.switching <= 0;
}

static bool
passes(struct context_table *t, const struct session *s, size_t i)
{
	struct context_line *row = &t->rows[i];
	struct context_cell cell = {.session = s, .row = row};

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
	stop_pass(t);
	sort_rows(t, s);
}

static void
drop_filter(struct context_table *t)
{
	stop_pass(t);
	free(t->kept);
	t->kept = NULL;
	t->n_kept = 0;
}

/* Filters all rows for a user who waits. */
static void
filter_anew(struct context_table *t, const struct session *s)
{
	stop_pass(t);
	if (!table_is_filtered(t)) {
		drop_filter(t);
		sort_rows(t, s);
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

/* Filters again as figures change, a few rows per tick. */
static bool
tick_filter(struct context_table *t, const struct session *s)
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

/* Sorts less often the more rows there are. */
static bool
sort_is_due(const struct context_table *t, const struct session *s)
{
	return context_columns[t->sort].flags & COL_MOVES &&
	    s->samples - t->sorted_at > t->n_rows / TABLE_ROWS_PER_TICK;
}

bool
table_tick(struct context_table *t, const struct session *s)
{
	table_add_new_rows(t, s);
	if (tick_filter(t, s))
		return true;
	if (!sort_is_due(t, s))
		return false;
	sort_rows(t, s);
	return true;
}

/* A run only ever gains clients. */
void
table_add_new_rows(struct context_table *t, const struct session *s)
{
	const struct sim *sim = s->run.sim;
	size_t before = t->n_rows;

	if (t->n_clients == sim->n_clients)
		return;
	while (t->n_clients < sim->n_clients)
		table_add_client(t, sim->clients[t->n_clients]);
	if (t->n_rows == before)
		return;
	if (table_is_filtered(t))
		filter_anew(t, s);
	else
		sort_rows(t, s);
}

void
table_sort_by(struct context_table *t, const struct session *s,
    enum context_column column, bool inverted)
{
	t->sort = column;
	t->inverted = inverted;
	sort_rows(t, s);
}

void
table_set_tree(struct context_table *t, const struct session *s, bool tree)
{
	t->tree = tree;
	sort_rows(t, s);
}

void
table_fold(struct context_table *t, const struct session *s, size_t client,
    bool folded)
{
	t->folded[client] = folded;
	sort_rows(t, s);
}

void
table_set_filter(
    struct context_table *t, const struct session *s, const char *text)
{
	filter_set(&t->filter, text, context_columns, N_COLUMNS);
	filter_anew(t, s);
}

void
table_hide_idle(struct context_table *t, const struct session *s, bool hide)
{
	t->hide_idle = hide;
	filter_anew(t, s);
}

void
table_launched(struct context_table *t, const struct session *s)
{
	t->n_rows = t->n_clients = 0;
	drop_filter(t);
	make_table_lines(t, s);
	table_add_new_rows(t, s);
}

void
table_free(struct context_table *t)
{
	stop_pass(t);
	filter_free(&t->filter);
	free(t->rows);
	free(t->client_of);
	free(t->clients);
	free(t->folded);
	free(t->kept);
	free(t->lines);
	free(t->keys);
	free(t->client_keys);
	text_free(&t->cell);
	*t = (struct context_table){0};
}
