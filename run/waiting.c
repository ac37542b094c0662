/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See waiting.h. */
#include "run/waiting.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/text.h"
#include "run/plan.h"
#include "run/source.h"

/* Keeps its program for the launch. */
static bool
can_run(const struct plan *plan, struct source *s)
{
	struct text ignored = {0};
	bool can = plan_prepare(plan, s, &ignored);

	text_free(&ignored);
	return can;
}

bool *
waiting_update(struct plan *plan)
{
	bool *was = mem_calloc(plan->n_sources + 1, sizeof(*was));

	for (size_t i = 0; i < plan->n_sources; i++) {
		struct source *s = &plan->sources[i];

		was[i] = s->waiting;
		if (s->is_again)
			s->waiting = plan->sources[s->of].waiting;
		else
			s->waiting = !plan_has_steps(plan, s) ||
			    (s->waiting && !can_run(plan, s));
	}
	return was;
}

void
waiting_take_back(struct plan *plan, bool *was)
{
	for (size_t i = 0; i < plan->n_sources; i++)
		plan->sources[i].waiting = was[i];
	free(was);
}
