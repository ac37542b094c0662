/* SPDX-License-Identifier: GPL-3.0-or-later */
/* IGT's tests of guilty contexts, and of how they are ended (doc/behaviours.md
 * "The table", section 6.1, rows 55 to 59). */
#include <errno.h>

#include "engine/hang/error_state.h"
#include "tests/behaviours/behaviour.h"
#include "tests/behaviours/scene.h"

/* Reset statistics. */

static const struct ban_context *
stats_of(const struct lab *lab, unsigned client, unsigned context)
{
	const struct client *c = lab->sim->clients[client];

	for (uint32_t i = 0; i < c->n_contexts; i++) {
		if (c->contexts[i]->def->number == context)
			return &c->contexts[i]->ban;
	}
	fail_msg("no context %u", context);
	return NULL;
}

/* Makes context 1 hang that often; a request of MAX detects each hang. Contexts
 * 2 and 3 of the same client work, before and behind it, and so does another
 * client, on this engine and on others. */
static void
inject(const char *sched, struct lab *lab, unsigned hangs)
{
	const struct client_options again = {.repeat = hangs};

	lab_init(lab, sched);
	scene_timeouts(lab);
	lab_add(lab,
	    "P.3.1023,2.BCS.10.0.0,X.1.0,1.BCS.*.0.0,2.BCS.10.0.0,d.1000,"
	    "3.BCS.10.0.1,s.-4",
	    1, again);
	lab_add(lab, "4.BCS.10.0.0,5.RCS.100.0.1", 1,
	    (struct client_options){.repeat = 1000});
}

