/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The interpreter: plays the stream for submit, keeps what waits for the GPU,
 * and plays the stream for when the GPU has run it.
 */
#include "layerstream/play.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "layerstream/play_private.h"

struct played_submission {
	struct played_submission *next;
	struct player *player;
	struct command_recording *recording;
	uint64_t submit;
};

void
play_init(struct player *p, struct message_buffer *out, struct play_sink *sink,
    struct debug_report *report)
{
	*p = (struct player){.out = out, .sink = sink, .report = report};
}

void
play_free(struct player *p)
{
	while (p->free) {
		struct played_submission *s = p->free;

		p->free = s->next;
		free(s);
	}
}

/* A mistake is reported once per queue: a run repeats its mistakes. */
enum mistake { MISTAKE_POP, MISTAKE_DEEP, MISTAKE_RESUME, MISTAKE_BEGIN };

static void
report_once(struct play_queue *q, enum mistake mistake)
{
	static const char *const texts[] = {
	    [MISTAKE_POP] = "label pop without a label: ignored",
	    [MISTAKE_DEEP] = "too many or too long labels: those above are "
			     "left out (pop what you push)",
	    [MISTAKE_RESUME] = "a render pass is resumed, but none is "
			       "suspended: ignored",
	    [MISTAKE_BEGIN] = "a render pass begins while another is "
			      "suspended: that one ends as it is (resume it "
			      "first)",
	};

	if (q->reported & 1u << mistake)
		return;
	q->reported |= 1u << mistake;
	debug_report_say(q->player->report, "queue %llu: %s",
	    (unsigned long long)q->id, texts[mistake]);
}

/* A command buffer being played. */
struct playback {
	struct play_queue *q;
	struct command_recording *recording;
	uint64_t submit;    /* its submitID; 0: none */
	uint64_t execution; /* number of the current one */
	/* Has begun, and is not a pass in parts; NULL: none. */
	const struct layer_workload *current;
};

static __attribute__((noinline, cold)) void
report_executed(struct playback *run, const struct layer_workload *w,
    const struct layer_workload *part, uint64_t submit, const char *labels,
    uint32_t labels_len)
{
	struct play_sink *sink = run->q->player->sink;
	struct execution e = {.workload = w,
	    .part = part,
	    .submit = submit,
	    .in = run->submit,
	    .number = run->execution,
	    .labels = labels + LABELS_PREFIX,
	    .labels_len = labels_len - LABELS_PREFIX - 1};

	if (sink->executed)
		sink->executed(sink, &e);
}

/* An execution is counted even if it is not reported, so that its number does
 * not depend on who listens. */
static inline void
report_workload(struct playback *run, const struct layer_workload *w)
{
	const char *labels;
	uint32_t len;

	run->execution = ++run->q->player->executions;
	if (run->q->player->sink == NULL)
		return;
	labels = labels_object(&run->q->labels, &len);
	report_executed(run, w, w, run->submit, labels, len);
}

static void
begin_pass(struct playback *run, const struct layer_workload *w)
{
	struct play_queue *q = run->q;

	if (q->pass.workload) {
		report_once(q, MISTAKE_BEGIN);
		pass_close(q, false);
	}
	report_workload(run, w);
	pass_open(q, w, run->submit, run->execution);
	run->current = NULL;
}

static void
resume_pass(struct playback *run, const struct layer_workload *part)
{
	struct queue_pass *pass = &run->q->pass;

	run->current = NULL;
	if (pass->workload == NULL) {
		report_once(run->q, MISTAKE_RESUME);
		return;
	}
	run->execution = pass->execution;
	pass_add(pass, part);
	if (run->q->player->sink)
		report_executed(run, pass->workload, part, pass->submit,
		    pass->labels, pass->labels_len);
}

static inline void
end_workload(struct playback *run)
{
	struct play_queue *q = run->q;

	if (run->current) {
		const struct layer_workload *w = run->current;
		const char *labels;
		uint32_t len;

		run->current = NULL;
		if (q->player->silent)
			return;
		labels = labels_object(&q->labels, &len);
		play_emit(q->player->out, w, run->submit, labels, len);
	} else if (q->pass.workload) {
		pass_close(q, true);
	}
}

static void
run_stream(struct playback *run, const struct stream *s)
{
	const struct stream_command *c = s->list, *end;
	struct play_queue *q = run->q;

	if (s->n == 0)
		return;
	end = c + s->n;
	for (; c < end; c++) {
		switch (c->op) {
		case OP_MARKER_BEGIN: {
			const struct label *l = c->operand;

			if (!labels_push(&q->labels, l->json, l->len))
				report_once(q, MISTAKE_DEEP);
			break;
		}
		case OP_MARKER_END:
			if (!labels_pop(&q->labels))
				report_once(q, MISTAKE_POP);
			break;
		case OP_RENDERPASS_BEGIN:
			/* Most passes are whole: played as any workload. */
			if (c + 1 == end || c[1].op != OP_WORKLOAD_END ||
			    q->pass.workload) {
				begin_pass(run, c->operand);
				break;
			}
			/* fallthrough */
		case OP_COMPUTE_DISPATCH_BEGIN:
		case OP_TRACE_RAYS_BEGIN:
		case OP_BUFFER_TRANSFER_BEGIN:
		case OP_IMAGE_TRANSFER_BEGIN:
			run->current = c->operand;
			report_workload(run, run->current);
			break;
		case OP_RENDERPASS_RESUME: resume_pass(run, c->operand); break;
		case OP_WORKLOAD_END: end_workload(run); break;
		default: break;
		}
	}
}

/* Keeps what is left for when the GPU is done, or returns NULL. */
static struct played_submission *
keep_submission(struct playback *run)
{
	struct player *p = run->q->player;
	struct played_submission *s = p->free;

	if (run->recording->resolve.n == 0)
		return NULL;
	if (s)
		p->free = s->next;
	else
		s = mem_calloc(1, sizeof(*s));
	*s = (struct played_submission){NULL, p, run->recording, run->submit};
	command_recording_ref(run->recording);
	return s;
}

void
play_submit(struct play_queue *q, struct command_recording *const *list,
    size_t n, uint64_t now, struct played_submission **done)
{
	struct player *p = q->player;

	if (!p->silent)
		play_emit_submit(p->out, q, now);
	for (size_t i = 0; i < n; i++) {
		struct playback run = {.q = q, .recording = list[i]};

		if (list[i]->needs_submit_id)
			run.submit = ++p->last_submit;
		run_stream(&run, &list[i]->submit);
		if (q->pass.workload && !q->pass.sent)
			pass_suspend(q, list[i]);
		done[i] = keep_submission(&run);
	}
}

void
play_dropped(struct played_submission *s)
{
	struct player *p = s->player;

	command_recording_unref(s->recording);
	s->next = p->free;
	p->free = s;
}

void
play_completed(struct played_submission *s)
{
	const struct stream *resolve = &s->recording->resolve;
	struct play_sink *sink = s->player->sink;

	for (size_t i = 0; i < resolve->n; i++) {
		const struct layer_workload *w = resolve->list[i].operand;

		if (resolve->list[i].op != OP_RESOLVE_INDIRECT)
			continue;
		if (!s->player->silent)
			play_emit_resolved(s->player->out, w, s->submit);
		if (sink && sink->resolved)
			sink->resolved(sink, w, s->submit);
	}
	play_dropped(s);
}
