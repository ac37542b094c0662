/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Snapshots (engine/snapshot.h): a run that is put back to an earlier instant
 * goes the way that it went, request by request. Random descriptors under every
 * scheduler, with random profiles and live controls, and a trail, whose memory
 * is of the run too.
 *
 * CHAOS_COUNT=N cases from CHAOS_SEED=N on.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/region.h"
#include "engine/explain/trail.h"
#include "engine/snapshot.h"
#include "tests/runner/test.h"
#include "tests/support/environment.h"
#include "tests/support/lab.h"
#include "tests/support/scenery.h"

#define N_SCHEDULERS 6

static void
follow(void *watcher, struct sim *sim, enum chaos_moment moment)
{
	struct trail **trail = watcher;

	if (moment == CHAOS_BEGINS)
		*trail = trail_begin(sim, 256);
	else if (moment == CHAOS_IS_OVER)
		trail_end(*trail);
}

/* Returns the digest of a run, which goes back half way, or does not. */
static struct chaos_result
result_of(uint64_t seed, bool goes_back, const char **scheduler)
{
	struct chaos_result result = {0};
	struct trail *trail;
	struct scene scene;
	struct chaos c;

	scene_make(&scene, &c, seed);
	c.watch = follow;
	c.watcher = &trail;
	c.goes_back = goes_back;
	*scheduler = scene.config.sched->name;
	if (scene.n_programs > 0)
		chaos_run(&c, &scene.config, scene.programs, scene.n_programs,
		    &result);
	scene_clear(&scene);
	return result;
}

TEST(random_runs_again)
{
	uint64_t first = from_environment("CHAOS_SEED", 1);
	uint64_t count = test_rounds("CHAOS_COUNT", 400);
	const char *seen[N_SCHEDULERS] = {NULL}, *name;
	unsigned n_seen = 0;

	for (uint64_t seed = first; seed < first + count; seed++) {
		struct chaos_result once = result_of(seed, false, &name);
		struct chaos_result twice = result_of(seed, true, &name);
		unsigned i = 0;

		if (memcmp(&once, &twice, sizeof once) != 0)
			fail_msg("CHAOS_SEED=%llu CHAOS_COUNT=1: %s goes "
				 "another way",
			    (unsigned long long)seed, name);
		while (i < n_seen && strcmp(seen[i], name) != 0)
			i++;
		if (i == n_seen && n_seen < N_SCHEDULERS)
			seen[n_seen++] = name;
	}
	if (count >= 400)
		assert_int_equal(n_seen, N_SCHEDULERS);
}

/* Any snapshot of several, in any order, and after the run has grown. */
TEST(several)
{
	struct snapshot *early, *late;
	struct lab lab;
	char *rows, *again;
	size_t n_rows;

	lab_init(&lab, "execlists");
	lab_add(&lab, "1.RCS.500-900.0.0,2.VCS.300-700.-1.0,p.2000", 3,
	    (struct client_options){.repeat = 40});
	lab_run(&lab, 5 * NSEC_PER_MSEC);
	early = snapshot_take(lab.sim);
	n_rows = lab.n_rows;
	lab_run(&lab, 20 * NSEC_PER_MSEC);
	late = snapshot_take(lab.sim);
	sim_run(lab.sim, NSEC_NEVER, 0);
	rows = lab_rows_text(&lab, LAB_ROWS);

	snapshot_restore(lab.sim, early);
	assert_true(lab.sim->now <= 5 * NSEC_PER_MSEC);
	lab.n_rows = n_rows;
	/* A branch that was never there before. */
	lab_add(
	    &lab, "1.BCS.100.0.0", 200, (struct client_options){.repeat = 3});
	sim_run(lab.sim, NSEC_NEVER, 0);
	assert_int_equal(lab.sim->n_clients, 203);

	snapshot_restore(lab.sim, late);
	assert_int_equal(lab.sim->n_clients, 3);
	snapshot_restore(lab.sim, early);
	lab.n_rows = n_rows;
	sim_run(lab.sim, NSEC_NEVER, 0);
	again = lab_rows_text(&lab, LAB_ROWS);
	assert_string_equal(again, rows);

	snapshot_free(early);
	lab_free(&lab);
	snapshot_free(late);
	free(rows);
	free(again);
}

/* A snapshot reads all of the region: that has no room for records that the trail
 * may have later. */
TEST(size)
{
	struct snapshot *snapshot;
	struct trail *trail;
	struct lab lab;

	lab_init(&lab, "fifo");
	lab_add(&lab, "1.RCS.500.0.0", 1, (struct client_options){.repeat = 9});
	trail = trail_begin(lab.sim, TRAIL_DEFAULT_SIZE);
	sim_run(lab.sim, NSEC_NEVER, 0);
	snapshot = snapshot_take(lab.sim);
	assert_true(region_used(lab.sim->region) < 1000000);
	assert_true(snapshot_size(snapshot) < 300000);
	snapshot_free(snapshot);
	trail_end(trail);
	lab_free(&lab);
}
