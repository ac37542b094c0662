/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The naive model against examples worked out by hand (tests/naive/example.h):
 * those of the seeds, and one for each rule that is easy to get wrong. guc's:
 * test_naive_rules_guc.c.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "tests/naive/example.h"
#include "tests/naive/naive.h"
#include "tests/runner/test.h"

static const struct naive_example fifo_examples[] = {
    /* Seed 000, the first one; its range made 700. */
    {"1.VCS1.3000.0.1,1.RCS.700.-1.0,1.RCS.3700.0.0,1.RCS.1000.-2.0,"
     "1.VCS2.2300.-2.0,1.RCS.4700.-1.0,1.VCS2.600.-1.1,p.16000",
	1, 1, 0,
	"0.0 VCS1 0:0-3000\n0.1 RCS 3000:3000-3700\n0.2 RCS 3000:3700-7400\n"
	"0.3 RCS 3000:7400-8400\n0.4 VCS2 3000:7400-9700\n"
	"0.5 RCS 3000:9700-14400\n0.6 VCS2 3000:14400-15000\nend 16000, 0 missed of 15000\n"},
    /* Seed 000: two data dependencies; a sync fence; a software fence. */
    {"1.VCS1.3000.0.1,1.RCS.3700.0.0,1.VCS2.2300.-1/-2.0", 1, 1, 0,
	"0.0 VCS1 0:0-3000\n0.1 RCS 3000:3000-6700\n"
	"0.2 VCS2 3000:6700-9000\nend 9000\n"},
    {"1.RCS.500.0.0,1.VCS1.3000.f-1.0,1.VCS2.3000.f-2.0", 1, 1, 0,
	"0.0 RCS 0:0-500\n0.1 VCS1 0:500-3500\n0.2 VCS2 0:500-3500\n"
	"end 3500\n"},
    {"1.RCS.500.0.0,f,2.VCS1.3000.f-1.0,2.VCS2.3000.f-2.0,1.RCS.500.0.1,"
     "a.-4,s.-4,s.-4",
	1, 1, 0,
	"0.0 RCS 0:0-500\n0.2 VCS1 0:1000-4000\n0.3 VCS2 0:1000-4000\n"
	"0.4 RCS 0:500-1000\nend 4000\n"},
    /* Seed 001: submit fences; bonds, of two clients. */
    {"1.RCS.500.0.0,1.VCS1.3000.s-1.0,1.VCS2.3000.s-2.0", 1, 1, 0,
	"0.0 RCS 0:0-500\n0.1 VCS1 0:0-3000\n0.2 VCS2 0:0-3000\nend 3000\n"},
    {"M.1.RCS|VECS1,B.1,M.2.VCS1|VCS2,B.2,b.2.VCS1.RCS,b.2.VCS2.VECS1,f,"
     "1.DEFAULT.1000.f-1.0,2.DEFAULT.1000.s-1.0,a.-3",
	2, 1, 0,
	"0.7 RCS 0:0-1000\n0.8 VCS1 0:0-1000\n"
	"1.7 VECS1 0:0-1000\n1.8 VCS2 0:0-1000\nend 1000\n"},
    /* Its own text: a class as master means each of its engines, here VECS1; one
     * as sibling all of it that is in the map, here VCS2 of two. */
    {"M.1.RCS|VECS,B.1,M.2.VCS1|VCS2,B.2,b.2.VCS1.RCS,b.2.VCS2.VECS,f,"
     "1.DEFAULT.1000.f-1.0,2.DEFAULT.1000.s-1.0,a.-3",
	3, 1, 0,
	"0.7 RCS 0:0-1000\n0.8 VCS1 0:0-1000\n"
	"1.7 VECS1 0:0-1000\n1.8 VCS2 0:0-1000\n"
	"2.7 VECS2 0:0-1000\n2.8 VCS2 0:1000-2000\nend 2000\n"},
    {"M.2.RCS|VCS2,B.2,b.2.VCS.BCS,1.BCS.10.0.0,2.DEFAULT.5.s-1.0", 1, 1, 0,
	"0.3 BCS 0:0-10\n0.4 VCS2 0:0-5\nend 10\n"},
    /* An engine that is not in the balanced map: on the virtual engine, any
     * sibling of it, behind what is on its timeline, and RCS stays free. */
    {"M.1.VCS,B.1,1.DEFAULT.5.0.0,1.RCS.3.0.0,2.RCS.2.0.0,2.VCS1.9.0.0", 1, 1,
	0,
	"0.2 VCS1 0:0-5\n0.3 VCS2 0:5-8\n0.4 RCS 0:0-2\n0.5 VCS1 0:5-14\n"
	"end 14\n"},
    {"M.1.VECS,B.1,b.1.VECS2.RCS,2.RCS.5.0.0,1.CCS.3.s-1.0,1.BCS.3.0.0", 1, 1,
	0, "0.3 RCS 0:0-5\n0.4 VECS2 0:0-3\n0.5 VECS2 0:3-6\nend 6\n"},
    /* For q it is on the list of the map's first engine, so behind VCS2. */
    {"M.1.VCS2|VCS1,B.1,q.1,1.VCS2.4.0.0,1.RCS.4.0.0,1.RCS.4.0.0", 1, 1, 0,
	"0.3 VCS2 0:0-4\n0.4 VCS1 0:0-4\n0.5 VCS1 4:4-8\nend 8\n"},
    {"M.1.VCS2,B.1,1.RCS.4.0.0", 1, 1, 0, "0.2 VCS2 0:0-4\nend 4\n"},
    /* T: of what runs, and of what has not started. */
    {"1.RCS.*.0.0,1.RCS.*.0.0,d.5,T.-2,T.-4", 1, 1, 0,
	"0.0 RCS 0:0-5\n0.1 RCS 0:5-5\nend 5\n"},
    /* A virtual engine is one timeline, and stays where it was; on the same
     * physical engine it waits for the end. */
    {"M.1.VCS,B.1,2.VCS1.7.0.0,1.VCS.3.0.0,1.DEFAULT.3.0.0,1.VCS1.1.-1.0", 1, 1,
	0,
	"0.2 VCS1 0:0-7\n0.3 VCS2 0:0-3\n0.4 VCS2 0:3-6\n"
	"0.5 VCS1 0:7-8\nend 8\n"},
    /* On a fixed engine order does the rest. 0.2 is ready at 4, after 1.2. */
    {"1.BCS.4.0.0,1.RCS.4.-1.0,2.RCS.1.0.0", 2, 1, 0,
	"0.0 BCS 0:0-4\n0.1 RCS 0:4-8\n0.2 RCS 0:0-1\n"
	"1.0 BCS 0:4-8\n1.1 RCS 0:8-12\n1.2 RCS 0:1-2\nend 12\n"},
    /* A writer waits for readers on other engines, a step for those of its
     * previous round. */
    {"1.RCS.1.0.0,1.BCS.5.-1.0", 1, 2, 0,
	"0.0 RCS 0:0-1\n0.1 BCS 0:1-6\n0.0 RCS 0:6-7\n0.1 BCS 0:7-12\n"
	"end 12\n"},
    /* Shared between clones: w1 of one waits for r1 of the other. */
    {"W.1.4k,1.BCS.5.r1-0.0,1.RCS.1.w1-0.0", 2, 1, 0,
	"0.1 BCS 0:0-5\n0.2 RCS 0:5-6\n1.1 BCS 0:6-11\n1.2 RCS 0:11-12\n"
	"end 12\n"},
    {"w.1.4k,1.BCS.5.r1-0.0,1.RCS.1.w1-0.0", 2, 1, 0,
	"0.1 BCS 0:0-5\n0.2 RCS 0:5-6\n1.1 BCS 0:5-10\n1.2 RCS 0:10-11\n"
	"end 11\n"},
    /* t: the nearest batch at one step back, or further. */
    {"t.1,1.RCS.4.0.0,1.BCS.4.0.0", 1, 2, 0,
	"0.1 RCS 0:0-4\n0.2 BCS 4:4-8\n0.1 RCS 8:8-12\n0.2 BCS 12:12-16\n"
	"end 16\n"},
    /* q: three steps on one engine, no more than one of them queued. */
    {"q.1,1.RCS.4.0.0,1.RCS.4.0.0,1.RCS.4.0.0", 1, 1, 0,
	"0.1 RCS 0:0-4\n0.2 RCS 0:4-8\n0.3 RCS 4:8-12\nend 12\n"},
    /* A full ring of four blocks until two are free. */
    {"1.RCS.1.0.0", 1, 7, 4,
	"0.0 RCS 0:0-1\n0.0 RCS 0:1-2\n0.0 RCS 0:2-3\n0.0 RCS 0:3-4\n"
	"0.0 RCS 2:4-5\n0.0 RCS 2:5-6\n0.0 RCS 4:6-7\nend 7\n"},
    /* An iteration that does nothing costs 1 us. */
    {"P.1.1", 1, 3, 0, "end 3\n"},
    /* Exactly the period. */
    {"1.RCS.3.0.1,p.3,1.RCS.1.0.1,p.3", 1, 1, 0,
	"0.0 RCS 0:0-3\n0.2 RCS 3:3-4\nend 4, 1 missed of 7\n"},
    /* Waits for itself. */
    {"1.BCS.2.0.0,f,1.RCS.1.f-1.1,a.-2", 1, 1, 0,
	"0.0 BCS 0:0-2\n0.2 - 0:-\nend 2, deadlock\n"},
    /* Draws with -I 1. */
    {"1.RCS.1000-2000.0.0", 1, 1, 0, "0.0 RCS 0:0-1423\nend 1423\n"},
};

