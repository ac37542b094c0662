/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why a client does not go on, for those who look at it. */
#include "engine/client/client_step.h"

const char *
client_state_name(const struct client *c)
{
	static const char *const names[] = {
	    [CLIENT_RUNNABLE] = "runnable",
	    [CLIENT_SUBMITTING] = "submitting",
	    [CLIENT_WAITING] = "waiting",
	    [CLIENT_RING_FULL] = "ring full",
	    [CLIENT_SLEEPING] = "sleeping",
	    [CLIENT_IDLING] = "idling",
	    [CLIENT_QUEUED] = "needs CPU",
	    [CLIENT_WAKING] = "waking",
	    [CLIENT_DRAINING] = "draining",
	    [CLIENT_ENDED] = "ended",
	};

	if (c->killed && c->state >= CLIENT_DRAINING)
		return c->state == CLIENT_ENDED ? "killed" : "dying";
	return names[c->state];
}

static enum client_block
block_at_step(const struct client *c, enum step_kind kind)
{
	/* A step's phase is what it does when it goes on. */
	static const enum client_block blocks[] = {
	    [BATCH_THROTTLE] = BLOCK_DATA,
	    [BATCH_ROOM] = BLOCK_THROTTLE,
	    [BATCH_QUEUE] = BLOCK_WAIT_FLAG,
	    [BATCH_DEPTH] = BLOCK_QUEUE_DEPTH,
	};

	switch (kind) {
	case STEP_DELAY: return BLOCK_DELAY;
	case STEP_PERIOD: return BLOCK_PERIOD;
	case STEP_BATCH: return blocks[c->phase];
	default: return BLOCK_SYNC;
	}
}

enum client_block
client_block(const struct client *c)
{
	switch (c->state) {
	case CLIENT_RUNNABLE: return BLOCK_NOT;
	case CLIENT_SUBMITTING: return BLOCK_SUBMIT;
	case CLIENT_RING_FULL: return BLOCK_RING;
	case CLIENT_IDLING: return BLOCK_IDLE;
	case CLIENT_QUEUED:
	case CLIENT_WAKING: return BLOCK_CPU;
	case CLIENT_DRAINING: return BLOCK_DRAIN;
	case CLIENT_ENDED: return BLOCK_ENDED;
	default: return block_at_step(c, c->program->ops[c->pc].kind);
	}
}
