/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Live control (engine/client/control.h) beside live.cases, swap.cases and kill.cases:
 * clients of another workload, contexts that programs leave and come back to, kills at
 * any point, observers.
 */
#include <string.h>

#include "engine/client/control.h"
#include "tests/runner/test.h"
#include "tests/support/lab.h"
#include "tests/support/lab_control.h"

#define US NSEC_PER_USEC

static const struct client_options once = {.repeat = 1};

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

TEST(refused_clients)
{
	struct program *p;
	struct lab lab;

	lab_start(
	    &lab, "drm", "1.RCS.1000.0.1,2.RCS.1000.0.1,5.BCS.10.0.1", 3, 1);
	lab_refuse(&lab,
	    (struct control){.kind = CONTROL_PRIORITY,
		.client = CONTROL_ALL,
		.workload = 4,
		.context = 1},
	    "no workload 4: expected 0");
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

/* Wherever it stands: before the start, waiting, asleep, with a full ring, at
 * its end. */
TEST(kill_anywhere)
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

	for (unsigned i = 0; i < sizeof where / sizeof *where; i++) {
		for (unsigned at = 0; at < 2; at++) {
			lab_init(&lab, "guc");
			lab.config.profile.ring_requests = 2;
			lab_add(&lab, where[i], 1,
			    (struct client_options){.repeat = 0});
			if (at > 0)
				sim_run(lab.sim, 30 * US, 0);
			lab_kill(&lab, 0, false);
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
