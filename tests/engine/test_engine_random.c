/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random descriptors under every scheduler, with random profiles and live
 * controls. There is nothing to compare with: what is looked for are broken
 * invariants (engine/invariants/invariants.h, in builds that have them),
 * crashes, and runs that are not the same when repeated.
 *
 * CHAOS_COUNT=N cases from CHAOS_SEED=N on; the seed of a case that fails is
 * printed with all that it consists of.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/runner/test.h"
#include "tests/support/environment.h"
#include "tests/support/scenery.h"

#define CASE_SECONDS 60

/* False: a repeated run was another one. */
static bool
play(uint64_t seed, struct chaos_result *total)
{
	struct chaos_result first = {0}, second = {0};
	struct scene scene;
	struct chaos c, again;

	scene_make(&scene, &c, seed);
	again = c;
	if (scene.n_programs > 0) {
		chaos_run(&c, &scene.config, scene.programs, scene.n_programs,
		    &first);
		if (seed % 8 == 0)
			chaos_run(&again, &scene.config, scene.programs,
			    scene.n_programs, &second);
	}
	scene_clear(&scene);
	total->events += first.events;
	total->requests += first.requests;
	total->errors += first.errors;
	total->hangs += first.hangs;
	total->controls += first.controls;
	total->deadlocks += first.deadlocks;
	return seed % 8 != 0 || first.digest == second.digest;
}

static void
print_scene(uint64_t seed)
{
	struct text text = {0};
	struct scene scene;
	struct chaos c;

	scene_make(&scene, &c, seed);
	text_addf(&text, "--scheduler=%s\n", scene.config.sched->name);
	profile_print(&scene.config.profile, &text);
	naive_generated_print(&scene.g, &text);
	fprintf(stderr, "CHAOS_SEED=%llu CHAOS_COUNT=1\n%s",
	    (unsigned long long)seed, text_str(&text));
	text_free(&text);
	scene_clear(&scene);
}

/* How far a child process is, readable however it ends. */
struct progress {
	uint64_t seed;
	bool differs;
	struct chaos_result total;
};

static void
play_all(struct progress *progress, uint64_t first, uint64_t count)
{
	for (uint64_t seed = first; seed < first + count; seed++) {
		progress->seed = seed;
		alarm(CASE_SECONDS);
		if (!play(seed, &progress->total)) {
			progress->differs = true;
			return;
		}
	}
	alarm(0);
}

TEST(random_runs)
{
	uint64_t first = from_environment("CHAOS_SEED", 1);
	uint64_t count = test_rounds("CHAOS_COUNT", 2000);
	struct progress *progress = mmap(NULL, sizeof *progress,
	    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status;
	pid_t child;

	assert_true(progress != MAP_FAILED);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		play_all(progress, first, count);
		exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	if (status != 0 || progress->differs)
		print_scene(progress->seed);
	print_message("%llu cases: %llu events, %llu requests, %llu errors, "
		      "%llu hangs, %llu controls, %llu deadlocks\n",
	    (unsigned long long)count,
	    (unsigned long long)progress->total.events,
	    (unsigned long long)progress->total.requests,
	    (unsigned long long)progress->total.errors,
	    (unsigned long long)progress->total.hangs,
	    (unsigned long long)progress->total.controls,
	    (unsigned long long)progress->total.deadlocks);
	assert_false(progress->differs);
	assert_int_equal(status, 0);
	/* It is worth something only if all of it happens. */
	if (count >= 1000) {
		assert_true(progress->total.errors > 0);
		assert_true(progress->total.hangs > 0);
		assert_true(progress->total.controls > count);
	}
	munmap(progress, sizeof *progress);
}
