/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Requests of clients from outside (engine/backend.h; doc/model/outside.md): their
 * explicit dependencies, fences, objects, and the engines that they may have. No
 * descriptor takes part, but where one is named.
 */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "engine/explain/trail.h"
#include "tests/runner/test.h"
#include "tests/support/outsider.h"

static struct submission_wait
after_end(struct request_ref rq)
{
	return (struct submission_wait){.kind = AFTER_END, .request = rq};
}

/* doc/model/common.md "Ready" */
TEST(in_fences)
{
	for (unsigned i = 0; i < OUTSIDE_SCHEDULERS; i++) {
		struct outside_bench b;
		struct submission_wait wait;

		outside_set_up(&b, outside_schedulers[i]);
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
		outside_tear_down(&b);
	}
}

/* doc/model/common.md "Ready": s-n waits for the start */
TEST(submit_fences)
{
	for (unsigned i = 0; i < OUTSIDE_SCHEDULERS; i++) {
		struct outside_bench b;
		struct submission_wait wait = {.kind = AFTER_START};
		struct context *rcs;

		outside_set_up(&b, outside_schedulers[i]);
		rcs = outsider_context_on(b.client, "RCS");
		outsider_batch(&b.o, rcs, 'A', 100);
		wait.request = outsider_batch(&b.o, rcs, 'B', 100);
		outsider_submit(&b.o, outsider_context_on(b.client, "BCS"), 'C',
		    50, &wait, 1);
		sim_run(b.lab.sim, 1000 * NSEC_PER_USEC, 0);
		assert_int_equal(b.lab.rows[1].start, 100 * NSEC_PER_USEC);
		/* The DRM scheduler waits until B is on a ring. */
		assert_true(b.lab.rows[2].start <= 100 * NSEC_PER_USEC);
		outside_tear_down(&b);
	}
}

/* doc/model/outside.md "Dependencies" */
TEST(software_fences)
{
	for (unsigned i = 0; i < OUTSIDE_SCHEDULERS; i++) {
		struct outside_bench b;
		struct submission_wait waits[2] = {
		    {.kind = AFTER_SIGNAL}, {.kind = AFTER_SIGNAL}};
		bool inherits;

		outside_set_up(&b, outside_schedulers[i]);
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
		outside_tear_down(&b);
	}
}

/* doc/model/common.md "Objects" */
TEST(objects)
{
	for (unsigned i = 0; i < OUTSIDE_SCHEDULERS; i++) {
		static const char *const engines[] = {
		    "RCS", "BCS", "VCS1", "VCS2"};
		static const bool writes[] = {true, false, false, true};
		static const nsec starts[] = {0, 100, 100, 200};
		struct outside_bench b;
		struct object_use use = {0};
		nsec duration = 100 * NSEC_PER_USEC;

		outside_set_up(&b, outside_schedulers[i]);
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
		outside_tear_down(&b);
	}
}

/* doc/model/outside.md "Timelines" and doc/model/common.md "Virtual engines" */
TEST(virtual_engines)
{
	for (unsigned i = 0; i < OUTSIDE_SCHEDULERS; i++) {
		struct outside_bench b;

		outside_set_up(&b, outside_schedulers[i]);
		for (unsigned k = 0; k < 3; k++)
			outsider_batch(&b.o,
			    outsider_context_on(b.client, "VCS1|VCS2"),
			    (char)('A' + k), 100);
		sim_run(b.lab.sim, 1000 * NSEC_PER_USEC, 0);
		assert_int_equal(b.lab.rows[0].start, 0);
		assert_int_equal(b.lab.rows[2].end, 200 * NSEC_PER_USEC);
		assert_string_not_equal(
		    b.lab.rows[0].engine, b.lab.rows[1].engine);
		outside_tear_down(&b);
	}
}

/* doc/model/common.md "Bonds" */
TEST(bonds)
{
	struct outside_bench b;
	struct submission_wait wait = {.kind = AFTER_START};
	struct bond bond;
	struct slot_setup slot = {.bonds = &bond, .n_bonds = 1};
	struct context_setup setup = {
	    .number = 7, .slots = &slot, .n_slots = 1};
	struct context *context;
	struct text err = {0};

	outside_set_up(&b, "execlists");
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
	outside_tear_down(&b);
	/* "a scheduler refuses a slot" */
	outside_set_up(&b, "drm");
	assert_null(backend_context_new(b.client, &setup, &err));
	assert_non_null(strstr(text_str(&err), "bonds"));
	assert_int_equal(b.client->n_contexts, 0);
	text_free(&err);
	outside_tear_down(&b);
}

/* doc/model/outside.md "Timelines": a parallel slot, whose rows end together */
TEST(parallel_slots)
{
	struct outside_bench b;
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

	outside_set_up(&b, "guc");
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
	outside_tear_down(&b);
}

/* The trail has what a request contained until another takes its place. */
TEST(trail_has_labels)
{
	struct outside_bench b;
	struct outside_submission s = {.label = "20 draws, 1 clear",
	    .durations_ns = &(nsec){NSEC_PER_USEC},
	    .tag = (void *)'A'};
	struct trail *trail;

	outside_set_up(&b, "fifo");
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
	outside_tear_down(&b);
}

/* doc/model/outside.md "Timelines": each slot has its slice mask. */
TEST(slice_masks_of_slots)
{
	struct outside_submission s = {.tag = (void *)(uintptr_t)'A'};
	const nsec us = NSEC_PER_USEC;
	const struct hw_engine *e;
	struct context *context;
	struct text err = {0};
	engine_mask rcs;
	struct outside_bench b;

	outside_set_up(&b, "execlists");
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
	outside_tear_down(&b);
}
