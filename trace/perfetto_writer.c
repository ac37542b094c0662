/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace/perfetto_writer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/mem.h"
#include "trace/perfetto_packet.h"

enum category { OTHER, GRAPHICS, COMPUTE };

/* Ids of names, one space for both: never 0, which Arm's loader rejects. */
#define STAGE_IID(stage)             (1u + (stage))
#define STREAM_IID(stream, instance) (100u + (stream)*100u + (instance))

/* As Arm's loader knows them, and nothing else. */
static const struct {
	const char *name;
	enum category category;
} streams[N_STAGE_STREAMS] =
    {
	[STREAM_COMPUTE] = {"compute", COMPUTE},
	[STREAM_VERTEX] = {"vertex", GRAPHICS},
	[STREAM_NON_FRAGMENT] = {"non-fragment", GRAPHICS},
	[STREAM_FRAGMENT] = {"fragment", GRAPHICS},
	[STREAM_BINNING] = {"binning", GRAPHICS},
	[STREAM_MAIN] = {"main", GRAPHICS},
	[STREAM_TRANSFER] = {"transfer", OTHER},
},
  stages[N_STAGE_KINDS] = {
      [STAGE_COMPUTE] = {"compute", COMPUTE},
      [STAGE_TRACE_RAYS] = {"trace_rays", COMPUTE},
      [STAGE_VERTEX] = {"vertex", GRAPHICS},
      [STAGE_NON_FRAGMENT] = {"non-fragment", GRAPHICS},
      [STAGE_FRAGMENT] = {"fragment", GRAPHICS},
      [STAGE_BINNING] = {"binning", GRAPHICS},
      [STAGE_MAIN] = {"main", GRAPHICS},
      [STAGE_CLEAR_IMAGE] = {"clear image", OTHER},
      [STAGE_COPY_IMAGE] = {"copy image", OTHER},
      [STAGE_COPY_BUFFER] = {"copy buffer", OTHER},
      [STAGE_FILL_BUFFER] = {"fill buffer", OTHER},
};

struct perfetto {
	struct sink out;
	/* Of the packet that is made: its name, and from where on those of its
	 * arguments and their texts. */
	struct text strings;
	size_t name_at[TRACE_MAX_ARGS], text_at[TRACE_MAX_ARGS];
	uint64_t known_streams[N_STAGE_STREAMS]; /* a bit for an instance */
	uint64_t known_stages;
	uint64_t n_stages; /* events */
	bool any;          /* a slice was written */
	/* Of the first slice; before: of the trace. */
	uint64_t first_start, first_end;
};

struct perfetto *
perfetto_new(int fd, uint64_t now_ns)
{
	struct perfetto *p = mem_calloc(1, sizeof(*p));

	sink_init(&p->out, fd, NULL);
	p->first_start = p->first_end = now_ns;
	packet_clocks(&p->out, now_ns);
	return p;
}

static size_t
add_string(struct perfetto *p, const char *s)
{
	size_t at = p->strings.len;

	text_add_valid(&p->strings, s);
	text_addc(&p->strings, '\0');
	return at;
}

static size_t
add_number(struct perfetto *p, int64_t n)
{
	size_t at = p->strings.len;

	text_add_number(&p->strings, n);
	text_addc(&p->strings, '\0');
	return at;
}

/* All strings first: they move while there come more. How many arguments are
 * taken. */
static size_t
gather(struct perfetto *p, const char *name, const struct trace_arg *args,
    size_t n)
{
	if (n > TRACE_MAX_ARGS)
		n = TRACE_MAX_ARGS;
	text_clear(&p->strings);
	add_string(p, name);
	for (size_t i = 0; i < n; i++) {
		p->name_at[i] = add_string(p, args[i].name);
		p->text_at[i] = args[i].text != NULL
		    ? add_string(p, args[i].text)
		    : add_number(p, args[i].number);
	}
	return n;
}

static uint64_t
uuid(struct trace_place place)
{
	return (uint64_t)place.group << 32 | place.number;
}

