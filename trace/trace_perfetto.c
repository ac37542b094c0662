/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Perfetto's trace format (trace/perfetto.proto has the fields that are used):
 * packets, packed and put into the sink; interned strings; tracks and what is on
 * them. perfetto_stages.c has the render stages.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "trace/perfetto_private.h"

/* Ids of Perfetto's builtin clocks. */
enum { CLOCK_MONO = 3, CLOCK_MONO_RAW = 5, CLOCK_BOOT = 6 };

#define PACKET_SMALL 1024 /* bytes of nearly all packets */
#define PACKET_HEAD  16   /* a tag of one byte, a varint */

static size_t
put_varint(uint8_t *at, uint64_t n)
{
	size_t len = 0;

	for (; n >= 0x80; n >>= 7)
		at[len++] = (uint8_t)(n | 0x80);
	at[len++] = (uint8_t)n;
	return len;
}

/* As field 1 (Trace.packet) of bytes. */
void
perfetto_add_packet(struct sink *out, Perfetto__TracePacket *packet)
{
	uint8_t small[PACKET_SMALL], head[PACKET_HEAD] = {1 << 3 | 2};
	uint8_t *bytes = small;
	size_t len;

	packet->has_trusted_packet_sequence_id = true;
	packet->trusted_packet_sequence_id = PERFETTO_SEQUENCE;
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
	perfetto_add_packet(out, &packet);
}

/* Interning: a string is written once, with an id, and events have the id. */

static uint64_t
string_hash(const char *s, size_t len)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)s[i]) * UINT64_C(0x100000001b3);
	return h;
}

/* Writes what the id is, in that space. */
static void
packet_interned(
    struct sink *out, enum string_space space, uint64_t iid, const char *s)
{
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__InternedData data = PERFETTO__INTERNED_DATA__INIT;
	Perfetto__InternedName name = PERFETTO__INTERNED_NAME__INIT;
	Perfetto__InternedName *list = &name;

	name.has_iid = true;
	name.iid = iid;
	name.name = (char *)(uintptr_t)s;
	switch (space) {
	case SPACE_EVENTS:
		data.n_event_names = 1;
		data.event_names = &list;
		break;
	case SPACE_ARGUMENTS:
		data.n_debug_annotation_names = 1;
		data.debug_annotation_names = &list;
		break;
	case SPACE_TEXTS:
		data.n_debug_annotation_string_values = 1;
		data.debug_annotation_string_values = &list;
		break;
	}
	packet.interned_data = &data;
	packet.sequence_flags = PACKET_NEEDS_STATE;
	perfetto_add_packet(out, &packet);
}

uint64_t
perfetto_intern(struct perfetto *p, enum string_space space, const char *s)
{
	size_t len = strlen(s);
	uint64_t hash = string_hash(s, len);
	struct chain_node *node = chains_find(&p->interned, NULL, hash);
	struct interned *known = (struct interned *)(void *)node;

	if (known == NULL) {
		if (len > INTERNED_BYTES || p->interned.n >= INTERNED_MOST)
			return 0;
		known = mem_calloc(1, sizeof(*known) + len + 1);
		known->node.n = hash;
		known->iid = p->interned.n + 1;
		memcpy(known->string, s, len);
		chains_add(&p->interned, &known->node);
	} else if (strcmp(known->string, s) != 0) {
		return 0;
	}
	if ((known->spaces & 1u << space) == 0)
		packet_interned(&p->writer.out, space, known->iid, s);
	known->spaces |= 1u << space;
	return known->iid;
}

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

size_t
perfetto_gather(struct perfetto *p, const char *name,
    const struct trace_arg *args, size_t n)
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

/* The group of all groups: siblings without a parent have no order. */
#define ROOT_UUID      1
#define EXPLICIT_ORDER 3 /* TrackDescriptor.ChildTracksOrdering */

