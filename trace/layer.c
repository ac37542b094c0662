/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The layer as an observer of the simulation: submits are played on queues,
 * ends resolve them, and what engines run becomes slices for listeners.
 */
#include "trace/layer.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/util.h"
#include "engine/gpu/pace.h"
#include "trace/layer_private.h"

struct layer {
	struct observer observer;
	struct play_sink sink;
	struct message_buffer out;
	struct sim *sim;
	struct layer_listener *listeners;
	struct player player;
	struct buffers buffers;
	struct layer_queues queues;
	struct chains batches;
	struct pass_sums sums;
	struct layer_batch *free;
	struct layer_batch *submitting; /* being played; NULL: none */
	struct play_queue *playing;     /* on that */
	struct layer_batch *ending;     /* being resolved */
	struct known_client *clients;
	size_t n_clients, cap_clients;
	unsigned introduction; /* counts the times devices are introduced */
	struct layer_numbers numbers; /* tag, submit, execution: at first */
	uint64_t first_device;        /* of client 0, at least 1 */
};

struct known_client {
	uint64_t frame;        /* number of the next one */
	unsigned introduction; /* the last one of its device */
};

#define TELL(layer, call, ...)                                                 \
	do {                                                                   \
		struct layer_listener *to_ = (layer)->listeners;               \
                                                                               \
		for (; to_ != NULL; to_ = to_->next)                           \
			if (to_->call != NULL)                                 \
				to_->call(to_, __VA_ARGS__);                   \
	} while (0)

static struct layer *
layer_of(struct observer *o)
{
	return container_of(o, struct layer, observer);
}

/* Each client is a device. */
static uint64_t
layer_device(const struct layer *l, const struct client *c)
{
	return l->first_device + c->id;
}

static nsec
layer_time(const struct layer *l)
{
	return l->numbers.past + l->sim->now;
}

/* Introduces the client's device, once each time that is asked for. */
static void
introduce_client(struct layer *l, const struct client *c)
{
	struct play_device d = {
	    .device = layer_device(l, c),
	    .name = l->sim->config.profile.name,
	    .major = 1,
	    .pid = c->id,
	};

	for (; l->n_clients <= c->id; l->n_clients++) {
		l->clients = mem_grow(l->clients, l->n_clients, &l->cap_clients,
		    sizeof(*l->clients));
		l->clients[l->n_clients] = (struct known_client){.frame = 1};
	}
	if (l->clients[c->id].introduction == l->introduction)
		return;
	l->clients[c->id].introduction = l->introduction;
	if (d.device > l->numbers.device)
		l->numbers.device = d.device;
	play_device(&l->player, &d);
}

static struct play_queue *
layer_queue_of(struct layer *l, const struct request *rq)
{
	struct play_queue *queue = layer_queues_find(&l->queues, rq->ring);

	if (queue != NULL)
		return queue;
	queue = layer_queues_add(&l->queues, rq->ring);
	play_queue_init(
	    queue, &l->player, layer_device(l, rq->client), ++l->numbers.queue);
	return queue;
}

static struct layer_batch *
batch_new(struct layer *l, struct request *rq)
{
	struct layer_batch *b = l->free;

	if (b != NULL)
		l->free = (struct layer_batch *)(void *)b->node.next;
	else
		b = mem_calloc(1, sizeof(*b));
	b->node.p = NULL;
	b->node.n = rq->seq;
	b->rq = rq;
	b->pass = NULL;
	b->submission = NULL;
	b->sums = &l->sums;
	b->total = rq->infinite ? NSEC_NEVER : rq->duration_ns;
	b->done = b->ran = 0;
	b->weight = 0;
	b->n_stages = 0;
	text_clear(&b->texts);
	chains_add(&l->batches, &b->node);
	return b;
}

static void
batch_gone(struct layer *l, struct layer_batch *b)
{
	chains_remove(&l->batches, &b->node);
	command_recording_unref(b->recording);
	command_recording_unref(b->pass);
	b->node.next = (struct chain_node *)(void *)l->free;
	l->free = b;
}

