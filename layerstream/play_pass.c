/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Render passes that go on after a suspend. One that ends in the command
 * buffer in which it began is one message, as if there were no parts; of
 * others the metadata is sent when that buffer is over, draws unknown, and an
 * annex with them when they end (doc/layer.md "Split render passes").
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "layerstream/play_private.h"

void
pass_open(struct queue *q, const struct layer_workload *w, uint64_t submit)
{
	struct queue_pass *pass = &q->pass;
	uint32_t len;
	const char *labels = labels_object(&q->labels, &len);

	pass->workload = w;
	pass->submit = submit;
	pass->draws = w->info.draws;
	pass->parts = 1;
	pass->told = false;
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

/* Its metadata, while it goes on. */
static void
tell(struct queue *q)
{
	struct message_buffer *out = q->player->out;

	play_emit_pass(out, q->pass.workload, WORKLOAD_UNKNOWN);
	play_emit_labels(out, &q->pass, true);
	q->pass.told = true;
}

void
pass_suspend(struct queue *q, struct recording *kept)
{
	tell(q);
	q->pass.kept = kept;
	recording_keep(kept);
}

void
pass_close(struct queue *q, bool regularly)
{
	struct queue_pass *pass = &q->pass;
	struct play_sink *sink = q->player->sink;
	struct message_buffer *out = q->player->out;

	if (!pass->told && !regularly)
		tell(q);
	if (pass->told) {
		play_emit_sum(out, pass, regularly);
	} else {
		play_emit_pass(out, pass->workload, pass->draws);
		play_emit_labels(out, pass, false);
	}
	if (sink && sink->summed)
		sink->summed(sink, pass->workload, pass->submit, pass->draws,
		    pass->parts, regularly);
	recording_release(pass->kept);
	pass->kept = NULL;
	pass->workload = NULL;
}
