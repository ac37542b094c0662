/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The virtual device as one: the uAPI above, the simulation below, and time,
 * which moves both.
 */
#include "device/model/virtual.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "device/model/model.h"
#include "device/tree/tree.h"
#include "engine/sim.h"

/* Time of a stall that a device makes up for, at most (doc/model/virtual.md "Stops"). */
#define STALL_NS (100 * NSEC_PER_MSEC)

struct virtual_device {
	struct model model;
	struct i915_config config;
	struct i915 *dev;
	struct tree_engine engines[GPU_ENGINES_MAX];
	char names[GPU_ENGINES_MAX][8];
};

struct virtual_device *
virtual_new(
    struct sim *sim, struct i915_host *host, nsec epoch_ns, struct text *err)
{
	struct virtual_device *v = mem_calloc(1, sizeof *v);
	struct model *m = &v->model;

	if (!platform_config(sim, &v->config, &m->streamer, m->engines, err)) {
		free(v);
		return NULL;
	}
	model_init(m, sim);
	m->max_mhz = v->config.max_mhz;
	m->pci_id = v->config.pci_id;
	m->pci_revision = v->config.revision;
	m->kernel = v->config.kernel;
	m->tells_errors = v->config.scheduler == I915_EXECLISTS &&
	    strcmp(sim->config.sched->name, "execlists") == 0;
	m->epoch_ns = epoch_ns;
	m->host = host;
	v->dev = i915_new(&v->config, host, &m->gpu, model_now(m));
	m->dev = v->dev;
	return v;
}

void
virtual_free(struct virtual_device *v)
{
	if (v == NULL)
		return;
	model_close(&v->model);
	i915_free(v->dev);
	model_free(&v->model);
	free(v);
}

void
virtual_number_processes(struct virtual_device *v,
    uint32_t (*number)(void *data, uint32_t pid), void *data)
{
	v->model.process_number = number;
	v->model.process_data = data;
}

void
virtual_tell_endless(struct virtual_device *v,
    void (*tell)(void *data, const char *line), void *data)
{
	v->model.tell = tell;
	v->model.tell_data = data;
}

struct i915 *
virtual_i915(struct virtual_device *v)
{
	return v->dev;
}

const struct streamer_counts *
virtual_counts(const struct virtual_device *v)
{
	return &v->model.counts;
}

/* Files. */

/* Returns whole milliseconds, at least 1 for what is not 0. */
static int
whole_ms(nsec time)
{
	return (int)((time + NSEC_PER_MSEC - 1) / NSEC_PER_MSEC);
}

static void
put_tree_engine(struct virtual_device *v, size_t i)
{
	const struct gpu_engine *e = &v->config.engines[i];
	const struct profile *profile = &v->model.sim->config.profile;
	bool compute = e->class == GPU_RENDER || e->class == GPU_COMPUTE;
	bool preempts = v->config.scheduler != I915_RING;

	snprintf(v->names[i], sizeof v->names[i], "%s%u",
	    i915_class_name(e->class), e->instance);
	v->engines[i] = (struct tree_engine){
	    .name = v->names[i],
	    .class = (enum tree_class)e->class,
	    .instance = e->instance,
	    .mmio_base = e->mmio_base,
	    .capabilities = e->capabilities,
	    .timeslice_ms = preempts ? whole_ms(profile->timeslice_ns) : -1,
	    .preempt_timeout_ms = preempts
		? whole_ms(compute ? profile->preempt_timeout_compute_ns
				   : profile->preempt_timeout_ns)
		: -1,
	};
}

bool
virtual_tree(
    struct virtual_device *v, struct tree_device *device, struct text *err)
{
	const struct profile *profile = &v->model.sim->config.profile;

	(void)err;
	for (size_t i = 0; i < v->config.n_engines; i++)
		put_tree_engine(v, i);
	*device = (struct tree_device){
	    .pci_id = v->config.pci_id,
	    .revision = v->config.revision,
	    .engines = v->engines,
	    .n_engines = v->config.n_engines,
	    .min_mhz = v->config.min_mhz,
	    .efficient_mhz = v->config.efficient_mhz,
	    .max_mhz = v->config.max_mhz,
	    .now_mhz = v->config.max_mhz,
	    .heartbeat_ms = (unsigned)whole_ms(profile->heartbeat_ns),
	    .stop_timeout_ms = I915_STOP_TIMEOUT_MS,
	    .busywait_ns = I915_BUSYWAIT_NS,
	    .request_timeout_ms = v->config.request_timeout_ms,
	    .has_gt0 = v->config.kernel >= I915_LINUX(5, 18),
	    .guc = v->config.scheduler == I915_GUC,
	};
	return true;
}

