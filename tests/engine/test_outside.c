/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Clients from outside (engine/backend.h; doc/model/outside.md): contexts and
 * clients come and go, requests with explicit dependencies, durations that are
 * asked for or told, and what ends requests before their time. No descriptor
 * takes part, but where one is named.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/client/control.h"
#include "engine/explain/causes.h"
#include "engine/explain/trail.h"
#include "engine/explain/why.h"
#include "tests/support/outsider.h"

#define FOR_EVER UINT64_MAX

static const char *const schedulers[] = {"fifo", "execlists", "drm", "guc"};
#define N_SCHEDULERS (sizeof schedulers / sizeof *schedulers)

struct bench {
	struct lab lab;
	struct outsider o;
	struct client *client;
};

static void
set_up(struct bench *b, const char *sched)
{
	lab_init(&b->lab, sched);
	outsider_init(&b->o, &b->lab);
	b->client = outsider_join(&b->o);
}

static void
tear_down(struct bench *b)
{
	lab_free(&b->lab);
	outsider_free(&b->o);
}

static struct submission_wait
after_end(struct request_ref rq)
{
	return (struct submission_wait){.kind = AFTER_END, .request = rq};
}

/* doc/model/outside.md "The end of a run" */
static void
test_run_waits_for_its_owners(void **state)
{
	(void)state;
	for (unsigned i = 0; i < N_SCHEDULERS; i++) {
		struct bench b;
		struct context *context;

		set_up(&b, schedulers[i]);
		outsider_expect(&b.o, 50, "");
		assert_int_equal(b.lab.sim->state, SIM_RUNNING);
		assert_int_equal(b.lab.sim->now, 50 * NSEC_PER_USEC);
		context = outsider_context_on(b.client, "RCS");
		outsider_batch(&b.o, context, 'A', 100);
		outsider_expect(
		    &b.o, 200, "50: ready A, start A RCS; 150: end A");
		assert_int_equal(
		    sim_context_busy(b.lab.sim, context), 100 * NSEC_PER_USEC);
		assert_string_equal(client_state_name(b.client), "connected");
		backend_client_leave(b.client);
		outsider_expect(&b.o, 300, "");
		assert_string_equal(client_state_name(b.client), "ended");
		assert_int_equal(b.lab.sim->state, SIM_DONE);
		/* An open device goes on. */
		backend_set_open(b.lab.sim, true);
		outsider_expect(&b.o, 400, "");
		assert_int_equal(b.lab.sim->state, SIM_RUNNING);
		outsider_batch(&b.o,
		    outsider_context_on(outsider_join(&b.o), "BCS"), 'B', 10);
		outsider_expect(
		    &b.o, 500, "400: ready B, start B BCS; 410: end B");
		tear_down(&b);
	}
}

/* doc/model/outside.md "Closed contexts" */
static void
test_persistent_contexts_outlive_their_process(void **state)
{
	(void)state;
	for (unsigned i = 0; i < N_SCHEDULERS; i++) {
		struct bench b;
		struct context *first, *second;

		set_up(&b, schedulers[i]);
		first = outsider_context_on(b.client, "RCS");
		outsider_batch(&b.o, first, 'A', 100);
		outsider_batch(&b.o, first, 'B', 100);
		outsider_expect(&b.o, 10, "0: ready A, start A RCS, ready B");
		backend_context_destroy(first);
		second = outsider_context_on(b.client, "VCS1");
		outsider_batch(&b.o, second, 'C', 100);
		backend_client_leave(b.client);
		outsider_expect(&b.o, 50, "10: ready C, start C VCS1");
		assert_string_equal(client_state_name(b.client), "draining");
		outsider_expect(&b.o, 500,
		    "100: end A, start B RCS; 110: end C; 200: end B");
		assert_int_equal(b.lab.sim->state, SIM_DONE);
		tear_down(&b);
	}
}

/* doc/model/outside.md "Closed contexts": running ones stop at their next
 * preemption point, where the scheduler has those, or are reset. */
static void
test_others_are_revoked(void **state)
{
	static const char *const ends[] = {
	    "300: cancelled A, start B RCS, cancelled B",
	    "300: cancelled A, start B RCS, cancelled B",
	    "250: guilty A, cancelled B",
	    "300: cancelled A, start B RCS, cancelled B",
	};

	(void)state;
	for (unsigned i = 0; i < N_SCHEDULERS; i++) {
		struct bench b;
		struct context *context;

		set_up(&b, schedulers[i]);
		context = outsider_context_on(b.client, "RCS");
		outsider_batch(&b.o, context, 'A', 1000);
		outsider_batch(&b.o, context, 'B', 1000);
		outsider_expect(&b.o, 250, "0: ready A, start A RCS, ready B");
		backend_context_set_persistent(context, false);
		backend_context_destroy(context);
		outsider_expect(&b.o, 5000, ends[i]);
		assert_int_equal(context->in_flight, 0);
		assert_string_equal(client_state_name(b.client), "connected");
		/* Nothing more is accepted, and others go on. */
		assert_int_equal(
		    backend_submit(b.lab.sim,
			&(struct outside_submission){
			    .timeline = backend_timeline(context, 0),
			    .durations_ns = &(nsec){0}},
			NULL),
		    SUBMIT_CLOSED);
		text_clear(&b.o.events);
		outsider_batch(
		    &b.o, outsider_context_on(b.client, "RCS"), 'C', 10);
		outsider_expect(
		    &b.o, 6000, "5000: ready C, start C RCS; 5010: end C");
		tear_down(&b);
	}
}

