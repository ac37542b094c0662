/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The answers of why (engine/explain/why.h). Random runs are in
 * test_why_random.c. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/text.h"
#include "engine/explain/why.h"
#include "tests/runner/test.h"
#include "tests/support/lab.h"

#define US NSEC_PER_USEC

static const struct client_options once = {.repeat = 1};

struct watched {
	struct lab lab;
	struct trail *trail;
	struct why why;
};

static void
add(struct watched *w, const char *text, struct client_options options)
{
	lab_add(&w->lab, text, 1, options);
	if (w->trail == NULL)
		w->trail = trail_begin(w->lab.sim, 64);
}

static void
finish(struct watched *w)
{
	sim_run(w->lab.sim, NSEC_NEVER, 0);
}

static void
watched_free(struct watched *w)
{
	why_free(&w->why);
	trail_end(w->trail);
	lab_free(&w->lab);
}

static void
expect(struct watched *w, const char *expected)
{
	struct text t = {0};

	why_print(&w->why, &t);
	assert_string_equal(text_str(&t), expected);
	text_free(&t);
}

static void
expect_request(struct watched *w, uint64_t request, const char *expected)
{
	assert_true(why_request(&w->why, w->trail, w->lab.sim, request));
	expect(w, expected);
}

TEST(fence_and_queue)
{
	struct watched w = {0};

	lab_init(&w.lab, "fifo");
	add(&w, "1.VCS1.300.0.0,2.RCS.100.f-1.0", once);
	add(&w, "d.200,P.7.5,7.RCS.250.0.0", once);
	finish(&w);
	expect_request(&w, 2,
	    "550us client 0 context 2, line 1 (step 1), iteration 0, on RCS: "
	    "from submission to end\n"
	    "  300us not ready: fence (f), waits for the end of "
	    "client 0 context 1, line 1 (step 0)\n"
	    "    300us runs on VCS1\n"
	    "  150us ready, queued for RCS, priority 0\n"
	    "    150us RCS busy with client 1 context 7, line 1 (step 2), priority 5\n"
	    "  100us runs on RCS\n");
	watched_free(&w);
}

/* A run, and the answer for one of its requests or misses. */
struct scenario {
	const char *sched;
	const char *clients[3]; /* each once */
	uint64_t request;       /* or, 0, the first miss */
	nsec until_us;          /* 0: to the end */
	const char *expected;
};

static void
tell(const struct scenario *s, void (*prepare)(struct sim_config *config))
{
	struct watched w = {0};

	lab_init(&w.lab, s->sched);
	if (prepare != NULL)
		prepare(&w.lab.config);
	for (unsigned i = 0; i < 3 && s->clients[i] != NULL; i++)
		add(&w, s->clients[i], once);
	if (s->until_us > 0)
		sim_run(w.lab.sim, s->until_us * US, 0);
	else
		finish(&w);
	assert_true(s->request > 0
		? why_request(&w.why, w.trail, w.lab.sim, s->request)
		: why_miss(&w.why, w.trail, w.lab.sim, 1));
	expect(&w, s->expected);
	watched_free(&w);
}

static void
costly(struct sim_config *config)
{
	config->profile.context_switch_ns = 10 * US;
	config->profile.sseu_ns = 50 * US;
	config->profile.completion_ns = 1 * US;
	config->profile.slices = 3;
	config->profile.ring_requests = 4;
}

