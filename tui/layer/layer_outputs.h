/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All files that are made of the layer: which were asked for, and writing. */
#ifndef TUI_LAYER_LAYER_OUTPUTS_H
#define TUI_LAYER_LAYER_OUTPUTS_H

#include "tui/layer/arm_file.h"
#include "tui/layer/layer_file.h"
#include "tui/layer/trace.h"

struct options;

enum layer_output {
	OUTPUT_LAYER,
	OUTPUT_TRACE,
	OUTPUT_TRACE_JSON,
	OUTPUT_ARM,
	N_LAYER_OUTPUTS,
};

struct layer_outputs {
	int fds[N_LAYER_OUTPUTS]; /* the caller's; -1: none */
	int errors[N_LAYER_OUTPUTS];
	struct layer *layer; /* NULL: nothing is written */
	struct layer_file file;
	struct arm_file arm;
	struct trace *trace;
};

/* NULL: was not asked for. */
const char *layer_output_path(const struct options *o, enum layer_output i);
/* With fds as they are; nothing if there are none. */
void layer_outputs_begin(
    struct layer_outputs *l, struct sim *sim, struct report *report);
/* Can something not be written? */
bool layer_outputs_failed(const struct layer_outputs *l);
/* Writes the rest, and sets errors, each an errno or 0. */
void layer_outputs_end(struct layer_outputs *l);

#endif
