/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two ports with requests committed to them (doc/model/execlists.md "Two
 * ports"): worked out by hand from the page. Times are in microseconds from the
 * start; a batch goes on 1 us after one of its ring, 1.5 us after another one
 * if it was in the second port, and else 3 us after it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/lab.h"
#include "tests/support/lab_control.h"

#define PORTS                                                                  \
	"[costs]\ncompletion_ns = 3000\nsame_ring_ns = 1000\n"                 \
	"next_port_ns = 1500\n[nearness]\ncommitted_port = 1\n"

static const struct client_options once = {.repeat = 1};

static void
init(struct lab *lab, const char *knobs)
{
	struct text err = {0};

	lab_init(lab, "execlists");
	if (!profile_parse(&lab->config.profile, "test", knobs, &err))
		fail_msg("%s", text_str(&err));
}

static void
expect_rows(const char *knobs, const char *descriptor, const char *rows)
{
	struct lab lab;
	char *got;

	init(&lab, knobs);
	lab_add(&lab, descriptor, 1, once);
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	got = lab_rows_text(&lab);
	assert_string_equal(got, rows);
	free(got);
	lab_free(&lab);
}

/* Step 2 joins the batch that runs, step 4 is put into the second port; step 6
 * has to wait until that is free again, though it is of the first one's ring. */
TEST(ports_fill)
{
	expect_rows(PORTS,
	    "1.RCS.1000.0.0,d.100,1.RCS.100.0.0,d.100,2.RCS.100.0.0,d.100,"
	    "1.RCS.95.0.0",
	    "0 RCS 0 0 1000; 2 RCS 100 1001 1101; 4 RCS 200 1102.5 1202.5; "
	    "6 RCS 300 1204 1299");
}

/* Two contexts in turn: each finds the second port free when the other one's
 * batch begins. Two of one context that follow each other go together. */
TEST(neighbours_coalesce)
{
	expect_rows(PORTS,
	    "1.RCS.98.0.0,2.RCS.99.0.0,1.RCS.98.0.0,1.RCS.98.0.0,"
	    "2.RCS.99.0.0,3.RCS.98.0.0",
	    "0 RCS 0 0 98; 1 RCS 0 99.5 198.5; 2 RCS 0 200 298; "
	    "3 RCS 0 299 397; 4 RCS 0 398.5 497.5; 5 RCS 0 499 597");
}

/* Step 5 outranks the second port, but not the first: the hardware goes on with
 * step 3, which it can be taken from at its first point, or not at all. */
TEST(second_port_goes_first)
{
	expect_rows(PORTS,
	    "P.1.5,P.3.3,1.RCS.100.0.0,2.RCS.1000.0.0,d.50,3.RCS.100.0.0",
	    "2 RCS 0 0 100; 3 RCS 0 101.5 1206; 5 RCS 50 204.5 304.5");
	expect_rows(PORTS,
	    "P.1.5,P.3.3,X.2.0,1.RCS.100.0.0,2.RCS.1000.0.0,d.50,3.RCS.99.0.0",
	    "3 RCS 0 0 100; 4 RCS 0 101.5 1101.5; 6 RCS 50 1104.5 1203.5");
}

/* Step 6 outranks the last one in the first port, step 4: that goes back, and
 * it is put into the second port. Step 4 follows it there. */
TEST(last_of_first_port_is_outranked)
{
	expect_rows(PORTS,
	    "P.1.5,1.RCS.100.0.0,P.1.0,1.RCS.97.0.0,P.3.3,d.50,3.RCS.100.0.0",
	    "1 RCS 0 0 100; 3 RCS 0 203 300; 6 RCS 50 101.5 201.5");
}

/* Step 5 is to preempt step 1, which has no points: all others go back, and no
 * request is committed before it has the engine. Chosen at the end, it begins 3
 * us later; then step 2 is the first in the queue, and step 3 follows that. */
TEST(preemption_empties_ports)
{
	expect_rows(PORTS,
	    "X.1.0,1.RCS.100.0.0,1.RCS.98.0.0,2.RCS.99.0.0,d.50,P.3.5,"
	    "3.RCS.100.0.0",
	    "1 RCS 0 0 100; 2 RCS 0 204.5 302.5; 3 RCS 0 304 403; "
	    "6 RCS 50 103 203");
}

/* The step that 5 waits for, in the second port, gets its priority: it
 * preempts. */
TEST(raised_in_second_port)
{
	expect_rows("[nearness]\ncommitted_port = 1\n",
	    "P.1.1,P.3.5,1.RCS.1000.0.0,2.RCS.100.0.0,d.150,3.BCS.10.-2.0",
	    "2 RCS 0 0 1100; 3 RCS 0 200 300; 5 BCS 200 300 310");
}

/* Step 5, of a higher priority than the second port, preempts nothing as it is
 * negative: it has to wait for that, unless a slice ends before. */
TEST(slice_fills_ports_anew)
{
	expect_rows(PORTS,
	    "P.2.-5,P.3.-2,1.RCS.500.0.0,2.RCS.98.0.0,d.50,3.RCS.99.0.0",
	    "2 RCS 0 0 500; 3 RCS 0 501.5 599.5; 5 RCS 50 601 700");
	expect_rows(PORTS,
	    "P.2.-5,P.3.-2,1.RCS.2000.0.0,2.RCS.98.0.0,d.50,3.RCS.99.0.0",
	    "2 RCS 0 0 2000; 3 RCS 0 2102 2200; 5 RCS 50 2001.5 2100.5");
}

/* The slice is over as the first batch ends. The second port's is chosen anew,
 * and the one of the first port goes behind it. */
TEST(slice_ends_with_batch)
{
	expect_rows(PORTS, "1.RCS.1000.0.0,1.RCS.95.0.0,2.RCS.100.0.0",
	    "0 RCS 0 0 1000; 1 RCS 0 1104.5 1199.5; 2 RCS 0 1003 1103");
}

/* The first by time polls first, and yields at once to one that can run: that
 * costs a switch. Then it polls up to 500 us. */
TEST(pollers_stand_in_order)
{
	const char *text = "4.VCS1.100.0.0,1.RCS.500.0.0,d.10,"
			   "2.VCS1.100.-2.0,3.VCS1.100.0.0";

	expect_rows("[costs]\ncontext_switch_ns = 5000\n", text,
	    "0 VCS1 0 5 105; 1 RCS 0 5 505; 3 VCS1 10 505 605; "
	    "4 VCS1 10 110 210");
	expect_rows("[costs]\ncontext_switch_ns = 5000\n"
		    "[nearness]\ncommitted_port = 1\n",
	    text,
	    "0 VCS1 0 5 105; 1 RCS 0 5 505; 3 VCS1 10 505 605; "
	    "4 VCS1 10 115 215");
}

#define VIRTUAL PORTS "virtual_tie = 1\n"

/* The other sibling is kept by a hog of a higher priority. A virtual request
 * that comes after the second port was filled does not displace it. */
TEST(virtual_request_comes_late)
{
	expect_rows(VIRTUAL,
	    "M.1.VCS,B.1,P.4.5,4.VCS2.900.0.0,2.VCS1.100.0.0,3.VCS1.100.0.0,"
	    "1.DEFAULT.100.0.0",
	    "3 VCS2 0 0 900; 4 VCS1 0 0 100; 5 VCS1 0 101.5 201.5; "
	    "6 VCS1 0 204.5 304.5");
}

/* One that is first in the queue keeps others from the second port. */
TEST(virtual_request_comes_first)
{
	expect_rows(VIRTUAL,
	    "M.1.VCS,B.1,P.4.5,4.VCS2.900.0.0,2.VCS1.100.0.0,"
	    "1.DEFAULT.100.0.0,3.VCS1.100.0.0",
	    "3 VCS2 0 0 900; 4 VCS1 0 0 100; 5 VCS1 0 103 203; "
	    "6 VCS1 0 204.5 304.5");
}

/* The engine that hangs is reset, from 2000 us on for 50 us: what is committed
 * there is chosen anew, the one of a higher priority first. */
TEST(reset_empties_ports)
{
	struct lab lab;

	init(&lab,
	    PORTS "[timeouts]\nrequest_timeout_ms = 1\n"
		  "[resets]\nengine_reset_ns = 50000\n");
	lab_add(&lab,
	    "P.2.-5,P.3.-2,X.1.0,1.BCS.*.0.0,d.1200,2.BCS.10.0.0,d.50,"
	    "3.BCS.20.0.0",
	    1, once);
	lab_expect_ends(
	    &lab, "3 BCS 2000 EINTR; 5 BCS 2081.5 ok; 7 BCS 2070 ok");
	lab_free(&lab);
}

/* A client is killed with a request in the second port: that runs no more, but
 * ends when it has its turn. */
TEST(kill_in_second_port)
{
	struct lab lab;

	init(&lab, PORTS);
	lab_add(&lab, "1.RCS.100.0.0", 1, once);
	lab_add(&lab, "1.RCS.100.0.0", 2, once);
	lab_run(&lab, 50 * NSEC_PER_USEC);
	lab_kill(&lab, 1, false);
	lab_expect_ends(&lab, "0 RCS 100 ok; 0 RCS 101.5 EIO; 0 RCS 203 ok");
	lab_free(&lab);
}

/* Views list what is committed before who waits, whatever its priority: step 2
 * is in the first port, step 4 in the second, step 6 in the queue. */
TEST(order_that_is_shown)
{
	const size_t order[] = {1, 2, 3};
	const struct request *rq[3];
	struct lab lab;

	init(&lab, PORTS);
	lab_add(&lab,
	    "P.1.5,1.RCS.100.0.0,1.RCS.100.0.0,2.RCS.100.0.0,P.3.3,d.50,"
	    "3.RCS.100.0.0",
	    1, once);
	lab_run(&lab, 60 * NSEC_PER_USEC);
	for (unsigned i = 0; i < 3; i++) {
		rq[i] = request_get(lab.rows[order[i]].request);
		assert_non_null(rq[i]);
		assert_int_equal(rq[i]->state, REQUEST_READY);
	}
	for (unsigned i = 0; i < 2; i++) {
		assert_true(lab.config.sched->before(rq[i], rq[i + 1]));
		assert_false(lab.config.sched->before(rq[i + 1], rq[i]));
	}
	lab_free(&lab);
}

/* The same however often it is looked at. */
TEST(ports_of_slices)
{
	struct lab whole, sliced;
	const char *text = "M.1.VCS,B.1,1.DEFAULT.100-900.0.0,"
			   "2.VCS1.200-1500.0.0,1.RCS.50-300.-1.0,"
			   "2.VCS1.10-90.-2.0,P.2.1,2.RCS.30.0.0,P.2.0";
	char *a, *b;

	init(&whole,
	    PORTS "virtual_tie = 1\nsticky_yield = 1\n"
		  "saturation = 1\nhz = 1000\n");
	sliced = whole;
	lab_add(&whole, text, 3, (struct client_options){.repeat = 20});
	lab_add(&sliced, text, 3, (struct client_options){.repeat = 20});
	assert_int_equal(sim_run(whole.sim, NSEC_NEVER, 0), SIM_DONE);
	for (nsec t = 1; sim_run(sliced.sim, t, 1) == SIM_RUNNING; t += 333)
		assert_true(sliced.sim->now <= t);
	a = lab_rows_text(&whole);
	b = lab_rows_text(&sliced);
	assert_string_equal(a, b);
	free(a);
	free(b);
	lab_free(&whole);
	lab_free(&sliced);
}
