/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clients that are killed (engine/client/control.h, CONTROL_KILL), and those
 * that wait for them. */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/text.h"
#include "engine/client/control.h"
#include "tests/runner/test.h"
#include "tests/support/lab.h"
#include "tests/support/lab_control.h"

#define US NSEC_PER_USEC

static const struct client_options once = {.repeat = 1};

/* At the next preemption point; those behind it when it is their turn. */
TEST(kill)
{
	struct lab lab;

	lab_start(&lab, "execlists",
	    "1.RCS.*.0.0,1.RCS.500.0.0,2.BCS.300.-1.0,d.900", 1, 1);
	lab_add(&lab, "1.RCS.1000.0.1", 1, once);
	sim_run(lab.sim, 230 * US, 0);
	lab_kill(&lab, 0, false);
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
	lab_refuse(&lab, (struct control){.kind = CONTROL_KILL},
	    "client 0 was killed");
	lab_free(&lab);
}

/* doc/model/hangs.md "Killed clients": reset if it does not move. */
TEST(kill_without_points)
{
	static const nsec timeouts[] = {0, 640000 * US};
	struct lab lab;

	for (unsigned i = 0; i < 2; i++) {
		lab_init(&lab, "execlists");
		lab.config.profile.preempt_timeout_ns = timeouts[i];
		lab.config.profile.preempt_timeout_compute_ns = timeouts[i];
		lab_add(&lab, "X.1.0,1.RCS.*.0.0,d.9000", 1, once);
		sim_run(lab.sim, 230 * US, 0);
		lab_kill(&lab, 0, false);
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
	lab_kill(&lab, 0, false);
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	assert_int_equal(lab.rows[0].error, -EIO);
	assert_int_equal(lab.rows[0].end, 5000 * US);
	assert_int_equal(lab.sim->n_hangs, 0);
	lab_free(&lab);
}

TEST(kill_persistent)
{
	struct lab lab;

	lab_start(
	    &lab, "fifo", "1.RCS.1000.0.0,f,1.BCS.500.f-1.0,d.100,a.-3", 1, 9);
	sim_run(lab.sim, 50 * US, 0);
	lab_kill(&lab, 0, true);
	/* Its fence is closed: no request waits for that. */
	lab_expect(&lab, "0 RCS 0 0 1000; 2 BCS 50 50 550", 1000);
	assert_int_equal(lab.rows[0].error, 0);
	assert_int_equal(lab.sim->clients[0]->ended_ns, 1000 * US);
	lab_free(&lab);
}

TEST(kill_persistent_infinite)
{
	struct text why = {0};
	struct lab lab;

	lab_start(&lab, "fifo", "1.RCS.*.0.0,d.1000,T.-2", 1, 9);
	sim_run(lab.sim, 50 * US, 0);
	lab_kill(&lab, 0, true);
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DEADLOCK);
	sim_explain_deadlock(lab.sim, &why);
	assert_string_equal(text_str(&why),
	    "client 0 was killed and waits for client 0 context 1, "
	    "line 1 (step 0) on RCS, which is infinite and not terminated\n");
	text_free(&why);
	/* Another one goes on, and then it is stuck again. */
	lab_control(&lab,
	    (struct control){
		.kind = CONTROL_ADD, .n_clients = 1, .options = once});
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DEADLOCK);
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

/* Section 1.9: who waits on the CPU inherits the error. */
TEST(kill_and_those_who_wait)
{
	struct lab lab;

	lab_start(&lab, "fifo", "W.1.4,1.RCS.1000.w1-0.0,d.500", 2, 1);
	lab_swap(&lab, 1, "W.1.4,1.BCS.50.r1-0.0,1.VCS1.50.0.0");
	sim_run(lab.sim, 100 * US, 0);
	lab_kill(&lab, 0, false);
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	assert_int_equal(lab.rows[0].error, -EIO);
	assert_int_equal(lab.rows[1].error, -EIO);
	assert_int_equal(lab.rows[1].start, 100 * US);
	assert_int_equal(lab.rows[2].error, 0);
	lab_free(&lab);
}

/* Section 5.4: jobs of a killed entity that wait end with -ESRCH. */
TEST(kill_drm)
{
	struct lab lab;

	lab_start(&lab, "drm", "1.RCS.1000.0.0,1.RCS.1000.0.0", 1, 1);
	sim_run(lab.sim, 100 * US, 0);
	lab_kill(&lab, 0, false);
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	assert_int_equal(lab.rows[0].error, -EIO);
	assert_int_equal(lab.rows[0].end, 100 * US);
	assert_int_equal(lab.rows[1].error, -ESRCH);
	assert_int_equal(lab.rows[1].end, 100 * US);
	lab_free(&lab);
}

TEST(kill_workload)
{
	struct lab lab;

	lab_start(&lab, "execlists", "1.RCS.1000.0.0", 3, 0);
	lab_add(&lab, "1.BCS.1000.0.1", 1, once);
	sim_run(lab.sim, 1250 * US, 0);
	lab_kill(&lab, CONTROL_ALL, false);
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	assert_int_equal(lab.sim->now, 1300 * US);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(lab.sim->clients[i]->killed, KILL_ALL);
	assert_int_equal(lab.sim->clients[3]->killed, KILL_NOT);
	lab_refuse(&lab,
	    (struct control){.kind = CONTROL_KILL, .client = CONTROL_ALL},
	    "no client of workload 0 is running");
	lab_free(&lab);
}
