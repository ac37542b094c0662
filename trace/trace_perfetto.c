/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Perfetto's trace format (trace/perfetto.proto has the fields that are used):
 * first packets, packed and put into the sink, then what they are made of.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/mem.h"
#include "trace/perfetto.pb-c.h"
#include "trace/trace_writer.h"

/* Ids of Perfetto's builtin clocks. */
enum { CLOCK_MONO = 3, CLOCK_MONO_RAW = 5, CLOCK_BOOT = 6 };

/* Flags of a packet (TracePacket.SequenceFlags). */
enum { PACKET_CLEARED = 1, PACKET_NEEDS_STATE = 2 };

#define PACKET_SEQUENCE 1    /* all packets are of this one */
#define PACKET_SMALL    1024 /* bytes of nearly all packets */
#define PACKET_HEAD     16   /* a tag of one byte, a varint */

static size_t
put_varint(uint8_t *at, uint64_t n)
{
	size_t len = 0;

	for (; n >= 0x80; n >>= 7)
		at[len++] = (uint8_t)(n | 0x80);
	at[len++] = (uint8_t)n;
	return len;
}

/* Puts packet at the end of the trace, as field 1 (Trace.packet) of bytes. */
static void
packet_add(struct sink *out, Perfetto__TracePacket *packet)
{
	uint8_t small[PACKET_SMALL], head[PACKET_HEAD] = {1 << 3 | 2};
	uint8_t *bytes = small;
	size_t len;

	packet->has_trusted_packet_sequence_id = true;
	packet->trusted_packet_sequence_id = PACKET_SEQUENCE;
	packet->has_sequence_flags = packet->sequence_flags != 0;
	len = perfetto__trace_packet__get_packed_size(packet);
	if (len > sizeof(small))
		bytes = mem_calloc(len, 1);
	perfetto__trace_packet__pack(packet, bytes);
	text_add(
	    &out->pending, (const char *)head, 1 + put_varint(head + 1, len));
	sink_add(out, bytes, len);
	if (bytes != small)
		free(bytes);
}

/* Says what all clocks show at the start. */
static void
packet_clocks(struct sink *out, uint64_t now_ns)
{
	static const uint32_t ids[] = {CLOCK_MONO, CLOCK_MONO_RAW, CLOCK_BOOT};
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__ClockSnapshot snapshot = PERFETTO__CLOCK_SNAPSHOT__INIT;
	Perfetto__ClockSnapshot__Clock clocks[3], *list[3];

	for (size_t i = 0; i < 3; i++) {
		perfetto__clock_snapshot__clock__init(&clocks[i]);
		clocks[i].has_clock_id = true;
		clocks[i].clock_id = ids[i];
		clocks[i].has_timestamp = true;
		clocks[i].timestamp = now_ns;
		list[i] = &clocks[i];
	}
	snapshot.n_clocks = 3;
	snapshot.clocks = list;
	snapshot.has_primary_trace_clock = true;
	snapshot.primary_trace_clock = CLOCK_BOOT;
	packet.clock_snapshot = &snapshot;
	packet.has_timestamp = true;
	packet.timestamp = now_ns;
	packet.sequence_flags = PACKET_CLEARED;
	packet_add(out, &packet);
}

/* Defines a name that render stages use by its id. */
static void
packet_specification(
    struct sink *out, uint64_t iid, const char *name, unsigned category)
{
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__InternedData data = PERFETTO__INTERNED_DATA__INIT;
	Perfetto__GpuSpecification spec = PERFETTO__GPU_SPECIFICATION__INIT;
	Perfetto__GpuSpecification *list = &spec;

	spec.has_iid = true;
	spec.iid = iid;
	spec.name = (char *)(uintptr_t)name;
	spec.has_category = category != 0;
	spec.category = category;
	data.n_gpu_specifications = 1;
	data.gpu_specifications = &list;
	packet.interned_data = &data;
	packet.sequence_flags = PACKET_NEEDS_STATE;
	packet_add(out, &packet);
}

enum category { OTHER, GRAPHICS, COMPUTE };

/* Ids of names, in one space for stages and streams. Never 0, which Arm's
 * loader rejects. */
#define STAGE_IID(stage)             (1u + (stage))
#define STREAM_IID(stream, instance) (100u + (stream)*100u + (instance))

