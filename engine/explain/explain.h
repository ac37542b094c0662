/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Explains what keeps a request from running now, and whether that can ever change.
 * sim_explain_*() in sim.h say the same in words.
 */
#ifndef ENGINE_EXPLAIN_EXPLAIN_H
#define ENGINE_EXPLAIN_EXPLAIN_H

#include <stdbool.h>
#include <stdint.h>

struct fence;
struct hw_engine;
struct memory_poll;
struct request;
struct sim;
struct text;
struct waiter;

enum blocker_kind {
	BLOCKED_NOT,               /* it runs, or could */
	BLOCKED_ON_END,            /* waits for the end of by */
	BLOCKED_ON_START,          /* waits for the start of by */
	BLOCKED_ON_SOFTWARE_FENCE, /* waits for its client to signal step */
	BLOCKED_ON_ENGINE,         /* by has an engine that it could take */
	BLOCKED_ON_SCHEDULER,      /* why, in words */
	BLOCKED_ON_RESET,          /* its engine is being reset */
	BLOCKED_ON_SEMAPHORE,      /* has its engine, polls for the end of by */
	BLOCKED_ON_MEMORY,         /* its batch polls: explain_poll() */
};

struct blocker {
	enum blocker_kind kind;
	const struct request *by; /* NULL: no request */
	uint32_t step;            /* SOFTWARE_FENCE only */
	const char *why;          /* SCHEDULER only; static text */
};

/* Returns what rq is blocked on now; of several waits the first. */
struct blocker blocked_on(const struct sim *sim, const struct request *rq);
/* Returns the first fence in a list of waits that keeps their owner from going on,
 * or from being ready; NULL: none is left. */
const struct fence *blocked_on_fence(const struct waiter *w);
/* Returns a request whose end rq, which is ready, waits for before its batch can
 * begin; NULL: none. */
const struct request *polled_for(const struct request *rq);

/* Adds what a batch polls: "0x1000: found 0x0, wanted == 0x1 (object 3 of client
 * 0)"; "memory" if that is not known. */
void explain_poll(const struct memory_poll *poll, struct text *out);

/* True if a timeout will end the infinite batch that runs on e, or may. */
bool sim_will_end(const struct sim *sim, const struct hw_engine *e);
/* True if no foreground client can ever go on, though background clients do. A
 * false answer proves nothing: chains of waits are followed to a limit. */
bool sim_is_stuck(const struct sim *sim);

#endif
