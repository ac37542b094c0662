/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random runs (tests/support/chaos.h) whose time is asked for by cause all the
 * time (doc/model/causes.md): rows add up, and agree with each other and with
 * what the engines ran. */
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "engine/explain/causes.h"
#include "engine/explain/limits.h"
#include "tests/runner/test.h"
#include "tests/support/chaos.h"
#include "tests/support/environment.h"
#include "tests/support/scenery.h"

#define MAX_LOOKED_AT 8 /* clients, and contexts of each */

/* Checks that the rows below a row add up to it. */
static void
check_sums(const struct causes *c, const struct cause *row)
{
	struct text words = {0};
	nsec sum = 0;

	causes_text(c, row, &words);
	assert_true(words.len > 0);
	text_free(&words);
	for (const struct cause *r = row->first; r != NULL; r = r->next) {
		check_sums(c, r);
		assert_true(r->ns > 0);
		/* All of a subject's time has a cause. */
		if (row->kind == CAUSE_SUBJECT)
			assert_int_not_equal(r->kind, CAUSE_REST);
		sum += r->ns;
	}
	if (row->first != NULL)
		assert_int_equal(sum, row->ns);
}

/* Returns the row of running batches of a subject; NULL: none ran. */
static const struct cause *
runs_of(const struct cause *subject)
{
	for (const struct cause *r = subject->first; r != NULL; r = r->next)
		if (r->kind == CAUSE_PART && r->role == WHY_RUNS)
			return r;
	return NULL;
}

/* Returns how long an engine ran batches of a context, by the engine's tree. */
static nsec
ran_for(const struct cause *engine, uint32_t client, uint32_t context)
{
	const struct cause *runs = runs_of(engine);

	if (runs == NULL)
		return 0;
	for (const struct cause *r = runs->first; r != NULL; r = r->next)
		if (r->kind == CAUSE_OWNER && r->client == client &&
		    r->context == context)
			return r->ns;
	return 0;
}

/* Returns the same by the context's tree. */
static nsec
ran_on(const struct cause *context, unsigned engine)
{
	const struct cause *runs = runs_of(context);
	nsec sum = 0;

	if (runs == NULL)
		return 0;
	for (const struct cause *r = runs->first; r != NULL; r = r->next)
		if ((r->engines >> engine & 1) != 0)
			sum += r->ns;
	return sum;
}

struct asker {
	struct trail *trail;
	size_t size;
	struct limits_mark mark;
	uint64_t told;
};

/* Returns how an engine spent the time of a window, by its tree. */
static struct engine_times
uses_of(const struct cause *engine)
{
	struct engine_times used = {0};

	for (const struct cause *r = engine->first; r != NULL; r = r->next) {
		if (r->role == WHY_RUNS)
			used.ns[USE_RUNNING] += r->ns;
		else if (r->role == WHY_SSEU ||
		    (r->role == WHY_SWITCH && r->how != WHY_COMPLETES))
			used.ns[USE_SWITCHING] += r->ns;
		else if (r->role == WHY_POLLS)
			used.ns[USE_POLLING] += r->ns;
		else if (r->role == WHY_IDLE && r->how != 0)
			used.ns[USE_BLOCKED] += r->ns;
	}
	return used;
}

static void
check_engines(const struct causes *c, const struct trail *t, unsigned n)
{
	const struct cause *engine = c->root.first;

	for (unsigned i = 0; i < n; i++, engine = engine->next) {
		struct engine_times used = uses_of(engine);
		struct engine_times before = trail_used(t, i, c->from);
		struct engine_times after = trail_used(t, i, c->to);

		for (unsigned use = 0; use < N_USES; use++)
			assert_int_equal(
			    used.ns[use], after.ns[use] - before.ns[use]);
	}
}

static void
check_context(
    struct causes *c, const struct context *context, unsigned n, bool complete)
{
	const struct cause *engine = c->root.first, *subject = engine;
	struct sim_times times;

	sim_context_times(c->why.sim, context, &times);
	causes_add_context(c, context->client->id, context->def->number);
	while (subject->next != NULL)
		subject = subject->next;
	for (unsigned i = 0; complete && i < n; i++, engine = engine->next) {
		assert_int_equal(ran_on(subject, i),
		    ran_for(engine, context->client->id, context->def->number));
		if (c->from == 0)
			assert_int_equal(ran_on(subject, i), times.run_ns[i]);
	}
}

static void
ask_causes(struct asker *a, const struct sim *sim, nsec from)
{
	struct causes c = {0};
	unsigned n = sim->device.n_engines;

	if (!causes_begin(&c, a->trail, sim, from, sim->now)) {
		causes_free(&c);
		return;
	}
	for (unsigned i = 0; i < n; i++)
		causes_add_engine(&c, i);
	check_engines(&c, a->trail, n);
	for (size_t i = 0; i < sim->n_clients && i < MAX_LOOKED_AT; i++) {
		const struct client *client = sim->clients[i];

		causes_add_client(&c, client->id);
		for (uint32_t j = 0;
		     j < client->n_contexts && j < MAX_LOOKED_AT; j++)
			check_context(&c, client->contexts[j], n,
			    a->trail->last_request <= a->size);
	}
	for (const struct cause *r = c.root.first; r != NULL; r = r->next) {
		assert_int_equal(r->ns, c.to - c.from);
		check_sums(&c, r);
		a->told++;
	}
	causes_free(&c);
}

static void
check_shares(struct asker *a, const struct sim *sim)
{
	struct limits l;
	struct text line = {0};
	double sum;

	limits_find(&l, &a->mark, sim, a->trail);
	sum = l.served;
	for (unsigned i = 0; i < sim->device.n_engines; i++)
		sum += l.turns[i];
	for (unsigned i = 0; i < N_BLOCKS; i++)
		sum += l.blocks[i];
	assert_true(sum < 1.0001 && l.waits < 1.0001 && l.held < 1.0001);
	limits_long(&l, sim, &line);
	assert_int_equal(line.len > 0, l.to > l.from);
	text_free(&line);
	limits_mark(&a->mark, sim);
}

static void
watch(void *watcher, struct sim *sim, enum chaos_moment moment)
{
	struct asker *a = watcher;

	if (moment == CHAOS_BEGINS) {
		a->trail = trail_begin(sim, a->size);
		a->mark = (struct limits_mark){0};
	}
	ask_causes(a, sim, 0);
	ask_causes(a, sim, sim->now / 3);
	check_shares(a, sim);
	if (moment == CHAOS_IS_OVER)
		trail_end(a->trail);
}

TEST(random_time)
{
	uint64_t first = from_environment("CHAOS_SEED", 1);
	uint64_t count = test_rounds("CHAOS_COUNT", 200);
	struct asker a = {0};

	for (uint64_t seed = first; seed < first + count; seed++) {
		struct chaos_result result = {0};
		struct scene scene;
		struct chaos c;

		scene_make(&scene, &c, seed);
		c.watch = watch;
		c.watcher = &a;
		a.size = seed % 3 == 0 ? 16 : 8192;
		if (scene.n_programs > 0)
			chaos_run(&c, &scene.config, scene.programs,
			    scene.n_programs, &result);
		scene_clear(&scene);
	}
	assert_true(a.told > count);
}
