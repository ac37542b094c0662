/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program is known by its process, and by the clients that there were when it
 * came: process numbers are used again. The batches of its clients are noted
 * whenever a program comes, before the simulation makes sums of old clients
 * (engine/client/past.h).
 */
#include "device/service/runs.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/util.h"
#include "device/service/summary.h"
#include "engine/hang/hang.h"
#include "engine/sim.h"

/* A program: client from or a later one, of that process. */
struct run_program {
	long pid;
	size_t from;
};

/* A client of a program. */
struct run_client {
	uint32_t id;
	uint64_t batches; /* when it was noted last */
};

struct service_run {
	struct service_run *next;
	long pid;
	struct run_program *programs;
	size_t n, cap;
	struct run_client *clients; /* that the simulation still has */
	size_t n_clients, cap_clients;
	size_t seen; /* clients with less ids were looked at */
	/* Sums of clients that it does not have any more. */
	struct summary_others sums;
};

static void
note_hung_client(struct observer *o, const struct hang *hang)
{
	struct runs *runs = container_of(o, struct runs, observer);

	if (!hang->guilty)
		return;
	runs->hung = mem_grow(
	    runs->hung, runs->n_hung, &runs->cap_hung, sizeof(*runs->hung));
	runs->hung[runs->n_hung++] = hang->rq->client->id;
}

void
runs_begin(struct runs *runs, struct sim *sim)
{
	runs->sim = sim;
	runs->observer.hung = note_hung_client;
	sim_add_observer(sim, &runs->observer);
}

static struct service_run **
run_of_pid(struct runs *runs, long pid)
{
	struct service_run **at = &runs->list;

	while (*at != NULL && (*at)->pid != pid)
		at = &(*at)->next;
	return at;
}

void
runs_join(struct runs *runs, long pid)
{
	struct service_run *run = mem_calloc(1, sizeof(*run));

	run->pid = pid;
	run->seen = runs->sim->n_clients;
	run->next = runs->list;
	runs->list = run;
}

void
runs_leave(struct runs *runs, long pid)
{
	struct service_run **at = run_of_pid(runs, pid), *run = *at;

	if (run == NULL)
		return;
	*at = run->next;
	free(run->programs);
	free(run->clients);
	free(run);
}

void
runs_end(struct runs *runs)
{
	while (runs->list != NULL)
		runs_leave(runs, runs->list->pid);
	if (runs->sim != NULL)
		sim_remove_observer(runs->sim, &runs->observer);
	free(runs->hung);
	*runs = (struct runs){0};
}

/* True if client c is a program of the run. */
static bool
run_has(const struct service_run *run, const struct client *c)
{
	for (size_t i = 0; i < run->n; i++)
		if (run->programs[i].pid == c->pid &&
		    run->programs[i].from <= c->id)
			return true;
	return false;
}

/* Adds the clients of its programs that have come since the last look. */
static void
find_new_clients(const struct runs *runs, struct service_run *run)
{
	const struct sim *sim = runs->sim;

	for (; run->seen < sim->n_clients; run->seen++) {
		const struct client *c = sim->clients[run->seen];

		if (c->walker != NULL || !run_has(run, c))
			continue;
		run->clients = mem_grow(run->clients, run->n_clients,
		    &run->cap_clients, sizeof(*run->clients));
		run->clients[run->n_clients++] = (struct run_client){
		    .id = c->id};
	}
}

/* Notes the batches of its clients, and adds those that became sums to its
 * own. */
static void
note_clients(const struct runs *runs, struct service_run *run)
{
	const struct sim *sim = runs->sim;
	size_t kept = 0;

	find_new_clients(runs, run);
	for (size_t i = 0; i < run->n_clients; i++) {
		struct run_client *rc = &run->clients[i];

		/* The place of one that became part of the sums has another id. */
		if (sim->clients[rc->id]->id == rc->id) {
			rc->batches = sim->clients[rc->id]->batches;
			run->clients[kept++] = *rc;
		} else if (rc->batches > 0) {
			run->sums.programs++;
			run->sums.batches += rc->batches;
		}
	}
	run->n_clients = kept;
}

void
runs_add_program(struct runs *runs, long pid_of_run, long pid)
{
	struct service_run *run = *run_of_pid(runs, pid_of_run);

	for (struct service_run *r = runs->list; r != NULL; r = r->next)
		note_clients(runs, r);
	if (run == NULL)
		return;
	for (size_t i = 0; i < run->n; i++)
		if (run->programs[i].pid == pid)
			return;
	run->programs = mem_grow(
	    run->programs, run->n, &run->cap, sizeof(*run->programs));
	run->programs[run->n++] = (struct run_program){
	    pid, runs->sim->n_clients};
}

void
runs_summary(struct runs *runs, long pid, struct text *out)
{
	struct service_run *run = *run_of_pid(runs, pid);
	const struct sim *sim = runs->sim;

	if (run == NULL)
		return;
	note_clients(runs, run);
	summary_add_others(&run->sums, out);
	for (size_t i = 0; i < run->n_clients; i++) {
		const struct client *c = sim->clients[run->clients[i].id];
		uint64_t hangs = 0;

		for (size_t h = 0; h < runs->n_hung; h++)
			hangs += runs->hung[h] == c->id;
		summary_add(sim, c, hangs, out);
	}
}
