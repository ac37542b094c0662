/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --json: one object, with the keys of the manual (JSON) in their order. Keys
 * are only ever added at the end. Times are ns unless their key says us. */
#include "report/report.h"
#include "report/report_gpu.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/mem.h"
#include "device/streamer/streamer.h"
#include "engine/client/walker.h"
#include "engine/explain/limits.h"
#include "engine/sched/sched.h"
#include "engine/sim.h"
#include "run/hang_dump/hang_history.h"
#include "run/hang_dump/hang_report.h"
#include "run/plan.h"
#include "run/totals.h"

static json_t *
measure_json(const struct histogram *h, enum measure m)
{
	json_t *o = json_object();

	json_put_count(o, "mean_ns", histogram_mean(h, m));
	json_put_count(o, "p50_ns", histogram_percentile(h, m, 500));
	json_put_count(o, "p99_ns", histogram_percentile(h, m, 990));
	json_put_count(o, "max_ns", histogram_max(h, m));
	return o;
}

static void
set_times(json_t *o, const struct histogram *h)
{
	json_object_set_new(o, "queue_wait", measure_json(h, QUEUE_WAIT));
	json_object_set_new(o, "latency", measure_json(h, LATENCY));
}

/* Sets the figures of a client that its contexts repeat. */
static void
set_pace(json_t *o, const struct sim *sim, const struct client *c)
{
	double rate = rate_per_s((double)c->completed, client_elapsed(sim, c));

	json_put_real(o, "iterations_per_s", rate);
	json_put_count(o, "period_misses", client_misses(c));
}

static json_t *
queue_json(const struct hw_engine *e, nsec now)
{
	json_t *o = json_object();

	json_put_count(o, "now", e->queued);
	json_put_real(o, "mean", hw_engine_queue_mean(e, now));
	json_put_count(o, "max", hw_engine_queue_max(e, now));
	return o;
}

/* The counters of i915's PMU. wait is 0: no step waits for an event
 * (MI_WAIT_FOR_EVENT). */
static json_t *
pmu_json(const struct hw_engine *e, nsec now)
{
	json_t *o = json_object();

	json_put_count(o, "busy_ns", hw_engine_busy(e, now));
	json_put_count(o, "wait_ns", 0);
	json_put_count(o, "sema_ns", hw_engine_pmu_sema(e, now));
	return o;
}

static json_t *
engine_json(const struct hw_engine *e, nsec now)
{
	json_t *o = json_object();
	struct engine_times times = hw_engine_times(e, now);

	json_put_string(o, "name", e->name);
	json_put_string(o, "class", engine_class_names[e->class]);
	json_put_count(o, "instance", e->instance);
	json_put_count(o, "busy_ns", hw_engine_busy(e, now));
	json_put_count(o, "batches", e->batches);
	json_put_count(o, "switches", e->switches);
	json_put_count(o, "preemptions", e->preemptions);
	json_put_count(o, "idle_ns", hw_engine_idle(e, now));
	json_put_count(o, "waiting_ns", hw_engine_waiting(e, now));
	json_put_count(o, "sema_ns", hw_engine_sema(e, now));
	json_object_set_new(o, "queue", queue_json(e, now));
	json_object_set_new(o, "pmu", pmu_json(e, now));
	json_put_count(o, "run_ns", times.ns[USE_RUNNING]);
	json_put_count(o, "switch_ns", times.ns[USE_SWITCHING]);
	return o;
}

static json_t *
engine_list_json(const struct sim *sim)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < sim->device.n_engines; i++)
		json_array_append_new(
		    list, engine_json(&sim->device.engines[i], sim->now));
	return list;
}

static json_t *
period_json(const struct client *c)
{
	json_t *o = json_object();
	bool any = c->period.n > 0;

	json_put_count(o, "missed", client_misses(c));
	json_put_count(o, "avg_us", client_period_avg(c));
	json_put_count(o, "min_us", any ? c->period.min_us : 0);
	json_put_count(o, "max_us", any ? c->period.max_us : 0);
	return o;
}

