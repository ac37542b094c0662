/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The imported trace on the timeline: a row below each engine that shows who had it in
 * the trace, a row of marks where the run did something else, and what the trace has
 * under the cursor.
 */
#include "base/text.h"
#include "base/units.h"
#include "run/import/beside.h"
#include "tui/views/context_colours.h"
#include "tui/views/idle_engines.h"
#include "tui/views/timeline.h"

#define NAME_COLS TIMELINE_NAME_COLS

/* Share of a column that differs, from which it has a mark. */
#define DIFFERS 0.5F
/* Spans in a column that are looked at. */
#define MOST_LOOKED 8

/* An engine of the trace in one column. */
struct trace_cell {
	float share;
	const struct beside_request *request; /* that had most of it; NULL */
	uint32_t client; /* of it in the run; BESIDE_NOT_RUN */
	bool begins;     /* its span begins here */
};

static const struct beside_engine *
trace_of_engine(const struct view_env *env, unsigned engine)
{
	const struct hw_engine *e = &device_of(env)->engines[engine];
	const struct beside *trace = session_trace(env->session);

	return trace != NULL ? beside_of(trace, e->class, e->instance) : NULL;
}

engine_mask
timeline_idle_engines(const struct view_env *env)
{
	const struct device *dev = device_of(env);
	engine_mask idle = engines_idle(dev);

	for (unsigned i = 0; i < dev->n_engines; i++) {
		const struct beside_engine *e = trace_of_engine(env, i);

		if (e != NULL && e->n > 0)
			idle &= ~((engine_mask)1 << i);
	}
	return idle;
}

/* Returns how much of [from, to) a span has. */
static nsec
part_of_span(const struct beside_span *s, nsec from, nsec to)
{
	nsec begin = nsec_later(s->from_ns, from);
	nsec end = nsec_earlier(s->to_ns, to);

	return end > begin ? end - begin : 0;
}

static struct trace_cell
cell_of_trace(
    const struct beside *b, const struct beside_engine *e, nsec from, nsec to)
{
	size_t first = beside_find(e, from);
	struct trace_cell cell = {
	    .share = (float)(beside_used(e, to) - beside_used(e, from)) /
		(float)(to - from)};
	nsec most = 0;

	for (size_t i = first; i < e->n && i < first + MOST_LOOKED; i++) {
		const struct beside_span *s = &e->spans[i];
		nsec part = part_of_span(s, from, to);

		if (s->from_ns >= to)
			break;
		if (part <= most)
			continue;
		most = part;
		cell.request = &b->requests[s->request];
		cell.client = b->clients[cell.request->client].id;
		cell.begins = s->from_ns >= from;
	}
	return cell;
}

/* True if the run did something else in the column. */
static bool
does_differ(const struct view_env *env, const struct timeline_cell *run,
    const struct trace_cell *trace)
{
	const struct trail_request *r = trail_request(
	    trail_of(env), run->request);
	float by = run->shares[USE_RUNNING] - trace->share;

	if (by >= DIFFERS || by <= -DIFFERS)
		return true;
	return run->shares[USE_RUNNING] >= DIFFERS && trace->share >= DIFFERS &&
	    r != NULL && trace->request != NULL &&
	    (r->client != trace->client ||
		r->context != trace->request->context);
}

static void
draw_trace_cell(const struct view_env *env, struct area *a, int y, int x,
    const struct trace_cell *c, bool edge)
{
	enum role role = c->request != NULL && c->client != BESIDE_NOT_RUN
	    ? context_colour(env->colours, c->client, c->request->context)
	    : ROLE_DIM;

	if (c->share <= 0)
		return;
	if (edge)
		put_block(a, y, x, role, a->screen->unicode ? L'▐' : L'|');
	else
		put_block(
		    a, y, x, role, timeline_bar(a->screen, c->share, false));
}

void
timeline_draw_trace(struct timeline *v, const struct view_env *env,
    struct area *a, int y, unsigned engine, bool *differs)
{
	const struct beside *b = session_trace(env->session);
	const struct beside_engine *e = trace_of_engine(env, engine);
	nsec now = now_of(env);
	struct trace_cell before = {0};

	put(a, y, 0, NAME_COLS - 1, ROLE_DIM, " trace");
	for (int col = 0; e != NULL && col < v->axis.cols; col++) {
		nsec from = axis_time(&v->axis, col);
		nsec to = from + v->axis.column;
		struct trace_cell cell = cell_of_trace(b, e, from, to);
		bool full = cell.share >= 0.875F && before.share >= 0.875F;

		draw_trace_cell(env, a, y, NAME_COLS + col, &cell,
		    full && cell.begins && cell.request != before.request);
		/* Neither the column of now nor what the trail has lost. */
		if (to <= now && to <= b->end_ns && !v->cells[col].unknown &&
		    does_differ(env, &v->cells[col], &cell))
			differs[col] = true;
		before = cell;
	}
}

void
timeline_draw_differences(const struct timeline *v, const struct view_env *env,
    struct area *a, int y, const bool *differs)
{
	const struct beside *b = session_trace(env->session);

	put(a, y, 0, NAME_COLS - 1, ROLE_LABEL, "differ");
	for (int col = 0; col < v->axis.cols; col++)
		if (differs[col])
			put_char(a, y, NAME_COLS + col, ROLE_WARN,
			    a->screen->unicode ? L'≠' : L'!');
	if (axis_time(&v->axis, 0) >= b->end_ns) {
		char buf[UNITS_LEN];

		putf(a, y, NAME_COLS, v->axis.cols, ROLE_DIM,
		    "the trace ends at %s", format_time(buf, b->end_ns));
	}
}

/* Appends the request that has the engine in the trace. */
static void
add_trace_request(
    struct text *out, const struct beside *b, const struct beside_request *r)
{
	uint32_t client = b->clients[r->client].id;
	char submit[UNITS_LEN], start[UNITS_LEN], end[UNITS_LEN],
	    ran[UNITS_LEN];

	if (client != BESIDE_NOT_RUN)
		text_addf(out, "%u/%u ", client, r->context);
	else
		text_adds(out, "(of no client here) ");
	text_addf(out, "submitted at %s", format_time(submit, r->queued_ns));
	if (r->ready_ns != NSEC_NEVER && r->ready_ns >= r->queued_ns)
		text_addf(out, ", ready after %s",
		    format_duration(start, r->ready_ns - r->queued_ns));
	text_addf(out, ", ended after %s",
	    format_duration(end, r->end_ns - r->queued_ns));
	text_addf(out, ", ran %s", format_duration(ran, r->run_ns));
}

void
timeline_draw_trace_detail(
    const struct timeline *v, const struct view_env *env, struct area *a, int y)
{
	const struct beside *b = session_trace(env->session);
	const struct beside_engine *e = trace_of_engine(env, v->engine);
	size_t at = e != NULL ? beside_find(e, v->cursor) : 0;
	struct text t = {0};

	put(a, y, 0, NAME_COLS, ROLE_LABEL, "trace");
	if (v->cursor >= b->end_ns)
		text_adds(&t, "ended");
	else if (e == NULL || at == e->n || e->spans[at].from_ns > v->cursor)
		text_adds(&t, "idle");
	else
		add_trace_request(&t, b, &b->requests[e->spans[at].request]);
	put_cut(a, y, NAME_COLS, a->r.w - NAME_COLS, ROLE_NORMAL, text_str(&t));
	text_free(&t);
}
