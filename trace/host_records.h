/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Records for Arm's GPU timeline service, each in a message of its own. Where
 * a render pass has a number that nobody knows, nothing is sent, and so the
 * service takes it as 0: its fields have no room for -1.
 */
#ifndef TRACE_HOST_RECORDS_H
#define TRACE_HOST_RECORDS_H

#include <stdint.h>

#include "base/text.h"
#include "trace/arm_frame.h"

#define HOST_SERVICE "GPUTimeline"

/* All zero but for the endpoint: to begin with. */
struct host_records {
	uint8_t endpoint;  /* of the service */
	struct text bytes; /* messages; the caller takes and clears them */
	/* Labels of a workload. */
	struct text chars;
	char **labels;
	size_t n_labels, cap_labels;
};

void host_records_free(struct host_records *r);

/* The first of a connection. */
void host_records_header(struct host_records *r);
/* Before anything else of the device, which begins with frame 0. */
void host_records_device(struct host_records *r, uint64_t device,
    uint32_t process, const char *name);
/* What was submitted in the frame that the device is in. */
void host_records_frame(struct host_records *r, const struct arm_frame *f);
/* The frame ends; the next one has that number. */
void host_records_next(
    struct host_records *r, uint64_t device, uint64_t number, uint64_t now_ns);

#endif
