/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rules of `fifo` in `ideal` (design section 6), each on a descriptor small
 * enough to be worked out by hand (tests/support/lab.h says how rows read).
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "parser/text.h"
#include "tests/support/lab.h"

static void
expect_run(const char *descriptor, unsigned clones, uint64_t repeat,
    const char *rows, nsec elapsed_us)
{
	struct lab lab;

	lab_init(&lab, "fifo");
	lab_add(&lab, descriptor, clones,
	    (struct client_options){.repeat = repeat});
	lab_expect(&lab, rows, elapsed_us);
	lab_free(&lab);
}

static void
expect_rows(const char *descriptor, const char *rows, nsec elapsed_us)
{
	expect_run(descriptor, 1, 1, rows, elapsed_us);
}

static void
test_one_at_a_time_in_order_of_readiness(void **state)
{
	(void)state;
	expect_rows("1.RCS.10.0.0,2.RCS.5.0.0,3.BCS.7.0.0",
	    "0 RCS 0 0 10; 1 RCS 0 10 15; 2 BCS 0 0 7", 15);
}

static void
test_other_engine_waits_for_the_end(void **state)
{
	(void)state;
	expect_rows("1.RCS.10.0.0,2.BCS.5.-1.0,2.VECS.5.f-2.0",
	    "0 RCS 0 0 10; 1 BCS 10 10 15; 2 VECS1 10 10 15", 15);
}

/* On the same physical engine a dependency need only be ready. */
static void
test_same_engine_needs_only_be_ready(void **state)
{
	(void)state;
	expect_rows("1.BCS.20.0.0,2.RCS.10.-1.0,3.RCS.5.-1.0,4.RCS.1.0.0",
	    "0 BCS 0 0 20; 1 RCS 20 20 30; 2 RCS 20 30 35; 3 RCS 0 0 1", 35);
}

/* The request before it on its timeline holds it back until ready. */
static void
test_timeline_keeps_order(void **state)
{
	(void)state;
	expect_rows("1.BCS.20.0.0,2.RCS.10.-1.0,2.RCS.5.0.0,3.RCS.4.0.0",
	    "0 BCS 0 0 20; 1 RCS 20 20 30; 2 RCS 20 30 35; 3 RCS 0 0 4", 35);
}

static void
test_submit_fence_waits_for_the_start(void **state)
{
	(void)state;
	expect_rows("1.RCS.10.0.0,2.RCS.10.0.0,3.BCS.3.s-1.0,4.RCS.1.s-2.0",
	    "0 RCS 0 0 10; 1 RCS 0 10 20; 2 BCS 10 10 13; 3 RCS 10 20 21", 21);
}

/* Free engines take work at once, so the virtual engine takes the first free
 * sibling, then keeps to the one it ran on last. */
static void
test_virtual_engine_takes_last_else_first_free(void **state)
{
	(void)state;
	expect_rows("M.1.VCS,B.1,2.VCS1.10.0.0,1.DEFAULT.4.0.0,1.VCS.20.0.0,"
		    "2.VCS1.3.0.0,1.DEFAULT.1.0.0",
	    "2 VCS1 0 0 10; 3 VCS2 0 0 4; 4 VCS2 4 4 24; 5 VCS1 0 10 13; "
	    "6 VCS2 24 24 25",
	    25);
}

/* Never "the same physical engine" as anything. */
static void
test_virtual_request_is_waited_for_to_its_end(void **state)
{
	(void)state;
	expect_rows("M.1.VCS,B.1,1.DEFAULT.4.0.0,2.VCS1.5.-1.0,3.VCS1.2.0.0",
	    "2 VCS1 0 0 4; 3 VCS1 4 6 11; 4 VCS1 0 4 6", 11);
}

static void
test_one_engine_of_a_balanced_map_is_fixed(void **state)
{
	(void)state;
	expect_rows("M.1.VCS,B.1,1.VCS2.4.0.0,1.VCS2.4.0.0,M.2.VCS2,B.2,"
		    "2.DEFAULT.3.0.0",
	    "2 VCS2 0 0 4; 3 VCS2 0 4 8; 6 VCS2 0 8 11", 11);
}

