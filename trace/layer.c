/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the simulation does, as calls to the layer. */
#include "trace/layer.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/text.h"
#include "engine/gpu/pace.h"
#include "trace/layer_part.h"

struct layer_queue {
	struct chain_node node; /* by ring */
	struct queue queue;
};

struct layer {
	struct observer observer;
	struct play_sink sink;
	struct message_buffer out;
	struct sim *sim;
	struct layer_listener *listeners;
	struct player player;
	struct buffers buffers;
	struct chains queues, flights;
	struct pass_sums sums;
	struct flight *free;
	struct flight *submitting; /* what is played now is of it */
	struct queue *playing;     /* on that */
	struct flight *ending;     /* what is resolved now is of it */
	struct known_client *clients;
	size_t n_clients, cap_clients;
	unsigned introduction; /* from 1: counts who has to be told of them */
	struct layer_numbers numbers; /* tag and submit: as it began */
	uint64_t first_device;        /* of client 0; 0 would be none */
	size_t sweep_at;              /* when there are that many queues */
};

struct known_client {
	uint64_t frame; /* the next number */
	unsigned introduction;
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
	return (struct layer *)((char *)o - offsetof(struct layer, observer));
}

/* A client is a device to itself. */
static uint64_t
device_of(const struct layer *l, const struct client *c)
{
	return l->first_device + c->id;
}

static nsec
time_of(const struct layer *l)
{
	return l->numbers.past + l->sim->now;
}

