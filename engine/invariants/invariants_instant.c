/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rules of a finished instant: no request is lost, no engine is idle that
 * has work, and every count equals a recount.
 */
#include "engine/invariants/invariants.h"

#ifdef GPUWL_INVARIANTS

#include "base/region.h"
#include "engine/batch_name.h"
#include "engine/client/walker_run.h"
#include "engine/gpu/exec.h"
#include "engine/gpu/pace.h"
#include "engine/instant.h"
#include "engine/sim.h"

/* The recount of requests, by engine. */
struct recount {
	uint32_t queued[DEVICE_MAX_ENGINES];
	uint32_t blocked[DEVICE_MAX_ENGINES];
	uint32_t running;
	uint64_t work; /* things looked at */
};

static void
check_equal(
    const struct sim *sim, const char *what, uint64_t counted, uint64_t found)
{
	if (counted != found)
		invariants_broken(sim, NULL, "%s: %llu counted, %llu found",
		    what, (unsigned long long)counted,
		    (unsigned long long)found);
}

/* Requests. */

/* Returns the number of waits for fences that have not signalled, without those
 * for ends that requests need not wait for to be ready. */
static uint32_t
count_waits(const struct waiter *w)
{
	uint32_t n = 0;

	for (; w != NULL; w = w->next_of_owner)
		n += w->fence != NULL && !fence_signalled(w->fence) &&
		    !instant_is_end_wait(w);
	return n;
}

/* Checks that a blocked request has waits, all of which will be over. */
static void
check_blocked(const struct sim *sim, const struct request *rq)
{
	uint32_t n = count_waits(rq->waits);

	if (n == 0 || n != rq->n_waits)
		invariants_broken(sim, rq,
		    "is blocked with %u waits, of which %u will be over",
		    rq->n_waits, n);
	if (!invariants_has_waits(sim, rq))
		invariants_broken(sim, rq,
		    "is lost: blocked, and all that it waits for is over");
	if (fence_signalled(&rq->queued) || fence_signalled(&rq->scheduled))
		invariants_broken(sim, rq, "is blocked, but was ready");
}

static void
check_ready(
    const struct sim *sim, const struct request *rq, struct recount *count)
{
	const struct sched_ops *sched = sim->config.sched;

	if (sched->is_dropped != NULL && sched->is_dropped(rq))
		return;
	if (!fence_signalled(&rq->queued) || rq->n_waits > 0)
		invariants_broken(sim, rq, "is ready with waits");
	for (engine_mask m = rq->allowed; m != 0; m &= m - 1) {
		const struct hw_engine *e =
		    &sim->device.engines[__builtin_ctzll(m)];

		count->queued[e->index]++;
		if (hw_engine_is_free(e) &&
		    (sched->may_idle == NULL || !sched->may_idle(sim, rq, e)))
			invariants_broken(sim, rq,
			    "is ready and may run on %s, which is idle",
			    e->name);
	}
}

static void
check_running(const struct sim *sim, const struct request *rq)
{
	const struct hw_engine *e = rq->engine;

	if (e == NULL || e->running != rq)
		invariants_broken(
		    sim, rq, "is lost: running, and no engine knows of it");
}

static void
check_run_time(const struct sim *sim, const struct request *rq)
{
	nsec ran = rq->run_ns, done = pace_done(rq, sim->now);

	if (rq->piece_ns != NSEC_NEVER) {
		if (rq->state != REQUEST_RUNNING || rq->piece_ns > sim->now)
			invariants_broken(sim, rq,
			    "runs since %llu ns, where it does not",
			    (unsigned long long)rq->piece_ns);
		ran += sim->now - rq->piece_ns;
	}
	if (!rq->infinite && !sim->config.sched->reported &&
	    done > rq->duration_ns)
		invariants_broken(sim, rq, "runs for more than its duration");
	if (!sim->pacing.was_fast && (sim->paced ? done > ran : done != ran))
		invariants_broken(sim, rq,
		    "has done %llu ns of work in %llu ns",
		    (unsigned long long)done, (unsigned long long)ran);
	if (!fence_signalled(&rq->scheduled) &&
	    (ran > 0 || rq->piece_ns != NSEC_NEVER || rq->preemptions > 0))
		invariants_broken(
		    sim, rq, "has started, and its fence does not say so");
}