void
perfetto_track(struct perfetto *p, const struct trace_track *t)
{
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__TrackDescriptor track = PERFETTO__TRACK_DESCRIPTOR__INIT;
	Perfetto__CounterDescriptor counter =
	    PERFETTO__COUNTER_DESCRIPTOR__INIT;
	struct trace_arg unit = {.name = "", .text = t->unit};

	gather(p, t->name, &unit, t->unit != NULL);
	track.has_uuid = true;
	track.uuid = uuid(t->place);
	track.name = p->strings.data;
	track.has_parent_uuid = t->place.number != 0;
	track.parent_uuid = uuid((struct trace_place){t->place.group, 0});
	if (t->unit != NULL) {
		counter.unit_name = p->strings.data + p->text_at[0];
		track.counter = &counter;
	}
	packet.track_descriptor = &track;
	packet_add(&p->out, &packet);
}

static void
add_event(struct perfetto *p, uint64_t at_ns, struct trace_place place,
    Perfetto__TrackEvent__Type type, Perfetto__TrackEvent *event)
{
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;

	event->has_type = true;
	event->type = type;
	event->has_track_uuid = true;
	event->track_uuid = uuid(place);
	packet.has_timestamp = true;
	packet.timestamp = at_ns;
	packet.track_event = event;
	packet_add(&p->out, &packet);
}

/* With a name and arguments. */
static void
add_named(struct perfetto *p, uint64_t at_ns, struct trace_place place,
    Perfetto__TrackEvent__Type type, Perfetto__TrackEvent *event,
    const struct trace_arg *args, size_t n)
{
	Perfetto__DebugAnnotation notes[TRACE_MAX_ARGS], *list[TRACE_MAX_ARGS];

	for (size_t i = 0; i < n; i++) {
		perfetto__debug_annotation__init(&notes[i]);
		notes[i].name = p->strings.data + p->name_at[i];
		notes[i].has_int_value = args[i].text == NULL;
		notes[i].int_value = args[i].number;
		if (args[i].text != NULL)
			notes[i].string_value = p->strings.data + p->text_at[i];
		list[i] = &notes[i];
	}
	event->name = p->strings.data;
	event->n_debug_annotations = n;
	event->debug_annotations = list;
	add_event(p, at_ns, place, type, event);
}

static void
note_first(struct perfetto *p, const struct trace_slice *s)
{
	if (p->any)
		return;
	p->any = true;
	p->first_start = s->start_ns;
	p->first_end = s->end_ns;
}

void
perfetto_slice(struct perfetto *p, const struct trace_slice *s)
{
	Perfetto__TrackEvent begin = PERFETTO__TRACK_EVENT__INIT;
	Perfetto__TrackEvent end = PERFETTO__TRACK_EVENT__INIT;

	begin.n_flow_ids = s->n_from;
	begin.flow_ids = (uint64_t *)(uintptr_t)s->from;
	begin.n_terminating_flow_ids = s->n_to;
	begin.terminating_flow_ids = (uint64_t *)(uintptr_t)s->to;
	add_named(p, s->start_ns, s->place,
	    PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_BEGIN, &begin, s->args,
	    gather(p, s->name, s->args, s->n_args));
	add_event(p, s->end_ns, s->place,
	    PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_END, &end);
	note_first(p, s);
}

void
perfetto_instant(struct perfetto *p, const struct trace_instant *i)
{
	Perfetto__TrackEvent event = PERFETTO__TRACK_EVENT__INIT;

	add_named(p, i->at_ns, i->place,
	    PERFETTO__TRACK_EVENT__TYPE__TYPE_INSTANT, &event, i->args,
	    gather(p, i->name, i->args, i->n_args));
}

void
perfetto_counter(struct perfetto *p, const struct trace_counter *c)
{
	Perfetto__TrackEvent event = PERFETTO__TRACK_EVENT__INIT;

	event.has_counter_value = true;
	event.counter_value = c->value;
	add_event(p, c->at_ns, c->place,
	    PERFETTO__TRACK_EVENT__TYPE__TYPE_COUNTER, &event);
}

