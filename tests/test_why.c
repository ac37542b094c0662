/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is said of why a request took so long (tui/trail/why.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "parser/text.h"
#include "tests/support/lab.h"
#include "tests/support/scenery.h"
#include "tui/trail/why.h"

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

static void
test_fence_and_queue(void **state)
{
	struct watched w = {0};

	(void)state;
	lab_init(&w.lab, "fifo");
	add(&w, "1.VCS1.300.0.0,2.RCS.100.f-1.0", once);
	add(&w, "d.200,P.7.5,7.RCS.250.0.0", once);
	finish(&w);
	expect_request(&w, 2,
	    "550us context 2 step 1 of client 0, iteration 0, on RCS: "
	    "from submission to end\n"
	    "  300us not ready: fence (f), waits for the end of "
	    "client 0 context 1 step 0\n"
	    "    300us runs on VCS1\n"
	    "  150us ready, queued for RCS, priority 0\n"
	    "    150us RCS has client 1 context 7 step 2, priority 5\n"
	    "  100us runs on RCS\n");
	watched_free(&w);
}

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
	/* A life that takes time is told of. */
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

/* What its batch ran, if all is told. */
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

/* One who asks why all the time. */
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

/* What the spans say an engine was busy is what the engine says. */
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
	uint64_t count = from_environment("CHAOS_COUNT", 300);
	struct asker a = {0};

	(void)state;
	for (uint64_t seed = first; seed < first + count; seed++) {
		struct chaos_result result = {0};
		struct scene scene;
		struct chaos c;

		if (getenv("CHAOS_SEED") != NULL)
			print_message("seed %llu\n", (unsigned long long)seed);
		scene_make(&scene, &c, seed);
		c.watch = watch;
		c.watcher = &a;
		a.size = seed % 3 == 0 ? 16 : 8192;
		if (scene.n_programs > 0)
			chaos_run(&c, &scene.config, scene.programs,
			    scene.n_programs, &result);
		scene_clear(&scene);
	}
	why_free(&a.why);
	assert_true(a.told > count);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_fence_and_queue),
	    cmocka_unit_test(test_random_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
