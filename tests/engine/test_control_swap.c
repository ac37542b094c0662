/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Clients that go on with another program (engine/client/control.h,
 * CONTROL_SWAP): where each goes on, and what stays with it.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "engine/client/control.h"
#include "tests/runner/test.h"
#include "tests/support/lab.h"
#include "tests/support/lab_control.h"

#define US NSEC_PER_USEC

static const struct client_options once = {.repeat = 1};

/* At the next iteration; what is in flight finishes as it was. */
TEST(swap)
{
	struct lab lab;

	lab_start(&lab, "fifo", "1.RCS.1000.0.0,1.BCS.500.0.1", 1, 3);
	sim_run(lab.sim, 100 * US, 0);
	lab_swap(&lab, 0, "1.RCS.200.0.0,d.50,1.VCS1.300.0.1");
	lab_expect(&lab,
	    "0 RCS 0 0 1000; 1 BCS 0 0 500; "
	    "0 RCS 500 1000 1200; 2 VCS1 550 550 850; "
	    "0 RCS 850 1200 1400; 2 VCS1 900 900 1200",
	    1400);
	assert_int_equal(lab.sim->clients[0]->completed, 3);
	lab_free(&lab);
}

/* Programs that differ in figures only: the client goes on where it is. */
TEST(swap_in_place)
{
	struct lab lab;

	lab_start(
	    &lab, "fifo", "1.RCS.1000.0.1,1.BCS.500.0.1,1.VCS1.10.-1.0", 1, 2);
	sim_run(lab.sim, 100 * US, 0);
	lab_swap_at_once(
	    &lab, 0, "1.RCS.200.0.1\n# there\n1.BCS.50.0.1,1.VCS1.30.-1.0");
	assert_int_equal(lab.sim->n_swaps, 1);
	lab_expect(&lab,
	    "0 RCS 0 0 1000; 1 BCS 1000 1000 1050; 2 VCS1 1050 1050 1080; "
	    "0 RCS 1050 1050 1250; 1 BCS 1250 1250 1300; "
	    "2 VCS1 1300 1300 1330",
	    1330);
	assert_int_equal(lab.sim->clients[0]->completed, 2);
	lab_free(&lab);
}

/* It sleeps as long as the step says now. */
TEST(swap_in_place_asleep)
{
	static const struct {
		const char *before, *after, *rows;
		nsec end_us;
	} cases[] = {
	    {"d.1000,1.RCS.10.0.1", "d.300,1.RCS.10.0.1", "1 RCS 300 300 310",
		310},
	    {"d.1000,1.RCS.10.0.1", "d.50,1.RCS.10.0.1", "1 RCS 100 100 110",
		110},
	    {"d.1000,1.RCS.10.0.1", "d.1500,1.RCS.10.0.1",
		"1 RCS 1500 1500 1510", 1510},
	    {"1.RCS.10.0.1,p.1000,1.BCS.1.0.1",
		"1.RCS.10.0.1,p.400,1.BCS.1.0.1",
		"0 RCS 0 0 10; 2 BCS 400 400 401", 401},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct lab lab;

		lab_start(&lab, "fifo", cases[i].before, 1, 1);
		sim_run(lab.sim, 100 * US, 0);
		lab_swap_at_once(&lab, 0, cases[i].after);
		lab_expect(&lab, cases[i].rows, cases[i].end_us);
		lab_free(&lab);
	}
}

/* Settings in force and waits stay. */
TEST(swap_in_place_keeps)
{
	struct lab lab;

	lab_start(&lab, "fifo", "f,2.RCS.100.f-1.0,d.1000,a.-3", 1, 1);
	sim_run(lab.sim, 500 * US, 0);
	lab_swap_at_once(&lab, 0, "f,2.RCS.300.f-1.0,d.2000,a.-3");
	lab_expect(&lab, "1 RCS 2000 2000 2100", 2100);
	lab_free(&lab);

	/* At the third batch, which q holds back. */
	lab_start(&lab, "fifo",
	    "q.1,1.RCS.100.0.0,1.RCS.100.0.0,1.RCS.100.0.0,d.1", 1, 1);
	sim_run(lab.sim, 50 * US, 0);
	lab_swap_at_once(
	    &lab, 0, "q.1,1.RCS.100.0.0,1.RCS.100.0.0,1.RCS.20.0.0,d.1");
	lab_expect(
	    &lab, "1 RCS 0 0 100; 2 RCS 0 100 200; 3 RCS 100 200 220", 220);
	lab_free(&lab);
}

