/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Batches in instalments (doc/model/virtual.md "Batches"): the engine asks how
 * a request goes on, the batches of its rows answer. Batches that poll memory
 * are asked again when it may have changed.
 */
#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "device/model/model.h"
#include "engine/client/client.h"
#include "engine/explain/explain.h"
#include "engine/gpu/engine.h"
#include "engine/gpu/request.h"
#include "engine/sim.h"

/* Questions that a batch may want at once, before it takes 1 ns. */
#define QUESTIONS 64
#define LABEL_MAX 160
/* The distance of points of a batch that can always be preempted: that of
 * descriptors (doc/model/virtual.md "Batches"). */
#define POINTS_NS (100 * NSEC_PER_USEC)
/* Instalment of a batch that waits at a semaphore, which can be preempted at once: two
 * such must not take turns each ns. */
#define WAIT_POINTS_NS (10 * NSEC_PER_USEC)

/* They are asked again after this time without news, at most MODEL_POLL_MOST_NS
 * (doc/model/virtual.md "Batches"). */
#define QUIET_PART 50
/* Batches that never end, of all programs, about which there is a line. */
#define TOLD_MOST 8

/* Requests that poll. */

void
model_stop_polling(struct model_request *r)
{
	if (!r->polls)
		return;
	r->polls = false;
	if (r->prev != NULL)
		r->prev->next = r->next;
	else
		r->model->polling = r->next;
	if (r->next != NULL)
		r->next->prev = r->prev;
}

/* Sets when those that poll are asked next. */
static void
set_poll_time(struct model *m)
{
	nsec now = m->sim->now, wait = (now - m->news_ns) / QUIET_PART;

	wait = nsec_later(wait, MODEL_POLL_NS);
	m->poll_ns = now + nsec_earlier(wait, MODEL_POLL_MOST_NS);
}

/* Programs have done something, or a batch begins to poll. */
static void
note_news(struct model *m)
{
	m->news_ns = m->sim->now;
	set_poll_time(m);
}

/* They are in the order of their submissions, in which they are asked. */
static void
start_polling(struct model_request *r)
{
	struct model *m = r->model;
	struct model_request *before = NULL, *next = m->polling;

	for (; next != NULL && next->node.n < r->node.n; next = next->next)
		before = next;
	r->polls = true;
	r->prev = before;
	r->next = next;
	if (next != NULL)
		next->prev = r;
	if (before != NULL)
		before->next = r;
	else
		m->polling = r;
}

/* Returns true if no row of r would do anything but wait. One that was revoked is
 * not asked then, nor if it would go on storing: a question would end it
 * (doc/model/outside.md "Instalments"). */
static bool
all_rows_rest(const struct model_request *r)
{
	const struct request *rq = request_get(r->ref);
	nsec work = rq ? backend_work(r->model->sim, rq) : 0;

	if (rq != NULL && rq->error != 0 && r->stores)
		return true;
	for (unsigned i = 0; rq != NULL; i++, rq = rq->next_row) {
		const struct model_row *row = &r->rows[i];
		struct gpu_instant at = {
		    .engine = rq->engine->index,
		    .now_ns = model_now(r->model),
		    .context_ns = r->timeline->work_ns + work,
		};

		if (row->batch != NULL && row->polls &&
		    (row->batch->ops->rests == NULL ||
			!row->batch->ops->rests(row->batch, &at)))
			return false;
	}
	return true;
}

/* Notes when a batch that is off its engine could first end. */
static void
note_release(struct model_request *r)
{
	const struct request *rq = request_get(r->ref);
	const struct gpu_batch *batch = r->rows[0].batch;
	struct gpu_instant at = {.now_ns = model_now(r->model)};

	if (r->did.released_ns > 0 || rq == NULL || batch == NULL ||
	    rq->piece_ns != NSEC_NEVER || batch->ops->is_released == NULL)
		return;
	at.engine = rq->engine->index;
	at.context_ns = r->timeline->work_ns + backend_work(r->model->sim, rq);
	if (batch->ops->is_released(r->rows[0].batch, &at))
		r->did.released_ns = r->model->sim->now;
}

/* Asks those that poll; storers: also those whose last turn stored. */
static void
ask_round(struct model *m, bool storers)
{
	/* They are asked in here, and may end. */
	m->n_poked = 0;
	for (struct model_request *r = m->polling; r != NULL; r = r->next) {
		if (!m->lost && ((!storers && r->stores) || all_rows_rest(r)))
			continue;
		note_release(r);
		m->poked = mem_grow(
		    m->poked, m->n_poked, &m->cap_poked, sizeof *m->poked);
		m->poked[m->n_poked++] = r->ref;
	}
	for (size_t i = 0; i < m->n_poked; i++)
		backend_end(m->sim, m->poked[i], 0);
}

