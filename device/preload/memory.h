/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory of the device's objects in the program. */
#ifndef DEVICE_PRELOAD_MEMORY_H
#define DEVICE_PRELOAD_MEMORY_H

#include <stdint.h>

struct call;

/* Maps what a reply with WIRE_FD_MAP describes, where the kernel likes, and
 * closes its descriptor. Returns the address; 0: it cannot be mapped. */
uint64_t memory_map(const struct call *c);
/* The program has given memory of its own to the device (userptr). */
void memory_is_shared(void);

#endif
