/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --trace and --trace-json: engines with the requests that run on them, and
 * with the workloads of those; contexts with their requests from submission to
 * end; what those wait for; how many are queued and whether an engine is busy;
 * preemptions, missed periods and hangs. In Perfetto's also the render stages
 * that Arm's viewer joins with the metadata file.
 */
#ifndef TUI_LAYER_TRACE_H
#define TUI_LAYER_TRACE_H

#include "tui/layer/layer.h"

struct trace;

/* Watches sim, and listens to l, from now on. Each file is the caller's, or
 * -1 for none. */
struct trace *trace_begin(
    struct sim *sim, struct layer *l, int perfetto_fd, int chrome_fd);
/* errno of the first write that failed, 0. */
int trace_error(const struct trace *t);
/* Before layer_end(). Writes the rest; the errors of the two files. */
void trace_end(struct trace *t, int *perfetto_error, int *chrome_error);

#endif