static void
check_state(
    const struct sim *sim, const struct request *rq, struct recount *count)
{
	switch (rq->state) {
	case REQUEST_BLOCKED:
		check_blocked(sim, rq);
		if (!rq->is_virtual)
			count->blocked[rq->engine->index]++;
		break;
	case REQUEST_READY: check_ready(sim, rq, count); break;
	case REQUEST_RUNNING: break;
	default: invariants_broken(sim, rq, "has ended and is not released");
	}
}

static void
check_request(
    const struct sim *sim, const struct request *rq, struct recount *count)
{
	/* The first row of a parallel step waits for all rows. */
	if (rq->row == 0)
		check_state(sim, rq, count);
	else if (rq->state != rq->first_row->state)
		invariants_broken(
		    sim, rq, "row %u is not where the first is", rq->row);
	if (rq->state == REQUEST_RUNNING) {
		check_running(sim, rq);
		count->running++;
	}
	check_run_time(sim, rq);
	if (fence_signalled(&rq->finished))
		invariants_broken(sim, rq, "is in flight, but has ended");
	if (rq->priority != rq->check.priority)
		invariants_broken(sim, rq,
		    "has priority %d and inherited no more than %d",
		    rq->priority, rq->check.priority);
}

/* Checks all requests in flight and their totals. */
static void
check_requests(const struct sim *sim, struct recount *count)
{
	const struct invariants *inv = sim->invariants;

	for (const struct request *rq = inv->first; rq != NULL;
	     rq = rq->check.after)
		check_request(sim, rq, count);
	count->work += inv->n_in_flight;
	check_equal(sim, "requests submitted", sim->n_submitted,
	    inv->n_submitted + inv->n_refused);
	check_equal(sim, "requests that have ended", sim->n_ended_requests,
	    inv->n_ended);
	check_equal(sim, "requests submitted less those that have ended",
	    inv->n_submitted - sim->n_ended_requests, inv->n_in_flight);
	if (sim->ready_first != NULL)
		invariants_broken(sim, sim->ready_first,
		    "is ready and was not given to the scheduler");
}

/* Engines. */

/* Checks that the request on an engine has an event, or a wait, that lets it
 * continue. The first row of a parallel step has it for all rows. */
static void
check_event(const struct sim *sim, const struct hw_engine *e)
{
	const struct request *rq = e->running;
	bool armed = e->event.seq != 0 || e->timeout_event.seq != 0;

	if (e->resetting && e->reset_event.seq == 0)
		invariants_broken(
		    sim, rq, "%s is reset without an end", e->name);
	if (rq == NULL && armed)
		invariants_broken(
		    sim, NULL, "%s is free and has an event", e->name);
	if (rq == NULL || armed || rq->row > 0 ||
	    ((rq->infinite || sim->config.sched->reported) &&
		exec_is_running(e)))
		return;
	if (exec_is_running(e) || rq->n_unended == 0)
		invariants_broken(
		    sim, rq, "is on %s and will never end", e->name);
	if (!invariants_has_waits(sim, rq))
		invariants_broken(sim, rq, "polls on %s for nothing", e->name);
}

static void
check_all_engines(const struct sim *sim, const struct recount *count)
{
	uint32_t running = 0;
	uint64_t batches = 0;

	for (unsigned i = 0; i < sim->device.n_engines; i++) {
		const struct hw_engine *e = &sim->device.engines[i];
		nsec used = hw_engine_busy(e, sim->now) +
		    hw_engine_waiting(e, sim->now);
		nsec parts = hw_engine_run(e, sim->now) +
		    hw_engine_sema(e, sim->now);

		check_event(sim, e);
		if (e->queued != count->queued[i] ||
		    e->blocked != count->blocked[i])
			invariants_broken(sim, NULL,
			    "%s has %u queued and %u blocked, %u and %u found",
			    e->name, e->queued, e->blocked, count->queued[i],
			    count->blocked[i]);
		if (hw_engine_is_free(e) != (sim->device.free >> i & 1))
			invariants_broken(sim, NULL,
			    "the device has lost track of %s, which is %s",
			    e->name, hw_engine_is_free(e) ? "free" : "taken");
		if (used > sim->now || parts > hw_engine_busy(e, sim->now))
			invariants_broken(sim, NULL,
			    "%s was busy and waiting for %llu ns, and ran or "
			    "polled for %llu",
			    e->name, (unsigned long long)used,
			    (unsigned long long)parts);
		running += e->running != NULL;
		batches += e->batches;
	}
	check_equal(sim, "engines with a request, requests that run", running,
	    count->running);
	check_equal(
	    sim, "batches of all engines", batches, sim->invariants->n_ran);
}

