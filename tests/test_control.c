/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Live control (engine/client/control.h): what each control does, what is refused and
 * why, and that the same controls between the same instants give the same run.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "engine/client/control.h"
#include "parser/mem.h"
#include "parser/text.h"
#include "tests/support/lab.h"

#define US  NSEC_PER_USEC
#define ALL CONTROL_ALL

static const struct client_options once = {.repeat = 1};

static void
start(struct lab *lab, const char *sched, const char *text, unsigned clones,
    uint64_t repeat)
{
	lab_init(lab, sched);
	lab_add(lab, text, clones, (struct client_options){.repeat = repeat});
}

static void
apply(struct lab *lab, struct control control)
{
	struct text err = {0};

	if (!sim_control(lab->sim, &control, &err))
		fail_msg("refused: %s", text_str(&err));
	text_free(&err);
}

static void
refuse(struct lab *lab, struct control control, const char *why)
{
	struct text err = {0};

	assert_false(sim_control(lab->sim, &control, &err));
	assert_string_equal(text_str(&err), why);
	text_free(&err);
}

static void
swap(struct lab *lab, uint32_t client, const char *text)
{
	struct program *p = lab_compile(lab, text);

	assert_non_null(p);
	apply(lab,
	    (struct control){
		.kind = CONTROL_SWAP, .client = client, .program = p});
	program_free(p); /* who has it, holds it */
}

static void
swap_at_once(struct lab *lab, uint32_t client, const char *text)
{
	struct program *p = lab_compile(lab, text);

	assert_non_null(p);
	apply(lab,
	    (struct control){.kind = CONTROL_SWAP,
		.client = client,
		.program = p,
		.at_once = true});
	program_free(p);
}

/* facts/i915-scheduling.md section 1.10: only what is added afterwards. */
static void
test_priority(void **state)
{
	struct lab lab;

	(void)state;
	start(
	    &lab, "drm", "1.RCS.1000.0.0,2.RCS.1000.0.0,3.RCS.1000.0.1", 1, 2);
	sim_run(lab.sim, 500 * US, 0);
	apply(&lab,
	    (struct control){
		.kind = CONTROL_PRIORITY, .context = 3, .value = 10});
	assert_int_equal(lab.sim->clients[0]->contexts[2]->priority, 10);
	lab_expect(&lab,
	    "0 RCS 0 0 1000; 1 RCS 0 1000 2000; 2 RCS 0 2000 3000; "
	    "0 RCS 3000 3000 4000; 1 RCS 3000 5000 6000; "
	    "2 RCS 3000 4000 5000",
	    6000);
	lab_free(&lab);
}

/* A P step that is reached later counts, as it would beside another P. */
static void
test_priority_until_p(void **state)
{
	struct lab lab;

	(void)state;
	start(&lab, "fifo", "P.1.5,1.RCS.1000.0.1", 1, 2);
	sim_run(lab.sim, 500 * US, 0);
	apply(&lab,
	    (struct control){
		.kind = CONTROL_PRIORITY, .context = 1, .value = -7});
	assert_int_equal(lab.sim->clients[0]->contexts[0]->priority, -7);
	sim_run(lab.sim, 1500 * US, 0);
	assert_int_equal(lab.sim->clients[0]->contexts[0]->priority, 5);
	lab_free(&lab);
}

static void
test_of_a_workload(void **state)
{
	struct lab lab;

	(void)state;
	start(&lab, "fifo", "1.RCS.1000.0.1", 3, 2);
	lab_add(&lab, "1.BCS.1000.0.1", 1, once);
	apply(&lab,
	    (struct control){.kind = CONTROL_PRIORITY,
		.client = ALL,
		.workload = 0,
		.context = 1,
		.value = 4});
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(
		    lab.sim->clients[i]->contexts[0]->priority, i < 3 ? 4 : 0);
	lab_free(&lab);
}

static void
test_sseu(void **state)
{
	struct lab lab;

	(void)state;
	lab_init(&lab, "fifo");
	lab.config.profile.sseu_ns = 50 * US;
	lab_add(
	    &lab, "1.RCS.1000.0.1", 1, (struct client_options){.repeat = 3});
	sim_run(lab.sim, 500 * US, 0);
	apply(&lab,
	    (struct control){.kind = CONTROL_SSEU, .context = 1, .value = 1});
	sim_run(lab.sim, 1500 * US, 0);
	apply(&lab,
	    (struct control){.kind = CONTROL_SSEU, .context = 1, .value = -1});
	assert_int_equal(lab.sim->clients[0]->contexts[0]->sseu, 7);
	/* It costs at the next batch, and again on the way back. */
	lab_expect(&lab,
	    "0 RCS 0 0 1000; 0 RCS 1000 1050 2050; 0 RCS 2050 2100 3100", 3100);
	lab_free(&lab);
}

/* One is submitted every 2 ms and preempts where the other can be. */
#define INTERRUPTED "X.1.700,1.RCS.1500.0.0,P.2.9,d.100,2.RCS.100.0.1,s.-4"

