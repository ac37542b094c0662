/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which engine limits a run (doc/model/causes.md "What limits"). */
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "engine/explain/limits.h"
#include "engine/explain/trail.h"
#include "tests/runner/test.h"
#include "tests/support/lab.h"

#define US NSEC_PER_USEC

/* A run with clients that never end, looked at from one time to another. */
struct scenario {
	const char *sched;
	const char *text;
	unsigned clones;
	nsec from_us, to_us;
	const char *in_short, *in_long;
};

static void
find(struct limits *l, struct lab *lab, const struct scenario *s)
{
	struct limits_mark mark = {0};
	struct trail *trail;

	lab_add(lab, s->text, s->clones, (struct client_options){0});
	trail = trail_begin(lab->sim, 1024);
	if (s->from_us > 0) {
		lab_run(lab, s->from_us * US);
		limits_mark(&mark, lab->sim);
	}
	lab_run(lab, s->to_us * US);
	limits_find(l, &mark, lab->sim, trail);
	trail_end(trail);
}

static void
expect_limits(const struct scenario *s)
{
	struct lab lab;
	struct limits limits;
	struct text t = {0};

	lab_init(&lab, s->sched);
	lab.config.profile.sseu_ns = 50 * US;
	lab.config.profile.slices = 3;
	find(&limits, &lab, s);
	limits_short(&limits, lab.sim, &t);
	assert_string_equal(text_str(&t), s->in_short);
	text_clear(&t);
	limits_long(&limits, lab.sim, &t);
	assert_string_equal(text_str(&t), s->in_long);
	text_free(&t);
	lab_free(&lab);
}

TEST(lines)
{
	static const struct scenario scenarios[] = {
	    /* Each waits 200 us for its turn, and 100 us for its batch. */
	    {"fifo", "1.RCS.100.0.1", 3, 300, 3000,
		"RCS limits: 2.0 queued, clients wait 67 % of 2.70ms for it",
		"RCS limits: runs 100 %, switches 0 %; 2.0 queued, clients "
		"wait 67 % of 2.70ms for it "
		"(client 0: 67 %, client 1: 67 %, client 2: 67 %)"},
	    /* One client: the context that waits. */
	    {"fifo", "1.RCS.100.0.0,2.RCS.100.0.1", 1, 0, 2000,
		"RCS limits: 0.5 queued, its client waits 50 % of 2.00ms for it",
		"RCS limits: runs 100 %, switches 0 %; 0.5 queued, its client "
		"waits 50 % of 2.00ms for it (context 2: 50 %)"},
	    /* VCS1 is held up by VECS1: that limits. */
	    {"fifo", "1.VECS1.100.0.0,2.VCS1.50.-1.1", 3, 1500, 3000,
		"VECS1 limits: 1.5 queued, clients wait 50 % of 1.50ms for it",
		"VECS1 limits: runs 100 %, switches 0 %; 1.5 queued, clients "
		"wait 50 % of 1.50ms for it "
		"(client 0: 50 %, client 1: 50 %, client 2: 50 %)"},
	    /* None: periods, delays, their own batches. */
	    {"fifo", "1.RCS.300.0.1,p.1000", 1, 0, 4000,
		"no limit: RCS busiest, 30 % of 4.00ms; clients wait "
		"for periods (p): 70 %",
		"no engine limits: RCS is busiest, 30 % of 4.00ms (runs 30 %, "
		"switches 0 %); clients wait for periods (p): 70 %"},
	    {"fifo", "1.RCS.300.0.1,d.700", 1, 0, 4000,
		"no limit: RCS busiest, 30 % of 4.00ms; clients are "
		"in delays (d): 70 %",
		"no engine limits: RCS is busiest, 30 % of 4.00ms (runs 30 %, "
		"switches 0 %); clients are in delays (d): 70 %"},
	    {"fifo", "1.RCS.300.0.1,d.100", 1, 0, 4000,
		"no limit: RCS busiest, 75 % of 4.00ms; clients wait "
		"for running batches: 75 %",
		"no engine limits: RCS is busiest, 75 % of 4.00ms (runs 75 %, "
		"switches 0 %); clients wait for running batches: 75 %"},
	    /* The longest queue is not what the client waits for. */
	    {"fifo",
		"1.RCS.1000000.0.0,1.RCS.1.0.0,1.RCS.1.0.0,1.RCS.1.0.0,"
		"2.VCS1.500000.0.0,2.VCS1.500000.0.1",
		1, 300, 2300,
		"RCS limits: 3.0 queued; clients wait for VCS1 100 %",
		"RCS limits: runs 100 %, switches 0 %; 3.0 queued; clients "
		"wait for VCS1 100 %"},
	    /* Slices: 50 us before each batch. */
	    {"fifo", "S.1.1,1.RCS.150.0.0,2.RCS.150.0.1", 1, 350, 1950,
		"RCS limits: slice switches take 25 %, its client "
		"waits 50 % of 1.60ms for it",
		"RCS limits: runs 75 %, switches 25 % (slices 25 %); 0.5 "
		"queued, its client waits 50 % of 1.60ms for it "
		"(context 2: 50 %)"},
	};

	for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++)
		expect_limits(&scenarios[i]);
}

/* Nothing is known of no time. */
TEST(nothing)
{
	static const struct scenario s = {
	    "fifo", "1.RCS.1.0.0", 1, 0, 0, "", ""};

	expect_limits(&s);
}
