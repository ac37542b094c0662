/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The end of a process that starts programs on a device which another process
 * serves (device/wire/wire.h, WIRE_JOIN). Functions that return false append the
 * reason to err.
 */
#ifndef DEVICE_SERVE_JOIN_H
#define DEVICE_SERVE_JOIN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* A device that was joined. All zero but socket, -1: none. */
struct joined {
	int socket;       /* readable when the device has gone */
	struct text path; /* of its socket */
	struct text root; /* the folder of its files */
	const char *name; /* as given to join_device() */
	void (*waits)(const char *line);
};

/* Sets name to the device that programs are to run on: asked, a name or a path,
 * else $GPUWL_DEVICE, else the only one that is served; "" if none is. False:
 * several are served. */
bool join_choose(const char *asked, struct text *name, struct text *err);
/* Connects to a device, a name or a path. waits, if not NULL, is called with a
 * line when a device has not answered for a second, also later, and says what is
 * waited for. False: there is none, or it refuses. */
bool join_device(struct joined *j, const char *name,
    void (*waits)(const char *line), struct text *err);
/* Appends the device's lines about the programs that this process started.
 * False: it has gone. */
bool join_summary(struct joined *j, struct text *lines);
void join_close(struct joined *j);

#endif
