/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The periods of a client in a trace: a slice for each iteration, an instant for
 * each that misses its period, and how late a request of one is.
 */
#include <string.h>

#include "base/mem.h"
#include "engine/sim.h"
#include "trace/trace_private.h"

/* Returns the period of an iteration of the program; 0: it has none. */
static nsec
iteration_period(const struct program *p)
{
	for (uint32_t i = 0; i < p->n_ops; i++)
		if (p->ops[i].kind == STEP_PERIOD)
			return p->ops[i].delay;
	return 0;
}

/* Forgets iterations whose requests have all ended. */
static void
drop_completed(struct client_rows *rows, const struct client *c)
{
	size_t gone = c->completed > rows->first
	    ? (size_t)(c->completed - rows->first)
	    : 0;

	if (gone > rows->n)
		gone = rows->n;
	if (gone == 0)
		return;
	memmove(rows->iterations, rows->iterations + gone,
	    (rows->n - gone) * sizeof(*rows->iterations));
	rows->first += gone;
	rows->n -= gone;
}

/* Notes when the client's iteration began. */
static struct iteration *
note_iteration(struct client_rows *rows, const struct walker *w)
{
	struct iteration *last;

	if (rows->n > 0 && rows->first + rows->n == w->iteration + 1) {
		last = &rows->iterations[rows->n - 1];
		last->started_ns = w->started_ns;
		return last;
	}
	if (rows->n > 0)
		drop_completed(rows, &w->client);
	if (rows->n == 0)
		rows->first = w->iteration;
	do {
		rows->iterations = mem_grow(rows->iterations, rows->n,
		    &rows->cap, sizeof(*rows->iterations));
		last = &rows->iterations[rows->n++];
		*last = (struct iteration){
		    w->started_ns, iteration_period(w->program)};
	} while (rows->first + rows->n <= w->iteration);
	return last;
}

void
trace_period_submitted(struct trace *t, const struct request *rq)
{
	const struct walker *w = rq->client->walker;

	if (w != NULL && rq->origin.iteration == w->iteration)
		note_iteration(trace_client(t, rq->client), w);
}

void
trace_period_missed(struct trace *t, const struct client *c, nsec due)
{
	nsec late = t->sim->now - due;
	struct trace_args args = {.n = 0};

	trace_client(t, c)->late_ns = late;
	trace_add_number(&args, "iteration", (int64_t)client_iteration(c));
	trace_add_number(&args, "late_ns", (int64_t)late);
	trace_put_instant(t, trace_client_row(t, c, ROW_MISSES),
	    "period missed", args.list, args.n);
}

/* Writes an iteration, from its start to now. */
static void
put_period(
    struct trace *t, const struct walker *w, uint64_t iteration, bool over)
{
	const struct client *c = &w->client;
	struct client_rows *rows = trace_client(t, c);
	nsec period = iteration_period(w->program);
	struct trace_args args = {.n = 0};
	struct trace_slice s = {
	    .start_ns = w->started_ns, .end_ns = t->sim->now};

	if (!over && period > 0 && t->sim->now > w->started_ns + period)
		rows->late_ns = t->sim->now - w->started_ns - period;
	text_clear(&t->text);
	text_adds(&t->text,
	    rows->late_ns > 0 ? "late period"
		: period > 0  ? "period"
			      : "iteration");
	if (!over)
		text_adds(&t->text, ", unfinished");
	trace_add_number(&args, "iteration", (int64_t)iteration);
	trace_add_nonzero(&args, "period_ns", (int64_t)period);
	trace_add_nonzero(&args, "late_ns", (int64_t)rows->late_ns);
	rows->late_ns = 0;
	if (s.start_ns >= s.end_ns)
		return;
	s.place = trace_client_row(t, c, ROW_PERIODS);
	s.name = text_str(&t->text);
	s.args = args.list;
	s.n_args = args.n;
	trace_put_slice(t, &s);
}

/* The client counts the iteration already. */
void
trace_period_over(struct trace *t, const struct client *c)
{
	drop_completed(trace_client(t, c), c);
	put_period(t, c->walker, c->walker->iteration - 1, true);
}

void
trace_end_periods(struct trace *t)
{
	for (size_t i = 0; i < t->sim->n_clients; i++) {
		const struct client *c = t->sim->clients[i];

		if (c->walker != NULL && c->state != CLIENT_ENDED &&
		    c->state != CLIENT_DRAINING)
			put_period(t, c->walker, c->walker->iteration, false);
	}
}

nsec
trace_late(const struct trace *t, const struct request *rq)
{
	const struct client_rows *rows = rq->client->id < t->n_clients
	    ? &t->clients[rq->client->id]
	    : NULL;
	const struct iteration *it;

	if (rows == NULL || rq->origin.iteration < rows->first ||
	    rq->origin.iteration - rows->first >= rows->n)
		return 0;
	it = &rows->iterations[rq->origin.iteration - rows->first];
	return it->period_ns > 0 && t->sim->now > it->started_ns + it->period_ns
	    ? t->sim->now - it->started_ns - it->period_ns
	    : 0;
}
