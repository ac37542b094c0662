/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a connection to Arm's host server begins, within a time limit. */
#ifndef TRACE_HOST_CONNECT_H
#define TRACE_HOST_CONNECT_H

#include <stdbool.h>
#include <stdint.h>

struct host_options;
struct text;

/* Of the question that it asks: the first. */
#define HOST_CONNECT_ID 1

/* A socket that does not block, and the service's endpoint; -1 and a text, as
 * host_client_open(). */
int host_connect(
    const struct host_options *options, uint8_t *endpoint, struct text *err);

/* A moment of the wall clock. */
struct deadline {
	int64_t at_ms;
};

/* The part of it behind the connecting: asks for the service's endpoint. */
bool host_greet(int fd, const struct host_options *options,
    const struct deadline *d, uint8_t *endpoint, struct text *err);

/* So many milliseconds from now. */
struct deadline deadline_in(int ms);
/* Milliseconds until then; 0: it is over. */
int deadline_left(const struct deadline *d);

#endif
