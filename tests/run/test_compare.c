/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Baselines: a comparison has the figures of two separate runs. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "engine/client/control.h"
#include "parser/document/edit.h"
#include "run/live/live.h"
#include "run/live/session.h"
#include "tests/runner/test.h"
#include "tests/support/session_lab.h"

static const char story[] = "P.1.1,1.RCS.9000.0.0,1.RCS.2500.-1.0,d.3000,"
			    "2.BCS.500.0.0,2.RCS.3000.-1.1,d.4000,p.16667";

static void
begin(struct session_lab *t, const char *scheduler)
{
	session_lab_begin(t, scheduler, story, 1);
}

static void
advance(struct session_lab *t, nsec to)
{
	clock_rebase(&t->session.clock, 0, t->session.run.sim->now);
	session_advance(&t->session, to - t->session.run.sim->now, 0);
	assert_int_equal(t->session.run.sim->now, to);
}

static void
raise_desktop(struct session_lab *t)
{
	struct control c = {.kind = CONTROL_PRIORITY,
	    .client = CONTROL_ALL,
	    .context = 2,
	    .value = 2};
	struct text err = {0};

	assert_true(session_control(&t->session, &c, &err));
}

static struct context_rates
all_so_far(const struct session_lab *t, uint32_t index)
{
	static const struct figures nothing;
	const struct sim *sim = t->session.run.sim;

	return figures_context_since(
	    &nothing, sim, sim->clients[0]->contexts[index]);
}

static void
same_rates(const struct context_rates *a, const struct context_rates *b)
{
	assert_true(fabs(a->busy - b->busy) < 1e-9);
	assert_true(fabs(a->missed - b->missed) < 1e-9);
	assert_int_equal(a->batches, b->batches);
	assert_int_equal(a->mean_ns, b->mean_ns);
	assert_int_equal(a->p99_ns, b->p99_ns);
}

/* A shadow under another scheduler, with a control on the way, equals a run of
 * its own. */
TEST(shadow)
{
	struct session_lab both, alone;
	struct text err = {0};

	begin(&both, "execlists");
	assert_true(session_compare(&both.session, 0, "fifo", &err));
	text_free(&err); /* it warns that fifo has no priorities */
	assert_string_equal(baseline_name(&both.session), "fifo");
	begin(&alone, "fifo");
	advance(&both, 100 * NSEC_PER_MSEC);
	advance(&alone, 100 * NSEC_PER_MSEC);
	raise_desktop(&both);
	raise_desktop(&alone);
	advance(&both, 500 * NSEC_PER_MSEC);
	advance(&alone, 500 * NSEC_PER_MSEC);
	for (uint32_t i = 0; i < 2; i++) {
		struct difference d = baseline_context(&both.session,
		    both.session.run.sim->clients[0]->contexts[i]);
		struct context_rates own = all_so_far(&alone, i);

		assert_true(d.known);
		same_rates(&d.other, &own);
	}
	assert_null(baseline_problem(&both.session));
	session_lab_end(&both);
	session_lab_end(&alone);
}

/* After the tweak no periods are missed, and the snapshot shows it. */
TEST(snapshot)
{
	struct session_lab t;
	struct rates live, other;
	struct context_rates before;
	struct difference d;

	begin(&t, "execlists");
	advance(&t, 300 * NSEC_PER_MSEC);
	before = all_so_far(&t, 1);
	session_snapshot(&t.session);
	raise_desktop(&t);
	advance(&t, 900 * NSEC_PER_MSEC);
	d = baseline_context(
	    &t.session, t.session.run.sim->clients[0]->contexts[1]);
	assert_true(d.known);
	same_rates(&d.other, &before);
	assert_true(d.other.missed > 50);
	assert_true(d.live.missed < 3);
	assert_true(d.live.mean_ns < d.other.mean_ns);
	assert_true(baseline_totals(&t.session, &live, &other));
	assert_true(live.iterations > 59 && other.iterations < 56);
	/* The snapshot is kept over a new launch, which starts with new
	 * figures. */
	{
		struct text err = {0};

		assert_true(session_set_scheduler(&t.session, 0, "drm", &err));
	}
	advance(&t, 100 * NSEC_PER_MSEC);
	d = baseline_context(
	    &t.session, t.session.run.sim->clients[0]->contexts[1]);
	same_rates(&d.other, &before);
	before = all_so_far(&t, 1);
	same_rates(&d.live, &before);
	session_lab_end(&t);
}

