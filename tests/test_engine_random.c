/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random descriptors under every scheduler, with random profiles and live
 * controls. There is nothing to compare with: what is looked for are broken
 * invariants (engine/check/invariants.h, in builds that have them), crashes, and runs
 * that are not the same when repeated.
 *
 * CHAOS_COUNT=N cases from CHAOS_SEED=N on; the seed of a case that fails is
 * printed with all that it consists of.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "parser/diag.h"
#include "parser/document.h"
#include "tests/naive/generate.h"
#include "tests/support/chaos.h"

#define MAX_EVENTS   4000
#define CASE_SECONDS 60

/* Parallel slots, which the generator does not make. */
static const char *const parallel[] = {
    "G.9.VCS1/VCS2,9.DEFAULT.100-300.0.0,9.DEFAULT.50/100.-1.0,8.VCS1.70.0.1",
    "G.9.VECS1/VECS2,9.DEFAULT.*/20.0.0,8.VECS2.30.0.0,d.40,T.-3,"
    "7.VECS.20.-2.0",
    "P.9.5,G.9.VCS1/VCS2,3.VCS.40.0.0,9.DEFAULT.10.-1.0,3.VCS.20.-1.0,"
    "9.DEFAULT.1.-1.0,s.-1",
};

struct scene {
	struct naive_generated g;
	struct sim_config config;
	const struct program *programs[CHAOS_MAX_PROGRAMS];
	unsigned n_programs;
};

static void
add_program(struct scene *scene, const char *text, size_t len,
    enum document_source source)
{
	struct document *doc = document_parse("random", text, len, source);
	const struct document *docs[] = {doc};
	struct diag_list diags = {0};
	struct text err = {0};
	struct device dev;
	struct program *p;

	device_init(&dev, &scene->config.profile);

	struct program_options options = {
	    .duration_scale = scene->g.duration_scale,
	    .delay_scale = scene->g.delay_scale,
	    .all_slices = device_all_slices(&dev),
	};

	p = program_compile(docs, 1, &dev, &options, &diags);
	if (p != NULL && scene->n_programs < CHAOS_MAX_PROGRAMS &&
	    scene->config.sched->accepts(p, &err))
		scene->programs[scene->n_programs++] = p;
	else if (p != NULL)
		program_free(p);
	diag_list_free(&diags);
	document_free(doc);
	text_free(&err);
}

static void
scene_make(struct scene *scene, struct chaos *c, uint64_t seed)
{
	memset(scene, 0, sizeof *scene);
	*c = (struct chaos){.random = seed, .max_events = MAX_EVENTS};
	chaos_configure(c, &scene->config, true);
	naive_generate(&scene->g,
	    (enum naive_scheduler)chaos_below(c, N_NAIVE_SCHEDULERS), seed);
	/* So that batches are about as long as timeouts. */
	if (chaos_below(c, 4) == 0)
		scene->g.duration_scale *= 20;
	for (unsigned i = 0; i < scene->g.n_workloads; i++)
		add_program(scene, text_str(&scene->g.workloads[i]),
		    scene->g.workloads[i].len, SOURCE_FILE);
	if (chaos_below(c, 3) == 0) {
		const char *text = parallel[chaos_below(c, 3)];

		add_program(scene, text, strlen(text), SOURCE_INLINE);
	}
}

static void
scene_clear(struct scene *scene)
{
	for (unsigned i = 0; i < scene->n_programs; i++)
		program_unref((struct program *)(uintptr_t)scene->programs[i]);
	naive_generated_clear(&scene->g);
}

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

/* What a child tells, however it ends. */
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

static uint64_t
from_environment(const char *name, uint64_t otherwise)
{
	const char *value = getenv(name);

	return value != NULL ? strtoull(value, NULL, 10) : otherwise;
}

static void
test_random_runs(void **state)
{
	uint64_t first = from_environment("CHAOS_SEED", 1);
	uint64_t count = from_environment("CHAOS_COUNT", 2000);
	struct progress *progress = mmap(NULL, sizeof *progress,
	    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status;
	pid_t child;

	(void)state;
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

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_random_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