/* Arm's loader refuses other names. */
static const struct {
	const char *name;
	enum category category;
} stream_names[N_STAGE_STREAMS] =
    {
	[STREAM_COMPUTE] = {"compute", COMPUTE},
	[STREAM_VERTEX] = {"vertex", GRAPHICS},
	[STREAM_NON_FRAGMENT] = {"non-fragment", GRAPHICS},
	[STREAM_FRAGMENT] = {"fragment", GRAPHICS},
	[STREAM_BINNING] = {"binning", GRAPHICS},
	[STREAM_MAIN] = {"main", GRAPHICS},
	[STREAM_TRANSFER] = {"transfer", OTHER},
},
  stage_names[N_RENDER_STAGES] = {
      [RENDER_STAGE_COMPUTE] = {"compute", COMPUTE},
      [RENDER_STAGE_TRACE_RAYS] = {"trace_rays", COMPUTE},
      [RENDER_STAGE_VERTEX] = {"vertex", GRAPHICS},
      [RENDER_STAGE_NON_FRAGMENT] = {"non-fragment", GRAPHICS},
      [RENDER_STAGE_FRAGMENT] = {"fragment", GRAPHICS},
      [RENDER_STAGE_BINNING] = {"binning", GRAPHICS},
      [RENDER_STAGE_MAIN] = {"main", GRAPHICS},
      [RENDER_STAGE_CLEAR_IMAGE] = {"clear image", OTHER},
      [RENDER_STAGE_COPY_IMAGE] = {"copy image", OTHER},
      [RENDER_STAGE_COPY_BUFFER] = {"copy buffer", OTHER},
      [RENDER_STAGE_FILL_BUFFER] = {"fill buffer", OTHER},
};

struct perfetto {
	struct trace_writer writer;
	/* Strings of the packet being built, each zero terminated: its name,
	 * then, at these offsets, names and texts of its arguments. */
	struct text strings;
	size_t name_at[TRACE_MAX_ARGS], text_at[TRACE_MAX_ARGS];
	uint64_t known_streams[N_STAGE_STREAMS]; /* a bit for an instance */
	uint64_t known_stages;                   /* a bit for a stage */
	uint64_t n_stages;                       /* events written */
	bool any;                                /* a slice was written */
	/* Time of the first slice; the trace's start until there is one. */
	uint64_t first_start, first_end;
};

static size_t
perfetto_string(struct perfetto *p, const char *s)
{
	size_t at = p->strings.len;

	text_add_valid(&p->strings, s);
	text_addc(&p->strings, '\0');
	return at;
}

static size_t
perfetto_number(struct perfetto *p, int64_t n)
{
	size_t at = p->strings.len;

	text_add_number(&p->strings, n);
	text_addc(&p->strings, '\0');
	return at;
}

/* Puts all strings of a packet into p->strings, before any is pointed to: they
 * move while it grows. Returns how many arguments are taken. */
static size_t
gather(struct perfetto *p, const char *name, const struct trace_arg *args,
    size_t n)
{
	if (n > TRACE_MAX_ARGS)
		n = TRACE_MAX_ARGS;
	text_clear(&p->strings);
	perfetto_string(p, name);
	for (size_t i = 0; i < n; i++) {
		p->name_at[i] = perfetto_string(p, args[i].name);
		p->text_at[i] = args[i].text != NULL
		    ? perfetto_string(p, args[i].text)
		    : perfetto_number(p, args[i].number);
	}
	return n;
}

static uint64_t
perfetto_uuid(struct trace_place place)
{
	return (uint64_t)place.group << 32 | place.number;
}

static void
perfetto_track(struct trace_writer *w, const struct trace_track *t)
{
	struct perfetto *p = (struct perfetto *)w;
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__TrackDescriptor track = PERFETTO__TRACK_DESCRIPTOR__INIT;
	Perfetto__CounterDescriptor counter =
	    PERFETTO__COUNTER_DESCRIPTOR__INIT;
	struct trace_arg unit = {.name = "", .text = t->unit};

	gather(p, t->name, &unit, t->unit != NULL);
	track.has_uuid = true;
	track.uuid = perfetto_uuid(t->place);
	track.name = p->strings.data;
	track.has_parent_uuid = t->place.number != 0;
	track.parent_uuid = perfetto_uuid(
	    (struct trace_place){t->place.group, 0});
	if (t->unit != NULL) {
		counter.unit_name = p->strings.data + p->text_at[0];
		track.counter = &counter;
	}
	packet.track_descriptor = &track;
	packet_add(&p->writer.out, &packet);
}

static void
perfetto_event(struct perfetto *p, uint64_t at_ns, struct trace_place place,
    Perfetto__TrackEvent__Type type, Perfetto__TrackEvent *event)
{
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;

	event->has_type = true;
	event->type = type;
	event->has_track_uuid = true;
	event->track_uuid = perfetto_uuid(place);
	packet.has_timestamp = true;
	packet.timestamp = at_ns;
	packet.track_event = event;
	packet_add(&p->writer.out, &packet);
}

