/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "engine/sim.h"
#include "parser/document/document.h"
#include "run/hang_dump/error_report.h"

static void
set_time(json_t *o, const char *key, nsec t)
{
	json_object_set_new(o, key,
	    t == NSEC_NEVER ? json_null() : json_integer((json_int_t)t));
}

/* JSON is UTF-8; a descriptor need not be. */
static void
set_visible(json_t *o, const char *key, const char *s, size_t len)
{
	struct text visible = {0};

	text_add_visible(&visible, s, len);
	json_object_set_new(o, key, json_string(text_str(&visible)));
	text_free(&visible);
}

static void
set_string(json_t *o, const char *key, const char *s)
{
	if (s != NULL)
		set_visible(o, key, s, strlen(s));
	else
		json_object_set_new(o, key, json_null());
}

static json_t *
request_json(const struct error_request *rq)
{
	json_t *o = json_object();

	json_put_count(o, "seqno", rq->seq);
	json_put_count(o, "client", rq->client);
	json_put_count(o, "context", rq->context);
	json_put_count(o, "step", rq->step);
	json_put_count(o, "iteration", rq->iteration);
	set_string(o, "state", rq->state);
	set_string(o, "engine", rq->engine);
	json_object_set_new(o, "priority", json_integer(rq->priority));
	set_string(o, "status", error_status(rq->error));
	set_time(o, "submit_ns", rq->submit_ns);
	set_time(o, "ready_ns", rq->ready_ns);
	set_time(o, "start_ns", rq->start_ns);
	set_time(o, "run_ns", rq->run_ns);
	set_time(o, "duration_ns", rq->duration_ns);
	json_put_count(o, "preemptions", rq->preemptions);
	return o;
}

static void
set_requests(json_t *o, const char *key, const char *total,
    const struct error_requests *requests)
{
	json_t *list = json_array();

	for (size_t i = 0; i < requests->n; i++)
		json_array_append_new(list, request_json(&requests->list[i]));
	json_put_count(o, total, requests->total);
	json_object_set_new(o, key, list);
}

static void
set_place(json_t *o, const struct error_place *place)
{
	const char *line;
	size_t row, column, index, len;

	if (place->line == NULL)
		return;
	line = document_line_was(place->line, &len);
	set_string(o, "file", document_name(place->doc));
	if (document_line_index(place->doc, place->line, &index)) {
		document_position(place->doc, index, 0, &row, &column);
		json_put_count(o, "line", row);
		json_put_count(o, "column", column);
	}
	set_visible(o, "text", line, len);
}

static json_t *
context_json(const struct context *context)
{
	json_t *o = json_object();

	json_put_count(o, "id", context->def->number);
	json_put_count(o, "guilty_count", context->ban.guilty);
	json_put_count(o, "active_count", context->ban.active);
	json_put_bool(o, "banned", context->ban.banned);
	return o;
}

static json_t *
client_json(const struct client *client)
{
	json_t *o = json_object();

	json_put_count(o, "id", client->id);
	set_string(o, "workload", client->workload->name);
	json_put_count(o, "hangs", client->ban.hangs);
	json_put_count(o, "score", client->ban.score);
	json_put_bool(o, "banned", client->ban.banned);
	return o;
}

static json_t *
waits_json(const struct error_state *s)
{
	json_t *list = json_array();

	for (size_t i = 0; i < s->n_waits; i++) {
		json_t *o = json_object();

		json_put_count(o, "step", s->waits[i].step);
		set_string(o, "cause", s->waits[i].cause);
		json_put_bool(o, "pending", s->waits[i].pending);
		json_array_append_new(list, o);
	}
	return list;
}

static json_t *
clients_json(const struct error_state *s)
{
	json_t *list = json_array();

	for (size_t i = 0; i < s->n_clients; i++)
		json_array_append_new(
		    list, json_integer((json_int_t)s->clients[i]));
	return list;
}

static json_t *
engines_json(const struct error_state *s)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < s->n_engines; i++) {
		const struct error_engine *e = &s->engines[i];
		json_t *o = json_object();

		set_string(o, "name", e->name);
		set_string(o, "state", e->state);
		json_put_count(o, "queued", e->queued);
		json_put_count(o, "busy_ns", e->busy_ns);
		json_put_count(o, "batches", e->batches);
		json_object_set_new(o, "request",
		    e->has_request ? request_json(&e->request) : json_null());
		json_array_append_new(list, o);
	}
	return list;
}

static json_t *
state_json(const struct sim *sim, const struct error_state *s,
    const struct error_place *place)
{
	const struct hang *hang = &s->hang;
	json_t *o = json_object(), *rq = request_json(&s->request);

	json_put_count(o, "number", hang->number);
	set_time(o, "at_ns", hang->time);
	set_string(o, "cause", hang_cause_name(hang->cause));
	set_string(o, "scope", reset_scope_name(hang->scope));
	set_string(o, "engine", hang->engine->name);
	set_string(o, "profile", sim->config.profile.name);
	set_string(o, "scheduler", sim->config.sched->name);
	json_put_bool(o, "guilty", hang->guilty);
	set_string(
	    o, "status", hang->guilty ? error_status(hang->error) : NULL);
	json_put_bool(o, "context_banned", hang->context_banned);
	json_put_bool(o, "client_banned", hang->client_banned);
	set_place(rq, place);
	json_object_set_new(o, "request", rq);
	json_object_set_new(o, "context", context_json(s->context));
	json_object_set_new(o, "client", client_json(s->client));
	json_object_set_new(o, "waited_for", waits_json(s));
	json_put_count(o, "clients_waiting", s->total_clients);
	json_object_set_new(o, "waiting_clients", clients_json(s));
	set_requests(o, "waiting", "requests_waiting", &s->waiters);
	set_requests(o, "ring", "ring_requests", &s->ring);
	set_requests(o, "queue", "queue_requests", &s->queue);
	json_object_set_new(o, "engines", engines_json(s));
	return o;
}

void
error_report_json(const struct sim *sim, const struct error_state *s,
    const struct error_place *place, struct text *out)
{
	json_t *o = state_json(sim, s, place);
	char *dump = json_dumps(o, JSON_PRESERVE_ORDER | JSON_INDENT(1));

	if (dump != NULL)
		text_adds(out, dump);
	text_addc(out, '\n');
	free(dump);
	json_decref(o);
}
