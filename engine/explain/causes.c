/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tree of time by cause, and how intervals are added to it; the time of
 * clients. */
#include "engine/explain/causes.h"

#include <stdlib.h>

#include "base/mem.h"
#include "engine/sim.h"

/* Rows. */

/* Returns a number that no other row with the same parent has. */
static uint64_t
key_of(const struct cause *row)
{
	uint64_t who = (uint64_t)(row->client & 0xffffff) << 32 | row->context;

	switch ((enum cause_kind)row->kind) {
	case CAUSE_OWNER: return who;
	case CAUSE_ENGINES: return row->engines;
	case CAUSE_PART:
		/* Owners have none of these bits. */
		if (row->role == WHY_BLOCKED)
			return who | (uint64_t)(row->how + 1) << 56;
		return 1ull << 63 | (uint64_t)row->role << 24 |
		    (uint64_t)row->how << 16 | (uint64_t)row->engine << 8 |
		    row->reset;
	case CAUSE_NONE:
	case CAUSE_SUBJECT:
	case CAUSE_REST: break;
	}
	return 1ull << 62 | row->kind;
}

static struct cause *
new_cause(struct cause *parent, const struct cause *like)
{
	struct cause *row = mem_calloc(1, sizeof *row);

	*row = *like;
	row->ns = 0;
	row->first = NULL;
	row->next = parent->first;
	parent->first = row;
	return row;
}

struct cause *
causes_row(
    struct causes *c, struct cause *parent, const struct cause *like, nsec ns)
{
	uint64_t key = key_of(like);
	struct cause *row = (struct cause *)chains_find(
	    &c->rows, parent, key); /* its first member */

	if (row == NULL) {
		row = new_cause(parent, like);
		row->node.p = parent;
		row->node.n = key;
		chains_add(&c->rows, &row->node);
	}
	row->ns += ns;
	return row;
}

struct cause *
causes_subject(
    struct causes *c, uint32_t client, uint32_t context, uint8_t engine)
{
	struct cause like = {
	    .kind = CAUSE_SUBJECT,
	    .client = client,
	    .context = context,
	    .engine = engine,
	};
	struct cause **at = &c->root.first;
	struct cause *row = mem_calloc(1, sizeof *row);

	while (*at != NULL)
		at = &(*at)->next;
	*row = like;
	row->ns = c->to - c->from;
	return *at = row;
}

/* Sums and order. */

static nsec
sum_below(const struct cause *row)
{
	nsec sum = 0;

	for (const struct cause *r = row->first; r != NULL; r = r->next)
		sum += r->ns;
	return sum;
}

/* Rows that name what is not known come last. */
static bool
row_is_before(const struct cause *a, const struct cause *b)
{
	if ((a->kind == CAUSE_REST) != (b->kind == CAUSE_REST))
		return b->kind == CAUSE_REST;
	if (a->ns != b->ns)
		return a->ns > b->ns;
	return a->node.n < b->node.n;
}

static struct cause *
merge_causes(struct cause *a, struct cause *b)
{
	struct cause *first = NULL, **at = &first;

	while (a != NULL && b != NULL) {
		struct cause **least = row_is_before(a, b) ? &a : &b;

		*at = *least;
		at = &(*least)->next;
		*least = *at;
	}
	*at = a != NULL ? a : b;
	return first;
}

/* Sorts a list by merging its halves. */
static struct cause *
sort_causes(struct cause *list)
{
	struct cause *middle = list, *second;

	if (list == NULL || list->next == NULL)
		return list;
	for (struct cause *end = list->next; end != NULL && end->next != NULL;
	     end = end->next->next)
		middle = middle->next;
	second = middle->next;
	middle->next = NULL;
	return merge_causes(sort_causes(list), sort_causes(second));
}

void
causes_finish(struct causes *c, struct cause *subject)
{
	nsec sum = sum_below(subject);

	if (subject->first != NULL && sum < subject->ns)
		causes_row(c, subject, &(struct cause){.kind = CAUSE_REST},
		    subject->ns - sum);
	subject->first = sort_causes(subject->first);
	for (struct cause *r = subject->first; r != NULL; r = r->next)
		causes_finish(c, r);
}

/* Intervals. */

/* Adds the owners of the engine in the window below parent. */
static void
causes_who(
    struct causes *c, struct cause *parent, struct why_window w, uint8_t e)
{
	struct why *why = &c->why;
	size_t n = why->n_parts;

