/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The CPU side of clients (doc/model/client.md): all times are worked out by
 * hand from the rules there.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "engine/client/control.h"
#include "tests/runner/test.h"
#include "tests/support/lab.h"

#define US NSEC_PER_USEC

static const struct client_options once = {.repeat = 1};
static const struct client_options twice = {.repeat = 2};

/* On `ideal` under fifo, with CPUs that clients share. */
static void
init(struct lab *lab, unsigned cpus, nsec submit_us, nsec wakeup_us)
{
	lab_init(lab, "fifo");
	lab->config.profile.cpus = cpus;
	lab->config.profile.submit_ns = submit_us * US;
	lab->config.profile.wakeup_ns = wakeup_us * US;
}

/* "client submit" of each batch, in order of submission. */
static void
expect_submits(struct lab *lab, const char *submits)
{
	struct text t = {0};

	assert_int_equal(sim_run(lab->sim, NSEC_NEVER, 0), SIM_DONE);
	for (size_t i = 0; i < lab->n_rows; i++)
		text_addf(&t, "%s%u %g", i > 0 ? ", " : "", lab->rows[i].client,
		    (double)lab->rows[i].submit / 1e3);
	assert_string_equal(text_str(&t), submits);
	text_free(&t);
	lab_free(lab);
}

TEST(wakeup)
{
	struct lab lab;

	init(&lab, 0, 0, 10);
	lab_add(&lab,
	    "1.RCS.100.0.1,2.BCS.10.0.0,d.50,2.BCS.10.0.0,s.-4,"
	    "2.BCS.10.0.0",
	    1, once);
	expect_submits(&lab, "0 0, 0 110, 0 170, 0 170");
}

/* Room in a ring wakes a thread as well. */
TEST(wakeup_for_room)
{
	struct lab lab;

	init(&lab, 0, 0, 3);
	lab.config.profile.ring_requests = 2;
	lab_add(&lab, "1.RCS.10.0.0", 1, (struct client_options){.repeat = 4});
	expect_submits(&lab, "0 0, 0 0, 0 13, 0 23");
}

/* It has ended when its last request has. */
TEST(no_wakeup_at_the_end)
{
	struct lab lab;

	init(&lab, 1, 2, 10);
	lab_add(&lab, "1.RCS.100.0.0", 1, once);
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	assert_int_equal(lab.sim->clients[0]->ended_ns, 102 * US);
	lab_free(&lab);
}

TEST(timer_slack)
{
	struct lab lab;

	init(&lab, 0, 0, 10);
	lab.config.profile.timer_slack_ns = 50 * US;
	lab_add(&lab, "d.100,1.RCS.10.0.0", 1, once);
	expect_submits(&lab, "0 160");
}

/* The next iteration comes later by both, and none is missed. */
TEST(periods)
{
	struct lab lab;

	init(&lab, 0, 0, 10);
	lab.config.profile.timer_slack_ns = 50 * US;
	lab_add(&lab, "1.RCS.80.0.1,p.90", 1, twice);
	lab_add(&lab, "1.BCS.80.0.1,p.89", 1, twice);
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	/* At 90 us, exactly: it does not sleep. */
	assert_int_equal(lab.sim->clients[0]->ended_ns, 180 * US);
	assert_int_equal(lab.sim->clients[0]->period.missed, 0);
	assert_int_equal(lab.sim->clients[1]->period.missed, 2);
	lab_free(&lab);
	init(&lab, 0, 0, 10);
	lab.config.profile.timer_slack_ns = 50 * US;
	lab_add(&lab, "1.RCS.20.0.0,p.90", 1, twice);
	expect_submits(&lab, "0 0, 0 150");
}

/* One after the other, each until it blocks; side by side where there are
 * two. */
