/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The contexts of a run as a table: adding clients, sampling busy times and
 * sorting, each bounded in cost per tick.
 */
#include "tui/views/contexts.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define LOWEST (-1e300) /* below every key */

/* An ended program is shown for this time of the device, with this number of
 * contexts at most. */
#define ENDED_SHOWN_NS (10 * NSEC_PER_SEC)
#define ENDED_CONTEXTS 4

/* Returns when a program that has ended goes. */
static nsec
gone_at(const struct client *client)
{
	return client->ended_ns + ENDED_SHOWN_NS;
}

/* True if the context is shown. Contexts of programs come and go. */
static bool
shows_context(const struct context_table *t, const struct context *context)
{
	const struct client *client = context->client;

	if (client->walker != NULL)
		return true;
	if (client->state == CLIENT_ENDED)
		return context->batches > 0 &&
		    t->n_rows - t->clients[client->id].first < ENDED_CONTEXTS;
	return context->def->map != 0 &&
	    (!context->closed || context->in_flight > 0);
}

/* Returns the number of its contexts that are looked at. */
static uint32_t
contexts_to_show(struct context_table *t, const struct client *client)
{
	if (client->walker != NULL || client->state != CLIENT_ENDED)
		return client->n_contexts;
	if (gone_at(client) <= client->sim->now)
		return 0;
	t->next_gone = nsec_earlier(t->next_gone, gone_at(client));
	return client->n_contexts;
}

static void
table_add_client(struct context_table *t, const struct client *client)
{
	size_t n = t->n_clients++;
	uint32_t n_contexts = contexts_to_show(t, client);

	t->clients = mem_grow(
	    t->clients, n, &t->cap_clients, sizeof(*t->clients));
	t->clients[n] = (struct client_row){
	    .first = t->n_rows, .n = client->n_contexts};
	if (n == t->n_folded) {
		t->folded = mem_grow(
		    t->folded, n, &t->cap_folded, sizeof(*t->folded));
		t->folded[t->n_folded++] = false;
	}
	for (uint32_t i = 0; i < n_contexts; i++) {
		if (!shows_context(t, client->contexts[i]))
			continue;
		t->rows = mem_grow(
		    t->rows, t->n_rows, &t->cap_rows, sizeof(*t->rows));
		t->client_of = mem_grow(t->client_of, t->n_rows,
		    &t->cap_client_of, sizeof(*t->client_of));
		t->client_of[t->n_rows] = (uint32_t)n;
		t->rows[t->n_rows++] = (struct context_line){
		    .context = client->contexts[i]};
		crowds_add_row(t, client_workload(client), i);
	}
	t->clients[n].n = t->n_rows - t->clients[n].first;
}

struct context_line *
table_row(const struct context_table *t, size_t line)
{
	uint32_t at;

	if (t->lines == NULL)
		return &t->rows[line];
	at = t->lines[line];
	return &t->rows[line_is_group(at) ? t->firsts[line_index(at)] : at];
}

const struct crowd *
table_crowd(const struct context_table *t, size_t line)
{
	if (t->look != LOOK_CROWDS || !line_is_group(t->lines[line]))
		return NULL;
	return &t->crowds.list[line_index(t->lines[line])];
}

const struct crowd *
table_crowd_of(const struct context_table *t, uint32_t client, uint32_t context)
{
	uint32_t group;
	size_t row;

	if (t->look != LOOK_CROWDS || client >= t->n_clients ||
	    context >= t->clients[client].n)
		return NULL;
	row = t->clients[client].first + context;
	if (t->rows[row].context->index != context)
		return NULL; /* of a program */
	group = row < t->n_grouped ? t->group_of[row] : NO_GROUP;
	return group != NO_GROUP ? &t->crowds.list[group] : NULL;
}

void
table_each_of_crowd(const struct context_table *t, const struct crowd *crowd,
    tag_fn *fn, void *arg)
{
	size_t group = (size_t)(crowd - t->crowds.list);
	const struct context *context;

	for (size_t i = 0; i < t->n_grouped; i++) {
		context = t->rows[i].context;
		if (t->group_of[i] == group &&
		    !fn(arg, context->client->id, context->index))
			return;
	}
}

bool *
table_folded(const struct context_table *t, size_t line)
{
	uint32_t at, group;

	if (t->look == LOOK_FLAT || line >= t->n_lines)
		return NULL;
	at = t->lines[line];
	group = line_is_group(at)  ? line_index(at)
	    : t->look == LOOK_TREE ? t->client_of[at]
				   : t->group_of[at];
	if (group == NO_GROUP)
		return NULL;
	return t->look == LOOK_TREE ? &t->folded[group]
				    : &t->crowds.folded[group];
}