/* doc/model/common.md "Ready" */
static void
test_in_fences(void **state)
{
	(void)state;
	for (unsigned i = 0; i < N_SCHEDULERS; i++) {
		struct bench b;
		struct submission_wait wait;

		set_up(&b, schedulers[i]);
		wait = after_end(outsider_batch(
		    &b.o, outsider_context_on(b.client, "RCS"), 'A', 100));
		outsider_submit(&b.o, outsider_context_on(b.client, "BCS"), 'B',
		    50, &wait, 1);
		sim_run(b.lab.sim, 1000 * NSEC_PER_USEC, 0);
		assert_int_equal(b.lab.rows[1].start, 100 * NSEC_PER_USEC);
		assert_int_equal(b.lab.rows[1].end, 150 * NSEC_PER_USEC);
		/* A request that has ended is waited for no more. */
		outsider_submit(&b.o, outsider_context_on(b.client, "BCS"), 'C',
		    50, &wait, 1);
		sim_run(b.lab.sim, 2000 * NSEC_PER_USEC, 0);
		assert_int_equal(b.lab.rows[2].start, 1000 * NSEC_PER_USEC);
		tear_down(&b);
	}
}

/* doc/model/common.md "Ready": s-n waits for the start */
static void
test_submit_fences(void **state)
{
	(void)state;
	for (unsigned i = 0; i < N_SCHEDULERS; i++) {
		struct bench b;
		struct submission_wait wait = {.kind = AFTER_START};
		struct context *rcs;

		set_up(&b, schedulers[i]);
		rcs = outsider_context_on(b.client, "RCS");
		outsider_batch(&b.o, rcs, 'A', 100);
		wait.request = outsider_batch(&b.o, rcs, 'B', 100);
		outsider_submit(&b.o, outsider_context_on(b.client, "BCS"), 'C',
		    50, &wait, 1);
		sim_run(b.lab.sim, 1000 * NSEC_PER_USEC, 0);
		assert_int_equal(b.lab.rows[1].start, 100 * NSEC_PER_USEC);
		/* The DRM scheduler waits until B is on a ring. */
		assert_true(b.lab.rows[2].start <= 100 * NSEC_PER_USEC);
		tear_down(&b);
	}
}

/* doc/model/outside.md "Dependencies" */
static void
test_software_fences(void **state)
{
	(void)state;
	for (unsigned i = 0; i < N_SCHEDULERS; i++) {
		struct bench b;
		struct submission_wait waits[2] = {
		    {.kind = AFTER_SIGNAL}, {.kind = AFTER_SIGNAL}};
		bool inherits;

		set_up(&b, schedulers[i]);
		inherits = b.lab.config.sched->propagates_errors;
		waits[0].fence = backend_fence_new(b.lab.sim);
		waits[1].fence = backend_fence_new(b.lab.sim);
		outsider_submit(&b.o, outsider_context_on(b.client, "RCS"), 'A',
		    10, waits, 2);
		outsider_submit(&b.o, outsider_context_on(b.client, "BCS"), 'B',
		    10, &waits[1], 1);
		outsider_expect(&b.o, 100, "");
		backend_fence_signal(b.lab.sim, waits[0].fence, 0);
		outsider_expect(&b.o, 200, "");
		backend_fence_signal(b.lab.sim, waits[1].fence, -ENOENT);
		sim_run(b.lab.sim, 300 * NSEC_PER_USEC, 0);
		assert_int_equal(b.lab.rows[0].start, 200 * NSEC_PER_USEC);
		for (unsigned k = 0; k < 2; k++) {
			assert_int_equal(b.lab.rows[k].end,
			    (inherits ? 200 : 210) * NSEC_PER_USEC);
			assert_int_equal(
			    b.lab.rows[k].error, inherits ? -ENOENT : 0);
			backend_fence_free(b.lab.sim, waits[k].fence);
		}
		tear_down(&b);
	}
}

/* doc/model/common.md "Objects" */
static void
test_objects(void **state)
{
	(void)state;
	for (unsigned i = 0; i < N_SCHEDULERS; i++) {
		static const char *const engines[] = {
		    "RCS", "BCS", "VCS1", "VCS2"};
		static const bool writes[] = {true, false, false, true};
		static const nsec starts[] = {0, 100, 100, 200};
		struct bench b;
		struct object_use use = {0};
		nsec duration = 100 * NSEC_PER_USEC;

		set_up(&b, schedulers[i]);
		backend_object_free(b.lab.sim, backend_object_new(b.lab.sim));
		use.object = backend_object_new(b.lab.sim);
		for (unsigned k = 0; k < 4; k++) {
			struct context *context = outsider_context_on(
			    b.client, engines[k]);

			use.write = writes[k];
			backend_submit(b.lab.sim,
			    &(struct outside_submission){
				.timeline = backend_timeline(context, 0),
				.durations_ns = &duration,
				.uses = &use,
				.n_uses = 1},
			    NULL);
		}
		backend_object_free(b.lab.sim, use.object);
		sim_run(b.lab.sim, 1000 * NSEC_PER_USEC, 0);
		for (unsigned k = 0; k < 4; k++)
			assert_int_equal(
			    b.lab.rows[k].start, starts[k] * NSEC_PER_USEC);
		tear_down(&b);
	}
}

