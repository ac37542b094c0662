/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Workloads in a trace: slices of their engine, and render stages. */
#include "layerstream/workload.h"
#include "trace/merged.h"
#include "trace/trace_part.h"

static const struct {
	enum stage_stream stream;
	enum stage_kind stage;
} stages[N_WORKLOAD_TYPES] = {
    [WORKLOAD_DISPATCH] = {STREAM_COMPUTE, STAGE_COMPUTE},
    [WORKLOAD_TRACERAYS] = {STREAM_COMPUTE, STAGE_TRACE_RAYS},
    [WORKLOAD_BUFFER_TRANSFER] = {STREAM_TRANSFER, STAGE_COPY_BUFFER},
    [WORKLOAD_IMAGE_TRANSFER] = {STREAM_TRANSFER, STAGE_COPY_IMAGE},
};

static void
choose_stage(const struct layer_interval *i, struct render_stage *s)
{
	const struct workload_info *info = &i->workload->info;

	s->stream = stages[info->type].stream;
	s->stage = stages[info->type].stage;
	if (i->part == LAYER_BINNING) {
		s->stream = STREAM_BINNING;
		s->stage = STAGE_BINNING;
	} else if (i->part == LAYER_MAIN) {
		s->stream = STREAM_MAIN;
		s->stage = STAGE_MAIN;
	} else if (info->transfer == TRANSFER_FILL_BUFFER) {
		s->stage = STAGE_FILL_BUFFER;
	} else if (info->transfer == TRANSFER_CLEAR_IMAGE) {
		s->stage = STAGE_CLEAR_IMAGE;
	}
}

static void
put_stage(struct trace *t, const struct layer_interval *i)
{
	struct render_stage s = {
	    .instance = i->engine->index,
	    .start_ns = t->past + i->start,
	    .end_ns = t->past + i->end,
	    .tag = i->tag,
	    .submission = (uint32_t)i->submit,
	    .context = i->request->context->def->number,
	};

	choose_stage(i, &s);
	perfetto_stage(t->perfetto, &s);
}

void
trace_interval(struct layer_listener *l, const struct layer_interval *i)
{
	struct trace *t =
	    (struct trace *)((char *)l - offsetof(struct trace, listener));
	const struct trace_arg args[] = {
	    {"tag", NULL, (int64_t)i->tag},
	    {"submit", NULL, (int64_t)i->submit},
	    {"request", NULL, (int64_t)i->request->seq},
	    {"labels", i->labels, 0},
	};
	struct trace_slice s = {
	    .place = {GROUP_WORKLOADS, i->engine->index + 1u},
	    .start_ns = i->start,
	    .end_ns = i->end,
	    .args = args,
	    .n_args = sizeof(args) / sizeof(*args),
	};

	if (i->part == LAYER_NOTHING)
		return;
	text_clear(&t->text);
	merged_line(i, &t->text);
	s.name = text_str(&t->text);
	trace_put_slice(t, &s);
	if (t->perfetto != NULL)
		put_stage(t, i);
}