/* The effect of a tweak is visible soon, and the next snapshot covers the time
 * since the tweak only. */
TEST(tweak_after_tweak)
{
	struct session_lab t;
	struct difference d;
	const struct context *desktop;

	begin(&t, "execlists");
	assert_false(session_snapshot(&t.session)); /* nothing has run */
	for (nsec at = 1; at <= 5; at++)
		advance(&t, at * NSEC_PER_SEC);
	assert_true(session_snapshot(&t.session));
	desktop = t.session.run.sim->clients[0]->contexts[1];
	d = baseline_context(&t.session, desktop);
	assert_false(d.measured || d.known);
	for (nsec at = 1; at <= 20; at++)
		advance(&t, 5 * NSEC_PER_SEC + at * NSEC_PER_SEC / 2);
	d = baseline_context(&t.session, desktop);
	assert_true(d.measured && d.known && d.live.missed > 50);
	raise_desktop(&t);
	for (nsec at = 1; at <= 4; at++)
		advance(&t, 15 * NSEC_PER_SEC + at * NSEC_PER_SEC / 2);
	d = baseline_context(&t.session, desktop);
	assert_true(d.other.missed > 50);
	assert_true(d.live.missed == 0);
	assert_true(session_snapshot(&t.session));
	assert_int_equal(t.session.baseline.from.at, 15 * NSEC_PER_SEC);
	d = baseline_context(&t.session, desktop);
	assert_false(d.measured || d.known);
	session_forget_baseline(&t.session);
	assert_true(session_snapshot(&t.session));
	assert_int_equal(t.session.baseline.from.at, 15 * NSEC_PER_SEC);
	raise_desktop(&t);
	assert_false(session_snapshot(&t.session));
	session_lab_end(&t);
}

/* A context whose index changes with an edit is compared with itself. */
TEST(edited)
{
	static const char line[] = "1.VCS1.100.0.0";
	struct session_lab t;
	struct text err = {0};
	struct context_rates before;
	struct difference d;
	const struct context *second;

	session_lab_begin(&t, "fifo", "2.RCS.9000.0.0,3.BCS.50.0.0,p.16667", 1);
	advance(&t, 300 * NSEC_PER_MSEC);
	before = all_so_far(&t, 0);
	session_snapshot(&t.session);
	assert_true(edit_insert(
	    t.plan.sources[0].doc, 0, line, sizeof(line) - 1, &err));
	assert_int_equal(
	    session_document_changed(&t.session, 0, LIVE_AT_ONCE, &err),
	    LIVE_TAKEN);
	advance(&t, 500 * NSEC_PER_MSEC);
	second = live_find_context(t.session.run.sim->clients[0], 2);
	assert_int_equal(second->index, 1);
	d = baseline_context(&t.session, second);
	assert_true(d.known);
	same_rates(&d.other, &before);
	assert_true(d.live.mean_ns >= 9 * NSEC_PER_MSEC);
	assert_false(baseline_context(
	    &t.session, live_find_context(t.session.run.sim->clients[0], 1))
			 .known);
	session_lab_end(&t);
}

TEST(refused)
{
	struct session_lab t;
	struct text err = {0};

	begin(&t, "execlists");
	assert_false(session_compare(&t.session, 0, "nosuch", &err));
	assert_true(err.len > 0);
	text_clear(&err);
	assert_false(session_compare(&t.session, 0, "execlists", &err));
	assert_non_null(strstr(text_str(&err), "already"));
	assert_null(baseline_name(&t.session));
	text_free(&err);
	session_lab_end(&t);
}
