/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Batches that have not begun, looked at for a witness: an endless batch that its
 * program ends by a store before it has an engine runs as an empty one does. So it is
 * tried as it was submitted, without effects, and asked again at each call of a
 * program (doc/model/virtual.md "Batches").
 */
#include <stdlib.h>

#include "base/mem.h"
#include "base/util.h"
#include "device/model/model.h"
#include "engine/gpu/request.h"
#include "engine/sim.h"

/* Batches that are looked at, at a time; the calls of programs wait for it. */
#define AHEAD_MOST 64
/* Commands that a trial executes. */
#define AHEAD_BUDGET 256

struct model_ahead {
	struct model_ahead *next, **at; /* of the model */
	struct model_request *request;
	struct streamer_gpu gpu; /* the model's, but commands cost nothing */
	struct streamer_context *context;
	struct streamer_batch *batch;
	unsigned engine;
};

/* Memory of a trial can be read as the batch's, and is not written. */

static void *
trial_span(void *data, uint64_t address, size_t *len, bool write)
{
	uint64_t size = 0;
	void *at = write ? NULL : i915_space_map(data, address, &size);

	*len = (size_t)size;
	return at;
}

static bool
trial_read(void *data, uint64_t address, void *buf, size_t len)
{
	return i915_space_read(data, address, buf, len);
}

static bool
trial_write(void *data, uint64_t address, const void *buf, size_t len)
{
	(void)data;
	(void)address;
	(void)buf;
	(void)len;
	return true;
}

static struct streamer_time
trial_time(const struct model *m)
{
	return (struct streamer_time){model_now(m), 0};
}

/* Executes the beginning of the batch. True: it comes to a loop without an end. */
static bool
is_endless(struct model_ahead *a)
{
	const struct model *m = a->request->model;
	struct streamer_answer answer = streamer_run(
	    a->batch, m->engines[a->engine], trial_time(m), AHEAD_BUDGET);

	return answer.verdict == STREAMER_WAITS &&
	    answer.wait == STREAMER_SPINNER;
}

void
model_forget_ahead(struct model_request *r)
{
	struct model_ahead *a = r->ahead;

	if (a == NULL)
		return;
	r->ahead = NULL;
	r->model->n_ahead--;
	*a->at = a->next;
	if (a->next != NULL)
		a->next->at = a->at;
	streamer_end(a->batch);
	streamer_context_free(a->context);
	free(a);
}

/* Begins a trial of a request's first batch. */
static struct model_ahead *
begin_trial(struct model_request *r, engine_mask engines)
{
	struct model_ahead *a = mem_calloc(1, sizeof *a);
	struct streamer_memory memory = {
	    trial_span, trial_read, trial_write, NULL};
	uint64_t address;

	memory.data = model_batch_space(r->rows[0].batch, &address);
	a->request = r;
	a->gpu = r->model->streamer;
	a->gpu.costs = (struct streamer_costs){0};
	a->context = streamer_context_new();
	a->batch = streamer_begin(&a->gpu, a->context, &memory, address);
	a->engine = (unsigned)__builtin_ctzll(engines);
	return a;
}

void
model_see_ahead(struct model_request *r)
{
	struct model *m = r->model;
	const struct request *rq = request_get(r->ref);
	struct model_ahead *a;

	if (!m->looks_ahead || m->n_ahead == AHEAD_MOST || r->begun ||
	    r->rows[0].batch == NULL || rq == NULL || rq->allowed == 0)
		return;
	a = begin_trial(r, rq->allowed);
	a->next = m->ahead;
	a->at = &m->ahead;
	if (a->next != NULL)
		a->next->at = &a->next;
	m->ahead = a;
	m->n_ahead++;
	r->ahead = a;
	if (!is_endless(a))
		model_forget_ahead(r);
}

/* Notes that a batch would end, if it would. */
static void
note_release_of(struct model_ahead *a)
{
	struct model *m = a->request->model;

	if (a->request->did.released_ns == 0 &&
	    streamer_is_released(
		a->batch, m->engines[a->engine], trial_time(m)))
		a->request->did.released_ns = m->sim->now;
}

void
model_ask_ahead(struct model *m)
{
	for (struct model_ahead *a = m->ahead; a != NULL; a = a->next)
		note_release_of(a);
}

void
model_begins(struct model_request *r)
{
	if (r->ahead == NULL)
		return;
	note_release_of(r->ahead);
	model_forget_ahead(r);
}

void
model_look_ahead(struct gpu *gpu, bool on)
{
	struct model *m = model_of(gpu);

	m->looks_ahead = on;
	while (!on && m->ahead != NULL)
		model_forget_ahead(m->ahead->request);
}
