/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Requests from their submission to their end, and the software fences that
 * they wait for.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/util.h"
#include "device/model/model.h"
#include "engine/sim.h"

/* Fences. */

void
model_fence_new(struct gpu *gpu, uint64_t fence)
{
	struct model *m = model_of(gpu);
	struct model_fence *f = mem_calloc(1, sizeof *f);

	f->node.n = fence;
	f->fence = backend_fence_new(m->sim);
	chains_add(&m->fences, &f->node);
}

void
model_fence_signal(struct gpu *gpu, uint64_t fence, int error)
{
	struct model *m = model_of(gpu);
	struct chain_node *node = chains_find(&m->fences, NULL, fence);
	struct model_fence *f;

	if (node == NULL || model_hold_signal(m, fence, error))
		return;
	f = container_of(node, struct model_fence, node);
	chains_remove(&m->fences, node);
	backend_fence_signal(m->sim, f->fence, error);
	backend_fence_free(m->sim, f->fence);
	free(f);
}

/* Requests. */

/* Sets *wait to a dependency. False: it is over. */
static bool
submission_wait_on(const struct model *m, const struct gpu_dependency *d,
    struct submission_wait *wait)
{
	struct chain_node *node = chains_find(&m->requests, NULL, d->fence);
	struct request *rq;

	*wait = (struct submission_wait){.kind = AFTER_SIGNAL};
	if (node == NULL) {
		node = chains_find(&m->fences, NULL, d->fence);
		if (node == NULL)
			return false;
		wait->fence =
		    container_of(node, struct model_fence, node)->fence;
		return true;
	}
	wait->kind = d->after == GPU_AFTER_START ? AFTER_START : AFTER_END;
	wait->request = container_of(node, struct model_request, node)->ref;
	rq = request_get(wait->request);
	if (rq != NULL && fence_signalled(&rq->scheduled))
		wait->started_on = rq->engine->index + 1u;
	return rq != NULL;
}

/* Puts the dependencies that are not over into waits. Returns their number. */
static uint32_t
submission_waits(const struct model *m, const struct gpu_submission *s,
    struct submission_wait *waits)
{
	uint32_t n = 0;

	for (size_t i = 0; i < s->n_after; i++)
		n += submission_wait_on(m, &s->after[i], &waits[n]);
	if (m->gate != NULL)
		waits[n++] = (struct submission_wait){
		    .kind = AFTER_SIGNAL, .fence = m->gate};
	return n;
}

static struct model_request *
new_model_request(struct model *m, const struct gpu_submission *s)
{
	struct model_request *r = mem_calloc(1, sizeof *r);

	r->node.n = s->request;
	r->model = m;
	r->timeline = s->timeline;
	r->timeline->refs++;
	for (unsigned i = 0; s->batches != NULL && i < s->timeline->width; i++)
		r->rows[i].batch = s->batches[i];
	return r;
}

static void
free_batches(struct model_request *r)
{
	model_forget_ahead(r);
	for (unsigned i = 0; i < GPU_WIDTH_MAX; i++) {
		struct gpu_batch *batch = r->rows[i].batch;

		if (batch != NULL)
			batch->ops->free(batch);
		r->rows[i].batch = NULL;
	}
}

/* Frees a request that is in no table. */
static void
free_model_request(struct model_request *r)
{
	model_stop_polling(r);
	free_batches(r);
	model_timeline_put(r->timeline);
	free(r);
}

void
model_submit(struct gpu *gpu, const struct gpu_submission *s)
{
	struct model *m = model_of(gpu);
	struct model_request *r = new_model_request(m, s);
	struct submission_wait *waits = mem_calloc(
	    s->n_after + 1, sizeof *waits);
	struct outside_submission out = {
	    .timeline = s->timeline->ring,
	    .asks = true,
	    .waits = waits,
	    .n_waits = submission_waits(m, s, waits),
	    .tag = r,
	};
	enum submitted result = SUBMIT_BANNED;
	struct request_ref ref;

	m->gated |= m->gate != NULL;
	chains_add(&m->requests, &r->node);
	/* It may begin, or end, in here. */
	if (out.timeline != NULL)
		result = backend_submit(m->sim, &out, &ref);
	if (result == SUBMITTED) {
		if (chains_find(&m->requests, NULL, s->request) != NULL) {
			r->ref = ref;
			model_see_ahead(r);
		}
	} else {
		model_note(m, MODEL_ENDED, s->request, -EIO);
		chains_remove(&m->requests, &r->node);
		free_model_request(r);
	}
	free(waits);
}

void
model_on_started(struct owner *owner, struct request *rq)
{
	const struct model_request *r = request_tag(rq);

	(void)owner;
	if (rq->row == 0)
		model_note(r->model, MODEL_STARTED, r->node.n, 0);
}

void
model_on_ended(struct owner *owner, struct request *rq, enum ending how)
{
	struct model_request *r = request_tag(rq);

	(void)owner;
	(void)how;
	if (rq->row == 0) {
		r->timeline->work_ns += rq->work_ns;
		model_note(r->model, MODEL_ENDED, r->node.n,
		    rq->error == 0 && (r->model->lost || r->lost) ? -EIO
								  : rq->error);
		chains_remove(&r->model->requests, &r->node);
	}
	if (rq->next_row == NULL)
		free_model_request(r);
}

void
model_close(struct model *m)
{
	for (size_t i = 0; i < m->requests.cap; i++) {
		struct chain_node *node = m->requests.heads[i];

		for (; node != NULL; node = node->next)
			free_batches(
			    container_of(node, struct model_request, node));
	}
}

static void
gone_request(struct chain_node *node)
{
	free_model_request(container_of(node, struct model_request, node));
}

static void
gone_fence(struct chain_node *node)
{
	free(container_of(node, struct model_fence, node));
}

void
model_requests_free(struct model *m)
{
	chains_sweep(&m->requests, NULL, NULL, gone_request);
	chains_free(&m->requests);
	chains_sweep(&m->fences, NULL, NULL, gone_fence);
	chains_free(&m->fences);
}
