/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * When a batch can be preempted (doc/model/streamer.md "Preemption"). Points of
 * commands that were executed ahead of their time are remembered; the next one
 * behind them is found by walking over the commands that follow, without
 * executing them.
 */
#include "device/streamer/cs.h"

/* Commands that are walked over to find a point. */
#define WALKED 1024

bool
cs_may_note(const struct streamer_batch *b)
{
	return b->n_points < CS_POINTS || !cs_is_later(b);
}

void
cs_note_point(struct streamer_batch *b, nsec from_ns)
{
	struct cs_point *last = b->n_points ? &b->points[b->n_points - 1]
					    : NULL;

	if (b->probe && b->probe->point_ns == NSEC_NEVER)
		b->probe->point_ns = from_ns;
	if (b->probe || b->at_ns < b->now.running_ns)
		return;
	if (last && from_ns <= last->to_ns)
		last->to_ns = b->at_ns;
	else if (b->n_points < CS_POINTS)
		b->points[b->n_points++] = (struct cs_point){from_ns, b->at_ns};
}

void
cs_forget_points(struct streamer_batch *b)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < b->n_points; i++)
		if (b->points[i].to_ns >= b->now.running_ns)
			b->points[kept++] = b->points[i];
	b->n_points = kept;
}

/* Returns true if the batch can be preempted at that command. */
static bool
is_point(const struct streamer_batch *b, uint32_t header)
{
	if (b->gpu->version < 90 || !b->arbitrates)
		return false;
	if (header >> 29 == COMMAND_MI)
		return mi_opcode(header) == MI_ARB_CHECK ||
		    mi_opcode(header) == MI_SEMAPHORE_WAIT;
	if (header >> 29 != COMMAND_RENDER || b->class == STREAMER_VIDEO ||
	    b->class == STREAMER_ENHANCE)
		return false;
	return render_key(header) == 0x7b00 || render_key(header) == 0x7105 ||
	    render_key(header) == 0x7208;
}

/* A command that is walked over: its first dwords, 0 where they are not there. */
#define WALKED_DWORDS 4
struct walked {
	struct cs_command c;
	uint32_t dw[WALKED_DWORDS];
};

/* Reads a command without a fault. False: none is there. */
static bool
walk_read(const struct streamer_batch *b, uint64_t pc, struct walked *w)
{
	*w = (struct walked){0};
	if (!b->memory.read(b->memory.data, pc, w->dw, 4))
		return false;
	w->c = (struct cs_command){.dw = w->dw,
	    .header = w->dw[0],
	    .address = pc,
	    .n = command_length(b->gpu->version, w->dw[0])};
	if (w->c.n >= WALKED_DWORDS)
		b->memory.read(b->memory.data, pc, w->dw, sizeof(w->dw));
	else if (w->c.n > 1)
		b->memory.read(b->memory.data, pc, w->dw, w->c.n * 4);
	return w->c.n > 0;
}

static nsec
walk_cost(const struct streamer_batch *b, const struct cs_command *c)
{
	const struct streamer_costs *costs = &b->gpu->costs;

	if (c->header >> 29 == COMMAND_BLT)
		return costs->command_ns + cs_blit_ns(costs, cs_blit_bytes(c));
	if (render_key(c->header) == 0x7a00 ||
	    (c->header >> 29 == COMMAND_MI &&
		mi_opcode(c->header) == MI_FLUSH_DW))
		return costs->command_ns + costs->flush_ns;
	return costs->command_ns;
}

enum walked_to { WALK_GOES_ON, WALK_POINT, WALK_OVER };

/* The walk is a guess of what the batch will do: jumps are followed, conditions
 * are taken to be false. It is over at the end of a batch or a level. */
static enum walked_to
walk_step(const struct streamer_batch *b, uint64_t *pc, nsec *at_ns)
{
	struct walked w;
	bool is_mi;

	if (!walk_read(b, *pc, &w))
		return WALK_OVER;
	if (is_point(b, w.c.header))
		return WALK_POINT;
	is_mi = w.c.header >> 29 == COMMAND_MI;
	if (is_mi && mi_opcode(w.c.header) == MI_BATCH_BUFFER_END)
		return WALK_OVER;
	*at_ns = nsec_total(*at_ns, walk_cost(b, &w.c));
	if (is_mi && mi_opcode(w.c.header) == MI_BATCH_BUFFER_START)
		*pc = cs_address(b, &w.c, 1) & ~(uint64_t)3;
	else
		*pc = CS_ADDRESS(*pc + w.c.n * 4, (*pc + w.c.n * 4) >> 32);
	return WALK_GOES_ON;
}

static void
walk_ahead(struct streamer_batch *b)
{
	uint64_t pc = b->pc, seen = pc;
	nsec at_ns = b->at_ns;
	enum walked_to walk = WALK_GOES_ON;
	unsigned n = 0;

	for (; n < WALKED && walk == WALK_GOES_ON; n++) {
		walk = walk_step(b, &pc, &at_ns);
		if (walk == WALK_GOES_ON && pc == seen) /* a loop without one */
			break;
		if ((n & (n + 1)) == 0)
			seen = pc;
	}
	/* Half of a walk to nowhere, so that the other half is looked at again with
	 * what is behind it: two steps for each command in all. */
	b->walk = (struct cs_walk){
	    .begin = b->counts.commands,
	    .valid = walk == WALK_GOES_ON ? n / 2 + 1 : n,
	    .at_ns = walk == WALK_POINT ? at_ns : NSEC_NEVER,
	};
}

static nsec
point_by_walking(struct streamer_batch *b)
{
	const struct cs_walk *walk = &b->walk;

	if (b->gpu->version < 90 || !b->arbitrates)
		return NSEC_NEVER;
	if (b->counts.commands - walk->begin >= walk->valid ||
	    walk->at_ns < b->at_ns)
		walk_ahead(b);
	return walk->at_ns;
}

void
cs_forget_walk(struct streamer_batch *b)
{
	b->walk.valid = 0;
}

/* Returns the next point of a loop that is skipped. */
static nsec
point_of_loop(const struct streamer_batch *b, nsec running_ns)
{
	const struct cs_loop *loop = &b->loop;
	nsec at_ns;

	if (loop->point_ns == NSEC_NEVER)
		return NSEC_NEVER;
	at_ns = nsec_total(b->at_ns, loop->point_ns);
	if (at_ns >= running_ns)
		return at_ns;
	if (loop->turn_ns == 0)
		return running_ns;
	at_ns += (running_ns - at_ns + loop->turn_ns - 1) / loop->turn_ns *
	    loop->turn_ns;
	return loop->ends ? nsec_earlier(at_ns, loop->end_ns) : at_ns;
}

nsec
streamer_preemptible_after(struct streamer_batch *b, nsec running_ns)
{
	nsec at_ns;

	if (b->answer.verdict >= STREAMER_ENDED)
		return 0;
	if (b->answer.verdict == STREAMER_WAITS &&
	    b->answer.wait == STREAMER_SEMAPHORE)
		return b->arbitrates ? 0 : NSEC_NEVER;
	for (unsigned i = 0; i < b->n_points; i++)
		if (b->points[i].to_ns >= running_ns)
			return b->points[i].from_ns <= running_ns
			    ? 0
			    : b->points[i].from_ns - running_ns;
	at_ns = b->loop.skips ? point_of_loop(b, running_ns)
			      : point_by_walking(b);
	if (at_ns == NSEC_NEVER)
		return NSEC_NEVER;
	return at_ns <= running_ns ? 0 : at_ns - running_ns;
}
