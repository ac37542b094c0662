/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Arm's host server (lgl_host_server.py): its wire protocol, a connection to
 * it, and the records of its GPU timeline service. doc/layer.md "Arm's wire
 * protocol" and "Arm's records" have the formats.
 *
 * host_wire.c is the wire protocol, host_connect.c finds and connects,
 * host_client.c sends and counts answers, host_records.c encodes frames,
 * host_output.c is --layer-connect.
 */
#ifndef TRACE_HOST_H
#define TRACE_HOST_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "trace/arm_frames.h"

struct output;

/*
 * The wire protocol: messages of a header and a payload. The client begins;
 * only what it asks (HOST_ASK) is answered, in order.
 */

#define HOST_HEADER   14 /* bytes */
#define HOST_REGISTRY 0  /* the endpoint that lists the others */
/* Most bytes of an answer, far above a list of 256 names. */
#define HOST_ANSWER_MAX ((uint32_t)64 << 10)

enum host_type {
	HOST_SEND = 0,
	HOST_ASK = 2,
};

/* Writes the header of a message with a payload of size bytes. id is from 1 for
 * HOST_ASK, else 0. */
void host_put_header(uint8_t at[HOST_HEADER], enum host_type type,
    uint8_t endpoint, uint64_t id, uint32_t size);

/* The size of the payload of a message. */
uint32_t host_payload_size(const uint8_t header[HOST_HEADER]);

/*
 * Reads the answer to question id at the beginning of data. NULL: *used is its
 * size, 0 if more bytes are needed, and *payload (*used - HOST_HEADER bytes)
 * points into data. Else what is wrong with it.
 */
const char *host_read_answer(const uint8_t *data, size_t len, uint64_t id,
    size_t *used, const uint8_t **payload);

/*
 * Looks for a service in the registry's answer. NULL: *endpoint is its
 * endpoint, 0 if there is no such service. Else what is wrong with the list.
 * The names in the list are appended to names, with ", " between them.
 */
const char *host_find_service(const uint8_t *list, size_t len, const char *name,
    uint8_t *endpoint, struct text *names);

/* Addresses: HOST:PORT. */

#define HOST_NAME_MAX_LEN 255

struct host_address {
	char host[HOST_NAME_MAX_LEN + 1];
	char port[6];
};

/* Reads "localhost:62142", "127.0.0.1:62142" or "[::1]:62142"; false if text is
 * none of these. */
bool host_address_parse(struct host_address *a, const char *text);
/* True for localhost, 127.x.x.x and ::1. Asks no resolver. */
bool host_address_is_local(const struct host_address *a);
/* A point in wall-clock time. */
struct deadline {
	int64_t at_ms;
};

struct deadline deadline_in(int ms);
/* Milliseconds until then; 0: it has passed. */
int deadline_left(const struct deadline *d);

/*
 * A client. Only opening, host_client_wait() and host_client_finish() wait.
 * Messages go into a queue, and from there to the server as it takes them. The
 * server is often asked for its list of services: its answer means that it has
 * handled all messages before the question. A connection that broke stays
 * broken: messages are dropped then.
 */

struct host_options {
	const char *address; /* HOST:PORT */
	bool remote;         /* it may be another machine */
	const char *service; /* to look for */
	int limit_ms;        /* until the service is found */
	size_t queue;        /* bytes that may wait */
	size_t ask_after;    /* bytes between two questions, */
	unsigned ask_ms;     /* or this time, for fewer bytes */
};

/* Questions that may wait for their answers. */
#define HOST_MOST_ASKED 65536
#define HOST_CLOSED     "the server closed the connection"

#define HOST_CONNECT_ID 1 /* of the question that host_connect() asks */

/* Connects and finds the service. Returns a socket that does not block, with
 * the service's endpoint, or -1 with one line in err: what is wrong and what
 * would be right. */
int host_connect(
    const struct host_options *options, uint8_t *endpoint, struct text *err);
/* The part of host_connect() after connecting: finds the service. */
bool host_greet(int fd, const struct host_options *options,
    const struct deadline *d, uint8_t *endpoint, struct text *err);

