/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Command buffers and what is recorded into them. */
#include "layerstream/record.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/text.h"
#include "layerstream/metadata.h"

void
recording_keep(struct recording *r)
{
	r->refs++;
}

static void
free_workloads(struct layer_workload *w)
{
	while (w) {
		struct layer_workload *next = w->next;

		free(w->message);
		free(w);
		w = next;
	}
}

static void
free_labels(struct label *l)
{
	while (l) {
		struct label *next = l->next;

		free(l);
		l = next;
	}
}

void
recording_release(struct recording *r)
{
	if (r == NULL || --r->refs)
		return;
	for (size_t i = 0; i < r->n_executed; i++)
		recording_release(r->executed[i]);
	free(r->executed);
	free_workloads(r->workloads);
	free_labels(r->labels);
	stream_free(&r->submit);
	stream_free(&r->resolve);
	free(r);
}

void
command_buffer_init(
    struct command_buffer *cb, struct tags *tags, struct report *report)
{
	*cb = (struct command_buffer){.tags = tags, .report = report};
}

void
command_buffer_free(struct command_buffer *cb)
{
	command_buffer_reset(cb);
}

void
command_buffer_reset(struct command_buffer *cb)
{
	recording_release(cb->recording);
	command_buffer_init(cb, cb->tags, cb->report);
}

/* The array of a stream that nobody plays any more, for the next one. */
static struct stream
take_spare(struct command_buffer *cb)
{
	struct stream spare = {0};

	if (cb->recording == NULL || cb->recording->refs > 1)
		return spare;
	spare = cb->recording->submit;
	cb->recording->submit = (struct stream){0};
	stream_clear(&spare);
	return spare;
}

void
command_buffer_begin(struct command_buffer *cb, unsigned flags)
{
	struct stream spare = take_spare(cb);

	command_buffer_reset(cb);
	cb->recording = mem_calloc(1, sizeof(*cb->recording));
	cb->recording->submit = spare;
	cb->recording->refs = 1;
	cb->recording->flags = flags;
	cb->recording_now = true;
}

/* Whether a pass begins or ends in the stream, but not both: as the
 * interpreter sees it. */
static bool
is_incomplete(const struct stream *s)
{
	bool pass = false, other = false;

	for (size_t i = 0; i < s->n; i++) {
		switch (s->list[i].op) {
		case OP_RENDERPASS_BEGIN:
			if (pass)
				return true;
			pass = true;
			other = false;
			break;
		case OP_RENDERPASS_RESUME:
			if (!pass)
				return true;
			other = false;
			break;
		case OP_MARKER_BEGIN:
		case OP_MARKER_END: break;
		case OP_WORKLOAD_END:
			if (!other)
				pass = false;
			other = false;
			break;
		default: other = true;
		}
	}
	return pass;
}

void
command_buffer_end(struct command_buffer *cb)
{
	struct recording *r = cb->recording;

	if (!cb->recording_now) {
		report_say(cb->report,
		    "a command buffer ends that was not begun: ignored");
		return;
	}
	if (cb->pass) {
		report_say(cb->report,
		    "a command buffer ends within a render pass: the pass ends "
		    "there too (use suspend to go on later)");
		record_renderpass_end(cb, false);
	}
	for (struct layer_workload *w = r->workloads; w; w = w->next)
		if (w->tag)
			metadata_build(w);
	/* A batch that is submitted once is recorded again, mostly as it was;
	 * but many in flight have a stream each. */
	stream_trim(&r->submit);
	stream_trim(&r->resolve);
	r->incomplete = r->has_passes && is_incomplete(&r->submit);
	r->needs_submit_id = !(r->flags & RECORD_ONE_TIME_SUBMIT) ||
	    r->has_indirect || r->incomplete;
	cb->recording_now = false;
	cb->suspended = NULL;
}

/* False, and reported, if nothing can be recorded now. */
static bool
can_record(struct command_buffer *cb, const char *what)
{
	if (!cb->recording_now)
		report_say(cb->report,
		    "%s outside of a recording: ignored (begin the command "
		    "buffer first)",
		    what);
	return cb->recording_now;
}

void
record_label_push(struct command_buffer *cb, const char *s, size_t len)
{
	struct text json = {0};
	struct label *l;

	if (!can_record(cb, "a label"))
		return;
	json_add_string(&json, s, len, false);
	l = mem_calloc(1, sizeof(*l) + json.len);
	l->len = (uint32_t)json.len;
	memcpy(l->json, json.data, json.len);
	text_free(&json);
	l->next = cb->recording->labels;
	cb->recording->labels = l;
	stream_add(&cb->recording->submit, OP_MARKER_BEGIN, l);
}

void
record_label_pop(struct command_buffer *cb)
{
	if (can_record(cb, "the end of a label"))
		stream_add(&cb->recording->submit, OP_MARKER_END, NULL);
}

static struct layer_workload *
add_workload(struct command_buffer *cb, const struct workload_info *info,
    enum opcode op, bool part)
{
	struct recording *r = cb->recording;
	struct layer_workload *w = mem_calloc(1, sizeof(*w));