static void
test_software_fence(void **state)
{
	(void)state;
	expect_rows("f,1.RCS.10.f-1.0,2.BCS.7.f-2.0,3.VCS1.5.0.1,a.-4",
	    "1 RCS 5 5 15; 2 BCS 5 5 12; 3 VCS1 0 0 5", 15);
}

/* At the end of the iteration the timeline advances past all fences. */
static void
test_fence_that_nobody_advances(void **state)
{
	(void)state;
	expect_rows("f,1.RCS.10.f-1.0,d.4", "1 RCS 4 4 14", 14);
}

/* Fences created earlier in the iteration signal with a later one. */
static void
test_advance_signals_earlier_fences(void **state)
{
	(void)state;
	expect_rows("f,f,1.RCS.10.f-2.0,d.3,a.-3,d.9", "2 RCS 3 3 13", 13);
}

static void
test_terminate(void **state)
{
	(void)state;
	expect_rows(
	    "1.RCS.*.0.0,d.7,T.-2,2.RCS.1.0.0", "0 RCS 0 0 7; 3 RCS 7 7 8", 8);
	/* One not yet started runs 0 ns. */
	expect_rows("1.RCS.10.0.0,2.RCS.*.0.0,T.-1,3.RCS.1.0.0",
	    "0 RCS 0 0 10; 1 RCS 0 10 10; 3 RCS 0 10 11", 11);
}

/* seed 001: infinite master, bonded follower, submit and software fences. */
static void
test_bonds_follow_the_master(void **state)
{
	(void)state;
	expect_rows("M.1.RCS|VECS1,B.1,M.2.VCS1|VCS2,B.2,b.2.VCS1.VECS1,"
		    "b.2.VCS2.RCS,1.DEFAULT.10.0.0,2.DEFAULT.10.s-1.0",
	    "6 RCS 0 0 10; 7 VCS2 0 0 10", 10);
	expect_rows("M.1.RCS|VECS1,B.1,M.2.VCS1|VCS2,B.2,b.2.VCS1.VECS1,"
		    "b.2.VCS2.RCS,3.RCS.5.0.0,1.DEFAULT.10.0.0,"
		    "2.DEFAULT.10.s-1.0,4.VCS1.15.0.0",
	    "6 RCS 0 0 5; 7 VECS1 0 0 10; 8 VCS1 0 0 10; 9 VCS1 0 10 25", 25);
}

/* A master that had started before the follower came counts as well. */
static void
test_bonds_of_a_master_that_runs(void **state)
{
	(void)state;
	expect_rows("M.1.RCS|VECS1,B.1,M.2.VCS1|VCS2,B.2,b.2.VCS2.RCS,"
		    "1.DEFAULT.10.0.0,d.2,2.DEFAULT.10.s-2.0",
	    "5 RCS 0 0 10; 7 VCS2 2 2 12", 12);
}

/* Write after read, across iterations: the writer's next submission waits for
 * the readers of the one before. */
static void
test_next_iteration_waits_for_readers(void **state)
{
	(void)state;
	expect_run("1.BCS.1.0.0,2.RCS.10.-1.0", 1, 2,
	    "0 BCS 0 0 1; 1 RCS 1 1 11; 0 BCS 11 11 12; 1 RCS 12 12 22", 22);
}

static void
test_working_sets(void **state)
{
	(void)state;
	/* Readers run side by side, the writer waits for both. */
	expect_rows("w.1.4n4k,1.RCS.5.r1-0-3.0,2.BCS.9.r1-1.0,"
		    "3.VCS1.2.w1-1.0,4.VECS1.2.r1-0/r1-2-3.0",
	    "1 RCS 0 0 5; 2 BCS 0 0 9; 3 VCS1 9 9 11; 4 VECS1 0 0 2", 11);
	/* Read and written by one batch counts as written. */
	expect_rows("w.1.2n4k,1.RCS.5.r1-0/w1-0.0,2.BCS.1.r1-0.0",
	    "1 RCS 0 0 5; 2 BCS 5 5 6", 6);
}