TEST(one_cpu)
{
	static const char text[] = "1.RCS.1.0.0,1.RCS.1.0.0,1.RCS.1.0.1";
	struct lab lab;

	init(&lab, 1, 10, 0);
	lab_add(&lab, text, 2, once);
	expect_submits(&lab, "0 10, 0 20, 0 30, 1 40, 1 50, 1 60");
	init(&lab, 2, 10, 0);
	lab_add(&lab, text, 2, once);
	expect_submits(&lab, "0 10, 1 10, 0 20, 1 20, 0 30, 1 30");
	init(&lab, 0, 10, 0);
	lab_add(&lab, text, 2, once);
	expect_submits(&lab, "0 10, 1 10, 0 20, 1 20, 0 30, 1 30");
}

/* 3 ms: client 0 has submitted three, and gets its CPU back after client 1. */
TEST(slice)
{
	static const char text[] = "1.RCS.1.0.0";
	struct lab lab;

	init(&lab, 1, 1000, 0);
	lab_add(&lab, text, 2, (struct client_options){.repeat = 5});
	expect_submits(&lab,
	    "0 1000, 0 2000, 0 3000, 1 4000, 1 5000, 1 6000, 0 7000, 0 8000, "
	    "1 9000, 1 10000");
}

/* A client without others keeps its CPU after its slice. */
TEST(slice_alone)
{
	struct lab lab;

	init(&lab, 1, 1000, 0);
	lab_add(&lab, "1.RCS.1.0.0", 1, (struct client_options){.repeat = 5});
	expect_submits(&lab, "0 1000, 0 2000, 0 3000, 0 4000, 0 5000");
}

/* Both wait for the end of a batch at 100 us: the first has the CPU for its
 * waking, and its submission, before the other. */
TEST(waking_takes_cpu_time)
{
	struct lab lab;

	init(&lab, 1, 0, 10);
	lab_add(&lab, "1.RCS.100.0.1,2.BCS.1.0.0", 1, once);
	lab_add(&lab, "1.VCS1.100.0.1,2.BCS.1.0.0", 1, once);
	expect_submits(&lab, "0 0, 1 0, 0 110, 1 120");
	init(&lab, 1, 5, 10);
	lab_add(&lab, "1.RCS.100.0.1,2.BCS.1.0.0", 1, once);
	lab_add(&lab, "1.VCS1.95.0.1,2.BCS.1.0.0", 1, once);
	expect_submits(&lab, "0 5, 1 10, 0 120, 1 135");
}

/* First come, first served: client 1 came at 20 us, client 0 at 25. */
TEST(order_of_coming)
{
	struct lab lab;

	init(&lab, 1, 40, 0);
	lab_add(&lab, "d.25,1.RCS.1.0.0", 1, once);
	lab_add(&lab, "d.20,1.RCS.1.0.0", 1, once);
	lab_add(&lab, "1.RCS.1.0.0", 1, once);
	expect_submits(&lab, "2 40, 1 80, 0 120");
}

/* Background clients take CPU time as well. */
TEST(background)
{
	struct lab lab;

	init(&lab, 1, 10, 0);
	lab_add(&lab, "1.BCS.5.0.1", 1,
	    (struct client_options){.background = true});
	lab_add(&lab, "1.RCS.1.0.1,1.RCS.1.0.1", 1, once);
	expect_submits(&lab, "0 10, 1 20, 0 30, 1 40, 0 50");
}

static void
control(struct lab *lab, struct control control)
{
	struct text err = {0};

	assert_true(sim_control(lab->sim, &control, &err));
}

/* Client 0 has the CPU, 1 waits for it: a kill of either lets the others go on
 * at once; so does that of one that wakes up. */
TEST(kill)
{
	struct lab lab;

	init(&lab, 1, 10, 0);
	lab_add(&lab, "1.RCS.1.0.0,1.RCS.1.0.0", 3, once);
	lab_run(&lab, 15 * US);
	control(&lab, (struct control){.kind = CONTROL_KILL, .client = 1});
	control(&lab, (struct control){.kind = CONTROL_KILL, .client = 0});
	expect_submits(&lab, "0 10, 2 25, 2 35");
	init(&lab, 1, 0, 10);
	lab_add(&lab, "d.100,1.RCS.1.0.0", 2, once);
	lab_run(&lab, 105 * US);
	assert_string_equal(client_state_name(lab.sim->clients[0]), "waking");
	assert_string_equal(
	    client_state_name(lab.sim->clients[1]), "needs CPU");
	assert_int_equal(client_block(lab.sim->clients[1]), BLOCK_CPU);
	control(&lab, (struct control){.kind = CONTROL_KILL, .client = 0});
	expect_submits(&lab, "1 115");
}

