/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Effects of the knobs of nearness (doc/model/execlists.md), one by one, on
 * `ideal` with that knob alone: worked out by hand from the page.
 */
#include <string.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/lab.h"

static const struct client_options once = {.repeat = 1};

static void
init(struct lab *lab, const char *sched, const char *knobs)
{
	struct text err = {0};

	lab_init(lab, sched);
	if (!profile_parse(&lab->config.profile, "test", knobs, &err))
		fail_msg("%s", text_str(&err));
}

static void
expect_rows(const char *sched, const char *knobs, const char *descriptor,
    const char *rows, nsec elapsed_us)
{
	struct lab lab;

	init(&lab, sched, knobs);
	lab_add(&lab, descriptor, 1, once);
	lab_expect(&lab, rows, elapsed_us);
	lab_free(&lab);
}

static void
expect_ends(const char *sched, const char *knobs, const char *descriptor,
    const char *ends)
{
	struct lab lab;

	init(&lab, sched, knobs);
	lab_add(&lab, descriptor, 1, once);
	lab_expect_ends(&lab, ends);
	lab_free(&lab);
}

/* "Preemption points". */

#define ARBITRATION                                                            \
	"[nearness]\narbitration_us.RCS = 3\narbitration_us.VCS = 10\n"

/* At 10 us a request comes: after 12 us the batch is at its next point, however
 * large X is, unless it is 0. */
TEST(points_by_class)
{
	expect_rows("execlists", ARBITRATION,
	    "1.RCS.1000.0.0,d.10,P.2.5,2.RCS.100.0.0",
	    "0 RCS 0 0 1100; 3 RCS 10 12 112", 1100);
	expect_rows("execlists", ARBITRATION,
	    "X.1.500,1.RCS.1000.0.0,d.10,P.2.5,2.RCS.100.0.0",
	    "1 RCS 0 0 1100; 4 RCS 10 12 112", 1100);
	expect_rows("execlists", ARBITRATION,
	    "X.1.0,1.RCS.1000.0.0,d.10,P.2.5,2.RCS.100.0.0",
	    "1 RCS 0 0 1000; 4 RCS 10 1000 1100", 1100);
	/* A class that has none goes by X. */
	expect_rows("execlists", ARBITRATION,
	    "1.BCS.1000.0.0,d.10,P.2.5,2.BCS.100.0.0",
	    "0 BCS 0 0 1100; 3 BCS 10 100 200", 1100);
}

/* The quantum of 1 ms is over: 7 us go into 1001 us 143 times. */
TEST(points_of_a_quantum)
{
	expect_rows("guc", "[nearness]\narbitration_us.RCS = 7\n",
	    "X.1.300,1.RCS.3000.0.0,2.RCS.500.0.0",
	    "1 RCS 0 0 3500; 2 RCS 0 1001 1501", 3500);
}

/* From RCS, which it leaves at 12 us, to VCS1: there its next point at
 * 55 us or later is at 60 us of its own time. */
TEST(points_of_another_engine)
{
	expect_rows("execlists", ARBITRATION,
	    "M.1.RCS|VCS1,B.1,1.DEFAULT.1000.0.0,d.10,P.2.5,2.RCS.2000.0.0,"
	    "d.45,P.3.5,3.VCS1.100.0.0",
	    "2 VCS1 0 0 1100; 5 RCS 10 12 2012; 8 VCS1 55 60 160", 2012);
}

/* "Jiffies". */

#define TICKS_OF_4_MS "[nearness]\nhz = 250\n"

TEST(slices_in_jiffies)
{
	expect_rows("execlists", TICKS_OF_4_MS,
	    "1.RCS.10000.0.0,2.RCS.1000.0.0",
	    "0 RCS 0 0 11000; 1 RCS 0 4000 5000", 11000);
	/* It began at a tick: nothing to round. */
	expect_rows("execlists", "[nearness]\nhz = 1000\n",
	    "1.RCS.10000.0.0,2.RCS.1000.0.0",
	    "0 RCS 0 0 11000; 1 RCS 0 1000 2000", 11000);
	/* A slice from 3.3 ms on is over at 8 ms; its last points were at
	 * multiples of 100 us since 3.3 ms. */
	expect_rows("execlists", TICKS_OF_4_MS,
	    "d.3300,1.RCS.10000.0.0,2.RCS.1000.0.0",
	    "1 RCS 3300 3300 14300; 2 RCS 3300 8000 9000", 14300);
	/* A third of a second has no whole nanoseconds: the tick is after it. */
	expect_rows("execlists", "[nearness]\nhz = 300\n",
	    "X.1.1,1.RCS.10000.0.0,2.RCS.1000.0.0",
	    "1 RCS 0 0 11000; 2 RCS 0 3334 4334", 11000);
}

