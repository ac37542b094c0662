/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words of why: one function per role. */
#include <string.h>

#include "base/units.h"
#include "engine/explain/explain.h"
#include "engine/explain/why.h"
#include "engine/gpu/engine.h"

static const char *
engine_name(const struct why *why, unsigned engine)
{
	return engine < why->sim->device.n_engines
	    ? why->sim->device.engines[engine].name
	    : "any of its engines";
}

/* "client 0 context 2, line 6 (step 5: 2.RCS.800.0.1)" */
static void
add_batch_words(
    const struct why *why, const struct trail_request *r, struct text *out)
{
	struct batch_name name = batch_name_past(r);
	struct text step = {0};

	if (why->describe != NULL)
		why->describe(why->data, r, &step);
	batch_name_long(&name, text_str(&step), out);
	text_free(&step);
}

static void
add_request_words(const struct why *why, uint64_t id, struct text *out)
{
	const struct trail_request *r = trail_request(why->trail, id);

	if (r == NULL)
		text_adds(out, "a request that is no longer recorded");
	else
		add_batch_words(why, r, out);
}

static void
add_priority(const struct why *why, uint64_t id, struct text *out)
{
	const struct trail_request *r = trail_request(why->trail, id);

	if (r == NULL)
		return;
	text_addf(out, ", priority %d", r->priority);
	if (r->priority != r->submit_priority)
		text_addf(out, " (raised from %d)", r->submit_priority);
}

static void
format_client(const struct why *why, const struct why_part *p, struct text *out)
{
	static const char *const words[N_BLOCKS] = {
	    [BLOCK_NOT] = "runs",
	    [BLOCK_SUBMIT] = "submits (CPU time)",
	    [BLOCK_DATA] = "waits in user space (-d) for the data of",
	    [BLOCK_THROTTLE] = "throttled (t), waits for",
	    [BLOCK_RING] = "its ring is full, waits for the end of",
	    [BLOCK_WAIT_FLAG] = "waits for its batch:",
	    [BLOCK_QUEUE_DEPTH] = "queue depth (q), waits for",
	    [BLOCK_SYNC] = "syncs (s) with",
	    [BLOCK_DELAY] = "delay (d)",
	    [BLOCK_PERIOD] = "waits for its period (p) to end",
	    [BLOCK_IDLE] = "waits for the minimum time of an iteration",
	    [BLOCK_DRAIN] = "drains after its last iteration, waits for",
	    [BLOCK_ENDED] = "has ended",
	    [BLOCK_CPU] = "wakes up on a CPU",
	};
	bool waits = p->how >= BLOCK_DATA && p->how <= BLOCK_SYNC;

	text_addf(out, "client %u", p->client);
	if (p->how != BLOCK_IDLE && p->how != BLOCK_DRAIN) {
		text_adds(out, " at ");
		step_places_long(&p->first, &p->last, out);
	}
	text_addf(out, ": %s", words[p->how]);
	if (p->by != 0) {
		text_addc(out, ' ');
		add_request_words(why, p->by, out);
	} else if (waits || p->how == BLOCK_DRAIN) {
		text_adds(out, " requests in flight");
	}
}

const char *
why_blocked_words(enum trail_cause cause)
{
	static const char *const words[] = {
	    [TRAIL_NOTHING] = "not ready",
	    [TRAIL_DATA] = "not ready: waits for the data of ",
	    [TRAIL_FENCE] = "not ready: fence (f), waits for the end of ",
	    [TRAIL_SUBMIT] = "not ready: submit fence (s), waits for the "
			     "start of ",
	    [TRAIL_SOFTWARE] = "not ready: software fence (f), waits for its "
			       "client to signal it (a)",
	    [TRAIL_ORDER] = "not ready: on its ring behind ",
	    [TRAIL_SEMAPHORE] = "not ready: semaphore, waits for the "
				"start of ",
	};

	return words[cause];
}

static void
format_blocked(
    const struct why *why, const struct why_part *p, struct text *out)
{
	text_adds(out, why_blocked_words((enum trail_cause)p->how));
	if (p->how == TRAIL_SOFTWARE && why->sim->config.sched->reported)
		text_adds(out, ", and is held in user space until then");
	if (p->by != 0)
		add_request_words(why, p->by, out);
}