static void
test_shared_working_set_orders_clones(void **state)
{
	(void)state;
	expect_run("W.1.4k,1.RCS.5.w1-0.0,2.BCS.3.w1-0.0", 2, 1,
	    "1 RCS 0 0 5; 2 BCS 5 5 8; 1 RCS 8 8 13; 2 BCS 13 13 16", 16);
	expect_run("w.1.4k,1.RCS.5.w1-0.0,2.BCS.3.w1-0.0", 2, 1,
	    "1 RCS 0 0 5; 2 BCS 5 5 8; 1 RCS 0 5 10; 2 BCS 10 10 13", 13);
}

/* s waits for the submitted readers of the object as well. */
static void
test_sync_waits_for_readers(void **state)
{
	(void)state;
	expect_rows("1.BCS.1.0.0,2.RCS.10.-1.0,s.-2,3.VCS1.1.0.0",
	    "0 BCS 0 0 1; 1 RCS 1 1 11; 3 VCS1 11 11 12", 12);
}

/* t.1 waits for the step before, which is t itself, so further back: round
 * to the last batch, of the iteration before. */
static void
test_throttle(void **state)
{
	(void)state;
	expect_run("t.1,1.RCS.10.0.0,1.RCS.5.0.0", 1, 2,
	    "1 RCS 0 0 10; 2 RCS 10 10 15; 1 RCS 15 15 25; 2 RCS 25 25 30", 30);
}

static void
test_queue_depth(void **state)
{
	(void)state;
	expect_rows("q.1,1.RCS.10.0.0,1.RCS.5.0.0,1.RCS.5.0.0,2.BCS.1.0.0",
	    "1 RCS 0 0 10; 2 RCS 0 10 15; 3 RCS 10 15 20; 4 BCS 15 15 16", 20);
}

static void
test_priorities_mean_nothing(void **state)
{
	(void)state;
	expect_rows("P.2.100,1.RCS.10.0.0,1.RCS.10.0.0,2.RCS.1.0.0",
	    "1 RCS 0 0 10; 2 RCS 0 10 20; 3 RCS 0 20 21", 21);
}

static void
test_periods(void **state)
{
	struct lab lab;
	const struct period_stats *s;

	(void)state;
	lab_init(&lab, "fifo");
	lab_add(&lab, "1.RCS.100.0.1,p.100,1.RCS.50.0.1,p.120", 1,
	    (struct client_options){.repeat = 2});
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	s = &lab.sim->clients[0]->period;
	/* Exactly the period is no miss; 150 us of 120 is. */
	assert_int_equal(s->n, 4);
	assert_int_equal(s->missed, 2);
	assert_int_equal(s->min_us, 100);
	assert_int_equal(s->max_us, 150);
	assert_int_equal(s->sum_us, 500);
	assert_int_equal(lab.sim->now, 300000);
	lab_free(&lab);
}

static void
test_empty_iterations_cost_the_minimum(void **state)
{
	(void)state;
	expect_run("", 1, 3, "", 3);
	expect_run("f,a.-1", 1, 2, "", 2);
	/* One that submits may take no time. */
	expect_run("1.RCS.*.0.0,T.-1", 1, 2, "0 RCS 0 0 0; 0 RCS 0 0 0", 0);
}

/* Without an end in sight such an iteration must cost too. */
static void
test_nobody_spins(void **state)
{
	struct lab lab;

	(void)state;
	lab_init(&lab, "fifo");
	lab_add(&lab, "1.RCS.*.0.0,T.-1", 1, (struct client_options){0});
	assert_int_equal(sim_run(lab.sim, 5000, 0), SIM_RUNNING);
	assert_int_equal(lab.sim->now, 5000);
	assert_int_equal(lab.sim->n_iterations, 5);
	lab_free(&lab);
}

/* What is done is what has ended, however far the client has walked. */
static void
test_iterations_are_those_that_have_ended(void **state)
{
	struct lab lab;

	(void)state;
	lab_init(&lab, "fifo");
	lab_add(&lab, "1.RCS.10.0.0,2.BCS.4.0.0", 1,
	    (struct client_options){.repeat = 100});
	assert_int_equal(sim_run(lab.sim, 35000, 0), SIM_RUNNING);
	assert_int_equal(lab.sim->clients[0]->iteration, 100);
	assert_int_equal(lab.sim->clients[0]->completed, 3);
	assert_int_equal(lab.sim->n_iterations, 3);
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	assert_int_equal(lab.sim->n_iterations, 100);
	lab_free(&lab);
}

