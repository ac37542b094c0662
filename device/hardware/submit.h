/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Submissions: one batch, or one for each row of a parallel slot, with the
 * objects that order it and a fence to wait for; each has a fence of its own
 * (doc/model/libdrm.md "Submissions").
 */
#ifndef DEVICE_HARDWARE_SUBMIT_H
#define DEVICE_HARDWARE_SUBMIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/nsec.h"
#include "device/hardware/memory.h"

struct hardware;

/* An object that the kernel orders batches by: after the batches that write it,
 * and, to write it, after those that read it. */
struct gpu_use {
	const struct gpu_object *object;
	bool write;
};

#define SUBMIT_MAX_ROWS 8

struct gpu_execbuf {
	uint32_t context, slot;
	struct batch_page *const *pages; /* one for each row */
	uint32_t n_pages;                /* 1 .. SUBMIT_MAX_ROWS */
	const struct gpu_use *uses;      /* each object once, no page */
	uint32_t n_uses;
	int wait;       /* fence that must signal; -1: none */
	int wait_start; /* fence of requests that must be submitted to their
			   engines; -1: none */
};

/* Submits. Sets *fence to a descriptor, for close(), that is readable when all
 * of it has ended, and *time_ns to just before. Returns 0, or
 *  -EAGAIN: there is no room on the ring, try again when a request has ended;
 *  -EIO: the context is banned, or the GPU does not come back;
 *  -errno: another error. */
int gpu_submit(const struct hardware *hw, const struct gpu_execbuf *s,
    int *fence, nsec *time_ns);

#endif
