/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/batch/hang_log.h"

#include <stdlib.h>

#include "engine/sim.h"
#include "parser/mem.h"
#include "tui/errors/error_report.h"

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

static void
set_count(json_t *o, const char *key, uint64_t n)
{
	json_object_set_new(o, key, json_integer((json_int_t)n));
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

	set_count(o, "number", hang->number);
	set_count(o, "at_ns", hang->time);
	json_object_set_new(
	    o, "cause", json_string(hang_cause_name(hang->cause)));
	json_object_set_new(
	    o, "scope", json_string(reset_scope_name(hang->scope)));
	json_object_set_new(o, "engine", json_string(hang->engine->name));
	json_object_set_new(o, "engines", engines_json(hang));
	set_count(o, "client", entry->client);
	set_count(o, "context", entry->context);
	set_count(o, "step", entry->step);
	set_count(o, "iteration", entry->iteration);
	set_count(o, "seqno", entry->seq);
	set_count(o, "run_ns", hang->run_ns);
	json_object_set_new(o, "guilty", json_boolean(hang->guilty));
	json_object_set_new(o, "status",
	    hang->guilty ? json_string(error_status(hang->error))
			 : json_null());
	json_object_set_new(
	    o, "context_banned", json_boolean(hang->context_banned));
	json_object_set_new(
	    o, "client_banned", json_boolean(hang->client_banned));
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