static void
test_preemption(void **state)
{
	struct lab lab;

	(void)state;
	start(&lab, "execlists", INTERRUPTED, 1, 4);
	sim_run(lab.sim, 500 * US, 0);
	apply(&lab,
	    (struct control){
		.kind = CONTROL_PREEMPTION, .context = 1, .value = 200});
	sim_run(lab.sim, 2000 * US, 0);
	apply(&lab, (struct control){.kind = CONTROL_PREEMPTION, .context = 1});
	sim_run(lab.sim, 3500 * US, 0);
	apply(&lab,
	    (struct control){.kind = CONTROL_PREEMPTION,
		.context = 1,
		.value = CONTROL_BY_PROGRAM});
	/* The batch that runs keeps its points; then every 200 us, never, and
	 * every 700 us again. */
	lab_expect(&lab,
	    "1 RCS 0 0 1600; 4 RCS 100 700 800; "
	    "1 RCS 1600 1600 3200; 4 RCS 1700 1800 1900; "
	    "1 RCS 3200 3200 4700; 4 RCS 3300 4700 4800; "
	    "1 RCS 4800 4800 6400; 4 RCS 4900 5500 5600",
	    6400);
	lab_free(&lab);
}

static void
test_add_clients(void **state)
{
	struct lab lab;

	(void)state;
	start(&lab, "fifo", "1.RCS.1000.0.1", 1, 1);
	sim_run(lab.sim, 300 * US, 0);
	apply(&lab,
	    (struct control){.kind = CONTROL_ADD,
		.n_clients = 2,
		.options = {.repeat = 1, .priority = 3}});
	assert_int_equal(lab.sim->n_clients, 3);
	assert_int_equal(lab.sim->clients[2]->contexts[0]->priority, 3);
	lab_expect(&lab,
	    "0 RCS 0 0 1000; 0 RCS 300 1000 2000; 0 RCS 300 2000 3000", 3000);
	/* What is over goes on. */
	apply(&lab,
	    (struct control){
		.kind = CONTROL_ADD, .n_clients = 1, .options = once});
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	assert_int_equal(lab.sim->now, 4000 * US);
	lab_free(&lab);
}

static void
test_add_workload(void **state)
{
	struct program *p;
	struct lab lab;
	char name[] = "another";

	(void)state;
	start(&lab, "fifo", "1.RCS.1000.0.1", 1, 1);
	p = lab_compile(&lab, "1.BCS.700.0.1");
	sim_run(lab.sim, 300 * US, 0);
	apply(&lab,
	    (struct control){.kind = CONTROL_ADD,
		.program = p,
		.name = name,
		.n_clients = 1,
		.options = once});
	program_free(p);
	name[0] = 'X';
	assert_string_equal(lab.sim->clients[1]->workload->name, "another");
	assert_int_equal(lab.sim->clients[1]->workload->id, 1);
	lab_expect(&lab, "0 RCS 0 0 1000; 0 BCS 300 300 1000", 1000);
	lab_free(&lab);
}

/* At the next iteration; what is in flight finishes as it was. */
static void
test_swap(void **state)
{
	struct lab lab;

	(void)state;
	start(&lab, "fifo", "1.RCS.1000.0.0,1.BCS.500.0.1", 1, 3);
	sim_run(lab.sim, 100 * US, 0);
	swap(&lab, 0, "1.RCS.200.0.0,d.50,1.VCS1.300.0.1");
	lab_expect(&lab,
	    "0 RCS 0 0 1000; 1 BCS 0 0 500; "
	    "0 RCS 500 1000 1200; 2 VCS1 550 550 850; "
	    "0 RCS 850 1200 1400; 2 VCS1 900 900 1200",
	    1400);
	assert_int_equal(lab.sim->clients[0]->completed, 3);
	lab_free(&lab);
}

/* Programs that differ in figures only: the client goes on where it is. */
static void
test_swap_in_place(void **state)
{
	struct lab lab;

	(void)state;
	start(
	    &lab, "fifo", "1.RCS.1000.0.1,1.BCS.500.0.1,1.VCS1.10.-1.0", 1, 2);
	sim_run(lab.sim, 100 * US, 0);
	swap_at_once(
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
static void
test_swap_in_place_asleep(void **state)
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

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct lab lab;

		start(&lab, "fifo", cases[i].before, 1, 1);
		sim_run(lab.sim, 100 * US, 0);
		swap_at_once(&lab, 0, cases[i].after);
		lab_expect(&lab, cases[i].rows, cases[i].end_us);
		lab_free(&lab);
	}
}

/* What is in force, and what is waited for, stays. */
static void
test_swap_in_place_keeps(void **state)
{
	struct lab lab;

	(void)state;
	start(&lab, "fifo", "f,2.RCS.100.f-1.0,d.1000,a.-3", 1, 1);
	sim_run(lab.sim, 500 * US, 0);
	swap_at_once(&lab, 0, "f,2.RCS.300.f-1.0,d.2000,a.-3");
	lab_expect(&lab, "1 RCS 2000 2000 2100", 2100);
	lab_free(&lab);

	/* At the third batch, which q holds back. */
	start(&lab, "fifo", "q.1,1.RCS.100.0.0,1.RCS.100.0.0,1.RCS.100.0.0,d.1",
	    1, 1);
	sim_run(lab.sim, 50 * US, 0);
	swap_at_once(
	    &lab, 0, "q.1,1.RCS.100.0.0,1.RCS.100.0.0,1.RCS.20.0.0,d.1");
	lab_expect(
	    &lab, "1 RCS 0 0 100; 2 RCS 0 100 200; 3 RCS 100 200 220", 220);
	lab_free(&lab);
}

/* Others: the iteration begins anew, whatever the client waits for. */
static void
test_swap_gives_up(void **state)
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

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct lab lab;

		start(&lab, "fifo", cases[i].before, 1, 2);
		sim_run(lab.sim, 100 * US, 0);
		swap_at_once(&lab, 0, cases[i].after);
		lab_expect(&lab, cases[i].rows, cases[i].end_us);
		assert_int_equal(lab.sim->clients[0]->completed, 2);
		assert_int_equal(lab.sim->n_iterations, 2);
		lab_free(&lab);
	}
}

