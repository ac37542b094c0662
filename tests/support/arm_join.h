/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Render stages of a trace and a metadata file, as Arm's viewer loads and joins
 * them (doc/layer.md "Perfetto"). */
#ifndef TESTS_SUPPORT_ARM_JOIN_H
#define TESTS_SUPPORT_ARM_JOIN_H

#include "tests/support/trace_reader.h"

/* Each stage has names that it knows, and joins a workload with all keys that
 * it asks for; a run without a workload has one stage without a label. */
void arm_join_expect(const struct seen_trace *t, const char *metadata);

#endif
