/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The hangs of a run, in the order of time, for --json's hang_list. */
#ifndef CLI_HANG_LOG_H
#define CLI_HANG_LOG_H

#include <jansson.h>
#include <stddef.h>

#include "engine/hang/hang.h"

struct hang_entry {
	struct hang hang; /* without its request */
	uint64_t seq, iteration;
	uint32_t client, context, step;
};

struct hang_log {
	struct hang_entry *list;
	size_t n, cap;
};

/* What is known of the hang is copied: its request may go. */
void hang_log_add(struct hang_log *log, const struct hang *hang);
/* An array, an object each; the caller's. Times in ns. */
json_t *hang_log_json(const struct hang_log *log);
void hang_log_free(struct hang_log *log);

#endif
