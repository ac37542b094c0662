/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What batch mode makes of the layer: files, and what is sent. */
#ifndef CLI_BATCH_LAYER_H
#define CLI_BATCH_LAYER_H

#include <stdbool.h>

#include "layerstream/report.h"
#include "trace/layer_outputs.h"

struct batch_files;
struct options;
struct progress;

struct batch_layer {
	const struct options *options;
	struct progress *progress; /* gives way to words */
	int fds[N_LAYER_OUTPUTS];  /* -1: none */
	struct layer *layer;       /* NULL: nothing is made of it */
	struct layer_outputs outputs;
	struct report report;
	unsigned n_reports;
};

/* fds are -1. All that the options name; false, and a line. */
bool batch_layer_open(struct batch_layer *l, const struct options *o,
    const struct batch_files *files, struct progress *progress);
void batch_layer_begin(struct batch_layer *l, struct sim *sim);
/* What the server takes goes out; that it has gone is told at once. */
void batch_layer_work(struct batch_layer *l);
/* False, and a line, if something could not be written. */
bool batch_layer_end(struct batch_layer *l);
/* Waits for the server, so long at most. False, and a line, if it is not known
 * to have all. A signal ends the waiting. */
bool batch_layer_disconnect(struct batch_layer *l, int limit_ms);
/* False, and a line, if a file could not be closed. */
bool batch_layer_close(struct batch_layer *l);

#endif
