/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Clients from outside that come, do anything, and vanish at any time, beside
 * programs: each request ends once, and the run ends (doc/model/outside.md). The
 * invariants of debug builds hold all the while.
 */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/util.h"
#include "engine/client/control.h"
#include "engine/explain/trail.h"
#include "engine/invariants/invariants.h"
#include "tests/runner/test.h"
#include "tests/support/lab.h"

#define N_RUNS       60
#define N_STEPS      300
#define MAX_CONTEXTS 60
#define MAX_REQUESTS 2000
#define MAX_ENDS     100
#define N_FENCES     8
#define N_OBJECTS    6

struct chaos {
	struct lab lab;
	struct owner owner;
	struct client *clients[N_STEPS + 1];
	unsigned n_clients;
	struct context *contexts[MAX_CONTEXTS];
	unsigned n_contexts;
	struct request_ref requests[MAX_REQUESTS];
	unsigned n_requests;
	struct fence *fences[N_FENCES];
	uint32_t objects[N_OBJECTS];
	unsigned n_submitted, n_ended;
	bool finishing;
	uint64_t random;
};

static unsigned
any_of(struct chaos *k, unsigned n)
{
	k->random = k->random * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(k->random >> 33) % n;
}

/* Events. */

static struct chaos *
chaos_of(struct owner *owner)
{
	return container_of(owner, struct chaos, owner);
}

static void
chaos_ended(struct owner *owner, struct request *rq, enum ending how)
{
	assert_int_equal(how == ENDED_OK, rq->error == 0);
	assert_ptr_equal(request_tag(rq), owner);
	chaos_of(owner)->n_ended += rq->row == 0;
}

static nsec
chaos_duration(struct owner *owner, struct request *rq)
{
	struct chaos *k = chaos_of(owner);
	const struct memory_poll poll = {.known = false};

	backend_set_polling(rq, any_of(k, 3) == 0 ? &poll : NULL);
	if (k->finishing || any_of(k, 3) == 0)
		return 0;
	return any_of(k, 4) == 0 ? NSEC_NEVER : any_of(k, 400) * NSEC_PER_USEC;
}

static void chaos_act(struct chaos *k);

static void
chaos_go(struct owner *owner, struct client *c)
{
	struct chaos *k = chaos_of(owner);

	assert_int_not_equal(c->state, CLIENT_ENDED);
	chaos_act(k);
	if (any_of(k, 3) == 0)
		backend_wake_at(c, c->sim->now + any_of(k, 500000));
}

static const struct owner_ops chaos_ops = {
    .ended = chaos_ended,
    .duration = chaos_duration,
    .go = chaos_go,
};

/* Actions. */

static struct client *
any_client(struct chaos *k)
{
	return k->n_clients > 0 ? k->clients[any_of(k, k->n_clients)] : NULL;
}

static bool
is_live(const struct client *c)
{
	return c != NULL && c->state == CLIENT_OUTSIDE && !c->dying;
}

static void
chaos_join(struct chaos *k)
{
	if (k->n_clients < N_STEPS)
		k->clients[k->n_clients++] = backend_client_new(
		    k->lab.sim, "program", 1, &k->owner);
}

static void
chaos_context(struct chaos *k)
{
	struct slot_setup slots[3] = {{0}};
	struct bond bond = {.master = 0, .siblings = 0x8};
	uint8_t rows[] = {2, 3};
	struct context_setup setup = {
	    .number = k->n_contexts,
	    .slots = slots,
	    .n_slots = 2,
	};
	struct client *c = any_client(k);
	struct context *context;
	struct text err = {0};

	if (!is_live(c) || k->n_contexts == MAX_CONTEXTS)
		return;
	setup.priority = (int16_t)((int)any_of(k, 41) - 20);
	setup.sseu = any_of(k, 3);
	setup.persistent = any_of(k, 2);
	setup.bannable = any_of(k, 4) > 0;
	setup.recoverable = any_of(k, 4) > 0;
	slots[0].engines = (engine_mask)1 << any_of(k, 5);
	slots[1].engines = 0xc; /* VCS1 and VCS2 */
	if (k->lab.config.sched->takes_bonds && any_of(k, 2) == 0) {
		slots[1].bonds = &bond;
		slots[1].n_bonds = 1;
	}
	if (k->lab.config.sched->takes_parallel && any_of(k, 3) == 0)
		slots[setup.n_slots++] = (struct slot_setup){
		    .n_rows = 2, .n_siblings = 1, .rows = rows};
	context = backend_context_new(c, &setup, &err);
	if (context != NULL)
		k->contexts[k->n_contexts++] = context;
	else
		assert_true(c->ban.banned);
	text_free(&err);
}