static const struct naive_example execlists_examples[] = {
    /* Preemption points: multiples of X; the default; none; and not where a
     * batch has just gone on. */
    {"1.RCS.1000.0.0,P.2.1,d.250,2.RCS.100.0.0", 1, 1, 0,
	"0.0 RCS 0/0:0-1100 x1\n0.3 RCS 250/250:300-400\nend 1100\n"
	"RCS 1100 in 3\n"},
    {"X.1.400,1.RCS.1000.0.0,P.2.1,d.250,2.RCS.100.0.0", 1, 1, 0,
	"0.1 RCS 0/0:0-1100 x1\n0.4 RCS 250/250:400-500\nend 1100\n"
	"RCS 1100 in 3\n"},
    {"X.1.0,1.RCS.1000.0.0,P.2.1,d.250,2.RCS.100.0.0", 1, 1, 0,
	"0.1 RCS 0/0:0-1000\n0.4 RCS 250/250:1000-1100\nend 1100\n"
	"RCS 1100 in 2\n"},
    {"1.RCS.500.0.0,P.2.1,P.3.1,d.200,2.RCS.100.0.0,d.100,3.RCS.50.0.0", 1, 1,
	0,
	"0.0 RCS 0/0:0-650 x2\n0.4 RCS 200/200:200-300\n"
	"0.6 RCS 300/300:400-450\nend 650\nRCS 650 in 5\n"},
    /* P counts at submission. */
    {"1.RCS.100.0.0,P.3.1,2.RCS.100.0.0,3.RCS.100.0.0,4.RCS.100.0.0,P.4.9", 1,
	1, 0,
	"0.0 RCS 0/0:0-100\n0.2 RCS 0/0:200-300\n0.3 RCS 0/0:100-200\n"
	"0.4 RCS 0/0:300-400\nend 400\nRCS 400 in 4\n"},
    /* A negative one does not preempt; as soon as a slice is over it does. */
    {"P.1.-5,1.RCS.1000.0.0,P.2.-1,d.50,2.RCS.100.0.0", 1, 1, 0,
	"0.1 RCS 0/0:0-1000\n0.4 RCS 50/50:1000-1100\nend 1100\n"
	"RCS 1100 in 2\n"},
    {"P.1.-5,1.RCS.2000.0.0,P.2.-1,d.50,2.RCS.100.0.0", 1, 1, 0,
	"0.1 RCS 0/0:0-2100 x1\n0.4 RCS 50/50:1100-1200\nend 2100\n"
	"RCS 2100 in 3\n"},
    /* Slices: equals rotate, lower ones wait. */
    {"1.RCS.2500.0.0,2.RCS.1500.0.0", 1, 1, 0,
	"0.0 RCS 0/0:0-4000 x2\n0.1 RCS 0/0:1000-3500 x1\nend 4000\n"
	"RCS 4000 in 5\n"},
    {"1.RCS.2500.0.0,P.2.-1,2.RCS.100.0.0", 1, 1, 0,
	"0.0 RCS 0/0:0-2500\n0.2 RCS 0/0:2500-2600\nend 2600\n"
	"RCS 2600 in 2\n"},
    /* The next one of the context goes to the tail behind it. */
    {"1.RCS.1500.0.0,1.RCS.100.0.0,2.RCS.100.0.0", 1, 1, 0,
	"0.0 RCS 0/0:0-1600 x1\n0.1 RCS 0/0:1600-1700\n"
	"0.2 RCS 0/0:1000-1100\nend 1700\nRCS 1700 in 3\n"},
    /* A slice goes on through batches of a context; over at the end of one. */
    {"X.1.0,1.RCS.600.0.0,1.RCS.600.0.0,1.RCS.600.0.0,2.RCS.100.0.0", 1, 1, 0,
	"0.1 RCS 0/0:0-600\n0.2 RCS 0/0:600-1200\n0.3 RCS 0/0:1300-1900\n"
	"0.4 RCS 0/0:1200-1300\nend 1900\nRCS 1900 in 3\n"},
    /* The one that it gives way to can run as of what ends at that instant, in
     * whatever order. */
    {"1.RCS.1000.0.0,1.BCS.1000.0.0,1.RCS.1000.0.0,2.RCS.1000.-2.0", 1, 1, 0,
	"0.0 RCS 0/0:0-1000\n0.1 BCS 0/0:0-1000\n0.2 RCS 0/0:2000-3000\n"
	"0.3 RCS 0/0:1000-2000\nend 3000\nRCS 3000 in 3\nBCS 1000 in 1\n"},
    /* There the next one of its context goes to the tail, and who waits for
     * that one; who waited for the batch that has ended keeps its place. */
    {"2.VCS1.1000.0.0,1.VCS1.100.-1.0,2.VCS1.100.s-1.0,1.VCS1.100.0.0", 1, 1, 0,
	"0.0 VCS1 0/0:0-1000\n0.1 VCS1 0/0:1000-1100\n"
	"0.2 VCS1 0/1000:1200-1300\n0.3 VCS1 0/0:1100-1200\nend 1300\n"
	"VCS1 1300 in 3\n"},
    {"1.RCS.1000.0.0,4.RCS.100.-1.0,1.RCS.100.0.0,3.RCS.100.-1.0,2.RCS.100.0.0",
	1, 1, 0,
	"0.0 RCS 0/0:0-1000\n0.1 RCS 0/0:1000-1100\n"
	"0.2 RCS 0/0:1200-1300\n0.3 RCS 0/0:1300-1400\n"
	"0.4 RCS 0/0:1100-1200\nend 1400\nRCS 1400 in 5\n"},
    /* No request goes to the tail where those of others would only poll. */
    {"1.RCS.1000.0.0,1.RCS.100.0.0,2.BCS.3000.0.0,3.RCS.100.-1.0", 1, 1, 0,
	"0.0 RCS 0/0:0-1000\n0.1 RCS 0/0:1000-1100\n0.2 BCS 0/0:0-3000\n"
	"0.3 RCS 0/0:3000-3100\nend 3100\nRCS 3100 in 2\nBCS 3000 in 1\n"},
    /* A semaphore: polls, gives way to an equal that can run, and keeps a
     * lower one out. */
    {"1.BCS.500.0.0,2.RCS.100.-1.0,d.200,3.RCS.100.0.0", 1, 1, 0,
	"0.0 BCS 0/0:0-500\n0.1 RCS 0/0:500-600\n0.3 RCS 200/200:200-300\n"
	"end 600\nRCS 600 in 3\nBCS 500 in 1\n"},
    {"1.BCS.500.0.0,P.2.1,2.RCS.100.-2.0,d.200,3.RCS.100.0.0", 1, 1, 0,
	"0.0 BCS 0/0:0-500\n0.2 RCS 0/0:500-600\n0.4 RCS 200/200:600-700\n"
	"end 700\nRCS 700 in 2\nBCS 500 in 1\n"},
    /* No semaphore: a negative priority; the second one of an engine. */
    {"1.BCS.500.0.0,P.2.-1,2.RCS.100.-2.0,3.RCS.100.0.0", 1, 1, 0,
	"0.0 BCS 0/0:0-500\n0.2 RCS 0/500:500-600\n0.3 RCS 0/0:0-100\n"
	"end 600\nRCS 200 in 2\nBCS 500 in 1\n"},
    {"1.BCS.500.0.0,2.BCS.100.0.0,3.RCS.100.-1/-2.0", 1, 1, 0,
	"0.0 BCS 0/0:0-500\n0.1 BCS 0/0:500-600\n0.2 RCS 0/600:600-700\n"
	"end 700\nRCS 100 in 1\nBCS 600 in 2\n"},
    /* Inheritance: who is waited for preempts. */
    {"1.RCS.1000.0.0,2.RCS.100.0.0,P.3.5,d.50,3.BCS.100.-3.0", 1, 1, 0,
	"0.0 RCS 0/0:0-1100 x1\n0.1 RCS 0/0:100-200\n"
	"0.4 BCS 50/100:200-300\nend 1100\nRCS 1100 in 3\nBCS 200 in 1\n"},
    /* Raised while it waits it comes last on its new level; raised while it
     * runs it keeps its time. */
    {"P.1.5,X.1.0,1.RCS.500.0.0,2.RCS.100.0.0,P.3.5,P.4.5,d.50,3.RCS.100.0.0,"
     "d.10,4.BCS.100.-6.0",
	1, 1, 0,
	"0.2 RCS 0/0:0-500\n0.3 RCS 0/0:600-700\n0.7 RCS 50/50:500-600\n"
	"0.9 BCS 60/600:700-800\nend 800\nRCS 700 in 3\nBCS 200 in 1\n"},
    {"X.1.400,1.RCS.800.0.0,P.2.5,P.3.5,P.4.7,d.50,2.RCS.100.0.0,d.10,"
     "3.BCS.100.-7.0,d.10,4.RCS.100.0.0",
	1, 1, 0,
	"0.1 RCS 0/0:0-900 x1\n0.6 RCS 50/50:900-1000\n"
	"0.8 BCS 60/60:900-1000\n0.10 RCS 70/70:400-500\nend 1000\n"
	"RCS 1000 in 4\nBCS 940 in 1\n"},
    /* A virtual one that was preempted goes on elsewhere in that instant. */
    {"M.1.VCS,B.1,P.2.1,1.DEFAULT.1000.0.0,d.150,2.VCS1.100.0.0", 1, 1, 0,
	"0.3 VCS2 0/0:0-1000 x1\n0.5 VCS1 150/150:200-300\nend 1000\n"
	"VCS1 300 in 2\nVCS2 800 in 1\n"},
    /* It waits for both siblings, the first one gives way. */
    {"M.3.VCS,B.3,1.VCS1.1500.0.0,2.VCS2.1500.0.0,3.DEFAULT.100.0.0", 1, 1, 0,
	"0.2 VCS1 0/0:0-1600 x1\n0.3 VCS2 0/0:0-1500\n"
	"0.4 VCS1 0/0:1000-1100\nend 1600\nVCS1 1600 in 3\nVCS2 1500 in 1\n"},
    /* A bond means where the master started first, not where it is. */
    {"M.1.VCS,B.1,M.3.VECS,B.3,b.3.VECS2.VCS1,b.3.VECS1.VCS2,P.2.1,"
     "1.DEFAULT.1000.0.0,d.150,2.VCS1.100.0.0,d.100,3.DEFAULT.10.s-4.0",
	1, 1, 0,
	"0.7 VCS2 0/0:0-1000 x1\n0.9 VCS1 150/150:200-300\n"
	"0.11 VECS2 250/250:250-260\nend 1000\n"
	"VCS1 300 in 2\nVCS2 800 in 1\nVECS2 10 in 1\n"},
    /* T of what was preempted. */
    {"1.RCS.*.0.0,P.2.1,d.150,2.RCS.100.0.0,d.100,T.-5", 1, 1, 0,
	"0.0 RCS 0/0:0-300 x1\n0.3 RCS 150/150:200-300\nend 300\n"
	"RCS 300 in 3\n"},
};

