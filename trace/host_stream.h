/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --layer-connect: frames, as they end, to Arm's host server. A frame for which
 * the queue to the server has no room is dropped, all of it; an empty one
 * stands in the server's file then, so that those behind it keep their numbers.
 */
#ifndef TRACE_HOST_STREAM_H
#define TRACE_HOST_STREAM_H

#include "trace/arm_frames.h"
#include "trace/host_client.h"
#include "trace/host_records.h"

struct host_stream {
	struct arm_frames frames;
	struct host_client *client; /* NULL: none */
	const struct layer *layer;  /* that it listens to */
	const char *address;
	struct host_records records;
	struct host_device *devices;
	size_t n_devices, cap_devices;
	int stall_ms;           /* that host_stream_end() allows */
	uint64_t made, dropped; /* frames */
	bool said_broken, said_dropped;
};

/* Connects to HOST:PORT, beyond loopback only if remote; NULL: does nothing.
 * False and a line, without a newline: there is no such server. */
bool host_stream_open(
    struct host_stream *s, const char *address, bool remote, struct text *err);
/* The same with a client that is open, and belongs to s then. */
void host_stream_init(
    struct host_stream *s, struct host_client *client, const char *address);
/* Listens to l, of sim, from now on, until host_stream_leave(): what is left
 * goes into the queue then. Of several, one after the other. */
void host_stream_listen(
    struct host_stream *s, struct layer *l, const struct sim *sim);
void host_stream_leave(struct host_stream *s, struct layer *l);
/* Sends what can be sent now. True, once each, when the connection has broken
 * or the first frame was dropped: said gets a line about it. */
bool host_stream_work(struct host_stream *s, struct text *said);
/*
 * Waits until the server has all, for limit_ms at most or until there is a
 * signal, and closes. False and a line: not all arrived; where the server was
 * only too slow for all of it, the line and true. Nothing if it is not open.
 * waiting, which may be NULL, is told, with a line, when that takes a while.
 */
bool host_stream_end(struct host_stream *s, int limit_ms,
    void (*waiting)(const char *line), struct text *err);

#endif
