/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See layer_file.h. */
#include "tui/layer/layer_file.h"

#include <errno.h>
#include <unistd.h>

static void
on_messages(struct layer_listener *l, const uint8_t *data, size_t n)
{
	struct layer_file *f = (struct layer_file *)l;

	while (n > 0 && f->error == 0) {
		ssize_t done = write(f->fd, data, n);

		if (done >= 0) {
			data += done;
			n -= (size_t)done;
		} else if (errno != EINTR) {
			f->error = errno;
		}
	}
}

void
layer_file_init(struct layer_file *f, int fd)
{
	*f = (struct layer_file){.listener.messages = on_messages, .fd = fd};
}
