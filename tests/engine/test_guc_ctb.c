/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The buffer of messages to the GuC (doc/model/guc.md "The message buffer"),
 * each rule on descriptors small enough to be worked out by hand: "step engine
 * ready start end" in microseconds. GuC takes a message out in 10 us. A queue
 * that it does not know yet takes three, else each request takes one.
 */
#include <stddef.h>
#include <stdint.h>

#include "tests/runner/test.h"
#include "tests/support/lab.h"

static const struct client_options once = {.repeat = 1};

static void
init(struct lab *lab, unsigned capacity)
{
	lab_init(lab, "guc");
	lab->config.profile.guc_ctb_messages = capacity;
	lab->config.profile.guc_ctb_message_ns = 10 * NSEC_PER_USEC;
}

static void
expect_rows(unsigned capacity, const char *descriptor, const char *rows,
    nsec elapsed_us)
{
	struct lab lab;

	init(&lab, capacity);
	lab_add(&lab, descriptor, 1, once);
	lab_expect(&lab, rows, elapsed_us);
	lab_free(&lab);
}

/* Four messages at once; the two requests after those go with one, at 10. */
TEST(full)
{
	expect_rows(4, "1.RCS.2.0.0,1.RCS.2.0.0,1.RCS.2.0.0,1.RCS.2.0.0",
	    "0 RCS 0 0 2; 1 RCS 0 2 4; 2 RCS 0 10 12; 3 RCS 0 12 14", 14);
	expect_rows(6, "1.RCS.2.0.0,1.RCS.2.0.0,1.RCS.2.0.0,1.RCS.2.0.0",
	    "0 RCS 0 0 2; 1 RCS 0 2 4; 2 RCS 0 4 6; 3 RCS 0 6 8", 8);
}

/* A queue is registered once. */
TEST(registered_once)
{
	expect_rows(3, "1.RCS.2.0.1,d.28,1.RCS.2.0.0,1.RCS.2.0.0,1.RCS.2.0.0",
	    "0 RCS 0 0 2; 2 RCS 30 30 32; 3 RCS 30 32 34; 4 RCS 30 34 36", 36);
	expect_rows(3, "1.RCS.2.0.1,d.28,2.RCS.2.0.0,1.RCS.2.0.0",
	    "0 RCS 0 0 2; 2 RCS 30 30 32; 3 RCS 30 40 42", 42);
}

/* Whatever is behind the one for which there is no room waits, even what would
 * fit; what has another GuC does not. */
TEST(stalls_the_gt)
{
	struct lab lab;

	expect_rows(4, "1.RCS.2.0.0,2.RCS.2.0.0,1.RCS.2.0.0",
	    "0 RCS 0 0 2; 1 RCS 0 20 22; 2 RCS 0 30 32", 32);
	expect_rows(4, "1.RCS.2.0.0,2.RCS.2.0.0,1.VCS1.2.0.0",
	    "0 RCS 0 0 2; 1 RCS 0 20 22; 2 VCS1 0 50 52", 52);
	init(&lab, 4);
	lab.config.profile.gt[CLASS_VCS] = 1;
	lab_add(&lab, "1.RCS.2.0.0,2.RCS.2.0.0,1.VCS1.2.0.0", 1, once);
	lab_expect(&lab, "0 RCS 0 0 2; 1 RCS 0 20 22; 2 VCS1 0 0 2", 22);
	lab_free(&lab);
}

/* The one that found it full stays in front, 4 of the high band goes before 3
 * of the low one. */
TEST(higher_bands_first)
{
	expect_rows(3,
	    "P.3.-1,P.4.1,1.RCS.2.0.0,2.BCS.2.0.0,3.VCS1.2.0.0,"
	    "4.VCS2.2.0.0",
	    "2 RCS 0 0 2; 3 BCS 0 30 32; 4 VCS1 0 90 92; 5 VCS2 0 60 62", 92);
}

/* 5, of the high band, waits for 3. When it is ready itself 4 is in front. */
TEST(raised_as_it_waits)
{
	expect_rows(3,
	    "P.3.-1,P.5.1,1.RCS.2.0.0,2.BCS.2.0.0,4.VCS2.2.0.0,"
	    "3.VCS1.2.0.0,5.VECS1.2.-1.0",
	    "2 RCS 0 0 2; 3 BCS 0 30 32; 4 VCS2 0 90 92; 5 VCS1 0 60 62; "
	    "6 VECS1 62 120 122",
	    122);
}

/* A queue has its place behind those that GuC knew before. */
TEST(place_from_the_message_on)
{
	expect_rows(6,
	    "X.1.0,1.RCS.100.0.0,2.RCS.10.0.0,3.RCS.10.0.0,4.RCS.10.0.0",
	    "1 RCS 0 0 100; 2 RCS 0 100 110; 3 RCS 0 110 120; "
	    "4 RCS 0 120 130",
	    130);
}

TEST(parallel)
{
	expect_rows(3, "G.1.VCS1/VCS2,2.RCS.2.0.0,1.DEFAULT.2.0.0",
	    "1 RCS 0 0 2; 2 VCS1 0 30 32; 2 VCS2 0 30 32", 32);
}

/* All clients of a gt share it: at capacity 1 each queue is registered alone. */
TEST(clients_share_it)
{
	struct lab lab;

	init(&lab, 1);
	lab_add(&lab, "1.RCS.2.0.0,2.RCS.2.0.0", 3, once);
	lab_expect(&lab,
	    "0 RCS 0 0 2; 1 RCS 0 10 12; 0 RCS 0 20 22; 1 RCS 0 30 32; "
	    "0 RCS 0 40 42; 1 RCS 0 50 52",
	    52);
	lab_free(&lab);
}

/* Either key alone is no limit. */
TEST(off)
{
	struct lab lab;

	expect_rows(
	    0, "1.RCS.2.0.0,1.RCS.2.0.0", "0 RCS 0 0 2; 1 RCS 0 2 4", 4);
	init(&lab, 1);
	lab.config.profile.guc_ctb_message_ns = 0;
	lab_add(&lab, "1.RCS.2.0.0,1.RCS.2.0.0", 1, once);
	lab_expect(&lab, "0 RCS 0 0 2; 1 RCS 0 2 4", 4);
	lab_free(&lab);
}
