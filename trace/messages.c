/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Listeners that keep the layer's messages: the last ones in memory, for the
 * console, and all of them in a file (--layer).
 */
#include "trace/messages.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/util.h"
#include "trace/outputs.h"
#include "trace/sink.h"

/* Messages come whole, so none is in two blocks. */
static void
keep_messages(struct layer_listener *l, const uint8_t *data, size_t n)
{
	struct message_log *log = (struct message_log *)l;
	struct message_block *p = &log->blocks[log->newer];

	if (p->len + n > MESSAGE_LOG_BYTES) {
		uint64_t end = p->base + p->len;

		log->newer ^= 1;
		p = &log->blocks[log->newer];
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
	log->listener = (struct layer_listener){.messages = keep_messages};
	layer_listen(l, &log->listener);
}

void
message_log_free(struct message_log *log)
{
	free(log->blocks[0].data);
	free(log->blocks[1].data);
	*log = (struct message_log){0};
}

uint64_t
message_log_first(const struct message_log *log)
{
	unsigned older = log->newer ^ 1;

	return log->blocks[log->blocks[older].len > 0 ? older : log->newer]
	    .base;
}

uint64_t
message_log_end(const struct message_log *log)
{
	return log->blocks[log->newer].base + log->blocks[log->newer].len;
}

bool
message_log_at(const struct message_log *log, uint64_t at, struct message *m,
    uint64_t *next)
{
	for (unsigned i = 0; i < 2; i++) {
		uint64_t base = log->blocks[i].base;
		size_t len = log->blocks[i].len, used;
		bool more;

		if (at < base || at - base >= len)
			continue;
		if (message_decode(log->blocks[i].data + (at - base),
			len - (size_t)(at - base), m, &used, &more) != NULL)
			return false;
		*next = at + used;
		return true;
	}
	return false;
}

/* All messages, in a file. */
struct layer_file {
	struct output output;
	struct layer_listener listener;
	struct layer *layer; /* NULL: none is listened to */
	struct sink sink;
};

/* Messages come many at a time (MESSAGE_DRAIN), or when they are flushed: they
 * are written at once. */
static void
write_messages(struct layer_listener *l, const uint8_t *data, size_t n)
{
	struct layer_file *f = container_of(l, struct layer_file, listener);

	sink_put(&f->sink, data, n);
}

static struct output *
layer_file_open(const struct output_target *target, struct text *err)
{
	struct layer_file *f = mem_calloc(1, sizeof(*f));

	(void)err;
	sink_init(&f->sink, target->fd, NULL);
	f->output.sink = &f->sink;
	f->listener.messages = write_messages;
	return &f->output;
}

static void
layer_file_watch(struct output *o, const struct output_launch *launch)
{
	struct layer_file *f = (struct layer_file *)o;

	f->layer = launch->layer;
	layer_listen(f->layer, &f->listener);
}

/* Keeps listening: the last messages come when the layer ends, which forgets
 * its listeners then. */
static void
layer_file_leave(struct output *o)
{
	((struct layer_file *)o)->layer = NULL;
}

static int
layer_file_close(struct output *o)
{
	struct layer_file *f = (struct layer_file *)o;
	int error;

	if (f->layer != NULL)
		layer_unlisten(f->layer, &f->listener);
	error = sink_close(&f->sink);
	free(f);
	return error;
}

const struct output_ops output_layer = {
    .option = "--layer",
    .needs_layer = true,
    .open = layer_file_open,
    .watch = layer_file_watch,
    .leave = layer_file_leave,
    .close = layer_file_close,
};