static const struct naive_example drm_examples[] = {
    /* Strict levels. P counts from the first job that finds the entity idle:
     * 0.3 and 0.5 do not. */
    {"P.1.-1,1.RCS.10.0.0,P.1.1,1.RCS.10.0.0,2.RCS.10.0.1,1.RCS.10.0.0", 1, 1,
	0,
	"0.1 RCS 0/0:0-10\n0.3 RCS 0/0:20-30\n0.4 RCS 0/0:10-20\n"
	"0.5 RCS 20/20:30-40\nend 40\nRCS 40 in 3\n"},
    /* No request is taken off. */
    {"1.RCS.10.0.0,P.2.9,d.1,2.RCS.1.0.0", 1, 1, 0,
	"0.0 RCS 0/0:0-10\n0.3 RCS 1/1:10-11\nend 11\nRCS 11 in 2\n"},
    /* Another entity of the same engine need only be on the ring, for f-n too;
     * one of another engine must have ended. */
    {"1.RCS.10.0.0,2.RCS.10.f-1.0,1.BCS.5.-2.0", 1, 1, 0,
	"0.0 RCS 0/0:0-10\n0.1 RCS 0/0:10-20\n0.2 BCS 0/10:10-15\n"
	"end 20\nRCS 20 in 2\nBCS 5 in 1\n"},
    /* Only the head is looked at: behind 0.1, which waits, 0.2 is not ready. */
    {"1.BCS.10.0.0,2.RCS.1.-1.0,2.RCS.1.0.0,3.RCS.1.0.0", 1, 1, 0,
	"0.0 BCS 0/0:0-10\n0.1 RCS 0/10:10-11\n0.2 RCS 0/10:11-12\n"
	"0.3 RCS 0/0:0-1\nend 12\nRCS 3 in 2\nBCS 10 in 1\n"},
    /* Early binding: 2 goes to VCS2, where the score is less, and stays there
     * though VCS1 is free earlier. */
    {"M.1.VCS,B.1,M.2.VCS,B.2,1.VCS.2.0.0,2.VCS.9.0.0,2.VCS.9.0.0", 1, 1, 0,
	"0.4 VCS1 0/0:0-2\n0.5 VCS2 0/0:0-9\n0.6 VCS2 0/0:9-18\nend 18\n"
	"VCS1 2 in 1\nVCS2 18 in 1\n"},
    /* Idle, it moves on: where it is attached counts one more. */
    {"M.1.VCS,B.1,1.VCS.2.0.1,1.VCS.2.0.1,1.VCS.2.0.1", 1, 1, 0,
	"0.2 VCS1 0/0:0-2\n0.3 VCS2 2/2:2-4\n0.4 VCS1 4/4:4-6\nend 6\n"
	"VCS1 4 in 1\nVCS2 2 in 1\n"},
    /* fifo: whose head was submitted first. */
    {"1.RCS.5.0.0,1.RCS.5.0.0,1.RCS.5.0.0,2.RCS.5.0.0", 1, 1, 0,
	"0.0 RCS 0/0:0-5\n0.1 RCS 0/0:5-10\n0.2 RCS 0/5:10-15\n"
	"0.3 RCS 0/0:15-20\nend 20\nRCS 20 in 2\n"},
    /* T: of what runs, and of what is not on the ring yet. */
    {"1.RCS.*.0.0,2.RCS.*.0.0,d.5,T.-2,T.-4", 1, 1, 0,
	"0.0 RCS 0/0:0-5\n0.1 RCS 0/0:5-5\nend 5\nRCS 5 in 2\n"},
};

