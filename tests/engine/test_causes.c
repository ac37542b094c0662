/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time by cause (doc/model/causes.md): small runs that can be worked out by
 * hand. Random runs are in test_causes_random.c. */
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "base/units.h"
#include "engine/explain/causes.h"
#include "tests/runner/test.h"
#include "tests/support/lab.h"

#define US NSEC_PER_USEC

enum subject { CLIENT, CONTEXT, ENGINE };

/* A run without end, and the time of a subject from one time to another. */
struct scenario {
	const char *sched;
	const char *clients[3];
	enum subject subject;
	uint32_t client, context; /* ENGINE: client is its index */
	nsec from_us, to_us;
	const char *expected;
};

static void
print_below(const struct causes *c, const struct cause *row, int indent,
    struct text *out)
{
	char time[UNITS_LEN];

	for (const struct cause *r = row->first; r != NULL; r = r->next) {
		text_addf(
		    out, "%*s%s ", indent, "", format_duration(time, r->ns));
		causes_text(c, r, out);
		text_addc(out, '\n');
		print_below(c, r, indent + 2, out);
	}
}

static void
expect_causes(const struct scenario *s)
{
	struct lab lab;
	struct trail *trail = NULL;
	struct causes c = {0};
	struct text t = {0};

	lab_init(&lab, s->sched);
	lab.config.profile.slices = 3;
	lab.config.profile.sseu_ns = 50 * US;
	for (unsigned i = 0; i < 3 && s->clients[i] != NULL; i++) {
		lab_add(&lab, s->clients[i], 1, (struct client_options){0});
		if (trail == NULL)
			trail = trail_begin(lab.sim, 1024);
	}
	lab_run(&lab, s->to_us * US);
	assert_true(
	    causes_begin(&c, trail, lab.sim, s->from_us * US, s->to_us * US));
	switch (s->subject) {
	case CLIENT: causes_add_client(&c, s->client); break;
	case CONTEXT: causes_add_context(&c, s->client, s->context); break;
	case ENGINE: causes_add_engine(&c, s->client); break;
	}
	print_below(&c, &c.root, 0, &t);
	assert_string_equal(text_str(&t), s->expected);

	text_free(&t);
	causes_free(&c);
	trail_end(trail);
	lab_free(&lab);
}

/* Two clients take turns on RCS; the second has a delay, too. */
#define FIRST  "1.RCS.100.0.1"
#define SECOND "1.RCS.100.0.1,d.100"

static void
expect_all(const struct scenario *scenarios, size_t n)
{
	for (size_t i = 0; i < n; i++)
		expect_causes(&scenarios[i]);
}

#define EXPECT_ALL(scenarios)                                                  \
	expect_all((scenarios), sizeof(scenarios) / sizeof *(scenarios))

TEST(clients_that_share_an_engine)
{
	static const struct scenario scenarios[] = {
	    {"fifo", {FIRST, SECOND}, CLIENT, 0, 0, 0, 600,
		"600us client 0: its thread\n"
		"  600us waits for its batch (wait flag)\n"
		"    400us runs on RCS\n"
		"    200us ready, queued for RCS\n"
		"      200us client 1 context 1\n"},
	    {"fifo", {FIRST, SECOND}, CLIENT, 1, 0, 0, 600,
		"600us client 1: its thread\n"
		"  400us waits for its batch (wait flag)\n"
		"    200us ready, queued for RCS\n"
		"      200us client 0 context 1\n"
		"    200us runs on RCS\n"
		"  200us delay (d)\n"},
	    {"fifo", {FIRST, SECOND}, CONTEXT, 1, 1, 0, 600,
		"600us client 1 context 1\n"
		"  200us no request in flight: its client\n"
		"    200us delay (d)\n"
		"  200us ready, queued for RCS\n"
		"    200us client 0 context 1\n"
		"  200us runs\n"
		"    200us on RCS\n"},
	    {"fifo", {FIRST, SECOND}, ENGINE, 0, 0, 0, 600,
		"600us RCS\n"
		"  600us runs on RCS\n"
		"    400us client 0 context 1\n"
		"    200us client 1 context 1\n"},
	    /* A part of it. */
	    {"fifo", {FIRST, SECOND}, CLIENT, 1, 0, 50, 250,
		"200us client 1: its thread\n"
		"  150us waits for its batch (wait flag)\n"
		"    100us runs on RCS\n"
		"    50.0us ready, queued for RCS\n"
		"      50.0us client 0 context 1\n"
		"  50.0us delay (d)\n"},
	};

	EXPECT_ALL(scenarios);
}

