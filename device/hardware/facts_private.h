/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Features that only a trial finds out (facts_trials.c). */
#ifndef DEVICE_HARDWARE_FACTS_PRIVATE_H
#define DEVICE_HARDWARE_FACTS_PRIVATE_H

#include "device/hardware/facts.h"
#include "engine/backend.h"

/* Sets has[] and why[] of features that contexts are created for. Leaves
 * nothing behind. The engines must be known. */
void facts_try(struct facts *facts, int fd);
/* Creates a context with those slots, and destroys it. Returns 0 or -errno. */
int facts_try_slots(
    const struct facts *facts, int fd, const struct slot_setup *slots, int n);

#endif
