/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --layer: the messages of the layer, in a file (layerstream/message.h). */
#ifndef TUI_LAYER_LAYER_FILE_H
#define TUI_LAYER_LAYER_FILE_H

#include "tui/layer/layer.h"

struct options;

struct layer_file {
	struct layer_listener listener;
	int fd;    /* the caller's */
	int error; /* errno of the first write that failed; 0 */
};

/* Listens to l from now on, and writes to fd. */
void layer_file_init(struct layer_file *f, int fd);

/* The mode --layer-dump: prints the messages of a file as text. */
int layer_dump_run(const struct options *o);

#endif
