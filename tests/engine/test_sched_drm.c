/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `drm` (doc/model/drm.md) beside the files drm*.cases: its names, waits in words, long
 * rings, and killed entities ("Killed clients").
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "engine/instant.h"
#include "tests/runner/test.h"
#include "tests/support/lab.h"

static const char *const all[] = {"drm", "drm:rr", "drm:fair"};

/* It has the name of its policy too, as the others have; it tells one. */
TEST(drm_is_drm_fifo)
{
	struct text err = {0};
	const char *name;
	bool listed = false;

	assert_ptr_equal(sched_find("drm:fifo", &err), sched_find("drm", &err));
	assert_string_equal(sched_find("drm:fifo", &err)->name, "drm");
	for (unsigned i = 0; (name = sched_name(i)) != NULL; i++) {
		assert_non_null(sched_find(name, &err));
		listed |= strcmp(name, "drm:fifo") == 0;
	}
	assert_true(listed);
	/* Each that is there has a name that can be typed. */
	for (unsigned i = 0; sched_list(i) != NULL; i++)
		assert_ptr_equal(
		    sched_find(sched_list(i)->name, &err), sched_list(i));
	assert_null(sched_find("drm:", &err));
	assert_string_equal(text_str(&err),
	    "invalid scheduler 'drm:': expected fifo, execlists, drm, drm:rr, "
	    "drm:fair, guc");
	text_free(&err);
}

/* However many jobs stand before the one that is waited for. */
TEST(deadlock_beside_background_clients)
{
	struct lab lab;
	struct text t = {0};

	text_adds(&t, "1.RCS.*.0.0");
	for (unsigned i = 0; i < 1000; i++)
		text_adds(&t, ",1.RCS.1.0.0");
	text_adds(&t, ",s.-1");
	lab_init(&lab, "drm");
	lab_add(&lab, "d.1,1.BCS.1.0.0", 1,
	    (struct client_options){.background = true});
	lab_add(&lab, text_str(&t), 1, (struct client_options){.repeat = 1});
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DEADLOCK);
	text_free(&t);
	lab_free(&lab);
}

/* Waits are explained in words. */
TEST(explained)
{
	static const struct {
		nsec until;
		const char *text;
	} rows[] = {
	    {10000,
		"client 0 context 2, line 1 (step 1) on RCS, which is queued "
		"behind client 0 context 1, line 1 (step 0) on RCS, which is "
		"infinite and not terminated"},
	    {22000,
		"client 0 context 2, line 1 (step 1) on RCS, whose engine is "
		"being reset"},
	    {28000,
		"client 0 context 2, line 1 (step 1) on RCS, which is running"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct lab lab;
		struct text t = {0};

		lab_init(&lab, "drm");
		lab.config.profile.job_timeout_ns = 20000;
		lab.config.profile.ring_credits = 2;
		lab.config.profile.engine_reset_ns = 7000;
		lab_add(&lab, "1.RCS.*.0.0,2.RCS.9.0.0", 1,
		    (struct client_options){.repeat = 1});
		lab_run(&lab, rows[i].until);
		sim_explain_request(
		    lab.sim, request_get(lab.rows[1].request), &t);
		assert_string_equal(text_str(&t), rows[i].text);
		text_free(&t);
		lab_free(&lab);
	}
}

static void
kill(struct lab *lab, unsigned client)
{
	struct client *c = lab->sim->clients[client];

	for (uint32_t i = 0; i < c->n_rings; i++) {
		if (c->rings[i]->sched_data != NULL)
			lab->config.sched->ring_killed(lab->sim, c->rings[i]);
	}
	instant_run(lab->sim);
}

/* "Entity killed: queued jobs wait for their deps, then scheduled & finished
 * with -ESRCH": without a credit, but after what is on the ring, and stays
 * there. Step 1 so waits for step 0 only, step 3 for step 2 as well. */
TEST(entity_killed)
{
	static const nsec starts[] = {0, 12, 0, 30, 30, 30, 12, 40};

	for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
		struct lab lab;

		lab_init(&lab, all[i]);
		lab_add(&lab,
		    "1.RCS.*.0.0,1.RCS.5.0.0,2.BCS.30.0.0,1.RCS.5.-1.0,"
		    "2.BCS.4.0.0,1.RCS.3.0.0",
		    1, (struct client_options){.repeat = 1});
		lab_add(&lab, "1.RCS.5.0.0,d.40,1.RCS.5.0.0", 1,
		    (struct client_options){.repeat = 1});
		lab_run(&lab, 10000);
		kill(&lab, 0);
		assert_int_equal(lab.sim->device.engines[0].queued, 1);
		lab_run(&lab, 12000);
		lab_end(&lab, 0);
		lab_expect_ends(&lab,
		    "0 RCS 12 ok; 1 RCS 12 ESRCH; 2 BCS 30 ok; 3 RCS 30 ESRCH; "
		    "4 BCS 30 ESRCH; 5 RCS 30 ESRCH; 0 RCS 17 ok; 2 RCS 45 ok");
		for (size_t k = 0; k < lab.n_rows; k++)
			assert_int_equal(lab.rows[k].start, starts[k] * 1000);
		assert_int_equal(lab.hung, 0);
		lab_free(&lab);
	}
}

/* Jobs that waited for it go on, and the turn of the others too. */
TEST(dependents_of_the_killed)
{
	for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
		struct lab lab;

		lab_init(&lab, all[i]);
		lab_add(&lab, "1.RCS.9.0.0,1.RCS.9.0.0,1.RCS.9.0.0", 1,
		    (struct client_options){.repeat = 1});
		for (unsigned k = 0; k < 3; k++)
			lab_add(&lab, "1.RCS.2.0.0,2.BCS.1.-1.0,2.RCS.1.-2.0",
			    1, (struct client_options){.repeat = 1});
		lab_run(&lab, 1000);
		kill(&lab, 0);
		kill(&lab, 2);
		assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
		/* 9, then two clients with 3 us on the engine. */
		assert_int_equal(lab.sim->now, 15000);
		assert_int_equal(lab.rows[0].error, 0);
		assert_int_equal(lab.rows[1].error, -ESRCH);
		assert_int_equal(lab.rows[1].end, 9000);
		assert_int_equal(lab.rows[2].end, 9000);
		for (unsigned k = 6; k < 9; k++) {
			assert_int_equal(lab.rows[k].error, -ESRCH);
			assert_int_equal(lab.rows[k].end, 1000);
		}
		lab_free(&lab);
	}
}