/* Rows about a turn that ends before its batch. */
TEST(turns)
{
	static const struct scenario scenarios[] = {
	    /* Preempted: by which request, and for how long. */
	    {"execlists", {"1.RCS.1000.0.0", "P.2.5,d.250,2.RCS.300.0.0"}, 1, 0,
		"1.33ms client 0 context 1, line 1 (step 0), iteration 0, on RCS: from submission to end\n"
		"  10.0us context switch on RCS\n"
		"  300us runs on RCS\n"
		"  310us off RCS: preempted by client 1 context 2, line 1 (step 2), priority 5\n"
		"    310us RCS busy with client 1 context 2, line 1 (step 2), priority 5\n"
		"  1.00us completion of the previous batch on RCS (CSB)\n"
		"  10.0us context switch on RCS\n"
		"  700us runs on RCS\n"},
	    /* Still off its engine. */
	    {"execlists", {"1.RCS.1000.0.0", "P.2.5,d.250,2.RCS.300.0.0"}, 1,
		400,
		"400us client 0 context 1, line 1 (step 0), iteration 0, on RCS: from submission until now, in flight\n"
		"  10.0us context switch on RCS\n"
		"  300us runs on RCS\n"
		"  90.0us off RCS: preempted by client 1 context 2, line 1 (step 2), priority 5\n"
		"    90.0us RCS busy with client 1 context 2, line 1 (step 2), priority 5\n"},
	    /* One without preemption points holds up a better one. */
	    {"execlists", {"X.1.0,1.RCS.500.0.0", "P.2.5,d.100,2.RCS.30.0.0"},
		2, 0,
		"451us client 1 context 2, line 1 (step 2), iteration 0, on RCS: from submission to end\n"
		"  410us ready, queued for RCS, priority 5\n"
		"    410us RCS busy with client 0 context 1, line 1 (step 1), priority 0, not preemptible\n"
		"  1.00us completion of the previous batch on RCS (CSB)\n"
		"  10.0us context switch on RCS\n"
		"  30.0us runs on RCS\n"},
	    /* Slices in turn. */
	    {"execlists", {"1.RCS.12000.0.0", "2.RCS.1500.0.0"}, 1, 0,
		"13.6ms client 0 context 1, line 1 (step 0), iteration 0, on RCS: from submission to end\n"
		"  10.0us context switch on RCS\n"
		"  1.00ms runs on RCS\n"
		"  1.01ms off RCS: timeslice expired, for client 1 context 2, line 1 (step 0), priority 0\n"
		"    1.01ms RCS busy with client 1 context 2, line 1 (step 0), priority 0, then timeslice expired\n"
		"  10.0us context switch on RCS\n"
		"  1.00ms runs on RCS\n"
		"  510us off RCS: timeslice expired, for client 1 context 2, line 1 (step 0), priority 0\n"
		"    510us RCS busy with client 1 context 2, line 1 (step 0), priority 0\n"
		"  1.00us completion of the previous batch on RCS (CSB)\n"
		"  10.0us context switch on RCS\n"
		"  10.0ms runs on RCS\n"},
	};

	for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++)
		tell(&scenarios[i], costly);
}

/* Rows about engines. */
TEST(engines)
{
	static const struct scenario scenarios[] = {
	    /* Other slices: SSEU. */
	    {"fifo", {"S.1.1,1.RCS.100.0.0,S.2.3,2.RCS.100.0.0"}, 2, 0,
		"271us client 0 context 2, line 1 (step 3), iteration 0, on RCS: from submission to end\n"
		"  110us ready, queued for RCS, priority 0\n"
		"    110us RCS busy with client 0 context 1, line 1 (step 1), priority 0\n"
		"  1.00us completion of the previous batch on RCS (CSB)\n"
		"  10.0us context switch on RCS\n"
		"  50.0us SSEU: RCS changes its slice mask\n"
		"  100us runs on RCS\n"},
	    /* A semaphore. */
	    {"execlists", {"1.VCS1.300.0.0,2.RCS.100.-1.0"}, 2, 0,
		"410us client 0 context 2, line 1 (step 1), iteration 0, on RCS: from submission to end\n"
		"  10.0us not ready: semaphore, waits for the start of client 0 context 1, line 1 (step 0)\n"
		"    10.0us context switch on VCS1\n"
		"  10.0us context switch on RCS\n"
		"  290us has RCS, polls a semaphore for the end of client 0 context 1, line 1 (step 0)\n"
		"    290us runs on VCS1\n"
		"  100us runs on RCS\n"},
	    /* guc: another of its band has the engine. */
	    {"guc", {"1.RCS.300.0.0", "2.RCS.100.0.0"}, 2, 0,
		"421us client 1 context 2, line 1 (step 0), iteration 0, on RCS: from submission to end\n"
		"  310us ready, queued for RCS, priority 0\n"
		"    310us RCS busy with client 0 context 1, line 1 (step 0), priority 0\n"
		"  1.00us completion of the previous batch on RCS (CSB)\n"
		"  10.0us context switch on RCS\n"
		"  100us runs on RCS\n"},
	};

	for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++)
		tell(&scenarios[i], costly);
}

