/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up the trail's spans of a window by context, in a hash table of one
 * engine at a time. */
#include "run/live/users.h"

#include <string.h>

#include "engine/explain/trail.h"
#include "run/live/figures.h"

#define SLOTS 1024 /* a power of two, more than twice USERS_SPANS */

struct tally {
	struct engine_user users[USERS_SPANS];
	uint16_t slots[SLOTS]; /* index of a user, from 1; 0: free */
	unsigned n;
	double window; /* ns */
};

/* Returns the context's entry, a new one if it has none. */
static struct engine_user *
user_of(struct tally *t, const struct trail_request *r)
{
	uint32_t hash = r->client * 2654435761u + r->context * 40503u;
	uint32_t slot = (hash ^ hash >> 15) % SLOTS;

	for (; t->slots[slot] != 0; slot = (slot + 1) % SLOTS) {
		struct engine_user *u = &t->users[t->slots[slot] - 1];

		if (u->client == r->client && u->context == r->context)
			return u;
	}
	t->users[t->n] = (struct engine_user){
	    .client = r->client,
	    .context = r->context,
	    .priority = INT32_MIN,
	};
	t->slots[slot] = (uint16_t)++t->n;
	return &t->users[t->n - 1];
}

static void
tally_use(struct tally *t, const struct trail *trail,
    const struct trail_span *span, double ns)
{
	const struct trail_request *r = trail_request(trail, span->request);
	struct engine_user *u;

	if (r == NULL || ns <= 0)
		return;
	u = user_of(t, r);
	u->share += ns / t->window;
	u->request = span->request;
	if (r->priority < u->priority)
		return;
	u->raised = r->priority > r->submit_priority ||
	    (u->raised && r->priority == u->priority);
	u->priority = r->priority;
}

/* Returns for how much of [from, to) the span had the engine. */
static double
span_use(const struct trail_span *span, nsec from, nsec to)
{
	nsec begin = span->taken_ns + span->completion_ns;
	nsec end = nsec_earlier(span->end_ns, to);

	if (begin < from)
		begin = from;
	return end > begin ? (double)(end - begin) : 0;
}

static void
tally_spans(struct tally *t, const struct trail *trail, unsigned engine,
    nsec from, nsec to)
{
	struct trail_range spans = trail_spans(trail, engine, from, to);

	for (uint64_t id = spans.first; id < spans.end; id++) {
		const struct trail_span *s = trail_span(trail, engine, id);

		tally_use(t, trail, s, span_use(s, from, to));
	}
}

static void
tally_samples(struct tally *t, const struct trail *trail, unsigned engine,
    nsec from, nsec to)
{
	double part = (double)(to - from) / USERS_SAMPLES;

	for (int i = 0; i < USERS_SAMPLES; i++) {
		nsec at = from + (nsec)(part * (i + 0.5));
		uint64_t id = trail_span_at(trail, engine, at);

		if (id != 0)
			tally_use(
			    t, trail, trail_span(trail, engine, id), part);
	}
}

/* Moves those with the largest shares to the list, in their order. */
static void
choose_users(struct engine_users *e, struct tally *t)
{
	for (e->n = 0; e->n < USERS_NAMED && e->n < t->n; e->n++) {
		struct engine_user *most = &t->users[0];

		for (unsigned i = 1; i < t->n; i++)
			if (t->users[i].share > most->share)
				most = &t->users[i];
		e->list[e->n] = *most;
		most->share = -1;
	}
	e->n_more = t->n - e->n;
}

static void
find_users(struct engine_users *e, const struct trail *trail, unsigned engine,
    nsec from, nsec to)
{
	struct tally t = {.window = (double)(to - from)};
	struct trail_range spans = trail_spans(trail, engine, from, to);

	e->sampled = spans.end - spans.first > USERS_SPANS;
	if (e->sampled)
		tally_samples(&t, trail, engine, from, to);
	else
		tally_spans(&t, trail, engine, from, to);
	choose_users(e, &t);
}

void
users_watch_sample(struct users_watch *w, const struct load_history *h,
    const struct device *dev, const struct trail *trail)
{
	nsec from, to = load_history_window(h, &from);

	if (h->n == w->n && to == w->to)
		return;
	w->n = h->n;
	w->to = to;
	if (from < trail_since(trail))
		from = trail_since(trail);
	for (unsigned i = 0; i < dev->n_engines; i++) {
		w->engines[i] = (struct engine_users){0};
		if (from < to && hw_engine_had_work(&dev->engines[i]))
			find_users(&w->engines[i], trail, i, from, to);
	}
}