static const struct naive_example drm_rr_examples[] = {
    /* In turn. */
    {"1.RCS.5.0.0,1.RCS.5.0.0,1.RCS.5.0.0,2.RCS.5.0.0", 1, 1, 0,
	"0.0 RCS 0/0:0-5\n0.1 RCS 0/0:10-15\n0.2 RCS 0/10:15-20\n"
	"0.3 RCS 0/0:5-10\nend 20\nRCS 20 in 3\n"},
    /* The turn is by level: 2 was last on its own, so 3 is next there though 1
     * came in between. */
    {"2.RCS.5.0.0,2.RCS.5.0.0,P.1.1,1.RCS.5.0.0,3.RCS.5.0.0", 1, 1, 0,
	"0.0 RCS 0/0:0-5\n0.1 RCS 0/0:15-20\n0.3 RCS 0/0:5-10\n"
	"0.4 RCS 0/0:10-15\nend 20\nRCS 20 in 4\n"},
    /* After 2 comes 3; if 2 has left the level since, the first one, 1. */
    {"1.RCS.1.0.0,2.RCS.1.0.0,3.RCS.1.0.1,2.RCS.9.0.0,3.RCS.1.0.0,"
     "1.RCS.1.0.0",
	1, 1, 0,
	"0.0 RCS 0/0:0-1\n0.1 RCS 0/0:1-2\n0.2 RCS 0/0:2-3\n"
	"0.3 RCS 3/3:3-12\n0.4 RCS 3/3:12-13\n0.5 RCS 3/3:13-14\n"
	"end 14\nRCS 14 in 6\n"},
    {"1.RCS.1.0.0,2.RCS.1.0.0,3.RCS.1.0.1,2.RCS.1.0.1,P.2.1,2.RCS.9.0.0,"
     "3.RCS.1.0.0,1.RCS.1.0.0",
	1, 1, 0,
	"0.0 RCS 0/0:0-1\n0.1 RCS 0/0:1-2\n0.2 RCS 0/0:2-3\n"
	"0.3 RCS 3/3:3-4\n0.5 RCS 4/4:4-13\n0.6 RCS 4/4:14-15\n"
	"0.7 RCS 4/4:13-14\nend 15\nRCS 15 in 6\n"},
};

