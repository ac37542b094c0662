/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The columns of the Requests view: how each prints a request in flight, or one
 * that has ended as the trail remembers it. request_columns[] has a row for each.
 */
#include "tui/views/requests.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "engine/client/origin.h"
#include "engine/explain/explain.h"
#include "engine/follow/follow.h"
#include "engine/gpu/pace.h"
#include "tui/views/uses.h"

/* Waiters are counted up to this. */
#define MAX_WAITERS 999

static void
print_number(struct text *out, uint64_t n)
{
	text_addf(out, "%" PRIu64, n);
}

static void
print_length(struct text *out, nsec ns)
{
	char buf[UNITS_LEN];

	text_adds(out, format_duration(buf, ns));
}

static int
measure_request(const void *table, int table_width)
{
	const struct requests *f = table;
	int digits = snprintf(NULL, 0, "%" PRIu64, f->n_submitted);

	(void)table_width;
	return digits + 1 > 5 ? digits + 1 : 5;
}

/* Steps of programs count their submissions, none of which is beyond the highest
 * REQ. */
static int
measure_step(const void *table, int table_width)
{
	const struct requests *f = table;

	return f->of_programs ? measure_request(table, table_width) : 5;
}

static void
print_seq(struct text *out, const void *row)
{
	print_number(out, ((const struct request_cell *)row)->seq);
}

static void
print_request_client(struct text *out, const void *row)
{
	const struct request_cell *cell = row;

	if (cell->rq != NULL)
		print_number(out, cell->rq->client->id);
	else if (cell->past != NULL)
		print_number(out, cell->past->client);
}

static void
print_request_context(struct text *out, const void *row)
{
	const struct request_cell *cell = row;

	if (cell->rq != NULL)
		print_number(out, cell->rq->context->def->number);
	else if (cell->past != NULL)
		print_number(out, cell->past->context);
}

static void
print_request_line(struct text *out, const void *row)
{
	const struct request_cell *cell = row;

	if (cell->rq != NULL && request_op(cell->rq) != NULL)
		print_number(out, request_op(cell->rq)->text_row);
	else if (cell->past != NULL && cell->past->place.line > 0)
		print_number(out, cell->past->place.line);
}

static void
print_request_step(struct text *out, const void *row)
{
	const struct request_cell *cell = row;

	if (cell->rq != NULL)
		print_number(out, cell->rq->origin.step);
	else if (cell->past != NULL)
		print_number(out, cell->past->place.step);
}

static const char *
text_of_request(const struct request_cell *cell, size_t *len)
{
	*len = 0;
	if (cell->rq != NULL)
		return session_step_text(cell->session, cell->rq, len);
	return cell->past != NULL
	    ? session_past_step_text(cell->session, cell->past, len)
	    : "";
}

/* Prints the step's text for filters. */
static void
print_request_text(struct text *out, const void *row)
{
	size_t len;
	const char *text = text_of_request(row, &len);

	text_add(out, text, len);
}

static void
draw_request_text(struct area *a, int y, int x, int width, const void *row)
{
	const struct request_cell *cell = row;
	size_t len;
	const char *text = text_of_request(cell, &len);

	if (width > 2)
		put_cut_skip(
		    a, y, x + 2, width - 2, cell->text_role, text, len, 0);
}

/* Prints the engine that has the request, or the first that may have it and a
 * '+' if there are more. */
static void
print_request_engine(
    const struct session *s, const struct request *rq, struct text *out)
{
	const struct hw_engine *engines = s->run.sim->device.engines;

	if (rq->engine != NULL)
		text_adds(out, rq->engine->name);
	else if (rq->allowed != 0)
		text_addf(out, "%s%s",
		    engines[__builtin_ctzll(rq->allowed)].name,
		    rq->allowed & (rq->allowed - 1) ? "+" : "");
}

static void
print_engine_column(struct text *out, const void *row)
{
	const struct request_cell *cell = row;
	const struct hw_engine *engines =
	    cell->session->run.sim->device.engines;

	if (cell->rq != NULL)
		print_request_engine(cell->session, cell->rq, out);
	else if (cell->past != NULL && cell->past->engine != TRAIL_NO_ENGINE)
		text_adds(out, engines[cell->past->engine].name);
}

/* Prints "ready 2/8", or "ready 1 of 8" where the queue has no order, as far as
 * it fits. */
static void
print_ready(const struct session *s, const struct request *rq, size_t room,
    struct text *out)
{
	struct queue_place p = {0, 0};

	if (room > strlen("ready"))
		p = place_in_queue(s, rq);
	if (p.place > 0)
		text_addf(out, "ready %u/%u", p.place, p.of);
	else if (p.of > 0)
		text_addf(out, "ready 1 of %u", p.of);
	if (out->len > room && p.place > 0) {
		text_clear(out);
		text_addf(out, "ready %u", p.place);
	}
	if (out->len == 0 || out->len > room) {
		text_clear(out);
		text_adds(out, "ready");
	}
}

