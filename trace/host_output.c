/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --layer-connect: frames, as they are complete, to Arm's host server. A run
 * that does not wait drops a frame for which the queue has no room; the server
 * gets an empty one in its place, so that later frames keep their numbers.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/util.h"
#include "engine/sim.h"
#include "trace/host.h"
#include "trace/outputs.h"

#define CONNECT_MS     5000
#define STALL_MS       10000
#define STALLED        "the server has made no progress for 10 s"
#define RESTART_SERVER ": restart it: Arm's server takes one session per start"
#define SOON_MS        500 /* a wait below this needs no word */
#define QUEUE          ((size_t)32 << 20)
#define ASK_AFTER      1024
#define ASK_MS         250
#define LEAST          (HOST_HEADER + 2) /* bytes of a message */
/* The server does not flush its file at its end. Python's files have buffers up
 * to this size. */
#define PADDING ((size_t)128 << 10)

/* The state of a device at the server. */
struct host_device {
	bool known;
	uint64_t number; /* of the current frame, */
	nsec at;         /* and the end of the one before */
	nsec dropped;    /* end of the last frame that was dropped */
};

struct host_output {
	struct output output;
	struct arm_frames frames;
	struct host_client *client;
	char *address;
	const volatile sig_atomic_t *stop; /* as in struct output_target */
	struct layer *layer;               /* NULL: none is listened to */
	struct host_records records;
	struct host_device *devices;
	size_t n_devices, cap_devices;
	uint64_t made, dropped; /* frames */
	bool reported_broken, reported_dropped;
};

static struct host_device *
host_device_of(struct host_output *h, uint64_t device)
{
	for (; h->n_devices <= device; h->n_devices++) {
		h->devices = mem_grow(h->devices, h->n_devices, &h->cap_devices,
		    sizeof(*h->devices));
		h->devices[h->n_devices] = (struct host_device){0};
	}
	return &h->devices[device];
}

/* Encodes a frame and what has to come before it. A client is a device, as in
 * the layer's messages. */
static void
encode_frame(struct host_output *h, const struct host_device *d,
    const struct arm_frame *frame, uint64_t number, nsec at)
{
	const char *name = h->frames.sim->config.profile.name;

	text_clear(&h->records.bytes);
	if (!d->known)
		host_records_device(&h->records, frame->device,
		    layer_client(h->layer, frame->device), name);
	if (number != d->number)
		host_records_next(
		    &h->records, frame->device, number, d->dropped);
	host_records_frame(&h->records, frame);
	host_records_next(&h->records, frame->device, number + 1, at);
}

/* Queues what was encoded. False: there is no room, and the run does not wait.
 * After a signal there is room for what is left. */
static bool
send_records(struct host_output *h)
{
	const struct text *bytes = &h->records.bytes;

	if (h->stop == NULL)
		return host_client_send(h->client, bytes->data, bytes->len);
	if (host_client_wait(h->client, bytes->len, STALL_MS, h->stop) ==
	    HOST_STALLED)
		host_client_break(h->client, STALLED);
	host_client_push(h->client, bytes->data, bytes->len);
	return true;
}

static void
send_frame(struct arm_frames *frames, struct arm_frame *frame, uint64_t number,
    nsec at)
{
	struct host_output *h = container_of(
	    frames, struct host_output, frames);
	struct host_device *d = host_device_of(h, frame->device);
	size_t least = LEAST * (frame->n_submits + frame->n_workloads);

	h->made++;
	if (host_client_problem(h->client) != NULL)
		return;
	if (h->stop != NULL || host_client_has_room(h->client, least)) {
		encode_frame(h, d, frame, number, at);
		if (send_records(h)) {
			d->known = true;
			d->number = number + 1;
			d->at = at;
			return;
		}
	}
	h->dropped++;
	d->dropped = at;
}

struct output *
host_output_new(struct host_client *client, const char *address,
    const volatile sig_atomic_t *stop)
{
	struct host_output *h = mem_calloc(1, sizeof(*h));

	h->output.ops = &output_server;
	h->frames.over = send_frame;
	h->client = client;
	h->address = mem_strdup(address);
	h->stop = stop;
	h->records.endpoint = host_client_endpoint(client);
	host_records_header(&h->records);
	host_client_say(client, h->records.bytes.data, h->records.bytes.len);
	return &h->output;
}

/* Waits for the server to handle the header, which a server that had a session
 * refuses. */
static bool
session_accepted(struct host_client *client, struct text *err)
{
	switch (host_client_finish(client, CONNECT_MS, CONNECT_MS)) {
	case HOST_DONE: return true;
	case HOST_BROKEN:
		text_adds(err, host_client_problem(client));
		if (strcmp(host_client_problem(client), HOST_CLOSED) == 0)
			text_adds(err, RESTART_SERVER);
		return false;
	default:
		text_adds(err, "it does not answer: is it Arm's host server?");
		return false;
	}
}