/* 640 ms from 1 ms on. */
TEST(preempt_timeout_in_jiffies)
{
	const char *timeout = TICKS_OF_4_MS
	    "[timeouts]\npreempt_timeout_ms = 640\n";

	expect_ends("execlists", timeout,
	    "X.1.0,1.BCS.*.0.0,d.1000,P.2.5,2.BCS.10.0.0",
	    "1 BCS 644000 EIO; 4 BCS 644010 ok");
	/* GuC's is its own. */
	expect_ends("guc", timeout,
	    "X.1.0,1.BCS.*.0.0,d.1000,P.2.5,2.BCS.10.0.0",
	    "1 BCS 641000 EIO; 4 BCS 641010 ok");
	/* The slice is over at 4 ms. */
	expect_ends("execlists", timeout,
	    "X.1.0,1.BCS.2000000.0.0,2.BCS.10.0.0",
	    "1 BCS 644000 EIO; 2 BCS 644010 ok");
}

TEST(heartbeat_in_jiffies)
{
	/* Beats at 3.004 and 6.004 s; the pulse of priority 0 is due a slice
	 * later, at 6.008 s, and the engine is reset 640 ms after that. */
	expect_ends("execlists",
	    TICKS_OF_4_MS
	    "[timeouts]\npreempt_timeout_ms = 640\nheartbeat_ms = 2500\n",
	    "X.1.0,1.BCS.*.0.0", "1 BCS 6648000 EIO");
	/* Below 1 s there are no whole seconds: 504 and 1008 ms, due at
	 * 1012 ms. */
	expect_ends("execlists",
	    TICKS_OF_4_MS
	    "[timeouts]\npreempt_timeout_ms = 640\nheartbeat_ms = 500\n",
	    "X.1.0,1.BCS.*.0.0", "1 BCS 1652000 EIO");
	/* 1 s from 0 on is a whole one: the next, 2.004 s, then 4.004 s. */
	expect_ends("execlists",
	    TICKS_OF_4_MS
	    "[timeouts]\npreempt_timeout_ms = 640\nheartbeat_ms = 1000\n",
	    "X.1.0,1.BCS.*.0.0", "1 BCS 4648000 EIO");
}

/* The watchdog is exact; what it cancels has until a tick. */
TEST(watchdog_is_exact)
{
	const char *timeout = TICKS_OF_4_MS
	    "[timeouts]\nrequest_timeout_ms = 5\n";

	expect_ends(
	    "execlists", timeout, "d.10,X.1.7,1.BCS.*.0.0", "2 BCS 5015 EINTR");
	/* 5.01 ms and 1 ms of grace are over at the tick of 8 ms. */
	expect_ends(
	    "execlists", timeout, "d.10,X.1.0,1.BCS.*.0.0", "2 BCS 8000 EINTR");
	/* The timeout in front of GuC counts in jiffies, the grace does not. */
	expect_ends(
	    "guc", timeout, "d.10,X.1.0,1.BCS.*.0.0", "2 BCS 9000 EINTR");
}

TEST(job_timeout_in_jiffies)
{
	expect_ends("drm", TICKS_OF_4_MS "[timeouts]\njob_timeout_ms = 5\n",
	    "1.BCS.*.0.0", "0 BCS 8000 ETIMEDOUT");
}

/* "Virtual requests". Another context keeps VCS2. */

#define VIRTUAL_TIE "[nearness]\nvirtual_tie = 1\n"

TEST(virtual_tie)
{
	const char *text = "M.1.VCS,B.1,P.3.5,3.VCS2.10000.0.0,"
			   "2.VCS1.100.0.0,2.VCS1.100.0.0,"
			   "1.DEFAULT.100.0.0,1.DEFAULT.100.0.0";

	expect_rows("execlists", "", text,
	    "3 VCS2 0 0 10000; 4 VCS1 0 0 100; 5 VCS1 0 100 200; "
	    "6 VCS1 0 200 300; 7 VCS1 300 300 400",
	    10000);
	/* The next of the virtual engine, ready at 200, goes first as well. */
	expect_rows("execlists", VIRTUAL_TIE, text,
	    "3 VCS2 0 0 10000; 4 VCS1 0 0 100; 5 VCS1 0 300 400; "
	    "6 VCS1 0 100 200; 7 VCS1 200 200 300",
	    10000);
}

/* Until the slice of 1 ms ends in the middle of a batch. */
TEST(virtual_tie_starves)
{
	expect_rows("execlists", VIRTUAL_TIE,
	    "M.1.VCS,B.1,P.3.5,3.VCS2.10000.0.0,1.DEFAULT.400.0.0,"
	    "1.DEFAULT.400.0.0,1.DEFAULT.400.0.0,1.DEFAULT.400.0.0,"
	    "2.VCS1.100.0.0",
	    "3 VCS2 0 0 10000; 4 VCS1 0 0 400; 5 VCS1 400 400 800; "
	    "6 VCS1 800 800 1300; 7 VCS1 1300 1300 1700; "
	    "8 VCS1 0 1000 1100",
	    10000);
}