/* STATE is wide enough for a place in a long queue where there is room. */
#define WIDE_STATE 110 /* columns of the table */

static int
measure_state(const void *table, int table_width)
{
	(void)table;
	return table_width >= WIDE_STATE ? 13 : 10;
}

/* Gives way to the list's place in a narrow table. */
static void
heading_state(
    struct text *out, const struct column *column, int width, const void *table)
{
	const struct requests *f = table;
	const struct columns *c = &f->columns;

	(void)width;
	if (c->widths[c->n - 1] > 0 || f->list.n <= f->list.height)
		text_adds(out, column->title);
}

static void
print_request_state(struct text *out, const void *row)
{
	const struct request_cell *cell = row;
	const struct request *rq = cell->rq;

	if (rq == NULL && cell->past == NULL)
		return;
	if (rq == NULL && cell->past->error != 0)
		text_adds(out, strerrorname_np(-cell->past->error));
	else if (rq == NULL)
		text_adds(out, "done");
	else if (follow_holds(rq))
		text_adds(out, "held");
	else if (rq->state == REQUEST_BLOCKED)
		text_adds(out, "blocked");
	else if (rq->state == REQUEST_READY)
		print_ready(cell->session, rq,
		    cell->state_cols > 0 ? (size_t)cell->state_cols - 1 : 0,
		    out);
	else
		text_adds(out,
		    request_polls(rq)                ? "sema wait"
			: rq->piece_ns != NSEC_NEVER ? "running"
						     : "switching");
}

/* The colours of uses: a request on an engine looks as the engine does. */
static enum role
role_request_state(const void *row)
{
	const struct request_cell *cell = row;

	if (cell->rq == NULL)
		return cell->past != NULL && cell->past->error != 0 ? ROLE_BAD
								    : ROLE_DIM;
	switch (cell->rq->state) {
	case REQUEST_BLOCKED: return ROLE_BLOCKED;
	case REQUEST_READY: return ROLE_WARN;
	default:
		return request_polls(cell->rq)         ? ROLE_POLLING
		    : cell->rq->piece_ns != NSEC_NEVER ? ROLE_GOOD
						       : ROLE_SWITCHING;
	}
}

static void
print_age(struct text *out, const void *row)
{
	const struct request_cell *cell = row;
	nsec now = cell->session->run.sim->now;

	/* A GPU's clock may be ahead of the record. */
	if (cell->rq != NULL)
		print_length(out,
		    nsec_later(now, cell->rq->submit_ns) - cell->rq->submit_ns);
	else if (cell->past != NULL)
		print_length(out, cell->past->end_ns - cell->past->submit_ns);
}

static nsec
ran_of(const struct sim *sim, const struct request *rq)
{
	return rq->run_ns +
	    (rq->piece_ns != NSEC_NEVER ? sim->now - rq->piece_ns : 0);
}

static void
print_ran(struct text *out, const void *row)
{
	const struct request_cell *cell = row;
	nsec ran;

	if (cell->rq == NULL) {
		if (cell->past != NULL)
			print_length(out, cell->past->run_ns);
		return;
	}
	ran = ran_of(cell->session->run.sim, cell->rq);
	if (ran > 0)
		print_length(out, ran);
}

/* Draws the share of the request's work that is done. */
static void
draw_progress(struct area *a, int y, int x, int width, const void *row)
{
	const struct request_cell *cell = row;
	const struct request *rq = cell->rq;
	nsec done = rq != NULL ? pace_done(rq, cell->session->run.sim->now) : 0;

	if (rq == NULL || (done == 0 && rq->state != REQUEST_RUNNING) ||
	    request_op(rq) == NULL) /* the length is not known */
		return;
	if (rq->infinite)
		put(a, y, x + 2, width - 2, ROLE_DIM, "no end");
	else if (rq->duration_ns > 0)
		put_uses(a, y, x + 1, width - 1,
		    (float[N_USES]){(float)done / (float)rq->duration_ns});
}

static unsigned
count_of_fence(const struct fence *f, unsigned max)
{
	unsigned n = 0;

	for (const struct waiter *w = fence_waiters(f); w != NULL && n < max;
	     w = w->next_of_fence)
		n++;
	return n;
}

static unsigned
count_waiters(const struct request *rq, unsigned max)
{
	unsigned n = count_of_fence(&rq->finished, max);

	n += count_of_fence(&rq->queued, max - n);
	return n + count_of_fence(&rq->scheduled, max - n);
}

static void
print_waiters(struct text *out, const void *row)
{
	const struct request_cell *cell = row;
	unsigned n = cell->rq != NULL ? count_waiters(cell->rq, MAX_WAITERS)
				      : 0;

	if (n > 0)
		print_number(out, n);
}

