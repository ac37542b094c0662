/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows of contexts against time, below the engines where there is room: when the
 * requests of a context were blocked, ready, and on an engine. The work of a
 * frame is bounded: it looks at a limited number of requests and contexts.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/util.h"
#include "engine/client/client.h"
#include "tui/views/context_colours.h"
#include "tui/views/timeline.h"
#include "tui/views/uses.h"

#define NAME_COLS    TIMELINE_NAME_COLS
#define MAX_REQUESTS 4096 /* looked at, the last before the end of the axis */
#define MAX_CONTEXTS 256  /* with requests among them that are counted */

/* The last that a context does in a column is shown before the others. */
enum stay {
	STAY_BLOCKED, /* it is not ready */
	STAY_READY,   /* it waits for an engine */
	STAY_SWITCHING,
	STAY_POLLING,
	STAY_RUNNING,
	N_STAYS,
};

struct stay_cell {
	float shares[N_STAYS]; /* of the column; more than 1 for several
				  requests */
};

struct known_context {
	uint32_t client, context;
};

struct contexts_builder {
	const struct axis *axis;
	const struct trail *trail;
	nsec now;
	struct known_context known[MAX_CONTEXTS]; /* ascending */
	size_t n_known;
	size_t first, n_rows;    /* of the known ones: those with a row */
	struct stay_cell *cells; /* n_rows times axis->cols */
};

static uint64_t
known_order(struct known_context c)
{
	return (uint64_t)c.client << 32 | c.context;
}

static size_t
find_known(const struct contexts_builder *b, struct known_context c)
{
	return lower_bound(
	    i, 0, b->n_known, known_order(b->known[i]) < known_order(c));
}

static void
add_known(struct contexts_builder *b, struct known_context c)
{
	size_t at = find_known(b, c);

	if (b->n_known == MAX_CONTEXTS ||
	    (at < b->n_known && known_order(b->known[at]) == known_order(c)))
		return;
	memmove(&b->known[at + 1], &b->known[at],
	    (b->n_known++ - at) * sizeof(*b->known));
	b->known[at] = c;
}

/* Adds the part of [from, to) that a request spent so to the cells of a row. */
static void
add_stay(struct contexts_builder *b, struct stay_cell *row, enum stay stay,
    nsec from, nsec to)
{
	const struct axis *axis = b->axis;
	int first, last;

	to = nsec_earlier(to, b->now);
	if (to <= from || to <= axis->left)
		return;
	first = axis_column(axis, from);
	last = axis_column(axis, to - 1);
	for (int col = first > 0 ? first : 0; col <= last && col < axis->cols;
	     col++) {
		nsec begin = nsec_later(from, axis_time(axis, col));
		nsec end = nsec_earlier(to, axis_time(axis, col + 1));

		row[col].shares[stay] += (float)(end - begin) /
		    (float)axis->column;
	}
}

/* Adds the time from the beginning of a batch to the end of its span, in which it
 * ran, or polled memory. */
static void
add_batch_stays(struct contexts_builder *b, struct stay_cell *row,
    unsigned engine, nsec from, nsec to)
{
	nsec left = nsec_later(from, b->axis->left);
	struct trail_range polls = trail_polls(
	    b->trail, engine, left, nsec_earlier(to, axis_right(b->axis)));

	for (uint64_t id = polls.first; id < polls.end; id++) {
		const struct trail_poll *poll = trail_poll(
		    b->trail, engine, id);

		add_stay(b, row, STAY_RUNNING, from, poll->from_ns);
		add_stay(b, row, STAY_POLLING, poll->from_ns, poll->to_ns);
		from = poll->to_ns;
	}
	add_stay(b, row, STAY_RUNNING, from, to);
}

/* Adds the spans of a request from its last one on, and the times between them,
 * in which it was ready. */
static void
add_request_stays(struct contexts_builder *b, struct stay_cell *row,
    const struct trail_request *r)
{
	uint64_t id = r->last_span;
	unsigned engine = r->engine;
	nsec after = r->end_ns;

	for (;;) {
		const struct trail_span *s = trail_span(b->trail, engine, id);
		nsec begin, switched;

		if (s == NULL || s->request != r->id || after <= b->axis->left)
			break;
		begin = nsec_earlier(s->begin_ns, s->end_ns);
		switched = nsec_earlier(trail_switched(s), begin);
		add_stay(b, row, STAY_READY, s->end_ns, after);
		add_batch_stays(b, row, engine, begin, s->end_ns);
		add_stay(b, row, STAY_POLLING, switched, begin);
		add_stay(b, row, STAY_SWITCHING, s->taken_ns, switched);
		after = s->taken_ns;
		id = s->before;
		engine = s->before_engine;
	}
	if (id == 0)
		add_stay(b, row, STAY_READY, r->ready_ns, after);
	add_stay(b, row, STAY_BLOCKED, r->submit_ns,
	    nsec_earlier(r->ready_ns, r->end_ns));
}

typedef void each_request(
    struct contexts_builder *b, const struct trail_request *r);

/* Calls fn for the requests in flight at some time of the axis. */
static void
for_requests(struct contexts_builder *b, each_request *fn)
{
	nsec right = nsec_earlier(axis_right(b->axis), b->now);
	struct trail_range range = trail_requests(
	    b->trail, right, MAX_REQUESTS);

	for (uint64_t id = range.first; id < range.end; id++) {
		const struct trail_request *r = trail_request(b->trail, id);

		if (r != NULL && r->end_ns > b->axis->left)
			fn(b, r);
	}
}

