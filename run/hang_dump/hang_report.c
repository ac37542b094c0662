/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Formats the error state of a hang, as text and as JSON. Both have the same
 * facts in the same order; the list of hangs in --json has its own, shorter
 * object.
 */
#include "run/hang_dump/hang_report.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "engine/sim.h"
#include "parser/document/document.h"
#include "run/plan.h"

struct error_place
hang_report_place(
    const struct run *run, const struct plan *plan, const struct request *rq)
{
	struct error_place place = {0};

	place.line = run_line(run, plan, rq, &place.doc);
	return place;
}

const char *
hang_report_status(int error)
{
	const char *name;

	if (error == 0)
		return "ok";
	name = strerrorname_np(error < 0 ? -error : error);
	return name != NULL ? name : "EUNKNOWN";
}

static void
text_time(struct text *out, const char *what, nsec t)
{
	if (t == NSEC_NEVER)
		text_addf(out, ", not yet %s", what);
	else
		text_addf(out, ", %s at %.9f s", what, (double)t / 1e9);
}

static void
text_request(struct text *out, const struct error_request *rq)
{
	text_addf(out, "  request %" PRIu64 ": ", rq->seq);
	batch_name_long(&rq->name, NULL, out);
	step_place_add_iteration(&rq->name.place, rq->iteration, out);
	if (rq->engine != NULL)
		text_addf(out, ", %s", rq->engine);
	text_addf(out, ": %s, priority %" PRId32, rq->state, rq->priority);
	if (rq->error != 0)
		text_addf(out, ", %s", hang_report_status(rq->error));
	text_addf(
	    out, "\n    submitted at %.9f s", (double)rq->submit_ns / 1e9);
	text_time(out, "ready", rq->ready_ns);
	text_time(out, "started", rq->start_ns);
	text_addf(out, ", ran %.9f s", (double)rq->run_ns / 1e9);
	if (rq->duration_ns == NSEC_NEVER)
		text_adds(out, " of infinite");
	else
		text_addf(out, " of %.9f s", (double)rq->duration_ns / 1e9);
	if (rq->preemptions > 0)
		text_addf(
		    out, ", preempted %" PRIu32 " times", rq->preemptions);
	text_addc(out, '\n');
}

static void
text_requests(
    struct text *out, const char *title, const struct error_requests *requests)
{
	text_addf(out, "\n%s: %zu\n", title, requests->total);
	for (size_t i = 0; i < requests->n; i++)
		text_request(out, &requests->list[i]);
	if (requests->n < requests->total)
		text_addf(
		    out, "  and %zu more\n", requests->total - requests->n);
}

/* Appends the position of the step, and the text of its line. */
static void
text_place(struct text *out, const struct error_place *place)
{
	const char *name, *line;
	size_t row, column, index, len;

	if (place->line == NULL)
		return;
	name = document_name(place->doc);
	line = document_line_was(place->line, &len);
	text_adds(out, "  ");
	text_add_visible(out, name, strlen(name));
	if (document_line_index(place->doc, place->line, &index)) {
		document_position(place->doc, index, 0, &row, &column);
		text_addf(out, ":%zu:%zu: ", row, column);
	} else {
		text_adds(out, ", edited since: ");
	}
	text_add_visible(out, line, len);
	text_addc(out, '\n');
}

static void
text_blame(struct text *out, const struct error_state *s)
{
	const struct ban_context *context = &s->context->ban;
	const struct ban_client *client = &s->client->ban;

	if (s->hang.guilty)
		text_addf(out, "  guilty: ends with %s\n",
		    hang_report_status(s->hang.error));
	else
		text_adds(out, "  not guilty: is replayed\n");
	text_addf(out,
	    "\nclient %" PRIu32 " context %" PRIu32 ": guilty of %" PRIu32
	    " hangs, innocent in %" PRIu32 "%s%s\n",
	    s->client->id, s->request.name.context, context->guilty,
	    context->active, context->banned ? ", banned" : "",
	    s->hang.context_banned ? " by this one" : "");
	text_addf(out,
	    "client %" PRIu32 ": %" PRIu32 " hangs, score %" PRIu32 "%s%s\n",
	    s->client->id, client->hangs, client->score,
	    client->banned ? ", banned" : "",
	    s->hang.client_banned ? " by this one" : "");
}