/* A client that is added later queues. */
TEST(add)
{
	struct lab lab;

	init(&lab, 1, 10, 0);
	lab_add(&lab, "1.RCS.1.0.0,1.RCS.1.0.0", 1, once);
	lab_run(&lab, 5 * US);
	control(&lab,
	    (struct control){
		.kind = CONTROL_ADD, .n_clients = 1, .options = once});
	expect_submits(&lab, "0 10, 0 20, 1 30, 1 40");
}

/* Another program at once: one that waits wakes up first, and then has its turn
 * for a CPU; one that submits goes on. */
TEST(swap_at_once)
{
	struct lab lab;
	struct control swap = {.kind = CONTROL_SWAP, .at_once = true};

	init(&lab, 1, 10, 3);
	lab_add(&lab, "1.RCS.1000.0.1", 1, once);
	swap.program = lab_compile(&lab, "d.7,1.BCS.1.0.0");
	lab_run(&lab, 100 * US);
	control(&lab, swap);
	program_unref(swap.program);
	/* 103 us, then 7 us of sleep, 3 us until it is awake. */
	expect_submits(&lab, "0 10, 0 123");
}

/* Empty iterations are CPU time: with one CPU each has its slice in turn. */
TEST(empty_iterations)
{
	struct lab lab;

	init(&lab, 1, 0, 0);
	lab.config.profile.iteration_min_ns = 1500 * US;
	lab_add(&lab, "", 2, (struct client_options){.repeat = 3});
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	assert_int_equal(lab.sim->clients[0]->ended_ns, 7500 * US);
	assert_int_equal(lab.sim->clients[1]->ended_ns, 9000 * US);
	lab_free(&lab);
}

static uint64_t
missed(unsigned cpus)
{
	struct lab lab;
	uint64_t n;

	init(&lab, cpus, 20, 0);
	lab_add(&lab,
	    "1.RCS.5.0.0,2.BCS.5.0.0,3.VCS1.5.0.0,4.VCS2.5.0.1,p.1000", 64,
	    (struct client_options){.repeat = 20});
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	n = lab.sim->n_missed;
	lab_free(&lab);
	return n;
}

/*
 * 64 clients take 320 us of each engine in each period of 1000 us, and 64 * 80
 * us of CPU time: 1280 us of each of four CPUs.
 */
TEST(many_clients_miss)
{
	assert_int_equal(missed(0), 0);
	assert_int_equal(missed(16), 0);
	assert_in_range(missed(4), 64 * 10, 64 * 20);
}

TEST(same_in_slices)
{
	static const char text[] =
	    "1.RCS.100-300.0.0,2.CCS.50-70.0.1,d.30,3.VCS1.20-30.-3.0,p.700";
	struct lab whole, sliced;
	char *a, *b;

	init(&whole, 2, 20, 7);
	whole.config.profile.timer_slack_ns = 5 * US;
	init(&sliced, 2, 20, 7);
	sliced.config = whole.config;
	lab_add(&whole, text, 5, (struct client_options){.repeat = 20});
	lab_add(&sliced, text, 5, (struct client_options){.repeat = 20});
	assert_int_equal(sim_run(whole.sim, NSEC_NEVER, 0), SIM_DONE);
	for (nsec t = 1; sim_run(sliced.sim, t, 1) == SIM_RUNNING; t += 333)
		;
	a = lab_rows_text(&whole);
	b = lab_rows_text(&sliced);
	assert_string_equal(a, b);
	free(a);
	free(b);
	lab_free(&whole);
	lab_free(&sliced);
}
