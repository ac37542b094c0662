/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state of a queue that outlives submits: the stack of debug labels, and
 * the render pass that is open.
 *
 * A pass that ends in the command buffer in which it began is one message. For
 * a pass that is suspended there, the metadata is sent with unknown draws when
 * that buffer was played, and an annex with the draws when the pass ends
 * (doc/layer.md "Split render passes").
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "layerstream/play_private.h"

static const char opening[] = "{\"label\":[";

void
labels_free(struct labels *l)
{
	free(l->json);
	free(l->begin);
	*l = (struct labels){0};
}

/* Makes room for a label, its comma and the end of the object. */
static void
labels_reserve(struct labels *l, uint32_t len)
{
	uint32_t need = l->len + len + 1 + LABELS_SUFFIX;

	if (need > l->cap) {
		l->cap = need * 2;
		l->json = mem_realloc(l->json, l->cap, 1);
	}
	if (l->n == l->cap_begin) {
		l->cap_begin = l->cap_begin ? 2 * l->cap_begin : 8;
		l->begin = mem_realloc(
		    l->begin, l->cap_begin, sizeof(*l->begin));
	}
}

static void
labels_append(struct labels *l, const char *s, uint32_t len)
{
	memcpy(l->json + l->len, s, len);
	l->len += len;
}

bool
labels_push(struct labels *l, const char *json, uint32_t len)
{
	if (l->n != l->depth++ || l->n == LABELS_DEPTH ||
	    l->len + len > LABELS_BYTES)
		return false;
	labels_reserve(l, len + sizeof(opening));
	if (l->n == 0) {
		l->len = 0;
		labels_append(l, opening, sizeof(opening) - 1);
	}
	l->begin[l->n] = l->len;
	if (l->n++)
		l->json[l->len++] = ',';
	labels_append(l, json, len);
	memcpy(l->json + l->len, "]}", LABELS_SUFFIX);
	return true;
}

bool
labels_pop(struct labels *l)
{
	if (l->depth == 0)
		return false;
	if (l->n == l->depth--) {
		l->len = l->begin[--l->n];
		memcpy(l->json + l->len, "]}", LABELS_SUFFIX);
	}
	return true;
}

/* Decodes \uXXXX, which the layer writes for control characters only. */
static char
unescape_control(const char *s)
{
	char digits[5] = {s[0], s[1], s[2], s[3], '\0'};

	return (char)strtoul(digits, NULL, 16);
}

bool
labels_next(const char **at, const char *end, struct text *t)
{
	const char *p = *at;

	while (p < end && *p != '"')
		p++;
	if (p == end)
		return false;
	for (p++; p < end && *p != '"'; p++) {
		if (*p == '\\' && end - p > 6 && p[1] == 'u') {
			text_addc(t, unescape_control(p + 2));
			p += 5;
			continue;
		}
		if (*p == '\\' && p + 1 < end)
			p++;
		text_addc(t, *p);
	}
	*at = p < end ? p + 1 : end;
	return true;
}

void
pass_open(struct play_queue *q, const struct layer_workload *w, uint64_t submit,
    uint64_t execution)
{
	struct queue_pass *pass = &q->pass;
	uint32_t len;
	const char *labels = labels_object(&q->labels, &len);

	pass->workload = w;
	pass->submit = submit;
	pass->execution = execution;
	pass->draws = w->info.draws;
	pass->parts = 1;
	pass->sent = false;
	if (pass->labels_cap < len) {
		pass->labels_cap = 2 * len;
		pass->labels = mem_realloc(pass->labels, pass->labels_cap, 1);
	}
	memcpy(pass->labels, labels, len);
	pass->labels_len = len;
}

void
pass_add(struct queue_pass *pass, const struct layer_workload *part)
{
	pass->parts++;
	if (pass->draws < 0 || part->info.draws < 0)
		pass->draws = WORKLOAD_UNKNOWN;
	else
		pass->draws += part->info.draws;
}

/* Sends the metadata of a pass that goes on. */
static void
send_open_pass(struct play_queue *q)
{
	struct message_buffer *out = q->player->out;

	q->pass.sent = true;
	if (q->player->silent)
		return;
	play_emit_pass(out, q->pass.workload, WORKLOAD_UNKNOWN);
	play_emit_labels(out, &q->pass, true);
}

/* Sends what is known at the end of a pass. */
static void
send_closed_pass(struct play_queue *q, bool regularly)
{
	const struct queue_pass *pass = &q->pass;
	struct message_buffer *out = q->player->out;

	if (q->player->silent)
		return;
	if (pass->sent) {
		play_emit_sum(out, pass, regularly);
	} else {
		play_emit_pass(out, pass->workload, pass->draws);
		play_emit_labels(out, pass, false);
	}
}

void
pass_suspend(struct play_queue *q, struct command_recording *kept)
{
	send_open_pass(q);
	q->pass.kept = kept;
	command_recording_ref(kept);
}

void
pass_close(struct play_queue *q, bool regularly)
{
	struct queue_pass *pass = &q->pass;
	struct play_sink *sink = q->player->sink;

	if (!pass->sent && !regularly)
		send_open_pass(q);
	send_closed_pass(q, regularly);
	if (sink && sink->summed)
		sink->summed(sink, pass->workload, pass->submit, pass->draws,
		    pass->parts, regularly);
	command_recording_unref(pass->kept);
	pass->kept = NULL;
	pass->workload = NULL;
}

void
play_queue_init(
    struct play_queue *q, struct player *p, uint64_t device, uint64_t id)
{
	*q = (struct play_queue){.player = p, .device = device, .id = id};
	play_begin_submit(q);
}

void
play_queue_free(struct play_queue *q)
{
	if (q->pass.workload)
		pass_close(q, false);
	labels_free(&q->labels);
	free(q->pass.labels);
	q->pass.labels = NULL;
}