static struct layer_batch *
batch_of_request(const struct layer *l, const struct request *rq)
{
	return (struct layer_batch *)(void *)chains_find(
	    &l->batches, NULL, rq->seq);
}

const struct layer_batch *
layer_batch_find(const struct layer *l, uint64_t seq)
{
	return (struct layer_batch *)(void *)chains_find(
	    &l->batches, NULL, seq);
}

/* Plays a recording that is not followed any further. */
static void
play_unwatched(struct layer *l, struct command_recording *recording)
{
	struct played_submission *none;

	play_submit(l->playing, &recording, 1, layer_time(l), &none);
}

static void
layer_on_submitted(struct observer *o, struct request *rq)
{
	struct layer *l = layer_of(o);
	struct command_recording *recording = buffers_recording(
	    &l->buffers, l->sim, rq);
	struct layer_batch *b;

	introduce_client(l, rq->client);
	l->playing = layer_queue_of(l, rq);
	if (l->player.sink == NULL && recording->resolve.n == 0) {
		play_unwatched(l, recording);
		return;
	}
	b = batch_new(l, rq);
	b->recording = recording;
	command_recording_ref(recording);
	l->submitting = b;
	b->queue = l->playing->id;
	TELL(
	    l, submitted, layer_device(l, rq->client), b->queue, layer_time(l));
	play_submit(
	    l->playing, &b->recording, 1, layer_time(l), &b->submission);
	l->submitting = NULL;
}

static void
layer_on_executed(struct play_sink *sink, const struct execution *e)
{
	struct layer *l = container_of(sink, struct layer, sink);
	struct layer_batch *b = l->submitting;

	if (b == NULL)
		return;
	/* The pass is in another recording, which may be freed before this
	 * batch runs. */
	if (e->part != e->workload && b->pass == NULL &&
	    l->playing->pass.kept != NULL) {
		b->pass = l->playing->pass.kept;
		command_recording_ref(b->pass);
	}
	if (e->part != e->workload)
		pass_sums_set(&l->sums, e->workload->tag, e->submit,
		    l->playing->pass.draws);
	layer_batch_add(b, e);
	TELL(l, executed, l->playing->device, e);
}

/* A queue being freed has no submission to report for. */
static void
layer_on_summed(struct play_sink *sink, const struct layer_workload *pass,
    uint64_t submit, int64_t draws, uint32_t parts, bool closed)
{
	struct layer *l = container_of(sink, struct layer, sink);

	(void)parts;
	(void)closed;
	if (l->submitting != NULL)
		TELL(l, known, l->playing->device, pass, submit, draws);
}

/* After a reset a request runs from its beginning again. */
static void
layer_on_began(struct observer *o, struct request *rq)
{
	struct layer *l = layer_of(o);
	struct layer_batch *b = l->player.sink ? batch_of_request(l, rq) : NULL;

	if (b == NULL || rq->run_ns >= b->ran)
		return;
	b->done = rq->work_ns;
	b->ran = rq->run_ns;
}

/* Work goes on at an even pace between these events. Batches without an end
 * have one pace only. */
static void
layer_on_paced(struct observer *o, struct request *rq)
{
	struct layer *l = layer_of(o);
	struct layer_batch *b = l->player.sink ? batch_of_request(l, rq) : NULL;

	if (b != NULL && b->total != NSEC_NEVER)
		layer_batch_settle(b, rq->engine, l->sim->now, l->listeners);
}

static void
layer_on_left(struct observer *o, const struct hw_engine *e, struct request *rq,
    enum leaving why, const struct request *by)
{
	struct layer *l = layer_of(o);
	struct layer_batch *b = l->player.sink ? batch_of_request(l, rq) : NULL;

	(void)why;
	(void)by;
	if (b != NULL)
		layer_batch_settle(b, e, l->sim->now, l->listeners);
}

static void
layer_on_resolved(
    struct play_sink *sink, const struct layer_workload *w, uint64_t submit)
{
	struct layer *l = container_of(sink, struct layer, sink);

	TELL(l, known, layer_device(l, l->ending->rq->client), w, submit,
	    WORKLOAD_UNKNOWN);
}