/* A full ring blocks the submitter until half of it is free. */
static void
test_ring_room(void **state)
{
	struct lab lab;

	(void)state;
	lab_init(&lab, "fifo");
	lab.config.profile.ring_requests = 4;
	lab_add(&lab, "1.RCS.10.0.0", 1, (struct client_options){.repeat = 8});
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	assert_int_equal(lab.rows[3].submit, 0);
	assert_int_equal(lab.rows[4].submit, 20000);
	assert_int_equal(lab.rows[5].submit, 20000);
	assert_int_equal(lab.rows[6].submit, 40000);
	lab_free(&lab);
}

static void
test_sync_in_user_space(void **state)
{
	struct lab lab;
	char *rows;

	(void)state;
	lab_init(&lab, "fifo");
	lab.config.sync_deps = true;
	lab_add(&lab, "1.BCS.10.0.0,2.RCS.5.-1.0", 1,
	    (struct client_options){.repeat = 1});
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	assert_int_equal(lab.rows[1].submit, 10000);
	rows = lab_rows_text(&lab);
	assert_string_equal(rows, "0 BCS 0 0 10; 1 RCS 10 10 15");
	free(rows);
	lab_free(&lab);
}

static void
test_background_clients_stop_with_the_master(void **state)
{
	struct lab lab;

	(void)state;
	lab_init(&lab, "fifo");
	lab_add(&lab, "1.BCS.10.0.1", 1,
	    (struct client_options){.background = true});
	lab_add(&lab, "1.RCS.25.0.1", 1, (struct client_options){.repeat = 1});
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	assert_int_equal(lab.sim->now, 25000);
	assert_int_equal(lab.sim->clients[0]->iteration, 2);
	lab_free(&lab);
}

static void
test_deadlock_names_the_steps(void **state)
{
	struct lab lab;
	struct text why = {0};

	(void)state;
	lab_init(&lab, "fifo");
	lab_add(&lab, "1.RCS.*.0.0,2.RCS.10.0.0,s.-1,T.-3", 1,
	    (struct client_options){.repeat = 1});
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DEADLOCK);
	sim_explain_deadlock(lab.sim, &why);
	assert_string_equal(text_str(&why),
	    "client 0 stands at step 2 and waits for step 1 of client 0 "
	    "(context 2, RCS), which is queued behind step 0 of client 0 "
	    "(context 1, RCS), which is infinite and not terminated\n");
	text_free(&why);
	lab_free(&lab);
}

static void
test_deadlock_on_a_fence(void **state)
{
	struct lab lab;
	struct text why = {0};

	(void)state;
	lab_init(&lab, "fifo");
	lab_add(&lab, "f,1.RCS.10.f-1.1,a.-2", 1,
	    (struct client_options){.repeat = 1});
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DEADLOCK);
	sim_explain_deadlock(lab.sim, &why);
	assert_non_null(strstr(
	    text_str(&why), "which waits for the fence of step 0 of client 0"));
	text_free(&why);
	lab_free(&lab);
}

/* Two readers are waited for; the one that has ended is forgotten, whoever is
 * in its place by now. */
static void
test_deadlock_names_what_is_left(void **state)
{
	struct lab lab;
	struct text why = {0};

	(void)state;
	lab_init(&lab, "fifo");
	lab_add(&lab, "1.RCS.1000.0.0,2.VCS1.*.-1.0,1.BCS.1000.-2.0,s.-3", 1,
	    (struct client_options){.repeat = 1});
	lab_add(&lab, "d.3000,3.VCS2.*.0.1", 1,
	    (struct client_options){.repeat = 1});
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DEADLOCK);
	sim_explain_deadlock(lab.sim, &why);
	assert_string_equal(text_str(&why),
	    "client 0 stands at step 3 and waits for step 1 of client 0 "
	    "(context 2, VCS1), which is infinite and not terminated\n"
	    "client 1 stands at step 1 and waits for step 1 of client 1 "
	    "(context 3, VCS2), which is infinite and not terminated\n");
	text_free(&why);
	lab_free(&lab);
}