static void
text_waits(struct text *out, const struct error_state *s)
{
	text_addf(out, "\nwaited for: %zu\n", s->n_waits);
	for (size_t i = 0; i < s->n_waits; i++) {
		const struct error_wait *w = &s->waits[i];

		text_adds(out, "  ");
		step_place_long(&w->place, w->cause, out);
		text_adds(out, w->pending ? ", pending\n" : "\n");
	}
	text_addf(out, "\nclients that wait for it: %zu\n", s->total_clients);
	for (size_t i = 0; i < s->n_clients; i++)
		text_addf(out, "  client %" PRIu32 "\n", s->clients[i]);
}

static void
text_engines(struct text *out, const struct error_state *s)
{
	text_addf(out, "\nengines: %u\n", s->n_engines);
	for (unsigned i = 0; i < s->n_engines; i++) {
		const struct error_engine *e = &s->engines[i];

		text_addf(out,
		    " %s: %s, %" PRIu32 " queued, busy %.9f s, %" PRIu64
		    " batches\n",
		    e->name, e->state, e->queued, (double)e->busy_ns / 1e9,
		    e->batches);
		if (e->has_request)
			text_request(out, &e->request);
	}
}

void
hang_report_text(const struct sim *sim, const struct error_state *s,
    const struct error_place *place, struct text *out)
{
	const struct hang *hang = &s->hang;

	text_addf(out,
	    "GPU hang %" PRIu64 " at %.9f s: %s, %s reset, %s\n"
	    "profile %s, scheduler %s\n\n",
	    hang->number, (double)hang->time / 1e9,
	    hang_cause_name(hang->cause), reset_scope_name(hang->scope),
	    hang->engine->name, sim->config.profile.name,
	    sim->config.sched->name);
	text_adds(out, "on the engine\n");
	text_place(out, place);
	text_request(out, &s->request);
	text_blame(out, s);
	text_waits(out, s);
	text_requests(out, "requests that wait for it", &s->waiters);
	text_requests(out, "on its ring, in flight", &s->ring);
	text_requests(out, "queue of the engine, in order", &s->queue);
	text_engines(out, s);
}

static void
put_ns(json_t *o, const char *key, nsec t)
{
	json_object_set_new(o, key,
	    t == NSEC_NEVER ? json_null() : json_integer((json_int_t)t));
}

/* Puts bytes of a descriptor, which need not be UTF-8, as printable text. */
static void
put_visible(json_t *o, const char *key, const char *s, size_t len)
{
	struct text visible = {0};

	text_add_visible(&visible, s, len);
	json_object_set_new(o, key, json_string(text_str(&visible)));
	text_free(&visible);
}

static void
put_text(json_t *o, const char *key, const char *s)
{
	if (s != NULL)
		put_visible(o, key, s, strlen(s));
	else
		json_object_set_new(o, key, json_null());
}

static json_t *
json_request(const struct error_request *rq)
{
	json_t *o = json_object();

	json_put_count(o, "seqno", rq->seq);
	json_put_count(o, "client", rq->name.client);
	json_put_count(o, "context", rq->name.context);
	json_put_count(o, "step", rq->name.place.step);
	json_put_count(o, "iteration", rq->iteration);
	put_text(o, "state", rq->state);
	put_text(o, "engine", rq->engine);
	json_put_integer(o, "priority", rq->priority);
	put_text(o, "status", hang_report_status(rq->error));
	put_ns(o, "submit_ns", rq->submit_ns);
	put_ns(o, "ready_ns", rq->ready_ns);
	put_ns(o, "start_ns", rq->start_ns);
	put_ns(o, "run_ns", rq->run_ns);
	put_ns(o, "duration_ns", rq->duration_ns);
	json_put_count(o, "preemptions", rq->preemptions);
	return o;
}

static void
put_requests(json_t *o, const char *key, const char *total,
    const struct error_requests *requests)
{
	json_t *list = json_array();

	for (size_t i = 0; i < requests->n; i++)
		json_array_append_new(list, json_request(&requests->list[i]));
	json_put_count(o, total, requests->total);
	json_object_set_new(o, key, list);
}

