/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lives of clients and contexts from outside (doc/model/outside.md): the end of a
 * run, of processes, contexts and requests before their time; what is refused.
 */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "engine/client/control.h"
#include "tests/runner/test.h"
#include "tests/support/outsider.h"

/* doc/model/outside.md "The end of a run" */
TEST(run_waits_for_its_owners)
{
	for (unsigned i = 0; i < OUTSIDE_SCHEDULERS; i++) {
		struct outside_bench b;
		struct context *context;

		outside_set_up(&b, outside_schedulers[i]);
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
		outside_tear_down(&b);
	}
}

/* doc/model/outside.md "Closed contexts" */
TEST(persistent_contexts_outlive_their_process)
{
	for (unsigned i = 0; i < OUTSIDE_SCHEDULERS; i++) {
		struct outside_bench b;
		struct context *first, *second;

		outside_set_up(&b, outside_schedulers[i]);
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
		outside_tear_down(&b);
	}
}

/* doc/model/outside.md "Closed contexts": running ones stop at their next
 * preemption point, where the scheduler has those, or are reset. */
TEST(others_are_revoked)
{
	static const char *const ends[] = {
	    "300: cancelled A, start B RCS, cancelled B",
	    "300: cancelled A, start B RCS, cancelled B",
	    "250: guilty A, cancelled B",
	    "300: cancelled A, start B RCS, cancelled B",
	};

	for (unsigned i = 0; i < OUTSIDE_SCHEDULERS; i++) {
		struct outside_bench b;
		struct context *context;

		outside_set_up(&b, outside_schedulers[i]);
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
		outside_tear_down(&b);
	}
}

/* doc/model/execlists.md "Preemption": at the next point of the batch */
TEST(priorities)
{
	struct outside_bench b;
	struct context *low, *high;

	outside_set_up(&b, "execlists");
	low = outsider_context_on(b.client, "RCS");
	high = outsider_context_on(b.client, "RCS");
	backend_context_set_priority(high, 500);
	outsider_batch(&b.o, low, 'L', 1000);
	outsider_expect(&b.o, 150, "0: ready L, start L RCS");
	outsider_batch(&b.o, high, 'H', 50);
	outsider_expect(&b.o, 2000,
	    "150: ready H; 200: start H RCS; 250: end H; 1050: end L");
	outside_tear_down(&b);
}

/* doc/model/outside.md "Timelines": made later */
TEST(timelines_made_later)
{
	struct outside_bench b;
	struct context *first;
	struct ring *late;
	struct text err = {0};
	nsec duration = 10 * NSEC_PER_USEC;

	outside_set_up(&b, "execlists");
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
	outside_tear_down(&b);
}

/* doc/model/hangs.md "Preempt timeout": the batch that does not make way is
 * guilty; doc/model/hangs.md "Bans" and doc/model/outside.md "Bans of owners" */
TEST(hangs_blame_their_context)
{
	static const bool settings[][2] = {
	    {true, true}, {true, false}, {false, false}};

	for (unsigned i = 0; i < 3; i++) {
		struct outside_bench b;
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
		outside_tear_down(&b);
	}
}

TEST(cancelling_and_banning)
{
	struct outside_bench b;
	struct context *context, *other;
	struct request_ref rq;

	outside_set_up(&b, "execlists");
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
	outside_tear_down(&b);
}

/* doc/model/outside.md "Owners": room */
TEST(full_timelines)
{
	struct outside_bench b;
	struct context *context;
	nsec duration = 10 * NSEC_PER_USEC;
	struct outside_submission s = {
	    .durations_ns = &duration, .tag = (void *)'A'};

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
	outside_tear_down(&b);
}

/* doc/model/outside.md "Owners": turns, beside a client with a program */
TEST(turns)
{
	struct outside_bench b;
	struct client *second;

	outside_set_up(&b, "fifo");
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
	outside_tear_down(&b);
}

/* A client that a control kills: its owner gets the ends, and no more. */
TEST(killed_by_a_control)
{
	for (unsigned i = 0; i < OUTSIDE_SCHEDULERS; i++) {
		struct outside_bench b;
		struct context *context;
		struct control control = {.kind = CONTROL_KILL};
		struct text err = {0};

		outside_set_up(&b, outside_schedulers[i]);
		context = outsider_context_on(b.client, "RCS");
		outsider_batch(&b.o, context, 'A', FOR_EVER);
		outsider_batch(&b.o, context, 'B', 100);
		sim_run(b.lab.sim, 250 * NSEC_PER_USEC, 0);
		assert_true(sim_control(b.lab.sim, &control, &err));
		sim_run(b.lab.sim, 5000 * NSEC_PER_USEC, 0);
		assert_int_equal(b.lab.sim->state, SIM_DONE);
		assert_string_equal(client_state_name(b.client), "killed");
		backend_client_leave(b.client);
		outside_tear_down(&b);
	}
}
