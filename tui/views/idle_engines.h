/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Engines without work in the run, which views fold to one row, and the rows of
 * the others.
 */
#ifndef TUI_VIEWS_IDLE_ENGINES_H
#define TUI_VIEWS_IDLE_ENGINES_H

#include <stddef.h>

#include "engine/gpu/engine.h"

struct text;

/* Returns the engines without work since the launch (hw_engine_had_work()); none
 * while no engine has had any, so that a view is never empty. */
engine_mask engines_idle(const struct device *dev);
/* Returns the number of engines of the device that are not in the mask. */
size_t engines_shown(const struct device *dev, engine_mask idle);
/* Returns the engine in a row of those that are not in the mask; beyond the
 * last row: n_engines. */
unsigned engines_at(const struct device *dev, engine_mask idle, size_t row);
/* Returns the row of an engine among them. An engine in the mask has the row of
 * the next engine that is not. */
size_t engines_row(const struct device *dev, engine_mask idle, unsigned engine);
/* Appends "idle: BCS, VECS2"; nothing for an empty mask. Where the names take more
 * than room columns, the last ones are counted: "idle: BCS, +2". */
void engines_name_idle(
    const struct device *dev, engine_mask idle, int room, struct text *out);

#endif