static void
set_parent(Perfetto__TrackDescriptor *track, struct trace_place place)
{
	track->has_uuid = true;
	if (place.group == 0) {
		track->uuid = ROOT_UUID;
	} else {
		track->uuid = perfetto_uuid(place);
		track->has_parent_uuid = true;
		track->parent_uuid = place.number == 0
		    ? ROOT_UUID
		    : perfetto_uuid((struct trace_place){place.group, 0});
	}
	track->has_child_ordering = place.number == 0;
	track->child_ordering = EXPLICIT_ORDER;
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

	perfetto_gather(p, t->name, &unit, t->unit != NULL);
	set_parent(&track, t->place);
	track.name = p->strings.data;
	track.has_sibling_order_rank = t->place.group != 0;
	track.sibling_order_rank = t->rank < INT32_MAX ? (int32_t)t->rank
						       : INT32_MAX;
	if (t->unit != NULL) {
		counter.unit_name = p->strings.data + p->text_at[0];
		track.counter = &counter;
	}
	packet.track_descriptor = &track;
	perfetto_add_packet(&p->writer.out, &packet);
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
	if (event->has_name_iid || event->n_debug_annotations > 0)
		packet.sequence_flags = PACKET_NEEDS_STATE;
	packet.track_event = event;
	perfetto_add_packet(&p->writer.out, &packet);
}

/* Sets an argument that was gathered. */
static void
set_note(struct perfetto *p, size_t i, const struct trace_arg *arg,
    Perfetto__DebugAnnotation *note)
{
	char *name = p->strings.data + p->name_at[i];
	char *text = p->strings.data + p->text_at[i];

	perfetto__debug_annotation__init(note);
	note->name_iid = perfetto_intern(p, SPACE_ARGUMENTS, name);
	note->has_name_iid = note->name_iid != 0;
	if (!note->has_name_iid)
		note->name = name;
	note->has_int_value = arg->text == NULL;
	note->int_value = arg->number;
	if (arg->text == NULL)
		return;
	note->string_value_iid = perfetto_intern(p, SPACE_TEXTS, text);
	note->has_string_value_iid = note->string_value_iid != 0;
	if (!note->has_string_value_iid)
		note->string_value = text;
}

/* Writes an event with its name and arguments, which were gathered. */
static void
perfetto_named(struct perfetto *p, uint64_t at_ns, struct trace_place place,
    Perfetto__TrackEvent__Type type, Perfetto__TrackEvent *event,
    const struct trace_arg *args, size_t n)
{
	Perfetto__DebugAnnotation notes[TRACE_MAX_ARGS], *list[TRACE_MAX_ARGS];

	for (size_t i = 0; i < n; i++) {
		set_note(p, i, &args[i], &notes[i]);
		list[i] = &notes[i];
	}
	event->name_iid = perfetto_intern(p, SPACE_EVENTS, p->strings.data);
	event->has_name_iid = event->name_iid != 0;
	if (!event->has_name_iid)
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
	    perfetto_gather(p, s->name, s->args, s->n_args));
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
	    perfetto_gather(p, i->name, i->args, i->n_args));
}

static void
perfetto_counter(struct trace_writer *w, const struct trace_counter *c)
{
	struct perfetto *p = (struct perfetto *)w;
	Perfetto__TrackEvent event = PERFETTO__TRACK_EVENT__INIT;

	event.has_counter_value = c->value == (double)(int64_t)c->value;
	event.has_double_counter_value = !event.has_counter_value;
	event.double_counter_value = c->value;
	if (event.has_counter_value)
		event.counter_value = (int64_t)c->value;
	perfetto_event(p, c->at_ns, c->place,
	    PERFETTO__TRACK_EVENT__TYPE__TYPE_COUNTER, &event);
}

static void
free_chained(struct chain_node *node)
{
	free(node);
}

static void
free_all(struct chains *chains)
{
	chains_sweep(chains, NULL, NULL, free_chained);
	chains_free(chains);
}

static int
perfetto_close(struct trace_writer *w)
{
	struct perfetto *p = (struct perfetto *)w;
	int error;

	perfetto_ensure_stage(p);
	perfetto_end_bundle(p);
	error = sink_close(&w->out);
	text_free(&p->strings);
	text_free(&p->bundle);
	text_free(&p->event);
	text_free(&p->body);
	text_free(&p->field);
	free_all(&p->interned);
	free_all(&p->contexts);
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
	    .kernel = perfetto_kernel,
	    .task = perfetto_task,
	    .close = perfetto_close,
	};
	struct perfetto *p = mem_calloc(1, sizeof(*p));

	p->writer.ops = &ops;
	sink_init(&p->writer.out, fd, NULL);
	p->first_start = p->first_end = now_ns;
	packet_clocks(&p->writer.out, now_ns);
	return &p->writer;
}
