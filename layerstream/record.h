/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Command buffers: what is recorded into them becomes two streams, one that is
 * played at submit and one when the GPU is done (doc/layer.md "Recording"), and
 * the metadata of each workload. Calls are those of an application; nothing
 * that it does in a wrong order is an error of ours: each has its meaning, and
 * is reported.
 *
 * What was recorded is shared, and counted: a primary keeps what it executed,
 * a submission what it plays, however its command buffer is used later.
 */
#ifndef LAYERSTREAM_RECORD_H
#define LAYERSTREAM_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "layerstream/report.h"
#include "layerstream/stream.h"
#include "layerstream/workload.h"

/* Numbers of workloads, from 1, of one session. */
struct tags {
	uint64_t last;
};

enum recording_flags {
	RECORD_ONE_TIME_SUBMIT = 1,
};

/* One recording of a command buffer. */
struct recording {
	struct stream submit;  /* played when it is submitted */
	struct stream resolve; /* when the GPU has done it */
	unsigned flags;        /* enum recording_flags */
	bool needs_submit_id;  /* its workloads get annexes by submitID */
	bool has_indirect;
	bool incomplete; /* a pass begins or ends somewhere else */
	bool has_passes;
	uint64_t draws; /* all of them, in passes or not */
	unsigned refs;
	struct layer_workload *workloads; /* its own, newest first */
	struct label *labels;
	struct recording **executed; /* secondaries, kept */
	size_t n_executed, cap_executed;
};

void recording_keep(struct recording *r);
void recording_release(struct recording *r); /* NULL is nothing */

struct command_buffer {
	struct tags *tags;
	struct report *report;       /* may be NULL */
	struct recording *recording; /* NULL: nothing since a reset */
	struct layer_workload *pass; /* open render pass, or part of one */
	bool pass_is_part;           /* it was resumed */
	/* A pass that began here and is suspended: a resume here is of it. */
	struct layer_workload *suspended;
	bool recording_now;
};

void command_buffer_init(
    struct command_buffer *cb, struct tags *tags, struct report *report);
void command_buffer_free(struct command_buffer *cb);
/* Forgets what was recorded, flags and open passes with it. */
void command_buffer_reset(struct command_buffer *cb);
/* Resets, and records from now on. */
void command_buffer_begin(struct command_buffer *cb, unsigned flags);
/* What was recorded can be submitted, or executed. */
void command_buffer_end(struct command_buffer *cb);

/* Labels are copied, bytes as they are. */
void record_label_push(struct command_buffer *cb, const char *s, size_t len);
void record_label_pop(struct command_buffer *cb);
/* info->draws is added to by record_draw(). The tag that it got. */
uint64_t record_renderpass_begin(
    struct command_buffer *cb, const struct workload_info *info);
/* A part of a pass that was suspended, here or in what is played before. */
void record_renderpass_resume(
    struct command_buffer *cb, const struct workload_info *info);
void record_renderpass_end(struct command_buffer *cb, bool suspend);
void record_draw(struct command_buffer *cb, uint32_t n);
/* Dispatches, rays and transfers: begun and ended at once. */
uint64_t record_workload(
    struct command_buffer *cb, const struct workload_info *info);
/* All commands of the secondary, here: later recordings of it are others. */
void record_execute(
    struct command_buffer *cb, const struct command_buffer *secondary);

/* What a batch is where its annotations say of no workload. */
enum record_default {
	RECORD_NOTHING,
	RECORD_RENDERPASS,
	RECORD_DISPATCH,
	RECORD_BUFFER_TRANSFER,
};

/*
 * Begins, records what the annotations of a batch say, ends. ONE_TIME_SUBMIT
 * if one of them is `once`. Without a workload among them the default is one,
 * under the last label that they push, and in no secondary. Files of spirv= are not looked into:
 * the caller has put what stands there into local, or it is not known.
 */
void record_annotations(struct command_buffer *cb,
    const struct annotation *list, size_t n, enum record_default otherwise);

#endif