/* "Between two batches". */

#define GAPS                                                                   \
	"[costs]\ncompletion_ns = 3000\nsame_ring_ns = 1000\n"                 \
	"next_port_ns = 1500\n"

TEST(gaps)
{
	const char *text = "1.RCS.100.0.0,1.RCS.100.0.0,2.RCS.100.0.0";

	expect_rows("execlists", GAPS, text,
	    "0 RCS 0 0 100; 1 RCS 0 101 201; 2 RCS 0 204 304", 304);
	expect_rows("guc", GAPS, text,
	    "0 RCS 0 0 100; 1 RCS 0 101 201; 2 RCS 0 204 304", 304);
	expect_rows("fifo", GAPS, text,
	    "0 RCS 0 0 100; 1 RCS 0 101 201; 2 RCS 0 202 302", 302);
	/* One job at a time on the ring, or all three. */
	expect_rows("drm", GAPS, text,
	    "0 RCS 0 0 100; 1 RCS 0 103 203; 2 RCS 0 206 306", 306);
	expect_rows("drm", GAPS "[scheduling]\nring_credits = 4\n", text,
	    "0 RCS 0 0 100; 1 RCS 0 101 201; 2 RCS 0 202 302", 302);
}

/* A submission at the very end comes too late for the ring. */
TEST(gap_of_what_comes_late)
{
	static const char *const scheds[] = {"execlists", "guc", "fifo"};

	for (unsigned i = 0; i < 3; i++) {
		expect_rows(scheds[i], GAPS, "1.RCS.100.0.0,d.99,1.RCS.5.0.0",
		    "0 RCS 0 0 100; 2 RCS 99 101 106", 106);
		expect_rows(scheds[i], GAPS, "1.RCS.100.0.0,d.100,1.RCS.5.0.0",
		    "0 RCS 0 0 100; 2 RCS 100 103 108", 108);
	}
}

/* Chosen anew: what preempts and what goes on after it, who comes from a
 * virtual engine, and the queue that gives way. */
TEST(gap_of_a_choice)
{
	expect_rows("execlists", GAPS,
	    "1.RCS.50.0.0,1.RCS.1000.0.0,d.60,P.2.5,2.RCS.100.0.0",
	    "0 RCS 0 0 50; 1 RCS 0 51 1157; 4 RCS 60 154 254", 1157);
	expect_rows("execlists", GAPS,
	    "M.1.VCS,B.1,3.VCS2.900.0.0,1.DEFAULT.10.0.0,1.DEFAULT.10.0.0",
	    "2 VCS2 0 0 900; 3 VCS1 0 0 10; 4 VCS1 10 13 23", 900);
	/* After 1 ms, between two requests of the first queue. */
	expect_rows("guc", GAPS, "1.RCS.1000.0.0,1.RCS.50.0.0,2.RCS.100.0.0",
	    "0 RCS 0 0 1000; 1 RCS 0 1106 1156; 2 RCS 0 1003 1103", 1156);
}

/* All rows of a step go on as the queue does. */
TEST(gap_of_a_parallel_step)
{
	expect_rows("guc", GAPS,
	    "G.1.VCS1/VCS2,1.DEFAULT.20.0.0,1.DEFAULT.5.0.0",
	    "1 VCS1 0 0 20; 1 VCS2 0 0 20; 2 VCS1 0 21 26; 2 VCS2 0 21 26", 26);
}

/* "Yielding". VCS1 polls for the end on RCS, up to 500 us. */

#define STICKY_YIELD "[nearness]\nsticky_yield = 1\n"

/* A request that comes at 650 us has it at the next point, at 700 us. Then the
 * poller has been switched out, and goes on for a whole slice. */
TEST(sticky_yield)
{
	const char *text = "1.RCS.500.0.0,2.VCS1.1000.-1.0,d.650,"
			   "3.VCS1.100.0.0,d.250,3.VCS1.100.0.0";

	expect_rows("execlists", "", text,
	    "0 RCS 0 0 500; 1 VCS1 0 500 1500; 3 VCS1 650 1500 1600; "
	    "5 VCS1 900 1600 1700",
	    1700);
	expect_rows("execlists", STICKY_YIELD, text,
	    "0 RCS 0 0 500; 1 VCS1 0 500 1600; 3 VCS1 650 700 800; "
	    "5 VCS1 900 1600 1700",
	    1700);
}