/* Sets how the busy time was spent, and the running time on each engine that
 * the context has used. */
static void
set_engine_times(
    json_t *o, const struct sim *sim, const struct context *context)
{
	struct sim_times times;
	json_t *engines = json_object();

	sim_context_times(sim, context, &times);
	json_put_count(o, "run_ns", times.all.ns[USE_RUNNING]);
	json_put_count(o, "switch_ns", times.all.ns[USE_SWITCHING]);
	json_put_count(o, "sema_ns", times.all.ns[USE_POLLING]);
	for (unsigned i = 0; i < sim->device.n_engines; i++)
		if (times.run_ns[i] > 0)
			json_put_count(engines, sim->device.engines[i].name,
			    times.run_ns[i]);
	json_object_set_new(o, "engines", engines);
}

static json_t *
context_json(const struct sim *sim, const struct context *context)
{
	json_t *o = json_object();

	json_put_count(o, "id", context->def->number);
	json_put_integer(o, "priority", context->priority);
	json_put_count(o, "sseu", context->sseu);
	json_put_count(o, "busy_ns", sim_context_busy(sim, context));
	json_put_count(o, "batches", context->batches);
	json_put_count(o, "guilty_count", context->ban.guilty);
	json_put_count(o, "active_count", context->ban.active);
	json_put_bool(o, "banned", context->ban.banned);
	set_times(o, &context->times);
	set_pace(o, sim, context->client);
	set_engine_times(o, sim, context);
	return o;
}

static json_t *
contexts_json(const struct sim *sim, const struct client *c)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < c->n_contexts; i++)
		if (c->contexts[i]->def->n_batches > 0 ||
		    c->contexts[i]->batches > 0)
			json_array_append_new(
			    list, context_json(sim, c->contexts[i]));
	return list;
}

static json_t *
client_json(const struct sim *sim, const struct client *c)
{
	json_t *o = json_object();
	struct histogram times = {0};

	json_put_count(o, "id", c->id);
	json_put_string(
	    o, "workload", c->command != NULL ? c->command : c->name);
	json_put_count(o, "iterations", c->completed);
	json_put_count(o, "elapsed_ns", client_elapsed(sim, c));
	json_object_set_new(o, "period", period_json(c));
	json_object_set_new(o, "contexts", contexts_json(sim, c));
	json_put_bool(o, "background", c->background);
	json_put_count(o, "busy_ns", sim_client_busy(sim, c));
	json_put_count(o, "batches", c->batches);
	client_add_times(c, &times);
	set_times(o, &times);
	histogram_free(&times);
	set_pace(o, sim, c);
	json_put_bool(o, "killed", c->killed != KILL_NOT);
	if (c->walker == NULL) {
		json_put_string(o, "name", c->name);
		json_put_integer(o, "pid", c->pid);
		json_put_count(o, "summed_contexts", outside_of(c)->n_summed);
	}
	return o;
}

static json_t *
clients_json(const struct sim *sim)
{
	json_t *list = json_array();

	for (size_t i = 0; i < sim->n_clients; i++)
		if (sim->clients[i]->id == i)
			json_array_append_new(
			    list, client_json(sim, sim->clients[i]));
	return list;
}

/* Sets the sums of programs that are not among the clients any more. */
static void
set_summed_clients(json_t *run, const struct sim *sim)
{
	const struct past *past = &sim->outsiders.past;
	json_t *o = json_object();

	json_put_count(o, "clients", past->n_summed);
	json_put_count(o, "busy_ns", past->sums->busy_ns);
	json_put_count(o, "batches", past->sums->batches);
	set_times(o, &past->sums->times);
	set_engine_times(o, sim, past->sums);
	json_object_set_new(run, "summed_clients", o);
}

void
report_all_times(const struct sim *sim, struct histogram *times)
{
	histogram_merge(times, &sim->outsiders.past.sums->times);
	for (size_t i = 0; i < sim->n_clients; i++)
		client_add_times(sim->clients[i], times);
}