void
model_ask_polling(struct model *m)
{
	m->spinner_stored = false;
	model_ask_ahead(m);
	ask_round(m, true);
	if (m->spinner_stored)
		ask_round(m, false);
	set_poll_time(m);
}

void
model_poke(struct gpu *gpu)
{
	struct model *m = model_of(gpu);

	if (m->gate != NULL) {
		m->memory_changed = true;
		return;
	}
	note_news(m);
	model_ask_polling(m);
	/* The call that follows sees which batches have ended. */
	model_report(m);
}

/* Questions. */

/* Asks a row until it takes time, or ends. */
static struct gpu_step
ask_row(struct model_row *row, const struct gpu_instant *at)
{
	struct gpu_step step = {.kind = GPU_STEP_END};
	bool stored = false;

	for (unsigned i = 0; i < QUESTIONS; i++) {
		step = row->batch->ops->next(row->batch, at);
		stored = step.stored |= stored;
		if (step.kind != GPU_STEP_RUN || step.ns > 0)
			return step;
	}
	step.ns = 1;
	return step;
}

/* Returns the distance of the preemption points of a row, whose next point is
 * that of step. A loop with one in each turn has many before the next question. */
static nsec
points_of(const struct model_row *row, const struct gpu_step *step, nsec work)
{
	bool many = row->polls && step->point_ns < POINTS_NS;

	if (step->point_ns == GPU_NEVER)
		return 0;
	if (step->point_ns > 0 && !many)
		return nsec_after(work, step->point_ns);
	return row->waits ? WAIT_POINTS_NS : POINTS_NS;
}

/* Sets how a row goes on after work ns of work. Returns true if it has changed
 * memory. */
static bool
row_goes_on(struct model_row *row, const struct gpu_instant *at, nsec work,
    nsec *points)
{
	struct gpu_step step = ask_row(row, at);

	row->due_ns = NSEC_NEVER;
	row->waits = step.kind == GPU_STEP_WAIT;
	row->polls = row->waits || step.kind == GPU_STEP_POLL;
	row->invalid = step.kind == GPU_STEP_ERROR;
	row->failed = row->invalid || step.kind == GPU_STEP_FAULT;
	if (step.kind == GPU_STEP_RUN)
		row->due_ns = nsec_after(work, step.ns);
	row->ended = step.kind == GPU_STEP_END;
	*points = row->failed ? 0 : points_of(row, &step, work);
	return step.stored;
}

/* Lets the rows begin again, after a reset took their work. */
static void
begin_again(struct model_request *r)
{
	r->timeline->work_ns += r->asked_ns;
	for (unsigned i = 0; i < GPU_WIDTH_MAX; i++) {
		struct model_row *row = &r->rows[i];

		if (row->batch != NULL)
			row->batch->ops->restart(row->batch);
		row->due_ns = 0;
		row->polls = row->waits = row->failed = row->told = false;
	}
}

static void
set_label(const struct model_row *row, struct request *rq)
{
	char label[LABEL_MAX] = "";

	if (row->batch->ops->label == NULL)
		return;
	row->batch->ops->label(row->batch, label, sizeof label);
	if (label[0] != '\0')
		backend_set_label(rq, label);
}

static void
count_media(struct virtual_work *did, const struct gpu_batch *batch)
{
	struct gpu_media media;

	if (batch->ops->media == NULL)
		return;
	batch->ops->media(batch, &media);
	did->decoded += media.decoded;
	did->coded += media.coded;
	did->filtered += media.filtered;
}

/* Frees the batch of a row that has ended, whose frames count. */
static void
free_ended(struct model_request *r, struct model_row *row)
{
	if (!row->ended)
		return;
	count_media(&r->did, row->batch);
	row->batch->ops->free(row->batch);
	row->batch = NULL;
}

/* A request has the label of its first batch: looked for after 1, 2, 4, 8, ...
 * questions, and at its end. */
static bool
wants_label(struct model_request *r, const struct model_row *row)
{
	unsigned n = ++r->n_questions;

	return row->ended || row->failed || (n & (n - 1)) == 0;
}

/* Reports a batch that never ends, once, unless there were many before. */
static void
tell_endless(struct model *m, struct model_row *row, const struct request *rq,
    const struct memory_poll *poll)
{
	struct text line = {0};

	if (row->told || m->tell == NULL || m->n_told == TOLD_MOST)
		return;
	row->told = true;
	m->n_told++;
	text_addf(&line, "%s: batch of ", rq->engine->name);
	text_add_visible(&line, rq->client->name, strlen(rq->client->name));
	text_addf(
	    &line, " (pid %" PRId64 ") never ends: it polls ", rq->client->pid);
	explain_poll(poll, &line);
	m->tell(m->tell_data, text_str(&line));
	text_free(&line);
}

