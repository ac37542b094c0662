/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Crowds: equal clients as one row per context. Which rows are a crowd, and
 * their figures, which a pass over all rows adds up, a limited number of rows per
 * tick.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "run/live/overdue.h"
#include "tui/views/contexts.h"

/* ---- Which rows are a crowd ---- */

/* Returns the row of the same context of the workload's first client, which is
 * the row itself of that client; n_rows: that client has no such context. */
static size_t
leader_of(struct context_table *t, uint32_t workload, uint32_t i)
{
	size_t row = t->n_rows - 1, first;
	const struct client_row *client;

	while (t->n_leaders <= workload) {
		t->leaders = mem_grow(t->leaders, t->n_leaders, &t->cap_leaders,
		    sizeof(*t->leaders));
		t->leaders[t->n_leaders++] = 0;
	}
	if (t->leaders[workload] == 0)
		t->leaders[workload] = t->n_clients;
	client = &t->clients[t->leaders[workload] - 1];
	first = client->first + i;
	return i < client->n &&
		t->rows[first].context->def->number ==
		    t->rows[row].context->def->number
	    ? first
	    : t->n_rows;
}

static uint32_t
add_crowd(struct crowds *c, size_t row)
{
	c->list = mem_grow(c->list, c->n, &c->cap, sizeof(*c->list));
	c->list[c->n] = (struct crowd){.first = row};
	if (c->n == c->n_folded) {
		c->folded = mem_grow(
		    c->folded, c->n, &c->cap_folded, sizeof(*c->folded));
		c->folded[c->n_folded++] = true;
	}
	return (uint32_t)c->n++;
}

void
crowds_add_row(struct context_table *t, uint32_t workload, uint32_t i)
{
	struct crowds *c = &t->crowds;
	size_t row = t->n_rows - 1, leader = t->n_rows;
	uint32_t crowd = NO_GROUP;

	if (workload != NO_WORKLOAD)
		leader = leader_of(t, workload, i);

	c->of = mem_grow(c->of, row, &c->cap_of, sizeof(*c->of));
	if (leader == row)
		crowd = add_crowd(c, row);
	else if (leader < t->n_rows)
		crowd = c->of[leader];
	c->of[row] = crowd;
	if (crowd != NO_GROUP && ++c->list[crowd].n > c->most)
		c->most = c->list[crowd].n;
	c->wanted = true;
}

void
crowds_clear(struct context_table *t)
{
	t->crowds.n = 0;
	t->crowds.most = 0;
	t->crowds.at = 0;
	t->crowds.wanted = true;
	t->crowds.waited_for = false;
}

void
crowds_free(struct context_table *t)
{
	free(t->crowds.list);
	free(t->crowds.of);
	free(t->crowds.folded);
	free(t->crowds.latencies);
	free(t->crowds.late);
}

static uint32_t
least_of_crowd(const struct crowds *c)
{
	return c->mode == CROWDS_ALWAYS ? 2 : CROWD_MANY;
}

bool
crowds_shown(const struct context_table *t)
{
	const struct crowds *c = &t->crowds;

	return c->mode != CROWDS_NEVER && c->most >= least_of_crowd(c);
}

void
crowds_make_groups(struct context_table *t, const uint32_t *order, size_t n)
{
	const struct crowds *c = &t->crowds;
	uint32_t least = least_of_crowd(c);

	t->group_of = mem_realloc(
	    t->group_of, t->n_rows + 1, sizeof(*t->group_of));
	t->n_grouped = t->n_rows;
	for (size_t i = 0; i < t->n_rows; i++)
		t->group_of[i] = NO_GROUP;
	for (size_t i = 0; i < n; i++) {
		uint32_t crowd = c->of[order[i]];

		if (crowd != NO_GROUP && c->list[crowd].n >= least)
			t->group_of[order[i]] = crowd;
	}
}

/* ---- Figures ---- */

static void
begin_crowd_pass(struct context_table *t)
{
	struct crowds *c = &t->crowds;
	size_t values = 0;

	for (size_t i = 0; i < c->n; i++) {
		struct crowd *crowd = &c->list[i];

		crowd->pass = (struct crowd_figures){
		    .shares.latency_ns = NSEC_NEVER};
		crowd->n_latencies = crowd->n_late = 0;
		crowd->values = values;
		values += crowd->n;
	}
	c->latencies = mem_realloc(
	    c->latencies, values + 1, sizeof(*c->latencies));
	c->late = mem_realloc(c->late, values + 1, sizeof(*c->late));
}

