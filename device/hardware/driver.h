/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls of the driver, the same way everywhere. */
#ifndef DEVICE_HARDWARE_DRIVER_H
#define DEVICE_HARDWARE_DRIVER_H

#include <stdbool.h>
#include <stdint.h>

#include <i915_drm.h>

/* Calls ioctl(), again after signals, and for 0.1 s while the driver says EAGAIN.
 * Returns 0 or -errno. EAGAIN of an execbuf, of a ring without room, is returned at
 * once. */
int driver_ioctl(int fd, unsigned long request, void *arg);
/* Returns a parameter of GETPARAM; -1: the kernel does not have it. */
int driver_getparam(int fd, int param);
/* Returns the answer of a query, which the caller frees, and sets *length to its
 * bytes, at least least. NULL: the kernel has none. */
void *driver_query(int fd, uint64_t id, int32_t least, int32_t *length);

/* Creates a context whose chain of extensions may be NULL. Returns 0 or
 * -errno. */
int driver_context_create(
    int fd, const struct i915_user_extension *chain, uint32_t *id);
int driver_context_destroy(int fd, uint32_t id);
/* Sets a parameter of a context. Returns 0 or -errno. */
int driver_context_set(
    int fd, uint32_t id, uint64_t param, uint32_t size, uint64_t value);

#endif