static void
set_all_times(json_t *o, const struct sim *sim)
{
	struct histogram times = {0};

	report_all_times(sim, &times);
	set_times(o, &times);
	histogram_free(&times);
}

/* Sets which engine limited the run, or null, and the use of that or of the
 * busiest. */
static void
set_limits(json_t *o, const struct sim *sim)
{
	static const struct limits_mark launch;
	struct limits l;
	const char *name;
	json_t *limits;

	limits_find(&l, &launch, sim, NULL);
	if (l.to <= l.from)
		return;
	limits = json_object();
	name = sim->device.engines[l.engine].name;
	json_object_set_new(
	    limits, "engine", l.found ? json_string(name) : json_null());
	json_put_string(limits, "busiest", name);
	json_put_real(limits, "run_percent", 100 * l.ran);
	json_put_real(limits, "switch_percent", 100 * l.switched);
	json_put_real(limits, "sseu_percent", 100 * l.slices);
	json_put_real(limits, "queued_percent", 100 * l.queued);
	json_put_real(limits, "queue_mean", l.queue);
	json_object_set_new(o, "limits", limits);
}

/* Sets the counters of context ids, for guc only. */
static void
set_guc(json_t *o, const struct sim *sim)
{
	const struct guc_counters *counters = sched_guc_counters(sim);
	json_t *guc;

	if (counters == NULL)
		return;
	guc = json_object();
	json_put_count(guc, "registrations", counters->registrations);
	json_put_count(guc, "steals", counters->steals);
	json_put_count(guc, "waits", counters->waits);
	json_object_set_new(o, "guc", guc);
}

void
hang_log_add(struct hang_log *log, const struct hang *hang)
{
	const struct request *rq = hang->rq;

	log->list = mem_grow(log->list, log->n, &log->cap, sizeof(*log->list));
	log->list[log->n] = (struct hang_entry){
	    .hang = *hang,
	    .seq = rq->seq,
	    .iteration = rq->origin.iteration,
	    .client = rq->client->id,
	    .context = rq->context->def->number,
	    .step = rq->origin.step,
	};
	log->list[log->n++].hang.rq = NULL;
}

void
hang_log_add_kept(struct hang_log *log, const struct hang_history *history)
{
	uint64_t last = history->last;
	uint64_t n = last < HANGS_KEPT ? last : HANGS_KEPT;

	for (uint64_t i = last - n + 1; i <= last; i++) {
		const struct hang_record *r = hang_history_find(history, i);

		if (r == NULL)
			continue;
		log->list = mem_grow(
		    log->list, log->n, &log->cap, sizeof(*log->list));
		log->list[log->n++] = (struct hang_entry){
		    .hang = r->hang,
		    .seq = r->request,
		    .iteration = r->iteration,
		    .client = r->client,
		    .context = r->context,
		    .step = r->step,
		};
	}
}

static json_t *
hang_engines_json(const struct hang *hang)
{
	const struct hw_engine *e;
	json_t *list = json_array();

	for (unsigned i = 0; (e = hang_engine(hang, i)) != NULL; i++)
		json_array_append_new(list, json_string(e->name));
	return list;
}

/* Names are those of --requests and of the error state. */
static json_t *
hang_json(const struct hang_entry *entry)
{
	const struct hang *hang = &entry->hang;
	json_t *o = json_object();

	json_put_count(o, "number", hang->number);
	json_put_count(o, "at_ns", hang->time);
	json_put_string(o, "cause", hang_cause_name(hang->cause));
	json_put_string(o, "scope", reset_scope_name(hang->scope));
	json_put_string(o, "engine", hang->engine->name);
	json_object_set_new(o, "engines", hang_engines_json(hang));
	json_put_count(o, "client", entry->client);
	json_put_count(o, "context", entry->context);
	json_put_count(o, "step", entry->step);
	json_put_count(o, "iteration", entry->iteration);
	json_put_count(o, "seqno", entry->seq);
	json_put_count(o, "run_ns", hang->run_ns);
	json_put_bool(o, "guilty", hang->guilty);
	json_object_set_new(o, "status",
	    hang->guilty ? json_string(hang_report_status(hang->error))
			 : json_null());
	json_put_bool(o, "context_banned", hang->context_banned);
	json_put_bool(o, "client_banned", hang->client_banned);
	return o;
}

