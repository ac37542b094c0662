/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --layer: the messages of the layer, in a file (layerstream/message.h). */
#ifndef TRACE_LAYER_FILE_H
#define TRACE_LAYER_FILE_H

#include "trace/layer.h"
#include "trace/sink.h"

struct options;

struct layer_file {
	struct layer_listener listener;
	struct sink sink;
};

/* Will listen (layer_listen), and write to fd, the caller's. */
void layer_file_init(struct layer_file *f, int fd);

/* The mode --layer-dump: prints the messages of a file as text. */
int layer_dump_run(const struct options *o);

#endif
