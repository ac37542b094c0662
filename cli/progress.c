/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "engine/sim.h"
#include "run/options.h"

#define PATIENCE (500 * NSEC_PER_MSEC) /* before the line is worth it */
#define RENEWAL  (200 * NSEC_PER_MSEC)

void
progress_begin(
    struct progress *p, const struct options *o, const struct sim *sim)
{
	*p = (struct progress){
	    .wanted = o->verbose >= 0 && isatty(STDERR_FILENO),
	    .iterations = (double)o->repeat * sim->n_foreground,
	    .duration = o->duration,
	    .begun = clock_wall(),
	};
	p->last = p->begun + PATIENCE - RENEWAL;
}

/* How much is done, 0 to 1, by what ends first. */
static double
fraction(const struct progress *p, const struct sim *sim)
{
	double done = 0, n = 0;

	for (size_t i = 0; i < sim->n_clients; i++)
		if (!sim->clients[i]->background)
			n += (double)sim->clients[i]->completed;
	if (p->iterations > 0)
		done = n / p->iterations;
	if (p->duration != NSEC_NEVER &&
	    (double)sim->now / (double)p->duration > done)
		done = (double)sim->now / (double)p->duration;
	return done < 1 ? done : 1;
}

void
progress_until(struct progress *p, nsec end)
{
	p->iterations = 0;
	p->duration = end;
}

void
progress_update(struct progress *p, const struct sim *sim)
{
	nsec now;

	if (!p->wanted)
		return;
	now = clock_wall();
	if (now < p->last + RENEWAL)
		return;
	p->last = now;
	p->shown = true;
	fprintf(stderr,
	    "\r%3.0f %%  %.3f s simulated, %.2f million batches/s\033[K",
	    100 * fraction(p, sim), (double)sim->now / 1e9,
	    (double)sim->n_ended_requests * 1e3 / (double)(now - p->begun));
	fflush(stderr);
}

void
progress_erase(struct progress *p)
{
	if (!p->shown)
		return;
	fputs("\r\033[K", stderr);
	fflush(stderr);
	p->shown = false;
}