/* Writes an event with its name and arguments, which were gathered. */
static void
perfetto_named(struct perfetto *p, uint64_t at_ns, struct trace_place place,
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
	perfetto_event(p, at_ns, place, type, event);
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

static void
perfetto_slice(struct trace_writer *w, const struct trace_slice *s)
{
	struct perfetto *p = (struct perfetto *)w;
	Perfetto__TrackEvent begin = PERFETTO__TRACK_EVENT__INIT;
	Perfetto__TrackEvent end = PERFETTO__TRACK_EVENT__INIT;

	begin.n_flow_ids = s->n_from;
	begin.flow_ids = (uint64_t *)(uintptr_t)s->from;
	begin.n_terminating_flow_ids = s->n_to;
	begin.terminating_flow_ids = (uint64_t *)(uintptr_t)s->to;
	perfetto_named(p, s->start_ns, s->place,
	    PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_BEGIN, &begin, s->args,
	    gather(p, s->name, s->args, s->n_args));
	perfetto_event(p, s->end_ns, s->place,
	    PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_END, &end);
	note_first(p, s);
}

static void
perfetto_instant(struct trace_writer *w, const struct trace_instant *i)
{
	struct perfetto *p = (struct perfetto *)w;
	Perfetto__TrackEvent event = PERFETTO__TRACK_EVENT__INIT;

	perfetto_named(p, i->at_ns, i->place,
	    PERFETTO__TRACK_EVENT__TYPE__TYPE_INSTANT, &event, i->args,
	    gather(p, i->name, i->args, i->n_args));
}

static void
perfetto_counter(struct trace_writer *w, const struct trace_counter *c)
{
	struct perfetto *p = (struct perfetto *)w;
	Perfetto__TrackEvent event = PERFETTO__TRACK_EVENT__INIT;

	event.has_counter_value = true;
	event.counter_value = c->value;
	perfetto_event(p, c->at_ns, c->place,
	    PERFETTO__TRACK_EVENT__TYPE__TYPE_COUNTER, &event);
}

/* The id of a stream. Its name is written before its first use. */
static uint64_t
stream_iid(struct perfetto *p, enum stage_stream stream, unsigned instance)
{
	uint64_t bit = UINT64_C(1) << instance % STAGE_MAX_INSTANCES;
	uint64_t iid = STREAM_IID(stream, instance % STAGE_MAX_INSTANCES);

	if (!(p->known_streams[stream] & bit))
		packet_specification(&p->writer.out, iid,
		    stream_names[stream].name, stream_names[stream].category);
	p->known_streams[stream] |= bit;
	return iid;
}

static uint64_t
stage_iid(struct perfetto *p, enum render_stage_kind stage)
{
	uint64_t bit = UINT64_C(1) << stage;

	if (!(p->known_stages & bit))
		packet_specification(&p->writer.out, STAGE_IID(stage),
		    stage_names[stage].name, stage_names[stage].category);
	p->known_stages |= bit;
	return STAGE_IID(stage);
}

static void
perfetto_stage_event(struct perfetto *p, const struct render_stage *s,
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
	packet_add(&p->writer.out, &packet);
}

static void
perfetto_stage(struct trace_writer *w, const struct render_stage *s)
{
	struct perfetto *p = (struct perfetto *)w;
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
	perfetto_stage_event(p, s, &event);
}

/* Arm's loader refuses a trace without render stages: one is written for no
 * workload if no batch was one. */
static void
ensure_stage(struct perfetto *p)
{
	static const struct trace_arg note = {
	    .name = "Note", .text = "no batch of this run is a workload"};
	struct render_stage s = {
	    .stream = STREAM_COMPUTE,
	    .stage = RENDER_STAGE_COMPUTE,
	    .start_ns = p->first_start,
	    .end_ns = p->first_end,
	    .args = &note,
	    .n_args = 1,
	};

	if (p->n_stages == 0)
		perfetto_stage(&p->writer, &s);
}

static int
perfetto_close(struct trace_writer *w)
{
	struct perfetto *p = (struct perfetto *)w;
	int error;

	ensure_stage(p);
	error = sink_close(&w->out);
	text_free(&p->strings);
	free(p);
	return error;
}

struct trace_writer *
perfetto_writer_new(int fd, uint64_t now_ns)
{
	static const struct trace_writer_ops ops = {
	    .track = perfetto_track,
	    .slice = perfetto_slice,
	    .instant = perfetto_instant,
	    .counter = perfetto_counter,
	    .stage = perfetto_stage,
	    .close = perfetto_close,
	};
	struct perfetto *p = mem_calloc(1, sizeof(*p));

	p->writer.ops = &ops;
	sink_init(&p->writer.out, fd, NULL);
	p->first_start = p->first_end = now_ns;
	packet_clocks(&p->writer.out, now_ns);
	return &p->writer;
}
