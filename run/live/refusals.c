/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See refusals.h. */
#include "run/live/refusals.h"

#include <string.h>

#include "base/text.h"
#include "engine/client/client.h"
#include "engine/compile/platform.h"
#include "engine/compile/program.h"
#include "engine/sim.h"

static uint32_t
refused_now(const struct sim *sim)
{
	uint32_t rules = 0;

	for (const struct workload *w = sim->workloads; w != NULL; w = w->next)
		rules |= w->program->refusals;
	return rules;
}

bool
refusals_news(struct refusals *r, const struct sim *sim, struct text *out)
{
	const char *platform = sim->config.profile.name;
	uint32_t news;

	if (strcmp(r->platform, platform) != 0) {
		memcpy(r->platform, platform, sizeof(r->platform));
		r->told = 0;
	}
	news = refused_now(sim) & ~r->told;
	if (news == 0)
		return false;
	r->told |= news;
	text_addf(out, "%s; the model of %s runs it all the same",
	    platform_words((unsigned)__builtin_ctz(news), PLATFORM_REFUSES),
	    platform);
	if ((news & (news - 1)) != 0)
		text_addf(out, " (--check tells of %d more)",
		    __builtin_popcount(news) - 1);
	return true;
}
