/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Clients from outside, from backend_client_new() to their last request, and
 * the events that their owners get.
 */
#include "engine/client/outside.h"

#include <stdlib.h>

#include "base/util.h"
#include "engine/client/client_run.h"
#include "engine/client/origin.h"
#include "engine/gpu/pace.h"
#include "engine/sim.h"

void
outsiders_init(struct sim *sim)
{
	pool_init(&sim->outsiders.requests, sim->region,
	    sizeof(struct outside_request));
	pool_init(&sim->outsiders.fences, sim->region, sizeof(struct fence));
	past_init(sim);
}

bool
outsiders_may_act(const struct sim *sim)
{
	return sim->outsiders.open || sim->outsiders.n_live > 0;
}

void
outsiders_touch(struct sim *sim)
{
	sim->outsiders.touched = true;
	if (sim->state == SIM_DONE || sim->state == SIM_DEADLOCK)
		sim->state = SIM_RUNNING;
}

void
backend_set_open(struct sim *sim, bool open)
{
	sim->outsiders.open = open;
	outsiders_touch(sim);
}

void
backend_set_speed(struct sim *sim, double speed)
{
	pace_set_speed(sim, speed);
	outsiders_touch(sim);
}

struct outside *
outside_of(const struct client *c)
{
	return (struct outside *)(uintptr_t)c; /* its first member */
}

/* Clients. */

static void
on_outside_timer(struct sim *sim, struct event *event)
{
	struct client *c = container_of(event, struct client, timer);

	outside_of(c)->woken = true;
	runnable_add(sim, c);
}

struct client *
backend_client_new(
    struct sim *sim, const char *name, int64_t pid, struct owner *owner)
{
	struct outside *o = region_alloc(sim->region, 1, sizeof *o);
	struct client *c = &o->client;

	past_sum_clients(sim);
	o->newest = &o->oldest;
	o->owner = owner;
	o->name = region_strdup(sim->region, name);
	client_init(c, sim, (uint32_t)sim->n_clients,
	    &(struct client_options){.background = false});
	c->name = o->name;
	c->pid = pid;
	c->state = CLIENT_OUTSIDE;
	c->timer.fire = on_outside_timer;
	sim_register_client(sim, c);
	sim->outsiders.n_live++;
	outsiders_touch(sim);
	return c;
}

void
backend_client_set_command(struct client *c, const char *command)
{
	c->command = region_strdup(c->sim->region, command);
}

/* Ends the client once its requests have ended. */
static void
drain_outside(struct outside *o)
{
	client_drain(&o->client);
	o->client.sim->outsiders.n_changes++;
	if (o->client.state != CLIENT_ENDED)
		return;
	o->client.sim->outsiders.n_live--;
	past_add_client(o);
}

void
backend_client_leave(struct client *c)
{
	struct outside *o = outside_of(c);

	o->left = true;
	if (o->leaving || c->state == CLIENT_ENDED)
		return;
	for (uint32_t i = 0; i < c->n_contexts; i++)
		backend_context_destroy(c->contexts[i]);
	o->leaving = true;
	event_disarm(&c->timer);
	if (c->state != CLIENT_RUNNABLE)
		drain_outside(o);
	outsiders_touch(c->sim);
}

/* Returns true if the client has no more turns. */
static bool
is_over(const struct client *c)
{
	return outside_of(c)->leaving || c->killed != KILL_NOT;
}

void
backend_wake(struct client *c)
{
	if (is_over(c))
		return;
	outside_of(c)->woken = true;
	runnable_add(c->sim, c);
	outsiders_touch(c->sim);
}

void
backend_wake_at(struct client *c, nsec time)
{
	event_disarm(&c->timer);
	c->until_ns = time;
	if (time != NSEC_NEVER && !is_over(c))
		event_arm(&c->sim->events, &c->timer, time);
}

/* Closes the timelines of closed contexts without requests in flight. */
static void
finish_closing(struct outside *o)
{
	struct context **at = &o->closing, *context;

	while ((context = *at) != NULL) {
		if (context->in_flight > 0) {
			at = &context->next_closing;
			continue;
		}
		*at = context->next_closing;
		o->client.sim->outsiders.n_changes++;
		client_close_context(context);
		context->settled = true;
		past_add_context(context);
	}
}

void
outside_go(struct outside *o)
{
	struct client *c = &o->client;
	bool woken = o->woken;

	/* Its last request may have ended while it was revoked. */
	if (c->state == CLIENT_ENDED)
		return;
	o->woken = false;
	c->state = CLIENT_OUTSIDE;
	if (c->dying)
		client_kill_now(c);
	finish_closing(o);
	if (o->leaving || c->killed != KILL_NOT)
		drain_outside(o);
	else if (woken && o->owner->ops->go != NULL)
		o->owner->ops->go(o->owner, c);
}

void
outside_context_is_idle(struct context *context)
{
	if (context->closed)
		runnable_add(context->client->sim, context->client);
}

/* Events. */

static struct owner *
owner_of(const struct request *rq)
{
	return outside_of(rq->client)->owner;
}

/* Calls a function of the owner of rq, if there is one. */
#define NOTIFY_OWNER(rq, event, ...)                                           \
	do {                                                                   \
		struct owner *owner = owner_of(rq);                            \
		if (owner->ops->event != NULL)                                 \
			owner->ops->event(owner, __VA_ARGS__);                 \
	} while (0)

void
outside_ready(struct request *rq)
{
	NOTIFY_OWNER(rq, ready, rq);
}

void
outside_started(struct request *rq)
{
	NOTIFY_OWNER(rq, started, rq);
}

void
outside_replayed(struct request *rq)
{
	NOTIFY_OWNER(rq, replayed, rq);
}

void
outside_has_room(const struct request *rq)
{
	NOTIFY_OWNER(rq, room, rq->ring);
}

nsec
outside_duration(struct request *rq)
{
	struct owner *owner = owner_of(rq);

	return owner->ops->duration(owner, rq);
}

void
outside_ended(struct sim *sim, struct request *rq)
{
	enum ending how = rq->error == 0 ? ENDED_OK
	    : rq->guilty                 ? ENDED_GUILTY
					 : ENDED_CANCELLED;

	NOTIFY_OWNER(rq, ended, rq, how);
	outside_release(sim, rq);
}

void
outside_release(struct sim *sim, struct request *rq)
{
	if (rq->next_row != NULL)
		return; /* all rows have one */
	region_put(rq->origin.outside->label);
	pool_put(&sim->outsiders.requests, rq->origin.outside);
}

void *
request_tag(const struct request *rq)
{
	return rq->origin.outside->tag;
}

const char *
request_label(const struct request *rq)
{
	return rq->origin.instance == NULL ? rq->origin.outside->label : NULL;
}