/* doc/model/outside.md "Timelines" and doc/model/common.md "Virtual engines" */
static void
test_virtual_engines(void **state)
{
	(void)state;
	for (unsigned i = 0; i < N_SCHEDULERS; i++) {
		struct bench b;

		set_up(&b, schedulers[i]);
		for (unsigned k = 0; k < 3; k++)
			outsider_batch(&b.o,
			    outsider_context_on(b.client, "VCS1|VCS2"),
			    (char)('A' + k), 100);
		sim_run(b.lab.sim, 1000 * NSEC_PER_USEC, 0);
		assert_int_equal(b.lab.rows[0].start, 0);
		assert_int_equal(b.lab.rows[2].end, 200 * NSEC_PER_USEC);
		assert_string_not_equal(
		    b.lab.rows[0].engine, b.lab.rows[1].engine);
		tear_down(&b);
	}
}

/* doc/model/common.md "Bonds" */
static void
test_bonds(void **state)
{
	struct bench b;
	struct submission_wait wait = {.kind = AFTER_START};
	struct bond bond;
	struct slot_setup slot = {.bonds = &bond, .n_bonds = 1};
	struct context_setup setup = {
	    .number = 7, .slots = &slot, .n_slots = 1};
	struct context *context;
	struct text err = {0};

	(void)state;
	set_up(&b, "execlists");
	slot.engines = outsider_engines(&b.lab, "VCS1|VCS2");
	bond.master = (uint8_t)__builtin_ctzll(outsider_engines(&b.lab, "RCS"));
	bond.siblings = outsider_engines(&b.lab, "VCS2");
	context = backend_context_new(b.client, &setup, &err);
	wait.request = outsider_batch(
	    &b.o, outsider_context_on(b.client, "RCS"), 'A', 100);
	wait.started_on = b.o.started_on['A'];
	outsider_submit(&b.o, context, 'B', 10, &wait, 1);
	sim_run(b.lab.sim, 1000 * NSEC_PER_USEC, 0);
	/* Also when it ended long ago. */
	outsider_submit(&b.o, context, 'C', 10, &wait, 1);
	outsider_expect(&b.o, 2000,
	    "0: ready A, start A RCS, ready B, start B VCS2; 10: end B; 100: "
	    "end A; 1000: ready C, start C VCS2; 1010: end C");
	tear_down(&b);
	/* "a scheduler refuses a slot" */
	set_up(&b, "drm");
	assert_null(backend_context_new(b.client, &setup, &err));
	assert_non_null(strstr(text_str(&err), "bonds"));
	assert_int_equal(b.client->n_contexts, 0);
	text_free(&err);
	tear_down(&b);
}

/* doc/model/outside.md "Timelines": a parallel slot, whose rows end together */
static void
test_parallel_slots(void **state)
{
	struct bench b;
	uint8_t rows[2];
	struct slot_setup slot = {.n_rows = 2, .n_siblings = 1, .rows = rows};
	struct context_setup setup = {
	    .number = 3, .slots = &slot, .n_slots = 1};
	nsec durations[] = {100 * NSEC_PER_USEC, 300 * NSEC_PER_USEC};
	struct outside_submission s = {.durations_ns = durations,
	    .label = "two slices",
	    .tag = (void *)'P'};
	struct context *context;
	struct text err = {0};

	(void)state;
	set_up(&b, "guc");
	rows[0] = (uint8_t)__builtin_ctzll(outsider_engines(&b.lab, "VCS1"));
	rows[1] = (uint8_t)__builtin_ctzll(outsider_engines(&b.lab, "VCS2"));
	context = backend_context_new(b.client, &setup, &err);
	assert_string_equal(text_str(&err), "");
	s.timeline = backend_timeline(context, 0);
	assert_int_equal(backend_submit(b.lab.sim, &s, NULL), SUBMITTED);
	outsider_expect(&b.o, 1000,
	    "0: ready P, start P VCS1, start P1 VCS2; 300: end P, end P1");
	/* All rows ask at once. */
	s.asks = true;
	b.o.answers[0] = 20 * NSEC_PER_USEC;
	backend_submit(b.lab.sim, &s, NULL);
	outsider_expect(&b.o, 2000,
	    "1000: ready P, asks P, start P VCS1, start P1 VCS2; "
	    "1020: asks P, end P, end P1");
	tear_down(&b);
}

