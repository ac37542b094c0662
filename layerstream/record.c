/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Command buffers and what is recorded into them: reports of mistakes, streams
 * of commands, recordings, and the calls of an application.
 */
#include "layerstream/record.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/text.h"

void
debug_report_say(struct debug_report *r, const char *fmt, ...)
{
	struct text t = {0};
	va_list ap;

	if (r == NULL || r->say == NULL)
		return;
	va_start(ap, fmt);
	text_addv(&t, fmt, ap);
	va_end(ap);
	r->say(r, text_str(&t));
	text_free(&t);
}

static const struct opcode_info opcodes[N_OPCODES] = {
    [OP_MARKER_BEGIN] = {"MARKER_BEGIN", OPERAND_LABEL, 0},
    [OP_MARKER_END] = {"MARKER_END", OPERAND_NONE, 0},
    [OP_RENDERPASS_BEGIN] = {"RENDERPASS_BEGIN", OPERAND_WORKLOAD, 0},
    [OP_RENDERPASS_RESUME] = {"RENDERPASS_RESUME", OPERAND_WORKLOAD, 0},
    [OP_COMPUTE_DISPATCH_BEGIN] = {"COMPUTE_DISPATCH_BEGIN", OPERAND_WORKLOAD,
	0},
    [OP_TRACE_RAYS_BEGIN] = {"TRACE_RAYS_BEGIN", OPERAND_WORKLOAD, 0},
    [OP_BUFFER_TRANSFER_BEGIN] = {"BUFFER_TRANSFER_BEGIN", OPERAND_WORKLOAD, 0},
    [OP_IMAGE_TRANSFER_BEGIN] = {"IMAGE_TRANSFER_BEGIN", OPERAND_WORKLOAD, 0},
    [OP_WORKLOAD_END] = {"WORKLOAD_END", OPERAND_NONE, 0},
    [OP_RESOLVE_INDIRECT] = {"RESOLVE_INDIRECT", OPERAND_WORKLOAD, 1},
};

const struct opcode_info *
opcode_info(unsigned op)
{
	return op < N_OPCODES ? &opcodes[op] : NULL;
}

void
stream_free(struct stream *s)
{
	free(s->list);
	*s = (struct stream){0};
}

void
stream_clear(struct stream *s)
{
	s->n = 0;
}

/* Makes room for n more commands. */
static void
stream_reserve(struct stream *s, size_t n)
{
	size_t cap = s->cap < STREAM_ROOM ? STREAM_ROOM : s->cap;

	if (n > SIZE_MAX / 4 - s->n)
		mem_exhausted();
	if (s->n + n <= s->cap)
		return;
	while (cap < s->n + n)
		cap *= 2;
	s->list = mem_realloc(s->list, cap, sizeof(*s->list));
	s->cap = cap;
}

void
stream_add(struct stream *s, enum opcode op, const void *operand)
{
	stream_reserve(s, 1);
	s->list[s->n++] = (struct stream_command){op, operand};
}

void
stream_append(struct stream *s, const struct stream *other)
{
	if (other->n == 0)
		return;
	stream_reserve(s, other->n);
	memcpy(s->list + s->n, other->list, other->n * sizeof(*s->list));
	s->n += other->n;
}

void
stream_trim(struct stream *s)
{
	if (s->n == s->cap)
		return;
	if (s->n == 0) {
		stream_free(s);
		return;
	}
	s->list = mem_realloc(s->list, s->n, sizeof(*s->list));
	s->cap = s->n;
}

void
command_recording_ref(struct command_recording *r)
{
	r->refs++;
}

static void
free_layer_workloads(struct layer_workload *w)
{
	while (w) {
		struct layer_workload *next = w->next;

		free(w->message);
		free(w);
		w = next;
	}
}

static void
free_recorded_labels(struct label *l)
{
	while (l) {
		struct label *next = l->next;

		free(l);
		l = next;
	}
}

