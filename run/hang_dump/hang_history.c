/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The last hangs of a run: an observer formats the error state of each while it
 * is being handled, into a ring. */
#include "run/hang_dump/hang_history.h"

#include "base/util.h"
#include "engine/sim.h"
#include "run/hang_dump/hang_report.h"
#include "run/plan.h"

static void
on_kept_hang(struct observer *o, const struct hang *hang)
{
	struct hang_history *h = container_of(o, struct hang_history, observer);
	const struct sim *sim = h->run->sim;
	struct hang_record *record = &h->list[hang->number % HANGS_KEPT];
	struct error_place place = hang_report_place(h->run, h->plan, hang->rq);
	struct error_state *state = error_state_collect(sim, hang);
	struct text text = record->text; /* its memory is used again */

	text_clear(&text);
	hang_report_text(sim, state, &place, &text);
	error_state_free(state);
	*record = (struct hang_record){
	    .number = hang->number,
	    .time = hang->time,
	    .request = hang->rq->seq,
	    .iteration = hang->rq->origin.iteration,
	    .client = hang->rq->client->id,
	    .context = hang->rq->context->def->number,
	    .step = hang->rq->origin.step,
	    .hang = *hang,
	    .text = text,
	};
	record->hang.rq = NULL;
	h->last = hang->number;
}

void
hang_history_begin(
    struct hang_history *h, const struct run *run, const struct plan *plan)
{
	h->observer = (struct observer){.hung = on_kept_hang};
	h->run = run;
	h->plan = plan;
	sim_add_observer(run->sim, &h->observer);
}

void
hang_history_end(struct hang_history *h)
{
	if (h->run != NULL)
		sim_remove_observer(h->run->sim, &h->observer);
	for (unsigned i = 0; i < HANGS_KEPT; i++)
		text_free(&h->list[i].text);
	*h = (struct hang_history){0};
}

const struct hang_record *
hang_history_find(const struct hang_history *h, uint64_t number)
{
	const struct hang_record *record = &h->list[number % HANGS_KEPT];

	return number != 0 && record->number == number ? record : NULL;
}
