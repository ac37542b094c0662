/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See match.h: what differs between the two sides. */
#include <stdlib.h>
#include <string.h>

#include "tests/naive/match.h"

static void
print_time(struct text *out, const char *name, nsec t)
{
	if (t == NSEC_NEVER)
		text_addf(out, " %s -", name);
	else
		text_addf(out, " %s %llu", name, (unsigned long long)t);
}

static void
print_row(struct text *out, const struct naive_row *r)
{
	text_addf(out, "client %u iteration %llu step %u context %u engine %d",
	    r->client, (unsigned long long)r->iteration, r->step, r->context,
	    r->engine);
	print_time(out, "submit", r->submit);
	print_time(out, "ready", r->ready);
	print_time(out, "start", r->start);
	print_time(out, "end", r->end);
	print_time(out, "run", r->run);
	text_addf(out, " preemptions %u", r->preemptions);
	text_adds(out, "\n");
}

static bool
rows_equal(const struct naive_row *a, const struct naive_row *b)
{
	return a->client == b->client && a->iteration == b->iteration &&
	    a->step == b->step && a->context == b->context &&
	    a->engine == b->engine && a->submit == b->submit &&
	    a->ready == b->ready && a->start == b->start && a->end == b->end &&
	    a->run == b->run && a->preemptions == b->preemptions;
}

static void
print_rows(struct match *m)
{
	if (getenv("NAIVE_ROWS") == NULL)
		return;
	for (size_t i = 0; i < m->naive.n_rows; i++) {
		text_addf(&m->what, "%3zu model  ", i);
		print_row(&m->what, &m->naive.rows[i]);
		if (i >= m->n_rows ||
		    rows_equal(&m->rows[i], &m->naive.rows[i]))
			continue;
		text_addf(&m->what, "%3zu engine ", i);
		print_row(&m->what, &m->rows[i]);
	}
}

/* How far the batches got that take turns for ever depends on when that is
 * noticed. */
static bool
is_spinning(const struct match *m, size_t row)
{
	return m->naive.spins && m->naive.rows[row].end == NSEC_NEVER &&
	    m->rows[row].end == NSEC_NEVER;
}

/* True if a row ended after the hang, which changes only rows after it. */
static bool
is_past_the_hang(const struct match *m, size_t row)
{
	return m->naive.rows[row].end >= m->hung_ns;
}

static void
compare_rows(struct match *m)
{
	size_t n = m->n_rows < m->naive.n_rows ? m->n_rows : m->naive.n_rows;

	for (size_t i = 0; i < n; i++) {
		if (rows_equal(&m->rows[i], &m->naive.rows[i]) ||
		    is_spinning(m, i) || is_past_the_hang(m, i))
			continue;
		print_rows(m);
		text_addf(&m->what, "row %zu differs:\n  model:  ", i);
		print_row(&m->what, &m->naive.rows[i]);
		text_adds(&m->what, "  engine: ");
		print_row(&m->what, &m->rows[i]);
		return;
	}
	if (m->n_rows != m->naive.n_rows && m->hung_ns == NSEC_NEVER)
		text_addf(&m->what, "rows: model %zu, engine %zu\n",
		    m->naive.n_rows, m->n_rows);
}

static void
compare(struct match *m, const char *whose, unsigned index, const char *name,
    uint64_t naive, uint64_t engine)
{
	if (naive != engine)
		text_addf(&m->what, "%s %u, %s: model %llu, engine %llu\n",
		    whose, index, name, (unsigned long long)naive,
		    (unsigned long long)engine);
}

/* Compares the figures of a context with those that the rows give. */
static void
compare_context(struct match *m, const struct context *context)
{
	unsigned id = context->client->id;
	uint64_t batches = 0;
	nsec busy = 0;

	for (size_t i = 0; i < m->naive.n_rows; i++) {
		const struct naive_row *r = &m->naive.rows[i];

		if (r->client != id || r->context != context->def->number)
			continue;
		batches += r->end != NSEC_NEVER;
		busy += r->held;
	}
	compare(
	    m, "client", id, "batches of a context", batches, context->batches);
	compare(m, "client", id, "busy of a context", busy,
	    sim_context_busy(m->sim, context));
}

static void
compare_client(struct match *m, unsigned i)
{
	const struct naive_client_figures *f = &m->naive.clients[i];
	const struct client *c = m->sim->clients[i];
	bool ended = c->state == CLIENT_ENDED && !c->background;

	compare(
	    m, "client", i, "iterations", f->iterations, c->walker->iteration);
	compare(m, "client", i, "ended", f->ended, ended);
	compare(m, "client", i, "elapsed", f->elapsed,
	    ended ? c->ended_ns : m->sim->now);
	compare(m, "client", i, "periods", f->n_periods, c->period.n);
	compare(m, "client", i, "missed", f->missed, c->period.missed);
	compare(m, "client", i, "sum of periods", f->sum_us, c->period.sum_us);
	if (f->n_periods > 0) {
		compare(m, "client", i, "least period", f->min_us,
		    c->period.min_us);
		compare(m, "client", i, "greatest period", f->max_us,
		    c->period.max_us);
	}
	for (unsigned k = 0; k < c->walker->program->n_contexts; k++)
		compare_context(m, c->contexts[k]);
}

static void
compare_engine(struct match *m, unsigned i)
{
	const struct naive_engine_figures *f = &m->naive.engines[i];
	const struct hw_engine *e = &m->sim->device.engines[i];

	if (strcmp(f->name, e->name) != 0)
		text_addf(&m->what, "engine %u: model %s, engine %s\n", i,
		    f->name, e->name);
	compare(
	    m, "engine", i, "busy", f->busy, hw_engine_busy(e, m->sim->now));
	compare(m, "engine", i, "batches", f->batches, e->batches);
	compare(m, "engine", i, "switches", f->switches, e->switches);
	compare(m, "engine", i, "preemptions", f->preemptions, e->preemptions);
}

void
match_compare(struct match *m)
{
	compare_rows(m);
	if (m->hung_ns != NSEC_NEVER)
		return;
	compare(m, "run", 0, "deadlock", m->naive.deadlock,
	    m->sim->state == SIM_DEADLOCK);
	if (m->naive.spins)
		return;
	compare(m, "run", 0, "elapsed", m->naive.elapsed, m->sim->now);
	compare(m, "run", 0, "engines", m->naive.n_engines,
	    m->sim->device.n_engines);
	for (unsigned i = 0; i < m->g.n_clients; i++)
		compare_client(m, i);
	for (unsigned i = 0; i < m->naive.n_engines; i++)
		compare_engine(m, i);
}
