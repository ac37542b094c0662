/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Slots of engine maps as timelines of the simulation, their power
 * configurations and their room.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "base/text.h"
#include "device/model/model.h"
#include "engine/client/client.h"
#include "engine/sim.h"

/* Returns the engines of a row, as bytes. */
static unsigned
list_engines(uint32_t mask, uint8_t *list)
{
	unsigned n = 0;

	for (; mask != 0; mask &= mask - 1)
		list[n++] = (uint8_t)__builtin_ctz(mask);
	return n;
}

static struct ring *
ring_of_slot(struct context *context, const struct gpu_slot *slot)
{
	struct bond *bonds = mem_calloc(slot->n_bonds + 1, sizeof *bonds);
	uint8_t rows[GPU_WIDTH_MAX * GPU_ENGINES_MAX];
	struct slot_setup setup = {.engines = slot->rows[0],
	    .bonds = bonds,
	    .n_bonds = (uint32_t)slot->n_bonds};
	struct text err = {0};
	struct ring *ring;

	for (size_t i = 0; i < slot->n_bonds; i++)
		bonds[i] = (struct bond){
		    slot->bonds[i].master, slot->bonds[i].engines};
	if (slot->width > 1) {
		setup.n_rows = slot->width;
		setup.rows = rows;
		for (unsigned i = 0; i < slot->width; i++)
			setup.n_siblings = list_engines(
			    slot->rows[i], rows + i * setup.n_siblings);
	}
	ring = backend_timeline_new(context, &setup, &err);
	free(bonds);
	text_free(&err);
	return ring;
}

/* CTX_TIMESTAMP when the first batch begins (doc/model/virtual.md "Batches"): whole
 * ticks of all clocks, so that differences are those of a count from 0. */
#define RESTORED_NS (10 * NSEC_PER_USEC)

struct gpu_timeline *
model_timeline_new(
    struct gpu *gpu, struct gpu_context *c, const struct gpu_slot *slot)
{
	struct model *m = model_of(gpu);
	struct gpu_timeline *t = mem_calloc(1, sizeof *t);
	unsigned first = (unsigned)__builtin_ctz(slot->rows[0]);

	t->refs = 1;
	t->context = c;
	t->width = slot->width;
	t->class = m->sim->device.engines[first].class;
	t->work_ns = RESTORED_NS;
	c->refs++;
	if (c->context != NULL)
		t->ring = ring_of_slot(c->context, slot);
	for (unsigned i = 0; i < t->width; i++)
		t->streamers[i] = streamer_context_new();
	return t;
}

void
model_timeline_sseu(
    struct gpu *gpu, struct gpu_timeline *t, const struct gpu_sseu *sseu)
{
	struct text err = {0};

	(void)gpu;
	if (t->ring != NULL)
		backend_timeline_set_sseu(t->ring, sseu->slices, &err);
	text_free(&err);
}

void
model_timeline_put(struct gpu_timeline *t)
{
	if (--t->refs > 0)
		return;
	for (unsigned i = 0; i < t->width; i++)
		streamer_context_free(t->streamers[i]);
	model_context_put(t->context);
	free(t);
}

void
model_timeline_free(struct gpu *gpu, struct gpu_timeline *t)
{
	(void)gpu;
	model_timeline_put(t);
}

/* As for the clients of programs, there is room again when half of the ring is
 * free. */
uint64_t
model_room(struct gpu *gpu, struct gpu_timeline *t)
{
	struct model *m = model_of(gpu);
	const struct model_request *r;
	struct request *rq;
	uint32_t left;

	if (t->ring == NULL || m->sim->backend->has_room(m->sim, t->ring))
		return 0;
	rq = t->ring->first;
	for (left = t->ring->in_flight; left > t->ring->room / 2 + 1; left--)
		rq = rq->next_of_ring;
	r = request_tag(rq);
	return r->node.n;
}
