/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See bans.h. */
#include "run/live/bans.h"

#include <inttypes.h>

#include "engine/hang/hang.h"
#include "engine/sim.h"

static void
on_hung(struct observer *o, const struct hang *hang)
{
	struct bans *b = (struct bans *)o; /* its first member */

	if (!hang->context_banned)
		return;
	b->n++;
	b->client = hang->rq->client->id;
	b->context = hang->rq->context->def->number;
	b->time = hang->time;
}

void
bans_begin(struct bans *b, struct sim *sim)
{
	*b = (struct bans){.observer = {.hung = on_hung}, .sim = sim};
	sim_add_observer(sim, &b->observer);
}

void
bans_end(struct bans *b)
{
	if (b->sim != NULL)
		sim_remove_observer(b->sim, &b->observer);
	*b = (struct bans){0};
}

bool
bans_news(struct bans *b, struct text *out)
{
	uint64_t n = b->n - b->n_told;

	if (n == 0)
		return false;
	b->n_told = b->n;
	text_addf(out,
	    "client %" PRIu32 " context %" PRIu32
	    " hung too often at %.3f s and is "
	    "banned: its batches are refused (EIO)",
	    b->client, b->context, (double)b->time / 1e9);
	if (n > 1)
		text_addf(out, "; %" PRIu64 " others before it", n - 1);
	return true;
}