static void
report_lost(struct layer *l, const struct layer_batch *b)
{
	uint64_t device = layer_device(l, b->rq->client);

	for (size_t i = 0; i < b->n_stages; i++) {
		const struct batch_stage *stage = &b->stages[i];

		if (stage->workload->info.indirect)
			TELL(l, lost, device, stage->workload, stage->submit);
	}
}

static void
layer_on_ended(struct observer *o, struct request *rq)
{
	struct layer *l = layer_of(o);
	struct layer_batch *b = l->batches.n > 0 ? batch_of_request(l, rq)
						 : NULL;

	if (b == NULL)
		return;
	l->ending = b;
	if (b->submission != NULL && rq->finished.error == 0) {
		play_completed(b->submission);
	} else if (b->submission != NULL) {
		report_lost(l, b);
		play_dropped(b->submission);
	}
	TELL(l, done, b);
	batch_gone(l, b);
}

static void
layer_on_iterated(struct observer *o, struct client *c)
{
	struct layer *l = layer_of(o);

	introduce_client(l, c);
	TELL(l, framed, layer_device(l, c), l->clients[c->id].frame);
	play_frame(&l->player, layer_device(l, c), l->clients[c->id].frame++,
	    layer_time(l));
}

static void
layer_on_messages(struct message_buffer *b, const uint8_t *data, size_t n)
{
	struct layer *l = container_of(b, struct layer, out);

	for (struct layer_listener *to = l->listeners; to; to = to->next)
		if (to->messages != NULL)
			to->messages(to, data, n);
}

struct layer *
layer_begin(struct sim *sim, struct debug_report *report)
{
	struct layer *l = mem_calloc(1, sizeof(*l));

	l->sim = sim;
	l->introduction = 1;
	l->first_device = 1;
	l->out.drain = layer_on_messages;
	l->sink.executed = layer_on_executed;
	l->sink.summed = layer_on_summed;
	l->sink.resolved = layer_on_resolved;
	l->buffers.report = report;
	play_init(&l->player, &l->out, &l->sink, report);
	l->player.silent = true;
	l->observer.submitted = layer_on_submitted;
	l->observer.began = layer_on_began;
	l->observer.paced = layer_on_paced;
	l->observer.left = layer_on_left;
	l->observer.ended = layer_on_ended;
	l->observer.iterated = layer_on_iterated;
	sim_add_observer(sim, &l->observer);
	return l;
}

void
layer_go_on(struct layer *l, const struct layer_numbers *numbers)
{
	l->numbers = *numbers;
	l->buffers.tags.last = numbers->tag;
	l->player.last_submit = numbers->submit;
	l->player.executions = numbers->execution;
	l->first_device = numbers->device + 1;
}

void
layer_numbers(const struct layer *l, struct layer_numbers *numbers)
{
	*numbers = l->numbers;
	numbers->tag = l->buffers.tags.last;
	numbers->submit = l->player.last_submit;
	numbers->execution = l->player.executions;
}

nsec
layer_past(const struct layer *l)
{
	return l->numbers.past;
}

int64_t
layer_pass_draws(
    const struct layer *l, uint64_t tag, uint64_t submit, int64_t otherwise)
{
	return pass_sums_get(&l->sums, tag, submit, otherwise);
}

uint32_t
layer_client(const struct layer *l, uint64_t device)
{
	return (uint32_t)(device - l->first_device);
}

/*
 * Chooses what playing has to produce: calls of the sink if a listener wants
 * more than messages, messages if one wants those. For batches that are in
 * flight when the former changes, workloads are not reported.
 */
static void
choose_products(struct layer *l)
{
	l->player.sink = NULL;
	l->player.silent = true;
	for (struct layer_listener *to = l->listeners; to; to = to->next) {
		if (to->slice || to->submitted || to->executed || to->known ||
		    to->done)
			l->player.sink = &l->sink;
		if (to->messages)
			l->player.silent = false;
	}
}

void
layer_listen(struct layer *l, struct layer_listener *listener)
{
	layer_flush(l);
	listener->next = l->listeners;
	l->listeners = listener;
	l->introduction += listener->messages != NULL;
	choose_products(l);
}