/* Background clients never stop; the others stand still all the same. */
static void
test_deadlock_beside_background_clients(void **state)
{
	static const char *const stuck[] = {"f,1.RCS.1.f-1.1,a.-2",
	    "1.RCS.*.0.0,2.RCS.10.0.0,s.-1,T.-3",
	    "M.1.VCS,B.1,2.VCS1.*.0.0,3.VCS2.*.0.0,1.DEFAULT.5.0.1,T.-3,T.-3"};

	(void)state;
	for (size_t i = 0; i < sizeof stuck / sizeof *stuck; i++) {
		struct lab lab;

		lab_init(&lab, "fifo");
		lab_add(&lab, "d.1,1.BCS.1.0.0", 1,
		    (struct client_options){.background = true});
		lab_add(
		    &lab, stuck[i], 1, (struct client_options){.repeat = 1});
		assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DEADLOCK);
		lab_free(&lab);
	}
}

/* Sliced for ever, two infinite batches are one too; a sleeper is not. */
static void
test_deadlock_of_sliced_batches(void **state)
{
	struct lab lab;

	(void)state;
	lab_init(&lab, "execlists");
	lab_add(&lab, "1.RCS.*.0.0,2.RCS.*.0.0", 1,
	    (struct client_options){.repeat = 1});
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DEADLOCK);
	lab_free(&lab);
	lab_init(&lab, "execlists");
	lab_add(&lab, "1.RCS.*.0.0,2.RCS.*.0.0,d.500000000,T.-3,T.-3", 1,
	    (struct client_options){.repeat = 1});
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	lab_free(&lab);
}

/* A batch that takes long is no deadlock. */
static void
test_patience_beside_background_clients(void **state)
{
	struct lab lab;

	(void)state;
	lab_init(&lab, "fifo");
	lab_add(&lab, "d.1", 1, (struct client_options){.background = true});
	lab_add(&lab, "f,1.RCS.500000.0.0,2.BCS.1.f-2.0,s.-2,a.-4,s.-3", 1,
	    (struct client_options){.repeat = 1});
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	lab_free(&lab);
}

/* An infinite batch that nothing ends is given up after the profile's time:
 * EIO, and the run goes on. */
static void
test_hang(void **state)
{
	struct lab lab;

	(void)state;
	lab_init(&lab, "fifo");
	lab.config.profile.hang_ns = 20 * NSEC_PER_SEC;
	lab_add(&lab, "1.RCS.*.0.1,2.RCS.10.0.1", 1,
	    (struct client_options){.repeat = 1});
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	assert_int_equal(lab.hung, 1);
	assert_int_equal(lab.sim->n_hangs, 1);
	assert_int_equal(lab.rows[0].error, -5);
	assert_int_equal(lab.rows[0].end, 20 * NSEC_PER_SEC);
	assert_int_equal(lab.rows[1].error, 0);
	lab_free(&lab);
}

/* A T that comes in time leaves no hang behind. */
static void
test_hang_timer_is_disarmed(void **state)
{
	struct lab lab;

	(void)state;
	lab_init(&lab, "fifo");
	lab.config.profile.hang_ns = 50 * NSEC_PER_USEC;
	lab_add(&lab, "1.RCS.*.0.0,d.49,T.-2,2.RCS.100.0.1", 1,
	    (struct client_options){.repeat = 3});
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	assert_int_equal(lab.hung, 0);
	lab_free(&lab);
}

static void
test_costs(void **state)
{
	struct lab lab;
	char *rows;

	(void)state;
	lab_init(&lab, "fifo");
	lab.config.profile.submit_ns = 1000;
	lab.config.profile.context_switch_ns = 2000;
	lab.config.profile.completion_ns = 500;
	lab.config.profile.sseu_ns = 10000;
	lab_add(&lab, "S.2.1,1.RCS.10.0.0,2.RCS.10.0.0,2.RCS.10.0.0", 1,
	    (struct client_options){.repeat = 1});
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	rows = lab_rows_text(&lab);
	/* 1: cpu 1, switch 2; 2: gap .5, switch 2, sseu 10; 3: gap .5. */
	assert_string_equal(
	    rows, "1 RCS 1 3 13; 2 RCS 2 25.5 35.5; 3 RCS 3 36 46");
	/* The gaps are idle, switching is busy. */
	assert_int_equal(lab.sim->device.engines[0].busy_ns, 44000);
	assert_int_equal(lab.sim->device.engines[0].switches, 2);
	free(rows);
	lab_free(&lab);
}

