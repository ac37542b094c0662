/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes a trace.dat of version 6 event by event, little or big endian. */
#ifndef TESTS_SUPPORT_DAT_FILE_H
#define TESTS_SUPPORT_DAT_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "trace/kernel/events.h"

struct dat_made {
	bool is_big;
	unsigned long_size; /* 4 or 8 bytes */
	struct text page;   /* events of it; a trace has one page a cpu */
	struct text other;  /* those of a second cpu */
	uint64_t last_ns[2];
	uint64_t n_lost; /* before the first page's events */
};

/* Adds an event on cpu 0 or 1, behind those that it has. */
void dat_made_event(
    struct dat_made *m, unsigned cpu, const struct kernel_record *r);
/* Writes the file, and forgets the events. */
void dat_made_write(struct dat_made *m, const char *path);

#endif
