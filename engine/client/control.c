/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Controls: finds the clients and contexts that one is for, checks all of it,
 * and only then changes anything.
 */
#include "engine/client/control.h"

#include "base/text.h"
#include "base/util.h"
#include "engine/client/walker_run.h"
#include "engine/compile/program.h"
#include "engine/sched/steps.h"
#include "parser/step.h"

#define MAX_LISTED 16 /* contexts, in an error */

struct control_info {
	const char *name;
	bool on_context; /* changes a context of each client */
	/* Checks all but the client and the context. */
	bool (*check)(
	    struct sim *sim, const struct control *control, struct text *err);
	/* Changes one client, or else the simulation. */
	void (*apply)(struct client *c, const struct control *control);
	void (*apply_all)(struct sim *sim, const struct control *control);
};

/* The clients and contexts that a control is for. */

static void
add_range(struct text *err, uint64_t n)
{
	if (n == 0)
		text_adds(err, "there are none");
	else if (n == 1)
		text_adds(err, "expected 0");
	else
		text_addf(err, "expected 0 to %llu", (unsigned long long)n - 1);
}

static struct workload *
find_workload(const struct sim *sim, uint32_t id)
{
	struct workload *w = sim->workloads;

	while (w != NULL && w->id != id)
		w = w->next;
	return w;
}

static bool
check_workload(struct sim *sim, uint32_t id, struct text *err)
{
	if (find_workload(sim, id) != NULL)
		return true;
	text_addf(err, "no workload %u: ", id);
	add_range(err, sim->n_workloads);
	return false;
}

/* Returns why the control can't change the client; NULL: it can. */
static const char *
why_unreachable(const struct client *c, enum control_kind kind)
{
	if (c->killed)
		return "was killed";
	if (c->state == CLIENT_ENDED)
		return "has ended";
	/* Its last requests can still be killed. */
	if (c->state == CLIENT_DRAINING && kind != CONTROL_KILL)
		return "has finished its last iteration";
	/* New contexts would evade the ban (hang.h). */
	if (c->ban.banned && kind == CONTROL_SWAP)
		return "is banned and can't change its program";
	if (c->walker == NULL && kind == CONTROL_SWAP)
		return "has no program";
	return NULL;
}

static bool
check_target(struct sim *sim, const struct control *control, struct text *err)
{
	uint32_t id = control->client;
	const char *why;

	if (id >= sim->n_clients) {
		text_addf(err, "no client %u: ", id);
		add_range(err, sim->n_clients);
		return false;
	}
	why = why_unreachable(sim->clients[id], control->kind);
	if (why != NULL)
		text_addf(err, "client %u %s", id, why);
	return why == NULL;
}

/* Returns the next client, from index *i on, that the control is for; NULL:
 * there are no more. */
static struct client *
next_target(const struct sim *sim, const struct control *control, size_t *i)
{
	if (control->client != CONTROL_ALL)
		return (*i)++ == 0 ? sim->clients[control->client] : NULL;
	while (*i < sim->n_clients) {
		struct client *c = sim->clients[(*i)++];

		if (client_workload(c) == control->workload &&
		    why_unreachable(c, control->kind) == NULL)
			return c;
	}
	return NULL;
}

static void
add_contexts(struct text *err, const struct client *c)
{
	/* A walker's are followed by those of earlier programs. */
	const struct program *p = client_program(c);
	uint32_t n = p != NULL ? p->n_contexts : c->n_contexts;

	if (n == 0)
		text_adds(err, "there are none");
	else
		text_adds(err, "expected one of");
	for (uint32_t i = 0; i < n && i < MAX_LISTED; i++)
		text_addf(err, "%s %u", i > 0 ? "," : "",
		    c->contexts[i]->def->number);
	if (n > MAX_LISTED)
		text_addf(err, ", up to %u", c->contexts[n - 1]->def->number);
}

/* Checks that one of the clients has the context. */
static bool
check_target_context(
    struct sim *sim, const struct control *control, struct text *err)
{
	const struct client *c, *any = NULL;
	size_t i = 0;

	while ((c = next_target(sim, control, &i)) != NULL) {
		if (client_find_context(c, control->context) != NULL)
			return true;
		any = c;
	}
	if (any == NULL) {
		text_addf(err, "no client of workload %u is running",
		    control->workload);
		return false;
	}
	text_addf(
	    err, "no context %u in client %u: ", control->context, any->id);
	add_contexts(err, any);
	return false;
}

/* The kinds. */

static bool
check_priority(struct sim *sim, const struct control *control, struct text *err)
{
	(void)sim;
	return value_check(VALUE_PRIORITY, control->value, err);
}

static void
apply_priority(struct client *c, const struct control *control)
{
	client_find_context(c, control->context)->priority =
	    (int16_t)control->value;
}

static bool
check_sseu(struct sim *sim, const struct control *control, struct text *err)
{
	return device_check_slices(&sim->device, control->value, err);
}

static void
apply_sseu(struct client *c, const struct control *control)
{
	struct context *context = client_find_context(c, control->context);

	context_join_sseu(context);
	context->sseu = control->value == -1
	    ? device_all_slices(&c->sim->device)
	    : (uint32_t)control->value;
}

static bool
check_preemption(
    struct sim *sim, const struct control *control, struct text *err)
{
	(void)sim;
	return control->value == CONTROL_BY_PROGRAM ||
	    value_check(VALUE_PREEMPTION, control->value, err);
}