	why_find_engine(why, w, e);
	for (size_t i = n; i < why->n_parts; i++) {
		const struct why_part *p = &why->parts[i];
		const struct trail_request *r = trail_request(
		    why->trail, p->request);
		struct cause like = {
		    .kind = CAUSE_PART,
		    .role = (uint8_t)p->role,
		    .how = p->role == WHY_DEVICE ? p->how : 0,
		    .engine = e,
		    .reset = p->reset,
		};

		if (p->role == WHY_OTHER && r != NULL) {
			like.kind = CAUSE_OWNER;
			like.client = r->client;
			like.context = r->context;
		}
		causes_row(c, parent, &like, p->to - p->from);
	}
	why->n_parts = n;
}

static struct cause
like_part(const struct causes *c, const struct why_part *p)
{
	const struct trail_request *by = trail_request(c->why.trail, p->by);
	struct cause like = {
	    .kind = CAUSE_PART,
	    .role = (uint8_t)p->role,
	    .how = p->how,
	    .engine = p->engine,
	    .client = CAUSE_NOBODY,
	};

	if (p->role == WHY_BLOCKED && by != NULL) {
		like.client = by->client;
		like.context = by->context;
	}
	if (p->role == WHY_QUEUED || p->role == WHY_RUNS)
		like.how = 0;
	return like;
}

void
causes_leaf(struct causes *c, struct cause *parent, const struct why_part *path,
    unsigned n)
{
	const struct why_part *leaf = &path[n - 1];
	struct cause *row = parent;
	uint8_t engine = TRAIL_NO_ENGINE;

	for (unsigned i = 0; i < n; i++) {
		struct cause like = like_part(c, &path[i]);

		row = causes_row(c, row, &like, leaf->to - leaf->from);
	}
	if (leaf->role == WHY_QUEUED || leaf->role == WHY_OFF)
		engine = why_engine_awaited(&c->why, leaf);
	if (engine != TRAIL_NO_ENGINE)
		causes_who(
		    c, row, (struct why_window){leaf->from, leaf->to}, engine);
}

void
causes_tile(struct cause_tiles *tiles, uint64_t request, nsec from, nsec to)
{
	from = nsec_later(from, tiles->at);
	if (from >= to)
		return;
	tiles->list = mem_grow(
	    tiles->list, tiles->n, &tiles->cap, sizeof *tiles->list);
	if (from > tiles->at) {
		tiles->list[tiles->n++] = (struct cause_tile){
		    tiles->at, from, 0};
		tiles->list = mem_grow(
		    tiles->list, tiles->n, &tiles->cap, sizeof *tiles->list);
	}
	tiles->list[tiles->n++] = (struct cause_tile){from, to, request};
	tiles->at = to;
}

/* Clients. */

struct client_causes {
	struct causes *causes;
	struct cause *subject;
};

static void
add_client_leaf(void *data, const struct why_part *path, unsigned n)
{
	struct client_causes *a = data;

	causes_leaf(a->causes, a->subject, path, n);
}

void
causes_add_client(struct causes *c, uint32_t client)
{
	struct client_causes a = {
	    c, causes_subject(c, client, CAUSE_THREAD, TRAIL_NO_ENGINE)};

	why_walk_client(&c->why, client, (struct why_window){c->from, c->to},
	    add_client_leaf, &a);
	causes_finish(c, a.subject);
}

/* Life. */

bool
causes_begin(struct causes *c, const struct trail *t, const struct sim *sim,
    nsec from, nsec to)
{
	why_begin(&c->why, t, sim);
	c->from = nsec_later(from, trail_since(t));
	c->to = nsec_earlier(to, sim->now);
	return c->from < c->to;
}

static void
free_row(struct chain_node *node)
{
	free(node); /* the first member of a row */
}

void
causes_free(struct causes *c)
{
	chains_sweep(&c->rows, NULL, NULL, free_row);
	chains_free(&c->rows);
	while (c->root.first != NULL) {
		struct cause *row = c->root.first;

		c->root.first = row->next;
		free(row);
	}
	why_free(&c->why);
	*c = (struct causes){0};
}

void
causes_engine_owners(const struct trail *t, const struct sim *sim,
    uint8_t engine, nsec from, nsec to, struct text *out)
{
	struct causes c = {.from = from, .to = to};
	struct cause *turn = causes_subject(&c, CAUSE_NOBODY, 0, engine);

	why_begin(&c.why, t, sim);
	turn->role = WHY_QUEUED;
	causes_who(&c, turn, (struct why_window){from, to}, engine);
	causes_finish(&c, turn);
	causes_owners(&c, turn, out);
	causes_free(&c);
}
