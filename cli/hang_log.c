/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/hang_log.h"

#include <stdlib.h>

#include "base/json.h"
#include "base/mem.h"
#include "engine/sim.h"
#include "run/hang_dump/error_report.h"

void
hang_log_add(struct hang_log *log, const struct hang *hang)
{
	const struct request *rq = hang->rq;

	log->list = mem_grow(log->list, log->n, &log->cap, sizeof(*log->list));
	log->list[log->n] = (struct hang_entry){
	    .hang = *hang,
	    .seq = rq->seq,
	    .iteration = rq->iteration,
	    .client = rq->client->id,
	    .context = rq->context->def->number,
	    .step = rq->step,
	};
	log->list[log->n++].hang.rq = NULL;
}

static json_t *
engines_json(const struct hang *hang)
{
	const struct hw_engine *e;
	json_t *list = json_array();

	for (unsigned i = 0; (e = hang_engine(hang, i)) != NULL; i++)
		json_array_append_new(list, json_string(e->name));
	return list;
}

/* Names as in --requests and in the error state. */
static json_t *
entry_json(const struct hang_entry *entry)
{
	const struct hang *hang = &entry->hang;
	json_t *o = json_object();

	json_put_count(o, "number", hang->number);
	json_put_count(o, "at_ns", hang->time);
	json_object_set_new(
	    o, "cause", json_string(hang_cause_name(hang->cause)));
	json_object_set_new(
	    o, "scope", json_string(reset_scope_name(hang->scope)));
	json_object_set_new(o, "engine", json_string(hang->engine->name));
	json_object_set_new(o, "engines", engines_json(hang));
	json_put_count(o, "client", entry->client);
	json_put_count(o, "context", entry->context);
	json_put_count(o, "step", entry->step);
	json_put_count(o, "iteration", entry->iteration);
	json_put_count(o, "seqno", entry->seq);
	json_put_count(o, "run_ns", hang->run_ns);
	json_put_bool(o, "guilty", hang->guilty);
	json_object_set_new(o, "status",
	    hang->guilty ? json_string(error_status(hang->error))
			 : json_null());
	json_put_bool(o, "context_banned", hang->context_banned);
	json_put_bool(o, "client_banned", hang->client_banned);
	return o;
}

json_t *
hang_log_json(const struct hang_log *log)
{
	json_t *list = json_array();

	for (size_t i = 0; i < log->n; i++)
		json_array_append_new(list, entry_json(&log->list[i]));
	return list;
}

void
hang_log_free(struct hang_log *log)
{
	free(log->list);
}