/* The trail has what a request contained until another takes its place. */
static void
test_trail_has_labels(void **state)
{
	struct bench b;
	struct outside_submission s = {.label = "20 draws, 1 clear",
	    .durations_ns = &(nsec){NSEC_PER_USEC},
	    .tag = (void *)'A'};
	struct trail *trail;

	(void)state;
	set_up(&b, "fifo");
	trail = trail_begin(b.lab.sim, 4);
	s.timeline = backend_timeline(outsider_context_on(b.client, "RCS"), 0);
	backend_submit(b.lab.sim, &s, NULL);
	outsider_expect(&b.o, 10, "0: ready A, start A RCS; 1: end A");
	assert_string_equal(trail_request(trail, 1)->label, s.label);
	assert_true(trail_request(trail, 1)->place.outside);
	s.label = NULL;
	for (unsigned i = 0; i < 4; i++) {
		backend_submit(b.lab.sim, &s, NULL);
		sim_run(b.lab.sim, b.lab.sim->now + 10000, UINT64_MAX);
	}
	assert_null(trail_request(trail, 1));
	assert_null(trail_request(trail, 5)->label);
	trail_end(trail);
	tear_down(&b);
}

/* doc/model/execlists.md "Preemption": at the next point of the batch */
static void
test_priorities(void **state)
{
	struct bench b;
	struct context *low, *high;

	(void)state;
	set_up(&b, "execlists");
	low = outsider_context_on(b.client, "RCS");
	high = outsider_context_on(b.client, "RCS");
	backend_context_set_priority(high, 500);
	outsider_batch(&b.o, low, 'L', 1000);
	outsider_expect(&b.o, 150, "0: ready L, start L RCS");
	outsider_batch(&b.o, high, 'H', 50);
	outsider_expect(&b.o, 2000,
	    "150: ready H; 200: start H RCS; 250: end H; 1050: end L");
	tear_down(&b);
}

/* doc/model/outside.md "Durations" */
static void
test_durations_asked_at_the_start(void **state)
{
	(void)state;
	for (unsigned i = 0; i < N_SCHEDULERS; i++) {
		struct bench b;
		struct context *context;

		set_up(&b, schedulers[i]);
		context = outsider_context_on(b.client, "RCS");
		outsider_batch(&b.o, context, 'A', 100);
		backend_submit(b.lab.sim,
		    &(struct outside_submission){
			.timeline = backend_timeline(context, 0),
			.asks = true,
			.tag = (void *)'B'},
		    NULL);
		b.o.answers[0] = 30 * NSEC_PER_USEC;
		sim_run(b.lab.sim, 1000 * NSEC_PER_USEC, 0);
		assert_non_null(strstr(text_str(&b.o.events), "asks B"));
		assert_int_equal(b.lab.rows[1].start, 100 * NSEC_PER_USEC);
		assert_int_equal(b.lab.rows[1].end, 130 * NSEC_PER_USEC);
		tear_down(&b);
	}
}

static struct request_ref
submit_asking(struct bench *b, struct context *context, char tag)
{
	struct outside_submission s = {.timeline = backend_timeline(context, 0),
	    .asks = true,
	    .tag = (void *)(uintptr_t)tag};
	struct request_ref rq;

	assert_int_equal(backend_submit(b->lab.sim, &s, &rq), SUBMITTED);
	return rq;
}

/* doc/model/outside.md "Instalments" */
static void
test_instalments(void **state)
{
	(void)state;
	for (unsigned i = 0; i < N_SCHEDULERS; i++) {
		struct bench b;
		struct context *context;
		struct request_ref rq;

		set_up(&b, schedulers[i]);
		context = outsider_context_on(b.client, "RCS");
		b.o.answers[0] = 30 * NSEC_PER_USEC;
		b.o.answers[1] = 20 * NSEC_PER_USEC;
		b.o.answers[2] = NSEC_NEVER;
		b.o.answers[3] = 5 * NSEC_PER_USEC;
		rq = submit_asking(&b, context, 'A');
		outsider_expect(&b.o, 100,
		    "0: ready A, asks A, start A RCS; 30: asks A; 50: asks A");
		backend_end(b.lab.sim, rq, 10 * NSEC_PER_USEC);
		outsider_expect(&b.o, 112, "110: asks A");
		backend_end(b.lab.sim, rq, 0); /* has an end */
		outsider_expect(&b.o, 200, "115: asks A, end A");
		assert_int_equal(
		    sim_context_busy(b.lab.sim, context), 115 * NSEC_PER_USEC);
		tear_down(&b);
	}
}

/* doc/model/outside.md "Instalments": nothing is asked early after a
 * preemption; points may change. */
