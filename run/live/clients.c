/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clients come and go while a session runs. The plan counts them
 * (source.clones), so that a restart launches the same ones. */
#include "run/live/session.h"

#include "base/stop.h"
#include "base/text.h"
#include "engine/client/control.h"
#include "run/plan.h"

/* As plan_launch(): only the first client of a master is the master. */
static struct client_options
options_of_source(const struct session *s, const struct source *source)
{
	struct client_options options = {
	    .priority = source->priority,
	    .small_sseu = source->small_sseu,
	    .background = source->background ||
		(source->master && source->clones > 0),
	};

	options.repeat = options.background ? 0 : s->plan->repeat;
	return options;
}

/* Clients that are launched before the plan's stop is asked again. */
#define CLIENTS_AT_A_TIME 16384

static bool
launch_lot(struct session *s, size_t source, uint32_t n,
    const struct program *program, struct text *err)
{
	struct source *from = &s->plan->sources[source];
	struct control control = {
	    .kind = CONTROL_ADD,
	    .workload = (uint32_t)source,
	    .program = program,
	    .name = from->name,
	    .source = from,
	    .n_clients = from->waiting ? 0 : n,
	    .options = options_of_source(s, from),
	};

	if (!session_control(s, &control, err))
		return false;
	from->clones += n;
	return true;
}

/* Clients to launch with the next control. Above the limit it gets all of them,
 * so that it refuses them before any is there. */
static uint32_t
next_lot(const struct session *s, uint32_t left)
{
	bool fits = left <= CONTROL_MAX_CLIENTS &&
	    s->run.sim->n_clients <= CONTROL_MAX_CLIENTS - left;

	return fits && left > CLIENTS_AT_A_TIME ? CLIENTS_AT_A_TIME : left;
}

static void
note_launched(struct session *s, size_t source, uint32_t n)
{
	struct text title = {0};

	source_add_title(s->plan, source, &title);
	changes_add(&s->changes, s->run.sim, "%u client%s of %s launched", n,
	    n == 1 ? "" : "s", text_str(&title));
	text_free(&title);
}

/* Launches few clients as one control, which is one event for observers. False:
 * err says why only *done clients were launched. */
static bool
launch_clients(struct session *s, size_t source, uint32_t n,
    const struct program *program, uint32_t *done, struct text *err)
{
	uint32_t lot;

	*done = 0;
	do {
		lot = next_lot(s, n - *done);
		if (!launch_lot(s, source, lot, program, err))
			return false;
		program = NULL; /* only the first control adds the workload */
		*done += lot;
		if (*done < n && stop_is_wanted(s->plan->stop)) {
			text_addf(err, "stopped: %u of %u clients are launched",
			    *done, n);
			return false;
		}
	} while (*done < n);
	if (n > 0 && !s->plan->sources[source].waiting)
		note_launched(s, source, n);
	return true;
}

static void
add_why_waiting(const struct session *s, size_t source, struct text *err)
{
	const char *problem;
	size_t line;

	source = plan_document(s->plan, source);
	problem = session_document_problem(s, source);
	source_add_title(s->plan, source, err);
	if (problem == NULL)
		text_adds(err, " has no batch yet");
	else if (session_problem_line(s, source, &line))
		text_addf(err, " has errors, %s", problem);
	else
		text_addf(err, " is not run, %s", problem);
}

/* New clients run the workload's program, which may be older than the text. */
bool
session_add_clients(
    struct session *s, size_t source, uint32_t n, struct text *err)
{
	uint32_t done;

	if (!s->plan->sources[source].waiting)
		return launch_clients(s, source, n, NULL, &done, err);
	add_why_waiting(s, source, err);
	return false;
}

bool
session_start_clients(struct session *s, size_t source, struct text *err)
{
	struct source *from = &s->plan->sources[source];
	uint32_t n = from->clones, first = from->master && n > 0, done;

	from->clones = 0;
	if ((first == 0 ||
		launch_clients(s, source, first, NULL, &done, err)) &&
	    (n == first ||
		launch_clients(s, source, n - first, NULL, &done, err)))
		return true;
	from->clones = n;
	return false;
}

/* Adds the workload of a new source, the number of which it gets, with n
 * clients. */
static bool
launch_workload(struct session *s, size_t source, uint32_t n, uint32_t *done,
    struct text *err)
{
	struct source *from = &s->plan->sources[source];
	struct text ignored = {0};
	struct program *program = NULL;
	bool ok;

	if (plan_has_steps(s->plan, from) && document_is_valid(from->doc))
		program = plan_build(s->plan, from, &ignored);
	ok = !stop_is_wanted(s->plan->stop);
	from->waiting = program == NULL;
	if (from->waiting && ok)
		program = plan_placeholder(s->plan);
	*done = 0;
	ok = ok && launch_clients(s, source, n, program, done, err);
	program_free(program);
	text_free(&ignored); /* the descriptor shows them */
	return ok;
}

bool
session_open(struct session *s, const char *path, uint32_t n, bool more,
    size_t *source, struct text *err)
{
	uint32_t done;
	bool ok;

	*source = plan_find_file(s->plan, path);
	if (*source < s->plan->n_sources)
		return !more || session_add_clients(s, *source, n, err);
	if (!plan_add_file(s->plan, path, !more, err))
		return false;
	ok = launch_workload(s, *source, n, &done, err);
	if (!ok && done == 0)
		plan_drop_last(s->plan);
	return ok;
}

/* Do not relaunch this client on restart. */
static void
forget_one(struct session *s, const struct client *c)
{
	uint32_t id = client_workload(c);

	if (id < s->plan->n_sources && s->plan->sources[id].clones > 0)
		s->plan->sources[id].clones--;
}

static bool
kill_client_of(struct session *s, uint32_t client, struct text *err)
{
	struct control control = {.kind = CONTROL_KILL, .client = client};

	return session_control(s, &control, err);
}

bool
session_kill(struct session *s, uint32_t client, struct text *err)
{
	if (client < s->run.sim->n_clients &&
	    s->run.sim->clients[client]->walker == NULL)
		return session_end_program(s, s->run.sim->clients[client], err);
	if (!kill_client_of(s, client, err))
		return false;
	forget_one(s, s->run.sim->clients[client]);
	changes_add(&s->changes, s->run.sim, "client %u killed", client);
	return true;
}

bool
session_restart_client(
    struct session *s, uint32_t client, uint32_t *id, struct text *err)
{
	struct sim *sim = s->run.sim;
	struct control control = {.kind = CONTROL_ADD, .n_clients = 1};
	const struct client *c;
	bool gone;

	if (client >= sim->n_clients) {
		text_addf(err, "there is no client %u", client);
		return false;
	}
	c = sim->clients[client];
	if (c->walker == NULL) {
		text_addf(err,
		    "client %u is a program: kill it (F9), and :run it again",
		    client);
		return false;
	}
	control.workload = client_workload(c);
	control.options = (struct client_options){
	    .repeat = c->background ? 0 : s->plan->repeat,
	    .background = c->background,
	    .priority = c->priority,
	    .small_sseu = c->small_sseu,
	};
	gone = c->killed; /* so that clones does not count it */
	if (!gone && c->state != CLIENT_ENDED &&
	    !kill_client_of(s, client, err))
		return false;
	/* c is void: a control in the past begins another run. */
	if (!session_control(s, &control, err))
		return false;
	if (gone && control.workload < s->plan->n_sources)
		s->plan->sources[control.workload].clones++;
	*id = (uint32_t)s->run.sim->n_clients - 1;
	changes_add(&s->changes, s->run.sim, "client %u restarted as client %u",
	    client, *id);
	return true;
}
