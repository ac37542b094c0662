/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "engine/sim.h"
#include "parser/document/document.h"
#include "run/hang_dump/error_report.h"

const char *
error_status(int error)
{
	const char *name;

	if (error == 0)
		return "ok";
	name = strerrorname_np(error < 0 ? -error : error);
	return name != NULL ? name : "EUNKNOWN";
}

static void
add_time(struct text *out, const char *what, nsec t)
{
	if (t == NSEC_NEVER)
		text_addf(out, ", not yet %s", what);
	else
		text_addf(out, ", %s at %.9f s", what, (double)t / 1e9);
}

static void
add_request(struct text *out, const struct error_request *rq)
{
	text_addf(out,
	    "  request %" PRIu64 ": client %" PRIu32 ", context %" PRIu32
	    ", step %" PRIu32 ", iteration %" PRIu64,
	    rq->seq, rq->client, rq->context, rq->step, rq->iteration);
	if (rq->engine != NULL)
		text_addf(out, ", %s", rq->engine);
	text_addf(out, ": %s, priority %" PRId32, rq->state, rq->priority);
	if (rq->error != 0)
		text_addf(out, ", %s", error_status(rq->error));
	text_addf(
	    out, "\n    submitted at %.9f s", (double)rq->submit_ns / 1e9);
	add_time(out, "ready", rq->ready_ns);
	add_time(out, "started", rq->start_ns);
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
add_requests(
    struct text *out, const char *title, const struct error_requests *requests)
{
	text_addf(out, "\n%s: %zu\n", title, requests->total);
	for (size_t i = 0; i < requests->n; i++)
		add_request(out, &requests->list[i]);
	if (requests->n < requests->total)
		text_addf(
		    out, "  and %zu more\n", requests->total - requests->n);
}

/* Where in which file, and the line itself. */
static void
add_place(struct text *out, const struct error_place *place)
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
add_blame(struct text *out, const struct error_state *s)
{
	const struct ban_context *context = &s->context->ban;
	const struct ban_client *client = &s->client->ban;

	if (s->hang.guilty)
		text_addf(out, "  guilty: ends with %s\n",
		    error_status(s->hang.error));
	else
		text_adds(out, "  not guilty: is replayed\n");
	text_addf(out,
	    "\ncontext %" PRIu32 " of client %" PRIu32 ": guilty of %" PRIu32
	    " hangs, innocent in %" PRIu32 "%s%s\n",
	    s->request.context, s->client->id, context->guilty, context->active,
	    context->banned ? ", banned" : "",
	    s->hang.context_banned ? " by this one" : "");
	text_addf(out,
	    "client %" PRIu32 ": %" PRIu32 " hangs, score %" PRIu32 "%s%s\n",
	    s->client->id, client->hangs, client->score,
	    client->banned ? ", banned" : "",
	    s->hang.client_banned ? " by this one" : "");
}

static void
add_waits(struct text *out, const struct error_state *s)
{
	text_addf(out, "\nwaited for: %zu\n", s->n_waits);
	for (size_t i = 0; i < s->n_waits; i++)
		text_addf(out, "  step %" PRIu32 " (%s)%s\n", s->waits[i].step,
		    s->waits[i].cause, s->waits[i].pending ? ", pending" : "");
	text_addf(out, "\nclients that wait for it: %zu\n", s->total_clients);
	for (size_t i = 0; i < s->n_clients; i++)
		text_addf(out, "  client %" PRIu32 "\n", s->clients[i]);
}

static void
add_engines(struct text *out, const struct error_state *s)
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
			add_request(out, &e->request);
	}
}

void
error_report_text(const struct sim *sim, const struct error_state *s,
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
	add_place(out, place);
	add_request(out, &s->request);
	add_blame(out, s);
	add_waits(out, s);
	add_requests(out, "requests that wait for it", &s->waiters);
	add_requests(out, "on its ring, in flight", &s->ring);
	add_requests(out, "queue of the engine, in order", &s->queue);
	add_engines(out, s);
}
