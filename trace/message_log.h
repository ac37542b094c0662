/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The last messages of a layer: as many as two pieces of MESSAGE_LOG_BYTES
 * hold. One is known by how many bytes came before it, in all. */
#ifndef TRACE_MESSAGE_LOG_H
#define TRACE_MESSAGE_LOG_H

#include "layerstream/message.h"
#include "trace/layer.h"

#define MESSAGE_LOG_BYTES ((size_t)256 << 10)

/* Zeroed at first. */
struct message_log {
	struct layer_listener listener;
	struct message_piece {
		uint8_t *data;
		size_t len, cap;
		uint64_t base; /* bytes before it */
	} pieces[2];
	unsigned newer; /* which of them is filled now */
};

/* Listens to l from now on; what came before stays. */
void message_log_listen(struct message_log *log, struct layer *l);
void message_log_free(struct message_log *log);
/* The oldest that is there; where the next one will be. */
uint64_t message_log_first(const struct message_log *log);
uint64_t message_log_end(const struct message_log *log);
/* The message there, and where the next one is. False: there is none (any
 * more). Valid until more come. */
bool message_log_at(const struct message_log *log, uint64_t at,
    struct message *m, uint64_t *next);

#endif