/* Others: the iteration begins anew, whatever the client waits for. */
TEST(swap_gives_up)
{
	static const struct {
		const char *before, *after, *rows;
		nsec end_us;
	} cases[] = {
	    /* The end of a batch, */
	    {"1.RCS.1000.0.1,1.RCS.5.0.0", "1.BCS.200.0.1",
		"0 RCS 0 0 1000; 0 BCS 100 100 300; 0 BCS 300 300 500", 1000},
	    /* another time than that, */
	    {"d.1000,1.RCS.1000.0.1", "1.BCS.200.0.1",
		"0 BCS 100 100 300; 0 BCS 300 300 500", 500},
	    /* q, */
	    {"q.1,1.RCS.300.0.0,1.RCS.100.0.0,1.RCS.100.0.0", "1.BCS.200.0.1",
		"1 RCS 0 0 300; 2 RCS 0 300 400; 0 BCS 100 100 300; "
		"0 BCS 300 300 500",
		500},
	    /* or s, for ever; a fence that would not be signalled any
	     * more, */
	    {"f,1.RCS.300.f-1.0,s.-1,a.-3", "1.BCS.200.0.1",
		"1 RCS 0 0 300; 0 BCS 0 0 200; 0 BCS 200 200 400", 400},
	    /* a batch that would not be ended. */
	    {"1.RCS.*.0.0,d.1000,T.-2", "1.BCS.200.0.1",
		"0 RCS 0 0 100; 0 BCS 100 100 300; 0 BCS 300 300 500", 500},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct lab lab;

		lab_start(&lab, "fifo", cases[i].before, 1, 2);
		sim_run(lab.sim, 100 * US, 0);
		lab_swap_at_once(&lab, 0, cases[i].after);
		lab_expect(&lab, cases[i].rows, cases[i].end_us);
		assert_int_equal(lab.sim->clients[0]->completed, 2);
		assert_int_equal(lab.sim->n_iterations, 2);
		lab_free(&lab);
	}
}

/* A client whose ring is full gives up, and is not woken as that empties. */
TEST(swap_gives_up_full_ring)
{
	struct lab lab;

	lab_init(&lab, "fifo");
	lab.config.profile.ring_requests = 4;
	lab_add(&lab, "1.RCS.100.0.0", 1, (struct client_options){0});
	sim_run(lab.sim, 150 * US, 0);
	assert_int_equal(lab.sim->clients[0]->state, CLIENT_RING_FULL);
	lab_swap_at_once(&lab, 0, "d.5000,1.BCS.200.0.1");
	sim_run(lab.sim, 2000 * US, 0);
	assert_int_equal(lab.sim->clients[0]->state, CLIENT_SLEEPING);
	assert_int_equal(lab.sim->clients[0]->walker->pc, 0);
	assert_int_equal(lab.sim->clients[0]->in_flight, 0);
	lab_free(&lab);
}

/* The last one counts, of those that came since the client had its turn. */
TEST(swap_at_once_again)
{
	struct lab lab;

	lab_start(&lab, "fifo", "1.RCS.1000.0.1", 1, 1);
	sim_run(lab.sim, 100 * US, 0);
	lab_swap_at_once(&lab, 0, "1.BCS.400.0.1");
	lab_swap_at_once(&lab, 0, "1.BCS.300.0.1");
	lab_expect(&lab, "0 RCS 0 0 1000; 0 BCS 100 100 400", 1000);
	lab_free(&lab);

	/* Given up for another shape, and then it is to stay in its own. */
	lab_start(&lab, "fifo", "1.RCS.1000.0.1,1.RCS.5.0.1", 1, 1);
	sim_run(lab.sim, 100 * US, 0);
	lab_swap_at_once(&lab, 0, "1.BCS.400.0.1");
	lab_swap_at_once(&lab, 0, "1.RCS.1000.0.1,1.RCS.7.0.1");
	lab_expect(&lab,
	    "0 RCS 0 0 1000; 0 RCS 100 1000 2000; 1 RCS 2000 2000 2007", 2007);
	lab_free(&lab);
}