TEST(fifo)
{
	naive_examples_check(fifo_examples,
	    sizeof fifo_examples / sizeof *fifo_examples, NAIVE_FIFO);
}

TEST(execlists)
{
	naive_examples_check(execlists_examples,
	    sizeof execlists_examples / sizeof *execlists_examples,
	    NAIVE_EXECLISTS);
}

TEST(drm)
{
	naive_examples_check(drm_examples,
	    sizeof drm_examples / sizeof *drm_examples, NAIVE_DRM);
	naive_examples_check(drm_rr_examples,
	    sizeof drm_rr_examples / sizeof *drm_rr_examples, NAIVE_DRM_RR);
}

/* A looping client stops with the last of the others, what it runs counted up
 * to then. */
TEST(background)
{
	static const char *const texts[] = {"1.RCS.10.0.1", "1.BCS.25.0.1"};
	struct document *docs[2];
	struct naive_config config;
	struct naive_result result;

	naive_config_ideal(&config);
	for (unsigned i = 0; i < 2; i++) {
		docs[i] = document_parse(
		    "example", texts[i], strlen(texts[i]), SOURCE_INLINE);
		naive_workload_init(&config.workloads[i],
		    (const struct document *const *)&docs[i], 1);
		config.jobs[i].workload = i;
		config.jobs[i].repeat = 1;
	}
	config.jobs[0].background = true;
	config.n_workloads = config.n_jobs = 2;
	assert_true(naive_run(&config, &result));
	assert_int_equal(result.elapsed, 25000);
	assert_int_equal(result.clients[0].iterations, 2);
	assert_int_equal(result.clients[0].elapsed, 25000);
	assert_int_equal(result.engines[0].busy, 25000);
	assert_int_equal(result.engines[0].batches, 2);
	assert_int_equal(result.engines[0].switches, 1);
	assert_int_equal(result.engines[1].busy, 25000);
	naive_result_clear(&result);
	for (unsigned i = 0; i < 2; i++) {
		naive_workload_clear(&config.workloads[i]);
		document_free(docs[i]);
	}
}