/* Rows about waits, and about clients. */
TEST(waits)
{
	static const struct scenario scenarios[] = {
	    /* Submit fence. */
	    {"fifo", {"3.VCS1.50.0.0,1.VCS1.100.0.0,2.RCS.100.s-1.0"}, 3, 0,
		"150us client 0 context 2, line 1 (step 2), iteration 0, on RCS: from submission to end\n"
		"  50.0us not ready: submit fence (s), waits for the start of client 0 context 1, line 1 (step 1)\n"
		"    50.0us ready, queued for VCS1, priority 0\n"
		"      50.0us VCS1 busy with client 0 context 3, line 1 (step 0), priority 0\n"
		"  100us runs on RCS\n"},
	    /* A software fence: what its client does until it advances it. */
	    {"fifo", {"f,2.RCS.100.f-1.0,1.VCS1.30.0.1,d.20,a.-4"}, 1, 0,
		"150us client 0 context 2, line 1 (step 1), iteration 0, on RCS: from submission to end\n"
		"  50.0us not ready: software fence (f), waits for its client to signal it (a)\n"
		"    30.0us client 0 at line 1 (step 2): waits for its batch: client 0 context 1, line 1 (step 2)\n"
		"      30.0us runs on VCS1\n"
		"    20.0us client 0 at line 1 (step 3): delay (d)\n"
		"  100us runs on RCS\n"},
	    /* In flight, not ready yet. */
	    {"fifo", {"1.VCS1.300.0.0,2.RCS.100.-1.0"}, 2, 100,
		"100us client 0 context 2, line 1 (step 1), iteration 0, on RCS: from submission until now, in flight\n"
		"  100us not ready: waits for the data of client 0 context 1, line 1 (step 0)\n"
		"    100us runs on VCS1\n"},
	    /* A miss: the batch with the wait flag, and what that waited for. */
	    {"fifo", {"1.RCS.150.0.0,1.VCS1.100.-1.1,p.200"}, 0, 0,
		"250us client 0, iteration 0: 50.0us late for its period of 200us at line 1 (step 2)\n"
		"  250us client 0 at line 1 (step 1): waits for its batch: client 0 context 1, line 1 (step 1)\n"
		"    150us not ready: waits for the data of client 0 context 1, line 1 (step 0)\n"
		"      150us runs on RCS\n"
		"    100us runs on VCS1\n"},
	    /* s, d, q, t. */
	    {"fifo",
		{"1.RCS.50.0.0,s.-1,d.20,q.1,1.VCS1.60.0.0,1.VCS1.10.0.0,q.0,t.1,1.BCS.40.0.0,2.BCS.7.0.0,p.10"},
		0, 0,
		"180us client 0, iteration 0: 170us late for its period of 10.0us at line 1 (step 10)\n"
		"  50.0us client 0 at line 1 (step 1): syncs (s) with client 0 context 1, line 1 (step 0)\n"
		"    50.0us runs on RCS\n"
		"  20.0us client 0 at line 1 (step 2): delay (d)\n"
		"  60.0us client 0 at line 1 (step 5): queue depth (q), waits for client 0 context 1, line 1 (step 4)\n"
		"    60.0us runs on VCS1\n"
		"  10.0us client 0 at line 1 (step 8): throttled (t), waits for client 0 context 1, line 1 (step 5)\n"
		"    10.0us runs on VCS1\n"
		"  40.0us client 0 at line 1 (step 9): throttled (t), waits for client 0 context 1, line 1 (step 8)\n"
		"    40.0us runs on BCS\n"},
	    /* The records are gone. */
	    {"fifo", {"1.VCS1.300.0.1,p.1"}, 1, 0,
		"300us client 0 context 1, line 1 (step 0), iteration 0, on VCS1: from submission to end\n"
		"  300us runs on VCS1\n"},
	};

	for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++)
		tell(&scenarios[i], NULL);
}