/* A client whose ring is full gives up, and is not woken as that empties. */
static void
test_swap_gives_up_full_ring(void **state)
{
	struct lab lab;

	(void)state;
	lab_init(&lab, "fifo");
	lab.config.profile.ring_requests = 4;
	lab_add(&lab, "1.RCS.100.0.0", 1, (struct client_options){0});
	sim_run(lab.sim, 150 * US, 0);
	assert_int_equal(lab.sim->clients[0]->state, CLIENT_RING_FULL);
	swap_at_once(&lab, 0, "d.5000,1.BCS.200.0.1");
	sim_run(lab.sim, 2000 * US, 0);
	assert_int_equal(lab.sim->clients[0]->state, CLIENT_SLEEPING);
	assert_int_equal(lab.sim->clients[0]->pc, 0);
	assert_int_equal(lab.sim->clients[0]->in_flight, 0);
	lab_free(&lab);
}

/* The last one counts, of those that came since the client had its turn. */
static void
test_swap_at_once_again(void **state)
{
	struct lab lab;

	(void)state;
	start(&lab, "fifo", "1.RCS.1000.0.1", 1, 1);
	sim_run(lab.sim, 100 * US, 0);
	swap_at_once(&lab, 0, "1.BCS.400.0.1");
	swap_at_once(&lab, 0, "1.BCS.300.0.1");
	lab_expect(&lab, "0 RCS 0 0 1000; 0 BCS 100 100 400", 1000);
	lab_free(&lab);

	/* Given up for another shape, and then it is to stay in its own. */
	start(&lab, "fifo", "1.RCS.1000.0.1,1.RCS.5.0.1", 1, 1);
	sim_run(lab.sim, 100 * US, 0);
	swap_at_once(&lab, 0, "1.BCS.400.0.1");
	swap_at_once(&lab, 0, "1.RCS.1000.0.1,1.RCS.7.0.1");
	lab_expect(&lab,
	    "0 RCS 0 0 1000; 0 RCS 100 1000 2000; 1 RCS 2000 2000 2007", 2007);
	lab_free(&lab);
}

/* All of a workload, each where it is; another one that was killed is let be. */
static void
test_swap_at_once_workload(void **state)
{
	struct lab lab;
	struct program *p;

	(void)state;
	start(&lab, "fifo", "1.RCS.100.0.1,d.100", 3, 1);
	sim_run(lab.sim, 50 * US, 0);
	apply(&lab, (struct control){.kind = CONTROL_KILL, .client = 1});
	p = lab_compile(&lab, "1.RCS.100.0.1,d.10");
	apply(&lab,
	    (struct control){.kind = CONTROL_SWAP,
		.client = ALL,
		.program = p,
		.at_once = true});
	program_free(p);
	assert_int_equal(lab.sim->n_swaps, 2);
	sim_run(lab.sim, NSEC_NEVER, 0);
	assert_int_equal(lab.sim->clients[0]->ended_ns, 110 * US);
	lab_free(&lab);
}

static void
test_swap_before_the_start(void **state)
{
	struct lab lab;

	(void)state;
	start(&lab, "fifo", "1.RCS.1000.0.1", 1, 1);
	swap(&lab, 0, "1.RCS.400.0.1");
	swap(&lab, 0, "1.BCS.300.0.1"); /* the last one counts */
	lab_expect(&lab, "0 BCS 0 0 300", 300);
	lab_free(&lab);
}

/* Contexts by number: figures and what is in force stay with them. */
static void
test_swap_contexts(void **state)
{
	const struct client *c;
	struct lab lab;

	(void)state;
	start(&lab, "fifo", "1.RCS.1000.0.1,3.BCS.1000.0.1", 1, 0);
	c = lab.sim->clients[0];
	apply(&lab,
	    (struct control){
		.kind = CONTROL_PRIORITY, .context = 3, .value = 33});
	apply(&lab,
	    (struct control){
		.kind = CONTROL_PREEMPTION, .context = 3, .value = 250});
	swap(&lab, 0, "2.RCS.1000.0.1,3.BCS.1000.0.1");
	swap(&lab, 0, "1.RCS.1000.0.1,3.BCS.1000.0.1");
	sim_run(lab.sim, 500 * US, 0);
	swap(&lab, 0, "2.RCS.1000.0.1,3.BCS.1000.0.1");
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
	refuse(&lab, (struct control){.kind = CONTROL_PRIORITY, .context = 1},
	    "no context 1 in client 0: there are 2, 3");
	swap(&lab, 0, "1.RCS.1000.0.1,X.3.100,3.BCS.1000.0.1");
	sim_run(lab.sim, 6500 * US, 0);
	assert_int_equal(c->n_contexts, 3);
	assert_int_equal(c->contexts[0]->def->number, 1);
	assert_int_equal(c->contexts[0]->batches, 2);
	/* X says what it said before (100 us unless set)... */
	assert_int_equal(c->contexts[1]->preempt_ns, 250 * US);
	swap(&lab, 0, "P.7.1,X.3.900,3.BCS.1000.0.1");
	sim_run(lab.sim, 8500 * US, 0);
	assert_int_equal(c->contexts[0]->def->number, 3);
	/* One that had no batches may get some. */
	swap(&lab, 0, "3.BCS.1000.0.1,7.BCS.1000.0.1");
	sim_run(lab.sim, 11500 * US, 0);
	assert_int_equal(c->contexts[1]->batches, 1);
	/* ... and here it does not. */
	assert_int_equal(c->contexts[0]->preempt_ns, PREEMPT_BY_PROGRAM);
	lab_free(&lab);
}

