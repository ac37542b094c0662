/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace/host_stream.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "engine/sim.h"
#include "trace/host_connect.h"
#include "trace/host_protocol.h"

#define CONNECT_MS 5000
#define STALL_MS   10000
#define SOON_MS    500 /* nobody wonders until then */
#define QUEUE      ((size_t)32 << 20)
#define ASK_AFTER  ((size_t)256 << 10)
#define LEAST      (HOST_HEADER + 2) /* bytes of a message */

/* What the server knows of a device. */
struct host_device {
	bool known;
	uint64_t number; /* of the frame that it is in */
	nsec dropped;    /* when the last one that was dropped was over */
};

static struct host_device *
device_of(struct host_stream *s, uint64_t device)
{
	for (; s->n_devices <= device; s->n_devices++) {
		s->devices = mem_grow(s->devices, s->n_devices, &s->cap_devices,
		    sizeof(*s->devices));
		s->devices[s->n_devices] = (struct host_device){0};
	}
	return &s->devices[device];
}

/* A client is a device, as in the messages of the layer. */
static void
put_frame(struct host_stream *s, const struct host_device *d,
    const struct arm_frame *frame, uint64_t number, nsec at)
{
	const char *name = s->frames.sim->config.profile.name;

	text_clear(&s->records.bytes);
	if (host_client_told(s->client) == 0)
		host_records_header(&s->records);
	if (!d->known)
		host_records_device(&s->records, frame->device,
		    layer_client(s->layer, frame->device), name);
	if (number != d->number)
		host_records_next(
		    &s->records, frame->device, number, d->dropped);
	host_records_frame(&s->records, frame);
	host_records_next(&s->records, frame->device, number + 1, at);
}

static void
on_over(struct arm_frames *frames, struct arm_frame *frame, uint64_t number,
    nsec at)
{
	struct host_stream *s = (struct host_stream *)frames;
	struct host_client *client = s->client;
	struct host_device *d = device_of(s, frame->device);
	size_t least = LEAST * (frame->n_submits + frame->n_workloads);

	s->made++;
	if (host_client_problem(client) != NULL)
		return;
	if (host_client_has_room(client, least)) {
		put_frame(s, d, frame, number, at);
		if (host_client_tell(
			client, s->records.bytes.data, s->records.bytes.len)) {
			d->known = true;
			d->number = number + 1;
			return;
		}
	}
	s->dropped++;
	d->dropped = at;
}

void
host_stream_init(
    struct host_stream *s, struct host_client *client, const char *address)
{
	*s = (struct host_stream){
	    .frames.over = on_over,
	    .client = client,
	    .address = address,
	    .records.endpoint = host_client_endpoint(client),
	    .stall_ms = STALL_MS,
	};
}

bool
host_stream_open(
    struct host_stream *s, const char *address, bool remote, struct text *err)
{
	const struct host_options options = {
	    .address = address,
	    .remote = remote,
	    .service = HOST_SERVICE,
	    .limit_ms = CONNECT_MS,
	    .queue = QUEUE,
	    .ask_after = ASK_AFTER,
	};
	struct host_client *client;

	if (address == NULL)
		return true;
	text_addf(err, "--layer-connect %s: ", address);
	client = host_client_open(&options, err);
	if (client == NULL)
		return false;
	text_clear(err);
	host_stream_init(s, client, address);
	return true;
}

void
host_stream_listen(
    struct host_stream *s, struct layer *l, const struct sim *sim)
{
	s->layer = l;
	arm_frames_begin(&s->frames, l, sim);
}

void
host_stream_leave(struct host_stream *s, struct layer *l)
{
	arm_frames_end(&s->frames, l);
}

bool
host_stream_work(struct host_stream *s, struct text *said)
{
	const char *problem;

	if (s->client == NULL || s->said_broken)
		return false;
	host_client_work(s->client);
	problem = host_client_problem(s->client);
	if (problem != NULL) {
		s->said_broken = true;
		text_addf(said,
		    "--layer-connect: %s: the run goes on without it", problem);
		return true;
	}
	if (s->dropped == 0 || s->said_dropped)
		return false;
	s->said_dropped = true;
	text_adds(said,
	    "--layer-connect: the server is slower than the run: frames are "
	    "dropped");
	return true;
}

static void
say_lost(const struct host_stream *s, const char *why, struct text *err)
{
	text_addf(err,
	    "--layer-connect %s: %s: of %" PRIu64 " frames %" PRIu64
	    " are known to have arrived",
	    s->address, why, s->made, host_client_handled(s->client));
}

/* Waits, with a word if that is not over soon. */
static bool
finish(struct host_stream *s, int limit_ms, void (*waiting)(const char *line))
{
	struct deadline soon = deadline_in(SOON_MS);
	struct text line = {0};

	if (waiting == NULL || limit_ms <= SOON_MS)
		return host_client_finish(s->client, s->stall_ms, limit_ms);
	if (host_client_finish(s->client, SOON_MS, SOON_MS))
		return true;
	/* Before its time it ends for a signal. */
	if (host_client_problem(s->client) != NULL || deadline_left(&soon) > 0)
		return false;
	text_addf(&line,
	    "--layer-connect %s: waits for the server to take all (^C ends "
	    "that)",
	    s->address);
	waiting(text_str(&line));
	text_free(&line);
	return host_client_finish(s->client, s->stall_ms, limit_ms - SOON_MS);
}

bool
host_stream_end(struct host_stream *s, int limit_ms,
    void (*waiting)(const char *line), struct text *err)
{
	bool ok = true;
	const char *problem;

	if (s->client == NULL)
		return true;
	ok = finish(s, limit_ms, waiting);
	problem = host_client_problem(s->client);
	if (!ok)
		say_lost(s,
		    problem != NULL ? problem
				    : "the server does not take the rest",
		    err);
	else if (s->dropped > 0)
		text_addf(err,
		    "--layer-connect %s: the server is slower than the run: "
		    "%" PRIu64 " of %" PRIu64 " frames were not sent",
		    s->address, s->dropped, s->made);
	host_client_close(s->client);
	s->client = NULL;
	host_records_free(&s->records);
	free(s->devices);
	return ok;
}
