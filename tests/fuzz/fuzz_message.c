/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Messages: any bytes are read as messages or refused; those that are read
 * are written again as they were, printed without control bytes, and merged
 * within bounds.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "layerstream/message.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check_written(const struct message *m, const uint8_t *data, size_t used)
{
	struct message_buffer b = {0};

	message_add(&b, m);
	if (b.len != used || memcmp(b.data, data, used) != 0)
		abort();
	message_buffer_free(&b);
}

static void
check_printed(const struct message *m)
{
	struct text t = {0};

	message_print(m, &t);
	for (size_t i = 0; i < t.len; i++)
		if ((unsigned char)t.data[i] < ' ' || t.data[i] == 0x7f)
			abort();
	text_free(&t);
}

static void
count(void *user, const struct merged *m)
{
	if (m->json[m->len] != '\0' || m->json[0] != '{')
		abort();
	++*(size_t *)user;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t n = 0, workloads = 0, used;
	struct merger *m = merge_new(count, &n, 16);

	while (size) {
		struct message message;
		bool more;
		const char *wrong = message_decode(
		    data, size, &message, &used, &more);

		if (wrong)
			break;
		if (used == 0 || used > size)
			abort();
		check_written(&message, data, used);
		check_printed(&message);
		wrong = merge_message(m, &message);
		workloads += message.type == MESSAGE_WORKLOAD && !wrong;
		data += used;
		size -= used;
	}
	merge_finish(m);
	if (n != workloads)
		abort();
	merge_free(m);
	return 0;
}