static void
know_context(struct contexts_builder *b, const struct trail_request *r)
{
	add_known(b, (struct known_context){r->client, r->context});
}

static void
add_to_row(struct contexts_builder *b, const struct trail_request *r)
{
	struct known_context c = {r->client, r->context};
	size_t at = find_known(b, c);

	if (at < b->first || at >= b->first + b->n_rows ||
	    known_order(b->known[at]) != known_order(c))
		return;
	add_request_stays(
	    b, &b->cells[(at - b->first) * (size_t)b->axis->cols], r);
}

/* Chooses the rows: all, or those around the selected context. */
static void
choose_contexts(
    struct contexts_builder *b, const struct context *selected, size_t rows)
{
	size_t at = 0;

	if (selected != NULL)
		at = find_known(b,
		    (struct known_context){
			selected->client->id, selected->def->number});
	b->n_rows = b->n_known < rows ? b->n_known : rows;
	b->first = at > rows / 2 ? at - rows / 2 : 0;
	if (b->first + b->n_rows > b->n_known)
		b->first = b->n_known - b->n_rows;
}

struct stay_look {
	const char *name;
	enum role role;
	wchar_t glyph;
};

static struct stay_look
stay_look(enum stay stay, bool unicode)
{
	static const enum engine_use uses[N_STAYS] = {
	    [STAY_BLOCKED] = USE_BLOCKED,
	    [STAY_SWITCHING] = USE_SWITCHING,
	    [STAY_POLLING] = USE_POLLING,
	    [STAY_RUNNING] = USE_RUNNING,
	};

	if (stay == STAY_READY)
		return (struct stay_look){
		    "ready", ROLE_NORMAL, unicode ? L'─' : L'-'};
	return (struct stay_look){use_name(uses[stay]), use_role(uses[stay]),
	    use_glyph(uses[stay], unicode)};
}

/* Returns what to show of a column. A request that is on an engine is shown
 * before one that waits behind it, but not for a sliver of the column. */
static enum stay
main_stay(const struct stay_cell *c)
{
	for (int stay = STAY_RUNNING; stay > STAY_BLOCKED; stay--)
		if (c->shares[stay] >= 0.5F)
			return (enum stay)stay;
	if (c->shares[STAY_BLOCKED] >= 0.5F)
		return STAY_BLOCKED;
	for (int stay = STAY_RUNNING; stay > STAY_BLOCKED; stay--)
		if (c->shares[stay] > 0)
			return (enum stay)stay;
	return STAY_BLOCKED;
}

static void
draw_stay(
    struct area *a, int y, int x, const struct stay_cell *c, enum role context)
{
	enum stay stay = main_stay(c);
	struct stay_look look = stay_look(stay, a->screen->unicode);

	if (stay == STAY_RUNNING)
		put_block(a, y, x, context,
		    timeline_bar(a->screen, c->shares[stay], false));
	else if (c->shares[stay] > 0)
		put_block(a, y, x, look.role, look.glyph);
}

static void
draw_context_row(const struct view_env *env, const struct contexts_builder *b,
    size_t row, bool several, bool selected, struct area *a, int y)
{
	struct known_context c = b->known[b->first + row];
	enum role role = context_colour(env->colours, c.client, c.context);
	const struct stay_cell *cells = &b->cells[row * (size_t)b->axis->cols];

	if (several)
		putf(
		    a, y, 0, NAME_COLS - 1, role, "%u/%u", c.client, c.context);
	else
		putf(a, y, 0, NAME_COLS - 1, role, "ctx %u", c.context);
	if (selected)
		paint(a, y, 0, NAME_COLS - 1, ROLE_SELECTED);
	for (int col = 0; col < b->axis->cols; col++)
		draw_stay(a, y, NAME_COLS + col, &cells[col], role);
}

static void
draw_stay_legend(const struct contexts_builder *b, struct area *a, int y)
{
	int x = NAME_COLS;

	put(a, y, 0, a->r.w, ROLE_LABEL, "ctx");
	for (int stay = STAY_BLOCKED; stay < N_STAYS; stay++) {
		struct stay_look look = stay_look(
		    (enum stay)stay, a->screen->unicode);

		put_block(a, y, x, look.role, look.glyph);
		x += 2;
		x += put(a, y, x, a->r.w - x, ROLE_DIM, look.name) + 2;
	}
	if (b->n_rows < b->n_known)
		putf(a, y, x, a->r.w - x, ROLE_DIM, "%zu of %zu%s contexts",
		    b->n_rows, b->n_known,
		    b->n_known == MAX_CONTEXTS ? " or more" : "");
}

void
timeline_draw_contexts(struct timeline *v, const struct view_env *env,
    struct area *a, int y, int rows)
{
	const struct context *selected = selected_context(
	    env->selection, env->session);
	bool several = env->session->run.sim->n_clients > 1;
	struct contexts_builder b = {
	    .axis = &v->axis, .trail = trail_of(env), .now = now_of(env)};

	for_requests(&b, know_context);
	choose_contexts(&b, selected, (size_t)rows - 1);
	b.cells = mem_calloc(
	    b.n_rows * (size_t)v->axis.cols + 1, sizeof(*b.cells));
	for_requests(&b, add_to_row);
	draw_stay_legend(&b, a, y);
	for (size_t row = 0; row < b.n_rows; row++) {
		struct known_context c = b.known[b.first + row];

		draw_context_row(env, &b, row, several,
		    selected != NULL && selected->client->id == c.client &&
			selected->def->number == c.context,
		    a, y + 1 + (int)row);
	}
	free(b.cells);
}
