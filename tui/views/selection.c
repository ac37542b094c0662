/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The selection, found again in the run at hand, and the set of tagged
 * contexts, an ascending array. */
#include "tui/views/selection.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/util.h"
#include "run/live/session.h"

void
select_context(struct selection *sel, const struct session *s, uint32_t client,
    uint32_t number)
{
	const struct client *c;

	if (client >= s->run.sim->n_clients)
		return;
	c = s->run.sim->clients[client];
	for (uint32_t i = 0; i < c->n_contexts; i++)
		if (c->contexts[i]->def->number == number) {
			sel->client = client;
			sel->foreign = 0;
			sel->context = i;
			sel->whole_client = false;
			sel->crowd = false;
			return;
		}
}

void
select_request(struct selection *sel, uint64_t request)
{
	sel->request = request;
	sel->picked++;
	sel->by_line = false;
	sel->miss = 0;
}

bool
selected_line(const struct selection *sel, const struct session *s,
    size_t *source, size_t *line)
{
	const struct trail_request *r = trail_request(s->trail, sel->request);

	return !sel->by_line && r != NULL &&
	    session_past_line(s, r, source, line);
}

bool
selects_line_of(
    const struct selection *sel, const struct session *s, uint64_t request)
{
	const struct trail_request *r = trail_request(s->trail, request);
	size_t source, line;

	return sel->by_line && r != NULL &&
	    session_past_line(s, r, &source, &line) && source == sel->source &&
	    line == sel->line;
}

bool
selects_request(
    const struct selection *sel, const struct session *s, uint64_t request)
{
	if (sel->by_line)
		return selects_line_of(sel, s, request);
	return request != 0 && request == sel->request;
}

/* True if the engine had a request of the selected line in the last window. */
static bool
engine_had_line(
    const struct selection *sel, const struct session *s, unsigned engine)
{
	nsec from, to = load_history_window(&s->history, &from);
	struct trail_range r = trail_spans(s->trail, engine, from, to);
	uint64_t i = r.end;

	for (int n = 0; n < SELECTION_SPANS && i > r.first; n++) {
		const struct trail_span *span = trail_span(
		    s->trail, engine, --i);

		if (span != NULL && selects_line_of(sel, s, span->request))
			return true;
	}
	return false;
}

engine_mask
selected_engines(const struct selection *sel, const struct session *s)
{
	const struct device *dev = &s->run.sim->device;
	const struct trail_request *r = trail_request(s->trail, sel->request);
	engine_mask mask = 0;

	if (!sel->by_line)
		return r != NULL && r->engine < dev->n_engines
		    ? dev->engines[r->engine].bit
		    : 0;
	for (unsigned i = 0; i < dev->n_engines; i++)
		if (engine_had_line(sel, s, i))
			mask |= dev->engines[i].bit;
	return mask;
}

const struct context *
selected_context(const struct selection *sel, const struct session *s)
{
	const struct client *c;

	if (sel->client >= s->run.sim->n_clients)
		return NULL;
	c = s->run.sim->clients[sel->client];
	return sel->context < c->n_contexts ? c->contexts[sel->context] : NULL;
}

static uint64_t
tag_of(uint32_t client, uint32_t context)
{
	return (uint64_t)client << 32 | context;
}

/* Returns the tag's index, or where it would be inserted. */
static size_t
find_tag(const struct tag_set *t, uint64_t tag)
{
	return lower_bound(i, 0, t->n, t->list[i] < tag);
}

size_t
tags_count(const struct tag_set *t)
{
	return t->n;
}

bool
tags_has(const struct tag_set *t, uint32_t client, uint32_t context)
{
	uint64_t tag = tag_of(client, context);
	size_t at = find_tag(t, tag);

	return at < t->n && t->list[at] == tag;
}

bool
tags_toggle(struct tag_set *t, uint32_t client, uint32_t context)
{
	uint64_t tag = tag_of(client, context);
	size_t at = find_tag(t, tag);

	if (at < t->n && t->list[at] == tag) {
		memmove(&t->list[at], &t->list[at + 1],
		    (--t->n - at) * sizeof(*t->list));
		return true;
	}
	if (t->n >= TAGS_MAX)
		return false;
	t->list = mem_grow(t->list, t->n, &t->cap, sizeof(*t->list));
	memmove(
	    &t->list[at + 1], &t->list[at], (t->n++ - at) * sizeof(*t->list));
	t->list[at] = tag;
	return true;
}

void
tags_clear(struct tag_set *t)
{
	t->n = 0;
}

void
tags_free(struct tag_set *t)
{
	free(t->list);
	*t = (struct tag_set){0};
}

void
tags_each(const struct tag_set *t, tag_fn *fn, void *arg)
{
	for (size_t i = 0; i < t->n; i++)
		if (!fn(arg, (uint32_t)(t->list[i] >> 32),
			(uint32_t)t->list[i]))
			return;
}