/* All of a workload, each where it is; another one that was killed is let
 * be. */
TEST(swap_at_once_workload)
{
	struct lab lab;
	struct program *p;

	lab_start(&lab, "fifo", "1.RCS.100.0.1,d.100", 3, 1);
	sim_run(lab.sim, 50 * US, 0);
	lab_control(&lab, (struct control){.kind = CONTROL_KILL, .client = 1});
	p = lab_compile(&lab, "1.RCS.100.0.1,d.10");
	lab_control(&lab,
	    (struct control){.kind = CONTROL_SWAP,
		.client = CONTROL_ALL,
		.program = p,
		.at_once = true});
	program_free(p);
	assert_int_equal(lab.sim->n_swaps, 2);
	sim_run(lab.sim, NSEC_NEVER, 0);
	assert_int_equal(lab.sim->clients[0]->ended_ns, 110 * US);
	lab_free(&lab);
}

TEST(swap_before_the_start)
{
	struct lab lab;

	lab_start(&lab, "fifo", "1.RCS.1000.0.1", 1, 1);
	lab_swap(&lab, 0, "1.RCS.400.0.1");
	lab_swap(&lab, 0, "1.BCS.300.0.1"); /* the last one counts */
	lab_expect(&lab, "0 BCS 0 0 300", 300);
	lab_free(&lab);
}

/* Contexts by number: figures and what is in force stay with them. */
TEST(swap_contexts)
{
	const struct client *c;
	struct lab lab;

	lab_start(&lab, "fifo", "1.RCS.1000.0.1,3.BCS.1000.0.1", 1, 0);
	c = lab.sim->clients[0];
	lab_control(&lab,
	    (struct control){
		.kind = CONTROL_PRIORITY, .context = 3, .value = 33});
	lab_control(&lab,
	    (struct control){
		.kind = CONTROL_PREEMPTION, .context = 3, .value = 250});
	lab_swap(&lab, 0, "2.RCS.1000.0.1,3.BCS.1000.0.1");
	lab_swap(&lab, 0, "1.RCS.1000.0.1,3.BCS.1000.0.1");
	sim_run(lab.sim, 500 * US, 0);
	lab_swap(&lab, 0, "2.RCS.1000.0.1,3.BCS.1000.0.1");
	sim_run(lab.sim, 3500 * US, 0);
	assert_int_equal(c->n_contexts, 3);
	assert_int_equal(c->contexts[0]->def->number, 2);
	assert_int_equal(c->contexts[0]->priority, 0);
	assert_int_equal(c->contexts[0]->batches, 1);
	assert_int_equal(c->contexts[1]->def->number, 3);
	assert_int_equal(c->contexts[1]->priority, 33);
	assert_int_equal(c->contexts[1]->preempt_ns, 250 * US);
	assert_int_equal(c->contexts[1]->batches, 1);
	/* The one that went keeps its figures, and goes on with them. */
	assert_int_equal(c->contexts[2]->def->number, 1);
	assert_int_equal(c->contexts[2]->def->n_batches, 1);
	assert_int_equal(c->contexts[2]->batches, 1);
	assert_int_equal(c->contexts[2]->busy_ns, 1000 * US);
	lab_refuse(&lab,
	    (struct control){.kind = CONTROL_PRIORITY, .context = 1},
	    "no context 1 in client 0: expected one of 2, 3");
	lab_swap(&lab, 0, "1.RCS.1000.0.1,X.3.100,3.BCS.1000.0.1");
	sim_run(lab.sim, 6500 * US, 0);
	assert_int_equal(c->n_contexts, 3);
	assert_int_equal(c->contexts[0]->def->number, 1);
	assert_int_equal(c->contexts[0]->batches, 2);
	/* X says what it said before (100 us unless set)... */
	assert_int_equal(c->contexts[1]->preempt_ns, 250 * US);
	lab_swap(&lab, 0, "P.7.1,X.3.900,3.BCS.1000.0.1");
	sim_run(lab.sim, 8500 * US, 0);
	assert_int_equal(c->contexts[0]->def->number, 3);
	/* One that had no batches may get some. */
	lab_swap(&lab, 0, "3.BCS.1000.0.1,7.BCS.1000.0.1");
	sim_run(lab.sim, 11500 * US, 0);
	assert_int_equal(c->contexts[1]->batches, 1);
	/* ... and here it does not. */
	assert_int_equal(c->contexts[0]->preempt_ns, PREEMPT_BY_PROGRAM);
	lab_free(&lab);
}

