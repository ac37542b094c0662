/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The descriptors that programs hold of a virtual i915: the device's ends of
 * their socket pairs (device/wire/mark.h), by token and by inode, and what a
 * number in another process refers to. A hangup of the last copy of a
 * descriptor is reported once.
 */
#ifndef DEVICE_SERVE_HOST_H
#define DEVICE_SERVE_HOST_H

#include <stdint.h>

#include "device/i915/i915.h"

struct fd_watches;
struct guard;
struct host;

/* Calls from watches_work(). */
struct host_calls {
	/* No process has the descriptor of that token any more. */
	void (*hangup)(void *data, uint64_t token);
	/* A program has written to it. */
	void (*written)(
	    void *data, uint64_t token, const void *bytes, size_t size);
};

/* The caller frees the host after the device. ops and data must live as long.
 * NULL, with errno. */
struct host *host_new(
    struct fd_watches *ws, const struct host_calls *ops, void *data);
/* Closes all ends. NULL is allowed. */
void host_free(struct host *h);
/* The guard, which outlives the host's use, watches when it looks at programs. */
void host_watch_copies(struct host *h, struct guard *guard);
/* Reports the hangup of that token now, if no process has its descriptor any more:
 * a message that was sent after it may be seen before it. */
void host_look(struct host *h, uint64_t token);
/* Returns what i915_new() takes. */
struct i915_host *host_i915(struct host *h);
/* Returns the cookie of all marks of this host. */
uint64_t host_cookie(const struct host *h);

#endif
