/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys of --json about a GPU and the other programs on it. */
#ifndef REPORT_REPORT_GPU_H
#define REPORT_REPORT_GPU_H

#include <jansson.h>

struct result;

/* Sets the keys that only runs on a GPU have. */
void report_gpu_json(json_t *o, const struct result *result);

#endif