static void
format_queued(const struct why *why, const struct why_part *p, struct text *out)
{
	text_addf(out, "ready, queued for %s", engine_name(why, p->engine));
	add_priority(why, p->request, out);
}

static void
format_off(const struct why *why, const struct why_part *p, struct text *out)
{
	static const char *const words[N_LEAVINGS] = {
	    [LEAVING_ENDED] = "left",
	    [LEAVING_PREEMPTED] = "preempted",
	    [LEAVING_SLICE] = "timeslice expired",
	    [LEAVING_YIELDED] = "yielded on a semaphore",
	    [LEAVING_RESET] = "replayed after a reset",
	};

	text_addf(
	    out, "off %s: %s", engine_name(why, p->engine), words[p->how]);
	if (p->by == 0)
		return;
	text_adds(out, p->how == LEAVING_PREEMPTED ? " by " : ", for ");
	add_request_words(why, p->by, out);
	add_priority(why, p->by, out);
}

static void
format_switch(const struct why *why, const struct why_part *p, struct text *out)
{
	const char *name = engine_name(why, p->engine);

	switch ((enum why_switch)p->how) {
	case WHY_COMPLETES:
		text_addf(
		    out, "completion of the previous batch on %s (CSB)", name);
		break;
	case WHY_WAKES: text_addf(out, "%s wakes up from idle", name); break;
	default: text_addf(out, "context switch on %s", name); break;
	}
}

static void
format_sseu(const struct why *why, const struct why_part *p, struct text *out)
{
	text_addf(out, "SSEU: %s changes its slice mask",
	    engine_name(why, p->engine));
}

static void
format_memory(const struct why *why, const struct why_part *p, struct text *out)
{
	const struct trail_poll *poll = trail_poll(
	    why->trail, p->engine, p->poll);

	text_addf(out, "polls on %s: ", engine_name(why, p->engine));
	if (poll != NULL)
		explain_poll(&poll->poll, out);
	else
		text_adds(out, "memory");
}

static void
format_polls(const struct why *why, const struct why_part *p, struct text *out)
{
	if (p->how == WHY_MEMORY) {
		format_memory(why, p, out);
		return;
	}
	text_addf(out, "has %s, ", engine_name(why, p->engine));
	if (p->by == 0) {
		text_adds(out, "waits to begin");
		return;
	}
	text_adds(out, "polls a semaphore for the end of ");
	add_request_words(why, p->by, out);
}

/* True if a request could not be preempted. That of a program is not known before it has
 * left its engine: its commands are looked at while it runs. */
static bool
cannot_preempt(const struct why *why, const struct trail_request *r)
{
	if (!why->sim->config.profile.preemption)
		return true;
	return r->preempt_ns == 0 &&
	    (r->place.outside == 0 || r->end_ns != NSEC_NEVER);
}

static void
format_other(const struct why *why, const struct why_part *p, struct text *out)
{
	const struct trail_request *r = trail_request(why->trail, p->request);

	text_addf(out, "%s busy with ", engine_name(why, p->engine));
	add_request_words(why, p->request, out);
	add_priority(why, p->request, out);
	if (r != NULL && cannot_preempt(why, r))
		text_adds(out, ", not preemptible");
	if (p->how != LEAVING_ENDED)
		text_addf(
		    out, ", then %s", trail_leaving_name((enum leaving)p->how));
}

static void
format_idle(const struct why *why, const struct why_part *p, struct text *out)
{
	text_addf(out, "%s %s", engine_name(why, p->engine),
	    p->reset ? "is being reset" : "is idle");
}

/* Adds the other programs that used the engine of a part. */
static void
add_others(const struct why *why, const struct why_part *p, struct text *out)
{
	struct text others = {0};

	if (why->others != NULL)
		why->others(why->data, p->engine, p->from, p->to, &others);
	if (others.len > 0)
		text_addf(
		    out, "; other programs used it: %s", text_str(&others));
	text_free(&others);
}

/* On a real device a batch takes longer that has the engine in turns with other
 * work, of which the record knows nothing. */
