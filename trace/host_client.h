/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A connection to Arm's host server. It is opened with a time limit; from then
 * on nothing waits: what is told goes into a queue, and on from there as the
 * server takes it. Now and then the server is asked for its list of services:
 * its answer means that it has handled all that was told before.
 *
 * A connection that broke stays so: what is told goes nowhere then.
 */
#ifndef TRACE_HOST_CLIENT_H
#define TRACE_HOST_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text;

struct host_options {
	const char *address; /* HOST:PORT */
	bool remote;         /* it may be another machine */
	const char *service; /* that is looked for */
	int limit_ms;        /* until it is found */
	size_t queue;        /* bytes that may wait */
	size_t ask_after;    /* bytes between two questions */
};

struct host_client;

/* NULL and a text, of one line: what is wrong, and what would be right. */
struct host_client *host_client_open(
    const struct host_options *options, struct text *err);
/* On a connection that is open, and belongs to the client then. */
struct host_client *host_client_on(
    int fd, uint8_t endpoint, const struct host_options *options);
/* What is still in the queue is lost. */
void host_client_close(struct host_client *c);

/* Of the service. */
uint8_t host_client_endpoint(const struct host_client *c);

/* May so many bytes be told? When nothing waits any number may. */
bool host_client_has_room(const struct host_client *c, size_t len);
/* A batch of whole messages, that are told together or, where there is no room,
 * not at all: false. */
bool host_client_tell(struct host_client *c, const void *messages, size_t len);
/* Sends what can be sent, and takes what was answered; does not wait. */
void host_client_work(struct host_client *c);
/* When host_client_work() is of use: a descriptor, -1 for none, and what poll()
 * has to wait for. */
int host_client_poll(const struct host_client *c, short *events);
/*
 * Sends all, until the server has handled it. Gives up when nothing has moved
 * for stall_ms, after limit_ms, or when a signal came: then false.
 */
bool host_client_finish(struct host_client *c, int stall_ms, int limit_ms);

/* Why it broke, as a part of a sentence; NULL: it did not. */
const char *host_client_problem(const struct host_client *c);
/* Batches that were told; and those that the server is known to have handled. */
uint64_t host_client_told(const struct host_client *c);
uint64_t host_client_handled(const struct host_client *c);

#endif
