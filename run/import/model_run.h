/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run of the descriptors that a trace was imported as. */
#ifndef RUN_IMPORT_MODEL_RUN_H
#define RUN_IMPORT_MODEL_RUN_H

#include "run/import/import_model.h"

struct sim;
struct stop;

/* Runs the descriptors for as long as the trace took, or until there are
 * max_rows rows, and takes the requests that ended. False: err says why not. */
bool model_run(const struct import_model *m, const char *scheduler,
    uint32_t seed, size_t max_rows, const struct stop *stop, struct side *side,
    struct text *err);

#endif
