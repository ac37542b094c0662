/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A virtual i915 that is served: its socket, its files, the simulation that is
 * its GPU, and the programs that are started on it. Nothing here blocks: a loop
 * polls service_fd() until service_next(), and calls service_work().
 */
#ifndef DEVICE_SERVICE_SERVICE_H
#define DEVICE_SERVICE_SERVICE_H

#include <stdbool.h>

#include "base/nsec.h"
#include "device/serve/launch.h"

struct service;
struct sim;
struct text;
struct virtual_device;

struct service_settings {
	const char *name; /* of the device (serve/address.h); NULL: "run-PID" */
	bool privileged;  /* programs have all capabilities */
	bool in_turns;    /* time is virtual (service_turn()) */
	/* A program was refused, or has broken the protocol, or one of its batches
	 * is not executed as on hardware, or never ends: a line. */
	void (*problem)(void *data, const char *line);
	/* Returns the device's time in ns, which never goes back. NULL:
	 * clock_wall(). Not used in virtual time. */
	nsec (*clock)(void *data);
	void *data; /* of these functions; must outlive the service */
};

/* Serves the simulation from its present time on, and keeps its run open for
 * programs. sim must outlive the service, which the caller closes. NULL: err
 * says why. */
struct service *service_open(
    struct sim *sim, const struct service_settings *settings, struct text *err);
/* Ends all connections and removes socket and files. The simulation can run no
 * further, but be read. NULL is allowed. */
void service_close(struct service *s);

/* Paths of the socket and of the folder of the device's files. Valid until
 * service_close(). */
const char *service_path(const struct service *s);
const char *service_root(const struct service *s);
/* Returns the device. Valid until service_close(). */
struct virtual_device *service_device(struct service *s);
/* Returns the number of threads of programs that are connected. */
size_t service_connections(const struct service *s);

/* Returns a descriptor that is readable when service_work() has requests. */
int service_fd(const struct service *s);
/* Returns the device's time when service_work() is needed at the latest;
 * NSEC_NEVER: not before a request. Work may change it. */
nsec service_next(struct service *s);
/* Lets the GPU run up to now, and serves what programs asked; max_requests at
 * most, about. Returns true if there may be more. */
bool service_work(struct service *s, unsigned max_requests);
/* Serves all that was asked up to now, such as the end of a program that has
 * been waited for. */
void service_settle(struct service *s);

enum service_turned {
	TURN_GOES_ON,
	TURN_PAUSES, /* a program may have ended, or nothing was asked for a
		      * while */
	TURN_STOPS,  /* the threads can't go on */
};
/* In virtual time, instead of service_work(): lets the next thread have its turn,
 * and serves what it asks. Waits for it, and for signals, 50 ms at most. Appends
 * why turns stop. */
enum service_turned service_turn(struct service *s, struct text *why);
/* Kills all programs. In virtual time only. */
void service_kill(struct service *s);

/* Starts a program on the device: fills what *how has of the device, until the
 * return. False: err says why; nothing runs. */
bool service_launch(struct service *s, struct launched *p, struct launch *how,
    struct text *err);

#endif
