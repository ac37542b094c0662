/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The simulation as a GPU: its table of operations, its counters, and the
 * events that it reports.
 */
#include "device/model/model.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/util.h"
#include "engine/hang/hang.h"
#include "engine/invariants/invariants.h"
#include "engine/sim.h"

struct model *
model_of(struct gpu *gpu)
{
	return container_of(gpu, struct model, gpu);
}

nsec
model_now(const struct model *m)
{
	return m->epoch_ns + m->sim->now;
}

/* Events. */

void
model_note(struct model *m, enum model_event event, uint64_t request, int error)
{
	m->notes = mem_grow(
	    m->notes, m->n_notes, &m->cap_notes, sizeof *m->notes);
	m->notes[m->n_notes++] = (struct model_note){
	    request, model_now(m), error, event};
}

bool
model_report(struct model *m)
{
	invariants_kept(m->sim, m->n_restored);
	/* The device may add some. */
	for (size_t i = 0; i < m->n_notes; i++) {
		struct model_note note = m->notes[i];

		switch (note.event) {
		case MODEL_STARTED:
			i915_gpu_events.started(m->dev, note.request, note.ns);
			break;
		case MODEL_ENDED:
			i915_gpu_events.ended(
			    m->dev, note.request, note.ns, note.error);
			break;
		case MODEL_HUNG: i915_gpu_events.hung(m->dev); break;
		}
	}
	if (m->n_notes == 0)
		return false;
	m->n_notes = 0;
	return true;
}

static void
on_model_hung(struct observer *o, const struct hang *hang)
{
	struct model *m = container_of(o, struct model, observer);

	m->n_resets += hang->scope == RESET_FULL;
	model_capture(m, hang);
	model_note(m, MODEL_HUNG, 0, 0);
}

/* Counters. */

static struct gpu_counters
model_counters(struct gpu *gpu, unsigned engine)
{
	const struct sim *sim = model_of(gpu)->sim;
	const struct hw_engine *e = &sim->device.engines[engine];

	return (struct gpu_counters){
	    .busy_ns = hw_engine_busy(e, sim->now),
	    .semaphore_ns = hw_engine_pmu_sema(e, sim->now),
	};
}

/* An idle GPU sleeps; one that works does so at its highest frequency. */
static unsigned
model_frequency(struct gpu *gpu)
{
	const struct model *m = model_of(gpu);
	const struct device *dev = &m->sim->device;

	for (unsigned i = 0; i < dev->n_engines; i++) {
		if (dev->engines[i].running != NULL)
			return m->max_mhz;
	}
	return 0;
}

/* Only the frequency of a real GPU rises for a program that waits. */
static void
model_boost(struct gpu *gpu, uint64_t request)
{
	(void)gpu;
	(void)request;
}

static bool
model_wedged(struct gpu *gpu)
{
	return model_of(gpu)->lost;
}

static const struct gpu_ops model_ops = {
    .context_new = model_context_new,
    .context_set = model_context_set,
    .context_free = model_context_free,
    .context_banned = model_context_banned,
    .reset_stats = model_reset_stats,
    .program_gone = model_program_gone,
    .timeline_new = model_timeline_new,
    .timeline_sseu = model_timeline_sseu,
    .timeline_free = model_timeline_free,
    .batch = model_batch,
    .room = model_room,
    .submit = model_submit,
    .boost = model_boost,
    .fence_new = model_fence_new,
    .fence_signal = model_fence_signal,
    .poke = model_poke,
    .look_ahead = model_look_ahead,
    .counters = model_counters,
    .client_ns = model_client_ns,
    .frequency = model_frequency,
    .wedged = model_wedged,
    .knob = model_knob,
    .knob_set = model_knob_set,
    .reset = model_reset,
    .reset_all = model_reset_all,
    .hangcheck = model_hangcheck,
    .request_timeout = model_request_timeout,
    .lose = model_lose,
    .error_state = model_error_state,
    .error_clear = model_error_clear,
};

static const struct owner_ops model_owner_ops = {
    .started = model_on_started,
    .duration = model_on_duration,
    .ended = model_on_ended,
};

void
model_init(struct model *m, struct sim *sim)
{
	m->gpu.ops = &model_ops;
	m->owner.ops = &model_owner_ops;
	m->observer.hung = on_model_hung;
	m->sim = sim;
	m->n_restored = sim->n_restored;
	m->engine_reset = sim->config.profile.engine_reset;
	m->poll_ns = NSEC_NEVER;
	sim_add_observer(sim, &m->observer);
	backend_set_open(sim, true);
}

void
model_free(struct model *m)
{
	sim_remove_observer(m->sim, &m->observer);
	model_programs_leave(m);
	model_requests_free(m);
	model_programs_free(m);
	model_stop_free(m);
	text_free(&m->error);
	free(m->poked);
	free(m->notes);
}
