/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Events of the last instant of a single step, in words: "29.965415s: end of 1:5
 * L24 on RCS; 1:7 L28 is ready". The most important come first; of a request
 * only the furthest.
 */
#ifndef RUN_LIVE_STEP_NEWS_H
#define RUN_LIVE_STEP_NEWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/batch_name.h"
#include "engine/observer.h"

struct sim;
struct text;

/* Most important first. */
enum step_event {
	STEP_HANG,
	STEP_MISS,
	STEP_END,
	STEP_ERROR, /* an end with an error */
	STEP_ITERATION,
	STEP_LEAVES, /* an engine, not to end */
	STEP_RUNS,
	STEP_RESUMES,
	STEP_ENGINE, /* gets one */
	STEP_READY,
	STEP_SUBMIT,
	N_STEP_EVENTS,
};

struct step_entry {
	enum step_event event;
	uint64_t request;       /* 0: the event is of the client */
	struct batch_name name; /* of the client: its id only */
	const char *engine;     /* NULL: none */
	const char *detail;     /* static; NULL: none */
	uint64_t amount;        /* MISS: late by, ns; ITERATION: its number */
};

#define STEP_ENTRIES 32 /* of one instant; more are counted only */

struct step_news {
	struct observer observer;
	const struct sim *sim;
	nsec time;                    /* of the entries */
	const struct client *resumed; /* the last one that ran on; NULL: none */
	struct step_entry list[STEP_ENTRIES];
	size_t n, more;
};

/* Watches sim until step_news_end(). */
void step_news_begin(struct step_news *n, struct sim *sim);
/* True if no client ran and no request changed its state. */
bool step_news_is_quiet(const struct step_news *n);
/* Appends the words; of an instant without an event of a request, that a client
 * runs, or that no request changed; nothing if the run has ended. */
void step_news_end(struct step_news *n, struct sim *sim, struct text *out);

#endif
