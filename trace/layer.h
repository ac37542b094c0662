/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The layer between the clients of a simulation and its GPU: each batch is a
 * command buffer, recorded when its client submits it for the first time; a
 * ring is a queue, which plays what is submitted to it (layerstream/). What
 * comes of that, messages and who ran when, goes to listeners.
 *
 * An interval is a piece of what a workload ran: the run time of a batch is
 * shared by its workloads, in order, by weight. A render pass has a binning
 * and a main part, which take 1 and 3 of 4 parts of its share. Of a batch that
 * has no end of its own (`*`) each piece on an engine is shared for itself,
 * for how long all of it takes nobody knows. So the intervals of a request
 * add up to its run_ns, to the nanosecond.
 *
 * Memory: command buffers per client and batch, and what is in flight; nothing
 * grows with the length of a run. Those of clients that have ended go when
 * there are as many as of others.
 */
#ifndef TRACE_LAYER_H
#define TRACE_LAYER_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/sim.h"

struct layer_workload;
struct report;

enum layer_part {
	LAYER_NOTHING, /* the batch has no workload that is told of */
	LAYER_WHOLE,
	LAYER_BINNING,
	LAYER_MAIN,
};

/* Of a request's time on an engine. Pointers are gone afterwards. */
struct layer_interval {
	const struct request *request;
	const struct hw_engine *engine;
	nsec start, end;      /* not empty */
	enum layer_part part; /* what follows, unless LAYER_NOTHING */
	uint64_t tag;
	uint64_t submit; /* submitID of the tag's annexes; 0 */
	const struct layer_workload *workload;
	int64_t draws;      /* of a pass: of all its parts so far */
	const char *labels; /* JSON array, zero terminated; "[]" */
};

struct execution;
struct flight;

/* Any of the functions may be NULL. Devices are those of messages. */
struct layer_listener {
	/* Whole messages, in order. */
	void (*messages)(
	    struct layer_listener *l, const uint8_t *data, size_t n);
	/* In the order of their ends on each engine. */
	void (*interval)(
	    struct layer_listener *l, const struct layer_interval *i);
	/* A batch goes to a queue; what it executes follows. */
	void (*submitted)(
	    struct layer_listener *l, uint64_t device, uint64_t queue);
	void (*executed)(struct layer_listener *l, uint64_t device,
	    const struct execution *e);
	/* The draws of a pass in parts, or sizes that were indirect. */
	void (*known)(struct layer_listener *l, uint64_t device,
	    const struct layer_workload *w, uint64_t submit, int64_t draws);
	/* Of an indirect one nobody will know: its batch was lost. */
	void (*lost)(struct layer_listener *l, uint64_t device,
	    const struct layer_workload *w, uint64_t submit);
	void (*framed)(
	    struct layer_listener *l, uint64_t device, uint64_t frame);
	/* A request has ended; what it executed (layer_part.h). */
	void (*done)(struct layer_listener *l, const struct flight *f);
	struct layer_listener *next;
};

struct layer;

/* Where the numbers and the time of a session go on when it is launched anew:
 * tags, submitIDs, queues and devices are unique in all of it. Zeroed at
 * first. */
struct layer_numbers {
	uint64_t tag, submit, queue, device; /* the last ones that were given */
	nsec past; /* virtual time of the launches before */
};

/* Watches sim from now on, before layer_end() and sim_free(). report, which
 * may be NULL, is told what annotations do wrong. */
struct layer *layer_begin(struct sim *sim, struct report *report);
/* Before anything happens: l goes on where another one has ended. */
void layer_go_on(struct layer *l, const struct layer_numbers *numbers);
void layer_numbers(const struct layer *l, struct layer_numbers *numbers);
/* What messages add to the time of the simulation, which is what other
 * listeners hear. */
nsec layer_past(const struct layer *l);
/* What a pass in parts has come to so far, and its end; otherwise: there was
 * no such pass, or long ago. */
int64_t layer_pass_draws(
    const struct layer *l, uint64_t tag, uint64_t submit, int64_t otherwise);
/* The number of the client that is that device. */
uint32_t layer_client(const struct layer *l, uint64_t device);
/* Who listens to messages is told of the devices anew, as they are needed. */
void layer_listen(struct layer *l, struct layer_listener *listener);
void layer_unlisten(struct layer *l, struct layer_listener *listener);
/* Messages that wait go to the listeners. */
void layer_flush(struct layer *l);
/* The listener alone is told of passes that are suspended now, as if they were
 * over: known(). */
void layer_tell_suspended(struct layer *l, struct layer_listener *listener);
/* What runs now is told of up to now. */
void layer_settle(struct layer *l);
/* Flushes and frees; NULL is nothing. */
void layer_end(struct layer *l);

/* The workload that rq, which runs, is at now; false: none, or not known. */
bool layer_now(
    const struct layer *l, const struct request *rq, struct layer_interval *i);

/* Command buffers and queues that there are. */
size_t layer_size(const struct layer *l);

#endif
