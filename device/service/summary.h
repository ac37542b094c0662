/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line for each process that submitted to a served device. */
#ifndef DEVICE_SERVICE_SUMMARY_H
#define DEVICE_SERVICE_SUMMARY_H

#include <stdint.h>

struct client;
struct sim;
struct text;

/* Appends the line of a client, a process: its batches, its time from the first
 * open to the last close, and the percent of it that its batches have run on
 * each engine. hangs: those of which it is guilty. Nothing if it has not
 * submitted. */
void summary_add(const struct sim *sim, const struct client *c, uint64_t hangs,
    struct text *out);

/* Processes that submitted, and are not clients any more (engine/client/past.h). */
struct summary_others {
	uint64_t programs, batches;
};

/* Appends their line; nothing if there are none. */
void summary_add_others(const struct summary_others *others, struct text *out);
/* The same for those of the whole simulation. */
void summary_add_past(const struct sim *sim, struct text *out);

#endif
