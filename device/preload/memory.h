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
/* The program handles faults of its memory itself (userfaultfd(2)). */
void memory_has_faults(void);
/* Touches the memory of the program that an EXECBUFFER2 with argument arg of the
 * file of token uses, if the program handles its faults: they are this thread's
 * then, and not the device's. */
void memory_touch(uint64_t token, const void *arg);

#endif
