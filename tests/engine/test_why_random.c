/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random runs (tests/support/chaos.h) in which an observer asks why all the time
 * (engine/explain/why.h): all of a request's time has a cause, and the causes
 * are what the engine says. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "engine/explain/why.h"
#include "tests/runner/test.h"
#include "tests/support/chaos.h"
#include "tests/support/environment.h"
#include "tests/support/scenery.h"

/* The children of a row are consecutive, and make up all of it. */
static size_t
check_row(const struct why *why, size_t row)
{
	const struct why_row *r = &why->rows[row];
	nsec at = r->from_ns;
	size_t i = row + 1;

	assert_true(r->from_ns <= r->to_ns);
	assert_true(strlen(why_text(why, row)) > 0);
	if (i == why->n || why->rows[i].indent <= r->indent)
		return i;
	while (i < why->n && why->rows[i].indent > r->indent) {
		assert_int_equal(why->rows[i].indent, r->indent + 1);
		assert_int_equal(why->rows[i].from_ns, at);
		at = why->rows[i].to_ns;
		i = check_row(why, i);
	}
	assert_int_equal(at, r->to_ns);
	return i;
}

static void
check_rows(const struct why *why)
{
	assert_int_equal(check_row(why, 0), why->n);
	assert_in_range(why->n, 1, 400);
	assert_int_equal(why->rows[0].indent, 0);
	assert_int_equal(why->rows[0].role, WHY_HEAD);
	/* A life that takes time is explained. */
	if (why->rows[0].to_ns > why->rows[0].from_ns)
		assert_true(why->n > 1);
}

/* Did a reset take back some of what it ran, or may it have? */
static bool
was_reset(const struct trail *t, const struct trail_request *r)
{
	uint64_t id = r->last_span;
	unsigned engine = r->engine;

	while (id != 0) {
		const struct trail_span *s = trail_span(t, engine, id);

		if (s == NULL || s->leaving == LEAVING_RESET)
			return true;
		id = s->before;
		engine = s->before_engine;
	}
	return false;
}

/* Checks the run time of the batch, if the answer is complete. */
static void
check_run(const struct why *why, const struct trail_request *r)
{
	nsec ran = 0;

	if (r->end_ns == NSEC_NEVER || was_reset(why->trail, r))
		return;
	for (size_t i = 1; i < why->n; i++) {
		const struct why_row *row = &why->rows[i];

		if (row->role == WHY_SEVERAL)
			return;
		if (row->indent == 1 && row->role == WHY_RUNS)
			ran += row->to_ns - row->from_ns;
	}
	assert_int_equal(ran, r->run_ns);
}

/* Asks why all the time. */
struct asker {
	struct trail *trail;
	struct why why;
	size_t size;
	uint64_t told;
};

static void
ask(struct asker *a, const struct sim *sim)
{
	uint64_t n = sim->n_submitted;

	for (uint64_t id = n > 60 ? n - 60 : 1; id <= n; id++) {
		const struct trail_request *r = trail_request(a->trail, id);

		assert_int_equal(
		    why_request(&a->why, a->trail, sim, id), r != NULL);
		if (r == NULL)
			continue;
		check_rows(&a->why);
		check_run(&a->why, r);
		a->told += a->why.n;
	}
	for (uint64_t id =
		 trail_previous_miss(a->trail, sim->now + 1, TRAIL_ANY_CLIENT);
	     why_miss(&a->why, a->trail, sim, id) && id + 10 > sim->n_missed;
	     id--) {
		check_rows(&a->why);
		a->told += a->why.n;
	}
	for (uint32_t i = 0; i < sim->n_clients && i < 10; i++)
		if (why_client(&a->why, a->trail, sim, i, 0, sim->now))
			check_rows(&a->why);
}

/* Checks that the trail and the engine agree on how the time was spent. */
static void
check_uses(const struct trail *t, const struct hw_engine *e, nsec now)
{
	struct engine_times seen = trail_used(t, e->index, now);
	struct engine_times counted = hw_engine_times(e, now);

	for (int use = 0; use < N_USES; use++)
		assert_int_equal(seen.ns[use], counted.ns[use]);
}

/* Checks that the spans add up to the busy time of each engine. */
static void
check_busy(const struct asker *a, const struct sim *sim)
{
	for (unsigned i = 0; i < sim->device.n_engines; i++) {
		struct trail_range range = trail_spans(
		    a->trail, i, 0, NSEC_NEVER);
		nsec busy = 0, at = 0;

		for (uint64_t id = range.first; id < range.end; id++) {
			const struct trail_span *s = trail_span(
			    a->trail, i, id);
			nsec from = s->taken_ns + s->completion_ns;
			nsec to = s->end_ns != NSEC_NEVER ? s->end_ns
							  : sim->now;

			assert_true(s->taken_ns >= at);
			assert_true(s->taken_ns <= to);
			at = s->end_ns;
			busy += to > from ? to - from : 0;
		}
		check_uses(a->trail, &sim->device.engines[i], sim->now);
		if (trail_since(a->trail) == 0)
			assert_int_equal(busy,
			    hw_engine_busy(&sim->device.engines[i], sim->now));
	}
}

static void
watch(void *watcher, struct sim *sim, enum chaos_moment moment)
{
	struct asker *a = watcher;

	if (moment == CHAOS_BEGINS)
		a->trail = trail_begin(sim, a->size);
	ask(a, sim);
	check_busy(a, sim);
	if (moment == CHAOS_IS_OVER) {
		assert_int_equal(trail_misses(a->trail, 0, NSEC_NEVER).end - 1,
		    sim->n_missed);
		trail_end(a->trail);
	}
}

TEST(random_runs)
{
	uint64_t first = from_environment("CHAOS_SEED", 1);
	uint64_t count = test_rounds("CHAOS_COUNT", 300);
	struct asker a = {0};

	for (uint64_t seed = first; seed < first + count; seed++) {
		struct chaos_result result = {0}, unwatched = {0};
		struct scene scene;
		struct chaos c, again;

		if (getenv("CHAOS_SEED") != NULL)
			print_message("seed %llu\n", (unsigned long long)seed);
		scene_make(&scene, &c, seed);
		again = c;
		c.watch = watch;
		c.watcher = &a;
		a.size = seed % 3 == 0 ? 16 : 8192;
		if (scene.n_programs > 0)
			chaos_run(&c, &scene.config, scene.programs,
			    scene.n_programs, &result);
		/* Observers change nothing. */
		if (scene.n_programs > 0)
			chaos_run(&again, &scene.config, scene.programs,
			    scene.n_programs, &unwatched);
		assert_int_equal(result.digest, unwatched.digest);
		scene_clear(&scene);
	}
	why_free(&a.why);
	assert_true(a.told > count);
}
