/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fences as descriptors (sync files): the merge of two, their state. */
#ifndef DEVICE_HARDWARE_SYNC_FILE_H
#define DEVICE_HARDWARE_SYNC_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/nsec.h"

/* Returns a fence that signals when both have, or -errno. Keeps both. */
int sync_merge(int a, int b);

struct sync_info {
	bool signalled;
	int error;    /* -errno it signalled with; 0: none */
	nsec time_ns; /* CLOCK_MONOTONIC, when the CPU noticed; 0: not known */
};

/* Asks a fence. Returns 0 or -errno. */
int sync_ask(int fd, struct sync_info *info);
/* Waits for a fence until CLOCK_MONOTONIC has that time. Returns 0, -ETIME or
 * the -errno that it signalled with. */
int sync_wait(int fd, nsec until);

#endif
