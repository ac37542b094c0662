/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Moments: a snapshot of the simulation, and copies of what the session and its
 * observers have collected. A normal run takes one whenever its cost, which
 * grows with the memory of the run, is small beside that of the events since the
 * last one. Beyond HISTORY_BYTES those are dropped that leave the least to run
 * again, for its age.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "engine/follow/follow_past.h"
#include "run/live/history_private.h"

/* A page costs some 1/30 of the time of EVENTS_PER_PAGE events to copy. */
#define EVENTS_PER_PAGE 400
#define EVENTS_LEAST    50000
#define CLIENTS_NOTED   4096 /* whose iterations are noted */

/* Ended requests by line, and the newest program, of a document. */
struct document_then {
	struct versioned *of;
	uint64_t *done;
	size_t n_done;
	const struct program *newest; /* a reference; NULL: none */
};

/* All that the session shows of a run, beside the simulation. */
struct shown {
	struct load_history history;
	struct limits_watch limits;
	struct users_watch users;
	struct run_sums recent[2]; /* of changes */
	unsigned n_recent;
	uint64_t n_changes; /* noted, with forgotten ones */
	uint64_t n_swaps, since_hangs;
	struct ban_notice bans;
	struct hang_record hangs[HANGS_KEPT];
	uint64_t last_hang;
	struct inflight inflight; /* with a list of its own */
	struct document_then *documents;
	size_t n_documents;
};

/* Takes. */

static void
copy_hangs(struct hang_record *to, const struct hang_record *from)
{
	for (unsigned i = 0; i < HANGS_KEPT; i++) {
		struct text text = to[i].text;

		text_clear(&text);
		text_adds(&text, text_str(&from[i].text));
		to[i] = from[i];
		to[i].text = text;
	}
}

static void
copy_moment_list(struct inflight *to, const struct inflight *from)
{
	to->cap = to->n = from->n;
	to->list = mem_realloc(to->list, to->n + 1, sizeof(*to->list));
	if (to->n > 0)
		memcpy(to->list, from->list, to->n * sizeof(*to->list));
	to->n_ended = from->n_ended;
	memcpy(to->recent, from->recent, sizeof(to->recent));
}

static struct document_then
take_document_then(struct versioned *of)
{
	struct document_then d = {
	    .of = of,
	    .done = mem_calloc(of->n_done + 1, sizeof(*d.done)),
	    .n_done = of->n_done,
	    .newest = of->newest != NULL ? program_ref(of->newest->program)
					 : NULL,
	};

	memcpy(d.done, of->done, of->n_done * sizeof(*d.done));
	return d;
}

static struct shown *
take_shown(const struct session *s)
{
	struct shown *w = mem_calloc(1, sizeof *w);

	w->history = s->history;
	w->limits = s->limits;
	w->users = s->users;
	memcpy(w->recent, s->changes.recent, sizeof(w->recent));
	w->n_recent = s->changes.n_recent;
	w->n_changes = s->changes.n_forgotten + s->changes.n;
	w->n_swaps = s->n_swaps;
	w->since_hangs = s->since_hangs;
	w->bans = s->bans;
	copy_hangs(w->hangs, s->hangs.list);
	w->last_hang = s->hangs.last;
	copy_moment_list(&w->inflight, &s->inflight);
	w->n_documents = s->run.versions.n_docs;
	w->documents = mem_calloc(w->n_documents + 1, sizeof(*w->documents));
	for (size_t i = 0; i < w->n_documents; i++)
		w->documents[i] = take_document_then(s->run.versions.docs[i]);
	return w;
}

static void
free_shown(struct shown *w)
{
	for (size_t i = 0; i < w->n_documents; i++) {
		free(w->documents[i].done);
		if (w->documents[i].newest != NULL)
			program_unref(w->documents[i].newest);
	}
	free(w->documents);
	for (unsigned i = 0; i < HANGS_KEPT; i++)
		text_free(&w->hangs[i].text);
	free(w->inflight.list);
	free(w);
}

