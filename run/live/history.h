/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Samples of the simulation's totals, in bounded memory: what meters,
 * sparklines and rates are made from. A sample covers a window of virtual
 * time, what passes between two frames; less than that (a step, a pause) says
 * nothing about load, and waits until the window is full.
 */
#ifndef RUN_LIVE_HISTORY_H
#define RUN_LIVE_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/nsec.h"
#include "engine/gpu/engine.h"

struct sim;

#define HISTORY_SAMPLES 512

struct engine_history {
	nsec busy_ns, waiting_ns;         /* totals at the last sample */
	float busy, waiting;              /* shares of the last window */
	uint8_t percent[HISTORY_SAMPLES]; /* busy; a ring */
};

struct history {
	uint64_t n;  /* samples taken */
	nsec now;    /* virtual time of the last */
	nsec window; /* that it covers */
	struct {
		nsec now;
		uint64_t iterations, idle;
	} totals[HISTORY_SAMPLES]; /* a ring */
	struct engine_history engines[DEVICE_MAX_ENGINES];
};

void history_clear(struct history *h);
/* Takes a sample if virtual time has moved by window since the last one.
 * Before the first one, what there is so far stands for it. */
void history_sample(struct history *h, const struct sim *sim, nsec window);
/* The last samples of an engine, oldest first; returns how many. */
int history_engine(
    const struct history *h, unsigned engine, int max, unsigned char *percent);
/* Iterations per second of virtual time over the last samples, without those
 * that had nothing to do. False: there were no others. */
bool history_rate(const struct history *h, double *rate);

#endif
