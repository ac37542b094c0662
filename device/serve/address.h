/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where virtual devices are served: a socket NAME.socket for each, of mode 0600,
 * in $XDG_RUNTIME_DIR/gpuwl/, else in /tmp/gpuwl-UID/, of mode 0700. A device
 * holds a lock on NAME.lock as long as it lives, so that what a killed one left
 * is known to be dead. Functions that return false append the reason to err.
 */
#ifndef DEVICE_SERVE_ADDRESS_H
#define DEVICE_SERVE_ADDRESS_H

#include <stdbool.h>

#include "base/text.h"

/* A device that listens. */
struct listener {
	int socket; /* listening, SOCK_SEQPACKET, non-blocking */
	int lock;
	char *path; /* of the socket */
	char *lock_path;
};

/* Returns true if a user can give a device that name: 1 to 32 letters, digits,
 * '-', '_' and '.', but not "run-PID", the name of a gpuwl-run's own device,
 * which address_list() leaves out. */
bool address_check_served(const char *name, struct text *err);

/* Listens as that name. Replaces what a dead device of that name left, and
 * removes what other dead devices left. */
bool listener_open(struct listener *l, const char *name, struct text *err);
/* Closes and removes the socket and the lock. */
void listener_close(struct listener *l);

/* Appends the folder for a device's files (device/tree): NAME.root in the folder of its
 * socket, which ends with a slash, but in /dev/shm/gpuwl-UID/ instead of /tmp/gpuwl-UID/
 * where that can be used, as they are hundreds, and a disk is slow with them. */
void address_root(const char *folder, const char *name, struct text *root);

/* Sets path to the socket of a device: a name, or a path with a slash. */
bool address_of(const char *name, struct text *path, struct text *err);
/* Appends the names of the devices that are served now, one per line, sorted,
 * without those that a gpuwl-run has for itself ("run-PID"). Returns their
 * number. */
unsigned address_list(struct text *names);

#endif