static void
know_client(struct layer *l, const struct client *c)
{
	struct play_device d = {
	    .device = device_of(l, c),
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

static int
is_of_ended(const struct chain_node *node, const void *with)
{
	const struct ring *ring = node->p;

	(void)with;
	return ring->context->client->state == CLIENT_ENDED;
}

static void
queue_gone(struct chain_node *node)
{
	struct layer_queue *q = (struct layer_queue *)(void *)node;

	queue_free(&q->queue);
	free(q);
}

static struct queue *
queue_of(struct layer *l, const struct request *rq)
{
	struct chain_node *node = chains_find(&l->queues, rq->ring, 0);
	struct layer_queue *q = (struct layer_queue *)(void *)node;

	if (node != NULL)
		return &q->queue;
	chains_sweep_some(
	    &l->queues, &l->sweep_at, is_of_ended, NULL, queue_gone);
	q = mem_calloc(1, sizeof(*q));
	q->node.p = rq->ring;
	queue_init(&q->queue, &l->player, device_of(l, rq->client),
	    ++l->numbers.queue);
	chains_add(&l->queues, &q->node);
	return &q->queue;
}

static struct flight *
flight_new(struct layer *l, struct request *rq)
{
	struct flight *f = l->free;

	if (f != NULL)
		l->free = (struct flight *)(void *)f->node.next;
	else
		f = mem_calloc(1, sizeof(*f));
	f->node.p = NULL;
	f->node.n = rq->seq;
	f->rq = rq;
	f->pass = NULL;
	f->submission = NULL;
	f->sums = &l->sums;
	f->total = rq->infinite ? NSEC_NEVER : rq->duration_ns;
	f->done = f->ran = 0;
	f->weight = 0;
	f->n_parts = 0;
	text_clear(&f->texts);
	chains_add(&l->flights, &f->node);
	return f;
}

static void
flight_gone(struct layer *l, struct flight *f)
{
	chains_remove(&l->flights, &f->node);
	recording_release(f->recording);
	recording_release(f->pass);
	f->node.next = (struct chain_node *)(void *)l->free;
	l->free = f;
}

static struct flight *
flight_of(const struct layer *l, const struct request *rq)
{
	return (struct flight *)(void *)chains_find(&l->flights, NULL, rq->seq);
}

const struct flight *
layer_flight(const struct layer *l, uint64_t seq)
{
	return (struct flight *)(void *)chains_find(&l->flights, NULL, seq);
}

/* Nobody asks later for what it executes. */
static void
play_nothing(struct layer *l, struct recording *recording)
{
	struct submission *none;

	play_submit(l->playing, &recording, 1, time_of(l), &none);
}

static void
on_submitted(struct observer *o, struct request *rq)
{
	struct layer *l = layer_of(o);
	struct recording *recording = buffers_recording(
	    &l->buffers, l->sim, rq);
	struct flight *f;

	know_client(l, rq->client);
	l->playing = queue_of(l, rq);
	if (l->player.sink == NULL && recording->resolve.n == 0) {
		play_nothing(l, recording);
		return;
	}
	f = flight_new(l, rq);
	f->recording = recording;
	recording_keep(recording);
	l->submitting = f;
	TELL(l, submitted, device_of(l, rq->client), l->playing->id);
	play_submit(l->playing, &f->recording, 1, time_of(l), &f->submission);
	l->submitting = NULL;
}

static void
on_executed(struct play_sink *sink, const struct execution *e)
{
	struct layer *l =
	    (struct layer *)((char *)sink - offsetof(struct layer, sink));
	struct flight *f = l->submitting;

	if (f == NULL)
		return;
	/* A pass of another recording may be over, and that gone, when this
	 * batch runs. */
	if (e->part != e->workload && f->pass == NULL &&
	    l->playing->pass.kept != NULL) {
		f->pass = l->playing->pass.kept;
		recording_keep(f->pass);
	}
	if (e->part != e->workload)
		pass_sums_set(&l->sums, e->workload->tag, e->submit,
		    l->playing->pass.draws);
	flight_add(f, e);
	TELL(l, executed, l->playing->device, e);
}

/* Of a queue that goes, nobody knows more than that it does. */
static void
on_summed(struct play_sink *sink, const struct layer_workload *pass,
    uint64_t submit, int64_t draws, uint32_t parts, bool closed)
{
	struct layer *l =
	    (struct layer *)((char *)sink - offsetof(struct layer, sink));

	(void)parts;
	(void)closed;
	if (l->submitting != NULL)
		TELL(l, known, l->playing->device, pass, submit, draws);
}

/* After a reset it does all again. */
static void
on_began(struct observer *o, struct request *rq)
{
	struct layer *l = layer_of(o);
	struct flight *f = l->player.sink ? flight_of(l, rq) : NULL;

	if (f == NULL || rq->run_ns >= f->ran)
		return;
	f->done = rq->work_ns;
	f->ran = rq->run_ns;
}

/* Up to now it got on evenly; who has no end of its own has no other pace. */
static void
on_paced(struct observer *o, struct request *rq)
{
	struct layer *l = layer_of(o);
	struct flight *f = l->player.sink ? flight_of(l, rq) : NULL;

	if (f != NULL && f->total != NSEC_NEVER)
		flight_tell(f, rq->engine, l->sim->now, l->listeners);
}

static void
on_left(struct observer *o, const struct hw_engine *e, struct request *rq,
    enum leaving why, const struct request *by)
{
	struct layer *l = layer_of(o);
	struct flight *f = l->player.sink ? flight_of(l, rq) : NULL;

	(void)why;
	(void)by;
	if (f != NULL)
		flight_tell(f, e, l->sim->now, l->listeners);
}

static void
on_resolved(
    struct play_sink *sink, const struct layer_workload *w, uint64_t submit)
{
	struct layer *l =
	    (struct layer *)((char *)sink - offsetof(struct layer, sink));

	TELL(l, known, device_of(l, l->ending->rq->client), w, submit,
	    WORKLOAD_UNKNOWN);
}

static void
tell_lost(struct layer *l, const struct flight *f)
{
	uint64_t device = device_of(l, f->rq->client);

	for (size_t i = 0; i < f->n_parts; i++) {
		const struct batch_part *part = &f->parts[i];

		if (part->workload->info.indirect)
			TELL(l, lost, device, part->workload, part->submit);
	}
}

static void
on_ended(struct observer *o, struct request *rq)
{
	struct layer *l = layer_of(o);
	struct flight *f = l->flights.n > 0 ? flight_of(l, rq) : NULL;

	if (f == NULL)
		return;
	l->ending = f;
	if (f->submission != NULL && rq->finished.error == 0) {
		play_completed(f->submission);
	} else if (f->submission != NULL) {
		tell_lost(l, f);
		play_dropped(f->submission);
	}
	TELL(l, done, f);
	flight_gone(l, f);
}

static void
on_iterated(struct observer *o, struct client *c)
{
	struct layer *l = layer_of(o);

	know_client(l, c);
	TELL(l, framed, device_of(l, c), l->clients[c->id].frame);
	play_frame(
	    &l->player, device_of(l, c), l->clients[c->id].frame++, time_of(l));
}

static void
on_messages(struct message_buffer *b, const uint8_t *data, size_t n)
{
	struct layer *l =
	    (struct layer *)((char *)b - offsetof(struct layer, out));

	for (struct layer_listener *to = l->listeners; to; to = to->next)
		if (to->messages != NULL)
			to->messages(to, data, n);
}

struct layer *
layer_begin(struct sim *sim, struct report *report)
{
	struct layer *l = mem_calloc(1, sizeof(*l));

	l->sim = sim;
	l->introduction = 1;
	l->first_device = 1;
	l->out.drain = on_messages;
	l->sink.executed = on_executed;
	l->sink.summed = on_summed;
	l->sink.resolved = on_resolved;
	l->buffers.report = report;
	play_init(&l->player, &l->out, &l->sink, report);
	l->observer.submitted = on_submitted;
	l->observer.began = on_began;
	l->observer.paced = on_paced;
	l->observer.left = on_left;
	l->observer.ended = on_ended;
	l->observer.iterated = on_iterated;
	sim_add_observer(sim, &l->observer);
	return l;
}

void
layer_go_on(struct layer *l, const struct layer_numbers *numbers)
{
	l->numbers = *numbers;
	l->buffers.tags.last = numbers->tag;
	l->player.last_submit = numbers->submit;
	l->first_device = numbers->device + 1;
}

void
layer_numbers(const struct layer *l, struct layer_numbers *numbers)
{
	*numbers = l->numbers;
	numbers->tag = l->buffers.tags.last;
	numbers->submit = l->player.last_submit;
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

/* Does anybody want more than messages? Of a batch that is in flight when that
 * changes its workloads are not told. */
static void
choose_sink(struct layer *l)
{
	l->player.sink = NULL;
	for (struct layer_listener *to = l->listeners; to; to = to->next)
		if (to->interval || to->submitted || to->executed ||
		    to->known || to->done)
			l->player.sink = &l->sink;
}

void
layer_listen(struct layer *l, struct layer_listener *listener)
{
	layer_flush(l);
	listener->next = l->listeners;
	l->listeners = listener;
	l->introduction += listener->messages != NULL;
	choose_sink(l);
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
	choose_sink(l);
}

void
layer_flush(struct layer *l)
{
	message_drain(&l->out);
}

bool
layer_now(
    const struct layer *l, const struct request *rq, struct layer_interval *i)
{
	const struct flight *f = flight_of(l, rq);

	if (f == NULL || rq->piece_ns == NSEC_NEVER)
		return false;
	*i = (struct layer_interval){
	    .engine = rq->engine, .start = rq->piece_ns, .end = l->sim->now};
	flight_describe(f, flight_at(f, pace_done(rq, l->sim->now)), i);
	return i->part != LAYER_NOTHING;
}

void
layer_tell_suspended(struct layer *l, struct layer_listener *listener)
{
	for (size_t i = 0; i < l->queues.cap; i++) {
		struct chain_node *node = l->queues.heads[i];

		for (; node != NULL; node = node->next) {
			struct layer_queue *q =
			    (struct layer_queue *)(void *)node;
			const struct queue_pass *pass = &q->queue.pass;

			if (pass->workload != NULL)
				listener->known(listener, q->queue.device,
				    pass->workload, pass->submit, pass->draws);
		}
	}
}

void
layer_settle(struct layer *l)
{
	for (size_t i = 0; i < l->flights.cap; i++) {
		struct chain_node *node = l->flights.heads[i];

		for (; node != NULL; node = node->next) {
			struct flight *f = (struct flight *)(void *)node;

			if (f->rq->piece_ns != NSEC_NEVER)
				flight_tell(f, f->rq->engine, l->sim->now,
				    l->listeners);
		}
	}
}

/* What has not ended never will. */
static void
close_flights(struct layer *l)
{
	for (size_t i = 0; i < l->flights.cap; i++) {
		while (l->flights.heads[i] != NULL) {
			struct flight *f =
			    (struct flight *)(void *)l->flights.heads[i];

			if (f->submission != NULL)
				play_dropped(f->submission);
			flight_gone(l, f);
		}
	}
	chains_free(&l->flights);
}

size_t
layer_size(const struct layer *l)
{
	return l->queues.n + l->buffers.batches.n;
}

void
layer_end(struct layer *l)
{
	if (l == NULL)
		return;
	sim_remove_observer(l->sim, &l->observer);
	layer_settle(l);
	close_flights(l);
	chains_sweep(&l->queues, NULL, NULL, queue_gone);
	chains_free(&l->queues);
	layer_flush(l);
	while (l->free != NULL) {
		struct flight *f = l->free;

		l->free = (struct flight *)(void *)f->node.next;
		text_free(&f->texts);
		free(f->parts);
		free(f);
	}
	play_free(&l->player);
	buffers_free(&l->buffers);
	pass_sums_free(&l->sums);
	message_buffer_free(&l->out);
	free(l->clients);
	free(l);
}
