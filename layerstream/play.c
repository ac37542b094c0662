/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The interpreter of submit-time and resolve-time streams. */
#include "layerstream/play.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "layerstream/play_private.h"

struct submission {
	struct submission *next;
	struct player *player;
	struct recording *recording;
	uint64_t submit;
};

void
play_init(struct player *p, struct message_buffer *out, struct play_sink *sink,
    struct report *report)
{
	*p = (struct player){.out = out, .sink = sink, .report = report};
}

void
play_free(struct player *p)
{
	while (p->free) {
		struct submission *s = p->free;

		p->free = s->next;
		free(s);
	}
}

void
queue_init(struct queue *q, struct player *p, uint64_t device, uint64_t id)
{
	*q = (struct queue){.player = p, .device = device, .id = id};
	play_begin_submit(q);
}

void
queue_free(struct queue *q)
{
	if (q->pass.workload)
		pass_close(q, false);
	labels_free(&q->labels);
	free(q->pass.labels);
	q->pass.labels = NULL;
}

/* Each thing once per queue: a run repeats its mistakes. */
enum mistake { MISTAKE_POP, MISTAKE_DEEP, MISTAKE_RESUME, MISTAKE_BEGIN };

static void
report_once(struct queue *q, enum mistake mistake)
{
	static const char *const texts[] = {
	    [MISTAKE_POP] = "label pop without a label: ignored",
	    [MISTAKE_DEEP] = "labels are too many or too long: those above "
			     "are left out (pop what you push)",
	    [MISTAKE_RESUME] = "a render pass is resumed, but none is "
			       "suspended: ignored",
	    [MISTAKE_BEGIN] = "a render pass begins while another is "
			      "suspended: that one ends as it is (resume it "
			      "first)",
	};

	if (q->reported & 1u << mistake)
		return;
	q->reported |= 1u << mistake;
	report_say(q->player->report, "queue %llu: %s",
	    (unsigned long long)q->id, texts[mistake]);
}

/* A command buffer that is played. */
struct run {
	struct queue *q;
	struct recording *recording;
	uint64_t submit;                      /* 0: it needs none */
	const struct layer_workload *current; /* begun, and no pass in parts */
};

static __attribute__((noinline, cold)) void
tell_executed(struct run *run, const struct layer_workload *w,
    const struct layer_workload *part, uint64_t submit, const char *labels,
    uint32_t labels_len)
{
	struct play_sink *sink = run->q->player->sink;
	struct execution e = {.workload = w,
	    .part = part,
	    .submit = submit,
	    .in = run->submit,
	    .labels = labels + LABELS_PREFIX,
	    .labels_len = labels_len - LABELS_PREFIX - 1};

	if (sink->executed)
		sink->executed(sink, &e);
}

static inline void
listen(struct run *run, const struct layer_workload *w)
{
	const char *labels;
	uint32_t len;

	if (run->q->player->sink == NULL)
		return;
	labels = labels_object(&run->q->labels, &len);
	tell_executed(run, w, w, run->submit, labels, len);
}

static void
begin_pass(struct run *run, const struct layer_workload *w)
{
	struct queue *q = run->q;

	if (q->pass.workload) {
		report_once(q, MISTAKE_BEGIN);
		pass_close(q, false);
	}
	listen(run, w);
	pass_open(q, w, run->submit);
	run->current = NULL;
}

static void
resume_pass(struct run *run, const struct layer_workload *part)
{
	struct queue_pass *pass = &run->q->pass;

	run->current = NULL;
	if (pass->workload == NULL) {
		report_once(run->q, MISTAKE_RESUME);
		return;
	}
	pass_add(pass, part);
	if (run->q->player->sink)
		tell_executed(run, pass->workload, part, pass->submit,
		    pass->labels, pass->labels_len);
}

static inline void
end_workload(struct run *run)
{
	struct queue *q = run->q;

	if (run->current) {
		const struct layer_workload *w = run->current;
		const char *labels;
		uint32_t len;

		labels = labels_object(&q->labels, &len);
		play_emit(q->player->out, w, run->submit, labels, len);
		run->current = NULL;
	} else if (q->pass.workload) {
		pass_close(q, true);
	}
}

static void
run_stream(struct run *run, const struct stream *s)
{
	const struct command *c = s->list, *end;
	struct queue *q = run->q;

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
			/* Most are whole: like any other workload then. */
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
			listen(run, run->current);
			break;
		case OP_RENDERPASS_RESUME: resume_pass(run, c->operand); break;
		case OP_WORKLOAD_END: end_workload(run); break;
		default: break;
		}
	}
}

static struct submission *
remember(struct run *run)
{
	struct player *p = run->q->player;
	struct submission *s = p->free;

	if (run->recording->resolve.n == 0)
		return NULL;
	if (s)
		p->free = s->next;
	else
		s = mem_calloc(1, sizeof(*s));
	*s = (struct submission){NULL, p, run->recording, run->submit};
	recording_keep(run->recording);
	return s;
}

void
play_submit(struct queue *q, struct recording *const *list, size_t n,
    uint64_t now, struct submission **done)
{
	struct player *p = q->player;

	play_emit_submit(p->out, q, now);
	for (size_t i = 0; i < n; i++) {
		struct run run = {.q = q, .recording = list[i]};

		if (list[i]->needs_submit_id)
			run.submit = ++p->last_submit;
		run_stream(&run, &list[i]->submit);
		if (q->pass.workload && !q->pass.told)
			pass_suspend(q, list[i]);
		done[i] = remember(&run);
	}
}

void
play_dropped(struct submission *s)
{
	struct player *p = s->player;

	recording_release(s->recording);
	s->next = p->free;
	p->free = s;
}

void
play_completed(struct submission *s)
{
	const struct stream *resolve = &s->recording->resolve;
	struct play_sink *sink = s->player->sink;

	for (size_t i = 0; i < resolve->n; i++) {
		const struct layer_workload *w = resolve->list[i].operand;

		if (resolve->list[i].op != OP_RESOLVE_INDIRECT)
			continue;
		play_emit_resolved(s->player->out, w, s->submit);
		if (sink && sink->resolved)
			sink->resolved(sink, w, s->submit);
	}
	play_dropped(s);
}
