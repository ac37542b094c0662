/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Live marks of lines: which clients are at each line, which requests of it are
 * in flight, and how many have ended. Requests in flight are a list that an
 * observer keeps; marks are counted from it once per frame.
 */
#include "run/live/marks.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/util.h"
#include "engine/client/origin.h"
#include "run/live/session.h"
#include "run/plan.h"

/* Remembers the last version: requests that end are often of one program. */
static const struct version *
inflight_version(struct inflight *f, const struct program *program)
{
	if (f->last != NULL && f->generation == f->versions->generation &&
	    f->last->program == program)
		return f->last;
	f->generation = f->versions->generation;
	f->last = versions_find(f->versions, program);
	return f->last;
}

static void
on_inflight_submitted(struct observer *o, struct request *rq)
{
	struct inflight *f = container_of(o, struct inflight, observer);

	f->list = mem_grow(f->list, f->n, &f->cap, sizeof(struct request *));
	rq->observer = f->n;
	f->list[f->n++] = rq;
}

/* False for a batch that was refused, or cancelled before it ran. */
static bool
has_run(const struct request *rq)
{
	return rq->error == 0 || rq->run_ns > 0;
}

static void
on_inflight_ended(struct observer *o, struct request *rq)
{
	struct inflight *f = container_of(o, struct inflight, observer);
	struct request *last = f->list[--f->n];
	const struct version *version = inflight_version(
	    f, request_program(rq));

	f->recent[f->n_ended++ % INFLIGHT_RECENT] = rq->seq;
	f->list[rq->observer] = last;
	last->observer = rq->observer;
	if (version != NULL && has_run(rq))
		version->of->done[version_identity(version, rq->origin.step)]++;
}

void
inflight_begin(struct inflight *f, const struct run *run)
{
	*f = (struct inflight){
	    .observer = {.submitted = on_inflight_submitted,
		.ended = on_inflight_ended},
	    .sim = run->sim,
	    .versions = &run->versions,
	};
	sim_add_observer(run->sim, &f->observer);
}

void
inflight_end(struct inflight *f)
{
	if (f->sim == NULL)
		return;
	sim_remove_observer(f->sim, &f->observer);
	free(f->list);
	*f = (struct inflight){0};
}

/* The marks of a line, which is added to the touched ones. */
static struct step_marks *
touch_marks(struct marks *m, uint32_t identity)
{
	struct step_marks *line = &m->lines[identity];

	if (line->at + line->blocked + line->ready + line->running > 0)
		return line;
	m->touched = mem_grow(
	    m->touched, m->n_touched, &m->cap_touched, sizeof(*m->touched));
	m->touched[m->n_touched++] = identity;
	return line;
}

static void
count_client(
    struct marks *m, const struct client *c, const struct version *version)
{
	struct step_marks *line;

	if (c->state == CLIENT_ENDED)
		return;
	m->n_clients++;
	m->n_older += !version_is_newest(version);
	if (client_op(c) == NULL)
		return;
	line = touch_marks(m, version_identity(version, c->walker->pc));
	line->at++;
	if (c->state == CLIENT_WAITING || c->state == CLIENT_RING_FULL)
		line->held++;
}

static void
count_request(
    struct marks *m, const struct request *rq, const struct version *version)
{
	uint32_t identity = version_identity(version, rq->origin.step);

	switch (rq->state) {
	case REQUEST_BLOCKED: touch_marks(m, identity)->blocked++; break;
	case REQUEST_READY: touch_marks(m, identity)->ready++; break;
	case REQUEST_RUNNING: touch_marks(m, identity)->running++; break;
	default: break;
	}
}

static void
clear_marks(struct marks *m, const struct versioned *of)
{
	size_t n = document_n_identities(of->doc) + 1u;

	for (size_t i = 0; i < m->n_touched; i++)
		m->lines[m->touched[i]] = (struct step_marks){0};
	m->n_touched = 0;
	m->n_clients = m->n_older = 0;
	m->of = of;
	if (n <= m->n_lines)
		return;
	free(m->lines); /* all are 0: nothing to copy */
	m->lines = mem_calloc(n, sizeof(*m->lines));
	m->n_lines = n;
}

/* The version of a program, if it is one of the document's; NULL: it is not.
 * last is the result of the call before. */
static const struct version *
version_of_document(const struct session *s, const struct versioned *of,
    const struct program *program, const struct version *last)
{
	if (last != NULL && last->program == program)
		return last;
	last = versions_find(&s->run.versions, program);
	return last != NULL && last->of == of ? last : NULL;
}

void
marks_update(struct marks *m, const struct session *s, size_t source)
{
	const struct versioned *of = versions_of(
	    &s->run.versions, s->plan->sources[source].doc);
	const struct version *version = NULL;
	const struct sim *sim = s->run.sim;

	if (of == NULL) {
		marks_free(m);
		return;
	}
	clear_marks(m, of);
	for (size_t i = 0; i < sim->n_clients; i++) {
		const struct client *c = sim->clients[i];

		version = version_of_document(
		    s, of, client_program(c), version);
		if (version != NULL)
			count_client(m, c, version);
	}
	for (size_t i = 0; i < s->inflight.n; i++) {
		const struct request *rq = s->inflight.list[i];

		version = version_of_document(
		    s, of, request_program(rq), version);
		if (version != NULL)
			count_request(m, rq, version);
	}
}

struct step_marks
marks_of_line(const struct marks *m, size_t line)
{
	struct step_marks marks = {0};
	uint32_t identity;

	if (m->of == NULL)
		return marks;
	identity = document_identity(
	    m->of->doc, document_line(m->of->doc, line));
	if (identity < m->n_lines)
		marks = m->lines[identity];
	if (identity < m->of->n_done)
		marks.done = m->of->done[identity];
	return marks;
}

void
marks_free(struct marks *m)
{
	free(m->lines);
	free(m->touched);
	*m = (struct marks){0};
}
