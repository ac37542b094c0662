/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the interpreter, a queue's render pass and their messages. */
#ifndef LAYERSTREAM_PLAY_PRIVATE_H
#define LAYERSTREAM_PLAY_PRIVATE_H

#include "layerstream/play.h"

/* A queue's render pass (queue.c). */

/* Begins the pass w, under the current labels of the queue; execution is its
 * number. */
void pass_open(struct play_queue *q, const struct layer_workload *w,
    uint64_t submit, uint64_t execution);
/* Adds a resumed part to the pass. */
void pass_add(struct queue_pass *pass, const struct layer_workload *part);
/* Suspends the pass at the end of its command buffer, kept. */
void pass_suspend(struct play_queue *q, struct command_recording *kept);
/* Ends the pass. regularly: false if its queue ends or another pass begins
 * first. */
void pass_close(struct play_queue *q, bool regularly);

/* Messages (play_emit.c). */

/* Prepares the queue's submit messages, up to their time. */
void play_begin_submit(struct play_queue *q);
void play_emit_submit(
    struct message_buffer *out, const struct play_queue *q, uint64_t now);
void play_emit_resolved(struct message_buffer *out,
    const struct layer_workload *w, uint64_t submit);
/* The metadata of a pass, with these draws. */
void play_emit_pass(
    struct message_buffer *out, const struct layer_workload *w, int64_t draws);
/* A pass's labels. split: its metadata was sent before it ended. */
void play_emit_labels(
    struct message_buffer *out, const struct queue_pass *pass, bool split);
/* The draws and parts of a split pass that has ended. */
void play_emit_sum(
    struct message_buffer *out, const struct queue_pass *pass, bool regularly);

/* Writes the annex with a workload's labels, a JSON object: by its submitID, or
 * without one by its tag, and then only if there are labels. Returns the end. */
static inline uint8_t *
play_put_labels(uint8_t *at, uint64_t submit, uint64_t tag, const char *labels,
    uint32_t len)
{
	if (submit)
		at = message_header(at, MESSAGE_ANNEX, true, submit, tag, len);
	else if (len == sizeof(LABELS_EMPTY) - 1)
		return at;
	else
		at = message_header(at, MESSAGE_TAG_ANNEX, false, 0, tag, len);
	memcpy(at, labels, len);
	return at + len;
}

/* Sends an executed workload: its metadata and its labels. */
static inline void
play_emit(struct message_buffer *out, const struct layer_workload *w,
    uint64_t submit, const char *labels, uint32_t len)
{
	uint8_t *at = message_room(
	    out, w->bytes + MESSAGE_HEADER + MESSAGE_SEQUENCE + (size_t)len);

	memcpy(at, w->message, w->bytes);
	at = play_put_labels(at + w->bytes, submit, w->tag, labels, len);
	out->len = (size_t)(at - out->data);
}

#endif