TEST(chains)
{
	static const struct scenario scenarios[] = {
	    /* Two engines at once. */
	    {"fifo", {"1.RCS.200.0.0,1.VCS1.100.0.0,s.-2,d.100"}, CONTEXT, 0, 1,
		0, 600,
		"600us client 0 context 1\n"
		"  400us runs\n"
		"    200us on RCS\n"
		"    200us on RCS and VCS1 at once\n"
		"  200us no request in flight: its client\n"
		"    200us delay (d)\n"},
	    /* The chain: data of another context. */
	    {"fifo", {"1.VCS1.300.0.0,2.RCS.100.-1.1"}, CONTEXT, 0, 2, 0, 800,
		"800us client 0 context 2\n"
		"  600us not ready: waits for the data of context 1\n"
		"    600us runs on VCS1\n"
		"  200us runs\n"
		"    200us on RCS\n"},
	    {"fifo", {"0.RCS.100.0.1,d.100"}, CONTEXT, 0, 0, 0, 200,
		"200us client 0 context 0\n"
		"  100us no request in flight: its client\n"
		"    100us delay (d)\n"
		"  100us runs\n"
		"    100us on RCS\n"},
	    {"fifo", {"1.VCS1.300.0.0,2.RCS.100.-1.1"}, CLIENT, 0, 0, 0, 800,
		"800us client 0: its thread\n"
		"  800us waits for its batch (wait flag)\n"
		"    600us runs on VCS1\n"
		"    200us runs on RCS\n"},
	    {"fifo", {"1.VCS1.300.0.0,2.RCS.100.-1.1"}, ENGINE, 0, 0, 0, 800,
		"800us RCS\n"
		"  600us RCS is free, its requests are blocked\n"
		"    600us runs on VCS1\n"
		"  200us runs on RCS\n"
		"    200us context 2\n"},
	    {"execlists", {"1.VCS1.300.0.0,2.RCS.100.-1.1"}, ENGINE, 0, 0, 0,
		800,
		"800us RCS\n"
		"  600us polls a semaphore on RCS\n"
		"    600us runs on VCS1\n"
		"  200us runs on RCS\n"
		"    200us context 2\n"},
	    {"execlists", {"1.VCS1.300.0.0,2.RCS.100.-1.1"}, CONTEXT, 0, 2, 0,
		800,
		"800us client 0 context 2\n"
		"  600us polls a semaphore on RCS\n"
		"    600us runs on VCS1\n"
		"  200us runs\n"
		"    200us on RCS\n"},
	};

	EXPECT_ALL(scenarios);
}

TEST(preemption_and_slice_masks)
{
	static const struct scenario scenarios[] = {
	    {"execlists",
		{"1.RCS.1000.0.1,d.500", "P.2.5,d.250,2.RCS.300.0.1,d.950"},
		CONTEXT, 0, 1, 0, 1500,
		"1.50ms client 0 context 1\n"
		"  1.00ms runs\n"
		"    1.00ms on RCS\n"
		"  300us off RCS: preempted\n"
		"    300us client 1 context 2\n"
		"  200us no request in flight: its client\n"
		"    200us delay (d)\n"},
	    {"fifo", {"S.1.1,1.RCS.150.0.0,2.RCS.150.0.1"}, ENGINE, 0, 0, 350,
		1150,
		"800us RCS\n"
		"  600us runs on RCS\n"
		"    300us context 1\n"
		"    300us context 2\n"
		"  200us SSEU: RCS changes its slice mask\n"
		"    100us context 1\n"
		"    100us context 2\n"},
	    {"fifo", {"S.1.1,1.RCS.150.0.0,2.RCS.150.0.1"}, CONTEXT, 0, 2, 350,
		1150,
		"800us client 0 context 2\n"
		"  400us ready, queued for RCS\n"
		"    400us context 1\n"
		"  300us runs\n"
		"    300us on RCS\n"
		"  100us SSEU: RCS changes its slice mask\n"},
	};

	EXPECT_ALL(scenarios);
}
