/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Programs on a GPU: steps that it, or its kernel, cannot run, before anything
 * does; and those that this user may not use in full (doc/model/libdrm.md
 * "Steps").
 */
#ifndef DEVICE_HARDWARE_STEPS_H
#define DEVICE_HARDWARE_STEPS_H

#include <stdbool.h>

#include "device/hardware/facts.h"

struct diag_list;
struct document;
struct hardware;
struct program;

/* Returns true if the GPU runs program p. False: each step that it cannot run
 * has an error, with what would be needed: diags[i] are the diagnostics of
 * docs[i], from which p was compiled. Creates contexts, and destroys them. */
bool hardware_accepts(const struct hardware *hw, const struct program *p,
    const struct document *const *docs, struct diag_list *diags);
/* Adds a warning at the first step of p for each right or feature without which
 * it runs in another way, as far as hardware_grants() has not said so yet. */
void hardware_warn(struct hardware *hw, const struct program *p,
    const struct document *const *docs, struct diag_list *diags);

/* Returns true if the device has a feature, or the user was told that it has
 * not. False, once: words have what would be needed, and what happens instead. */
bool hardware_grants(
    struct hardware *hw, enum facts_feature feature, struct text *words);

#endif