/* No switch where the context is the same, and the order of its ring. */
static void
test_swap_keeps_rings(void **state)
{
	struct lab lab;

	(void)state;
	start(&lab, "fifo", "1.RCS.1000.0.0,d.400", 1, 2);
	sim_run(lab.sim, 100 * US, 0);
	swap(&lab, 0, "0.BCS.10.0.0,1.RCS.300.0.0,1.VCS1.10.0.0");
	lab_expect(&lab,
	    "0 RCS 0 0 1000; 0 BCS 400 400 410; 1 RCS 400 1000 1300; "
	    "2 VCS1 400 400 410",
	    1300);
	assert_int_equal(lab.sim->device.engines[0].switches, 1);
	lab_free(&lab);
}

/* A ring is full of the old program's requests: they count. */
static void
test_swap_ring_room(void **state)
{
	struct lab lab;

	(void)state;
	lab_init(&lab, "fifo");
	lab.config.profile.ring_requests = 2;
	lab_add(&lab, "1.RCS.1000.0.0,1.RCS.1000.0.0,1.RCS.1000.0.0", 1,
	    (struct client_options){.repeat = 2});
	sim_run(lab.sim, 100 * US, 0);
	swap(&lab, 0, "1.RCS.100.0.0");
	lab_expect(&lab,
	    "0 RCS 0 0 1000; 1 RCS 0 1000 2000; 2 RCS 1000 2000 3000; "
	    "0 RCS 2000 3000 3100",
	    3100);
	lab_free(&lab);
}

/* A batch that keeps its place writes the same object, so it waits for who
 * still reads that; one in another place does not. */
static void
test_swap_objects(void **state)
{
	struct lab lab;

	(void)state;
	start(&lab, "fifo", "1.RCS.100.0.0,2.BCS.900.-1.0,d.50", 1, 2);
	swap(&lab, 0, "1.RCS.100.0.0,2.BCS.900.-1.0,d.50");
	sim_run(lab.sim, 10 * US, 0);
	swap(&lab, 0, "1.RCS.200.0.0,3.VCS1.10.0.0,2.BCS.900.-2.0");
	lab_expect(&lab,
	    "0 RCS 0 0 100; 1 BCS 100 100 1000; 0 RCS 1000 1000 1200; "
	    "1 VCS1 50 50 60; 2 BCS 1200 1200 2100",
	    2100);
	lab_free(&lab);

	start(&lab, "fifo", "1.RCS.100.0.0,2.BCS.900.-1.0,d.50", 1, 2);
	sim_run(lab.sim, 10 * US, 0);
	swap(&lab, 0, "4.RCS.200.0.0,5.VCS1.10.0.0");
	lab_expect(&lab,
	    "0 RCS 0 0 100; 1 BCS 100 100 1000; 0 RCS 50 100 300; "
	    "1 VCS1 50 50 60",
	    1000);
	lab_free(&lab);
}

/* W sets are the same for clients that have the old program and the new. */
static void
test_swap_shared_sets(void **state)
{
	struct lab lab;

	(void)state;
	start(&lab, "fifo", "W.1.4,1.RCS.1000.w1-0.0,d.600", 2, 2);
	sim_run(lab.sim, 100 * US, 0);
	swap(&lab, 1, "W.1.4,1.BCS.1000.w1-0.0");
	/* 0 0, 1 0, 0 1, and the new one waits for that. */
	lab_expect(&lab,
	    "1 RCS 0 0 1000; 1 RCS 0 1000 2000; 1 RCS 600 2000 3000; "
	    "1 BCS 3000 3000 4000",
	    4000);
	lab_free(&lab);

	start(&lab, "fifo", "W.1.4,1.RCS.1000.w1-0.0,d.600", 2, 2);
	sim_run(lab.sim, 100 * US, 0);
	swap(&lab, 1, "W.1.4/4,1.BCS.1000.w1-0.0");
	lab_expect(&lab,
	    "1 RCS 0 0 1000; 1 RCS 0 1000 2000; 1 RCS 600 2000 3000; "
	    "1 BCS 600 600 1600",
	    3000);
	lab_free(&lab);
}

/* t and q are off again. */
static void
test_swap_throttle(void **state)
{
	struct lab lab;

	(void)state;
	start(&lab, "fifo", "t.1,q.1,1.RCS.1000.0.0,1.RCS.1000.0.0", 1, 2);
	sim_run(lab.sim, 100 * US, 0);
	swap(&lab, 0, "1.RCS.1000.0.0,1.RCS.1000.0.0,1.RCS.1000.0.0");
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	assert_int_equal(lab.n_rows, 5);
	assert_int_equal(lab.rows[2].submit, lab.rows[4].submit);
	lab_free(&lab);
}

/* A bond is that of the program that the request was submitted from. */
static void
test_swap_bonds(void **state)
{
	struct lab lab;

	(void)state;
	start(&lab, "fifo", "1.RCS.1000.0.1", 1, 1);
	lab_add(&lab,
	    "M.1.VCS1|VCS2,B.1,b.1.VCS2.RCS,2.RCS.100.0.0,1.DEFAULT.9.s-1.0,"
	    "d.50",
	    1, (struct client_options){.repeat = 2});
	sim_run(lab.sim, 10 * US, 0);
	swap(&lab, 1,
	    "M.1.VCS1|VCS2,B.1,b.1.VCS1.RCS,2.RCS.100.0.0,1.DEFAULT.9.s-1.0");
	lab_expect(&lab,
	    "0 RCS 0 0 1000; 3 RCS 0 1000 1100; 4 VCS2 1000 1000 1009; "
	    "3 RCS 50 1100 1200; 4 VCS1 1100 1100 1109",
	    1200);
	lab_free(&lab);
}

