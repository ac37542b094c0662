/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --layer-connect: frames, as they are complete, to Arm's host server. A frame
 * for which the queue has no room is dropped whole; the server gets an empty
 * one in its place, so that later frames keep their numbers.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/util.h"
#include "engine/sim.h"
#include "trace/host.h"
#include "trace/outputs.h"

#define CONNECT_MS 5000
#define STALL_MS   10000
#define SOON_MS    500 /* a wait below this needs no word */
#define QUEUE      ((size_t)32 << 20)
#define ASK_AFTER  ((size_t)256 << 10)
#define LEAST      (HOST_HEADER + 2) /* bytes of a message */

/* The state of a device at the server. */
struct host_device {
	bool known;
	uint64_t number; /* of the current frame */
	nsec dropped;    /* end of the last frame that was dropped */
};

struct host_output {
	struct output output;
	struct arm_frames frames;
	struct host_client *client;
	char *address;
	struct layer *layer; /* NULL: none is listened to */
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
	if (host_client_sent(h->client) == 0)
		host_records_header(&h->records);
	if (!d->known)
		host_records_device(&h->records, frame->device,
		    layer_client(h->layer, frame->device), name);
	if (number != d->number)
		host_records_next(
		    &h->records, frame->device, number, d->dropped);
	host_records_frame(&h->records, frame);
	host_records_next(&h->records, frame->device, number + 1, at);
}

static void
send_frame(struct arm_frames *frames, struct arm_frame *frame, uint64_t number,
    nsec at)
{
	struct host_output *h = container_of(
	    frames, struct host_output, frames);
	struct host_client *client = h->client;
	struct host_device *d = host_device_of(h, frame->device);
	size_t least = LEAST * (frame->n_submits + frame->n_workloads);

	h->made++;
	if (host_client_problem(client) != NULL)
		return;
	if (host_client_has_room(client, least)) {
		encode_frame(h, d, frame, number, at);
		if (host_client_send(
			client, h->records.bytes.data, h->records.bytes.len)) {
			d->known = true;
			d->number = number + 1;
			return;
		}
	}
	h->dropped++;
	d->dropped = at;
}

struct output *
host_output_new(struct host_client *client, const char *address)
{
	struct host_output *h = mem_calloc(1, sizeof(*h));

	h->output.ops = &output_server;
	h->frames.over = send_frame;
	h->client = client;
	h->address = mem_strdup(address);
	h->records.endpoint = host_client_endpoint(client);
	return &h->output;
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
	};
	struct host_client *client;

	text_addf(err, "--layer-connect %s: ", target->path);
	client = host_client_open(&options, err);
	if (client == NULL)
		return NULL;
	text_clear(err);
	return host_output_new(client, target->path);
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

/* Waits until the server has all. waiting gets a line if that takes a while. */
static bool
wait_for_server(
    struct host_output *h, int limit_ms, void (*waiting)(const char *line))
{
	struct deadline soon = deadline_in(SOON_MS);
	struct text line = {0};

	if (waiting == NULL || limit_ms <= SOON_MS)
		return host_client_finish(h->client, STALL_MS, limit_ms);
	if (host_client_finish(h->client, SOON_MS, SOON_MS))
		return true;
	/* It returns before its limit if a signal came. */
	if (host_client_problem(h->client) != NULL || deadline_left(&soon) > 0)
		return false;
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
	bool ok = wait_for_server(h, limit_ms, waiting);
	const char *problem = host_client_problem(h->client);

	if (!ok)
		add_lost(h,
		    problem != NULL ? problem
				    : "the server does not take the rest",
		    err);
	else if (h->dropped > 0)
		text_addf(err,
		    "--layer-connect %s: the server is slower than the run: "
		    "%" PRIu64 " of %" PRIu64 " frames were not sent",
		    h->address, h->dropped, h->made);
	return ok;
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
