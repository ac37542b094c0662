/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What can be made of the layer for others to read (layer_outputs.h). */
#ifndef TRACE_LAYER_OUTPUT_H
#define TRACE_LAYER_OUTPUT_H

enum layer_output {
	OUTPUT_LAYER,
	OUTPUT_TRACE,
	OUTPUT_TRACE_JSON,
	OUTPUT_ARM,
	N_LAYER_OUTPUTS,
};

#endif