static void
test_swap_workload(void **state)
{
	struct lab lab;

	(void)state;
	start(&lab, "fifo", "1.RCS.1000.0.1", 2, 2);
	sim_run(lab.sim, 100 * US, 0);
	swap(&lab, ALL, "1.BCS.100.0.1");
	apply(&lab,
	    (struct control){
		.kind = CONTROL_ADD, .n_clients = 1, .options = once});
	lab_expect(&lab,
	    "0 RCS 0 0 1000; 0 RCS 0 1000 2000; 0 BCS 100 100 200; "
	    "0 BCS 1000 1000 1100; 0 BCS 2000 2000 2100",
	    2100);
	lab_free(&lab);
}

/* Kills. */

static void
kill_it(struct lab *lab, uint32_t client, bool persistent)
{
	apply(lab,
	    (struct control){.kind = CONTROL_KILL,
		.client = client,
		.persistent = persistent});
}

/* At the next preemption point; those behind it when it is their turn. */
static void
test_kill(void **state)
{
	struct lab lab;

	(void)state;
	start(&lab, "execlists",
	    "1.RCS.*.0.0,1.RCS.500.0.0,2.BCS.300.-1.0,d.900", 1, 1);
	lab_add(&lab, "1.RCS.1000.0.1", 1, once);
	sim_run(lab.sim, 230 * US, 0);
	kill_it(&lab, 0, false);
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	assert_int_equal(lab.rows[0].end, 300 * US);
	assert_int_equal(lab.rows[0].run, 300 * US);
	assert_int_equal(lab.rows[0].error, -EIO);
	assert_int_equal(lab.rows[1].error, -EIO);
	assert_int_equal(lab.rows[1].run, 0);
	assert_int_equal(lab.rows[2].error, -EIO);
	assert_int_equal(lab.rows[2].run, 0);
	assert_int_equal(lab.rows[3].error, 0);
	assert_int_equal(lab.rows[3].end, 1300 * US);
	assert_int_equal(lab.sim->n_hangs, 0);
	assert_int_equal(lab.sim->clients[0]->ended_ns, 300 * US);
	assert_string_equal(client_state_name(lab.sim->clients[0]), "killed");
	assert_int_equal(lab.sim->clients[0]->completed, 0);
	refuse(&lab, (struct control){.kind = CONTROL_KILL},
	    "client 0 was killed");
	lab_free(&lab);
}

/* facts/i915-scheduling.md section 1.12: reset if it does not move. */
static void
test_kill_without_points(void **state)
{
	static const nsec timeouts[] = {0, 640000 * US};
	struct lab lab;

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		lab_init(&lab, "execlists");
		lab.config.profile.preempt_timeout_ns = timeouts[i];
		lab.config.profile.preempt_timeout_compute_ns = timeouts[i];
		lab_add(&lab, "X.1.0,1.RCS.*.0.0,d.9000", 1, once);
		sim_run(lab.sim, 230 * US, 0);
		kill_it(&lab, 0, false);
		assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
		assert_int_equal(lab.rows[0].error, -EIO);
		assert_int_equal(lab.rows[0].end, 230 * US + timeouts[i]);
		assert_int_equal(lab.sim->n_hangs, 1);
		lab_free(&lab);
	}
	/* Its own end comes first. */
	lab_init(&lab, "execlists");
	lab.config.profile.preempt_timeout_ns = timeouts[1];
	lab_add(&lab, "X.1.0,1.BCS.5000.0.0", 1, once);
	sim_run(lab.sim, 230 * US, 0);
	kill_it(&lab, 0, false);
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	assert_int_equal(lab.rows[0].error, -EIO);
	assert_int_equal(lab.rows[0].end, 5000 * US);
	assert_int_equal(lab.sim->n_hangs, 0);
	lab_free(&lab);
}

static void
test_kill_persistent(void **state)
{
	struct lab lab;

	(void)state;
	start(
	    &lab, "fifo", "1.RCS.1000.0.0,f,1.BCS.500.f-1.0,d.100,a.-3", 1, 9);
	sim_run(lab.sim, 50 * US, 0);
	kill_it(&lab, 0, true);
	/* Its fence is closed: nobody waits for that. */
	lab_expect(&lab, "0 RCS 0 0 1000; 2 BCS 50 50 550", 1000);
	assert_int_equal(lab.rows[0].error, 0);
	assert_int_equal(lab.sim->clients[0]->ended_ns, 1000 * US);
	lab_free(&lab);
}

static void
test_kill_persistent_infinite(void **state)
{
	struct text why = {0};
	struct lab lab;

	(void)state;
	start(&lab, "fifo", "1.RCS.*.0.0,d.1000,T.-2", 1, 9);
	sim_run(lab.sim, 50 * US, 0);
	kill_it(&lab, 0, true);
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DEADLOCK);
	sim_explain_deadlock(lab.sim, &why);
	assert_string_equal(text_str(&why),
	    "client 0 was killed and waits for step 0 of client 0 (context 1, "
	    "RCS), which is infinite and not terminated\n");
	text_free(&why);
	/* Another one goes on, and then it is stuck again. */
	apply(&lab,
	    (struct control){
		.kind = CONTROL_ADD, .n_clients = 1, .options = once});
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DEADLOCK);
	lab_free(&lab);
}

/* Wherever it stands: before the start, waiting, asleep, with a full ring, at
 * its end. */
