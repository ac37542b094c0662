/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Locks in virtual time: a thread that finds one held waits for its address, as a
 * key. One that processes share is looked at again whenever anything happens.
 */
#ifndef DEVICE_PRELOAD_LOCKS_H
#define DEVICE_PRELOAD_LOCKS_H

#include <stdbool.h>
#include <stdint.h>

/* Waits for a key. Returns false at the deadline. */
bool lock_wait(const void *key, bool shared, uint64_t deadline_ns);
/* Wakes n threads of this process at most that wait for a key. */
uint32_t lock_wake(const void *key, uint32_t n);

#endif
