/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The naive model of `guc` and of parallel steps against examples worked out by
 * hand (tests/naive/example.h). */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/text.h"
#include "tests/naive/example.h"
#include "tests/naive/naive.h"
#include "tests/runner/test.h"

static const struct naive_example guc_examples[] = {
    /* Bands: 5 and 500 are one; 0 takes off what is below it, an equal one
     * nothing. */
    {"P.1.5,P.2.500,1.RCS.300.0.0,d.50,2.RCS.100.0.0", 1, 1, 0,
	"0.2 RCS 0/0:0-300\n0.4 RCS 50/50:300-400\nend 400\nRCS 400 in 2\n"},
    {"P.1.-5,1.RCS.1000.0.0,d.50,2.RCS.100.0.0", 1, 1, 0,
	"0.1 RCS 0/0:0-1100 x1\n0.3 RCS 50/50:100-200\nend 1100\n"
	"RCS 1100 in 3\n"},
    /* A request that arrives at the very instant of a point comes in time, but not
     * where a batch has just gone on. */
    {"1.RCS.500.0.0,P.2.1,P.3.1,d.200,2.RCS.100.0.0,d.100,3.RCS.50.0.0", 1, 1,
	0,
	"0.0 RCS 0/0:0-650 x2\n0.4 RCS 200/200:200-300\n"
	"0.6 RCS 300/300:400-450\nend 650\nRCS 650 in 5\n"},
    /* Quanta; to a lower band it does not give way. */
    {"1.RCS.2500.0.0,2.RCS.1500.0.0", 1, 1, 0,
	"0.0 RCS 0/0:0-4000 x2\n0.1 RCS 0/0:1000-3500 x1\nend 4000\n"
	"RCS 4000 in 5\n"},
    {"1.RCS.2500.0.0,P.2.-1,2.RCS.100.0.0", 1, 1, 0,
	"0.0 RCS 0/0:0-2500\n0.2 RCS 0/0:2500-2600\nend 2600\n"
	"RCS 2600 in 2\n"},
    /* A quantum spans requests; giving way between two is no preemption. */
    {"1.RCS.600.0.0,1.RCS.600.0.0,1.RCS.600.0.0,2.RCS.100.0.0", 1, 1, 0,
	"0.0 RCS 0/0:0-600\n0.1 RCS 0/0:600-1300 x1\n"
	"0.2 RCS 0/0:1300-1900\n0.3 RCS 0/0:1000-1100\nend 1900\n"
	"RCS 1900 in 3\n"},
    {"X.1.0,1.RCS.600.0.0,1.RCS.600.0.0,1.RCS.600.0.0,2.RCS.100.0.0", 1, 1, 0,
	"0.1 RCS 0/0:0-600\n0.2 RCS 0/0:600-1200\n0.3 RCS 0/0:1300-1900\n"
	"0.4 RCS 0/0:1200-1300\nend 1900\nRCS 1900 in 3\n"},
    /* Interrupted by a higher band it keeps its place and its quantum. */
    {"1.RCS.1500.0.0,2.RCS.100.0.0,P.3.1,d.500,3.RCS.200.0.0", 1, 1, 0,
	"0.0 RCS 0/0:0-1800 x2\n0.1 RCS 0/0:1200-1300\n"
	"0.4 RCS 500/500:500-700\nend 1800\nRCS 1800 in 5\n"},
    /* Used up while none waits, it stays used up. */
    {"1.RCS.2000.0.0,d.1450,2.RCS.100.0.0", 1, 1, 0,
	"0.0 RCS 0/0:0-2100 x1\n0.2 RCS 1450/1450:1500-1600\nend 2100\n"
	"RCS 2100 in 3\n"},
    /* Ready: the end of any other request, on the same engine too; nothing for
     * one of its own queue; behind one that is not ready none is. */
    {"1.RCS.100.0.0,2.RCS.100.-1.0,3.RCS.100.0.0", 1, 1, 0,
	"0.0 RCS 0/0:0-100\n0.1 RCS 0/100:200-300\n0.2 RCS 0/0:100-200\n"
	"end 300\nRCS 300 in 3\n"},
    {"1.RCS.100.0.0,1.RCS.100.-1.0,1.RCS.100.f-1.0,1.RCS.100.s-1.0", 1, 1, 0,
	"0.0 RCS 0/0:0-100\n0.1 RCS 0/0:100-200\n0.2 RCS 0/0:200-300\n"
	"0.3 RCS 0/0:300-400\nend 400\nRCS 400 in 1\n"},
    {"1.BCS.100.0.0,2.RCS.10.-1.0,2.RCS.10.0.0", 1, 1, 0,
	"0.0 BCS 0/0:0-100\n0.1 RCS 0/100:100-110\n0.2 RCS 0/100:110-120\n"
	"end 120\nRCS 20 in 1\nBCS 100 in 1\n"},
    /* s-n: the first start, on whatever engine. */
    {"1.RCS.500.0.0,2.RCS.100.0.0,3.BCS.100.s-1.0", 1, 1, 0,
	"0.0 RCS 0/0:0-500\n0.1 RCS 0/0:500-600\n0.2 BCS 0/500:500-600\n"
	"end 600\nRCS 600 in 2\nBCS 100 in 1\n"},
    /* The band falls back between two requests: an equal one has to wait for
     * the quantum all the same, to a higher one it gives way. */
    {"1.RCS.500.0.0,P.2.1,2.RCS.100.0.0,P.2.0,2.RCS.100.0.0,3.RCS.100.0.0", 1,
	1, 0,
	"0.0 RCS 0/0:0-700 x1\n0.2 RCS 0/0:100-200\n0.4 RCS 0/0:200-300\n"
	"0.5 RCS 0/0:700-800\nend 800\nRCS 800 in 4\n"},
    {"1.RCS.500.0.0,P.2.1,2.RCS.100.0.0,P.2.-1,2.RCS.100.0.0", 1, 1, 0,
	"0.0 RCS 0/0:0-600 x1\n0.2 RCS 0/0:100-200\n0.4 RCS 0/0:600-700\n"
	"end 700\nRCS 700 in 4\n"},
    /* A queue that is waited for is raised; two that wait already, in the order of
     * their old places. */
    {"1.RCS.1000.0.0,2.RCS.100.0.0,P.3.5,d.50,3.BCS.100.-3.0", 1, 1, 0,
	"0.0 RCS 0/0:0-1100 x1\n0.1 RCS 0/0:100-200\n"
	"0.4 BCS 50/200:200-300\nend 1100\nRCS 1100 in 3\nBCS 100 in 1\n"},
    {"X.1.0,1.RCS.300.0.0,2.RCS.100.0.0,3.RCS.100.0.0,P.4.1,P.5.1,"
     "4.RCS.100.0.0,5.BCS.100.-4/-5.0",
	1, 1, 0,
	"0.1 RCS 0/0:0-300\n0.2 RCS 0/0:400-500\n0.3 RCS 0/0:500-600\n"
	"0.6 RCS 0/0:300-400\n0.7 BCS 0/600:600-700\nend 700\n"
	"RCS 600 in 4\nBCS 100 in 1\n"},
    /* Also one that runs already, through one that does: 0.7 is of a lower band
     * than 0.3 then. */
    {"P.1.-1,P.2.-1,P.3.1,1.RCS.1000.0.0,2.BCS.500.s-1.0,d.50,"
     "3.VCS1.100.-2.0,4.RCS.100.0.0",
	1, 1, 0,
	"0.3 RCS 0/0:0-1000\n0.4 BCS 0/0:0-500\n0.6 VCS1 50/500:500-600\n"
	"0.7 RCS 50/50:1000-1100\nend 1100\nRCS 1100 in 2\nBCS 500 in 1\n"
	"VCS1 100 in 1\n"},
    /* A request that is handed over at the very instant at which the last of its
     * queue has ended finds the queue empty, on its engine: a new place and
     * quantum. */
    {"1.RCS.1000.0.0,3.BCS.1000.0.0,2.RCS.100.0.0,1.RCS.500.-2.0", 1, 1, 0,
	"0.0 RCS 0/0:0-1000\n0.1 BCS 0/0:0-1000\n0.2 RCS 0/0:1500-1600\n"
	"0.3 RCS 0/1000:1000-1500\nend 1600\nRCS 1600 in 2\n"
	"BCS 1000 in 1\n"},
    /* A virtual one need not wait for the end of the one before, and stays
     * where it is; taken off, it goes on elsewhere. */
    {"M.1.VCS,B.1,1.VCS.100.0.0,1.VCS.100.0.0", 1, 1, 0,
	"0.2 VCS1 0/0:0-100\n0.3 VCS1 0/0:100-200\nend 200\n"
	"VCS1 200 in 1\n"},
    {"M.1.VCS,B.1,P.2.1,1.DEFAULT.1000.0.0,d.150,2.VCS1.100.0.0", 1, 1, 0,
	"0.3 VCS2 0/0:0-1000 x1\n0.5 VCS1 150/150:200-300\nend 1000\n"
	"VCS1 300 in 2\nVCS2 800 in 1\n"},
    /* Taken off between two requests, it takes nothing of its band at that
     * instant: VCS2 gives way at its next point. */
    {"M.1.VCS,B.1,1.VCS.1000.0.0,1.VCS.1000.0.0,2.VCS1.500.0.0,2.VCS2.3000.0.0",
	1, 1, 0,
	"0.2 VCS1 0/0:0-1000\n0.3 VCS2 0/0:1100-2100\n"
	"0.4 VCS1 0/0:1000-1500\n0.5 VCS2 0/0:0-4000 x1\nend 4000\n"
	"VCS1 1500 in 2\nVCS2 4000 in 3\n"},
    /* But who stands behind it, at 1000, does. */
    {"M.1.VCS,B.1,P.3.1,2.VCS2.3000.0.0,d.200,1.VCS.1500.0.0,d.100,"
     "4.VCS2.100.0.0,d.650,3.VCS1.200.0.0",
	1, 1, 0,
	"0.3 VCS2 0/0:0-3300 x1\n0.5 VCS1 200/200:200-1800 x2\n"
	"0.7 VCS2 300/300:1000-1100\n0.9 VCS1 950/950:1000-1200\n"
	"end 3300\nVCS1 1500 in 3\nVCS2 3300 in 4\n"},
    /* Three equal ones on two engines take turns, a preemption point apart. */
    {"M.1.VCS,B.1,M.2.VCS,B.2,M.3.VCS,B.3,1.VCS.6000.0.0,2.VCS.6000.0.0,"
     "3.VCS.6000.0.0",
	1, 1, 0,
	"0.6 VCS2 0/0:0-8100 x5\n0.7 VCS1 0/0:0-8900 x5\n"
	"0.8 VCS2 0/0:1000-9100 x5\nend 9100\nVCS1 8900 in 9\n"
	"VCS2 9100 in 9\n"},
    /* T of what was taken off. */
    {"1.RCS.*.0.0,P.2.1,d.150,2.RCS.100.0.0,d.100,T.-5", 1, 1, 0,
	"0.0 RCS 0/0:0-300 x1\n0.3 RCS 150/150:200-300\nend 300\n"
	"RCS 300 in 3\n"},
    /* It waits for ever for who does not give way. */
    {"1.RCS.*.0.0,d.50,P.2.-1,2.RCS.100.0.1,T.-4", 1, 1, 0,
	"0.0 RCS 0/0:0-\n0.3 - 50/50:-\nend 50, deadlock\nRCS 50 in 1\n"},
};

