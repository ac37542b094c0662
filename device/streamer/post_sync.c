/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * PIPE_CONTROL, MI_FLUSH_DW and COMPUTE_WALKER: flushes are nothing here; the
 * words that they write when all work before them is done are how programs learn
 * of it (doc/model/streamer.md "Fences").
 */
#include "device/streamer/cs.h"

enum post_sync {
	POST_SYNC_NONE,
	POST_SYNC_WRITE,
	POST_SYNC_DEPTH, /* PIPE_CONTROL: PS_DEPTH_COUNT */
	POST_SYNC_TIME,
};

/* COMPUTE_WALKER: five dwords from here on. */
#define WALKER_POST_SYNC 26
enum walker_post_sync {
	WALKER_WRITES_NOTHING,
	WALKER_WRITES,
	WALKER_TIMES = 3
};

#define OPERATION(dword) ((enum post_sync)((dword) >> 14 & 3))
#define STORE_INDEX      (1u << 21) /* into the context's status page */
#define PIPE_GGTT        (1u << 24)
#define FLUSH_GGTT       (1u << 2) /* of the address */
#define PS_DEPTH_COUNT   0x350

struct post_sync_write {
	enum post_sync operation;
	bool index;  /* address is an offset in the status page */
	bool narrow; /* one dword of data */
	uint64_t address, data;
};

static uint64_t
written_value(struct streamer_batch *b, const struct post_sync_write *w)
{
	switch (w->operation) {
	case POST_SYNC_DEPTH: return cs_own_qword(b->context, PS_DEPTH_COUNT);
	case POST_SYNC_TIME: return cs_ring_time(b);
	default: return w->data;
	}
}

static enum cs_step
do_write(struct streamer_batch *b, const struct post_sync_write *w)
{
	uint64_t value = written_value(b, w);
	unsigned i = w->address % sizeof(b->context->scratch) / 4;

	if (w->index && b->probe == NULL) {
		b->context->scratch[i] = (uint32_t)value;
		if (!w->narrow)
			b->context->scratch[i | 1] = (uint32_t)(value >> 32);
	}
	if (w->index)
		return CS_NEXT;
	if (w->narrow && w->operation == POST_SYNC_WRITE)
		return cs_store(b, w->address, (uint32_t)value) ? CS_NEXT
								: CS_FAILED;
	return cs_store_qword(b, w->address, value) ? CS_NEXT : CS_FAILED;
}

/* Adds what flushing takes, after the write has been made. */
static enum cs_step
finish(struct streamer_batch *b, const struct post_sync_write *w)
{
	enum cs_step step = w->operation ? do_write(b, w) : CS_NEXT;

	if (step == CS_NEXT)
		cs_spend(b, b->gpu->costs.flush_ns);
	return step;
}

/* Returns the dwords of data from operand i on, as far as they are there. */
static uint64_t
data_from(const struct cs_command *c, unsigned i, bool *narrow)
{
	uint64_t data = i < c->n ? cs_operand(c, i) : 0;

	*narrow = i + 1 >= c->n;
	if (!*narrow)
		data |= (uint64_t)cs_operand(c, i + 1) << 32;
	return data;
}

enum cs_step
cs_pipe_control(struct streamer_batch *b, const struct cs_command *c)
{
	struct post_sync_write w = {0};
	uint32_t flags;

	if (c->n < cs_behind(b, 2))
		return cs_error(b, c, "a PIPE_CONTROL without its address");
	flags = cs_operand(c, 1);
	w.operation = OPERATION(flags);
	if (w.operation && cs_is_later(b))
		return CS_LATER;
	w.index = flags & STORE_INDEX;
	w.address = cs_address(b, c, 2) & ~(uint64_t)7;
	w.data = data_from(c, cs_behind(b, 2), &w.narrow);
	if (w.operation && flags & PIPE_GGTT)
		return cs_fault_ggtt(b, w.address);
	w.narrow = false;
	return finish(b, &w);
}

enum cs_step
cs_flush_dw(struct streamer_batch *b, const struct cs_command *c)
{
	struct post_sync_write w = {
	    .operation = OPERATION(c->header),
	    .index = c->header & STORE_INDEX,
	};

	if (w.operation == POST_SYNC_NONE)
		return finish(b, &w);
	if (c->n < cs_behind(b, 1))
		return cs_error(b, c, "an MI_FLUSH_DW without its address");
	if (cs_is_later(b))
		return CS_LATER;
	w.address = cs_address(b, c, 1);
	w.data = data_from(c, cs_behind(b, 1), &w.narrow);
	if (w.address & FLUSH_GGTT && !w.index)
		return cs_fault_ggtt(b, w.address);
	w.address &= ~(uint64_t)7;
	return finish(b, &w);
}

static void
stamp(struct streamer_batch *b, uint32_t pair[2])
{
	pair[0] = cs_context_time(b);
	pair[1] = (uint32_t)cs_ring_time(b);
}

static bool
store_pair(struct streamer_batch *b, uint64_t address, const uint32_t pair[2])
{
	return cs_store(b, address, pair[0]) &&
	    cs_store(b, address + 4, pair[1]);
}

static unsigned
walker_operation(const struct cs_command *c)
{
	return c->n >= WALKER_POST_SYNC + 5
	    ? cs_operand(c, WALKER_POST_SYNC) & 3
	    : WALKER_WRITES_NOTHING;
}

bool
cs_walker_begins(struct streamer_batch *b, const struct cs_command *c)
{
	if (walker_operation(c) == WALKER_WRITES_NOTHING)
		return true;
	if (cs_is_later(b))
		return false;
	stamp(b, b->walk_begin);
	return true;
}

enum cs_step
cs_walker_ends(struct streamer_batch *b, const struct cs_command *c)
{
	unsigned operation = walker_operation(c);
	uint64_t address, data;
	uint32_t end[2];
	bool narrow;

	b->walks = operation != WALKER_WRITES_NOTHING && cs_is_later(b);
	if (b->walks)
		return CS_LATER;
	address = cs_address(b, c, WALKER_POST_SYNC + 1) & ~(uint64_t)7;
	if (operation == WALKER_WRITES) {
		data = data_from(c, WALKER_POST_SYNC + 3, &narrow);
		return cs_store_qword(b, address, data) ? CS_NEXT : CS_FAILED;
	}
	if (operation != WALKER_TIMES)
		return CS_NEXT;
	stamp(b, end);
	return store_pair(b, address, b->walk_begin) &&
		store_pair(b, address + 8, end)
	    ? CS_NEXT
	    : CS_FAILED;
}