/* Through the batches that follow; at the end of one as well. */
TEST(sticky_yield_goes_on)
{
	expect_rows("execlists", STICKY_YIELD,
	    "1.RCS.500.0.0,2.VCS1.100.-1.0,2.VCS1.1000.0.0,d.650,"
	    "3.VCS1.100.0.0",
	    "0 RCS 0 0 500; 1 VCS1 0 500 600; 2 VCS1 0 600 1700; "
	    "4 VCS1 650 700 800",
	    1700);
	expect_rows("execlists", STICKY_YIELD,
	    "1.RCS.500.0.0,2.VCS1.100.-1.0,2.VCS1.1000.0.0,d.550,"
	    "3.VCS1.100.0.0",
	    "0 RCS 0 0 500; 1 VCS1 0 500 600; 2 VCS1 0 700 1700; "
	    "4 VCS1 550 600 700",
	    1700);
	/* The engine had nothing from 600 to 640 us. */
	expect_rows("execlists", STICKY_YIELD,
	    "1.RCS.500.0.0,2.VCS1.100.-1.0,d.640,2.VCS1.1000.0.0,d.10,"
	    "3.VCS1.100.0.0",
	    "0 RCS 0 0 500; 1 VCS1 0 500 600; 3 VCS1 640 640 1640; "
	    "5 VCS1 650 1640 1740",
	    1740);
}

/* A lower priority never gets it. */
TEST(sticky_yield_of_a_lower_priority)
{
	expect_rows("execlists", STICKY_YIELD,
	    "P.3.-1,1.RCS.500.0.0,2.VCS1.1000.-1.0,d.650,3.VCS1.100.0.0",
	    "1 RCS 0 0 500; 2 VCS1 0 500 1500; 4 VCS1 650 1500 1600", 1600);
}

/* "Saturation". The semaphore of step 2 is over when it has VCS1, at 500 us; so
 * step 6 waits on the CPU. After an idle VCS1 step 9 polls again. */
TEST(saturation)
{
	const char *text = "3.VCS1.500.0.0,1.RCS.100.0.0,2.VCS1.10.-1.0,"
			   "3.VCS1.500.0.0,d.600,1.RCS.1000.0.0,"
			   "2.VCS1.10.-1.1,d.10,1.RCS.100.0.0,2.VCS1.10.-1.0";

	expect_rows("execlists", "", text,
	    "0 VCS1 0 0 500; 1 RCS 0 0 100; 2 VCS1 0 500 510; "
	    "3 VCS1 0 510 1010; 5 RCS 600 600 1600; 6 VCS1 600 1600 1610; "
	    "8 RCS 1620 1620 1720; 9 VCS1 1620 1720 1730",
	    1730);
	expect_rows("execlists", "[nearness]\nsaturation = 1\n", text,
	    "0 VCS1 0 0 500; 1 RCS 0 0 100; 2 VCS1 0 500 510; "
	    "3 VCS1 0 510 1010; 5 RCS 600 600 1600; 6 VCS1 1600 1600 1610; "
	    "8 RCS 1620 1620 1720; 9 VCS1 1620 1720 1730",
	    1730);
}

/* Semaphores for other engines are still used. */
TEST(saturation_is_of_one_source)
{
	expect_rows("execlists", "[nearness]\nsaturation = 1\n",
	    "3.VCS1.500.0.0,1.RCS.100.0.0,2.VCS1.10.-1.0,3.VCS1.500.0.0,"
	    "d.600,1.BCS.1000.0.0,2.VCS1.10.-1.0",
	    "0 VCS1 0 0 500; 1 RCS 0 0 100; 2 VCS1 0 500 510; "
	    "3 VCS1 0 510 1010; 5 BCS 600 600 1600; 6 VCS1 600 1600 1610",
	    1610);
}

/* "Ready". Before Linux 5.14 the priority of each request decides whether it may poll,
 * since then that of the first one of its context. */
TEST(semaphores_by_first_priority)
{
	const char *raised = "P.2.-1,2.VCS1.10.0.0,P.2.1,1.RCS.100.0.0,"
			     "2.VCS1.20.-1.0";
	const char *lowered = "1.RCS.100.0.0,2.VCS1.10.0.0,P.2.-1,"
			      "2.VCS1.20.-3.0";

	expect_rows("execlists", "[i915]\nkernel = 5.13\n", raised,
	    "1 VCS1 0 0 10; 3 RCS 0 0 100; 4 VCS1 0 100 120", 120);
	expect_rows("execlists", "[i915]\nkernel = 6.11\n", raised,
	    "1 VCS1 0 0 10; 3 RCS 0 0 100; 4 VCS1 100 100 120", 120);
	expect_rows("execlists", "[i915]\nkernel = 5.13\n", lowered,
	    "0 RCS 0 0 100; 1 VCS1 0 0 10; 3 VCS1 100 100 120", 120);
	expect_rows("execlists", "[i915]\nkernel = 6.11\n", lowered,
	    "0 RCS 0 0 100; 1 VCS1 0 0 10; 3 VCS1 0 100 120", 120);
}
