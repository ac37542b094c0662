/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recording. Calls of an application are recorded into a command buffer and
 * become two streams of commands, one that is played at submit and one that is
 * played when the GPU has run it (doc/layer.md "Recording"), with the metadata
 * of each workload. A call that is made at the wrong time is not an error: it has
 * its meaning, and a mistake is reported.
 *
 * A recording is reference counted: a primary command buffer keeps the
 * secondaries that it executes, a submission what it plays, however their
 * command buffers are used later.
 */
#ifndef LAYERSTREAM_RECORD_H
#define LAYERSTREAM_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "layerstream/workload.h"

/* Receives the mistakes of an application (as VK_EXT_debug_report). */
struct debug_report {
	/* text is one line for the user, without a newline; it is gone after
	 * the call. */
	void (*say)(struct debug_report *r, const char *text);
};

/* Formats and reports. r may be NULL. */
void debug_report_say(struct debug_report *r, const char *fmt, ...)
    __attribute__((format(printf, 2, 3), cold));

enum opcode {
	OP_MARKER_BEGIN,      /* struct label: push onto the queue's stack */
	OP_MARKER_END,        /* pop the queue's newest label */
	OP_RENDERPASS_BEGIN,  /* struct layer_workload */
	OP_RENDERPASS_RESUME, /* struct layer_workload: a part's draws, tag 0 */
	OP_COMPUTE_DISPATCH_BEGIN, /* struct layer_workload, as the next three */
	OP_TRACE_RAYS_BEGIN,
	OP_BUFFER_TRANSFER_BEGIN,
	OP_IMAGE_TRANSFER_BEGIN,
	OP_WORKLOAD_END, /* end the workload that began last */
	/* In the stream that is played when the GPU is done: */
	OP_RESOLVE_INDIRECT, /* struct layer_workload: its size is known */
	N_OPCODES
};

enum operand { OPERAND_NONE, OPERAND_LABEL, OPERAND_WORKLOAD };

struct opcode_info {
	const char *name;  /* as doc/layer.md writes it */
	uint8_t operand;   /* enum operand */
	uint8_t resolving; /* in the stream for when the GPU is done */
};

/* NULL if there is no such opcode. */
const struct opcode_info *opcode_info(unsigned op);

struct stream_command {
	uint64_t op; /* enum opcode */
	const void *operand;
};

#define STREAM_ROOM 256 /* commands that fit before the array grows */

/* An array of commands. It owns the array, not the operands. */
struct stream {
	struct stream_command *list;
	size_t n, cap;
};

void stream_free(struct stream *s);
void stream_clear(struct stream *s); /* keeps the memory */
void stream_add(struct stream *s, enum opcode op, const void *operand);
/* Appends all commands of other. */
void stream_append(struct stream *s, const struct stream *other);
/* Frees memory that is not used. */
void stream_trim(struct stream *s);

/* Gives tagIDs, from 1, over a session. */
struct tag_counter {
	uint64_t last;
};

enum recording_flags {
	RECORD_ONE_TIME_SUBMIT = 1,
};

/* One recording of a command buffer. */
struct command_recording {
	struct stream submit;  /* played when it is submitted */
	struct stream resolve; /* played when the GPU has run it */
	unsigned flags;        /* enum recording_flags */
	bool needs_submit_id;  /* its workloads get annexes by submitID */
	bool has_indirect;
	bool incomplete; /* a pass begins or ends in another recording */
	bool has_passes;
	uint64_t draws; /* in passes or not */
	unsigned refs;
	struct layer_workload *workloads; /* its own, newest first */
	struct label *labels;
	struct command_recording **executed; /* secondaries, referenced */
	size_t n_executed, cap_executed;
};

void command_recording_ref(struct command_recording *r);
void command_recording_unref(struct command_recording *r); /* NULL: no-op */

struct command_buffer {
	struct tag_counter *tags;
	struct debug_report *report;         /* may be NULL */
	struct command_recording *recording; /* NULL: nothing since a reset */
	struct layer_workload *pass;         /* open pass, or part of one */
	bool pass_is_part;                   /* it was resumed */
	/* A pass that began here and is suspended: a resume continues it. */
	struct layer_workload *suspended;
	bool recording_now;
};

/* tags and report outlive the command buffer; report may be NULL. */
void command_buffer_init(struct command_buffer *cb, struct tag_counter *tags,
    struct debug_report *report);
void command_buffer_free(struct command_buffer *cb);
/* Forgets the recording, its flags and open passes. */
void command_buffer_reset(struct command_buffer *cb);
/* Resets and starts recording. */
void command_buffer_begin(struct command_buffer *cb, unsigned flags);
/* Stops recording: the recording can be submitted, or executed. */
void command_buffer_end(struct command_buffer *cb);

/* The label's len bytes are copied; they may be any. */
void record_label_push(struct command_buffer *cb, const char *s, size_t len);
void record_label_pop(struct command_buffer *cb);
/* record_draw() adds to info->draws. Returns the pass's tag. */
uint64_t record_renderpass_begin(
    struct command_buffer *cb, const struct workload_info *info);
/* Continues a pass that was suspended here or in what is played before. */
void record_renderpass_resume(
    struct command_buffer *cb, const struct workload_info *info);
void record_renderpass_end(struct command_buffer *cb, bool suspend);
void record_draw(struct command_buffer *cb, uint32_t n);
/* Records a dispatch, rays or a transfer, begin and end. Returns its tag. */
uint64_t record_workload(
    struct command_buffer *cb, const struct workload_info *info);
/* Inlines the secondary's commands. It may be recorded anew later. */
void record_execute(
    struct command_buffer *cb, const struct command_buffer *secondary);

/* The workload of a batch whose annotations have none. */
enum record_default {
	RECORD_NOTHING,
	RECORD_RENDERPASS,
	RECORD_DISPATCH,
	RECORD_BUFFER_TRANSFER,
};

/*
 * Begins cb, records the annotations of a batch, ends it. It is ONE_TIME_SUBMIT
 * if one of them is `once`. If none is a workload, the default is recorded,
 * under the last label that they push and in no secondary. spirv= is not read:
 * the caller has put the group size into local, or it is unknown.
 */
void record_annotations(struct command_buffer *cb,
    const struct annotation *list, size_t n, enum record_default otherwise);

#endif