/* No switch where the context is the same, and the order of its ring. */
TEST(swap_keeps_rings)
{
	struct lab lab;

	lab_start(&lab, "fifo", "1.RCS.1000.0.0,d.400", 1, 2);
	sim_run(lab.sim, 100 * US, 0);
	lab_swap(&lab, 0, "0.BCS.10.0.0,1.RCS.300.0.0,1.VCS1.10.0.0");
	lab_expect(&lab,
	    "0 RCS 0 0 1000; 0 BCS 400 400 410; 1 RCS 400 1000 1300; "
	    "2 VCS1 400 400 410",
	    1300);
	assert_int_equal(lab.sim->device.engines[0].switches, 1);
	lab_free(&lab);
}

/* A ring is full of the old program's requests: they count. */
TEST(swap_ring_room)
{
	struct lab lab;

	lab_init(&lab, "fifo");
	lab.config.profile.ring_requests = 2;
	lab_add(&lab, "1.RCS.1000.0.0,1.RCS.1000.0.0,1.RCS.1000.0.0", 1,
	    (struct client_options){.repeat = 2});
	sim_run(lab.sim, 100 * US, 0);
	lab_swap(&lab, 0, "1.RCS.100.0.0");
	lab_expect(&lab,
	    "0 RCS 0 0 1000; 1 RCS 0 1000 2000; 2 RCS 1000 2000 3000; "
	    "0 RCS 2000 3000 3100",
	    3100);
	lab_free(&lab);
}

/* A batch that keeps its place writes the same object, so it waits for who
 * still reads that; one in another place does not. */
TEST(swap_objects)
{
	struct lab lab;

	lab_start(&lab, "fifo", "1.RCS.100.0.0,2.BCS.900.-1.0,d.50", 1, 2);
	lab_swap(&lab, 0, "1.RCS.100.0.0,2.BCS.900.-1.0,d.50");
	sim_run(lab.sim, 10 * US, 0);
	lab_swap(&lab, 0, "1.RCS.200.0.0,3.VCS1.10.0.0,2.BCS.900.-2.0");
	lab_expect(&lab,
	    "0 RCS 0 0 100; 1 BCS 100 100 1000; 0 RCS 1000 1000 1200; "
	    "1 VCS1 50 50 60; 2 BCS 1200 1200 2100",
	    2100);
	lab_free(&lab);

	lab_start(&lab, "fifo", "1.RCS.100.0.0,2.BCS.900.-1.0,d.50", 1, 2);
	sim_run(lab.sim, 10 * US, 0);
	lab_swap(&lab, 0, "4.RCS.200.0.0,5.VCS1.10.0.0");
	lab_expect(&lab,
	    "0 RCS 0 0 100; 1 BCS 100 100 1000; 0 RCS 50 100 300; "
	    "1 VCS1 50 50 60",
	    1000);
	lab_free(&lab);
}

