/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The order of clients: the model lets the one with the lower number be first where
 * several submit at one instant, so that the one which mostly is first in the trace has
 * the lower number (doc/model/import.md "Ties").
 */
#include <stdlib.h>

#include "trace/import/import_private.h"

/* Clients that are put in order; those of larger traces keep their numbers. */
#define MAX_TIED 64

struct ties {
	uint32_t n_clients;
	/* By clients' numbers: instants at which the one was before the other. */
	uint32_t before[MAX_TIED][MAX_TIED];
	/* Clients of an instant, by their first submissions. */
	uint32_t tied[MAX_TIED], n_tied;
	nsec at;
	bool any;
};

/* Takes the next submission of the trace. */
static void
take_tied(struct ties *t, uint32_t client, nsec at)
{
	if (at != t->at)
		t->n_tied = 0;
	t->at = at;
	for (uint32_t i = 0; i < t->n_tied; i++)
		if (t->tied[i] == client)
			return;
	for (uint32_t i = 0; i < t->n_tied; i++)
		t->before[t->tied[i]][client]++;
	t->any |= t->n_tied > 0;
	t->tied[t->n_tied++] = client;
}

/* True if another one that is left mostly is before that client. */
static bool
is_beaten(const struct ties *t, const bool *taken, uint32_t client)
{
	for (uint32_t i = 0; i < t->n_clients; i++)
		if (!taken[i] && t->before[i][client] > t->before[client][i])
			return true;
	return false;
}

/* The first of the clients left that no other is before; the first one if all have
 * one. */
static uint32_t
next_client(const struct ties *t, const bool *taken)
{
	uint32_t first = t->n_clients;

	for (uint32_t i = 0; i < t->n_clients; i++) {
		if (taken[i])
			continue;
		if (!is_beaten(t, taken, i))
			return i;
		first = i < first ? i : first;
	}
	return first;
}

static void
number_anew(struct import *im, const struct ties *t)
{
	struct job_client *sorted[MAX_TIED];
	bool taken[MAX_TIED] = {false};

	for (uint32_t i = 0; i < t->n_clients; i++) {
		uint32_t next = next_client(t, taken);

		taken[next] = true;
		sorted[i] = im->clients[next];
		sorted[i]->index = i;
	}
	for (uint32_t i = 0; i < t->n_clients; i++)
		im->clients[i] = sorted[i];
}

void
ties_order_clients(struct import *im)
{
	struct ties *t;

	if ((!im->has_ns_times && !im->from_table) || im->n_clients > MAX_TIED)
		return;
	t = mem_calloc(1, sizeof(*t));
	t->n_clients = (uint32_t)im->n_clients;
	t->at = NSEC_NEVER;
	for (size_t i = 0; i < im->n_jobs; i++) {
		const struct job *job = im->jobs[i];

		if (!job->is_spare)
			take_tied(t, job->line->client->index, job->added_ns);
	}
	if (t->any)
		number_anew(im, t);
	free(t);
}
