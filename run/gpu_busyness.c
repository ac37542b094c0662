/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The GPU of a run as a whole, with the other programs that use it: how busy its
 * engines are, and which clients there are (device/hardware/busyness.h). A run
 * counts them only if they are shown.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "device/hardware/busyness.h"
#include "device/hardware/hardware.h"
#include "run/plan.h"

void
run_count_busyness(const struct plan *plan, struct run *run)
{
	if (plan->gpu == NULL || run->busyness != NULL)
		return;
	run->busyness = mem_calloc(1, sizeof(*run->busyness));
	busyness_open(run->busyness, plan->gpu, &busyness_machine);
	busyness_look_whole(run->busyness, run->sim->now);
}

void
run_end_busyness(struct run *run)
{
	if (run->busyness == NULL)
		return;
	busyness_close(run->busyness);
	free(run->busyness);
	run->busyness = NULL;
}

bool
run_look_at_busyness(struct run *run)
{
	return run->busyness != NULL &&
	    busyness_look(run->busyness, run->sim->now);
}

void
run_add_other_users(const struct run *run, unsigned engine, nsec from, nsec to,
    struct text *out)
{
	if (run->busyness != NULL)
		foreign_add_users(&run->busyness->others,
		    run->sim->device.engines[engine].class, from, to, out);
}

bool
plan_gpu_has_clock(const struct plan *plan)
{
	return plan->gpu->clock.n_set > 0;
}
