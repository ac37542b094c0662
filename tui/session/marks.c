/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See marks.h. */
#include "tui/session/marks.h"

#include <stdlib.h>
#include <string.h>

#include "parser/mem.h"

static void
count_client(struct marks *m, const struct client *c)
{
	if (c->state == CLIENT_ENDED || c->pc >= m->n_steps)
		return;
	m->steps[c->pc].at++;
	if (c->state == CLIENT_WAITING || c->state == CLIENT_RING_FULL)
		m->steps[c->pc].held++;
}

static void
count_request(struct marks *m, const struct request *rq)
{
	struct step_marks *step = &m->steps[rq->step];

	switch (rq->state) {
	case REQUEST_BLOCKED: step->blocked++; break;
	case REQUEST_READY: step->ready++; break;
	case REQUEST_RUNNING: step->running++; break;
	default: break;
	}
}

void
marks_update(struct marks *m, const struct session *s, size_t program)
{
	const struct program *p = s->run.programs[program];
	const struct sim *sim = s->run.sim;

	if (m->n_steps != p->n_ops || m->steps == NULL)
		m->steps = mem_realloc(
		    m->steps, p->n_ops + 1u, sizeof(*m->steps));
	m->n_steps = p->n_ops;
	memset(m->steps, 0, m->n_steps * sizeof(*m->steps));
	for (size_t i = 0; i < m->n_steps; i++)
		m->steps[i].done = s->flight.done[program][i];
	for (size_t i = 0; i < sim->n_clients; i++)
		if (sim->clients[i]->program == p)
			count_client(m, sim->clients[i]);
	for (size_t i = 0; i < s->flight.n; i++)
		if (s->flight.list[i]->image->program == p)
			count_request(m, s->flight.list[i]);
}

void
marks_free(struct marks *m)
{
	free(m->steps);
	*m = (struct marks){0};
}
