/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words of time by cause. Parts of one request have the same words as in why;
 * here they are sums, and name no step. */
#include "base/text.h"
#include "base/units.h"
#include "engine/explain/causes.h"
#include "engine/sim.h"

#define OWNERS_NAMED 6 /* the others are added up */

static const char *
device_engine(const struct causes *c, unsigned engine)
{
	const struct device *dev = &c->why.sim->device;

	return engine < dev->n_engines ? dev->engines[engine].name
				       : "any of its engines";
}

/* Adds "client 5 context 1", without the client where there is one only. */
static void
add_owner(const struct causes *c, const struct cause *row, struct text *out)
{
	bool several = c->why.sim->n_clients > 1;

	if (several || row->context == 0)
		text_addf(out, "client %u", row->client);
	if (row->context > 0)
		text_addf(
		    out, several ? " context %u" : "context %u", row->context);
}

static void
subject_text(const struct causes *c, const struct cause *row, struct text *out)
{
	if (row->client == CAUSE_NOBODY) {
		text_adds(out, device_engine(c, row->engine));
		return;
	}
	text_addf(out, "client %u", row->client);
	if (row->context == CAUSE_THREAD)
		text_adds(out, ": its thread");
	else
		text_addf(out, " context %u", row->context);
}

static const char *
step_words(enum client_block block)
{
	static const char *const words[N_BLOCKS] = {
	    [BLOCK_NOT] = "runs",
	    [BLOCK_SUBMIT] = "submits (CPU time)",
	    [BLOCK_DATA] = "waits in user space (-d) for data",
	    [BLOCK_THROTTLE] = "throttled (t), waits for its batches",
	    [BLOCK_RING] = "its ring is full, waits for its batches",
	    [BLOCK_WAIT_FLAG] = "waits for its batch (wait flag)",
	    [BLOCK_QUEUE_DEPTH] = "queue depth (q), waits for its batches",
	    [BLOCK_SYNC] = "syncs (s)",
	    [BLOCK_DELAY] = "delay (d)",
	    [BLOCK_PERIOD] = "waits for its period (p) to end",
	    [BLOCK_IDLE] = "waits for the minimum time of an iteration",
	    [BLOCK_DRAIN] = "drains after its last iteration",
	    [BLOCK_ENDED] = "has ended",
	    [BLOCK_CPU] = "wakes up on a CPU",
	};

	return words[block];
}

static void
blocked_text(const struct causes *c, const struct cause *row, struct text *out)
{
	bool names = row->how != TRAIL_NOTHING && row->how != TRAIL_SOFTWARE;

	text_adds(out, why_blocked_words((enum trail_cause)row->how));
	if (names && row->client != CAUSE_NOBODY)
		add_owner(c, row, out);
	else if (names)
		text_adds(out, "a batch that is no longer recorded");
}

static void
engines_text(const struct causes *c, const struct cause *row, struct text *out)
{
	unsigned n = 0;

	text_adds(out, "on ");
	for (engine_mask m = row->engines; m != 0; m &= m - 1) {
		text_adds(out, n++ > 0 ? " and " : "");
		text_adds(out, device_engine(c, (unsigned)__builtin_ctzll(m)));
	}
	if (n > 1)
		text_adds(out, " at once");
}

static void
idle_text(const struct causes *c, const struct cause *row, struct text *out)
{
	bool ours = c->why.sim->config.sched->reported;

	text_addf(out, "%s %s", device_engine(c, row->engine),
	    row->reset     ? "is being reset"
		: row->how ? "is free, its requests are blocked"
		: ours     ? "has nothing of ours"
			   : "is idle");
}

static void
part_text(const struct causes *c, const struct cause *row, struct text *out)
{
	const char *engine = device_engine(c, row->engine);
	struct why_part part = {
	    .role = (enum why_role)row->role,
	    .how = row->how,
	    .engine = row->engine,
	    .from = c->from,
	    .to = c->to,
	};

	switch (part.role) {
	case WHY_CLIENT:
		text_adds(out, step_words((enum client_block)row->how));
		return;
	case WHY_BLOCKED: blocked_text(c, row, out); return;
	case WHY_QUEUED: text_addf(out, "ready, queued for %s", engine); return;
	case WHY_POLLS:
		text_addf(out, "polls %s on %s",
		    part.how == WHY_MEMORY ? "memory" : "a semaphore", engine);
		return;
	case WHY_IDLE: idle_text(c, row, out); return;
	case WHY_OTHER:
		text_addf(
		    out, "%s busy with requests no longer recorded", engine);
		return;
	case WHY_RUNS:
		if (row->engine == TRAIL_NO_ENGINE) {
			text_adds(out, "runs");
			return;
		}
		break;
	default: break;
	}
	why_format(&c->why, &part, out);
}

void
causes_text(const struct causes *c, const struct cause *row, struct text *out)
{
	switch ((enum cause_kind)row->kind) {
	case CAUSE_SUBJECT: subject_text(c, row, out); break;
	case CAUSE_PART: part_text(c, row, out); break;
	case CAUSE_OWNER: add_owner(c, row, out); break;
	case CAUSE_ENGINES: engines_text(c, row, out); break;
	case CAUSE_NONE:
		text_adds(out, "no request in flight: its client");
		break;
	case CAUSE_REST: text_adds(out, "(not recorded)"); break;
	}
}

bool
causes_has_owners(const struct cause *row)
{
	for (const struct cause *r = row->first; r != NULL; r = r->next)
		if (r->kind == CAUSE_OWNER)
			return true;
	return false;
}

void
causes_owners(const struct causes *c, const struct cause *row, struct text *out)
{
	char time[UNITS_LEN];
	unsigned n = 0, more = 0;
	nsec rest = 0;

	if (row->role == WHY_QUEUED || row->role == WHY_OFF)
		text_addf(out, "%s busy with ", device_engine(c, row->engine));
	for (const struct cause *r = row->first; r != NULL; r = r->next) {
		if (more > 0 || (n >= OWNERS_NAMED && r->next != NULL)) {
			rest += r->ns;
			more++;
			continue;
		}
		text_adds(out, n++ > 0 ? ", " : "");
		causes_text(c, r, out);
		text_addf(out, " %s", format_duration(time, r->ns));
	}
	if (more > 0)
		text_addf(
		    out, ", %u more %s", more, format_duration(time, rest));
}
