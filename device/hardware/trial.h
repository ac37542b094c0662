/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A batch on each engine before a run (doc/model/libdrm.md "The trial"). */
#ifndef DEVICE_HARDWARE_TRIAL_H
#define DEVICE_HARDWARE_TRIAL_H

#include <stdbool.h>

struct hardware;
struct text;

/* Runs a short batch on each engine at the same time, and waits for all: sets
 * hw->marks and hw->context_hz. False: an engine has not run it, err says
 * which. */
bool trial_run(struct hardware *hw, struct text *err);

#endif
