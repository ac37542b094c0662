/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/hang/ban.h"

#include <stdlib.h>

#include "base/mem.h"
#include "engine/sim.h"

/* Symbols of i915: client_mark_guilty, I915_CLIENT_SCORE_*. */
#define SCORE_CONTEXT_BAN 3
#define SCORE_FAST_HANG   1

void
ban_free(struct ban_context *b)
{
	free(b->hang_ns);
	b->hang_ns = NULL;
}

/* "The third hang if the first of those three was < 120 s ago". */
static bool
is_third_in_a_row(const struct sim *sim, const struct ban_context *b)
{
	return b->guilty >= 2 &&
	    sim->now - b->hang_ns[0] < sim->config.profile.ban_context_ns;
}

/* One whose client is gone is banned at once. */
static bool
blame_context(struct sim *sim, struct context *context)
{
	struct ban_context *b = &context->ban;
	bool banned = !b->banned &&
	    (is_third_in_a_row(sim, b) || context->client->killed != KILL_NOT);

	if (b->hang_ns == NULL)
		b->hang_ns = mem_calloc(2, sizeof *b->hang_ns);
	b->guilty++;
	b->hang_ns[0] = b->hang_ns[1];
	b->hang_ns[1] = sim->now;
	if (banned)
		b->banned = true;
	return banned;
}

static bool
blame_client(struct sim *sim, struct ban_client *b, bool context_banned)
{
	const struct profile *profile = &sim->config.profile;
	bool was = b->banned;

	if (context_banned)
		b->score += SCORE_CONTEXT_BAN;
	if (b->hangs++ > 0 && sim->now - b->hang_ns < profile->ban_client_ns)
		b->score += SCORE_FAST_HANG;
	b->hang_ns = sim->now;
	b->banned |= profile->ban_score > 0 && b->score >= profile->ban_score;
	return b->banned && !was;
}

void
ban_blame(struct sim *sim, struct context *context, bool *context_banned,
    bool *client_banned)
{
	*context_banned = blame_context(sim, context);
	*client_banned = blame_client(
	    sim, &context->client->ban, *context_banned);
}
