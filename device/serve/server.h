/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Serves a virtual i915 at a socket: accepts the threads of programs, passes
 * their requests on, and answers them (device/wire/wire.h). Only programs of
 * the same user and of root are served (SO_PEERCRED). Nothing here blocks: a
 * loop polls one descriptor and calls server_work().
 */
#ifndef DEVICE_SERVE_SERVER_H
#define DEVICE_SERVE_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device/turns/turns.h"

struct i915;
struct i915_host;
struct server;
struct text;

/* Questions and reports about processes that start programs on a device that
 * another process serves, and about those programs. */
struct server_run_ops {
	/* Process pid starts programs. Sets root to the folder of the device's
	 * files. */
	void (*join)(void *data, long pid, struct text *root);
	/* It has gone, or starts no more. */
	void (*leave)(void *data, long pid);
	/* Program pid, which process run started, connects. Called for each of
	 * its threads. */
	void (*program)(void *data, long run, long pid);
	/* Sets lines to what the programs did that process pid started. */
	void (*summary)(void *data, long pid, struct text *lines);
};

/* Questions and reports of a server. All members must be set, but runs. */
struct server_ops {
	/* Lets the GPU run up to now and returns the device's time in ns. Called
	 * before each request. */
	uint64_t (*advance)(void *data);
	/* A program was refused, or has broken the protocol: a line. */
	void (*problem)(void *data, const char *line);
	/* NULL: processes that start programs are refused. */
	const struct server_run_ops *runs;
};

/* Listens as that name (address.h). privileged: programs have all capabilities
 * that the uAPI asks for. ops and data must outlive the server, which the caller
 * closes. NULL: err says why. */
struct server *server_open(const char *name, bool privileged,
    const struct server_ops *ops, void *data, struct text *err);
/* Closes all connections; the device must be freed before. NULL is allowed. */
void server_close(struct server *server);

/* Returns what the device is made with (i915_new()). */
struct i915_host *server_host(struct server *server);
/* Begins to serve that device; NULL: programs are refused. */
void server_attach(struct server *server, struct i915 *dev);

/* How time is virtual: next and advance as in device/turns/turns.h, with the data
 * of the server. */
struct server_turns {
	uint64_t (*next)(void *data);
	void (*advance)(void *data, uint64_t now_ns);
	bool (*pauses)(void *data);
	uint64_t now_ns; /* the device's time at first */
	struct turns_costs costs;
};
/* Lets threads have turns in virtual time, before any program is served. Returns
 * the turns, which are the server's. */
struct turn_order *server_turns(
    struct server *server, const struct server_turns *how);

/* Returns the path of the socket. Valid until server_close(). */
const char *server_path(const struct server *server);
/* Returns a descriptor that is readable when server_work() has work. */
int server_fd(const struct server *server);
/* Serves what is ready, without waiting; max_requests at most, about. Returns
 * true if any was. */
bool server_work(struct server *server, unsigned max_requests);
/* Waits for what is ready, ms milliseconds at most, and serves some of it.
 * Returns true if any was. */
bool server_wait(struct server *server, int ms);
/* Returns the number of threads that are connected. */
size_t server_connections(const struct server *server);

#endif