static void
test_instalments_and_preemption(void **state)
{
	struct bench b;
	struct context *low, *high;
	struct request_ref rq;

	(void)state;
	set_up(&b, "execlists");
	low = outsider_context_on(b.client, "RCS");
	high = outsider_context_on(b.client, "RCS");
	backend_context_set_priority(high, 500);
	b.o.answers[0] = 100 * NSEC_PER_USEC;
	b.o.answers[1] = NSEC_NEVER;
	b.o.answers[2] = 10 * NSEC_PER_USEC;
	b.o.points_ns = 40 * NSEC_PER_USEC;
	rq = submit_asking(&b, low, 'L');
	outsider_expect(&b.o, 10, "0: ready L, asks L, start L RCS");
	outsider_batch(&b.o, high, 'H', 50);
	outsider_expect(
	    &b.o, 200, "10: ready H; 40: start H RCS; 90: end H; 150: asks L");
	/* Woken while it is off its engine. */
	outsider_batch(&b.o, high, 'I', 50);
	outsider_expect(&b.o, 220, "200: ready I; 210: start I RCS");
	backend_end(b.lab.sim, rq, 0);
	b.o.points_ns = 0;
	outsider_expect(&b.o, 265, "260: end I, asks L");
	outsider_batch(&b.o, high, 'J', 50);
	outsider_expect(&b.o, 500,
	    "265: ready J; 270: asks L, end L, start J RCS; 320: end J");
	tear_down(&b);
}

/* doc/model/outside.md "Polling batches": a batch that waits for memory counts
 * as polling, wherever its engine is asked. */
static void
test_polling_is_counted(void **state)
{
	(void)state;
	for (unsigned i = 0; i < N_SCHEDULERS; i++) {
		const struct hw_engine *e;
		struct context *context;
		struct request_ref rq;
		struct sim_times times;
		struct bench b;

		set_up(&b, schedulers[i]);
		e = &b.lab.sim->device.engines[0];
		context = outsider_context_on(b.client, "RCS");
		b.o.endless_polls = true;
		b.o.answers[0] = 30 * NSEC_PER_USEC;
		b.o.answers[1] = NSEC_NEVER;
		b.o.answers[2] = 20 * NSEC_PER_USEC;
		rq = submit_asking(&b, context, 'A');
		outsider_expect(
		    &b.o, 100, "0: ready A, asks A, start A RCS; 30: asks A");
		assert_int_equal(
		    hw_engine_run(e, b.lab.sim->now), 30 * NSEC_PER_USEC);
		assert_int_equal(
		    hw_engine_sema(e, b.lab.sim->now), 70 * NSEC_PER_USEC);
		backend_end(b.lab.sim, rq, 0);
		outsider_expect(&b.o, 200, "100: asks A; 120: asks A, end A");
		assert_int_equal(
		    hw_engine_run(e, b.lab.sim->now), 50 * NSEC_PER_USEC);
		assert_int_equal(
		    hw_engine_sema(e, b.lab.sim->now), 70 * NSEC_PER_USEC);
		assert_int_equal(
		    hw_engine_busy(e, b.lab.sim->now), 120 * NSEC_PER_USEC);
		sim_context_times(b.lab.sim, context, &times);
		assert_int_equal(times.all.ns[USE_POLLING], 70 * NSEC_PER_USEC);
		assert_int_equal(times.all.ns[USE_SWITCHING], 0);
		tear_down(&b);
	}
}

static void
expect_uses(struct bench *b, const struct trail *t)
{
	const struct hw_engine *e = &b->lab.sim->device.engines[0];
	nsec now = b->lab.sim->now;
	struct engine_times seen = trail_used(t, 0, now);
	struct engine_times counted = hw_engine_times(e, now);

	for (int use = 0; use < N_USES; use++)
		assert_int_equal(seen.ns[use], counted.ns[use]);
}

static void
expect_why(struct bench *b, const struct trail *t, const char *expected)
{
	struct why why = {0};
	struct text text = {0};

	assert_true(why_request(&why, t, b->lab.sim, 1));
	why_print(&why, &text);
	assert_string_equal(text_str(&text), expected);
	text_free(&text);
	why_free(&why);
}

static void
expect_engine_causes(struct bench *b, const struct trail *t)
{
	struct causes c = {0};
	const struct cause *row;
	struct text text = {0};

	assert_true(causes_begin(&c, t, b->lab.sim, 0, NSEC_NEVER));
	causes_add_engine(&c, 0);
	for (row = c.root.first->first; row != NULL; row = row->next) {
		text_addf(&text, "%u ", (unsigned)(row->ns / NSEC_PER_USEC));
		causes_text(&c, row, &text);
		text_adds(&text, "; ");
	}
	assert_string_equal(text_str(&text),
	    "80 RCS is idle; 70 polls memory on RCS; 50 runs on RCS; ");
	text_free(&text);
	causes_free(&c);
}

/* doc/model/outside.md "Polling batches": the trail has when a batch polled, and
 * what. */
