/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See layer_file.h. */
#include "trace/layer_file.h"

/* They come in large pieces, or are waited for. */
static void
on_messages(struct layer_listener *l, const uint8_t *data, size_t n)
{
	struct layer_file *f = (struct layer_file *)l;

	sink_put(&f->sink, data, n);
}

void
layer_file_init(struct layer_file *f, int fd)
{
	*f = (struct layer_file){.listener.messages = on_messages};
	sink_init(&f->sink, fd, NULL);
}