static const struct naive_example parallel_examples[] = {
    /* All rows end with the longest; who waits for one waits for all. */
    {"G.1.VCS1/VCS2,1.DEFAULT.300/200.0.0,2.BCS.10.-1.0", 1, 1, 0,
	"0.1 VCS1 0/0:0-300\n0.1 VCS2 0/0:0-300\n0.2 BCS 0/300:300-310\n"
	"end 310\nBCS 10 in 1\nVCS1 300 in 1\nVCS2 300 in 1\n"},
    /* One duration for all is drawn once, those by row one after the other; the
     * first is that of the last fifo example. */
    {"G.1.VCS1/VCS2,1.DEFAULT.1000-2000.0.0", 1, 1, 0,
	"0.1 VCS1 0/0:0-1423\n0.1 VCS2 0/0:0-1423\nend 1423\n"
	"VCS1 1423 in 1\nVCS2 1423 in 1\n"},
    {"G.1.VCS1/VCS2,1.DEFAULT.10/1000-2000.0.0", 1, 1, 0,
	"0.1 VCS1 0/0:0-1423\n0.1 VCS2 0/0:0-1423\nend 1423\n"
	"VCS1 1423 in 1\nVCS2 1423 in 1\n"},
    /* It holds VCS1, which is free, and lets a higher band have it. */
    {"G.1.VCS1/VCS2,X.2.0,2.VCS2.500.0.0,1.DEFAULT.100.0.0,3.VCS1.100.0.0", 1,
	1, 0,
	"0.2 VCS2 0/0:0-500\n0.3 VCS1 0/0:500-600\n0.3 VCS2 0/0:500-600\n"
	"0.4 VCS1 0/0:600-700\nend 700\nVCS1 200 in 2\nVCS2 600 in 2\n"},
    {"G.1.VCS1/VCS2,P.3.1,2.VCS2.500.0.0,1.DEFAULT.100.0.0,3.VCS1.100.0.0", 1,
	1, 0,
	"0.2 VCS2 0/0:0-500\n0.3 VCS1 0/0:500-600\n0.3 VCS2 0/0:500-600\n"
	"0.4 VCS1 0/0:0-100\nend 600\nVCS1 200 in 2\nVCS2 600 in 2\n"},
    /* It takes off what gives way, long before it has all. */
    {"G.1.VCS1/VCS2,P.2.-1,X.3.0,2.VCS1.500.0.0,3.VCS2.250.0.0,d.50,"
     "1.DEFAULT.100.0.0",
	1, 1, 0,
	"0.3 VCS1 0/0:0-750 x1\n0.4 VCS2 0/0:0-250\n"
	"0.6 VCS1 50/50:250-350\n0.6 VCS2 50/50:250-350\nend 750\n"
	"VCS1 600 in 3\nVCS2 350 in 2\n"},
    /* Nothing takes it off inside a request; between two it gives way whole,
     * and holds what is free again. */
    {"G.1.VCS1/VCS2,X.1.10,P.2.1,1.DEFAULT.300.0.0,1.DEFAULT.50.0.0,d.20,"
     "2.VCS1.100.0.0",
	1, 1, 0,
	"0.3 VCS1 0/0:0-300\n0.3 VCS2 0/0:0-300\n0.4 VCS1 0/0:400-450\n"
	"0.4 VCS2 0/0:400-450\n0.6 VCS1 20/20:300-400\nend 450\n"
	"VCS1 450 in 3\nVCS2 350 in 1\n"},
    {"G.1.VCS1/VCS2,1.DEFAULT.600.0.0,1.DEFAULT.600.0.0,1.DEFAULT.100.0.0,"
     "2.VCS1.100.0.0,3.VCS2.50.0.0",
	1, 1, 0,
	"0.1 VCS1 0/0:0-600\n0.1 VCS2 0/0:0-600\n0.2 VCS1 0/0:600-1200\n"
	"0.2 VCS2 0/0:600-1200\n0.3 VCS1 0/0:1300-1400\n"
	"0.3 VCS2 0/0:1300-1400\n0.4 VCS1 0/0:1200-1300\n"
	"0.5 VCS2 0/0:1200-1250\nend 1400\nVCS1 1400 in 3\n"
	"VCS2 1350 in 3\n"},
    /* T ends the infinite rows, sooner or later than the others, before they
     * have started too. */
    {"G.1.VCS1/VCS2,1.DEFAULT.*/300.0.0,d.100,T.-2", 1, 1, 0,
	"0.1 VCS1 0/0:0-300\n0.1 VCS2 0/0:0-300\nend 300\n"
	"VCS1 300 in 1\nVCS2 300 in 1\n"},
    {"G.1.VCS1/VCS2,1.DEFAULT.300/*.0.0,d.400,T.-2", 1, 1, 0,
	"0.1 VCS1 0/0:0-400\n0.1 VCS2 0/0:0-400\nend 400\n"
	"VCS1 400 in 1\nVCS2 400 in 1\n"},
    {"G.1.VECS1/VECS2,2.VECS1.100.0.0,1.DEFAULT.*/50.0.0,T.-1", 1, 1, 0,
	"0.1 VECS1 0/0:0-100\n0.2 VECS1 0/0:100-150\n"
	"0.2 VECS2 0/0:100-150\nend 150\nVECS1 150 in 2\n"
	"VECS2 50 in 1\n"},
    /* q: it counts on the first engine of the first row only. */
    {"q.1,G.1.VCS1/VCS2,1.DEFAULT.10.0.0,2.VCS1.10.0.0,3.BCS.10.0.0", 1, 1, 0,
	"0.2 VCS1 0/0:0-10\n0.2 VCS2 0/0:0-10\n0.3 VCS1 0/0:10-20\n"
	"0.4 BCS 10/10:10-20\nend 20\nBCS 10 in 1\nVCS1 20 in 2\n"
	"VCS2 10 in 1\n"},
    {"q.1,G.1.VCS1/VCS2,1.DEFAULT.10.0.0,2.VCS2.10.0.0,3.BCS.10.0.0", 1, 1, 0,
	"0.2 VCS1 0/0:0-10\n0.2 VCS2 0/0:0-10\n0.3 VCS2 0/0:10-20\n"
	"0.4 BCS 0/0:0-10\nend 20\nBCS 10 in 1\nVCS1 10 in 1\n"
	"VCS2 20 in 2\n"},
};