static void
test_kill_anywhere(void **state)
{
	static const char *const where[] = {
	    "1.RCS.5000.0.1",
	    "d.5000",
	    "p.5000",
	    "1.RCS.*.0.0,d.900",
	    "1.RCS.3000.0.0,1.RCS.1000.0.0,1.RCS.1000.0.0",
	    "X.1.0,1.RCS.3000.0.0",
	    "t.1,1.RCS.3000.0.0,1.RCS.3000.0.0",
	    "",
	};
	struct lab lab;

	(void)state;
	for (unsigned i = 0; i < sizeof where / sizeof *where; i++) {
		for (unsigned at = 0; at < 2; at++) {
			lab_init(&lab, "guc");
			lab.config.profile.ring_requests = 2;
			lab_add(&lab, where[i], 1,
			    (struct client_options){.repeat = 0});
			if (at > 0)
				sim_run(lab.sim, 30 * US, 0);
			kill_it(&lab, 0, false);
			assert_int_equal(
			    sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
			assert_in_range(
			    lab.sim->now, at * 30 * US, at * 100 * US);
			assert_int_equal(lab.n_rows > 0,
			    at > 0 && strchr(where[i], 'R') != NULL);
			lab_free(&lab);
		}
	}
}

/* Section 1.9: who waits on the CPU inherits the error. */
static void
test_kill_and_those_who_wait(void **state)
{
	struct lab lab;

	(void)state;
	start(&lab, "fifo", "W.1.4,1.RCS.1000.w1-0.0,d.500", 2, 1);
	swap(&lab, 1, "W.1.4,1.BCS.50.r1-0.0,1.VCS1.50.0.0");
	sim_run(lab.sim, 100 * US, 0);
	kill_it(&lab, 0, false);
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	assert_int_equal(lab.rows[0].error, -EIO);
	assert_int_equal(lab.rows[1].error, -EIO);
	assert_int_equal(lab.rows[1].start, 100 * US);
	assert_int_equal(lab.rows[2].error, 0);
	lab_free(&lab);
}

/* Section 5.4: jobs of a killed entity that wait end with -ESRCH. */
static void
test_kill_drm(void **state)
{
	struct lab lab;

	(void)state;
	start(&lab, "drm", "1.RCS.1000.0.0,1.RCS.1000.0.0", 1, 1);
	sim_run(lab.sim, 100 * US, 0);
	kill_it(&lab, 0, false);
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	assert_int_equal(lab.rows[0].error, -EIO);
	assert_int_equal(lab.rows[0].end, 100 * US);
	assert_int_equal(lab.rows[1].error, -ESRCH);
	assert_int_equal(lab.rows[1].end, 100 * US);
	lab_free(&lab);
}

static void
test_kill_workload(void **state)
{
	struct lab lab;

	(void)state;
	start(&lab, "execlists", "1.RCS.1000.0.0", 3, 0);
	lab_add(&lab, "1.BCS.1000.0.1", 1, once);
	sim_run(lab.sim, 1250 * US, 0);
	kill_it(&lab, ALL, false);
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	assert_int_equal(lab.sim->now, 1300 * US);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(lab.sim->clients[i]->killed, KILL_ALL);
	assert_int_equal(lab.sim->clients[3]->killed, KILL_NOT);
	refuse(&lab, (struct control){.kind = CONTROL_KILL, .client = ALL},
	    "no client of workload 0 is running");
	lab_free(&lab);
}

static void
test_refusals(void **state)
{
	struct program *p;
	struct lab lab;

	(void)state;
	start(&lab, "drm", "1.RCS.1000.0.1,2.RCS.1000.0.1,5.BCS.10.0.1", 3, 1);
	refuse(&lab,
	    (struct control){
		.kind = CONTROL_PRIORITY, .client = 7, .context = 1},
	    "no client 7: there are 0 to 2");
	refuse(&lab,
	    (struct control){.kind = CONTROL_PRIORITY,
		.client = ALL,
		.workload = 4,
		.context = 1},
	    "no workload 4: there is only 0");
	refuse(&lab,
	    (struct control){.kind = CONTROL_SSEU, .context = 9, .value = 1},
	    "no context 9 in client 0: there are 1, 2, 5");
	refuse(&lab,
	    (struct control){
		.kind = CONTROL_PRIORITY, .context = 1, .value = 1024},
	    "priority 1024: they go from -1023 to 1023");
	refuse(&lab,
	    (struct control){
		.kind = CONTROL_PRIORITY, .context = 1, .value = INT64_MIN},
	    "priority -9223372036854775808: they go from -1023 to 1023");
	refuse(&lab,
	    (struct control){.kind = CONTROL_SSEU, .context = 1, .value = 8},
	    "slice mask 8: the device's slices are 7, or -1");
	refuse(&lab,
	    (struct control){.kind = CONTROL_SSEU, .context = 1, .value = 0},
	    "slice mask 0: the device's slices are 7, or -1");
	refuse(&lab,
	    (struct control){
		.kind = CONTROL_PREEMPTION, .context = 1, .value = 1000000001},
	    "preemption every 1000000001 us: it is 0 to 1000000000, or -1 for "
	    "what the program says");
	refuse(&lab, (struct control){.kind = CONTROL_ADD, .workload = 1},
	    "0 clients more: there can be 1000000 in all, and 3 are there");
	refuse(&lab,
	    (struct control){
		.kind = CONTROL_ADD, .workload = 1, .n_clients = 1},
	    "no workload 1: there is only 0");
	refuse(&lab,
	    (struct control){.kind = CONTROL_ADD,
		.n_clients = 1,
		.options = {.priority = -2000}},
	    "priority -2000: they go from -1023 to 1023");

	p = lab_compile(&lab,
	    "M.1.VCS1|VCS2,B.1,b.1.VCS2.RCS,2.RCS.100.0.0,1.DEFAULT.1.s-1.0");
	refuse(&lab, (struct control){.kind = CONTROL_SWAP, .program = p},
	    "engine bonds (b) need --scheduler=fifo or execlists");
	program_free(p);
	assert_null(lab.sim->clients[0]->wanted);

	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	refuse(&lab, (struct control){.kind = CONTROL_PRIORITY, .context = 1},
	    "client 0 has ended");
	refuse(&lab,
	    (struct control){
		.kind = CONTROL_PRIORITY, .client = ALL, .context = 1},
	    "no client of workload 0 is running");
	lab_free(&lab);
}

/* A program that does nothing, without end, beside a batch of the one before
 * it that never ends: time goes on. */
static void
test_nothing_beside_what_never_ends(void **state)
{
	struct lab lab;

	(void)state;
	start(&lab, "fifo", "1.RCS.*.0.0,d.100", 1, 0);
	sim_run(lab.sim, 50 * US, 0);
	swap(&lab, 0, "P.1.5");
	alarm(20);
	assert_int_equal(sim_run(lab.sim, 1000 * US, 0), SIM_RUNNING);
	alarm(0);
	assert_int_equal(lab.sim->now, 1000 * US);
	assert_in_range(lab.sim->clients[0]->iteration, 900, 901);
	lab_free(&lab);
}

struct watcher {
	struct observer observer;
	unsigned n;
	enum control_kind last;
};

static void
on_controlled(struct observer *o, const struct control *control)
{
	struct watcher *w = (struct watcher *)(void *)o;

	w->n++;
	w->last = control->kind;
}

static void
test_observer(void **state)
{
	struct watcher watcher = {.observer.controlled = on_controlled};
	struct lab lab;

	(void)state;
	start(&lab, "fifo", "1.RCS.1000.0.1", 1, 1);
	sim_add_observer(lab.sim, &watcher.observer);
	apply(&lab,
	    (struct control){.kind = CONTROL_SSEU, .context = 1, .value = 1});
	assert_int_equal(watcher.n, 1);
	assert_int_equal(watcher.last, CONTROL_SSEU);
	refuse(&lab,
	    (struct control){.kind = CONTROL_SSEU, .context = 2, .value = 1},
	    "no context 2 in client 0: there are 1");
	assert_int_equal(watcher.n, 1);
	sim_remove_observer(lab.sim, &watcher.observer);
	lab_free(&lab);
}

/* A session: at odd times, in slices of the clock, anything is done to
 * anybody; again between the same instants it must be the same run. */

static const char *const texts[] = {
    "1.RCS.1000-3000.0.0,2.BCS.500.-1.0,1.VCS1.700.0.1,d.120",
    "P.2.7,2.RCS.900.0.0,M.4.VCS1|VCS2,B.4,4.DEFAULT.400-900.0.0,"
    "1.RCS.300.-1/-4.0,3.VECS1.200.-1.1",
    "M.4.VCS1|VCS2,B.4,q.2,W.1.4/4,4.DEFAULT.1500.w1-0.0,4.DEFAULT.300.r1-1.0,"
    "1.RCS.800.w1-1/-1.0,t.2,2.CCS.640.f-2.0,p.2000",
    "W.1.4/4,w.2.8,1.RCS.333.w1-0/w2-0.0,f,2.BCS.444.f-1.0,X.3.0,"
    "3.RCS.2500.r2-0.0,S.1.1,d.1000,a.-6,s.-4,1.BCS.77.0.1",
    "M.4.BCS|VECS1,B.4,5.RCS.*.0.0,4.DEFAULT.200.s-1.0,d.900,T.-3",
};
#define N_TEXTS (sizeof texts / sizeof *texts)
#define N_STEPS 150

struct action {
	uint64_t n_instants;
	nsec now;
	unsigned dice[6];
};

struct session {
	struct lab lab;
	struct program *programs[N_TEXTS];
	struct action actions[N_STEPS];
	unsigned n_done;
};

static void
act(struct session *s, const unsigned dice[6])
{
	struct sim *sim = s->lab.sim;
	struct text err = {0};
	struct control control = {
	    .kind = dice[0] % N_CONTROLS,
	    .client = dice[1] % (unsigned)(sim->n_clients + 1),
	    .workload = dice[2] % (sim->n_workloads + 1),
	    .context = dice[3] % 6,
	    .value = (int)(dice[4] % 400) - 100,
	    .n_clients = 1 + dice[3] % 2,
	    .options = {.repeat = dice[4] % 9, .priority = (int)dice[5] % 40},
	};

	if (control.client == sim->n_clients)
		control.client = ALL;
	control.persistent = dice[5] % 2;
	if (control.kind == CONTROL_KILL && dice[4] % 4 > 0)
		control.kind = CONTROL_ADD;
	if (control.kind == CONTROL_SSEU)
		control.value = 1 + dice[4] % 7;
	if (control.kind == CONTROL_SWAP ||
	    (control.kind == CONTROL_ADD && dice[5] % 3 == 0)) {
		control.program = s->programs[dice[4] % N_TEXTS];
		control.name = "more";
	}
	if (control.kind == CONTROL_ADD && sim->n_clients > 12)
		control.kind = CONTROL_SWAP,
		control.program = s->programs[dice[4] % N_TEXTS];
	s->n_done += sim_control(sim, &control, &err);
	text_free(&err);
}

static void
begin(struct session *s, const char *sched, const struct session *like)
{
	lab_init(&s->lab, sched);
	s->lab.config.profile.ring_requests = 6;
	s->lab.config.profile.context_switch_ns = 3100;
	s->lab.config.profile.submit_ns = 700;
	for (size_t i = 0; i < N_TEXTS; i++)
		s->programs[i] = like != NULL ? like->programs[i]
					      : lab_compile(&s->lab, texts[i]);
	s->n_done = 0;
	lab_add(&s->lab, texts[0], 2, (struct client_options){.repeat = 0});
	lab_add(&s->lab, texts[2], 1, (struct client_options){.repeat = 40});
}

static void
live(struct session *s, unsigned seed)
{
	struct sim *sim = s->lab.sim;

	srandom(seed);
	for (unsigned i = 0; i < N_STEPS; i++) {
		struct action *a = &s->actions[i];

		/* Some come at one instant, some in the middle of nowhere. */
		for (unsigned n = (unsigned)random() % 4; n > 0; n--)
			sim_run(sim, sim->now + (nsec)random() % (400 * US),
			    (uint64_t)random() % 50);
		a->n_instants = sim->n_instants;
		a->now = sim->now;
		for (unsigned k = 0; k < 6; k++)
			a->dice[k] = (unsigned)random();
		act(s, a->dice);
	}
	sim_run(sim, sim->now + 20000 * US, 0);
}

static void
replay(struct session *s, const struct session *live)
{
	struct sim *sim = s->lab.sim;

	for (unsigned i = 0; i < N_STEPS; i++) {
		const struct action *a = &live->actions[i];

		sim_run_instants(sim, NSEC_NEVER, a->n_instants, 0);
		assert_int_equal(sim->n_instants, a->n_instants);
		assert_true(sim_move_to(sim, a->now));
		act(s, a->dice);
	}
	sim_run(sim, live->lab.sim->now, 0);
}

static void
compare(const struct lab *a, const struct lab *b)
{
	assert_int_equal(a->n_rows, b->n_rows);
	assert_int_equal(a->sim->now, b->sim->now);
	assert_int_equal(a->sim->n_events, b->sim->n_events);
	assert_int_equal(a->sim->n_instants, b->sim->n_instants);
	for (size_t i = 0; i < a->n_rows; i++) {
		const struct lab_row *x = &a->rows[i], *y = &b->rows[i];

		assert_int_equal(x->client, y->client);
		assert_int_equal(x->step, y->step);
		assert_int_equal(x->iteration, y->iteration);
		assert_string_equal(x->engine, y->engine);
		assert_int_equal(x->submit, y->submit);
		assert_int_equal(x->ready, y->ready);
		assert_int_equal(x->start, y->start);
		assert_int_equal(x->end, y->end);
		assert_int_equal(x->run, y->run);
		assert_int_equal(x->preemptions, y->preemptions);
		assert_int_equal(x->error, y->error);
	}
}

static void
test_replay(void **state)
{
	unsigned n_done = 0;

	(void)state;
	for (unsigned i = 0; sched_list(i) != NULL; i++) {
		for (unsigned seed = 1; seed <= 20; seed++) {
			struct session a, b;

			begin(&a, sched_list(i)->name, NULL);
			live(&a, seed);
			begin(&b, sched_list(i)->name, &a);
			replay(&b, &a);
			compare(&a.lab, &b.lab);
			n_done += a.n_done;
			for (size_t k = 0; k < N_TEXTS; k++)
				program_free(a.programs[k]);
			lab_free(&a.lab);
			lab_free(&b.lab);
		}
	}
	/* Enough of it was possible. */
	assert_true(n_done > N_STEPS * 20);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_priority),
	    cmocka_unit_test(test_priority_until_p),
	    cmocka_unit_test(test_of_a_workload),
	    cmocka_unit_test(test_sseu),
	    cmocka_unit_test(test_preemption),
	    cmocka_unit_test(test_add_clients),
	    cmocka_unit_test(test_add_workload),
	    cmocka_unit_test(test_swap),
	    cmocka_unit_test(test_nothing_beside_what_never_ends),
	    cmocka_unit_test(test_swap_in_place),
	    cmocka_unit_test(test_swap_in_place_asleep),
	    cmocka_unit_test(test_swap_in_place_keeps),
	    cmocka_unit_test(test_swap_gives_up),
	    cmocka_unit_test(test_swap_gives_up_full_ring),
	    cmocka_unit_test(test_swap_at_once_again),
	    cmocka_unit_test(test_swap_at_once_workload),
	    cmocka_unit_test(test_swap_before_the_start),
	    cmocka_unit_test(test_swap_contexts),
	    cmocka_unit_test(test_swap_keeps_rings),
	    cmocka_unit_test(test_swap_ring_room),
	    cmocka_unit_test(test_swap_objects),
	    cmocka_unit_test(test_swap_shared_sets),
	    cmocka_unit_test(test_swap_throttle),
	    cmocka_unit_test(test_swap_bonds),
	    cmocka_unit_test(test_swap_workload),
	    cmocka_unit_test(test_kill),
	    cmocka_unit_test(test_kill_without_points),
	    cmocka_unit_test(test_kill_persistent),
	    cmocka_unit_test(test_kill_persistent_infinite),
	    cmocka_unit_test(test_kill_anywhere),
	    cmocka_unit_test(test_kill_and_those_who_wait),
	    cmocka_unit_test(test_kill_drm),
	    cmocka_unit_test(test_kill_workload),
	    cmocka_unit_test(test_refusals),
	    cmocka_unit_test(test_observer),
	    cmocka_unit_test(test_replay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