/* The id of a stream; its name is told before it is used first. */
static uint64_t
stream_iid(struct perfetto *p, enum stage_stream stream, unsigned instance)
{
	uint64_t bit = UINT64_C(1) << instance % STAGE_MAX_INSTANCES;
	uint64_t iid = STREAM_IID(stream, instance % STAGE_MAX_INSTANCES);

	if (!(p->known_streams[stream] & bit))
		packet_specification(&p->out, iid, streams[stream].name,
		    streams[stream].category);
	p->known_streams[stream] |= bit;
	return iid;
}

static uint64_t
stage_iid(struct perfetto *p, enum stage_kind stage)
{
	uint64_t bit = UINT64_C(1) << stage;

	if (!(p->known_stages & bit))
		packet_specification(&p->out, STAGE_IID(stage),
		    stages[stage].name, stages[stage].category);
	p->known_stages |= bit;
	return STAGE_IID(stage);
}

static void
add_stage(struct perfetto *p, const struct render_stage *s,
    Perfetto__GpuRenderStageEvent *event)
{
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;

	event->has_hw_queue_iid = event->has_stage_iid = true;
	event->hw_queue_iid = stream_iid(p, s->stream, s->instance);
	event->stage_iid = stage_iid(p, s->stage);
	event->has_event_id = event->has_duration = event->has_context = true;
	event->event_id = ++p->n_stages;
	event->duration = s->end_ns - s->start_ns;
	event->context = s->context;
	event->has_submission_id = s->submission != 0;
	event->submission_id = s->submission;
	packet.has_timestamp = true;
	packet.timestamp = s->start_ns;
	packet.sequence_flags = PACKET_NEEDS_STATE;
	packet.gpu_render_stage_event = event;
	packet_add(&p->out, &packet);
}

void
perfetto_stage(struct perfetto *p, const struct render_stage *s)
{
	Perfetto__GpuRenderStageEvent event =
	    PERFETTO__GPU_RENDER_STAGE_EVENT__INIT;
	Perfetto__GpuRenderStageEvent__ExtraData data[TRACE_MAX_ARGS + 1];
	Perfetto__GpuRenderStageEvent__ExtraData *list[TRACE_MAX_ARGS + 1];
	char label[24];
	size_t n = gather(p, "Labels", s->args, s->n_args), first = s->tag == 0;

	snprintf(label, sizeof(label), "t%" PRIu64, s->tag);
	for (size_t i = 0; i <= n; i++) {
		perfetto__gpu_render_stage_event__extra_data__init(&data[i]);
		list[i] = &data[i];
		data[i].name = p->strings.data +
		    (i > 0 ? p->name_at[i - 1] : 0);
		data[i].value = i > 0 ? p->strings.data + p->text_at[i - 1]
				      : label;
	}
	event.n_extra_data = n + 1 - first;
	event.extra_data = list + first;
	add_stage(p, s, &event);
}

/* Arm's loader takes no trace without a render stage: one in which no batch
 * was a workload has one that belongs to none. */
static void
ensure_stage(struct perfetto *p)
{
	static const struct trace_arg note = {
	    .name = "Note", .text = "no batch of this run is a workload"};
	struct render_stage s = {
	    .stream = STREAM_COMPUTE,
	    .stage = STAGE_COMPUTE,
	    .start_ns = p->first_start,
	    .end_ns = p->first_end,
	    .args = &note,
	    .n_args = 1,
	};

	if (p->n_stages == 0)
		perfetto_stage(p, &s);
}

void
perfetto_flush(struct perfetto *p)
{
	sink_flush(&p->out);
}

uint64_t
perfetto_bytes(const struct perfetto *p)
{
	return p->out.total;
}

int
perfetto_error(const struct perfetto *p)
{
	return p->out.error;
}

int
perfetto_free(struct perfetto *p)
{
	int error;

	ensure_stage(p);
	error = sink_close(&p->out);
	text_free(&p->strings);
	free(p);
	return error;
}
