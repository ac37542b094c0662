/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside the writer of Perfetto's format: its packets, its strings, its render
 * stages. */
#ifndef TRACE_PERFETTO_PRIVATE_H
#define TRACE_PERFETTO_PRIVATE_H

#include "base/hash.h"
#include "base/text.h"
#include "trace/perfetto.pb-c.h"
#include "trace/trace_writer.h"

/* Flags of a packet (TracePacket.SequenceFlags). */
enum { PACKET_CLEARED = 1, PACKET_NEEDS_STATE = 2 };

/* Where an interned string is used: an id counts in each on its own. */
enum string_space { SPACE_EVENTS, SPACE_ARGUMENTS, SPACE_TEXTS };

#define PERFETTO_SEQUENCE 1 /* all packets are of this one */

#define INTERNED_BYTES 256   /* of a string; longer ones are written out */
#define INTERNED_MOST  65536 /* strings */

struct interned {
	struct chain_node node; /* by hash */
	uint64_t iid;
	unsigned spaces; /* in which it is written, a bit each */
	char string[];
};

struct perfetto {
	struct trace_writer writer;
	struct chains interned;
	struct chains contexts; /* that are written, by id */
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
	struct text bundle; /* of ftrace events, which is gathered */
	struct text event, body, field; /* of the event that is added */
};

/* Puts packet at the end of the trace. */
void perfetto_add_packet(struct sink *out, Perfetto__TracePacket *packet);
/* Puts all strings of a packet into p->strings, before any is pointed to: they
 * move while it grows. Returns how many arguments are taken. */
size_t perfetto_gather(struct perfetto *p, const char *name,
    const struct trace_arg *args, size_t n);
/* Returns the id of a string that is valid UTF-8, after it was written; 0: it
 * has none, as it is long, or one of too many. */
uint64_t perfetto_intern(
    struct perfetto *p, enum string_space space, const char *s);

/* perfetto_kernel.c: as struct trace_writer_ops has it. */
void perfetto_kernel(struct trace_writer *w, const struct kernel_record *r);
void perfetto_task(struct trace_writer *w, int32_t pid, const char *comm);
/* Writes the events that are gathered. */
void perfetto_end_bundle(struct perfetto *p);

/* perfetto_stages.c: as struct trace_writer_ops has it. */
uint64_t perfetto_stage(struct trace_writer *w, const struct render_stage *s);
/* Writes a stage for no workload if there was none. */
void perfetto_ensure_stage(struct perfetto *p);

#endif