static void
test_switches_count_contexts_and_clients(void **state)
{
	struct lab lab;

	(void)state;
	lab_init(&lab, "fifo");
	lab_add(&lab, "1.RCS.10.0.0,1.RCS.10.0.0,2.RCS.10.0.0", 2,
	    (struct client_options){.repeat = 1});
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	assert_int_equal(lab.sim->device.engines[0].switches, 4);
	assert_int_equal(lab.sim->device.engines[0].batches, 6);
	assert_int_equal(lab.sim->clients[1]->contexts[0]->batches, 2);
	assert_int_equal(lab.sim->clients[1]->contexts[1]->busy_ns, 10000);
	lab_free(&lab);
}

/* facts/gem_wsim.md section 2: glibc's rand() seeds F54-1. The numbers were
 * drawn with the C library's own srand(1), rand(). */
static void
test_random_durations(void **state)
{
	struct lab lab;
	uint32_t rng;

	(void)state;
	srand(1);
	(void)rand();
	rng = (uint32_t)rand();
	lab_init(&lab, "fifo");
	lab_add(&lab, "1.RCS.1000-2000.0.0", 1,
	    (struct client_options){.repeat = 3});
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	for (unsigned i = 0; i < 3; i++) {
		uint32_t left5 = rng << 5 | rng >> 27;
		uint32_t left24 = rng << 24 | rng >> 8;

		rng = (rng ^ left5 ^ left24) + 0x37798849;
		assert_int_equal(lab.rows[i].end - lab.rows[i].start,
		    (1000 + rng % 1001) * 1000);
	}
	lab_free(&lab);
}

/* Stopping and going on changes nothing. */
static void
test_run_in_slices_is_the_same_run(void **state)
{
	static const char descriptor[] =
	    "M.1.VCS,B.1,q.2,1.DEFAULT.3-90.0.0,2.RCS.5-70.-1.0,"
	    "2.RCS.10.0.0,f,3.BCS.4-9.f-1/-2.0,d.7,a.-3,1.VCS.30.s-4.1,p.200";
	struct lab whole, sliced;
	char *a, *b;

	(void)state;
	lab_init(&whole, "fifo");
	lab_add(&whole, descriptor, 3, (struct client_options){.repeat = 20});
	assert_int_equal(sim_run(whole.sim, NSEC_NEVER, 0), SIM_DONE);
	lab_init(&sliced, "fifo");
	lab_add(&sliced, descriptor, 3, (struct client_options){.repeat = 20});
	for (nsec t = 1; sim_run(sliced.sim, t, 1) == SIM_RUNNING; t += 333)
		assert_true(sliced.sim->now <= t);
	a = lab_rows_text(&whole);
	b = lab_rows_text(&sliced);
	assert_string_equal(a, b);
	assert_int_equal(whole.sim->now, sliced.sim->now);
	free(a);
	free(b);
	lab_free(&whole);
	lab_free(&sliced);
}

static void
test_steps(void **state)
{
	struct lab lab;

	(void)state;
	lab_init(&lab, "fifo");
	lab_add(&lab, "1.RCS.10.0.0,2.BCS.30.0.1", 1,
	    (struct client_options){.repeat = 2});
	sim_step(lab.sim, SIM_STEP_EVENT);
	assert_int_equal(lab.sim->now, 0);
	assert_int_equal(lab.n_rows, 2);
	sim_step(lab.sim, SIM_STEP_BATCH);
	assert_int_equal(lab.sim->now, 10000);
	sim_step(lab.sim, SIM_STEP_ITERATION);
	assert_int_equal(lab.sim->now, 30000);
	assert_int_equal(sim_step(lab.sim, SIM_STEP_ITERATION), SIM_DONE);
	assert_int_equal(lab.sim->now, 60000);
	lab_free(&lab);
}

