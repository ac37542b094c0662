/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plans of a GPU: one that is here, or one whose run was recorded. The names that
 * it had are kept then, and a device of its words (engine/follow/follow_past.h).
 */
#include <stdlib.h>

#include "base/mem.h"
#include "device/hardware/hardware.h"
#include "engine/follow/follow_past.h"
#include "run/plan.h"

struct past_gpu {
	char *name;
	char *pci; /* NULL: it had none */
	struct follow_past *device;
};

bool
plan_is_of_gpu(const struct plan *plan)
{
	return plan->gpu != NULL || plan->past != NULL;
}

void
plan_open_past(struct plan *plan, const char *name, const char *pci)
{
	struct past_gpu *past = mem_calloc(1, sizeof *past);

	past->name = mem_strdup(name);
	past->pci = pci != NULL ? mem_strdup(pci) : NULL;
	past->device = follow_past_new();
	plan->past = past;
	plan->sched = &sched_follow;
}

void
plan_close_past(struct plan *plan)
{
	if (plan->past == NULL)
		return;
	free(plan->past->name);
	free(plan->past->pci);
	follow_past_free(plan->past->device);
	free(plan->past);
	plan->past = NULL;
}

struct follow_past *
plan_past(const struct plan *plan)
{
	return plan->past != NULL ? plan->past->device : NULL;
}

const char *
plan_gpu_name(const struct plan *plan)
{
	return plan->gpu != NULL ? plan->gpu->facts.name : plan->past->name;
}

const char *
plan_gpu_address(const struct plan *plan)
{
	if (plan->gpu == NULL)
		return plan->past->pci;
	return plan->gpu->node.is_pci ? plan->gpu->node.address : NULL;
}