static size_t
size_of_shown(const struct shown *w)
{
	size_t size = sizeof(*w) + w->inflight.n * sizeof(*w->inflight.list);

	for (size_t i = 0; i < w->n_documents; i++)
		size += w->documents[i].n_done * sizeof(uint64_t);
	return size;
}

static void
note_iterations(struct moment *m, const struct sim *sim)
{
	m->n_clients = sim->n_clients < CLIENTS_NOTED ? sim->n_clients
						      : CLIENTS_NOTED;
	m->iterations = mem_calloc(m->n_clients + 1, sizeof(*m->iterations));
	for (size_t i = 0; i < m->n_clients; i++)
		if (sim->clients[i]->walker != NULL)
			m->iterations[i] = sim->clients[i]->walker->iteration;
}

uint64_t
moment_iteration(const struct moment *m, uint32_t client)
{
	return client < m->n_clients ? m->iterations[client] : 0;
}

struct moment *
moment_take(struct session *s)
{
	struct history *h = s->past;
	struct moment *m = mem_calloc(1, sizeof *m);

	m->refs = 1;
	m->place = place_now(s);
	m->n_events = s->run.sim->n_events;
	m->n_missed = s->run.sim->n_missed;
	m->n_hangs = s->run.sim->n_hangs;
	m->n = h->next;
	m->last = m->n > 0 ? input_ref(h->line.inputs[m->n - 1]) : NULL;
	note_iterations(m, s->run.sim);
	m->snapshot = snapshot_take(s->run.sim);
	m->answers = follow_past_given(plan_past(s->plan));
	m->layer = layer_watch_numbers(&s->layer);
	m->shown = take_shown(s);
	m->size = snapshot_size(m->snapshot) + size_of_shown(m->shown);
	return m;
}

void
moment_free(struct moment *m)
{
	if (m == NULL || --m->refs > 0)
		return;
	free(m->iterations);
	input_unref(m->last);
	snapshot_free(m->snapshot);
	free_shown(m->shown);
	free(m);
}

/* Puts back. */

static void
restore_document(const struct session *s, const struct document_then *d,
    struct versioned *of)
{
	size_t n = d != NULL ? d->n_done : 0;

	of->newest = NULL;
	if (d != NULL && d->newest != NULL)
		of->newest = versions_find(&s->run.versions, d->newest);
	if (n > 0)
		memcpy(of->done, d->done, n * sizeof(*of->done));
	memset(of->done + n, 0, (of->n_done - n) * sizeof(*of->done));
}

/* Documents are never removed from the versions, and keep their order. */
static void
restore_documents(struct session *s, const struct shown *w)
{
	struct versions *v = &s->run.versions;

	for (size_t i = 0; i < v->n_docs; i++)
		restore_document(s,
		    i < w->n_documents ? &w->documents[i] : NULL, v->docs[i]);
	v->generation++;
}

void
moment_restore_run(struct session *s, const struct moment *m)
{
	const struct shown *w = m->shown;

	snapshot_restore(s->run.sim, m->snapshot);
	follow_past_go_back(plan_past(s->plan), m->answers);
	s->history = w->history;
	s->limits = w->limits;
	s->users = w->users;
	s->n_swaps = w->n_swaps;
	s->since_hangs = w->since_hangs;
	restore_documents(s, w);
	s->generation++;
	s->n_jumps++;
	s->past->next = m->n;
	history_restore_since(s, m->n);
}

void
moment_restore_news(
    struct session *s, const struct moment *m, const struct changes *from)
{
	const struct shown *w = m->shown;

	copy_moment_list(&s->inflight, &w->inflight);
	s->inflight.last = NULL;
	s->bans.n = s->bans.n_reported = w->bans.n;
	s->bans.name = w->bans.name;
	s->bans.time = w->bans.time;
	copy_hangs(s->hangs.list, w->hangs);
	s->hangs.last = w->last_hang;
	changes_free(&s->changes);
	changes_copy(&s->changes, from, w->n_changes);
	memcpy(s->changes.recent, w->recent, sizeof(w->recent));
	s->changes.n_recent = w->n_recent;
}

