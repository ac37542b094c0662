/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The JSON of workloads: compact, keys sorted (doc/layer.md "Messages"). */
#ifndef LAYERSTREAM_METADATA_H
#define LAYERSTREAM_METADATA_H

#include "layerstream/workload.h"

/* The message of a workload, and what an indirect one resolves to, put into
 * it. */
void metadata_build(struct layer_workload *w);

#endif
