/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An owner of clients from outside (engine/backend.h), which writes down the
 * events that it gets. Tags of requests are single letters; the events are
 * words such as "ready A", "start A VCS1", "end A", with the time in us before
 * those of a new time: "0: ready A, start A RCS; 100: end A".
 */
#ifndef TESTS_SUPPORT_OUTSIDER_H
#define TESTS_SUPPORT_OUTSIDER_H

#include "base/text.h"
#include "engine/backend.h"
#include "engine/gpu/engine.h"
#include "tests/support/lab.h"

struct outsider {
	struct owner owner;
	struct lab *lab;
	struct text events;
	nsec last_ns; /* time of the last event */
	/* To requests that ask how they go on, one after another; all are 0
	 * then. */
	nsec answers[8];
	nsec points_ns;     /* preemption points with each answer */
	bool endless_polls; /* with NSEC_NEVER the batch waits for memory */
	struct memory_poll poll; /* which it then polls */
	unsigned n_turns;        /* of go */
	uint8_t started_on[128]; /* by letter, for submit fences */
};

/* Prepares o and, if it has none, the simulation of lab. */
void outsider_init(struct outsider *o, struct lab *lab);
void outsider_free(struct outsider *o);

/* Adds a client, and a context of default settings with one slot for each of
 * the n masks. */
struct client *outsider_join(struct outsider *o);
struct context *outsider_context(
    struct client *c, const engine_mask *slots, uint32_t n);
/* The same with one slot: the engines with these names ("VCS1|VCS2"). */
struct context *outsider_context_on(struct client *c, const char *engines);
/* Returns the engines of those names. */
engine_mask outsider_engines(const struct lab *lab, const char *engines);

/* Submits to slot 0 a batch of us (UINT64_MAX: until it is ended) after the
 * given waits. It must be accepted. */
struct request_ref outsider_submit(struct outsider *o, struct context *context,
    char tag, uint64_t us, const struct submission_wait *waits, uint32_t n);
/* Both without waits. */
struct request_ref outsider_batch(
    struct outsider *o, struct context *context, char tag, uint64_t us);

/* Runs to that time, and compares the events since the last call. */
void outsider_expect(struct outsider *o, uint64_t us, const char *events);

/* A run with an owner that has one client. */
struct outside_bench {
	struct lab lab;
	struct outsider o;
	struct client *client;
};

void outside_set_up(struct outside_bench *b, const char *sched);
void outside_tear_down(struct outside_bench *b);

/* Schedulers that tests run under. */
#define OUTSIDE_SCHEDULERS 4
extern const char *const outside_schedulers[OUTSIDE_SCHEDULERS];
#define FOR_EVER UINT64_MAX

#endif