static struct context *
any_context(struct chaos *k)
{
	return k->n_contexts > 0 ? k->contexts[any_of(k, k->n_contexts)] : NULL;
}

static struct submission_wait
any_wait(struct chaos *k)
{
	struct submission_wait wait = {.kind = any_of(k, 3)};

	wait.started_on = (uint8_t)any_of(k, 3);
	if (k->n_requests > 0)
		wait.request = k->requests[any_of(k, k->n_requests)];
	wait.fence = k->fences[any_of(k, N_FENCES)];
	return wait;
}

static void
chaos_submit(struct chaos *k)
{
	struct context *context = any_context(k);
	nsec duration = any_of(k, 300) * NSEC_PER_USEC;
	nsec durations[2] = {duration, duration / 2};
	struct submission_wait waits[2];
	struct object_use use = {.object = k->objects[any_of(k, N_OBJECTS)]};
	struct outside_submission s = {
	    .durations_ns = durations,
	    .waits = waits,
	    .uses = &use,
	    .tag = &k->owner,
	};
	struct request_ref rq;
	enum submitted result;

	if (context == NULL)
		return;
	if (any_of(k, 12) == 0)
		durations[0] = durations[1] = NSEC_NEVER;
	use.write = any_of(k, 2);
	waits[0] = any_wait(k);
	waits[1] = any_wait(k);
	s.preempt_ns = any_of(k, 3) * 40 * NSEC_PER_USEC;
	s.n_waits = any_of(k, 3);
	s.n_uses = any_of(k, 2);
	s.label = any_of(k, 2) == 0 ? "3 draws" : NULL;
	s.asks = any_of(k, 4) == 0;
	s.timeline = backend_timeline(
	    context, any_of(k, context->def->n_rings));
	result = backend_submit(k->lab.sim, &s, &rq);
	if (result == SUBMIT_CLOSED)
		assert_true(context->closed || context->client->killed);
	if (result == SUBMIT_BANNED)
		assert_true(context->ban.banned);
	if (result != SUBMITTED)
		return;
	k->n_submitted++;
	assert_true(k->n_requests < MAX_REQUESTS);
	k->requests[k->n_requests++] = rq;
}

static struct request_ref
any_request(struct chaos *k)
{
	return k->n_requests > 0 ? k->requests[any_of(k, k->n_requests)]
				 : (struct request_ref){0};
}

static void
chaos_fence(struct chaos *k)
{
	struct fence **fence = &k->fences[any_of(k, N_FENCES)];

	if (!fence_signalled(*fence)) {
		backend_fence_signal(
		    k->lab.sim, *fence, any_of(k, 5) == 0 ? -ENOENT : 0);
		return;
	}
	backend_fence_free(k->lab.sim, *fence);
	*fence = backend_fence_new(k->lab.sim);
}

static void
chaos_change(struct chaos *k)
{
	struct context *context = any_context(k);
	struct text err = {0};

	if (context == NULL)
		return;
	backend_context_set_priority(context, (int)any_of(k, 41) - 20);
	backend_context_set_persistent(context, any_of(k, 2));
	assert_true(backend_context_set_sseu(context, any_of(k, 3), &err));
}

static void
chaos_close(struct chaos *k)
{
	struct context *context = any_context(k);

	if (context == NULL)
		return;
	if (any_of(k, 4) == 0)
		backend_context_ban(context);
	else
		backend_context_destroy(context);
}

static void
chaos_leave(struct chaos *k)
{
	struct client *c = any_client(k);

	if (c != NULL)
		backend_client_leave(c);
}