/* Clients. */

/* Checks that a ring has its requests in order of submission. */
static void
check_ring(const struct sim *sim, const struct ring *ring)
{
	const struct request *last = NULL;
	uint32_t n = 0;

	for (const struct request *rq = ring->first; rq != NULL;
	     rq = rq->next_of_ring) {
		if (rq->seq == 0 || rq->state == REQUEST_ENDED ||
		    rq->ring != ring)
			invariants_broken(sim, NULL,
			    "client %u: a ring holds a request that is none "
			    "of its own",
			    ring->context->client->id);
		if (last != NULL && last->seq >= rq->seq)
			invariants_broken(sim, rq, "is behind a later one");
		for (const struct request *row = rq; row != NULL;
		     row = row->next_row)
			sim->invariants->in_flight[ring->context->index]++;
		last = rq;
		n++;
	}
	if (n != ring->in_flight)
		invariants_broken(sim, NULL,
		    "client %u: a ring with %u in flight, %u found",
		    ring->context->client->id, ring->in_flight, n);
	if (request_get(ring->last) != last)
		invariants_broken(sim, last, "is not the last of its ring");
}

/* Checks all rings of a client and counts the requests of each context. */
static void
check_rings(const struct sim *sim, const struct client *c)
{
	struct invariants *inv = sim->invariants;

	while (inv->cap_in_flight < c->n_contexts)
		inv->in_flight = region_grow(sim->region, inv->in_flight,
		    inv->cap_in_flight, &inv->cap_in_flight,
		    sizeof *inv->in_flight);
	for (uint32_t i = 0; i < c->n_contexts; i++)
		inv->in_flight[i] = 0;
	for (uint32_t i = 0; i < c->n_rings; i++)
		check_ring(sim, c->rings[i]);
}

static void
check_waiting(const struct sim *sim, const struct client *c)
{
	uint32_t n = count_waits(client_waits(c));

	if (n == 0 || n != c->walker->n_waits)
		invariants_broken(sim, NULL,
		    "client %u has %u waits, of which %u will be over", c->id,
		    c->walker->n_waits, n);
}

static bool
is_full(const struct client *c)
{
	for (uint32_t i = 0; i < c->n_rings; i++) {
		if (c->rings[i]->drain && c->rings[i]->in_flight > 0)
			return true;
	}
	return false;
}

/* Checks that a blocked client has something that will wake it. */
static void
check_client_state(const struct sim *sim, const struct client *c)
{
	bool wakes = true;

	switch (c->state) {
	case CLIENT_RUNNABLE: wakes = sim->n_ended == sim->n_foreground; break;
	case CLIENT_SUBMITTING:
	case CLIENT_SLEEPING:
	case CLIENT_WAKING:
	case CLIENT_IDLING: wakes = c->timer.seq != 0; break;
	case CLIENT_QUEUED:
		wakes = !cpu_is_idle(sim) || sim->n_ended == sim->n_foreground;
		break;
	case CLIENT_WAITING: check_waiting(sim, c); break;
	case CLIENT_RING_FULL: wakes = is_full(c); break;
	case CLIENT_OUTSIDE: wakes = c->walker == NULL; break;
	case CLIENT_DRAINING: wakes = c->in_flight > 0; break;
	default: wakes = c->in_flight == 0; break;
	}
	if (!wakes)
		invariants_broken(sim, NULL,
		    "client %u is lost: %s at step %u, %u in flight", c->id,
		    client_state_name(c), client_place(c).step, c->in_flight);
}

struct sums {
	uint64_t in_flight, batches, on_cpu;
	nsec busy_ns; /* saturates at NSEC_MAX, as all totals */
};

static void
check_context_sums(
    const struct sim *sim, const struct context *context, struct sums *sums)
{
	uint32_t in_flight = sim->invariants->in_flight[context->index];

	if (in_flight != context->in_flight)
		invariants_broken(sim, NULL,
		    "client %u: context %u has %u in flight, %u found",
		    context->client->id, context->index, context->in_flight,
		    in_flight);
	sums->in_flight += context->in_flight;
	sums->batches += context->batches;
	sums->busy_ns = nsec_total(sums->busy_ns, context->busy_ns);
}

