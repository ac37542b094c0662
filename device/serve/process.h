/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The processes that call a virtual i915: their memory, in which the pointers of
 * ioctls are valid, and their capabilities, by which a driver permits more.
 */
#ifndef DEVICE_SERVE_PROCESS_H
#define DEVICE_SERVE_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct guard;
struct text;
struct user_memory;

/* Returns the memory of a process with one reference, whose last put frees it.
 * Reads and writes fail with -EFAULT, also when the process has gone. guard, which
 * must outlive it, watches over them; NULL: none does. */
struct user_memory *process_memory(pid_t pid, struct guard *guard);
void process_memory_put(struct user_memory *m);

enum probed {
	PROBED,
	PROBE_ENDED, /* the process has ended, or just does */
	PROBE_REFUSED,
};

/* Tries to read the memory: the word at address is value. If it may not be read,
 * appends why to err, and what would help. */
enum probed process_probe(
    struct user_memory *m, uint64_t address, uint64_t value, struct text *err);

/* Returns the effective capabilities of a process as I915_CAP_* bits; 0 if they
 * can't be read. all: a process of this user has all of them. */
unsigned process_capabilities(pid_t pid, bool all);

/* Returns the process that started this one on the device it is on now, from its
 * environment (WIRE_RUN_VARIABLE); 0: it is not known. Sets *privileged to true
 * if that wants it to have all capabilities. */
long process_run(pid_t pid, bool *privileged);

#endif