static json_t *
hang_list_json(const struct hang_log *log)
{
	json_t *list = json_array();

	for (size_t i = 0; log != NULL && i < log->n; i++)
		json_array_append_new(list, hang_json(&log->list[i]));
	return list;
}

void
hang_log_free(struct hang_log *log)
{
	free(log->list);
}

/* The commands of all batches of programs, as far as they were executed. */
static json_t *
commands_json(const struct streamer_counts *c)
{
	char header[16];
	json_t *o = json_object();

	json_put_count(o, "executed", c->commands);
	json_put_count(o, "draws", c->draws);
	json_put_count(o, "clears", c->clears);
	json_put_count(o, "copies", c->copies);
	json_put_count(o, "dispatches", c->dispatches);
	json_put_count(o, "blits", c->blits);
	json_put_count(o, "frames", c->frames);
	json_put_count(o, "filters", c->filters);
	json_put_count(o, "unknown", c->unknown);
	snprintf(header, sizeof(header), "0x%08" PRIx32, c->unknown_last);
	json_object_set_new(o, "unknown_last",
	    c->unknown > 0 ? json_string(header) : json_null());
	return o;
}

/* Sets the profile and the scheduler, which a real GPU has not. */
static void
set_model(json_t *o, const struct result *result)
{
	const struct sim_config *config = &result->sim->config;

	if (plan_is_of_gpu(result->plan)) {
		json_object_set_new(o, "profile", json_null());
		json_object_set_new(o, "scheduler", json_null());
		return;
	}
	json_put_string(o, "profile", config->profile.name);
	json_put_string(o, "scheduler", config->sched->name);
}

static void
set_device(json_t *o, const struct result *result)
{
	const struct plan *plan = result->plan;
	const char *pci;

	if (!plan_is_of_gpu(plan)) {
		json_put_string(
		    o, "device", result->served ? "virtual" : "model");
		return;
	}
	pci = plan_gpu_address(plan);
	json_put_string(o, "device", "i915");
	json_put_string(o, "device_name", plan_gpu_name(plan));
	json_object_set_new(
	    o, "pci", pci != NULL ? json_string(pci) : json_null());
}

json_t *
report_object(const struct result *result)
{
	const struct sim *sim = result->sim;
	json_t *o = json_object();

	set_model(o, result);
	json_put_count(o, "seed", sim->config.seed);
	json_put_count(o, "elapsed_ns", result->elapsed_ns);
	json_put_count(o, "hangs", sim->n_hangs);
	json_object_set_new(o, "engines", engine_list_json(sim));
	json_object_set_new(o, "clients", clients_json(sim));
	json_put_real(o, "workloads_per_s", result->rate);
	json_put_bool(o, "deadlock", result->end == RUN_DEADLOCK);
	json_put_bool(o, "time_over", result->end == RUN_TIME_OVER);
	json_put_bool(o, "interrupted", result->end == RUN_SIGNAL);
	json_put_count(o, "timed_out", sim->n_timed_out);
	json_object_set_new(o, "hang_list", hang_list_json(result->hangs));
	json_put_string(o, "version", GPUWL_VERSION);
	set_device(o, result);
	set_all_times(o, sim);
	if (result->served)
		set_summed_clients(o, sim);
	set_guc(o, sim);
	set_limits(o, sim);
	if (result->commands != NULL)
		json_object_set_new(
		    o, "commands", commands_json(result->commands));
	report_gpu_json(o, result);
	return o;
}

bool
report_json(const struct result *result, FILE *out, bool *begun)
{
	json_t *o = report_object(result);
	bool ok;

	*begun = true;
	ok = json_dumpf(o, out, JSON_PRESERVE_ORDER | JSON_INDENT(1)) == 0;
	json_decref(o);
	return putc('\n', out) != EOF && ok;
}