/* W sets are the same for clients that have the old program and the new. */
TEST(swap_shared_sets)
{
	struct lab lab;

	lab_start(&lab, "fifo", "W.1.4,1.RCS.1000.w1-0.0,d.600", 2, 2);
	sim_run(lab.sim, 100 * US, 0);
	lab_swap(&lab, 1, "W.1.4,1.BCS.1000.w1-0.0");
	/* 0 0, 1 0, 0 1, and the new one waits for that. */
	lab_expect(&lab,
	    "1 RCS 0 0 1000; 1 RCS 0 1000 2000; 1 RCS 600 2000 3000; "
	    "1 BCS 3000 3000 4000",
	    4000);
	lab_free(&lab);

	lab_start(&lab, "fifo", "W.1.4,1.RCS.1000.w1-0.0,d.600", 2, 2);
	sim_run(lab.sim, 100 * US, 0);
	lab_swap(&lab, 1, "W.1.4/4,1.BCS.1000.w1-0.0");
	lab_expect(&lab,
	    "1 RCS 0 0 1000; 1 RCS 0 1000 2000; 1 RCS 600 2000 3000; "
	    "1 BCS 600 600 1600",
	    3000);
	lab_free(&lab);
}

/* t and q are off again. */
TEST(swap_throttle)
{
	struct lab lab;

	lab_start(&lab, "fifo", "t.1,q.1,1.RCS.1000.0.0,1.RCS.1000.0.0", 1, 2);
	sim_run(lab.sim, 100 * US, 0);
	lab_swap(&lab, 0, "1.RCS.1000.0.0,1.RCS.1000.0.0,1.RCS.1000.0.0");
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	assert_int_equal(lab.n_rows, 5);
	assert_int_equal(lab.rows[2].submit, lab.rows[4].submit);
	lab_free(&lab);
}

/* A bond is that of the program that the request was submitted from. */
TEST(swap_bonds)
{
	struct lab lab;

	lab_start(&lab, "fifo", "1.RCS.1000.0.1", 1, 1);
	lab_add(&lab,
	    "M.1.VCS1|VCS2,B.1,b.1.VCS2.RCS,2.RCS.100.0.0,1.DEFAULT.9.s-1.0,"
	    "d.50",
	    1, (struct client_options){.repeat = 2});
	sim_run(lab.sim, 10 * US, 0);
	lab_swap(&lab, 1,
	    "M.1.VCS1|VCS2,B.1,b.1.VCS1.RCS,2.RCS.100.0.0,1.DEFAULT.9.s-1.0");
	lab_expect(&lab,
	    "0 RCS 0 0 1000; 3 RCS 0 1000 1100; 4 VCS2 1000 1000 1009; "
	    "3 RCS 50 1100 1200; 4 VCS1 1100 1100 1109",
	    1200);
	lab_free(&lab);
}

TEST(swap_workload)
{
	struct lab lab;

	lab_start(&lab, "fifo", "1.RCS.1000.0.1", 2, 2);
	sim_run(lab.sim, 100 * US, 0);
	lab_swap(&lab, CONTROL_ALL, "1.BCS.100.0.1");
	lab_control(&lab,
	    (struct control){
		.kind = CONTROL_ADD, .n_clients = 1, .options = once});
	lab_expect(&lab,
	    "0 RCS 0 0 1000; 0 RCS 0 1000 2000; 0 BCS 100 100 200; "
	    "0 BCS 1000 1000 1100; 0 BCS 2000 2000 2100",
	    2100);
	lab_free(&lab);
}

/* A program that does nothing, without end, beside a batch of the one before
 * it that never ends: time goes on. */
TEST(nothing_beside_what_never_ends)
{
	struct lab lab;

	lab_start(&lab, "fifo", "1.RCS.*.0.0,d.100", 1, 0);
	sim_run(lab.sim, 50 * US, 0);
	lab_swap(&lab, 0, "P.1.5");
	alarm(20);
	assert_int_equal(sim_run(lab.sim, 1000 * US, 0), SIM_RUNNING);
	alarm(0);
	assert_int_equal(lab.sim->now, 1000 * US);
	assert_in_range(lab.sim->clients[0]->walker->iteration, 900, 901);
	lab_free(&lab);
}