/* Names a request as "2/1:3 L7 on VCS1", without the client and the engine that
 * it shares with own. */
static void
add_blocker_name(
    const struct request *rq, const struct request *own, struct text *out)
{
	struct batch_name name = batch_name_of(rq);

	batch_name_short(&name, rq->client != own->client, out);
	if (rq->engine != NULL && rq->engine != own->engine)
		text_addf(out, " on %s", rq->engine->name);
}

/* True if a program submitted a request while its GPU is stopped: time is, too. */
static bool
is_of_stop(const struct session *s, const struct request *rq)
{
	return session_state(s) == SESSION_PAUSED &&
	    rq->submit_ns >= s->run.sim->now;
}

static void
print_blocker(
    const struct session *s, const struct request *rq, struct text *out)
{
	struct blocker blocker = blocked_on(s->run.sim, rq);
	struct step_place place;

	switch (blocker.kind) {
	case BLOCKED_NOT:
	case BLOCKED_ON_END: break;
	case BLOCKED_ON_START: text_adds(out, "start of "); break;
	case BLOCKED_ON_SOFTWARE_FENCE:
		if (blocker.step == NO_INDEX) {
			text_adds(out,
			    is_of_stop(s, rq) ? "the GPU, which is stopped"
					      : "a software fence");
			break;
		}
		place = batch_place(rq->client, blocker.step);
		text_adds(out, "fence of ");
		step_place_long(&place, NULL, out);
		break;
	case BLOCKED_ON_ENGINE: text_adds(out, "behind "); break;
	case BLOCKED_ON_SCHEDULER: text_adds(out, blocker.why); break;
	case BLOCKED_ON_RESET: text_adds(out, "engine reset"); break;
	case BLOCKED_ON_SEMAPHORE: text_adds(out, "end of "); break;
	case BLOCKED_ON_MEMORY: explain_poll(&rq->engine->poll, out); break;
	}
	if (blocker.by != NULL)
		add_blocker_name(blocker.by, rq, out);
}

static bool
row_is_of_program(const struct request_cell *cell)
{
	return cell->rq != NULL
	    ? request_op(cell->rq) == NULL
	    : cell->past != NULL && cell->past->place.outside;
}

/* Prints what a program's request contains, where it waits for nothing. */
static void
print_waits_for(struct text *out, const void *row)
{
	const struct request_cell *cell = row;
	size_t before = out->len;

	if (cell->rq != NULL)
		print_blocker(cell->session, cell->rq, out);
	if (out->len == before && !cell->text_shown && row_is_of_program(cell))
		print_request_text(out, row);
}

static void
heading_waits_for(
    struct text *out, const struct column *column, int width, const void *table)
{
	static const char both[] = "WAITS FOR, or contains";
	const struct requests *f = table;

	text_adds(out,
	    f->of_programs && (int)sizeof(both) < width ? both : column->title);
}

const struct column request_columns[] = {
    [COLUMN_REQUEST] = {"REQ", .measure = measure_request, .print = print_seq},
    {"CLIENT", 7, .print = print_request_client},
    {"CTX", 5, .print = print_request_context},
    {"LINE", 5, .from = 50, .print = print_request_line},
    {"STEP", .measure = measure_step, .print = print_request_step},
    [COLUMN_TEXT] = {NULL, 34, .importance = 2, .percent = 45,
	.flags = COL_FOUND, .alias = "text", .print = print_request_text,
	.draw = draw_request_text},
    [COLUMN_ENGINE] = {"ENGINE", 8, .gap = 1, .flags = COL_LEFT | COL_FOUND,
	.print = print_engine_column},
    [COLUMN_STATE] = {"STATE", .flags = COL_LEFT | COL_FOUND,
	.measure = measure_state, .heading = heading_state,
	.print = print_request_state, .role = role_request_state},
    {"AGE", 8, .from = 56, .print = print_age},
    {"RAN", 8, .from = 74, .print = print_ran},
    {NULL, 10, .from = 98, .draw = draw_progress},
    {"WAITERS", 9, .from = 112, .print = print_waiters},
    {"WAITS FOR", 14, .importance = 1, .percent = 100, .gap = 2,
	.flags = COL_LEFT | COL_FOUND, .alias = "waits",
	.heading = heading_waits_for, .print = print_waits_for},
};
const int n_request_columns = sizeof(request_columns) /
    sizeof(*request_columns);

void
request_print_searched(const struct session *s, uint64_t seq,
    const struct request *rq, struct text *out)
{
	size_t len;
	const char *what;

	text_addf(out, "%" PRIu64 " ", seq);
	if (rq == NULL)
		return;
	what = session_step_text(s, rq, &len);
	text_add(out, what, len);
	text_addc(out, ' ');
	print_request_engine(s, rq, out);
	text_addc(out, ' ');
	print_blocker(s, rq, out);
}
