/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Events of the kernel in Perfetto's format: bundles of ftrace events, those of
 * dma_fence and the DRM scheduler as messages of their own, the others as
 * generic events; and the names of their tasks (doc/model/traces.md "In
 * Perfetto's format").
 */
#include <string.h>

#include "base/text.h"
#include "trace/kernel/events.h"
#include "trace/perfetto_private.h"

#define BUNDLE_BYTES 4096 /* a bundle that is longer is written */

/* Numbers of fields in the public format. */
enum {
	TRACE_PACKET = 1,
	PACKET_FTRACE_EVENTS = 1,
	PACKET_PROCESS_TREE = 2,
	PACKET_SEQUENCE_ID = 10,
	BUNDLE_CPU = 1,
	BUNDLE_EVENT = 2,
	EVENT_TIMESTAMP = 1,
	EVENT_PID = 2,
	EVENT_GENERIC = 327,
	GENERIC_NAME = 1,
	GENERIC_FIELD = 2,
	GENERIC_FIELD_NAME = 1,
	GENERIC_FIELD_TEXT = 3,
	GENERIC_FIELD_INT = 4,
	GENERIC_FIELD_UINT = 5,
	TREE_PROCESS = 1,
	TREE_THREAD = 2,
	PROCESS_PID = 1,
	PROCESS_COMMAND = 3,
	THREAD_TID = 1,
	THREAD_NAME = 2,
	THREAD_PROCESS = 3,
};

#define SCHED_OLD_FIELDS                                                       \
	{                                                                      \
		{KFIELD_ENTITY, 1}, {KFIELD_FENCE, 2},                         \
		    {KFIELD_HW_JOB_COUNT, 3}, {KFIELD_ID, 4},                  \
		    {KFIELD_JOB_COUNT, 5}, {KFIELD_RING, 6},                   \
	}
#define SCHED_617_FIELDS                                                       \
	{                                                                      \
		{KFIELD_RING, 1}, {KFIELD_JOB_COUNT, 2},                       \
		    {KFIELD_HW_JOB_COUNT, 3}, {KFIELD_DEVICE, 4},              \
		    {KFIELD_CONTEXT, 5}, {KFIELD_SEQNO, 6},                    \
		    {KFIELD_CLIENT, 7},                                        \
	}
#define DEPENDENCY_FIELDS                                                      \
	{                                                                      \
		{KFIELD_CONTEXT, 1}, {KFIELD_SEQNO, 2},                        \
		    {KFIELD_DEP_CONTEXT, 3}, {KFIELD_DEP_SEQNO, 4},            \
	}
#define FENCE_FIELDS                                                           \
	{                                                                      \
		{KFIELD_CONTEXT, 1}, {KFIELD_DRIVER, 2}, {KFIELD_SEQNO, 3},    \
		    {KFIELD_TIMELINE, 4},                                      \
	}

/* Events that have messages of their own: the number of that in FtraceEvent,
 * and of their fields in it, up to the first 0. */
static const struct own_message {
	uint32_t number;
	struct {
		uint8_t kind, number;
	} fields[KERNEL_MAX_FIELDS];
} own_messages[N_KERNEL_EVENTS] = {
    [KERNEL_SCHED_JOB] = {411, SCHED_OLD_FIELDS},
    [KERNEL_RUN_JOB] = {412, SCHED_OLD_FIELDS},
    [KERNEL_PROCESS_JOB] = {413, {{KFIELD_FENCE, 1}}},
    [KERNEL_FENCE_INIT] = {414, FENCE_FIELDS},
    [KERNEL_FENCE_EMIT] = {415, FENCE_FIELDS},
    [KERNEL_FENCE_SIGNALED] = {416, FENCE_FIELDS},
    [KERNEL_FENCE_WAIT_START] = {417, FENCE_FIELDS},
    [KERNEL_FENCE_WAIT_END] = {418, FENCE_FIELDS},
    [KERNEL_JOB_ADD_DEP] = {591, DEPENDENCY_FIELDS},
    [KERNEL_JOB_DONE] = {592, {{KFIELD_CONTEXT, 1}, {KFIELD_SEQNO, 2}}},
    [KERNEL_JOB_QUEUE] = {593, SCHED_617_FIELDS},
    [KERNEL_JOB_RUN] = {594, SCHED_617_FIELDS},
    [KERNEL_JOB_UNSCHEDULABLE] = {595, DEPENDENCY_FIELDS},
};

static void
add_varint(struct text *t, uint64_t n)
{
	for (; n >= 0x80; n >>= 7)
		text_addc(t, (char)(n | 0x80));
	text_addc(t, (char)n);
}

static void
add_uint(struct text *t, uint32_t field, uint64_t n)
{
	add_varint(t, (uint64_t)field << 3);
	add_varint(t, n);
}

static void
add_bytes(struct text *t, uint32_t field, const char *bytes, size_t len)
{
	add_varint(t, (uint64_t)field << 3 | 2);
	add_varint(t, len);
	text_add(t, bytes, len);
}

static void
add_chars(struct text *t, uint32_t field, const char *s)
{
	add_bytes(t, field, s, strlen(s));
}

/* Adds what is in part, and empties that. */
static void
add_gathered(struct text *t, uint32_t field, struct text *part)
{
	add_bytes(t, field, text_str(part), part->len);
	text_clear(part);
}

static void
add_own_message(
    struct text *t, const struct own_message *m, const struct kernel_record *r)
{
	for (size_t i = 0; i < KERNEL_MAX_FIELDS && m->fields[i].number != 0;
	     i++) {
		unsigned kind = m->fields[i].kind;

		if (kind >= N_KFIELD_NUMBERS)
			add_chars(t, m->fields[i].number, kernel_text(r, kind));
		else
			add_uint(t, m->fields[i].number, r->numbers[kind]);
	}
}

/* field: empty. */
static void
add_generic_event(
    struct text *t, const struct kernel_record *r, struct text *field)
{
	const struct kernel_event *e = &kernel_events[r->event];

	add_chars(t, GENERIC_NAME, e->name);
	for (const struct kernel_field *f = e->fields;
	     f < e->fields + KERNEL_MAX_FIELDS && f->size > 0; f++) {
		add_chars(field, GENERIC_FIELD_NAME, f->name);
		if (f->kind >= N_KFIELD_NUMBERS)
			add_chars(
			    field, GENERIC_FIELD_TEXT, kernel_text(r, f->kind));
		else
			add_uint(field,
			    f->is_signed ? GENERIC_FIELD_INT
					 : GENERIC_FIELD_UINT,
			    r->numbers[f->kind]);
		add_gathered(t, GENERIC_FIELD, field);
	}
}

/* Puts a packet of one field, which was gathered, at the end of the trace. */
static void
put_gathered_packet(struct perfetto *p, uint32_t field, struct text *contents)
{
	struct text packet = {0}, out = {0};

	add_gathered(&packet, field, contents);
	add_uint(&packet, PACKET_SEQUENCE_ID, PERFETTO_SEQUENCE);
	add_gathered(&out, TRACE_PACKET, &packet);
	sink_add(&p->writer.out, out.data, out.len);
	text_free(&packet);
	text_free(&out);
}

void
perfetto_end_bundle(struct perfetto *p)
{
	if (p->bundle.len > 0)
		put_gathered_packet(p, PACKET_FTRACE_EVENTS, &p->bundle);
}

void
perfetto_kernel(struct trace_writer *w, const struct kernel_record *r)
{
	struct perfetto *p = (struct perfetto *)w;
	const struct own_message *m = &own_messages[r->event];

	if (p->bundle.len == 0)
		add_uint(&p->bundle, BUNDLE_CPU, r->cpu);
	add_uint(&p->event, EVENT_TIMESTAMP, r->time_ns);
	add_uint(&p->event, EVENT_PID, (uint32_t)r->pid);
	if (m->number != 0)
		add_own_message(&p->body, m, r);
	else
		add_generic_event(&p->body, r, &p->field);
	add_gathered(
	    &p->event, m->number != 0 ? m->number : EVENT_GENERIC, &p->body);
	add_gathered(&p->bundle, BUNDLE_EVENT, &p->event);
	if (p->bundle.len >= BUNDLE_BYTES)
		perfetto_end_bundle(p);
}

void
perfetto_task(struct trace_writer *w, int32_t pid, const char *comm)
{
	struct perfetto *p = (struct perfetto *)w;
	struct text tree = {0}, part = {0};

	add_uint(&part, PROCESS_PID, (uint32_t)pid);
	add_chars(&part, PROCESS_COMMAND, comm);
	add_gathered(&tree, TREE_PROCESS, &part);
	add_uint(&part, THREAD_TID, (uint32_t)pid);
	add_uint(&part, THREAD_PROCESS, (uint32_t)pid);
	add_chars(&part, THREAD_NAME, comm);
	add_gathered(&tree, TREE_THREAD, &part);
	put_gathered_packet(p, PACKET_PROCESS_TREE, &tree);
	text_free(&tree);
	text_free(&part);
}
