/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs a recording again, and takes its requests with all that the model knows of
 * them: dependencies, priorities, engines that were allowed.
 */
#include "run/import/recorded.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/util.h"
#include "engine/sim.h"
#include "run/recording.h"

#define RECORDED_SLICE 50000 /* events */
#define MAX_RECORDED   100000000

struct recorded_row {
	struct infer_request r;
	uint32_t first_dep, n_deps;
	bool has_engine;
};

struct recorded {
	struct observer observer;
	struct sim *sim;
	struct recorded_row *rows; /* by request's seq, from 1 */
	size_t n, cap;
	struct infer_dep *deps; /* request: a seq */
	size_t n_deps, cap_deps;
};

bool
recorded_is(const char *path)
{
	static const char begin[] = "{\"gpuwl_recording\":";
	char bytes[sizeof(begin)] = "";
	int fd = strcmp(path, "-") != 0 ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	bool is = fd >= 0 &&
	    read(fd, bytes, sizeof(bytes) - 1) == sizeof(bytes) - 1 &&
	    memcmp(bytes, begin, sizeof(begin) - 1) == 0;

	if (fd >= 0)
		close(fd);
	return is;
}

static uint64_t
engines_of_mask(const struct device *dev, engine_mask allowed)
{
	uint64_t set = 0;

	for (unsigned i = 0; i < dev->n_engines; i++)
		if ((allowed >> i & 1) != 0 &&
		    dev->engines[i].instance < INFER_MAX_INSTANCES)
			set |= INFER_ENGINE((unsigned)dev->engines[i].class,
			    dev->engines[i].instance + 1u);
	return set;
}

static void
take_recorded_deps(struct recorded *rec)
{
	for (size_t i = 0; i < rec->sim->n_deps; i++) {
		const struct dependency *d = &rec->sim->deps[i];

		if (d->cause == WAIT_TIMELINE)
			continue;
		rec->deps = mem_grow(
		    rec->deps, rec->n_deps, &rec->cap_deps, sizeof(*rec->deps));
		rec->deps[rec->n_deps++] = (struct infer_dep){
		    .request = (uint32_t)d->signaler->seq,
		    .kind = d->cause == WAIT_SUBMIT ? INFER_SUBMIT
			: d->cause == WAIT_OBJECT   ? INFER_DATA
						    : INFER_FENCE};
	}
}

static void
recorded_submitted(struct observer *o, struct request *rq)
{
	struct recorded *rec = container_of(o, struct recorded, observer);
	struct recorded_row row = {.first_dep = (uint32_t)rec->n_deps};
	uint64_t allowed = engines_of_mask(&rec->sim->device, rq->allowed);

	if (rq->row > 0 || rq->seq > MAX_RECORDED)
		return;
	take_recorded_deps(rec);
	row.n_deps = (uint32_t)rec->n_deps - row.first_dep;
	row.r = (struct infer_request){.client = rq->client->id,
	    .context = rq->context->def->number,
	    .slot = rq->is_virtual || allowed == 0
		? 0
		: (uint32_t)__builtin_ctzll(allowed) + 1,
	    .allowed = allowed,
	    .queued_ns = rq->submit_ns,
	    .end_ns = NSEC_NEVER,
	    .run_ns = NSEC_NEVER,
	    .ready_ns = NSEC_NEVER,
	    .start_ns = NSEC_NEVER,
	    .origin = rq->origin.step + 1u,
	    .priority = rq->priority};
	/* One that no engine takes before the end. */
	if (allowed != 0) {
		unsigned bit = (unsigned)__builtin_ctzll(allowed);

		row.r.class = (uint8_t)(bit / INFER_MAX_INSTANCES);
		row.r.instance = (uint8_t)(bit % INFER_MAX_INSTANCES + 1);
		row.has_engine = true;
	}
	while (rec->n <= rq->seq) {
		rec->rows = mem_grow(
		    rec->rows, rec->n, &rec->cap, sizeof(*rec->rows));
		rec->rows[rec->n++] = (struct recorded_row){0};
	}
	rec->rows[rq->seq] = row;
}

