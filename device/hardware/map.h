/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Engine maps of contexts, and the extensions that fill their slots: an engine,
 * a virtual engine with its bonds, a parallel slot. Built in memory of their own,
 * as the kernel reads them at the creation of a context.
 */
#ifndef DEVICE_HARDWARE_MAP_H
#define DEVICE_HARDWARE_MAP_H

#include <stdint.h>

#include "base/mem.h"
#include "device/hardware/facts.h"
#include "engine/backend.h"

struct i915_user_extension;

/* The parameter ENGINES: value and size. All zero: free. */
struct engine_map {
	uint64_t value;
	uint32_t size;
	struct arena memory;
};

/* Builds the map of those slots, whose engines are indices into
 * facts->engines. */
void map_build(struct engine_map *map, const struct facts *facts,
    const struct slot_setup *slots, uint32_t n_slots);
void map_free(struct engine_map *map);

#endif