/* Many parts: those in the middle are summed up. */
TEST(many)
{
	struct watched w = {0};
	struct text t = {0};
	nsec sum = 0;
	unsigned several = 0;

	lab_init(&w.lab, "execlists");
	add(&w, "1.RCS.30000.0.0", once);
	add(&w, "2.RCS.30000.0.0", once);
	finish(&w);
	assert_true(why_request(&w.why, w.trail, w.lab.sim, 1));
	for (size_t i = 1; i < w.why.n; i++) {
		const struct why_row *row = &w.why.rows[i];

		if (row->indent != 1)
			continue;
		sum += row->to_ns - row->from_ns;
		if (row->role == WHY_SEVERAL) {
			several++;
			text_adds(&t, why_text(&w.why, i));
		}
	}
	assert_int_equal(several, 1);
	assert_int_equal(sum, trail_request(w.trail, 1)->end_ns);
	assert_string_equal(
	    text_str(&t), "46 more like this; batches ran for 23.0ms");
	text_free(&t);
	watched_free(&w);
}

/* A row says that records are gone. */
/* Many requests that had the engine meanwhile are summed up by context. */
TEST(many_owners)
{
	struct watched w = {0};

	lab_init(&w.lab, "fifo");
	add(&w,
	    "1.RCS.100.0.0,2.RCS.50.0.0,1.RCS.100.0.0,2.RCS.50.0.0,"
	    "1.RCS.100.0.0,2.RCS.50.0.0,1.RCS.100.0.0,3.RCS.10.0.0",
	    once);
	finish(&w);
	expect_request(&w, 8,
	    "560us client 0 context 3, line 1 (step 7), iteration 0, on RCS: "
	    "from submission to end\n"
	    "  550us ready, queued for RCS, priority 0\n"
	    "    550us RCS busy with context 1 400us, context 2 150us\n"
	    "  10.0us runs on RCS\n");
	watched_free(&w);
}

TEST(what_is_gone)
{
	struct watched w = {0};

	lab_init(&w.lab, "fifo");
	add(&w, "1.RCS.10.0.1", (struct client_options){.repeat = 100});
	add(&w, "d.500,1.VCS1.1000.0.0,2.BCS.10.-1.0", once);
	finish(&w);
	assert_false(why_request(&w.why, w.trail, w.lab.sim, 1));
	assert_false(why_request(&w.why, w.trail, w.lab.sim, 0));
	assert_false(why_miss(&w.why, w.trail, w.lab.sim, 1));
	assert_true(why_request(&w.why, w.trail, w.lab.sim, 53));
	watched_free(&w);
}

static void
describe(void *data, const struct trail_request *r, struct text *out)
{
	if (r->place.step == 0)
		text_adds(out, data);
}

TEST(describe)
{
	static char words[] = "1.RCS.300.0.0";
	struct watched w = {.why = {.describe = describe, .data = words}};

	lab_init(&w.lab, "fifo");
	add(&w, "1.RCS.300.0.0,2.RCS.10.0.0", once);
	finish(&w);
	expect_request(&w, 2,
	    "310us client 0 context 2, line 1 (step 1), iteration 0, on RCS: "
	    "from submission to end\n"
	    "  300us ready, queued for RCS, priority 0\n"
	    "    300us RCS busy with client 0 context 1, line 1 (step 0: 1.RCS.300.0.0), "
	    "priority 0\n"
	    "  10.0us runs on RCS\n");
	watched_free(&w);
}
