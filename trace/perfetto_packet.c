/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace/perfetto_packet.h"

#include <stdlib.h>

#include "base/mem.h"

/* Clocks of Perfetto's, by their numbers. */
enum { CLOCK_MONO = 3, CLOCK_MONO_RAW = 5, CLOCK_BOOT = 6 };

#define SEQUENCE  1
#define SMALL     1024 /* nearly all packets */
#define FIELD_LEN 16   /* a tag of one byte, a varint */

static size_t
put_varint(uint8_t *at, uint64_t n)
{
	size_t len = 0;

	for (; n >= 0x80; n >>= 7)
		at[len++] = (uint8_t)(n | 0x80);
	at[len++] = (uint8_t)n;
	return len;
}

/* Trace.packet: field 1, of bytes. */
void
packet_add(struct sink *out, Perfetto__TracePacket *packet)
{
	uint8_t small[SMALL], head[FIELD_LEN] = {1 << 3 | 2};
	uint8_t *bytes = small;
	size_t len;

	packet->has_trusted_packet_sequence_id = true;
	packet->trusted_packet_sequence_id = SEQUENCE;
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

void
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

void
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