void
layer_unlisten(struct layer *l, struct layer_listener *listener)
{
	struct layer_listener **at = &l->listeners;

	layer_flush(l);
	while (*at != NULL && *at != listener)
		at = &(*at)->next;
	if (*at != NULL)
		*at = listener->next;
	choose_products(l);
}

void
layer_flush(struct layer *l)
{
	message_drain(&l->out);
}

bool
layer_now(
    const struct layer *l, const struct request *rq, struct workload_slice *s)
{
	const struct layer_batch *b = batch_of_request(l, rq);

	if (b == NULL || rq->piece_ns == NSEC_NEVER)
		return false;
	*s = (struct workload_slice){
	    .engine = rq->engine, .start = rq->piece_ns, .end = l->sim->now};
	layer_batch_describe(
	    b, layer_batch_at(b, pace_done(rq, l->sim->now)), s);
	return s->stage != STAGE_NONE;
}

void
layer_report_suspended(struct layer *l, struct layer_listener *listener)
{
	for (struct layer_queue *q = l->queues.first; q; q = q->next) {
		const struct queue_pass *pass = &q->queue.pass;

		if (pass->workload != NULL)
			listener->known(listener, q->queue.device,
			    pass->workload, pass->submit, pass->draws);
	}
}

static void
add_flying(
    const struct layer *l, struct in_flight *f, const struct layer_batch *b)
{
	const struct request *rq = b->rq;
	const struct play_queue *queue = layer_queues_find(
	    &l->queues, rq->ring);
	uint64_t ago = client_iteration(rq->client) - rq->origin.iteration;
	struct flying one = {
	    .batch = b,
	    .device = layer_device(l, rq->client),
	    .current = l->clients[rq->client->id].frame - 1,
	    .at = l->numbers.past + rq->submit_ns,
	};

	if (queue != NULL)
		one.open = &queue->pass;
	one.frame = one.current > ago ? one.current - ago : 0;
	in_flight_add(f, &one);
}

void
layer_report_in_flight(const struct layer *l, struct layer_listener *listener)
{
	struct in_flight f = {0};

	for (size_t i = 0; i < l->batches.cap; i++) {
		const struct chain_node *node = l->batches.heads[i];

		for (; node != NULL; node = node->next)
			add_flying(l, &f,
			    (const struct layer_batch *)(const void *)node);
	}
	in_flight_report(&f, listener);
}

void
layer_settle(struct layer *l)
{
	for (size_t i = 0; i < l->batches.cap; i++) {
		struct chain_node *node = l->batches.heads[i];

		for (; node != NULL; node = node->next) {
			struct layer_batch *b =
			    (struct layer_batch *)(void *)node;

			if (b->rq->piece_ns != NSEC_NEVER)
				layer_batch_settle(b, b->rq->engine,
				    l->sim->now, l->listeners);
		}
	}
}

/* Drops what has not ended: it never will. */
static void
close_batches(struct layer *l)
{
	for (size_t i = 0; i < l->batches.cap; i++) {
		while (l->batches.heads[i] != NULL) {
			struct layer_batch *b =
			    (struct layer_batch *)(void *)l->batches.heads[i];

			if (b->submission != NULL)
				play_dropped(b->submission);
			batch_gone(l, b);
		}
	}
	chains_free(&l->batches);
}

size_t
layer_size(const struct layer *l)
{
	return l->queues.by_ring.n + l->buffers.batches.n;
}

void
layer_end(struct layer *l)
{
	if (l == NULL)
		return;
	sim_remove_observer(l->sim, &l->observer);
	layer_settle(l);
	close_batches(l);
	layer_queues_free(&l->queues);
	layer_flush(l);
	while (l->free != NULL) {
		struct layer_batch *b = l->free;

		l->free = (struct layer_batch *)(void *)b->node.next;
		text_free(&b->texts);
		free(b->stages);
		free(b);
	}
	play_free(&l->player);
	buffers_free(&l->buffers);
	pass_sums_free(&l->sums);
	message_buffer_free(&l->out);
	free(l->clients);
	free(l);
}