static void
recorded_ended(struct observer *o, struct request *rq)
{
	struct recorded *rec = container_of(o, struct recorded, observer);
	struct recorded_row *row;

	if (rq->seq >= rec->n || rq->engine == NULL || rq->row > 0 ||
	    rq->engine->instance >= INFER_MAX_INSTANCES)
		return;
	row = &rec->rows[rq->seq];
	row->has_engine = true;
	row->r.class = (uint8_t)rq->engine->class;
	row->r.instance = (uint8_t)(rq->engine->instance + 1);
	row->r.ready_ns = fence_time(&rq->queued);
	row->r.start_ns = fence_time(&rq->scheduled);
	row->r.end_ns = fence_time(&rq->finished);
	row->r.run_ns = rq->run_ns;
}

static void
add_recorded_clients(struct recorded *rec, struct import *im, uint32_t *numbers)
{
	for (size_t i = 0; i < rec->sim->n_clients; i++)
		numbers[i] = UINT32_MAX;
	for (size_t seq = 1; seq < rec->n; seq++) {
		uint32_t id = rec->rows[seq].r.client;
		char name[32];

		if (!rec->rows[seq].has_engine || numbers[id] != UINT32_MAX)
			continue;
		snprintf(name, sizeof(name), "client%u", id);
		numbers[id] = import_add_client(im, name, -1);
	}
}

static void
add_recorded(struct recorded *rec, struct import *im)
{
	uint32_t *numbers = mem_calloc(
	    rec->sim->n_clients + 1, sizeof(*numbers));
	uint32_t *index = mem_calloc(rec->n + 1, sizeof(*index));

	add_recorded_clients(rec, im, numbers);
	for (size_t seq = 1; seq < rec->n; seq++) {
		struct recorded_row *row = &rec->rows[seq];

		index[seq] = UINT32_MAX;
		if (!row->has_engine)
			continue;
		row->r.client = numbers[row->r.client];
		index[seq] = import_add_request(im, &row->r);
		for (uint32_t i = 0; i < row->n_deps; i++) {
			const struct infer_dep *d =
			    &rec->deps[row->first_dep + i];

			if (d->request < seq && index[d->request] != UINT32_MAX)
				import_add_dep(im, index[seq],
				    index[d->request],
				    (enum infer_dep_kind)d->kind);
		}
	}
	free(numbers);
	free(index);
}

static bool
play_recording(struct recorded *rec, struct replay *replay, struct run *run,
    const struct import *im, struct text *err)
{
	nsec end = replay->duration;
	bool goes_on = true;

	rec->sim = run->sim;
	sim_add_observer(run->sim, &rec->observer);
	while (run->sim->state == SIM_RUNNING && !replay->is_over &&
	    run->sim->now < end && goes_on)
		goes_on = replay_run(replay, run, end, RECORDED_SLICE, err) &&
		    import_tell_progress(
			im, run->sim->now, end != NSEC_NEVER ? end : 0);
	sim_remove_observer(run->sim, &rec->observer);
	if (!goes_on && err->len == 0)
		text_adds(err, "stopped");
	return err->len == 0;
}

bool
recorded_read(struct import *im, const char *path, struct text *err)
{
	struct recorded rec = {.observer = {.submitted = recorded_submitted,
				   .ended = recorded_ended}};
	struct replay replay = {0};
	struct plan plan;
	struct run run;
	struct text said = {0};
	bool ok = replay_open(&replay, &plan, path, &said) &&
	    plan_launch(&plan, &run, &said);

	if (!ok)
		text_adds(err, text_str(&said));
	text_free(&said);
	if (ok) {
		ok = play_recording(&rec, &replay, &run, im, err);
		if (ok)
			add_recorded(&rec, im);
		run_free(&run);
	}
	replay_close(&replay);
	plan_close(&plan);
	free(rec.rows);
	free(rec.deps);
	return ok;
}
