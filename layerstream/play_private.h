/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the interpreter sends, and a queue's render pass in parts. */
#ifndef LAYERSTREAM_PLAY_PRIVATE_H
#define LAYERSTREAM_PLAY_PRIVATE_H

#include "layerstream/play.h"

/* Parts of a pass (play_pass.c). */

/* w begins under the queue's labels as they are. */
void pass_open(
    struct queue *q, const struct layer_workload *w, uint64_t submit);
void pass_add(struct queue_pass *pass, const struct layer_workload *part);
/* The command buffer in which it began has been played, and it goes on. */
void pass_suspend(struct queue *q, struct recording *kept);
/* It ends; regularly: where it says so itself. */
void pass_close(struct queue *q, bool regularly);

/* Messages (play_emit.c). */

/* What all submit messages of a queue begin with. */
void play_begin_submit(struct queue *q);
void play_emit_submit(
    struct message_buffer *out, const struct queue *q, uint64_t now);
void play_emit_resolved(struct message_buffer *out,
    const struct layer_workload *w, uint64_t submit);
/* A pass of which the draws are known only now. */
void play_emit_pass(
    struct message_buffer *out, const struct layer_workload *w, int64_t draws);
/* Its labels, and whether its metadata was sent before it had ended. */
void play_emit_labels(
    struct message_buffer *out, const struct queue_pass *pass, bool split);
/* What such a pass has come to. */
void play_emit_sum(
    struct message_buffer *out, const struct queue_pass *pass, bool regularly);

/* The annex with a workload's labels: by its submitID if it has one, else by
 * its tag, and then only if there are labels. labels is a JSON object. */
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

/* A workload was executed: its metadata and its labels. */
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
