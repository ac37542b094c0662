/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs that stand still (doc/model/common.md "Clients"; doc/model/hangs.md):
 * deadlocks, and what is said of who waits for whom; hangs, and how long one is
 * waited for. On `fifo`.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/runner/test.h"
#include "tests/support/lab.h"

TEST(deadlock_names_the_steps)
{
	struct lab lab;
	char *why;

	lab_start(&lab, "fifo", "1.RCS.*.0.0,2.RCS.10.0.0,s.-1,T.-3", 1, 1);
	why = lab_deadlock(&lab);
	assert_string_equal(why,
	    "client 0 is at line 1 (step 2) and waits for client 0 context 2, "
	    "line 1 (step 1) on RCS, which is queued behind client 0 context 1, "
	    "line 1 (step 0) on RCS, which is infinite and not terminated\n");
	free(why);
	lab_free(&lab);
}

TEST(deadlock_on_a_fence)
{
	struct lab lab;
	char *why;

	lab_start(&lab, "fifo", "f,1.RCS.10.f-1.1,a.-2", 1, 1);
	why = lab_deadlock(&lab);
	assert_non_null(strstr(why,
	    "which waits for the fence of line 1 (step 0), which is not "
	    "signalled"));
	free(why);
	lab_free(&lab);
}

/* Two readers are waited for; the one that has ended is forgotten, whoever is
 * in its place by now. */
TEST(deadlock_names_what_is_left)
{
	struct lab lab;
	char *why;

	lab_start(&lab, "fifo",
	    "1.RCS.1000.0.0,2.VCS1.*.-1.0,1.BCS.1000.-2.0,s.-3", 1, 1);
	lab_add(&lab, "d.3000,3.VCS2.*.0.1", 1,
	    (struct client_options){.repeat = 1});
	why = lab_deadlock(&lab);
	assert_string_equal(why,
	    "client 0 is at line 1 (step 3) and waits for client 0 context 2, "
	    "line 1 (step 1) on VCS1, which is infinite and not terminated\n"
	    "client 1 is at line 1 (step 1) and waits for client 1 context 3, "
	    "line 1 (step 1) on VCS2, which is infinite and not terminated\n");
	free(why);
	lab_free(&lab);
}

/* Background clients never stop; the others stand still all the same. */
TEST(deadlock_beside_background_clients)
{
	static const char *const stuck[] = {"f,1.RCS.1.f-1.1,a.-2",
	    "1.RCS.*.0.0,2.RCS.10.0.0,s.-1,T.-3",
	    "M.1.VCS,B.1,2.VCS1.*.0.0,3.VCS2.*.0.0,1.DEFAULT.5.0.1,T.-3,T.-3"};

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
TEST(deadlock_of_sliced_batches)
{
	struct lab lab;

	lab_start(&lab, "execlists", "1.RCS.*.0.0,2.RCS.*.0.0", 1, 1);
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DEADLOCK);
	lab_free(&lab);
	lab_start(&lab, "execlists",
	    "1.RCS.*.0.0,2.RCS.*.0.0,d.500000000,T.-3,T.-3", 1, 1);
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	lab_free(&lab);
}

/* A batch that takes long is no deadlock. */
TEST(patience_beside_background_clients)
{
	struct lab lab;

	lab_init(&lab, "fifo");
	lab_add(&lab, "d.1", 1, (struct client_options){.background = true});
	lab_add(&lab, "f,1.RCS.500000.0.0,2.BCS.1.f-2.0,s.-2,a.-4,s.-3", 1,
	    (struct client_options){.repeat = 1});
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	lab_free(&lab);
}

/* An infinite batch that nothing ends is given up after the profile's time:
 * EIO, and the run goes on. */
TEST(hang)
{
	struct lab lab;

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
TEST(hang_timer_is_disarmed)
{
	struct lab lab;

	lab_init(&lab, "fifo");
	lab.config.profile.hang_ns = 50 * NSEC_PER_USEC;
	lab_add(&lab, "1.RCS.*.0.0,d.49,T.-2,2.RCS.100.0.1", 1,
	    (struct client_options){.repeat = 3});
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	assert_int_equal(lab.hung, 0);
	lab_free(&lab);
}