/* Time. */

/* Asks batches that poll again, as a batch has changed memory. */
static void
poke_after_changes(struct model *m)
{
	bool changed = m->memory_changed;

	m->memory_changed = false;
	if (changed && m->polling != NULL)
		model_ask_polling(m);
}

/* Runs the next instant until now. False: nothing moves, as the simulation was
 * asked to pause (sim->poll) or has ended. */
static bool
run_one_instant(struct model *m, nsec now)
{
	uint64_t instants = m->sim->n_instants;
	nsec before = m->sim->now;
	enum sim_ran ran = sim_run_instants(m->sim, now, instants + 1, 0);

	i915_gpu_moved(m->dev, model_now(m));
	poke_after_changes(m);
	model_report(m);
	return ran != SIM_HELD &&
	    (m->sim->n_instants != instants || m->sim->now != before);
}

static bool
is_running(const struct sim *sim)
{
	return sim->state != SIM_STOPPED && sim->state != SIM_TIME_OVER;
}

/* Lets the device's time pass, and not the simulation's. */
static uint64_t
advance_stopped(struct virtual_device *v, nsec device_now)
{
	struct model *m = &v->model;

	if (device_now > model_now(m))
		m->epoch_ns = device_now - m->sim->now;
	model_report(m);
	i915_advance(v->dev, model_now(m));
	model_report(m);
	return model_now(m);
}

uint64_t
virtual_advance(struct virtual_device *v, nsec device_now)
{
	struct model *m = &v->model;
	struct sim *sim = m->sim;
	nsec now = device_now - m->epoch_ns;

	if (m->gate != NULL)
		return advance_stopped(v, device_now);
	poke_after_changes(m);
	do {
		model_report(m);
		while (is_running(sim) &&
		    (sim->now < now || sim_next_event(sim) <= now))
			if (!run_one_instant(m, now))
				return advance_stopped(v, device_now);
		model_report(m);
		i915_advance(v->dev, model_now(m));
		if (m->polling != NULL && m->poll_ns <= sim->now)
			model_ask_polling(m);
	} while (is_running(sim) && sim_next_event(sim) <= now);
	return model_now(m);
}

nsec
virtual_now(const struct virtual_device *v)
{
	return model_now(&v->model);
}

void
virtual_poke(struct virtual_device *v)
{
	model_poke(&v->model.gpu);
}

/* Returns when the simulation is needed at the latest, in its own time. */
static nsec
next_of_model(const struct model *m)
{
	nsec next = sim_next_event(m->sim);

	if (m->n_notes > 0 || (m->memory_changed && m->polling != NULL))
		return m->sim->now;
	return m->polling != NULL ? nsec_earlier(next, m->poll_ns) : next;
}

void
virtual_stop(struct virtual_device *v, nsec device_now, bool stopped)
{
	struct model *m = &v->model;

	if (stopped == (m->gate != NULL))
		return;
	virtual_advance(v, device_now);
	if (stopped)
		model_stop(m);
	else
		model_go_on(m);
}

void
virtual_skip(struct virtual_device *v, nsec device_now)
{
	advance_stopped(v, device_now);
}

void
virtual_forget_stall(struct virtual_device *v, nsec device_now)
{
	nsec next = virtual_next(v);

	if (next < device_now && device_now - next > STALL_NS)
		virtual_skip(v, device_now - STALL_NS);
}

enum sim_ran
virtual_step(struct virtual_device *v, nsec device_now)
{
	struct model *m = &v->model;
	struct sim *sim = m->sim;
	enum sim_ran ran;
	nsec next;

	advance_stopped(v, device_now);
	/* Lets requests take part that were submitted up to now, none later. */
	if (model_is_awaited(m)) {
		model_go_on(m);
		model_stop(m);
	}
	next = next_of_model(m);
	if (next == NSEC_NEVER || !is_running(sim))
		return SIM_ENDED;
	m->epoch_ns = model_now(m) - next;
	poke_after_changes(m);
	ran = sim_run_instants(sim, next, sim->n_instants + 1, 0);
	if (ran != SIM_HELD && sim->now < next && sim_next_event(sim) > next)
		sim_move_to(sim, next);
	if (m->polling != NULL && m->poll_ns <= sim->now)
		model_ask_polling(m);
	advance_stopped(v, device_now);
	return ran;
}

nsec
virtual_next(struct virtual_device *v)
{
	const struct model *m = &v->model;
	nsec next = m->gate != NULL && m->n_notes == 0 ? NSEC_NEVER
						       : next_of_model(m);

	if (next != NSEC_NEVER)
		next += v->model.epoch_ns;
	return nsec_earlier(next, i915_next_ns(v->dev));
}