void
command_recording_unref(struct command_recording *r)
{
	if (r == NULL || --r->refs)
		return;
	for (size_t i = 0; i < r->n_executed; i++)
		command_recording_unref(r->executed[i]);
	free(r->executed);
	free_layer_workloads(r->workloads);
	free_recorded_labels(r->labels);
	stream_free(&r->submit);
	stream_free(&r->resolve);
	free(r);
}

void
command_buffer_init(struct command_buffer *cb, struct tag_counter *tags,
    struct debug_report *report)
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
	command_recording_unref(cb->recording);
	command_buffer_init(cb, cb->tags, cb->report);
}

/* The array of a recording that is played no more, to be used again. */
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

/* True if a pass begins or ends in the stream, but not both. It follows the
 * interpreter (play.c). */
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
	struct command_recording *r = cb->recording;

	if (!cb->recording_now) {
		debug_report_say(cb->report,
		    "a command buffer ends that was not begun: ignored");
		return;
	}
	if (cb->pass) {
		debug_report_say(cb->report,
		    "a command buffer ends within a render pass: the pass ends "
		    "there too (use suspend to go on later)");
		record_renderpass_end(cb, false);
	}
	for (struct layer_workload *w = r->workloads; w; w = w->next)
		if (w->tag)
			workload_build_message(w);
	/* A ONE_TIME_SUBMIT batch has a recording for each one in flight. */
	stream_trim(&r->submit);
	stream_trim(&r->resolve);
	r->incomplete = r->has_passes && is_incomplete(&r->submit);
	r->needs_submit_id = !(r->flags & RECORD_ONE_TIME_SUBMIT) ||
	    r->has_indirect || r->incomplete;
	cb->recording_now = false;
	cb->suspended = NULL;
}

/* False, after a report, if cb is not recording. */
static bool
can_record(struct command_buffer *cb, const char *what)
{
	if (!cb->recording_now)
		debug_report_say(cb->report,
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
append_workload(struct command_buffer *cb, const struct workload_info *info,
    enum opcode op, bool part)
{
	struct command_recording *r = cb->recording;
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

/* Ends or suspends a pass that is open where none may be. */
static void
leave_pass(struct command_buffer *cb, bool suspend)
{
	if (cb->pass == NULL)
		return;
	debug_report_say(cb->report,
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
	cb->pass = append_workload(cb, info, OP_RENDERPASS_BEGIN, false);
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
	cb->pass = append_workload(cb, info, OP_RENDERPASS_RESUME, true);
	cb->pass_is_part = true;
	cb->recording->has_passes = true;
}

/* Adds a part's draws to its pass, which is in the same recording and so has
 * all of them in its metadata. */
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
		debug_report_say(cb->report,
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
	    [WORKLOAD_STRUCTURE_BUILD] = OP_COMPUTE_DISPATCH_BEGIN,
	    [WORKLOAD_STRUCTURE_TRANSFER] = OP_BUFFER_TRANSFER_BEGIN,
	    [WORKLOAD_DATA_GRAPH] = OP_COMPUTE_DISPATCH_BEGIN,
	};
	struct layer_workload *w;

	if (!can_record(cb, "a workload"))
		return 0;
	if (cb->pass)
		debug_report_say(cb->report,
		    "a %s within a render pass: end or suspend the pass first",
		    workload_type_name(info->type));
	w = append_workload(cb, info, ops[info->type], false);
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
	struct command_recording *r = cb->recording,
				 *other = secondary->recording;

	if (!can_record(cb, "a secondary command buffer"))
		return;
	if (other == NULL || secondary->recording_now) {
		debug_report_say(cb->report,
		    "a secondary command buffer is executed that is not "
		    "recorded: ignored (end its recording first)");
		return;
	}
	stream_append(&r->submit, &other->submit);
	stream_append(&r->resolve, &other->resolve);
	r->has_indirect |= other->has_indirect;
	if (other->has_passes) {
		/* The pass that a later resume continues is known when it is
		 * played. */
		cb->suspended = NULL;
		r->has_passes = true;
	}
	add_draws(cb, other->draws);
	r->executed = mem_grow(r->executed, r->n_executed, &r->cap_executed,
	    sizeof(struct command_recording *));
	r->executed[r->n_executed++] = other;
	command_recording_ref(other);
}
