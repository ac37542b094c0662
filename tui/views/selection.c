/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See selection.h. */
#include "tui/views/selection.h"

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
			sel->context = i;
			sel->whole_client = false;
			return;
		}
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
