/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See match.h: how each side runs a case. */
#include "tests/naive/match.h"

#include "base/mem.h"
#include "base/util.h"
#include "engine/hang/hang.h"

#define MAX_ROWS   4000
#define MAX_EVENTS 2000000

/* The engine's side: rows as it tells them. */

static void
on_submitted(struct observer *o, struct request *rq)
{
	struct match *m = container_of(o, struct match, observer);
	size_t n = m->n_rows;

	m->rows = mem_grow(m->rows, n, &m->cap_rows, sizeof *m->rows);
	m->requests = mem_grow(
	    m->requests, n, &m->cap_requests, sizeof *m->requests);
	rq->observer = n;
	m->requests[n] = rq;
	m->rows[n] = (struct naive_row){
	    .client = rq->client->id,
	    .iteration = rq->origin.iteration,
	    .step = rq->origin.step,
	    .context = rq->context->def->number,
	    .submit = rq->submit_ns,
	};
	m->n_rows++;
}

static void
copy_request(struct match *m, size_t row, const struct request *rq)
{
	struct naive_row *r = &m->rows[row];

	r->ready = fence_time(&rq->queued);
	r->start = fence_time(&rq->scheduled);
	r->end = fence_time(&rq->finished);
	r->engine = r->start == NSEC_NEVER || rq->engine == NULL
	    ? -1
	    : rq->engine->index;
	r->run = rq->run_ns;
	if (r->end == NSEC_NEVER && rq->piece_ns != NSEC_NEVER)
		r->run += m->sim->now - rq->piece_ns;
	r->preemptions = rq->preemptions;
	if (rq->finished.error != 0)
		text_addf(
		    &m->what, "row %zu: error %d\n", row, rq->finished.error);
}

static void
on_ended(struct observer *o, struct request *rq)
{
	struct match *m = container_of(o, struct match, observer);

	copy_request(m, rq->observer, rq);
	m->requests[rq->observer] = NULL;
}

static void
on_hung(struct observer *o, const struct hang *hang)
{
	struct match *m = container_of(o, struct match, observer);

	(void)hang;
	if (m->hung_ns == NSEC_NEVER)
		m->hung_ns = m->sim->now;
}

static bool
compile(struct match *m, const struct profile *profile)
{
	struct device dev;
	struct program_options options = {
	    .duration_scale = m->g.duration_scale,
	    .delay_scale = m->g.delay_scale,
	};

	device_init(&dev, profile);
	options.all_slices = device_all_slices(&dev);
	for (unsigned i = 0; i < m->g.n_workloads; i++) {
		const struct document *docs[] = {m->docs[i], m->append};
		struct diag_list diags[2] = {{0}, {0}};

		m->programs[i] = program_compile(
		    docs, 2, &dev, &options, diags);
		for (unsigned k = 0; k < 2 && m->programs[i] == NULL; k++) {
			for (size_t d = 0; d < diags[k].n; d++)
				document_explain(
				    docs[k], &diags[k].list[d], &m->what);
		}
		diag_list_free(&diags[0]);
		diag_list_free(&diags[1]);
		if (m->programs[i] == NULL)
			return false;
	}
	return true;
}

static void
add_clients(struct match *m)
{
	struct workload *workloads[NAIVE_MAX_GENERATED];

	for (unsigned i = 0; i < m->g.n_workloads; i++)
		workloads[i] = sim_add_workload(
		    m->sim, "generated", m->programs[i]);
	for (unsigned i = 0; i < m->g.n_clients; i++) {
		bool background = m->g.clients[i].background;
		struct client_options options = {
		    .repeat = background ? 0 : m->g.clients[i].repeat,
		    .background = background,
		};

		sim_add_client(
		    m->sim, workloads[m->g.clients[i].workload], &options);
	}
}

/* Pulses many times in a batch, and timeouts that find nothing but what the
 * last pulse finds. */
static void
watch(struct profile *profile)
{
	profile->heartbeat_ns = 50 * NSEC_PER_USEC;
	profile->preempt_timeout_ns = 1000 * NSEC_PER_SEC;
	profile->preempt_timeout_compute_ns = 1000 * NSEC_PER_SEC;
	profile->request_timeout_ns = 1000 * NSEC_PER_SEC;
}

bool
match_run_engine(struct match *m)
{
	struct sim_config config = {
	    .seed = m->g.seed,
	    .same_random = m->g.same_random,
	    .sync_deps = m->g.sync_deps,
	};

	profile_init(&config.profile);
	config.profile.ring_requests = m->g.ring_requests;
	if (m->watched)
		watch(&config.profile);
	config.sched = sched_find(
	    naive_scheduler_names[m->g.scheduler], &m->what);
	if (config.sched == NULL || !compile(m, &config.profile))
		return false;
	m->sim = sim_new(&config);
	m->observer.submitted = on_submitted;
	m->observer.ended = on_ended;
	m->observer.hung = on_hung;
	m->hung_ns = NSEC_NEVER;
	sim_add_observer(m->sim, &m->observer);
	add_clients(m);
	if (sim_run(m->sim, NSEC_NEVER, MAX_EVENTS) == SIM_RUNNING &&
	    m->hung_ns == NSEC_NEVER) {
		text_adds(&m->what, "the engine does not come to an end\n");
		return false;
	}
	for (size_t i = 0; i < m->n_rows; i++) {
		if (m->requests[i] != NULL)
			copy_request(m, i, m->requests[i]);
	}
	return true;
}

/* The model's side. */

bool
match_run_naive(struct match *m)
{
	struct naive_config *config = &m->config;

	naive_config_ideal(config);
	config->scheduler = m->g.scheduler;
	config->ring_requests = m->g.ring_requests;
	config->seed = m->g.seed;
	config->same_random = m->g.same_random;
	config->sync_deps = m->g.sync_deps;
	config->duration_scale = m->g.duration_scale;
	config->delay_scale = m->g.delay_scale;
	config->max_rows = MAX_ROWS;
	config->n_workloads = m->g.n_workloads;
	config->n_jobs = m->g.n_clients;
	for (unsigned i = 0; i < m->g.n_workloads; i++) {
		const struct document *docs[] = {m->docs[i], m->append};

		naive_workload_init(&config->workloads[i], docs, 2);
	}
	for (unsigned i = 0; i < m->g.n_clients; i++)
		config->jobs[i] = (struct naive_job){m->g.clients[i].workload,
		    m->g.clients[i].repeat, m->g.clients[i].background};
	if (!naive_run(config, &m->naive))
		text_adds(&m->what, "the model refuses it\n");
	return m->what.len == 0;
}