/* Lets the engine of a row poll, or not. */
static void
set_row_polling(struct model *m, struct model_row *row, struct request *rq)
{
	struct memory_poll poll = {.known = false};
	const struct model_program *owner;
	struct gpu_wait wait;

	if (!row->waits) {
		backend_set_polling(rq, NULL);
		return;
	}
	if (row->batch->ops->waits_for != NULL) {
		row->batch->ops->waits_for(row->batch, &wait);
		owner = model_program(m, wait.pid);
		poll = (struct memory_poll){
		    .known = true,
		    .address = wait.address,
		    .found = wait.found,
		    .wanted = wait.wanted,
		    .compare = (uint8_t)wait.compare,
		    .is_register = wait.is_register,
		    .never_ends = wait.never_ends,
		    .object = owner != NULL ? wait.object : 0,
		    .object_offset = wait.offset,
		    .client = owner != NULL ? owner->client->id : 0,
		};
	}
	backend_set_polling(rq, &poll);
	if (poll.never_ends)
		tell_endless(m, row, rq, &poll);
}

/* Asks each row whose time has come. Returns true if one has changed memory. */
static bool
ask_rows(struct model_request *r, struct request *rq, nsec work)
{
	bool changed = false;
	nsec points = 0;

	for (unsigned i = 0; rq != NULL; i++, rq = rq->next_row) {
		struct gpu_instant at = {
		    .engine = rq->engine->index,
		    .now_ns = model_now(r->model),
		    .context_ns = r->timeline->work_ns + work,
		};
		struct model_row *row = &r->rows[i];

		if (row->batch == NULL || row->failed ||
		    (row->due_ns > work && !row->polls))
			continue;
		changed |= row_goes_on(row, &at, work, &points);
		set_row_polling(r->model, row, rq);
		if (i == 0)
			backend_set_points(rq, points);
		if (i == 0 && wants_label(r, row))
			set_label(row, rq);
		if (row->invalid && r->model->tells_errors)
			backend_cs_error(rq);
		free_ended(r, row);
	}
	return changed;
}

/* Returns how much more work r has. */
static nsec
next_question(const struct model_request *r, nsec work)
{
	nsec due = NSEC_NEVER;
	bool goes_on = false;

	for (unsigned i = 0; i < r->timeline->width; i++) {
		const struct model_row *row = &r->rows[i];

		if (row->batch == NULL)
			continue;
		goes_on = true;
		due = nsec_earlier(due, row->due_ns);
	}
	if (!goes_on)
		return 0;
	return due == NSEC_NEVER ? NSEC_NEVER : due - work;
}

static bool
any_row_polls(const struct model_request *r)
{
	for (unsigned i = 0; i < r->timeline->width; i++) {
		if (r->rows[i].polls)
			return true;
	}
	return false;
}

/* Counts the work since the last question. */
static void
count_work(struct model_request *r, const struct request *rq, nsec work)
{
	nsec done = work > r->asked_ns ? work - r->asked_ns : 0;
	nsec *waited = r->timeline->context->waited_ns;

	if (r->polls)
		r->did.polled_ns += done;
	for (unsigned i = 0; i < r->timeline->width; i++)
		if (r->rows[i].waits)
			waited[r->timeline->class] += done;
	if (rq->preempt_ns == 0 || rq->preempt_ns >= work)
		r->did.fixed_ns += done;
}

struct virtual_work
virtual_work_of(const struct request *rq)
{
	const struct model_request *r = request_tag(rq);

	return r->did;
}

nsec
model_on_duration(struct owner *owner, struct request *rq)
{
	struct model_request *r = request_tag(rq);
	nsec work = backend_work(r->model->sim, rq);
	bool polled = r->polls, polls, changed;

	(void)owner;
	if (r->begun && work < r->asked_ns)
		begin_again(r);
	r->begun = true;
	model_begins(r);
	count_work(r, rq, work);
	r->asked_ns = work;
	if (r->model->lost || r->lost) {
		model_stop_polling(r);
		return 0;
	}
	changed = ask_rows(r, rq, work);
	polls = any_row_polls(r);
	r->stores = changed && polled && polls;
	r->model->spinner_stored |= r->stores;
	r->model->memory_changed |= changed && !r->stores;
	if (polls)
		r->did.released_ns = 0;
	if (polls && !polled) {
		note_news(r->model);
		start_polling(r);
	} else if (!polls) {
		model_stop_polling(r);
	}
	return next_question(r, work);
}