	w->info = *info;
	if (w->info.weight == 0)
		w->info.weight = 1;
	w->tag = part ? 0 : ++cb->tags->last;
	w->next = r->workloads;
	r->workloads = w;
	stream_add(&r->submit, op, w);
	return w;
}

/* A pass is open, where none should be. */
static void
leave_pass(struct command_buffer *cb, bool suspend)
{
	if (cb->pass == NULL)
		return;
	report_say(cb->report,
	    "a render pass begins within another: that one %s first",
	    suspend ? "is suspended" : "ends");
	record_renderpass_end(cb, suspend);
}

uint64_t
record_renderpass_begin(
    struct command_buffer *cb, const struct workload_info *info)
{
	if (!can_record(cb, "a render pass"))
		return 0;
	leave_pass(cb, false);
	cb->pass = add_workload(cb, info, OP_RENDERPASS_BEGIN, false);
	cb->pass->split = true;
	cb->pass_is_part = false;
	cb->suspended = NULL;
	cb->recording->has_passes = true;
	return cb->pass->tag;
}

void
record_renderpass_resume(
    struct command_buffer *cb, const struct workload_info *info)
{
	if (!can_record(cb, "a render pass"))
		return;
	leave_pass(cb, true);
	cb->pass = add_workload(cb, info, OP_RENDERPASS_RESUME, true);
	cb->pass_is_part = true;
	cb->recording->has_passes = true;
}

/* The draws of a part, where the rest of its pass is in the same recording:
 * counted there, so that its metadata has all of them. */
static void
roll_up(struct layer_workload *pass, struct layer_workload *part)
{
	if (pass->info.draws < 0 || part->info.draws < 0)
		pass->info.draws = WORKLOAD_UNKNOWN;
	else
		pass->info.draws += part->info.draws;
	part->info.draws = 0;
}

void
record_renderpass_end(struct command_buffer *cb, bool suspend)
{
	struct layer_workload *whole = cb->pass;

	if (!can_record(cb, "the end of a render pass"))
		return;
	if (cb->pass == NULL) {
		report_say(cb->report,
		    "the end of a render pass that did not begin: ignored");
		return;
	}
	if (cb->pass_is_part) {
		whole = cb->suspended;
		if (whole)
			roll_up(whole, cb->pass);
	}
	cb->suspended = suspend ? whole : NULL;
	cb->pass = NULL;
	if (suspend)
		return;
	stream_add(&cb->recording->submit, OP_WORKLOAD_END, NULL);
	if (whole)
		whole->split = false;
}

static void
add_draws(struct command_buffer *cb, uint64_t n)
{
	cb->recording->draws += n;
	if (cb->pass && cb->pass->info.draws >= 0)
		cb->pass->info.draws += (int64_t)n;
}

void
record_draw(struct command_buffer *cb, uint32_t n)
{
	if (can_record(cb, "a draw"))
		add_draws(cb, n);
}

uint64_t
record_workload(struct command_buffer *cb, const struct workload_info *info)
{
	static const uint8_t ops[N_WORKLOAD_TYPES] = {
	    [WORKLOAD_DISPATCH] = OP_COMPUTE_DISPATCH_BEGIN,
	    [WORKLOAD_TRACERAYS] = OP_TRACE_RAYS_BEGIN,
	    [WORKLOAD_BUFFER_TRANSFER] = OP_BUFFER_TRANSFER_BEGIN,
	    [WORKLOAD_IMAGE_TRANSFER] = OP_IMAGE_TRANSFER_BEGIN,
	};
	struct layer_workload *w;

	if (!can_record(cb, "a workload"))
		return 0;
	if (cb->pass)
		report_say(cb->report,
		    "a %s within a render pass: end or suspend the pass first",
		    workload_type_name(info->type));
	w = add_workload(cb, info, ops[info->type], false);
	stream_add(&cb->recording->submit, OP_WORKLOAD_END, NULL);
	if (info->indirect) {
		stream_add(&cb->recording->resolve, OP_RESOLVE_INDIRECT, w);
		cb->recording->has_indirect = true;
	}
	return w->tag;
}

void
record_execute(
    struct command_buffer *cb, const struct command_buffer *secondary)
{
	struct recording *r = cb->recording, *other = secondary->recording;

	if (!can_record(cb, "a secondary command buffer"))
		return;
	if (other == NULL || secondary->recording_now) {
		report_say(cb->report,
		    "a secondary command buffer is executed that is not "
		    "recorded: ignored (end its recording first)");
		return;
	}
	stream_append(&r->submit, &other->submit);
	stream_append(&r->resolve, &other->resolve);
	r->has_indirect |= other->has_indirect;
	if (other->has_passes) {
		/* What is resumed after this is known when it is played. */
		cb->suspended = NULL;
		r->has_passes = true;
	}
	add_draws(cb, other->draws);
	r->executed = mem_grow(r->executed, r->n_executed, &r->cap_executed,
	    sizeof(struct recording *));
	r->executed[r->n_executed++] = other;
	recording_keep(other);
}
