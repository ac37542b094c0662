/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Render stages of a trace and a metadata file, as Arm's viewer loads and joins
 * them (doc/layer.md "Perfetto"). */
#ifndef TESTS_SUPPORT_ARM_JOIN_H
#define TESTS_SUPPORT_ARM_JOIN_H

#include "tests/support/trace_reader.h"

/* The record of a workload in a metadata file, with that of its submission and
 * its frame. */
struct arm_record {
	uint64_t device; /* 0: no such record */
	uint64_t frame, submit_ns;
};

/* The records by their tag, below *n; to be freed. Asserts that no two have the
 * same tag. */
struct arm_record *arm_records(const char *metadata, size_t *n);
/* Asserts that the viewer knows the names of each stage, and finds a workload
 * with all keys for it. A run without a workload has one stage without a
 * label. */
void arm_join_expect(const struct seen_trace *t, const char *metadata);

#endif