struct host_client;

/* NULL with one line in err, as host_connect(). */
struct host_client *host_client_open(
    const struct host_options *options, struct text *err);
/* Uses a connection that is open; fd belongs to the client then. */
struct host_client *host_client_on(
    int fd, uint8_t endpoint, const struct host_options *options);
/* Closes; what is still in the queue is lost. NULL is nothing. */
void host_client_close(struct host_client *c);

/* The service's endpoint. */
uint8_t host_client_endpoint(const struct host_client *c);
/* True if len bytes fit in the queue; always when it is empty. */
bool host_client_has_room(const struct host_client *c, size_t len);
/* Queues a batch of whole messages. False, with none of it queued, if there is
 * no room. */
bool host_client_send(struct host_client *c, const void *messages, size_t len);
/* The same, with room or without. */
void host_client_push(struct host_client *c, const void *messages, size_t len);
/* The same for messages that are not a batch. */
void host_client_say(struct host_client *c, const void *messages, size_t len);
/* Sends what can be sent and reads answers, without waiting. */
void host_client_work(struct host_client *c);
/* When host_client_work() is of use: a descriptor, -1 for none, and the events
 * that poll() has to wait for. */
int host_client_poll(const struct host_client *c, short *events);
/* How a wait for the server ended. */
enum host_wait {
	HOST_DONE,
	HOST_BROKEN,    /* the connection; host_client_problem() says why */
	HOST_STALLED,   /* nothing was sent or answered for stall_ms */
	HOST_TIMED_OUT, /* it still worked after limit_ms */
	HOST_SIGNALLED, /* a signal came */
};

/* Sends until len bytes fit in the queue, or *stop is not 0. */
enum host_wait host_client_wait(struct host_client *c, size_t len, int stall_ms,
    const volatile sig_atomic_t *stop);
/* Sends all and waits until the server has handled it. */
enum host_wait host_client_finish(
    struct host_client *c, int stall_ms, int limit_ms);
/* Closes the connection, if it is not broken; why is part of a sentence. */
void host_client_break(struct host_client *c, const char *why);

/* Why the connection broke, as part of a sentence; NULL: it did not. */
const char *host_client_problem(const struct host_client *c);
/* Batches that were queued, and those that the server is known to have
 * handled. */
uint64_t host_client_sent(const struct host_client *c);
uint64_t host_client_handled(const struct host_client *c);

/*
 * Records of the GPU timeline service, each in a message of its own. Unknown
 * numbers of a render pass are left out, which the service reads as 0: the
 * fields have no room for -1. A label more says so.
 */

#define HOST_SERVICE "GPUTimeline"

/* Zeroed but for the endpoint: to begin with. */
struct host_records {
	uint8_t endpoint;  /* of the service */
	struct text bytes; /* messages; the caller takes and clears them */
	/* Labels of the workload being encoded; they point into chars. */
	struct text chars;
	char **labels;
	size_t n_labels, cap_labels;
};

void host_records_free(struct host_records *r);
/* The first record of a connection. */
void host_records_header(struct host_records *r);
/* Comes before all other records of the device, which begins with frame 0.
 * Invalid UTF-8 in name is replaced. */
void host_records_device(struct host_records *r, uint64_t device,
    uint32_t process, const char *name);
/* Submissions of the device's current frame. */
void host_records_frame(struct host_records *r, const struct arm_frame *f);
/* Submissions without a workload, of which the service makes at least that many
 * bytes of JSON. */
void host_records_padding(
    struct host_records *r, uint64_t device, size_t bytes, uint64_t now_ns);
/* Ends the current frame; the next one has this number. */
void host_records_next(
    struct host_records *r, uint64_t device, uint64_t number, uint64_t now_ns);

/* --layer-connect with a client that is open and belongs to the output then.
 * The address is for messages to the user. stop: as struct output_target has
 * it. The first record is queued. */
struct output *host_output_new(struct host_client *client, const char *address,
    const volatile sig_atomic_t *stop);

#endif
