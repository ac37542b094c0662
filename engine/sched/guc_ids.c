/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Context ids of guc: who has one, who waits for one, whose can be stolen, and
 * how long a registration takes. */
#include "engine/sched/guc.h"

#include <stddef.h>
#include <string.h>

#include "base/text.h"
#include "base/util.h"
#include "engine/client/client.h"
#include "engine/client/origin.h"
#include "engine/event.h"
#include "engine/sim.h"

static struct guc_ids *
ids_of(const struct sim *sim)
{
	return &((struct guc *)sim->sched_data)->ids;
}

/* Lists of queues by the state of their ids. */

static void
id_list_append(
    struct guc_id_list *list, struct guc_queue *q, enum guc_id_state state)
{
	q->id_state = (uint8_t)state;
	q->id.next = NULL;
	q->id.prev = list->last;
	if (list->last != NULL)
		list->last->id.next = q;
	else
		list->first = q;
	list->last = q;
}

static void
id_list_remove(struct guc_id_list *list, struct guc_queue *q)
{
	if (q->id.prev != NULL)
		q->id.prev->id.next = q->id.next;
	else
		list->first = q->id.next;
	if (q->id.next != NULL)
		q->id.next->id.prev = q->id.prev;
	else
		list->last = q->id.prev;
	q->id.next = q->id.prev = NULL;
}

/* Parallel contexts: aligned runs of ids. */

static unsigned
ids_of_rows(unsigned n_rows)
{
	unsigned n = 1;

	while (n < n_rows)
		n *= 2;
	return n;
}

bool
guc_ids_suffice(const struct context_def *def, const struct profile *profile,
    struct text *err)
{
	unsigned wanted = ids_of_rows(def->n_rows);
	unsigned reserved = profile->guc_ids / profile->guc_multi_lrc_share;
	unsigned least = wanted * profile->guc_multi_lrc_share;

	if (profile->guc_ids == 0 || def->n_rows == 0 || wanted <= reserved)
		return true;
	text_addf(err,
	    "context %u has a parallel slot of %u rows, which takes %u "
	    "context ids, and profile ",
	    def->number, def->n_rows, wanted);
	text_add_visible(err, profile->name, strlen(profile->name));
	text_addf(err,
	    " has %u for those ([guc] ids = %u, multi_lrc_share = %u): ",
	    reserved, profile->guc_ids, profile->guc_multi_lrc_share);
	if (least <= GUC_MAX_IDS)
		text_addf(err, "give it ids = %u, or ", least);
	else
		text_adds(err, "give it ");
	text_adds(err, "ids = 0 for as many as are wanted");
	return false;
}

static bool
allocate_run(struct guc_ids *ids, struct guc_queue *q)
{
	unsigned n = ids_of_rows(request_slot(q->ring->first)->n_rows);

	for (unsigned i = 0; i + n <= ids->n_multi; i += n) {
		if (memchr(&ids->multi_taken[i], true, n) != NULL)
			continue;
		memset(&ids->multi_taken[i], true, n);
		q->id.run = (uint16_t)i;
		q->id.n_run = (uint8_t)n;
		return true;
	}
	return false;
}

/* Disabling: all queues have the same delay, so they are disabled in the order
 * in which they became idle. The order is worked out when an id is needed. */

static nsec
disabled_at(const struct sim *sim, const struct guc_queue *q)
{
	return jiffies_expiry(&sim->config.profile,
	    q->id.idle_ns + sim->config.profile.guc_disable_delay_ns);
}

static void
disable_due(struct sim *sim)
{
	struct guc_ids *ids = ids_of(sim);
	struct guc_queue *q;

	while ((q = ids->delayed.first) != NULL &&
	    disabled_at(sim, q) <= sim->now) {
		id_list_remove(&ids->delayed, q);
		id_list_append(&ids->disabled, q, GUC_ID_DISABLED);
	}
}

static void
update_delay(struct sim *sim)
{
	struct guc_ids *ids = ids_of(sim);
	bool awaited = ids->wanted.first != NULL && ids->delayed.first != NULL;

	timer_set(&sim->events, &ids->delay,
	    awaited ? disabled_at(sim, ids->delayed.first) : NSEC_NEVER);
}

/* Allocation and registration. */

static bool
steal_id(struct sim *sim)
{
	struct guc_ids *ids = ids_of(sim);
	struct guc_queue *from;

	disable_due(sim);
	from = ids->disabled.first;
	if (from == NULL)
		return false;
	id_list_remove(&ids->disabled, from);
	from->id_state = GUC_ID_NONE;
	ids->counters.steals++;
	return true;
}

/* Allocates an id for q, and sets the time (ns) that its registration takes.
 * False: there is no id. */
static bool
allocate_id(struct sim *sim, struct guc_queue *q, nsec *time)
{
	struct guc_ids *ids = ids_of(sim);

	*time = sim->config.profile.guc_register_ns;
	if (sim->config.profile.guc_ids == 0)
		return true;
	if (q->is_parallel)
		return allocate_run(ids, q);
	if (ids->n_taken < ids->n_single) {
		ids->n_taken++;
		return true;
	}
	*time *= 2;
	return steal_id(sim);
}

