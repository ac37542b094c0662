/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program is known by its process, and by the clients that there were when it
 * came: process numbers are used again.
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

struct service_run {
	struct service_run *next;
	long pid;
	struct run_program *programs;
	size_t n, cap;
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

void
runs_add_program(struct runs *runs, long pid_of_run, long pid)
{
	struct service_run *run = *run_of_pid(runs, pid_of_run);

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
runs_summary(const struct runs *runs, long pid, struct text *out)
{
	const struct service_run *run = runs->list;
	const struct sim *sim = runs->sim;

	while (run != NULL && run->pid != pid)
		run = run->next;
	if (run == NULL || run->n == 0)
		return;
	for (size_t i = run->programs[0].from; i < sim->n_clients; i++) {
		const struct client *c = sim->clients[i];
		uint64_t hangs = 0;

		if (c->walker != NULL || !run_has(run, c))
			continue;
		for (size_t h = 0; h < runs->n_hung; h++)
			hangs += runs->hung[h] == c->id;
		summary_add(sim, c, hangs, out);
	}
}
