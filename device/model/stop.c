/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A GPU that is stopped (doc/model/virtual.md "Stops"): requests that programs
 * submit meanwhile wait for a gate, a software fence, and software fences that
 * they signal are signalled when it goes on.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "device/model/model.h"
#include "engine/invariants/invariants.h"

void
model_stop(struct model *m)
{
	if (m->gate == NULL)
		m->gate = backend_fence_new(m->sim);
}

static void
open_gate(struct model *m)
{
	struct fence *gate = m->gate;

	m->gate = NULL;
	m->gated = false;
	backend_fence_signal(m->sim, gate, 0);
	backend_fence_free(m->sim, gate);
}

bool
model_is_awaited(const struct model *m)
{
	return m->gated || m->n_held > 0;
}

void
model_go_on(struct model *m)
{
	if (m->gate == NULL)
		return;
	invariants_kept(m->sim, m->n_restored);
	open_gate(m);
	for (size_t i = 0; i < m->n_held; i++)
		model_fence_signal(&m->gpu, m->held[i].fence, m->held[i].error);
	m->n_held = 0;
}

bool
model_hold_signal(struct model *m, uint64_t fence, int error)
{
	if (m->gate == NULL)
		return false;
	m->held = mem_grow(m->held, m->n_held, &m->cap_held, sizeof *m->held);
	m->held[m->n_held++] = (struct model_signal){fence, error};
	return true;
}

void
model_stop_free(struct model *m)
{
	m->gate = NULL; /* freed with the simulation */
	free(m->held);
}