static void
put_place(json_t *o, const struct error_place *place)
{
	const char *line;
	size_t row, column, index, len;

	if (place->line == NULL)
		return;
	line = document_line_was(place->line, &len);
	put_text(o, "file", document_name(place->doc));
	if (document_line_index(place->doc, place->line, &index)) {
		document_position(place->doc, index, 0, &row, &column);
		json_put_count(o, "line", row);
		json_put_count(o, "column", column);
	}
	put_visible(o, "text", line, len);
}

static json_t *
json_context(const struct context *context)
{
	json_t *o = json_object();

	json_put_count(o, "id", context->def->number);
	json_put_count(o, "guilty_count", context->ban.guilty);
	json_put_count(o, "active_count", context->ban.active);
	json_put_bool(o, "banned", context->ban.banned);
	return o;
}

static json_t *
json_client(const struct client *client)
{
	json_t *o = json_object();

	json_put_count(o, "id", client->id);
	put_text(o, "workload", client->name);
	json_put_count(o, "hangs", client->ban.hangs);
	json_put_count(o, "score", client->ban.score);
	json_put_bool(o, "banned", client->ban.banned);
	return o;
}

static json_t *
json_waits(const struct error_state *s)
{
	json_t *list = json_array();

	for (size_t i = 0; i < s->n_waits; i++) {
		json_t *o = json_object();

		json_put_count(o, "step", s->waits[i].place.step);
		put_text(o, "cause", s->waits[i].cause);
		json_put_bool(o, "pending", s->waits[i].pending);
		json_array_append_new(list, o);
	}
	return list;
}

static json_t *
json_clients(const struct error_state *s)
{
	json_t *list = json_array();

	for (size_t i = 0; i < s->n_clients; i++)
		json_array_append_new(
		    list, json_integer((json_int_t)s->clients[i]));
	return list;
}

static json_t *
json_engines(const struct error_state *s)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < s->n_engines; i++) {
		const struct error_engine *e = &s->engines[i];
		json_t *o = json_object();

		put_text(o, "name", e->name);
		put_text(o, "state", e->state);
		json_put_count(o, "queued", e->queued);
		json_put_count(o, "busy_ns", e->busy_ns);
		json_put_count(o, "batches", e->batches);
		json_object_set_new(o, "request",
		    e->has_request ? json_request(&e->request) : json_null());
		json_array_append_new(list, o);
	}
	return list;
}

static json_t *
json_state(const struct sim *sim, const struct error_state *s,
    const struct error_place *place)
{
	const struct hang *hang = &s->hang;
	json_t *o = json_object(), *rq = json_request(&s->request);

	json_put_count(o, "number", hang->number);
	put_ns(o, "at_ns", hang->time);
	put_text(o, "cause", hang_cause_name(hang->cause));
	put_text(o, "scope", reset_scope_name(hang->scope));
	put_text(o, "engine", hang->engine->name);
	put_text(o, "profile", sim->config.profile.name);
	put_text(o, "scheduler", sim->config.sched->name);
	json_put_bool(o, "guilty", hang->guilty);
	put_text(
	    o, "status", hang->guilty ? hang_report_status(hang->error) : NULL);
	json_put_bool(o, "context_banned", hang->context_banned);
	json_put_bool(o, "client_banned", hang->client_banned);
	put_place(rq, place);
	json_object_set_new(o, "request", rq);
	json_object_set_new(o, "context", json_context(s->context));
	json_object_set_new(o, "client", json_client(s->client));
	json_object_set_new(o, "waited_for", json_waits(s));
	json_put_count(o, "clients_waiting", s->total_clients);
	json_object_set_new(o, "waiting_clients", json_clients(s));
	put_requests(o, "waiting", "requests_waiting", &s->waiters);
	put_requests(o, "ring", "ring_requests", &s->ring);
	put_requests(o, "queue", "queue_requests", &s->queue);
	json_object_set_new(o, "engines", json_engines(s));
	return o;
}

void
hang_report_json(const struct sim *sim, const struct error_state *s,
    const struct error_place *place, struct text *out)
{
	json_t *o = json_state(sim, s, place);
	char *dump = json_dumps(o, JSON_PRESERVE_ORDER | JSON_INDENT(1));

	if (dump != NULL)
		text_adds(out, dump);
	text_addc(out, '\n');
	free(dump);
	json_decref(o);
}
