/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Live files of the virtual i915 on the model: knobs of engines, resets that a
 * user asks for, and the error state of a hang (doc/model/i915_files.md "Live
 * files").
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "base/util.h"
#include "device/model/model.h"
#include "engine/client/client.h"
#include "engine/client/origin.h"
#include "engine/hang/error_state.h"
#include "engine/sim.h"

/* Knobs. */

/* GuC's quantum is the timeslice. */
static nsec *
knob_of(struct sim *sim, struct hw_engine *e, enum gpu_knob knob)
{
	static const char guc[] = "guc";
	const char *sched = sim->config.sched->name;

	switch (knob) {
	case GPU_TIMESLICE_MS:
		return strcmp(sched, guc) == 0 ? &e->knobs.quantum_ns
					       : &e->knobs.timeslice_ns;
	case GPU_PREEMPT_TIMEOUT_MS: return &e->knobs.preempt_timeout_ns;
	case GPU_HEARTBEAT_MS:
	case N_GPU_KNOBS: break;
	}
	return &e->knobs.heartbeat_ns;
}

uint64_t
model_knob(struct gpu *gpu, unsigned engine, enum gpu_knob knob)
{
	struct sim *sim = model_of(gpu)->sim;
	nsec value = *knob_of(sim, &sim->device.engines[engine], knob);

	return (value + NSEC_PER_MSEC - 1) / NSEC_PER_MSEC;
}

void
model_knob_set(
    struct gpu *gpu, unsigned engine, enum gpu_knob knob, uint64_t value)
{
	struct sim *sim = model_of(gpu)->sim;
	struct hw_engine *e = &sim->device.engines[engine];
	nsec ns = value * NSEC_PER_MSEC;

	if (knob == GPU_HEARTBEAT_MS)
		heartbeat_set_interval(sim, e, ns);
	else
		*knob_of(sim, e, knob) = ns;
	device_touch(&sim->device, e);
	if (knob == GPU_HEARTBEAT_MS && ns == 0)
		backend_heartbeat_off(sim);
}

void
model_reset_all(struct gpu *gpu, bool all)
{
	struct model *m = model_of(gpu);

	m->sim->config.profile.engine_reset = all ? 0 : m->engine_reset;
}

void
model_hangcheck(struct gpu *gpu, bool on)
{
	heartbeat_stop(model_of(gpu)->sim, !on);
}

void
model_request_timeout(struct gpu *gpu, uint64_t ms)
{
	watchdog_set_timeout(model_of(gpu)->sim, ms * NSEC_PER_MSEC);
}

/* A lost device. */

/* Marks all requests as lost, and puts those that have begun into m->poked: they
 * may end while it is gone through. */
static void
lose_requests(struct model *m)
{
	m->n_poked = 0;
	for (size_t i = 0; i < m->requests.cap; i++) {
		struct chain_node *node = m->requests.heads[i];

		for (; node != NULL; node = node->next) {
			struct model_request *r = container_of(
			    node, struct model_request, node);

			r->lost = true;
			if (!r->begun)
				continue;
			m->poked = mem_grow(m->poked, m->n_poked, &m->cap_poked,
			    sizeof *m->poked);
			m->poked[m->n_poked++] = r->ref;
		}
	}
}

/* Takes those that have begun off their engines. The others end when their turn
 * comes (model_on_duration()), also if the device is well again by then. */
void
model_lose(struct gpu *gpu, bool lost)
{
	struct model *m = model_of(gpu);

	if (m->lost == lost)
		return;
	m->lost = lost;
	if (!lost)
		return;
	model_ask_polling(m);
	lose_requests(m);
	for (size_t i = 0; i < m->n_poked; i++)
		backend_cancel(m->sim, m->poked[i], -EIO);
}

/* The error state. */

/* As the driver begins it: where, when. */
static void
add_engines_place(const struct model *m, uint64_t engines, struct text *out)
{
	text_addf(out, "GPU HANG: ecode %u:%" PRIx64 ":00000000",
	    m->streamer.version / 10, engines);
}

static void
add_time(const struct model *m, struct text *out)
{
	nsec now = model_now(m);

	text_addf(out, "Kernel: %u.%u.0 (virtual GPU of gpuwl-top)\n",
	    m->kernel / 1000, m->kernel % 1000);
	text_adds(out, "Driver: 20201103\n");
	text_addf(out, "Time: %" PRIu64 " s %" PRIu64 " us\n",
	    (uint64_t)(now / NSEC_PER_SEC),
	    (uint64_t)(now % NSEC_PER_SEC / NSEC_PER_USEC));
}

static void
add_head(const struct model *m, const struct error_state *s, struct text *out)
{
	add_engines_place(m, s->hang.engines, out);
	text_addf(
	    out, ", in %s [%" PRId64 "]\n", s->client->name, s->client->pid);
	add_time(m, out);
	text_addf(out, "Active process (on ring %s): %s [%" PRId64 "]\n",
	    s->hang.engine->name, s->client->name, s->client->pid);
	text_addf(out, "Reset: %s, %s\n", reset_scope_name(s->hang.scope),
	    hang_cause_name(s->hang.cause));
	text_addf(out, "PCI ID: 0x%04x\nPCI Revision: 0x%02x\n", m->pci_id,
	    m->pci_revision);
}

static void
add_captured(const struct error_request *rq, const char *what, struct text *out)
{
	text_addf(out,
	    "    %s: seqno %" PRIu64 ", prio %d, %s, ran %" PRIu64 " us\n",
	    what, rq->seq, (int)rq->priority, rq->state,
	    (uint64_t)(rq->run_ns / NSEC_PER_USEC));
}

static void
add_captured_engine(const struct error_engine *e, struct text *out)
{
	text_addf(out, "%s command stream:\n", e->name);
	text_addf(out, "    state: %s\n    queued: %u\n", e->state, e->queued);
	if (e->has_request)
		add_captured(&e->request, "ELSP[0]", out);
}

/* Returns the fence of a program's request, 0: of a descriptor's. */
static uint64_t
program_request(const struct request *rq)
{
	const struct model_request *r;

	if (request_op(rq) != NULL)
		return 0;
	r = request_tag(rq);
	return r->node.n;
}

void
model_capture(struct model *m, const struct hang *hang)
{
	uint64_t request = program_request(hang->rq);
	struct error_state *s;

	if (m->error.len > 0 ||
	    (request != 0 && !i915_gpu_events.is_captured(m->dev, request)))
		return;
	s = error_state_collect(m->sim, hang);
	add_head(m, s, &m->error);
	text_addf(&m->error,
	    "Active context: %s[%" PRId64 "] guilty %u "
	    "active %u%s\n",
	    s->client->name, s->client->pid, (unsigned)s->context->ban.guilty,
	    (unsigned)s->context->ban.active,
	    hang->context_banned ? ", banned" : "");
	add_captured(&s->request, "hung", &m->error);
	if (request_label(hang->rq) != NULL)
		text_addf(
		    &m->error, "    batch: %s\n", request_label(hang->rq));
	for (unsigned i = 0; i < s->n_engines; i++)
		add_captured_engine(&s->engines[i], &m->error);
	if (request != 0)
		i915_gpu_events.capture(
		    m->dev, request, hang->engine->index, &m->error);
	error_state_free(s);
}

/* Resets. */

/* Keeps the state of engines without a request, of which a user says that they
 * hang. */
static void
capture_idle(struct model *m, uint64_t engines)
{
	if (m->error.len > 0)
		return;
	add_engines_place(m, engines, &m->error);
	text_adds(&m->error, "\n");
	add_time(m, &m->error);
	text_addf(&m->error, "Reset: none, %s\n", hang_cause_name(HANG_WEDGED));
}

/* The engines hang now, in the next instant. */
void
model_reset(struct gpu *gpu, uint64_t engines)
{
	struct model *m = model_of(gpu);
	struct sim *sim = m->sim;
	uint64_t asked = 0;
	bool idle = true;

	for (unsigned i = 0; i < sim->device.n_engines; i++) {
		struct hw_engine *e = &sim->device.engines[i];

		if ((engines >> i & 1) == 0)
			continue;
		asked |= UINT64_C(1) << i;
		idle &= e->running == NULL;
		reset_by_user(sim, e);
	}
	if (idle && asked != 0)
		capture_idle(m, asked);
}

void
model_error_state(struct gpu *gpu, struct text *out)
{
	const struct model *m = model_of(gpu);

	text_adds(out, text_str(&m->error));
}

void
model_error_clear(struct gpu *gpu)
{
	text_clear(&model_of(gpu)->error);
}
