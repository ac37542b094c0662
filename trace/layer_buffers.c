/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Command buffers: a batch is recorded from its annotations when it is first
 * submitted, and kept as long as its client and its program live.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "engine/client/origin.h"
#include "layerstream/spirv.h"
#include "trace/layer_private.h"

/* Reads a dispatch's group size from the file that it names, into its local. */
static void
read_group_size(struct annotation *dispatch, struct debug_report *report)
{
	struct text err = {0};

	if (!spirv_dispatch_size(dispatch, dispatch->local, &err))
		memset(dispatch->local, 0, sizeof(dispatch->local));
	if (err.len > 0)
		debug_report_say(report, "%s", text_str(&err));
	dispatch->spirv.len = 0;
	text_free(&err);
}

/* The workload of a batch without annotations (doc/layer.md "Workloads"). */
static enum record_default
default_workload(const struct sim *sim, const struct request *rq)
{
	switch (sim->device.engines[rq->ring->def->engine].class) {
	case CLASS_RCS: return RECORD_RENDERPASS;
	case CLASS_CCS: return RECORD_DISPATCH;
	case CLASS_BCS: return RECORD_BUFFER_TRANSFER;
	default: return RECORD_NOTHING;
	}
}

/* The program's annotations of the batch, with group sizes read from files. The
 * rows of a parallel batch have those of row 0 only. NULL: none. */
static struct annotation *
annotations_of(const struct request *rq, size_t *n, struct debug_report *report)
{
	const struct batch_annotations *b = request_annotations(rq);
	struct annotation *list;

	*n = 0;
	if (b == NULL || rq->row != 0)
		return NULL;
	*n = b->n;
	list = mem_calloc(b->n, sizeof(*list));
	memcpy(list, b->list, b->n * sizeof(*list));
	for (size_t i = 0; i < b->n; i++)
		if (list[i].spirv.len > 0)
			read_group_size(&list[i], report);
	return list;
}

static void
record_batch(struct buffers *b, const struct sim *sim, const struct request *rq,
    struct batch_buffer *batch)
{
	size_t n;
	struct annotation *list = annotations_of(rq, &n, b->report);

	record_annotations(&batch->cb, list, n, default_workload(sim, rq));
	if (batch->cb.recording->flags & RECORD_ONE_TIME_SUBMIT) {
		batch->again = list;
		batch->n_again = n;
	} else {
		free(list);
	}
}

/* Mistakes were reported the first time. */
static void
record_again(
    struct batch_buffer *batch, const struct sim *sim, const struct request *rq)
{
	batch->cb.report = NULL;
	record_annotations(&batch->cb, batch->again, batch->n_again,
	    default_workload(sim, rq));
}

static void
batch_buffer_free(struct chain_node *node)
{
	struct batch_buffer *batch = (struct batch_buffer *)(void *)node;

	command_buffer_free(&batch->cb);
	free(batch->again);
	free(batch);
}

static int
is_of_program(const struct chain_node *node, const void *program)
{
	return node->p == program;
}

static int
is_of_ended_client(const struct chain_node *node, const void *with)
{
	const struct sim *sim = with;

	return sim->clients[node->n >> 40]->state == CLIENT_ENDED;
}

/* Frees what was recorded of programs that have no other reference. */
static void
drop_unused_programs(struct buffers *b)
{
	size_t kept = 0;

	for (size_t i = 0; i < b->n_programs; i++) {
		const struct program *program = b->programs[i];

		if (program->refs > 1) {
			b->programs[kept++] = program;
			continue;
		}
		chains_sweep(
		    &b->batches, is_of_program, program, batch_buffer_free);
		program_unref(program);
	}
	b->n_programs = kept;
}

static void
hold_program(struct buffers *b, const struct program *program)
{
	for (size_t i = 0; i < b->n_programs; i++)
		if (b->programs[i] == program)
			return;
	drop_unused_programs(b);
	b->programs = mem_grow(b->programs, b->n_programs, &b->cap_programs,
	    sizeof(const struct program *));
	b->programs[b->n_programs++] = program_ref(program);
}

void
buffers_free(struct buffers *b)
{
	chains_sweep(&b->batches, NULL, NULL, batch_buffer_free);
	chains_free(&b->batches);
	for (size_t i = 0; i < b->n_programs; i++)
		program_unref(b->programs[i]);
	free(b->programs);
}

/* The key of a batch of its program: client, row and number; from outside:
 * client, row and engine. */
static uint64_t
buffer_key(const struct request *rq)
{
	const struct op_batch *batch = request_batch(rq);

	return (uint64_t)rq->client->id << 40 ^ (uint64_t)rq->row << 32 ^
	    (batch != NULL ? batch->output : rq->ring->def->engine);
}

struct command_recording *
buffers_recording(
    struct buffers *b, const struct sim *sim, const struct request *rq)
{
	const struct program *program = request_program(rq);
	struct chain_node *node = chains_find(
	    &b->batches, program, buffer_key(rq));
	struct batch_buffer *batch = (struct batch_buffer *)(void *)node;

	if (node != NULL) {
		if (batch->again != NULL)
			record_again(batch, sim, rq);
		return batch->cb.recording;
	}
	if (program != NULL)
		hold_program(b, program);
	chains_sweep_some(&b->batches, &b->sweep_at, is_of_ended_client, sim,
	    batch_buffer_free);
	batch = mem_calloc(1, sizeof(*batch));
	batch->node.p = program;
	batch->node.n = buffer_key(rq);
	command_buffer_init(&batch->cb, &b->tags, b->report);
	record_batch(b, sim, rq, batch);
	chains_add(&b->batches, &batch->node);
	return batch->cb.recording;
}