static void
on_registered(struct sim *sim, struct event *event)
{
	struct guc_queue *q = container_of(
	    event, struct guc_queue, id.registered);

	id_list_append(&ids_of(sim)->registered, q, GUC_ID_REGISTERED);
}

/* Registers q. Returns true if that takes no time, and is over. */
static bool
register_queue(struct sim *sim, struct guc_queue *q, nsec time)
{
	ids_of(sim)->counters.registrations++;
	if (time == 0) {
		q->id_state = GUC_ID_REGISTERED;
		return true;
	}
	q->id_state = GUC_ID_REGISTERING;
	q->id.registered.fire = on_registered;
	event_arm(&sim->events, &q->id.registered, sim->now + time);
	return false;
}

/* Gives ids to waiting queues in order, while there is one for the first. */
static void
grant_ids(struct sim *sim, struct guc_id_list *wanted)
{
	struct guc_queue *q;
	nsec time;

	while ((q = wanted->first) != NULL && allocate_id(sim, q, &time)) {
		id_list_remove(wanted, q);
		if (register_queue(sim, q, time))
			id_list_append(
			    &ids_of(sim)->registered, q, GUC_ID_REGISTERED);
	}
}

static void
on_delay(struct sim *sim, struct timer *timer)
{
	(void)timer;
	grant_ids(sim, &ids_of(sim)->wanted);
	update_delay(sim);
}

void
guc_ids_init(struct sim *sim, struct guc_ids *ids)
{
	const struct profile *profile = &sim->config.profile;

	ids->n_multi = profile->guc_ids / profile->guc_multi_lrc_share;
	ids->n_single = profile->guc_ids - ids->n_multi;
	timer_init(&ids->delay, on_delay);
}

bool
guc_ids_acquire(struct sim *sim, struct guc_queue *q)
{
	struct guc_ids *ids = ids_of(sim);
	struct guc_id_list *wanted = q->is_parallel ? &ids->wanted_multi
						    : &ids->wanted;
	nsec time;

	if (q->id_state != GUC_ID_NONE) {
		if (q->id_state == GUC_ID_DELAYED)
			id_list_remove(&ids->delayed, q);
		else if (q->id_state == GUC_ID_DISABLED)
			id_list_remove(&ids->disabled, q);
		q->id_state = GUC_ID_REGISTERED;
		update_delay(sim);
		return true;
	}
	if (wanted->first == NULL && allocate_id(sim, q, &time))
		return register_queue(sim, q, time);
	ids->counters.waits++;
	id_list_append(wanted, q, GUC_ID_WANTED);
	update_delay(sim);
	return false;
}

struct guc_queue *
guc_ids_next(struct sim *sim)
{
	struct guc_ids *ids = ids_of(sim);
	struct guc_queue *q = ids->registered.first;

	if (q != NULL)
		id_list_remove(&ids->registered, q);
	return q;
}

/* Returns true if scheduling of q is disabled without delay: its context is
 * closed or banned, or the ids in use exceed the threshold. */
static bool
is_disabled_at_once(const struct sim *sim, const struct guc_queue *q)
{
	const struct profile *profile = &sim->config.profile;
	const struct context *context = q->ring->context;
	const struct guc_ids *ids = ids_of(sim);
	uint64_t threshold = (uint64_t)ids->n_single *
	    profile->guc_disable_threshold;

	return profile->guc_disable_delay_ns == 0 || context->ban.banned ||
	    context->closed || context->client->killed ||
	    (uint64_t)ids->n_taken * 100 > threshold;
}

void
guc_ids_idle(struct sim *sim, struct guc_queue *q)
{
	struct guc_ids *ids = ids_of(sim);

	if (q->is_parallel || sim->config.profile.guc_ids == 0)
		return;
	disable_due(sim);
	if (is_disabled_at_once(sim, q)) {
		id_list_append(&ids->disabled, q, GUC_ID_DISABLED);
		grant_ids(sim, &ids->wanted);
	} else {
		q->id.idle_ns = sim->now;
		id_list_append(&ids->delayed, q, GUC_ID_DELAYED);
	}
	update_delay(sim);
}

void
guc_ids_withdraw(struct sim *sim, struct guc_queue *q)
{
	struct guc_ids *ids = ids_of(sim);
	struct guc_id_list *wanted = q->is_parallel ? &ids->wanted_multi
						    : &ids->wanted;

	id_list_remove(wanted, q);
	q->id_state = GUC_ID_NONE;
	/* Queues behind it may need fewer ids. */
	grant_ids(sim, wanted);
	update_delay(sim);
}

void
guc_ids_close(struct sim *sim, struct guc_queue *q)
{
	struct guc_ids *ids = ids_of(sim);

	if (q->id_state == GUC_ID_NONE || sim->config.profile.guc_ids == 0)
		return;
	if (q->is_parallel) {
		memset(&ids->multi_taken[q->id.run], false, q->id.n_run);
		grant_ids(sim, &ids->wanted_multi);
		return;
	}
	id_list_remove(
	    q->id_state == GUC_ID_DELAYED ? &ids->delayed : &ids->disabled, q);
	ids->n_taken--;
	grant_ids(sim, &ids->wanted);
	update_delay(sim);
}