static void
test_polling_in_the_trail(void **state)
{
	const struct trail_poll *poll;
	struct request_ref rq;
	struct trail *t;
	struct bench b;

	(void)state;
	set_up(&b, "execlists");
	t = trail_begin(b.lab.sim, 64);
	b.o.endless_polls = true;
	b.o.poll = (struct memory_poll){
	    .known = true,
	    .address = 0x10040,
	    .object = 3,
	    .object_offset = 0x40,
	    .found = 7,
	    .wanted = 9,
	    .compare = 1,
	};
	b.o.answers[0] = 30 * NSEC_PER_USEC;
	b.o.answers[1] = b.o.answers[2] = NSEC_NEVER;
	b.o.answers[3] = 20 * NSEC_PER_USEC;
	rq = submit_asking(&b, outsider_context_on(b.client, "RCS"), 'A');
	outsider_expect(
	    &b.o, 90, "0: ready A, asks A, start A RCS; 30: asks A");
	expect_uses(&b, t);
	/* It finds another value, which is one poll still. */
	b.o.poll.found = 8;
	backend_end(b.lab.sim, rq, 0);
	outsider_expect(&b.o, 100, "90: asks A");
	expect_why(&b, t,
	    "100us client 0 context 1, request 0, on RCS: from submission "
	    "until now, in flight\n"
	    "  30.0us runs on RCS\n"
	    "  70.0us polls on RCS: 0x10040: found 0x8, wanted >= 0x9 "
	    "(object 3 + 0x40 of client 0)\n");
	backend_end(b.lab.sim, rq, 0);
	outsider_expect(&b.o, 200, "100: asks A; 120: asks A, end A");
	expect_uses(&b, t);
	assert_int_equal(trail_polls(t, 0, 0, NSEC_NEVER).end, 2);
	poll = trail_poll(t, 0, 1);
	assert_int_equal(poll->from_ns, 30 * NSEC_PER_USEC);
	assert_int_equal(poll->to_ns, 100 * NSEC_PER_USEC);
	assert_int_equal(trail_span_used(t, 0, trail_span(t, 0, 1), NSEC_NEVER)
			     .ns[USE_RUNNING],
	    50 * NSEC_PER_USEC);
	assert_int_equal(trail_used(t, 0, 60 * NSEC_PER_USEC).ns[USE_POLLING],
	    30 * NSEC_PER_USEC);
	expect_engine_causes(&b, t);
	trail_end(t);
	tear_down(&b);
}

/* doc/model/outside.md "Polling batches": under execlists its slice is over at
 * its next preemption point, where equals take over. */
static void
test_a_polling_batch_yields(void **state)
{
	struct context *waits, *other;
	const struct hw_engine *e;
	struct request_ref rq;
	struct bench b;

	(void)state;
	set_up(&b, "execlists");
	e = &b.lab.sim->device.engines[0];
	waits = outsider_context_on(b.client, "RCS");
	other = outsider_context_on(b.client, "RCS");
	b.o.endless_polls = true;
	b.o.points_ns = 10 * NSEC_PER_USEC;
	b.o.answers[0] = b.o.answers[1] = b.o.answers[2] = NSEC_NEVER;
	rq = submit_asking(&b, waits, 'W');
	outsider_expect(&b.o, 12, "0: ready W, asks W, start W RCS");
	outsider_batch(&b.o, other, 'O', 500);
	/* It is asked again when it has the engine again. */
	outsider_expect(
	    &b.o, 600, "12: ready O; 20: start O RCS; 520: end O, asks W");
	assert_int_equal(
	    hw_engine_sema(e, b.lab.sim->now), 100 * NSEC_PER_USEC);
	/* One that does not poll keeps its slice. */
	b.o.endless_polls = false;
	backend_end(b.lab.sim, rq, 0);
	outsider_expect(&b.o, 605, "600: asks W");
	outsider_batch(&b.o, other, 'O', 500);
	outsider_expect(&b.o, 1000, "605: ready O");
	tear_down(&b);
}

/* doc/model/outside.md "Timelines": each slot has its slice mask. */
static void
test_slice_masks_of_slots(void **state)
{
	struct outside_submission s = {.tag = (void *)(uintptr_t)'A'};
	const nsec us = NSEC_PER_USEC;
	const struct hw_engine *e;
	struct context *context;
	struct text err = {0};
	engine_mask rcs;
	struct bench b;

	(void)state;
	set_up(&b, "execlists");
	rcs = outsider_engines(&b.lab, "RCS");
	context = outsider_context(b.client, (engine_mask[]){rcs, rcs}, 2);
	e = &b.lab.sim->device.engines[0];
	assert_true(
	    backend_timeline_set_sseu(backend_timeline(context, 1), 1, &err));
	assert_int_equal(context->sseu, device_all_slices(&b.lab.sim->device));
	s.durations_ns = &us;
	for (unsigned slot = 0; slot < 2; slot++) {
		s.timeline = backend_timeline(context, slot);
		assert_int_equal(
		    backend_submit(b.lab.sim, &s, NULL), SUBMITTED);
		assert_int_equal(e->last_sseu,
		    slot == 1 ? 1 : device_all_slices(&b.lab.sim->device));
		sim_run(b.lab.sim, b.lab.sim->now + 10 * us, 0);
	}
	assert_true(
	    backend_timeline_set_sseu(backend_timeline(context, 0), 1, &err));
	assert_int_equal(context->sseu, 1);
	assert_false(backend_timeline_set_sseu(
	    backend_timeline(context, 0), 1u << 20, &err));
	/* The mask of the whole context is that of all slots. */
	assert_true(backend_context_set_sseu(context, 0, &err));
	s.timeline = backend_timeline(context, 1);
	assert_int_equal(backend_submit(b.lab.sim, &s, NULL), SUBMITTED);
	assert_int_equal(e->last_sseu, device_all_slices(&b.lab.sim->device));
	text_free(&err);
	tear_down(&b);
}

