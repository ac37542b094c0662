/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Live control (engine/client/control.h): priorities, slices and preemption of
 * contexts, clients that are added, what is refused and why. Programs that are
 * swapped: test_control_swap.c; kills: test_control_kill.c; that the same
 * controls give the same run: test_control_replay.c.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "engine/client/control.h"
#include "tests/runner/test.h"
#include "tests/support/lab.h"
#include "tests/support/lab_control.h"

#define US NSEC_PER_USEC

static const struct client_options once = {.repeat = 1};

/* doc/model/execlists.md "Inheritance": only what is added afterwards. */
TEST(priority)
{
	struct lab lab;

	lab_start(
	    &lab, "drm", "1.RCS.1000.0.0,2.RCS.1000.0.0,3.RCS.1000.0.1", 1, 2);
	sim_run(lab.sim, 500 * US, 0);
	lab_control(&lab,
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
TEST(priority_until_p)
{
	struct lab lab;

	lab_start(&lab, "fifo", "P.1.5,1.RCS.1000.0.1", 1, 2);
	sim_run(lab.sim, 500 * US, 0);
	lab_control(&lab,
	    (struct control){
		.kind = CONTROL_PRIORITY, .context = 1, .value = -7});
	assert_int_equal(lab.sim->clients[0]->contexts[0]->priority, -7);
	sim_run(lab.sim, 1500 * US, 0);
	assert_int_equal(lab.sim->clients[0]->contexts[0]->priority, 5);
	lab_free(&lab);
}

TEST(of_a_workload)
{
	struct lab lab;

	lab_start(&lab, "fifo", "1.RCS.1000.0.1", 3, 2);
	lab_add(&lab, "1.BCS.1000.0.1", 1, once);
	lab_control(&lab,
	    (struct control){.kind = CONTROL_PRIORITY,
		.client = CONTROL_ALL,
		.workload = 0,
		.context = 1,
		.value = 4});
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(
		    lab.sim->clients[i]->contexts[0]->priority, i < 3 ? 4 : 0);
	lab_free(&lab);
}

TEST(sseu)
{
	struct lab lab;

	lab_init(&lab, "fifo");
	lab.config.profile.sseu_ns = 50 * US;
	lab_add(
	    &lab, "1.RCS.1000.0.1", 1, (struct client_options){.repeat = 3});
	sim_run(lab.sim, 500 * US, 0);
	lab_control(&lab,
	    (struct control){.kind = CONTROL_SSEU, .context = 1, .value = 1});
	sim_run(lab.sim, 1500 * US, 0);
	lab_control(&lab,
	    (struct control){.kind = CONTROL_SSEU, .context = 1, .value = -1});
	assert_int_equal(lab.sim->clients[0]->contexts[0]->sseu, 7);
	/* It costs at the next batch, and again on the way back. */
	lab_expect(&lab,
	    "0 RCS 0 0 1000; 0 RCS 1000 1050 2050; 0 RCS 2050 2100 3100", 3100);
	lab_free(&lab);
}

/* One is submitted every 2 ms and preempts where the other can be. */
#define INTERRUPTED "X.1.700,1.RCS.1500.0.0,P.2.9,d.100,2.RCS.100.0.1,s.-4"

TEST(preemption)
{
	struct lab lab;

	lab_start(&lab, "execlists", INTERRUPTED, 1, 4);
	sim_run(lab.sim, 500 * US, 0);
	lab_control(&lab,
	    (struct control){
		.kind = CONTROL_PREEMPTION, .context = 1, .value = 200});
	sim_run(lab.sim, 2000 * US, 0);
	lab_control(
	    &lab, (struct control){.kind = CONTROL_PREEMPTION, .context = 1});
	sim_run(lab.sim, 3500 * US, 0);
	lab_control(&lab,
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

TEST(add_clients)
{
	struct lab lab;

	lab_start(&lab, "fifo", "1.RCS.1000.0.1", 1, 1);
	sim_run(lab.sim, 300 * US, 0);
	lab_control(&lab,
	    (struct control){.kind = CONTROL_ADD,
		.n_clients = 2,
		.options = {.repeat = 1, .priority = 3}});
	assert_int_equal(lab.sim->n_clients, 3);
	assert_int_equal(lab.sim->clients[2]->contexts[0]->priority, 3);
	lab_expect(&lab,
	    "0 RCS 0 0 1000; 0 RCS 300 1000 2000; 0 RCS 300 2000 3000", 3000);
	/* A run that was done continues. */
	lab_control(&lab,
	    (struct control){
		.kind = CONTROL_ADD, .n_clients = 1, .options = once});
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	assert_int_equal(lab.sim->now, 4000 * US);
	lab_free(&lab);
}

TEST(add_workload)
{
	struct program *p;
	struct lab lab;
	char name[] = "another";

	lab_start(&lab, "fifo", "1.RCS.1000.0.1", 1, 1);
	p = lab_compile(&lab, "1.BCS.700.0.1");
	sim_run(lab.sim, 300 * US, 0);
	lab_control(&lab,
	    (struct control){.kind = CONTROL_ADD,
		.program = p,
		.name = name,
		.n_clients = 1,
		.options = once});
	program_free(p);
	name[0] = 'X';
	assert_string_equal(
	    lab.sim->clients[1]->walker->workload->name, "another");
	assert_int_equal(lab.sim->clients[1]->walker->workload->id, 1);
	lab_expect(&lab, "0 RCS 0 0 1000; 0 BCS 300 300 1000", 1000);
	lab_free(&lab);
}

TEST(refusals)
{
	struct lab lab;

	lab_start(
	    &lab, "drm", "1.RCS.1000.0.1,2.RCS.1000.0.1,5.BCS.10.0.1", 3, 1);
	lab_refuse(&lab,
	    (struct control){
		.kind = CONTROL_PRIORITY, .client = 7, .context = 1},
	    "no client 7: expected 0 to 2");
	lab_refuse(&lab,
	    (struct control){.kind = CONTROL_PRIORITY,
		.client = CONTROL_ALL,
		.workload = 4,
		.context = 1},
	    "no workload 4: expected 0");
	lab_refuse(&lab,
	    (struct control){.kind = CONTROL_SSEU, .context = 9, .value = 1},
	    "no context 9 in client 0: expected one of 1, 2, 5");
	lab_refuse(&lab,
	    (struct control){
		.kind = CONTROL_PRIORITY, .context = 1, .value = 1024},
	    "invalid priority '1024': expected -1023 to 1023, e.g. 10");
	lab_refuse(&lab,
	    (struct control){
		.kind = CONTROL_PRIORITY, .context = 1, .value = INT64_MIN},
	    "invalid priority '-9223372036854775808': expected -1023 to 1023, e.g. 10");
	lab_refuse(&lab,
	    (struct control){.kind = CONTROL_SSEU, .context = 1, .value = 8},
	    "invalid slice mask '8': expected a mask of this GPU's slices, 0x7, or -1 for all");
	lab_refuse(&lab,
	    (struct control){.kind = CONTROL_SSEU, .context = 1, .value = 0},
	    "invalid slice mask '0': expected a mask of this GPU's slices, 0x7, or -1 for all");
	lab_refuse(&lab,
	    (struct control){
		.kind = CONTROL_PREEMPTION, .context = 1, .value = 1000000001},
	    "invalid preemption period '1000000001': expected microseconds from 0 (none) to 1000000000, e.g. 100");
	lab_free(&lab);
}

TEST(refused_clients)
{
	struct program *p;
	struct lab lab;

	lab_start(
	    &lab, "drm", "1.RCS.1000.0.1,2.RCS.1000.0.1,5.BCS.10.0.1", 3, 1);
	lab_refuse(&lab, (struct control){.kind = CONTROL_ADD, .workload = 1},
	    "invalid number of clients 0: expected 1 to 999997 more, of 1000000 in all");
	lab_refuse(&lab,
	    (struct control){
		.kind = CONTROL_ADD, .workload = 1, .n_clients = 1},
	    "no workload 1: expected 0");
	lab_refuse(&lab,
	    (struct control){.kind = CONTROL_ADD,
		.n_clients = 1,
		.options = {.priority = -2000}},
	    "invalid priority '-2000': expected -1023 to 1023, e.g. 10");

	p = lab_compile(&lab,
	    "M.1.VCS1|VCS2,B.1,b.1.VCS2.RCS,2.RCS.100.0.0,1.DEFAULT.1.s-1.0");
	lab_refuse(&lab, (struct control){.kind = CONTROL_SWAP, .program = p},
	    "engine bonds (b) need --scheduler=fifo or execlists: drm, chosen "
	    "instead of profile ideal's fifo, refuses them");
	program_free(p);
	assert_null(lab.sim->clients[0]->walker->next_instance);

	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	lab_refuse(&lab,
	    (struct control){.kind = CONTROL_PRIORITY, .context = 1},
	    "client 0 has ended");
	lab_refuse(&lab,
	    (struct control){
		.kind = CONTROL_PRIORITY, .client = CONTROL_ALL, .context = 1},
	    "no client of workload 0 is running");
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

TEST(observer)
{
	struct watcher watcher = {.observer.controlled = on_controlled};
	struct lab lab;

	lab_start(&lab, "fifo", "1.RCS.1000.0.1", 1, 1);
	sim_add_observer(lab.sim, &watcher.observer);
	lab_control(&lab,
	    (struct control){.kind = CONTROL_SSEU, .context = 1, .value = 1});
	assert_int_equal(watcher.n, 1);
	assert_int_equal(watcher.last, CONTROL_SSEU);
	lab_refuse(&lab,
	    (struct control){.kind = CONTROL_SSEU, .context = 2, .value = 1},
	    "no context 2 in client 0: expected one of 1");
	assert_int_equal(watcher.n, 1);
	sim_remove_observer(lab.sim, &watcher.observer);
	lab_free(&lab);
}