/* Adds what the rows of a crowd may have in common. */
static void
add_setup(struct crowd_figures *f, const struct context *context)
{
	if (f->n++ == 0) {
		f->priority = context->priority;
		f->sseu = context->sseu;
		f->preempt_ns = context->preempt_ns;
		return;
	}
	f->priorities_differ |= f->priority != context->priority;
	f->sseu_differ |= f->sseu != context->sseu;
	f->preempt_differ |= f->preempt_ns != context->preempt_ns;
}

static void
add_shares(struct context_shares *sum, const struct context_shares *shares)
{
	sum->run += shares->run;
	sum->poll += shares->poll;
	sum->switching += shares->switching;
	sum->missed += shares->missed;
	for (unsigned i = 0; i < N_CLASSES; i++)
		sum->classes[i] += shares->classes[i];
}

/* Adds a row to its crowd. An ended client only has its missed periods. */
static void
add_to_crowd(struct crowds *c, struct crowd *crowd, const struct session *s,
    struct context_line *row)
{
	const struct context *context = row->context;
	const struct client *client = context->client;
	struct crowd_figures *f = &crowd->pass;
	nsec latency;

	f->misses += context_misses(s, context);
	if (client->state == CLIENT_ENDED)
		return;
	sample_row(row, s);
	add_setup(f, context);
	add_shares(&f->shares, &row->sample.shares);
	f->queue += context->in_flight;
	f->n_banned += context->ban.banned;
	f->states[client->state]++;
	latency = row->sample.shares.latency_ns;
	if (latency != NSEC_NEVER && row->sample.at > 0)
		c->latencies[crowd->values + crowd->n_latencies++] = latency;
	c->late[crowd->values + crowd->n_late++] = overdue_client(client);
}

static int
compare_values(const void *pa, const void *pb)
{
	nsec a = *(const nsec *)pa, b = *(const nsec *)pb;

	return (a > b) - (a < b);
}

/* Sets the median, the higher one of two, and the maximum of n values, which it
 * sorts. Leaves both if n is 0. */
static void
find_spread(nsec *values, uint32_t n, nsec *median, nsec *max)
{
	if (n == 0)
		return;
	qsort(values, n, sizeof(*values), compare_values);
	*median = values[n / 2];
	*max = values[n - 1];
}

/* Rows are sampled one after another, so their windows begin at different times
 * and the sum of a class may come to more than its engines have. Cuts it to
 * that. */
static void
cut_shares(struct context_shares *sum, const struct device *device)
{
	float most[N_CLASSES] = {0};

	for (unsigned i = 0; i < device->n_engines; i++)
		most[device->engines[i].class] += 1;
	sum->run = 0;
	for (unsigned i = 0; i < N_CLASSES; i++) {
		if (sum->classes[i] > most[i])
			sum->classes[i] = most[i];
		sum->run += sum->classes[i];
	}
}

static void
end_crowd_pass(struct crowds *c, const struct device *device)
{
	for (size_t i = 0; i < c->n; i++) {
		struct crowd *crowd = &c->list[i];
		struct crowd_figures *f = &crowd->pass;

		find_spread(c->latencies + crowd->values, crowd->n_latencies,
		    &f->shares.latency_ns, &f->latency_max_ns);
		find_spread(c->late + crowd->values, crowd->n_late, &f->late_ns,
		    &f->late_max_ns);
		cut_shares(&f->shares, device);
		crowd->figures = *f;
	}
	c->at = 0;
	c->waited_for = false;
}

void
crowds_go_on(struct context_table *t, const struct session *s)
{
	struct crowds *c = &t->crowds;
	size_t budget;

	c->waited_for |= c->wanted;
	budget = c->waited_for ? TABLE_ROWS_AT_ONCE : CROWD_ROWS_PER_TICK;
	if (c->wanted || c->at >= t->n_grouped)
		c->at = 0;
	if (c->at == 0)
		begin_crowd_pass(t);
	for (; c->at < t->n_grouped && budget > 0; c->at++, budget--) {
		uint32_t group = t->group_of[c->at];

		if (group != NO_GROUP)
			add_to_crowd(c, &c->list[group], s, &t->rows[c->at]);
	}
	c->wanted = false;
	if (c->at == t->n_grouped)
		end_crowd_pass(c, &s->run.sim->device);
}
