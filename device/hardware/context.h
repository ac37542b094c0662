/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contexts of the driver (doc/model/libdrm.md "Contexts"). */
#ifndef DEVICE_HARDWARE_CONTEXT_H
#define DEVICE_HARDWARE_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/backend.h"

struct hardware;
struct text;

struct gpu_context_setup {
	uint32_t space; /* memory_space_new() */
	int priority;   /* -1023 .. 1023 */
	/* Its engine map; engines are indices of facts. */
	const struct slot_setup *slots;
	uint32_t n_slots;
};

/* Creates a context that ends with its file. False: err says what the device or
 * the user lacks. */
bool gpu_context_new(struct hardware *hw, const struct gpu_context_setup *setup,
    uint32_t *id, struct text *err);
/* Destroys it: what runs is revoked. */
void gpu_context_free(const struct hardware *hw, uint32_t id);
/* For submissions from now on. */
bool gpu_context_set_priority(
    const struct hardware *hw, uint32_t id, int priority, struct text *err);
/* Sets the slices of a slot, RCS; mask 0: all. */
bool gpu_context_set_slices(const struct hardware *hw, uint32_t id,
    uint32_t slot, uint32_t mask, struct text *err);

/* Resets of a context's requests. */
struct gpu_context_resets {
	uint32_t guilty, innocent;
};

/* Returns 0 or -errno. */
int gpu_context_resets(
    const struct hardware *hw, uint32_t id, struct gpu_context_resets *resets);

#endif
