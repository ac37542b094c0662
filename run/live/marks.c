/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See marks.h. */
#include "run/live/marks.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* The marks of a line, noted as touched. */
static struct step_marks *
touch(struct marks *m, uint32_t identity)
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
	if (c->pc >= c->program->n_ops)
		return;
	line = touch(m, version_identity(version, c->pc));
	line->at++;
	if (c->state == CLIENT_WAITING || c->state == CLIENT_RING_FULL)
		line->held++;
}

static void
count_request(
    struct marks *m, const struct request *rq, const struct version *version)
{
	uint32_t identity = version_identity(version, rq->step);

	switch (rq->state) {
	case REQUEST_BLOCKED: touch(m, identity)->blocked++; break;
	case REQUEST_READY: touch(m, identity)->ready++; break;
	case REQUEST_RUNNING: touch(m, identity)->running++; break;
	default: break;
	}
}

static void
begin(struct marks *m, const struct versioned *of)
{
	size_t n = document_n_identities(of->doc) + 1u;

	for (size_t i = 0; i < m->n_touched; i++)
		m->lines[m->touched[i]] = (struct step_marks){0};
	m->n_touched = 0;
	m->n_clients = m->n_older = 0;
	m->of = of;
	if (n <= m->n_lines)
		return;
	free(m->lines); /* all are 0 */
	m->lines = mem_calloc(n, sizeof(*m->lines));
	m->n_lines = n;
}

/* The version that program is, if it is one of the document's. */
static const struct version *
version_of(const struct session *s, const struct versioned *of,
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
	begin(m, of);
	for (size_t i = 0; i < sim->n_clients; i++) {
		const struct client *c = sim->clients[i];

		version = version_of(s, of, c->program, version);
		if (version != NULL)
			count_client(m, c, version);
	}
	for (size_t i = 0; i < s->flight.n; i++) {
		const struct request *rq = s->flight.list[i];

		version = version_of(s, of, rq->instance->program, version);
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
