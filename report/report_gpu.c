/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys of --json that a run on a GPU has: how busy the GPU was in all, other
 * programs on it, and how well its clock is known. */
#include "report/report_gpu.h"

#include <inttypes.h>

#include "base/json.h"
#include "device/hardware/busyness.h"
#include "engine/sim.h"
#include "report/report.h"
#include "run/plan.h"

/* Returns the times of engines, by name: those of all programs, else of ours. */
static json_t *
all_engines_json(const struct sim *sim, const struct busyness *b)
{
	json_t *o = json_object();

	for (unsigned i = 0; i < sim->device.n_engines; i++) {
		const struct hw_engine *e = &sim->device.engines[i];

		json_put_count(o, e->name,
		    b->source == BUSYNESS_STAMPS ? hw_engine_busy(e, sim->now)
						 : b->engines[i].busy_ns);
	}
	return o;
}

static json_t *
busyness_json(const struct result *result)
{
	const struct busyness *b = result->busyness;
	const struct sim *sim = result->sim;
	bool ours = b->source == BUSYNESS_STAMPS;
	json_t *o = json_object();

	json_put_string(o, "source", busyness_source_name(b->source));
	json_object_set_new(o, "why",
	    b->why.len > 0 ? json_string(text_str(&b->why)) : json_null());
	json_put_count(o, "elapsed_ns", ours ? sim->now : b->counted_ns);
	json_object_set_new(o, "engines", all_engines_json(sim, b));
	return o;
}

/* A client of another program, with its times by class since the run began, or
 * since it was found. */
static json_t *
foreign_json(const struct foreign_client *c)
{
	json_t *o = json_object(), *classes = json_object();

	json_put_string(o, "name", c->name);
	json_put_integer(o, "pid", c->pid);
	json_put_count(o, "drm_client_id", c->id);
	for (int i = 0; i < N_CLASSES; i++)
		if (c->has_class[i])
			json_put_count(classes, engine_class_names[i],
			    c->busy_ns[i] - c->found_ns[i]);
	json_object_set_new(o, "engines", classes);
	return o;
}

static json_t *
foreign_list_json(const struct foreign *f)
{
	json_t *list = json_array();

	for (size_t i = 0; i < f->n; i++)
		json_array_append_new(list, foreign_json(&f->list[i]));
	return list;
}

void
report_gpu_json(json_t *o, const struct result *result)
{
	const struct busyness *b = result->busyness;

	if (result->plan->gpu == NULL)
		return;
	if (plan_gpu_has_clock(result->plan))
		json_put_count(
		    o, "clock_error_ns", plan_gpu_error(result->plan));
	else
		json_object_set_new(o, "clock_error_ns", json_null());
	if (b == NULL)
		return;
	json_object_set_new(o, "busyness", busyness_json(result));
	json_object_set_new(o, "other_clients", foreign_list_json(&b->others));
	json_put_count(o, "hidden_processes", b->others.n_hidden);
}