/* doc/model/outside.md "Timelines": made later */
static void
test_timelines_made_later(void **state)
{
	struct bench b;
	struct context *first;
	struct ring *late;
	struct text err = {0};
	nsec duration = 10 * NSEC_PER_USEC;

	(void)state;
	set_up(&b, "execlists");
	first = outsider_context_on(b.client, "RCS");
	outsider_context_on(b.client, "RCS");
	assert_null(backend_timeline_new(first,
	    &(struct slot_setup){.engines = (engine_mask)1 << 40}, &err));
	assert_string_not_equal(text_str(&err), "");
	late = backend_timeline_new(first,
	    &(struct slot_setup){.engines = outsider_engines(&b.lab, "BCS")},
	    NULL);
	assert_int_equal(backend_submit(b.lab.sim,
			     &(struct outside_submission){.timeline = late,
				 .durations_ns = &duration,
				 .tag = (void *)'A'},
			     NULL),
	    SUBMITTED);
	outsider_expect(&b.o, 5, "0: ready A, start A BCS");
	backend_context_set_persistent(first, false);
	backend_context_destroy(first);
	outsider_expect(&b.o, 1100, "5: guilty A");
	text_free(&err);
	tear_down(&b);
}

/* doc/model/outside.md "Durations": until told */
static void
test_batches_until_they_are_ended(void **state)
{
	(void)state;
	for (unsigned i = 0; i < N_SCHEDULERS; i++) {
		struct bench b;
		struct context *context;
		struct request_ref first, second, third;

		set_up(&b, schedulers[i]);
		context = outsider_context_on(b.client, "RCS");
		first = outsider_batch(&b.o, context, 'A', FOR_EVER);
		second = outsider_batch(&b.o, context, 'B', FOR_EVER);
		third = outsider_batch(&b.o, context, 'C', FOR_EVER);
		sim_run(b.lab.sim, 500 * NSEC_PER_USEC, 0);
		backend_end(b.lab.sim, second, 40 * NSEC_PER_USEC);
		backend_end(b.lab.sim, first, 0);
		sim_run(b.lab.sim, 600 * NSEC_PER_USEC, 0);
		backend_end(b.lab.sim, third, 25 * NSEC_PER_USEC);
		backend_end(b.lab.sim, first, 0); /* is gone */
		sim_run(b.lab.sim, 1000 * NSEC_PER_USEC, 0);
		assert_int_equal(b.lab.rows[0].end, 500 * NSEC_PER_USEC);
		assert_int_equal(b.lab.rows[1].end, 540 * NSEC_PER_USEC);
		assert_int_equal(b.lab.rows[2].end, 625 * NSEC_PER_USEC);
		assert_int_equal(b.lab.rows[2].error, 0);
		tear_down(&b);
	}
}

/* doc/model/hangs.md "Preempt timeout": the batch that does not make way is
 * guilty; doc/model/hangs.md "Bans" and doc/model/outside.md "Bans of owners" */
static void
test_hangs_blame_their_context(void **state)
{
	static const bool settings[][2] = {
	    {true, true}, {true, false}, {false, false}};

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct bench b;
		struct context *hog, *high;
		nsec never = NSEC_NEVER;
		struct outside_submission s = {
		    .durations_ns = &never, .tag = (void *)'A'};

		lab_init_timeouts(&b.lab, "execlists");
		outsider_init(&b.o, &b.lab);
		b.client = outsider_join(&b.o);
		hog = outsider_context_on(b.client, "VCS1");
		high = outsider_context_on(b.client, "VCS1");
		backend_context_set_priority(high, 5);
		backend_context_set_bannable(hog, settings[i][0]);
		backend_context_set_recoverable(hog, settings[i][1]);
		s.timeline = backend_timeline(hog, 0);
		backend_submit(b.lab.sim, &s, NULL);
		outsider_batch(&b.o, high, 'H', 10);
		sim_run(b.lab.sim, 2 * NSEC_PER_SEC, 0);
		assert_non_null(strstr(text_str(&b.o.events), "guilty A"));
		assert_non_null(strstr(text_str(&b.o.events), "end H"));
		assert_int_equal(b.lab.hung, 1);
		assert_int_equal(hog->ban.guilty, 1);
		assert_int_equal(hog->ban.banned, i == 1);
		assert_int_equal(b.client->ban.hangs, i < 2);
		assert_int_equal(backend_submit(b.lab.sim, &s, NULL),
		    i == 1 ? SUBMIT_BANNED : SUBMITTED);
		tear_down(&b);
	}
}

static void
test_cancelling_and_banning(void **state)
{
	struct bench b;
	struct context *context, *other;
	struct request_ref rq;

	(void)state;
	set_up(&b, "execlists");
	context = outsider_context_on(b.client, "RCS");
	other = outsider_context_on(b.client, "BCS");
	rq = outsider_batch(&b.o, context, 'A', 1000);
	outsider_batch(&b.o, context, 'B', 100);
	outsider_batch(&b.o, other, 'C', 500);
	sim_run(b.lab.sim, 150 * NSEC_PER_USEC, 0);
	backend_cancel(b.lab.sim, rq, -EINTR);
	sim_run(b.lab.sim, 250 * NSEC_PER_USEC, 0);
	backend_context_ban(other);
	outsider_expect(&b.o, 2000,
	    "0: ready A, start A RCS, ready B, ready C, start C BCS; 200: "
	    "cancelled A, start B RCS; 300: end B, cancelled C");
	assert_true(other->ban.banned);
	tear_down(&b);
}

