/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs imported descriptors, from their texts, and collects the requests as the
 * trace has them.
 */
#include "run/import/model_run.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/stop.h"
#include "base/util.h"
#include "engine/client/origin.h"
#include "engine/sim.h"
#include "run/plan.h"

/* Iterations of a client, for each that it did in the trace, and for all. A client
 * whose descriptor does not wait would fill its rings in an instant otherwise. */
#define REPEAT_EACH 4
#define REPEAT_MORE 16

/* Events of a run: so many for each row that it may have, and for all, for batches
 * that run without an end beside few others. */
#define EVENTS_PER_ROW 100
#define EVENTS_MORE    500000

/* Bounds of a run: rows, which may all come at one instant, and events. */
struct run_limit {
	const struct side *side;
	size_t max_rows;
	const struct stop *stop;
};

struct row_taker {
	struct observer observer;
	struct side *side;
	uint32_t *descriptors; /* by client */
	uint32_t *positions;   /* by client: of its next batch */
	const struct infer_client *clients;
	size_t n_clients;
	size_t *rows; /* by request's seq, from 1: its row */
	size_t n_rows, cap_rows;
};

static void
row_submitted(struct observer *o, struct request *rq)
{
	struct row_taker *t = container_of(o, struct row_taker, observer);
	struct side *s = t->side;
	uint32_t *position;

	if (rq->client->id >= t->n_clients)
		return;
	position = &t->positions[rq->client->id];
	s->rows = mem_grow(s->rows, s->n, &s->cap, sizeof(*s->rows));
	s->rows[s->n] = (struct side_row){.client = rq->client->id,
	    .descriptor = t->descriptors[rq->client->id],
	    .position = *position,
	    .queued_ns = rq->submit_ns,
	    .end_ns = NSEC_NEVER};
	*position = (*position + 1) %
	    t->clients[t->descriptors[rq->client->id]].n_batches;
	while (t->n_rows <= rq->seq) {
		t->rows = mem_grow(
		    t->rows, t->n_rows, &t->cap_rows, sizeof(*t->rows));
		t->rows[t->n_rows++] = SIZE_MAX;
	}
	t->rows[rq->seq] = s->n++;
}

static void
row_ended(struct observer *o, struct request *rq)
{
	struct row_taker *t = container_of(o, struct row_taker, observer);
	struct side_row *r;

	if (rq->seq >= t->n_rows || t->rows[rq->seq] == SIZE_MAX ||
	    rq->engine == NULL)
		return;
	r = &t->side->rows[t->rows[rq->seq]];
	r->ready_ns = fence_time(&rq->queued);
	r->start_ns = fence_time(&rq->scheduled);
	r->end_ns = fence_time(&rq->finished);
	r->run_ns = rq->run_ns;
	r->engine = (uint8_t)(rq->engine->class * INFER_MAX_INSTANCES +
	    rq->engine->instance);
}

static void
make_sources(const struct import_model *m, struct plan *plan)
{
	plan->n_sources = m->inferred.n_clients;
	plan->sources = mem_calloc(plan->n_sources, sizeof(*plan->sources));
	for (size_t i = 0; i < plan->n_sources; i++) {
		const struct infer_client *c = &m->inferred.clients[i];

		plan->sources[i].name = mem_strdup(m->names[i]);
		plan->sources[i].is_file = true;
		plan->sources[i].clones = c->n_clones;
		plan->sources[i].repeat = REPEAT_MORE +
		    REPEAT_EACH * c->n_iterations / c->n_clones;
		plan->sources[i].doc = document_parse(
		    m->names[i], text_str(&c->text), c->text.len, SOURCE_FILE);
	}
}

static void
list_descriptors(const struct import_model *m, struct row_taker *t)
{
	for (size_t i = 0; i < m->inferred.n_clients; i++)
		t->n_clients += m->inferred.clients[i].n_clones;
	t->descriptors = mem_calloc(t->n_clients + 1, sizeof(uint32_t));
	t->positions = mem_calloc(t->n_clients + 1, sizeof(uint32_t));
	t->clients = m->inferred.clients;
	t->n_clients = 0;
	for (size_t i = 0; i < m->inferred.n_clients; i++)
		for (uint32_t k = 0; k < m->inferred.clients[i].n_clones; k++)
			t->descriptors[t->n_clients++] = (uint32_t)i;
}

static enum sim_poll
poll_run(void *data)
{
	const struct run_limit *l = data;

	return l->side->n >= l->max_rows || stop_is_wanted(l->stop) ? SIM_STOP
								    : SIM_GO_ON;
}

/* Runs for that time, or up to the limit. */
static void
run_for(struct sim *sim, nsec until, struct run_limit *limit)
{
	uint64_t most = EVENTS_MORE + EVENTS_PER_ROW * limit->max_rows;
	enum sim_ran ran;

	sim->poll = poll_run;
	sim->poll_data = limit;
	do
		ran = sim_go(sim, until, most - sim->n_events);
	while (ran == SIM_RAN && sim->now < until && sim->n_events < most);
	sim->poll = NULL;
}

static bool
run_plan_rows(const struct import_model *m, struct plan *plan, size_t max_rows,
    struct side *side, struct text *err)
{
	struct row_taker t = {.side = side,
	    .observer = {.submitted = row_submitted, .ended = row_ended}};
	struct text said = {0}; /* warnings too */
	struct run run;
	bool ok;

	list_descriptors(m, &t);
	ok = plan_launch(plan, &run, &said);
	if (!ok)
		text_adds(err, text_str(&said));
	text_free(&said);
	if (ok) {
		sim_add_observer(run.sim, &t.observer);
		run_for(run.sim, m->span_ns,
		    &(struct run_limit){side, max_rows, plan->stop});
		side->span_ns = run.sim->now;
		sim_remove_observer(run.sim, &t.observer);
		run_free(&run);
	}
	free(t.descriptors);
	free(t.positions);
	free(t.rows);
	return ok;
}

bool
model_run(const struct import_model *m, const char *scheduler, uint32_t seed,
    size_t max_rows, const struct stop *stop, struct side *side,
    struct text *err)
{
	struct plan plan = {.seed = seed,
	    .duration_scale = 1,
	    .delay_scale = 1,
	    .profile = m->profile,
	    .stop = stop};
	bool ok;

	*side = (struct side){0};
	plan.sched = sched_of(&plan.profile, scheduler, err);
	make_sources(m, &plan);
	ok = plan.sched != NULL && run_plan_rows(m, &plan, max_rows, side, err);
	plan_close(&plan);
	return ok;
}
