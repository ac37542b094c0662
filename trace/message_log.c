/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See message_log.h. */
#include "trace/message_log.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Whole messages come: none is in two pieces. */
static void
on_messages(struct layer_listener *l, const uint8_t *data, size_t n)
{
	struct message_log *log = (struct message_log *)l;
	struct message_piece *p = &log->pieces[log->newer];

	if (p->len + n > MESSAGE_LOG_BYTES) {
		uint64_t end = p->base + p->len;

		log->newer ^= 1;
		p = &log->pieces[log->newer];
		p->len = 0;
		p->base = end;
	}
	while (p->cap < p->len + n) {
		p->cap = p->cap > 0 ? p->cap * 2 : 4096;
		p->data = mem_realloc(p->data, p->cap, 1);
	}
	memcpy(p->data + p->len, data, n);
	p->len += n;
}

void
message_log_listen(struct message_log *log, struct layer *l)
{
	log->listener = (struct layer_listener){.messages = on_messages};
	layer_listen(l, &log->listener);
}

void
message_log_free(struct message_log *log)
{
	free(log->pieces[0].data);
	free(log->pieces[1].data);
	*log = (struct message_log){0};
}

uint64_t
message_log_first(const struct message_log *log)
{
	unsigned older = log->newer ^ 1;

	return log->pieces[log->pieces[older].len > 0 ? older : log->newer]
	    .base;
}

uint64_t
message_log_end(const struct message_log *log)
{
	return log->pieces[log->newer].base + log->pieces[log->newer].len;
}

bool
message_log_at(const struct message_log *log, uint64_t at, struct message *m,
    uint64_t *next)
{
	for (unsigned i = 0; i < 2; i++) {
		uint64_t base = log->pieces[i].base;
		size_t len = log->pieces[i].len, used;
		bool more;

		if (at < base || at - base >= len)
			continue;
		if (message_decode(log->pieces[i].data + (at - base),
			len - (size_t)(at - base), m, &used, &more) != NULL)
			return false;
		*next = at + used;
		return true;
	}
	return false;
}