static void
chaos_act(struct chaos *k)
{
	struct client *c = any_client(k);
	struct request_ref rq;

	switch (any_of(k, 24)) {
	case 0: chaos_join(k); break;
	case 1: chaos_leave(k); break;
	case 2: chaos_close(k); break;
	case 3:
	case 4: chaos_context(k); break;
	case 5: chaos_change(k); break;
	case 6:
	case 7: chaos_fence(k); break;
	case 8: backend_cancel(k->lab.sim, any_request(k), -EIO); break;
	case 9:
	case 10:
		rq = any_request(k);
		backend_end(k->lab.sim, rq, any_of(k, 2) * 50 * NSEC_PER_USEC);
		break;
	case 11:
		if (c != NULL)
			backend_wake(c);
		break;
	default: chaos_submit(k); break;
	}
}

/* Kills a client, as a user does; between two instants. */
static void
chaos_kill(struct chaos *k)
{
	struct control control = {
	    .kind = CONTROL_KILL, .persistent = any_of(k, 2)};
	struct client *c = any_client(k);
	struct text err = {0};

	if (!is_live(c))
		return;
	control.client = c->id;
	assert_true(sim_control(k->lab.sim, &control, &err));
}

/* Lets everything end: all clients go, all fences signal. */
static void
chaos_finish(struct chaos *k)
{
	struct sim *sim = k->lab.sim;

	k->finishing = true;
	for (unsigned i = 0; i < k->n_clients; i++)
		backend_client_leave(k->clients[i]);
	for (unsigned i = 0; i < N_FENCES; i++)
		if (!fence_signalled(k->fences[i]))
			backend_fence_signal(sim, k->fences[i], 0);
	for (unsigned i = 0; i < MAX_ENDS && sim->state == SIM_RUNNING; i++) {
		for (unsigned n = 0; n < k->n_requests; n++)
			backend_end(sim, k->requests[n], 0);
		sim_run(sim, sim->now + 100 * NSEC_PER_MSEC, 0);
	}
}

/* Fails with all that has not ended. */
static void
fail_chaos(const struct chaos *k, uint64_t seed)
{
	struct text t = {0};

	sim_explain_deadlock(k->lab.sim, &t);
	fail_msg("seed %llu under %s:\n%s", (unsigned long long)seed,
	    k->lab.config.sched->name, text_str(&t));
}

static unsigned
chaos_run(const char *sched, uint64_t seed)
{
	struct chaos k = {.owner = {&chaos_ops}, .random = seed};
	struct trail *trail;

	lab_init_timeouts(&k.lab, sched);
	k.lab.config.profile.preempt_timeout_ns = NSEC_PER_MSEC;
	lab_add(&k.lab, "1.RCS.100.0.0,M.2.VCS1|VCS2,B.2,2.DEFAULT.300.-3.1", 2,
	    (struct client_options){.repeat = 5});
	trail = trail_begin(k.lab.sim, 64);
	backend_set_open(k.lab.sim, true);
	for (unsigned i = 0; i < N_FENCES; i++)
		k.fences[i] = backend_fence_new(k.lab.sim);
	for (unsigned i = 0; i < N_OBJECTS; i++)
		k.objects[i] = backend_object_new(k.lab.sim);
	chaos_join(&k);
	for (unsigned i = 0; i < N_STEPS; i++) {
		chaos_act(&k);
		if (any_of(&k, 40) == 0)
			chaos_kill(&k);
		if (any_of(&k, 3) == 0) {
			sim_run(
			    k.lab.sim, k.lab.sim->now + any_of(&k, 200000), 0);
			invariants_check(k.lab.sim);
			lab_expect_uses(&k.lab, trail);
		}
	}
	backend_set_open(k.lab.sim, false);
	chaos_finish(&k);
	if (k.lab.sim->state != SIM_DONE)
		fail_chaos(&k, seed);
	assert_int_equal(k.lab.sim->state, SIM_DONE);
	assert_int_equal(k.n_ended, k.n_submitted);
	trail_end(trail);
	lab_free(&k.lab);
	return k.n_submitted;
}

TEST(chaos)
{
	static const char *const schedulers[] = {
	    "fifo", "execlists", "drm", "guc"};

	unsigned n = 0;

	for (unsigned i = 0; i < 4; i++)
		for (uint64_t seed = 1; seed <= N_RUNS; seed++)
			n += chaos_run(schedulers[i], seed);
	assert_true(n > 20 * N_RUNS);
}