static void
format_runs(const struct why *why, const struct why_part *p, struct text *out)
{
	const struct trail_request *r = trail_request(why->trail, p->request);
	nsec ran = p->to - p->from;
	char more[UNITS_LEN], all[UNITS_LEN];

	text_addf(out, "runs on %s", engine_name(why, p->engine));
	if (!why->sim->config.sched->reported || r == NULL ||
	    r->duration_ns == NSEC_NEVER ||
	    ran < r->duration_ns + WHY_LONGEST_BEGINNING)
		return;
	text_addf(out,
	    ", %s longer than its %s: the engine did other work in between",
	    format_duration(more, ran - r->duration_ns),
	    format_duration(all, r->duration_ns));
	add_others(why, p, out);
}

static void
format_device(const struct why *why, const struct why_part *p, struct text *out)
{
	const char *name = engine_name(why, p->engine);

	if (p->how == WHY_SUBMITTED_LATE) {
		text_adds(
		    out, "not submitted yet: the run was behind the clock");
		return;
	}
	if (p->how == WHY_BEGINS) {
		text_addf(out, "%s begins a batch (driver and GPU)", name);
		return;
	}
	text_addf(out,
	    "waits for the GPU, %s has nothing of ours: not explained by our "
	    "requests",
	    name);
	add_others(why, p, out);
}

static void
format_several(
    const struct why *why, const struct why_part *p, struct text *out)
{
	char time[UNITS_LEN];

	(void)why;
	text_addf(out, "%u more like this", p->count);
	if (p->ran > 0)
		text_addf(
		    out, "; batches ran for %s", format_duration(time, p->ran));
}

static void
format_unknown(
    const struct why *why, const struct why_part *p, struct text *out)
{
	(void)why;
	(void)p;
	text_adds(out, "(no longer recorded)");
}

typedef void format_fn(
    const struct why *why, const struct why_part *p, struct text *out);

/* The head has functions of its own. */
static format_fn *const why_formats[N_WHY_ROLES] = {
    [WHY_CLIENT] = format_client,
    [WHY_BLOCKED] = format_blocked,
    [WHY_QUEUED] = format_queued,
    [WHY_OFF] = format_off,
    [WHY_SWITCH] = format_switch,
    [WHY_SSEU] = format_sseu,
    [WHY_POLLS] = format_polls,
    [WHY_RUNS] = format_runs,
    [WHY_OTHER] = format_other,
    [WHY_IDLE] = format_idle,
    [WHY_DEVICE] = format_device,
    [WHY_SEVERAL] = format_several,
    [WHY_UNKNOWN] = format_unknown,
};

void
why_format(const struct why *why, const struct why_part *part, struct text *out)
{
	why_formats[part->role](why, part, out);
}

void
why_format_head(
    struct why *why, const struct trail_request *r, struct text *out)
{
	add_batch_words(why, r, out);
	step_place_add_iteration(&r->place, r->iteration, out);
	text_addf(out, ", on %s: ", engine_name(why, r->engine));
	if (r->end_ns == NSEC_NEVER)
		text_adds(out, "from submission until now, in flight");
	else if (r->error != 0)
		text_addf(out, "from submission to end, with error %s",
		    strerrorname_np(-r->error));
	else
		text_adds(out, "from submission to end");
}

void
why_format_miss(struct why *why, const struct trail_miss *m, struct text *out)
{
	char period[UNITS_LEN], late[UNITS_LEN];

	(void)why;
	text_addf(out,
	    "client %u, iteration %llu: %s late for its period of %s at ",
	    m->client, (unsigned long long)m->iteration,
	    format_duration(late, m->came_ns - m->due_ns),
	    format_duration(period, m->due_ns - m->started_ns));
	step_place_long(&m->place, NULL, out);
}

void
why_print(const struct why *why, struct text *out)
{
	char time[UNITS_LEN];

	for (size_t i = 0; i < why->n; i++) {
		const struct why_row *row = &why->rows[i];

		text_addf(out, "%*s%s %s\n", row->indent * 2, "",
		    format_duration(time, row->to_ns - row->from_ns),
		    why_text(why, i));
	}
}
