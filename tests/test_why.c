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

/* A run, and what is said of one of its requests or misses. */
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

/* What engines do to it. */
static void
test_engines(void **state)
{
	static const struct scenario scenarios[] = {
	    /* Preempted, by whom, and for how long. */
	    {"execlists", {"1.RCS.1000.0.0", "P.2.5,d.250,2.RCS.300.0.0"}, 1, 0,
		"1.33ms context 1 step 0 of client 0, iteration 0, on RCS: from submission to end\n"
		"  10.0us context switch on RCS\n"
		"  300us runs on RCS\n"
		"  310us off RCS: preempted by client 1 context 2 step 2, priority 5\n"
		"    310us RCS has client 1 context 2 step 2, priority 5\n"
		"  1.00us RCS completes the batch before\n"
		"  10.0us context switch on RCS\n"
		"  700us runs on RCS\n"},
	    /* Still off its engine. */
	    {"execlists", {"1.RCS.1000.0.0", "P.2.5,d.250,2.RCS.300.0.0"}, 1,
		400,
		"400us context 1 step 0 of client 0, iteration 0, on RCS: in flight since it was submitted\n"
		"  10.0us context switch on RCS\n"
		"  300us runs on RCS\n"
		"  90.0us off RCS: preempted by client 1 context 2 step 2, priority 5\n"
		"    90.0us RCS has client 1 context 2 step 2, priority 5\n"},
	    /* One without preemption points holds up a better one. */
	    {"execlists", {"X.1.0,1.RCS.500.0.0", "P.2.5,d.100,2.RCS.30.0.0"},
		2, 0,
		"451us context 2 step 2 of client 1, iteration 0, on RCS: from submission to end\n"
		"  410us ready, queued for RCS, priority 5\n"
		"    410us RCS has client 0 context 1 step 1, priority 0, can't be preempted\n"
		"  1.00us RCS completes the batch before\n"
		"  10.0us context switch on RCS\n"
		"  30.0us runs on RCS\n"},
	    /* Slices in turn. */
	    {"execlists", {"1.RCS.12000.0.0", "2.RCS.1500.0.0"}, 1, 0,
		"13.6ms context 1 step 0 of client 0, iteration 0, on RCS: from submission to end\n"
		"  10.0us context switch on RCS\n"
		"  1.00ms runs on RCS\n"
		"  1.01ms off RCS: its slice is over, for client 1 context 2 step 0, priority 0\n"
		"    1.01ms RCS has client 1 context 2 step 0, priority 0, then slice over\n"
		"  10.0us context switch on RCS\n"
		"  1.00ms runs on RCS\n"
		"  510us off RCS: its slice is over, for client 1 context 2 step 0, priority 0\n"
		"    510us RCS has client 1 context 2 step 0, priority 0\n"
		"  1.00us RCS completes the batch before\n"
		"  10.0us context switch on RCS\n"
		"  10.0ms runs on RCS\n"},
	    /* Other slices: SSEU. */
	    {"fifo", {"S.1.1,1.RCS.100.0.0,S.2.3,2.RCS.100.0.0"}, 2, 0,
		"271us context 2 step 3 of client 0, iteration 0, on RCS: from submission to end\n"
		"  110us ready, queued for RCS, priority 0\n"
		"    110us RCS has client 0 context 1 step 1, priority 0\n"
		"  1.00us RCS completes the batch before\n"
		"  10.0us context switch on RCS\n"
		"  50.0us SSEU: RCS sets up another slice mask\n"
		"  100us runs on RCS\n"},
	    /* A semaphore. */
	    {"execlists", {"1.VCS1.300.0.0,2.RCS.100.-1.0"}, 2, 0,
		"410us context 2 step 1 of client 0, iteration 0, on RCS: from submission to end\n"
		"  10.0us not ready: to poll a semaphore, waits for the start of client 0 context 1 step 0\n"
		"    10.0us context switch on VCS1\n"
		"  10.0us context switch on RCS\n"
		"  290us has RCS, polls a semaphore for the end of client 0 context 1 step 0\n"
		"    290us runs on VCS1\n"
		"  100us runs on RCS\n"},
	    /* guc: another of its band has the engine. */
	    {"guc", {"1.RCS.300.0.0", "2.RCS.100.0.0"}, 2, 0,
		"421us context 2 step 0 of client 1, iteration 0, on RCS: from submission to end\n"
		"  310us ready, queued for RCS, priority 0\n"
		"    310us RCS has client 0 context 1 step 0, priority 0\n"
		"  1.00us RCS completes the batch before\n"
		"  10.0us context switch on RCS\n"
		"  100us runs on RCS\n"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++)
		tell(&scenarios[i], costly);
}

/* What it waits for, and what clients do. */
static void
test_waits(void **state)
{
	static const struct scenario scenarios[] = {
	    /* Submit fence. */
	    {"fifo", {"3.VCS1.50.0.0,1.VCS1.100.0.0,2.RCS.100.s-1.0"}, 3, 0,
		"150us context 2 step 2 of client 0, iteration 0, on RCS: from submission to end\n"
		"  50.0us not ready: submit fence (s), waits for the start of client 0 context 1 step 1\n"
		"    50.0us ready, queued for VCS1, priority 0\n"
		"      50.0us VCS1 has client 0 context 3 step 0, priority 0\n"
		"  100us runs on RCS\n"},
	    /* Software fence: what its client does until it advances it. */
	    {"fifo", {"f,2.RCS.100.f-1.0,1.VCS1.30.0.1,d.20,a.-4"}, 1, 0,
		"150us context 2 step 1 of client 0, iteration 0, on RCS: from submission to end\n"
		"  50.0us not ready: software fence (f), waits for its client to advance (a) it\n"
		"    30.0us client 0 at step 2: waits for its batch: client 0 context 1 step 2\n"
		"      30.0us runs on VCS1\n"
		"    20.0us client 0 at step 3: delay (d)\n"
		"  100us runs on RCS\n"},
	    /* In flight, not ready yet. */
	    {"fifo", {"1.VCS1.300.0.0,2.RCS.100.-1.0"}, 2, 100,
		"100us context 2 step 1 of client 0, iteration 0, on RCS: in flight since it was submitted\n"
		"  100us not ready: needs the data of client 0 context 1 step 0\n"
		"    100us runs on VCS1\n"},
	    /* A miss: the batch with the wait flag, and what that waited for. */
	    {"fifo", {"1.RCS.150.0.0,1.VCS1.100.-1.1,p.200"}, 0, 0,
		"250us client 0, iteration 0: 50.0us late for its period of 200us (step 2)\n"
		"  250us client 0 at step 1: waits for its batch: client 0 context 1 step 1\n"
		"    150us not ready: needs the data of client 0 context 1 step 0\n"
		"      150us runs on RCS\n"
		"    100us runs on VCS1\n"},
	    /* s, d, q, t. */
	    {"fifo",
		{"1.RCS.50.0.0,s.-1,d.20,q.1,1.VCS1.60.0.0,1.VCS1.10.0.0,q.0,t.1,1.BCS.40.0.0,2.BCS.7.0.0,p.10"},
		0, 0,
		"180us client 0, iteration 0: 170us late for its period of 10.0us (step 10)\n"
		"  50.0us client 0 at step 1: syncs (s) with client 0 context 1 step 0\n"
		"    50.0us runs on RCS\n"
		"  20.0us client 0 at step 2: delay (d)\n"
		"  60.0us client 0 at step 5: queue depth (q), waits for client 0 context 1 step 4\n"
		"    60.0us runs on VCS1\n"
		"  10.0us client 0 at step 8: throttled (t), waits for client 0 context 1 step 5\n"
		"    10.0us runs on VCS1\n"
		"  40.0us client 0 at step 9: throttled (t), waits for client 0 context 1 step 8\n"
		"    40.0us runs on BCS\n"},
	    /* Nobody knows. */
	    {"fifo", {"1.VCS1.300.0.1,p.1"}, 1, 0,
		"300us context 1 step 0 of client 0, iteration 0, on VCS1: from submission to end\n"
		"  300us runs on VCS1\n"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++)
		tell(&scenarios[i], NULL);
}

/* Many parts: those in the middle are summed up. */
static void
test_many(void **state)
{
	struct watched w = {0};
	struct text t = {0};
	nsec sum = 0;
	unsigned several = 0;

	(void)state;
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
	    text_str(&t), "46 more of this kind; batches ran 23.0ms of it");
	text_free(&t);
	watched_free(&w);
}

/* What has fallen out of the trail is said to have. */
static void
test_what_is_gone(void **state)
{
	struct watched w = {0};

	(void)state;
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
	if (r->step == 0)
		text_adds(out, data);
}

static void
test_describe(void **state)
{
	static char words[] = "1.RCS.300.0.0";
	struct watched w = {.why = {.describe = describe, .data = words}};

	(void)state;
	lab_init(&w.lab, "fifo");
	add(&w, "1.RCS.300.0.0,2.RCS.10.0.0", once);
	finish(&w);
	expect_request(&w, 2,
	    "310us context 2 step 1 of client 0, iteration 0, on RCS: "
	    "from submission to end\n"
	    "  300us ready, queued for RCS, priority 0\n"
	    "    300us RCS has client 0 context 1 step 0 (1.RCS.300.0.0), "
	    "priority 0\n"
	    "  10.0us runs on RCS\n");
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
		/* Who watches changes nothing. */
		if (scene.n_programs > 0)
			chaos_run(&again, &scene.config, scene.programs,
			    scene.n_programs, &unwatched);
		assert_int_equal(result.digest, unwatched.digest);
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
	    cmocka_unit_test(test_engines),
	    cmocka_unit_test(test_waits),
	    cmocka_unit_test(test_many),
	    cmocka_unit_test(test_what_is_gone),
	    cmocka_unit_test(test_describe),
	    cmocka_unit_test(test_random_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