static struct output *
host_output_open(const struct output_target *target, struct text *err)
{
	const struct host_options options = {
	    .address = target->path,
	    .remote = target->remote,
	    .service = HOST_SERVICE,
	    .limit_ms = CONNECT_MS,
	    .queue = QUEUE,
	    .ask_after = ASK_AFTER,
	    .ask_ms = ASK_MS,
	};
	struct host_client *client;
	struct output *o;

	text_addf(err, "--layer-connect %s: ", target->path);
	client = host_client_open(&options, err);
	if (client == NULL)
		return NULL;
	o = host_output_new(client, target->path, target->stop);
	if (!session_accepted(client, err)) {
		o->ops->close(o);
		return NULL;
	}
	text_clear(err);
	return o;
}

static void
host_output_watch(struct output *o, const struct output_launch *launch)
{
	struct host_output *h = (struct host_output *)o;

	h->layer = launch->layer;
	arm_frames_begin(&h->frames, h->layer, launch->sim);
}

static void
host_output_leave(struct output *o)
{
	struct host_output *h = (struct host_output *)o;

	arm_frames_end(&h->frames, h->layer);
	h->layer = NULL;
}

static bool
host_output_work(struct output *o, struct text *news)
{
	struct host_output *h = (struct host_output *)o;
	const char *problem;

	if (h->reported_broken)
		return false;
	host_client_work(h->client);
	problem = host_client_problem(h->client);
	if (problem != NULL) {
		h->reported_broken = true;
		text_addf(news,
		    "--layer-connect: %s: the run goes on without it", problem);
		return true;
	}
	if (h->dropped == 0 || h->reported_dropped)
		return false;
	h->reported_dropped = true;
	text_adds(news,
	    "--layer-connect: the server is slower than the run: frames are "
	    "dropped");
	return true;
}

static int
host_output_poll(const struct output *o, short *events)
{
	return host_client_poll(
	    ((const struct host_output *)o)->client, events);
}

static void
add_lost(const struct host_output *h, const char *why, struct text *err)
{
	text_addf(err,
	    "--layer-connect %s: %s: of %" PRIu64 " frames %" PRIu64
	    " are known to have arrived",
	    h->address, why, h->made, host_client_handled(h->client));
}

/* Ends the session with a frame that is long enough to push the others out of
 * the server's buffer. Nothing has run in it, so viewers do not show it. */
static void
send_padding(struct host_output *h)
{
	size_t i = 0;

	while (i < h->n_devices && !h->devices[i].known)
		i++;
	if (i == h->n_devices)
		return;
	text_clear(&h->records.bytes);
	host_records_padding(&h->records, i, PADDING, h->devices[i].at);
	host_records_next(
	    &h->records, i, h->devices[i].number + 1, h->devices[i].at);
	host_client_say(h->client, h->records.bytes.data, h->records.bytes.len);
}

/* Waits until the server has all. waiting gets a line if that takes a while. */
static enum host_wait
wait_for_server(
    struct host_output *h, int limit_ms, void (*waiting)(const char *line))
{
	struct text line = {0};
	enum host_wait end;

	if (waiting == NULL || limit_ms <= SOON_MS)
		return host_client_finish(h->client, STALL_MS, limit_ms);
	end = host_client_finish(h->client, STALL_MS, SOON_MS);
	if (end != HOST_TIMED_OUT)
		return end;
	text_addf(&line,
	    "--layer-connect %s: waits for the server to take all (^C ends "
	    "that)",
	    h->address);
	waiting(text_str(&line));
	text_free(&line);
	return host_client_finish(h->client, STALL_MS, limit_ms - SOON_MS);
}

static bool
host_output_finish(struct output *o, int limit_ms,
    void (*waiting)(const char *line), struct text *err)
{
	struct host_output *h = (struct host_output *)o;

	send_padding(h);
	switch (wait_for_server(h, limit_ms, waiting)) {
	case HOST_DONE: break;
	case HOST_BROKEN:
		add_lost(h, host_client_problem(h->client), err);
		return false;
	case HOST_STALLED: add_lost(h, STALLED, err); return false;
	case HOST_TIMED_OUT:
		add_lost(h, "the server is slow, and the wait is over", err);
		return false;
	case HOST_SIGNALLED:
		add_lost(h, "a signal ended the wait", err);
		return false;
	}
	if (h->dropped > 0)
		text_addf(err,
		    "--layer-connect %s: the server is slower than the run: "
		    "%" PRIu64 " of %" PRIu64 " frames were not sent",
		    h->address, h->dropped, h->made);
	return h->dropped == 0;
}

static int
host_output_close(struct output *o)
{
	struct host_output *h = (struct host_output *)o;

	if (h->layer != NULL)
		host_output_leave(o);
	host_client_close(h->client);
	host_records_free(&h->records);
	free(h->devices);
	free(h->address);
	free(h);
	return 0;
}

const struct output_ops output_server = {
    .option = "--layer-connect",
    .needs_layer = true,
    .open = host_output_open,
    .watch = host_output_watch,
    .leave = host_output_leave,
    .close = host_output_close,
    .work = host_output_work,
    .poll = host_output_poll,
    .finish = host_output_finish,
};