bool
table_is_client(const struct context_table *t, size_t line, size_t *client)
{
	*client = t->client_of[table_row(t, line) - t->rows];
	return t->look == LOOK_TREE && line_is_group(t->lines[line]);
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

static struct context_sample *
sample_of(const struct context_table *t, size_t line)
{
	size_t client;

	return table_is_client(t, line, &client) ? &t->clients[client].sample
						 : &table_row(t, line)->sample;
}

const struct context_shares *
table_shares(const struct context_table *t, size_t line)
{
	const struct crowd *crowd = table_crowd(t, line);

	return crowd != NULL ? &crowd->figures.shares
			     : &sample_of(t, line)->shares;
}

void
table_sample(struct context_table *t, const struct session *s, size_t line)
{
	size_t client;

	if (table_crowd(t, line) != NULL)
		return;
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

static size_t
count_table_groups(const struct context_table *t)
{
	return t->look == LOOK_TREE  ? t->n_clients
	    : t->look == LOOK_CROWDS ? t->crowds.n
				     : 0;
}

/* Sets the first row of each group. */
static void
make_firsts(struct context_table *t)
{
	size_t n = count_table_groups(t);

	t->firsts = mem_realloc(t->firsts, n + 1, sizeof(*t->firsts));
	for (size_t i = 0; i < n; i++)
		t->firsts[i] = (uint32_t)(t->look == LOOK_TREE
			? t->clients[i].first
			: t->crowds.list[i].first);
}

/* How the keys of a group's rows make the group's. The clients of a crowd have
 * missed periods of their own, the contexts of a client have the client's. */
static unsigned
flags_of_groups(const struct context_table *t)
{
	return t->look == LOOK_CROWDS && t->sort == COLUMN_MISSES
	    ? COL_SUM
	    : context_columns[t->sort].flags;
}

static void
add_to_group(
    const struct context_table *t, uint32_t group, unsigned flags, double key)
{
	double *sum = &t->group_keys[group];

	if (flags & COL_SUM)
		*sum += key;
	else if (flags & COL_MAX && key > *sum)
		*sum = key;
}

/* Sets the keys of the rows and, by sum or maximum, of their groups. */
static void
make_keys(struct context_table *t, const struct session *s,
    const uint32_t *order, size_t n, const uint32_t *group_of)
{
	const struct column *info = &context_columns[t->sort];
	size_t n_groups = count_table_groups(t);
	unsigned flags = flags_of_groups(t);

	t->keys = mem_realloc(t->keys, t->n_rows + 1, sizeof(*t->keys));
	t->group_keys = mem_realloc(
	    t->group_keys, n_groups + 1, sizeof(*t->group_keys));
	for (size_t i = 0; i < n_groups; i++)
		t->group_keys[i] = t->sort == COLUMN_CLIENT ? t->firsts[i]
		    : flags & COL_MAX                       ? LOWEST
							    : 0;
	for (size_t i = 0; i < n; i++) {
		uint32_t row = order[i];
		struct context_cell cell = {.session = s,
		    .row = &t->rows[row],
		    .shares = &t->rows[row].sample.shares};

		t->keys[row] = t->sort == COLUMN_CLIENT ? (double)row
							: info->key(&cell);
		if (group_of != NULL && group_of[row] != NO_GROUP &&
		    t->sort != COLUMN_CLIENT)
			add_to_group(t, group_of[row], flags, t->keys[row]);
	}
}

static enum table_look
choose_look(const struct context_table *t)
{
	return t->tree ? LOOK_TREE : crowds_shown(t) ? LOOK_CROWDS : LOOK_FLAT;
}

/* Sorts the order, and makes the lines of a table with groups of it, which it
 * replaces. Returns the lines. */
static uint32_t *
group_lines(struct context_table *t, uint32_t *order, size_t n,
    const uint32_t *group_of)
{
	const bool *folded = t->look == LOOK_TREE ? t->folded
						  : t->crowds.folded;
	size_t room = n + count_table_groups(t) + 1;
	uint32_t *lines = mem_realloc(NULL, room, sizeof(*lines));

	t->n_lines = order_tree(lines, order, n, group_of, folded);
	free(order);
	return lines;
}

static void
make_table_lines(struct context_table *t, const struct session *s)
{
	bool as_they_stand = t->sort == COLUMN_CLIENT && !t->inverted;
	const uint32_t *group_of = NULL;
	uint32_t *order;
	size_t n;

	free(t->lines);
	t->lines = NULL;
	t->n_lines = t->n_rows;
	t->look = choose_look(t);
	if (as_they_stand && t->kept == NULL && t->look == LOOK_FLAT)
		return;
	order = mem_realloc(NULL, t->n_rows + 1, sizeof(*order));
	n = copy_kept(t, order);
	make_firsts(t);
	if (t->look == LOOK_TREE) {
		group_of = t->client_of;
	} else if (t->look == LOOK_CROWDS) {
		crowds_make_groups(t, order, n);
		group_of = t->group_of;
	}
	make_keys(t, s, order, n, group_of);
	order_sort(order, n,
	    &(struct order_keys){
		.rows = t->keys,
		.descends = context_descends(t->sort) != t->inverted,
		.groups = group_of != NULL ? t->group_keys : NULL,
		.group_of = group_of,
		.firsts = t->firsts,
	    });
	t->n_lines = n;
	t->lines = group_of != NULL ? group_lines(t, order, n, group_of)
				    : order;
}

void
table_sort(struct context_table *t, const struct session *s)
{
	t->sorted_at = s->samples;
	if ((t->sort >= COLUMN_RUN && t->sort <= COLUMN_SWITCH) ||
	    t->sort == COLUMN_LATENCY || t->sort == COLUMN_MISS_RATE)
		for (size_t i = 0; i < t->n_rows; i++)
			sample_row(&t->rows[i], s);
	make_table_lines(t, s);
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
	bool changed = table_add_new_rows(t, s);

	if (t->look == LOOK_CROWDS)
		crowds_go_on(t, s);
	if (table_tick_filter(t, s))
		return true;
	if (!sort_is_due(t, s))
		return changed;
	table_sort(t, s);
	return true;
}

/* True if rows of a come before those of b. */
static bool
is_row_before(const struct context *a, const struct context *b)
{
	return a->client->id < b->client->id ||
	    (a->client == b->client && a->index < b->index);
}

/* Gives the new rows the samples of the old ones. */
static void
keep_samples(struct context_table *t, const struct context_line *old, size_t n)
{
	for (size_t i = 0, j = 0; i < t->n_rows && j < n; i++) {
		const struct context *context = t->rows[i].context;

		while (j < n && is_row_before(old[j].context, context))
			j++;
		if (j < n && old[j].context == context)
			t->rows[i].sample = old[j].sample;
	}
}

/* Makes the rows anew, for contexts have come or gone. */
static void
remake_rows(struct context_table *t, const struct session *s)
{
	const struct sim *sim = s->run.sim;
	struct context_line *rows = t->rows;
	struct client_row *clients = t->clients;
	size_t n_rows = t->n_rows, n_clients = t->n_clients;

	t->rows = NULL;
	t->clients = NULL;
	t->n_rows = t->cap_rows = t->n_clients = t->cap_clients = 0;
	t->n_leaders = 0;
	t->next_gone = NSEC_NEVER;
	crowds_clear(t);
	table_drop_filter(t);
	while (t->n_clients < sim->n_clients)
		table_add_client(t, sim->clients[t->n_clients]);
	keep_samples(t, rows, n_rows);
	for (size_t i = 0; i < n_clients && i < t->n_clients; i++)
		t->clients[i].sample = clients[i].sample;
	free(rows);
	free(clients);
	table_filter_anew(t, s);
}

bool
table_add_new_rows(struct context_table *t, const struct session *s)
{
	const struct sim *sim = s->run.sim;
	size_t before = t->n_rows;

	if (t->n_changes != sim->outsiders.n_changes ||
	    t->next_gone <= sim->now) {
		t->n_changes = sim->outsiders.n_changes;
		remake_rows(t, s);
		return true;
	}
	if (t->n_clients == sim->n_clients)
		return false;
	while (t->n_clients < sim->n_clients)
		table_add_client(t, sim->clients[t->n_clients]);
	if (t->n_rows == before)
		return false;
	if (table_is_filtered(t))
		table_filter_anew(t, s);
	else
		table_sort(t, s);
	return true;
}

void
table_sort_by(struct context_table *t, const struct session *s,
    enum context_column column, bool inverted)
{
	t->sort = column;
	t->inverted = inverted;
	table_sort(t, s);
}

void
table_set_tree(struct context_table *t, const struct session *s, bool tree)
{
	t->tree = tree;
	t->crowds.wanted = true;
	table_sort(t, s);
}

void
table_fold(
    struct context_table *t, const struct session *s, size_t line, bool folded)
{
	*table_folded(t, line) = folded;
	table_sort(t, s);
}

void
table_set_crowds(
    struct context_table *t, const struct session *s, enum crowd_mode mode)
{
	t->crowds.mode = mode;
	t->crowds.wanted = true;
	table_sort(t, s);
}

void
table_launched(struct context_table *t, const struct session *s)
{
	t->n_changes = s->run.sim->outsiders.n_changes;
	if (t->n_jumps == s->n_jumps) {
		remake_rows(t, s);
		return;
	}
	t->n_jumps = s->n_jumps;
	t->n_rows = t->n_clients = t->n_leaders = 0;
	t->n_changes = 0;
	t->next_gone = NSEC_NEVER;
	crowds_clear(t);
	table_drop_filter(t);
	make_table_lines(t, s);
	table_add_new_rows(t, s);
}

void
table_free(struct context_table *t)
{
	table_drop_filter(t);
	filter_free(&t->filter);
	free(t->rows);
	free(t->client_of);
	free(t->clients);
	free(t->folded);
	free(t->lines);
	free(t->keys);
	free(t->group_keys);
	free(t->firsts);
	free(t->group_of);
	free(t->leaders);
	crowds_free(t);
	text_free(&t->cell);
	*t = (struct context_table){0};
}
