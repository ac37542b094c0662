/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the readers of Perfetto's format (trace_reader.c) and of Chrome's
 * (trace_reader_json.c). */
#ifndef TESTS_SUPPORT_TRACE_READER_PRIVATE_H
#define TESTS_SUPPORT_TRACE_READER_PRIVATE_H

#include "tests/support/trace_reader.h"

/* Each appends one, and returns it, valid until the next one. */
struct seen *seen_add_event(struct seen_trace *t, enum seen_kind kind);
void seen_add_arrow(
    struct seen_trace *t, uint64_t id, bool leads, size_t event);
struct seen_row *seen_add_row(
    struct seen_trace *t, uint32_t group, uint32_t number, const char *name);

/* Keeps an argument of an event; text may be NULL. */
void seen_keep_argument(
    struct seen *s, const char *name, int64_t n, const char *text);

#endif
