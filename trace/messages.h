/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The last messages of a layer, as many as fit into two blocks of
 * MESSAGE_LOG_BYTES. A message's position is the number of bytes of all
 * messages before it.
 */
#ifndef TRACE_MESSAGES_H
#define TRACE_MESSAGES_H

#include "layerstream/message.h"
#include "trace/layer.h"

#define MESSAGE_LOG_BYTES ((size_t)256 << 10)

/* Zeroed at first. */
struct message_log {
	struct layer_listener listener;
	struct message_block {
		uint8_t *data;
		size_t len, cap;
		uint64_t base; /* position of its first message */
	} blocks[2];
	unsigned newer; /* the block that is being filled */
};

/* Listens to l from now on. Earlier messages stay. */
void message_log_listen(struct message_log *log, struct layer *l);
void message_log_free(struct message_log *log);
/* The position of the oldest message, and of the one that comes next. */
uint64_t message_log_first(const struct message_log *log);
uint64_t message_log_end(const struct message_log *log);
/* Reads the message at a position; *next is the position after it. False: there
 * is none, or no longer. m points into log until more messages come. */
bool message_log_at(const struct message_log *log, uint64_t at,
    struct message *m, uint64_t *next);

#endif
