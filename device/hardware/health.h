/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether a GPU still works (doc/model/libdrm.md "Loss"). */
#ifndef DEVICE_HARDWARE_HEALTH_H
#define DEVICE_HARDWARE_HEALTH_H

#include <stdbool.h>

struct hardware;
struct text;

/* Returns false if the driver has given up the GPU, or the GPU has gone; err
 * says which, and what would be needed. Does not wait for batches. */
bool hardware_works(const struct hardware *hw, struct text *err);

#endif