static void
test_parallel_slots_are_refused(void **state)
{
	struct lab lab;
	struct text err = {0};
	struct program *p;

	(void)state;
	lab_init(&lab, "fifo");
	p = lab_compile(&lab, "G.1.VCS1/VCS2,1.DEFAULT.10.0.0");
	assert_non_null(p);
	assert_false(lab.config.sched->accepts(p, &lab.config.profile, &err));
	assert_string_equal(text_str(&err),
	    "parallel submission (G) needs --scheduler=guc; fifo refuses it");
	text_free(&err);
	program_free(p);
}

/* What is only ever read does not collect those that have read it. */
static void
test_readers_that_have_ended(void **state)
{
	struct client_options options = {.repeat = 1000};
	const struct object *set;
	struct lab lab;

	(void)state;
	lab_init(&lab, "fifo");
	lab_add(&lab, "w.1.4k,1.RCS.10.r1-0.0,2.BCS.10.r1-0.1", 1, options);
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	/* Behind the two outputs. */
	set = &lab.sim->clients[0]->image->objects[2];
	assert_in_range(set->n_readers, 1, 4);
	assert_in_range(set->log_cap, 1, 2);
	lab_free(&lab);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_one_at_a_time_in_order_of_readiness),
	    cmocka_unit_test(test_other_engine_waits_for_the_end),
	    cmocka_unit_test(test_same_engine_needs_only_be_ready),
	    cmocka_unit_test(test_timeline_keeps_order),
	    cmocka_unit_test(test_submit_fence_waits_for_the_start),
	    cmocka_unit_test(test_virtual_engine_takes_last_else_first_free),
	    cmocka_unit_test(test_virtual_request_is_waited_for_to_its_end),
	    cmocka_unit_test(test_one_engine_of_a_balanced_map_is_fixed),
	    cmocka_unit_test(test_software_fence),
	    cmocka_unit_test(test_fence_that_nobody_advances),
	    cmocka_unit_test(test_advance_signals_earlier_fences),
	    cmocka_unit_test(test_terminate),
	    cmocka_unit_test(test_bonds_follow_the_master),
	    cmocka_unit_test(test_bonds_of_a_master_that_runs),
	    cmocka_unit_test(test_next_iteration_waits_for_readers),
	    cmocka_unit_test(test_working_sets),
	    cmocka_unit_test(test_shared_working_set_orders_clones),
	    cmocka_unit_test(test_sync_waits_for_readers),
	    cmocka_unit_test(test_throttle),
	    cmocka_unit_test(test_queue_depth),
	    cmocka_unit_test(test_priorities_mean_nothing),
	    cmocka_unit_test(test_periods),
	    cmocka_unit_test(test_empty_iterations_cost_the_minimum),
	    cmocka_unit_test(test_nobody_spins),
	    cmocka_unit_test(test_iterations_are_those_that_have_ended),
	    cmocka_unit_test(test_ring_room),
	    cmocka_unit_test(test_sync_in_user_space),
	    cmocka_unit_test(test_background_clients_stop_with_the_master),
	    cmocka_unit_test(test_deadlock_names_the_steps),
	    cmocka_unit_test(test_deadlock_on_a_fence),
	    cmocka_unit_test(test_deadlock_names_what_is_left),
	    cmocka_unit_test(test_deadlock_beside_background_clients),
	    cmocka_unit_test(test_deadlock_of_sliced_batches),
	    cmocka_unit_test(test_patience_beside_background_clients),
	    cmocka_unit_test(test_hang),
	    cmocka_unit_test(test_hang_timer_is_disarmed),
	    cmocka_unit_test(test_costs),
	    cmocka_unit_test(test_switches_count_contexts_and_clients),
	    cmocka_unit_test(test_random_durations),
	    cmocka_unit_test(test_run_in_slices_is_the_same_run),
	    cmocka_unit_test(test_steps),
	    cmocka_unit_test(test_parallel_slots_are_refused),
	    cmocka_unit_test(test_readers_that_have_ended),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
