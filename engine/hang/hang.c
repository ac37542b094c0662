/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/hang/hang.h"

/* Where i915 has a text for it, that text (facts section 1.6). */
const char *
hang_cause_name(enum hang_cause cause)
{
	static const char *const names[N_HANG_CAUSES] = {
	    [HANG_BATCH] = "batch time out",
	    [HANG_PREEMPTION] = "preemption time out",
	    [HANG_HEARTBEAT] = "stopped heartbeat",
	    [HANG_REQUEST] = "request time out",
	    [HANG_JOB] = "job time out",
	    [HANG_REVOKED] = "context revoked",
	};

	return names[cause];
}

const char *
reset_scope_name(enum reset_scope scope)
{
	static const char *const names[N_RESET_SCOPES] = {
	    [RESET_ENGINE] = "engine",
	    [RESET_FULL] = "full",
	};

	return names[scope];
}

const struct hw_engine *
hang_engine(const struct hang *hang, unsigned i)
{
	const struct hw_engine *first = hang->engine - hang->engine->index;
	engine_mask m = hang->engines;

	for (; m != 0 && i > 0; i--)
		m &= m - 1;
	return m != 0 ? &first[__builtin_ctzll(m)] : NULL;
}