/* doc/model/outside.md "Owners": room */
static void
test_full_timelines(void **state)
{
	struct bench b;
	struct context *context;
	nsec duration = 10 * NSEC_PER_USEC;
	struct outside_submission s = {
	    .durations_ns = &duration, .tag = (void *)'A'};

	(void)state;
	lab_init(&b.lab, "fifo");
	b.lab.config.profile.ring_requests = 4;
	outsider_init(&b.o, &b.lab);
	b.client = outsider_join(&b.o);
	context = outsider_context_on(b.client, "RCS");
	s.timeline = backend_timeline(context, 0);
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(
		    backend_submit(b.lab.sim, &s, NULL), SUBMITTED);
	assert_int_equal(backend_submit(b.lab.sim, &s, NULL), SUBMIT_NO_ROOM);
	outsider_expect(&b.o, 25,
	    "0: ready A, start A RCS, ready A, ready A, ready A; 10: end A, "
	    "start A RCS; 20: room, end A, start A RCS");
	assert_int_equal(backend_submit(b.lab.sim, &s, NULL), SUBMITTED);
	tear_down(&b);
}

/* doc/model/outside.md "Owners": turns, beside a client with a program */
static void
test_turns(void **state)
{
	struct bench b;
	struct client *second;

	(void)state;
	set_up(&b, "fifo");
	lab_add(
	    &b.lab, "1.RCS.100.0.1", 1, (struct client_options){.repeat = 3});
	second = outsider_join(&b.o);
	backend_wake_at(second, 100 * NSEC_PER_USEC);
	backend_wake_at(b.client, 150 * NSEC_PER_USEC);
	backend_wake_at(b.client, 100 * NSEC_PER_USEC);
	outsider_expect(&b.o, 120, "100: go 0, go 2");
	backend_wake(second);
	backend_wake(second);
	backend_client_leave(b.client);
	outsider_expect(&b.o, 250, "120: go 2");
	outsider_batch(&b.o, outsider_context_on(second, "RCS"), 'A', 100);
	backend_client_leave(second);
	outsider_expect(
	    &b.o, 1000, "250: ready A; 300: start A RCS; 400: end A");
	assert_int_equal(b.lab.sim->state, SIM_DONE);
	tear_down(&b);
}

/* A client that a control kills: its owner gets the ends, and no more. */
static void
test_killed_by_a_control(void **state)
{
	(void)state;
	for (unsigned i = 0; i < N_SCHEDULERS; i++) {
		struct bench b;
		struct context *context;
		struct control control = {.kind = CONTROL_KILL};
		struct text err = {0};

		set_up(&b, schedulers[i]);
		context = outsider_context_on(b.client, "RCS");
		outsider_batch(&b.o, context, 'A', FOR_EVER);
		outsider_batch(&b.o, context, 'B', 100);
		sim_run(b.lab.sim, 250 * NSEC_PER_USEC, 0);
		assert_true(sim_control(b.lab.sim, &control, &err));
		sim_run(b.lab.sim, 5000 * NSEC_PER_USEC, 0);
		assert_int_equal(b.lab.sim->state, SIM_DONE);
		assert_string_equal(client_state_name(b.client), "killed");
		backend_client_leave(b.client);
		tear_down(&b);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_run_waits_for_its_owners),
	    cmocka_unit_test(test_persistent_contexts_outlive_their_process),
	    cmocka_unit_test(test_others_are_revoked),
	    cmocka_unit_test(test_in_fences),
	    cmocka_unit_test(test_submit_fences),
	    cmocka_unit_test(test_software_fences),
	    cmocka_unit_test(test_objects),
	    cmocka_unit_test(test_virtual_engines),
	    cmocka_unit_test(test_bonds),
	    cmocka_unit_test(test_parallel_slots),
	    cmocka_unit_test(test_trail_has_labels),
	    cmocka_unit_test(test_priorities),
	    cmocka_unit_test(test_durations_asked_at_the_start),
	    cmocka_unit_test(test_instalments),
	    cmocka_unit_test(test_instalments_and_preemption),
	    cmocka_unit_test(test_polling_is_counted),
	    cmocka_unit_test(test_polling_in_the_trail),
	    cmocka_unit_test(test_a_polling_batch_yields),
	    cmocka_unit_test(test_slice_masks_of_slots),
	    cmocka_unit_test(test_timelines_made_later),
	    cmocka_unit_test(test_batches_until_they_are_ended),
	    cmocka_unit_test(test_hangs_blame_their_context),
	    cmocka_unit_test(test_cancelling_and_banning),
	    cmocka_unit_test(test_full_timelines),
	    cmocka_unit_test(test_turns),
	    cmocka_unit_test(test_killed_by_a_control),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
