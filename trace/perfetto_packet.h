/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Packets of a Perfetto trace, packed and put into a sink; parts of them. */
#ifndef TRACE_PERFETTO_PACKET_H
#define TRACE_PERFETTO_PACKET_H

#include "trace/perfetto.pb-c.h"
#include "trace/sink.h"

/* All is of one sequence, which begins with what CLEARED says. */
enum packet_flags { PACKET_CLEARED = 1, PACKET_NEEDS_STATE = 2 };

/* Puts packet, with its sequence, at the end of the trace. */
void packet_add(struct sink *out, Perfetto__TracePacket *packet);

/* What all clocks say at the start. */
void packet_clocks(struct sink *out, uint64_t now_ns);
/* A name that render stages use by its id. */
void packet_specification(
    struct sink *out, uint64_t iid, const char *name, unsigned category);

#endif