static void
reset_stats(const char *sched)
{
	for (unsigned hangs = 0; hangs <= 2; hangs++) {
		struct lab lab;

		inject(sched, &lab, hangs == 0 ? 1 : hangs);
		if (hangs == 0)
			lab_run(&lab, MS(1));
		else
			assert_int_equal(
			    sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
		assert_int_equal(stats_of(&lab, 0, 1)->guilty, hangs);
		assert_int_equal(stats_of(&lab, 0, 1)->active, 0);
		for (unsigned i = 2; i <= 3; i++) {
			assert_int_equal(stats_of(&lab, 0, i)->guilty, 0);
			assert_int_equal(stats_of(&lab, 0, i)->active, 0);
		}
		lab_free(&lab);
	}
}

/* After a reset of the whole GPU, contexts that ran elsewhere were active, not
 * guilty; those that waited were neither. */
static void
reset_stats_pending(const char *sched)
{
	struct lab lab;

	lab_init(&lab, sched);
	scene_timeouts(&lab);
	lab.config.profile.engine_reset = 0;
	scene_client(&lab,
	    "X.1.0,1.BCS.*.0.0,2.RCS.9000000.0.0,3.BCS.10.0.0,4.VCS1.10.-3.0");
	scene_clock(&lab);
	lab_run(&lab, SEC(12));
	assert_int_equal(lab.hung, 1);
	for (unsigned i = 1; i <= 4; i++) {
		assert_int_equal(stats_of(&lab, 0, i)->guilty, i == 1);
		assert_int_equal(stats_of(&lab, 0, i)->active, i == 2);
	}
	expect_ended(first(&lab, 2), 0);
	lab_free(&lab);
}

static void
reset_count(const char *sched)
{
	for (unsigned hangs = 1; hangs <= 3; hangs++) {
		struct lab lab;

		inject(sched, &lab, hangs);
		assert_int_equal(lab.sim->n_hangs, 0);
		assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
		assert_int_equal(lab.sim->n_hangs, hangs);
		lab_free(&lab);
	}
}

static void
unrelated_ctx(const char *sched)
{
	struct lab lab;

	inject(sched, &lab, 3);
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	assert_int_equal(lab.hung, 3);
	for (unsigned i = 4; i <= 5; i++) {
		assert_int_equal(stats_of(&lab, 1, i)->guilty, 0);
		assert_int_equal(stats_of(&lab, 1, i)->active, 0);
		assert_false(stats_of(&lab, 1, i)->banned);
	}
	for (size_t i = 0; i < lab.n_rows; i++) {
		if (lab.rows[i].client == 1)
			expect_ended(&lab.rows[i], 0);
	}
	lab_free(&lab);
}

/* Within 11 hangs its execbufs fail, without any engine; contexts 2 and 3 of
 * the client go on. */
static void
ban_ctx(const char *sched)
{
	unsigned n = 0;
	struct lab lab;

	inject(sched, &lab, 12);
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	assert_in_range(lab.hung, 1, 11);
	assert_true(stats_of(&lab, 0, 1)->banned);
	assert_int_equal(stats_of(&lab, 0, 1)->guilty, lab.hung);
	for (size_t i = 0; i < lab.n_rows; i++) {
		const struct lab_row *row = &lab.rows[i];

		if (row->context != 1) {
			expect_ended(row, 0);
			continue;
		}
		expect_ended(row, -EIO);
		if (++n > lab.hung)
			assert_string_equal(row->engine, "");
	}
	assert_int_equal(n, 12);
	assert_false(stats_of(&lab, 0, 2)->banned);
	assert_false(stats_of(&lab, 0, 3)->banned);
	lab_free(&lab);
}

/* A client with several contexts that hang is banned, within 11 hangs of each
 * other; another one is not and goes on. */
static void
ban(const char *sched)
{
	struct lab lab;

	lab_init(&lab, sched);
	scene_timeouts(&lab);
	lab_add(&lab,
	    "X.1.0,X.2.0,X.3.0,P.9.1023,1.BCS.*.0.0,d.1000,9.BCS.10.0.1,"
	    "2.BCS.*.0.0,d.1000,9.BCS.10.0.1,3.BCS.*.0.0,d.1000,9.BCS.10.0.1",
	    1, (struct client_options){.repeat = 4});
	lab_add(&lab, "4.BCS.10.0.0,5.RCS.100.0.1", 1,
	    (struct client_options){.repeat = 1000});
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	assert_in_range(lab.hung, 1, 11);
	assert_true(lab.sim->clients[0]->ban.banned);
	assert_false(lab.sim->clients[1]->ban.banned);
	assert_int_equal(lab.sim->clients[1]->ban.score, 0);
	for (size_t i = 0; i < lab.n_rows; i++) {
		if (lab.rows[i].client == 1)
			expect_ended(&lab.rows[i], 0);
	}
	lab_free(&lab);
}

/* It is closed while its hang is not found yet. */
static void
close_pending(const char *sched)
{
	struct lab lab;

	lab_init(&lab, sched);
	scene_timeouts(&lab);
	scene_client(&lab, "X.1.0,1.BCS.*.0.0,1.BCS.10.0.0,s.-2");
	scene_client(&lab, "2.BCS.10.0.0,3.RCS.100.0.1");
	scene_clock(&lab);
	lab_run(&lab, US(500));
	lab_kill(&lab, 0, true);
	lab_run(&lab, SEC(10));
	expect_ended(nth(&lab, 1, 0), -EIO);
	expect_ended(nth(&lab, 1, 1), -EIO);
	expect_ended(first(&lab, 2), 0);
	expect_ended(first(&lab, 3), 0);
	assert_int_equal(stats_of(&lab, 1, 2)->guilty, 0);
	lab_free(&lab);
}

/* The watchdog of requests. */

static void
watchdog(const char *sched, const char *text)
{
	struct lab lab;

	lab_init(&lab, sched);
	scene_timeouts(&lab);
	lab.config.profile.request_timeout_ns = SEC(20);
	scene_client(&lab, text);
	scene_clock(&lab);
	lab_run(&lab, SEC(20) - 1);
	for (size_t i = 0; i < lab.n_rows; i++)
		assert_true(is_busy(&lab.rows[i]));
	lab_run(&lab, SEC(21));
	for (size_t i = 0; i < lab.n_rows; i++) {
		expect_ended(&lab.rows[i], -EINTR);
		assert_in_range(lab.rows[i].end, SEC(20), SEC(20) + MS(2));
	}
	lab_free(&lab);
}

static void
watchdog_physical(const char *sched)
{
	for (unsigned e = 0; e < N_ENGINES; e++) {
		char *text = text_on_engine("1.@.*.0.0", ideal_engines[e]);

		watchdog(sched, text);
		free(text);
	}
}

static void
watchdog_virtual(const char *sched)
{
	watchdog(sched,
	    "M.1.VCS,B.1,M.2.VCS,B.2,M.3.VCS,B.3,M.4.VECS,B.4,1.DEFAULT.*.0.0,"
	    "2.DEFAULT.*.0.0,3.DEFAULT.*.0.0,4.DEFAULT.*.0.0");
}

/* Its time begins when it is ready. */
static void
far_fence(const char *sched)
{
	struct lab lab;

	lab_init(&lab, sched);
	scene_timeouts(&lab);
	lab.config.profile.request_timeout_ns = SEC(20);
	scene_client(&lab, "f,1.BCS.1000.f-1.0,2.RCS.*.f-2.0,d.30000000,a.-4");
	scene_clock(&lab);
	lab_run(&lab, SEC(49));
	expect_ended(first(&lab, 1), 0);
	assert_int_equal(first(&lab, 1)->start, SEC(30));
	assert_true(is_busy(first(&lab, 2)));
	lab_run(&lab, SEC(51));
	expect_ended(first(&lab, 2), -EINTR);
	assert_in_range(first(&lab, 2)->end, SEC(50), SEC(50) + MS(2));
	lab_free(&lab);
}

/* Capture. */

struct capture {
	struct observer observer;
	struct sim *sim;
	struct error_state *state;
};

static void
on_hung(struct observer *o, const struct hang *hang)
{
	struct capture *c = (struct capture *)(void *)o;

	assert_null(c->state);
	c->state = error_state_collect(c->sim, hang);
}

/* The error state has the hung request as it was, those that wait for it, and
 * the other engines. */
static void
capture(const char *sched)
{
	for (unsigned e = 0; e < N_ENGINES; e++) {
		struct capture c = {.observer.hung = on_hung};
		const struct error_state *s;
		struct lab lab;

		lab_init(&lab, sched);
		scene_timeouts(&lab);
		scene_preempt_timeout(&lab, MS(640));
		scene_client_on(&lab,
		    "P.2.1023,X.1.0,1.@.*.0.0,3.@.10.f-1.0,d.1000,2.@.10.0.0",
		    ideal_engines[e]);
		c.sim = lab.sim;
		sim_add_observer(lab.sim, &c.observer);
		lab_run(&lab, SEC(1));
		s = c.state;
		assert_non_null(s);
		assert_int_equal(s->hang.error, -EIO);
		assert_int_equal(s->request.name.context, 1);
		assert_string_equal(s->request.engine, ideal_engines[e]);
		assert_string_equal(s->request.state, "running");
		assert_int_equal(s->request.start_ns, 0);
		assert_int_equal(s->request.run_ns, s->hang.time);
		assert_int_equal(s->request.duration_ns, NSEC_NEVER);
		assert_int_equal(s->waiters.total, 1);
		assert_int_equal(s->waiters.list[0].name.context, 3);
		assert_int_equal(s->n_engines, N_ENGINES);
		for (unsigned i = 0; i < N_ENGINES; i++)
			assert_int_equal(s->engines[i].has_request, i == e);
		sim_remove_observer(lab.sim, &c.observer);
		error_state_free(c.state);
		lab_free(&lab);
	}
}

static const struct behaviour list[] = {
    {55, "gem_reset_stats@ban", PREEMPTIVE, ban, NULL},
    {55, "gem_reset_stats@ban-ctx", PREEMPTIVE, ban_ctx, NULL},
    {55, "gem_reset_stats@reset-stats", PREEMPTIVE, reset_stats, NULL},
    {55, "gem_reset_stats@reset-stats: batch_pending", PREEMPTIVE,
	reset_stats_pending, NULL},
    {55, "gem_reset_stats@reset-count", PREEMPTIVE, reset_count, NULL},
    {55, "gem_reset_stats@reset-count: as non-root", NULL, NULL,
	NOT_APPLICABLE("permissions: modelled clients have no users")},
    {55, "gem_reset_stats@unrelated-ctx", PREEMPTIVE, unrelated_ctx, NULL},
    {55, "gem_reset_stats@close-pending", PREEMPTIVE, close_pending, NULL},
    {57, "gem_watchdog@default-physical", PREEMPTIVE, watchdog_physical, NULL},
    {57, "gem_watchdog@default-virtual", PREEMPTIVE, watchdog_virtual, NULL},
    {57, "gem_watchdog@far-fence", PREEMPTIVE, far_fence, NULL},
    {58, "gem_exec_capture@capture", PREEMPTIVE, capture, NULL},
    {58, "gem_exec_capture@capture-recoverable", NULL, NULL,
	NOT_APPLICABLE(
	    "refuses captured objects of recoverable contexts on a discrete GPU: "
	    "the model has no memory to capture, and no RECOVERABLE parameter")},
    {59, "gem_ctx_exec@basic-norecovery", NULL, NULL,
	NOT_APPLICABLE(
	    "the RECOVERABLE parameter: all modelled contexts are recoverable, and "
	    "banned at the third hang (gem_reset_stats@ban-ctx)")},
};

const struct behaviours behaviours_igt_resets = BEHAVIOURS("6.1", list);