/* Keeping. */

bool
moment_is_valid(const struct session *s, const struct moment *m)
{
	const struct run_line *t = &s->past->line;

	return m->n <= t->n && (m->n == 0 || t->inputs[m->n - 1] == m->last) &&
	    (m->n == t->n ||
		!place_is_before(t->inputs[m->n]->place, m->place)) &&
	    !place_is_before(history_end_place(s), m->place);
}

/* The cost of dropping moment i: the events between its neighbours, which count
 * more for young moments: three times as much as for the oldest. */
static double
cost_of_dropping(const struct history *h, size_t i)
{
	const struct moment *last = h->moments[h->n_moments - 1];
	uint64_t next = h->moments[i + 1]->n_events;
	uint64_t before = h->moments[i - 1]->n_events;
	double all = (double)last->n_events + 1;
	double age = ((double)all - (double)h->moments[i]->n_events) / all;

	return (double)(next - before) / (1 + 2 * age);
}

static void
drop_moment(struct history *h, size_t i)
{
	h->bytes -= h->moments[i]->size;
	moment_free(h->moments[i]);
	memmove(h->moments + i, h->moments + i + 1,
	    (--h->n_moments - i) * sizeof(*h->moments));
}

/* Returns the bytes of all moments, those of the present and of ends of branches
 * too. */
static size_t
bytes_of_history(const struct history *h)
{
	return h->bytes + history_branch_bytes(h) +
	    (h->past && h->present.end != NULL ? h->present.end->size : 0);
}

/* The first one and the last one stay. */
void
history_thin_moments(struct history *h)
{
	while (bytes_of_history(h) > HISTORY_BYTES && h->n_moments > 2) {
		size_t least = 1;

		for (size_t i = 2; i + 1 < h->n_moments; i++)
			if (cost_of_dropping(h, i) < cost_of_dropping(h, least))
				least = i;
		drop_moment(h, least);
	}
}

void
history_add_moment(struct history *h, struct moment *m)
{
	size_t i = h->n_moments;

	h->moments = mem_grow(
	    h->moments, h->n_moments, &h->cap_moments, sizeof(*h->moments));
	for (; i > 0 && h->moments[i - 1]->n_events > m->n_events; i--)
		h->moments[i] = h->moments[i - 1];
	h->moments[i] = m;
	h->n_moments++;
	h->bytes += m->size;
	history_thin_moments(h);
}

void
history_drop_moments(struct history *h)
{
	while (h->n_moments > 0)
		drop_moment(h, h->n_moments - 1);
	free(h->moments);
	h->moments = NULL;
	h->cap_moments = 0;
}

void
history_plan_moment(struct session *s, const struct moment *last)
{
	size_t pages = last != NULL ? snapshot_pages(last->snapshot) : 0;

	s->past->due = s->run.sim->n_events + EVENTS_LEAST +
	    (uint64_t)pages * EVENTS_PER_PAGE;
}

/* In the past many are there already. */
static bool
has_one_near(const struct session *s)
{
	const struct history *h = s->past;
	uint64_t now = s->run.sim->n_events;

	for (size_t i = 0; h->past && i < h->n_moments; i++) {
		const struct moment *m = h->moments[i];
		uint64_t far = m->n_events > now ? m->n_events - now
						 : now - m->n_events;

		if (far < EVENTS_LEAST / 2 && moment_is_valid(s, m))
			return true;
	}
	return false;
}

void
history_take_due(struct session *s)
{
	struct history *h = s->past;
	struct moment *m;

	if (s->run.sim->n_events < h->due || s->run.sim->state == SIM_STOPPED)
		return;
	if (has_one_near(s)) {
		history_plan_moment(s, NULL);
		return;
	}
	m = moment_take(s);
	history_plan_moment(s, m);
	history_add_moment(h, m);
}
