/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Periods that are overdue (run/live/overdue.h), at the time that they are. */
#include <stddef.h>
#include <stdint.h>

#include "engine/client/walker.h"
#include "engine/sim.h"
#include "run/live/overdue.h"
#include "tests/runner/test.h"
#include "tests/support/lab.h"

#define US NSEC_PER_USEC

/* Asserts which periods are overdue at that time, in us, the total of misses,
 * and those that were counted at a p step. */
static void
expect_late(
    struct lab *lab, nsec at_us, uint32_t n, nsec late_us, uint64_t counted)
{
	struct overdue o;

	lab_run(lab, at_us * US);
	o = overdue_find(lab->sim);
	assert_int_equal(o.n, n);
	assert_int_equal(o.late_ns, late_us * US);
	assert_int_equal(lab->sim->n_missed, counted);
	assert_int_equal(overdue_misses(&o, lab->sim), counted + n);
}

/* Late from the instant after the period until the p step; a period that is
 * just over is not late. */
TEST(counts_while_it_is)
{
	struct lab lab;

	lab_init(&lab, "fifo");
	lab_add(&lab, "1.RCS.3000.0.1,p.1000", 1,
	    (struct client_options){.repeat = 2});
	expect_late(&lab, 1000, 0, 0, 0);
	expect_late(&lab, 1001, 1, 1, 0);
	expect_late(&lab, 2999, 1, 1999, 0);
	expect_late(&lab, 3000, 0, 0, 1);
	expect_late(&lab, 4500, 1, 500, 1);
	/* The client has ended. */
	expect_late(&lab, 6000, 0, 0, 2);
	lab_free(&lab);
}

/* A client that waits for the rest of its period is not late, nor is one past
 * its last p step; of several p steps the next one counts. */
TEST(next_period)
{
	struct lab lab;

	lab_init(&lab, "fifo");
	lab_add(&lab, "1.RCS.100.0.1,p.1000,1.RCS.500.0.1,p.1200,d.700", 1,
	    (struct client_options){.repeat = 1});
	expect_late(&lab, 900, 0, 0, 0);
	expect_late(&lab, 1150, 0, 0, 0);
	expect_late(&lab, 1300, 1, 100, 0);
	expect_late(&lab, 1600, 0, 0, 1);
	lab_free(&lab);
}

/* The latest of several is the one that is named. */
TEST(worst)
{
	struct lab lab;

	lab_init(&lab, "fifo");
	lab_add(&lab, "1.RCS.5000.0.1,p.2000", 1,
	    (struct client_options){.repeat = 1});
	lab_add(&lab, "1.RCS.5000.0.1,p.1000", 1,
	    (struct client_options){.repeat = 1});
	lab_add(&lab, "1.RCS.5000.0.1,p.9000", 1,
	    (struct client_options){.repeat = 1});
	expect_late(&lab, 4000, 2, 3000, 0);
	assert_int_equal(overdue_find(lab.sim).client, 1);
	assert_int_equal(overdue_client(lab.sim->clients[0]), 2000 * US);
	assert_int_equal(client_misses(lab.sim->clients[0]), 1);
	assert_int_equal(client_misses(lab.sim->clients[2]), 0);
	lab_free(&lab);
}
