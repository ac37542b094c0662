/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/client/give_up.h"

#include "engine/backend.h"
#include "engine/client/client_step.h"
#include "engine/client/cpu.h"
#include "engine/sim.h"

void
give_up(struct client *c)
{
	c->gives_up = true;
	cpu_interrupt(c);
}

static void
stop_waiting(struct client *c)
{
	for (struct waiter *w = c->waits; w != NULL; w = w->next_of_owner) {
		if (w->fence != NULL)
			fence_remove_waiter(w);
	}
	c->n_waits = 0;
	waiter_release_all(&c->sim->waiters, &c->waits);
	for (uint32_t i = 0; i < c->n_rings; i++)
		c->rings[i]->drain = false;
}

/* Those that the rest of the iteration was to end. */
static void
terminate(struct client *c)
{
	/* Steps before this one have been submitted in this iteration. */
	uint32_t first = c->pc + (c->phase >= BATCH_QUEUE);

	for (uint32_t i = c->pc; i < c->program->n_ops; i++) {
		const struct op *op = &c->program->ops[i];

		if (op->kind == STEP_TERMINATE && op->target < first)
			c->sim->backend->terminate(c->sim, c, op->target);
	}
}

void
give_up_iteration(struct client *c)
{
	c->gives_up = false;
	stop_waiting(c);
	image_close_fences(c->image, c->sim->now);
	terminate(c);
	c->sim->backend->settle(c->sim);
}