static void
apply_preemption(struct client *c, const struct control *control)
{
	client_find_context(c, control->context)->preempt_ns = control->value ==
		CONTROL_BY_PROGRAM
	    ? PREEMPT_BY_PROGRAM
	    : (nsec)control->value * NSEC_PER_USEC;
}

static bool
check_kill(struct sim *sim, const struct control *control, struct text *err)
{
	size_t i = 0;

	if (next_target(sim, control, &i) != NULL)
		return true;
	text_addf(
	    err, "no client of workload %u is running", control->workload);
	return false;
}

static void
apply_kill(struct client *c, const struct control *control)
{
	client_kill(c, control->persistent);
}

static bool
check_program(struct sim *sim, const struct control *control, struct text *err)
{
	return sched_accepts(
	    sim->config.sched, control->program, &sim->config.profile, err);
}

static bool
check_add(struct sim *sim, const struct control *control, struct text *err)
{
	if ((control->n_clients == 0 && control->program == NULL) ||
	    control->n_clients > CONTROL_MAX_CLIENTS - sim->n_clients) {
		text_addf(err,
		    "invalid number of clients %u: expected 1 to %zu more, of "
		    "%u in all",
		    control->n_clients, CONTROL_MAX_CLIENTS - sim->n_clients,
		    CONTROL_MAX_CLIENTS);
		return false;
	}
	if (!check_priority(sim,
		&(struct control){.value = control->options.priority}, err))
		return false;
	if (control->program != NULL)
		return check_program(sim, control, err);
	return check_workload(sim, control->workload, err);
}

static void
apply_add(struct sim *sim, const struct control *control)
{
	struct workload *w = control->program != NULL
	    ? sim_add_workload(sim, control->name, control->program)
	    : find_workload(sim, control->workload);

	for (uint32_t i = 0; i < control->n_clients; i++)
		sim_add_client(sim, w, &control->options);
}

/* Returns the objects of W sets for program, with a reference: the same ones if
 * their number is unchanged, else new ones. */
static struct shared_objects *
shared_for(struct sim *sim, struct shared_objects *shared,
    const struct program *program)
{
	return shared->n == program->n_shared
	    ? shared_objects_ref(shared)
	    : shared_objects_new(sim, program->n_shared);
}

static void
swap_one(struct walker *w, const struct program *program,
    struct shared_objects *shared, bool at_once)
{
	swap_prepare(w, program, shared);
	if (!at_once)
		return;
	if (program_same_shape(w->program, program))
		swap_in_place(w);
	else
		walker_abort_iteration(w);
}

static void
apply_swap(struct sim *sim, const struct control *control)
{
	const struct instance *last = NULL;
	struct shared_objects *shared;
	struct walker *walker;
	struct workload *w;
	struct client *c;
	size_t i = 0;

	if (control->client != CONTROL_ALL) {
		walker = sim->clients[control->client]->walker;
		last = walker->next_instance != NULL ? walker->next_instance
						     : walker->instance;
		shared = shared_for(sim, last->shared, control->program);
		swap_one(walker, control->program, shared, control->at_once);
		shared_objects_free(shared);
		return;
	}
	w = find_workload(sim, control->workload);
	shared = shared_for(sim, w->shared, control->program);
	shared_objects_free(w->shared);
	w->shared = shared;
	program_use(sim, control->program);
	program_leave(sim, w->program);
	w->program = control->program;
	while ((c = next_target(sim, control, &i)) != NULL)
		swap_one(c->walker, w->program, w->shared, control->at_once);
}

static const struct control_info infos[N_CONTROLS] = {
    [CONTROL_PRIORITY] = {"priority", true, check_priority, apply_priority,
	NULL},
    [CONTROL_SSEU] = {"sseu", true, check_sseu, apply_sseu, NULL},
    [CONTROL_PREEMPTION] = {"preemption", true, check_preemption,
	apply_preemption, NULL},
    [CONTROL_ADD] = {"add", false, check_add, NULL, apply_add},
    [CONTROL_KILL] = {"kill", false, check_kill, apply_kill, NULL},
    [CONTROL_SWAP] = {"swap", false, check_program, NULL, apply_swap},
};

const char *
control_name(enum control_kind kind)
{
	return infos[kind].name;
}

static bool
check_control(struct sim *sim, const struct control *control, struct text *err)
{
	const struct control_info *info = &infos[control->kind];

	if (control->kind != CONTROL_ADD &&
	    !(control->client != CONTROL_ALL
		    ? check_target(sim, control, err)
		    : check_workload(sim, control->workload, err)))
		return false;
	return (!info->on_context || check_target_context(sim, control, err)) &&
	    info->check(sim, control, err);
}

/* Changes the clients that have the context. */
static void
apply_each(struct sim *sim, const struct control *control)
{
	const struct control_info *info = &infos[control->kind];
	struct client *c;
	size_t i = 0;

	while ((c = next_target(sim, control, &i)) != NULL) {
		if (!info->on_context ||
		    client_find_context(c, control->context) != NULL)
			info->apply(c, control);
	}
}

bool
sim_control(struct sim *sim, const struct control *control, struct text *err)
{
	const struct control_info *info = &infos[control->kind];

	if (!check_control(sim, control, err))
		return false;
	if (info->apply_all != NULL)
		info->apply_all(sim, control);
	else
		apply_each(sim, control);
	sim->n_controls++;
	sim->state = SIM_RUNNING; /* until the next instant shows otherwise */
	observers_notify(sim, controlled, control);
	return true;
}