/* Adds contexts that are over, of which only sums are left; NULL: none. */
static void
add_past(const struct context *past, struct sums *sums)
{
	if (past == NULL)
		return;
	sums->batches += past->batches;
	sums->busy_ns = nsec_total(sums->busy_ns, past->busy_ns);
}

static void
check_client_sums(
    const struct sim *sim, const struct client *c, struct sums *all)
{
	struct sums sums = {0};

	check_rings(sim, c);
	for (uint32_t i = 0; i < c->n_contexts; i++)
		check_context_sums(sim, c->contexts[i], &sums);
	add_past(client_past(c), &sums);
	if (sums.in_flight != c->in_flight || sums.batches != c->batches ||
	    sums.busy_ns != c->busy_ns)
		invariants_broken(sim, NULL,
		    "client %u: its contexts do not add up to it", c->id);
	if (c->completed > client_iteration(c))
		invariants_broken(sim, NULL,
		    "client %u has completed iterations before walking them",
		    c->id);
	check_client_state(sim, c);
	all->on_cpu += c->walker != NULL && c->walker->on_cpu;
	all->in_flight += sums.in_flight;
	all->batches += sums.batches;
	all->busy_ns = nsec_total(all->busy_ns, sums.busy_ns);
}

static void
check_clients(const struct sim *sim, struct recount *count)
{
	struct sums sums = {0};
	nsec busy = 0;

	for (size_t i = 0; i < sim->n_clients; i++) {
		const struct client *c = sim->clients[i];

		check_client_sums(sim, c, &sums);
		count->work += 1 + c->n_contexts + c->n_rings;
	}
	add_past(sim->outsiders.past.sums, &sums);
	for (unsigned i = 0; i < sim->device.n_engines; i++)
		busy = nsec_total(busy, sim->device.engines[i].busy_ns);
	check_equal(sim, "CPUs in use", sim->cpus.busy, sums.on_cpu);
	check_equal(sim, "requests in flight", sums.in_flight,
	    sim->invariants->n_in_flight);
	check_equal(
	    sim, "batches of all clients", sums.batches, sim->n_ended_requests);
	check_equal(
	    sim, "busy time of engines, and of contexts", busy, sums.busy_ns);
}

/* Adds the times of a context; NULL: none. */
static void
add_uses(const struct context *c, nsec run[DEVICE_MAX_ENGINES], nsec *sema)
{
	if (c == NULL)
		return;
	for (unsigned e = 0; e < c->client->sim->device.n_engines; e++)
		run[e] = nsec_total(run[e], c->run_ns[e]);
	*sema = nsec_total(*sema, c->sema_ns);
}

/* Checks that contexts ran and polled as long as engines did. */
static void
check_uses(const struct sim *sim)
{
	nsec run[DEVICE_MAX_ENGINES] = {0}, sema = 0, polled = 0;

	add_uses(sim->outsiders.past.sums, run, &sema);
	for (size_t i = 0; i < sim->n_clients; i++) {
		add_uses(client_past(sim->clients[i]), run, &sema);
		for (uint32_t j = 0; j < sim->clients[i]->n_contexts; j++)
			add_uses(sim->clients[i]->contexts[j], run, &sema);
	}
	for (unsigned e = 0; e < sim->device.n_engines; e++) {
		check_equal(sim, "running time of an engine, and of contexts",
		    sim->device.engines[e].run_ns, run[e]);
		polled = nsec_total(polled, sim->device.engines[e].sema_ns);
	}
	check_equal(
	    sim, "polling time of engines, and of contexts", polled, sema);
}

void
invariants_check(struct sim *sim)
{
	struct recount count = {0};

	check_requests(sim, &count);
	check_all_engines(sim, &count);
	check_clients(sim, &count);
	check_uses(sim);
	if (sim->config.sched->check != NULL)
		sim->config.sched->check(sim);
	sim->invariants->cost = count.work;
}

/* Looking at one request takes a part of the time of an event. */
#define LOOKS_PER_EVENT 4

void
invariants_instant(struct sim *sim)
{
	struct invariants *inv = sim->invariants;

	inv->credit += LOOKS_PER_EVENT * (1 + sim->n_events - inv->seen_events);
	inv->seen_events = sim->n_events;
	if (inv->credit < inv->cost)
		return;
	inv->credit = 0;
	invariants_check(sim);
}

#endif