TEST(guc)
{
	naive_examples_check(guc_examples,
	    sizeof guc_examples / sizeof *guc_examples, NAIVE_GUC);
	naive_examples_check(parallel_examples,
	    sizeof parallel_examples / sizeof *parallel_examples, NAIVE_GUC);
}

/* "All that could still run is infinite, and no client sleeps": two take turns
 * for ever; a third that is finite would have had its turn. */
TEST(turns_for_ever)
{
	const char *text =
	    "1.RCS.*.0.0,2.RCS.*.0.0,3.RCS.1500.0.0,4.BCS.1.-3.1,"
	    "T.-4,T.-4";
	struct document *doc = document_parse(
	    "example", text, strlen(text), SOURCE_INLINE);
	struct naive_config config;
	struct naive_result result;

	naive_config_ideal(&config);
	config.scheduler = NAIVE_GUC;
	naive_workload_init(
	    &config.workloads[0], (const struct document *const *)&doc, 1);
	config.n_workloads = config.n_jobs = 1;
	config.jobs[0].repeat = 1;
	assert_true(naive_run(&config, &result));
	assert_true(result.deadlock);
	assert_true(result.spins);
	assert_int_equal(result.rows[2].end, 5500000);
	assert_int_equal(result.rows[2].preemptions, 1);
	naive_result_clear(&result);
	naive_workload_clear(&config.workloads[0]);
	document_free(doc);
}
