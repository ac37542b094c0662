/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A GPU timeline layer between the clients of a simulation and its GPU, as one
 * for Vulkan is between an application and the driver. A client is a device, a
 * ring is a queue, a batch is a command buffer, which is recorded when it is
 * first submitted and played at each submit (layerstream/). Listeners get the
 * messages, and the time that each workload ran.
 *
 * The words for parts of the work, and for time:
 *   workload   what a command processor schedules: a render pass, a dispatch
 *   part       of a render pass that is suspended and resumed
 *   execution  of a workload or part, each time that its batch is submitted
 *   stage      of an execution: binning and main of a render pass, else whole
 *   slice      time without a gap that an engine spends in one stage
 *
 * The run time of a batch is shared by its workloads, in order, by weight; a
 * render pass spends 1 of 4 shares in binning and 3 in main. A batch without an
 * end (`*`) has no known run time: each stretch that it runs is shared for
 * itself. The slices of a request add up to its run_ns exactly.
 *
 * Memory: command buffers by client and batch, and what is in flight; none
 * grows with the length of a run. Command buffers of clients that have ended
 * are freed when there are as many as of others.
 */
#ifndef TRACE_LAYER_H
#define TRACE_LAYER_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/sim.h"

struct debug_report;
struct execution;
struct layer;
struct layer_batch;
struct layer_workload;
struct text;

enum workload_stage {
	STAGE_NONE, /* the batch has no workload */
	STAGE_WHOLE,
	STAGE_BINNING,
	STAGE_MAIN,
};

/* Pointers are valid during the call. */
struct workload_slice {
	const struct request *request;
	const struct hw_engine *engine;
	nsec start, end; /* start < end */
	enum workload_stage stage;
	/* Not set for STAGE_NONE: */
	uint64_t tag;
	uint64_t submit;    /* submitID of the tag's annexes; 0: none */
	uint64_t execution; /* its number: unique in a session */
	const struct layer_workload *workload;
	int64_t draws;      /* of a pass: of all its parts so far */
	const char *labels; /* JSON array, zero terminated */
};

/* Appends a line like "Shadow > renderpass 1920x1080 42 draws, binning";
 * nothing for STAGE_NONE. */
void workload_slice_describe(const struct workload_slice *s, struct text *out);

/* Any of the functions may be NULL. Devices and queues are the handles in
 * messages; times are those of the simulation. */
struct layer_listener {
	/* Whole messages, in order. */
	void (*messages)(
	    struct layer_listener *l, const uint8_t *data, size_t n);
	/* A slice has ended. The slices of an engine come in order. */
	void (*slice)(struct layer_listener *l, const struct workload_slice *s);
	/* A batch is submitted to a queue; its executions follow. The time is
	 * that of the session, layer_past() included. */
	void (*submitted)(
	    struct layer_listener *l, uint64_t device, uint64_t queue, nsec at);
	void (*executed)(struct layer_listener *l, uint64_t device,
	    const struct execution *e);
	/* Draws of a pass in parts, or an indirect size, are known. */
	void (*known)(struct layer_listener *l, uint64_t device,
	    const struct layer_workload *w, uint64_t submit, int64_t draws);
	/* An indirect size stays unknown: its batch was lost. */
	void (*lost)(struct layer_listener *l, uint64_t device,
	    const struct layer_workload *w, uint64_t submit);
	/* The frame with that number begins. */
	void (*framed)(
	    struct layer_listener *l, uint64_t device, uint64_t frame);
	/* A request has ended (layer_private.h). */
	void (*done)(struct layer_listener *l, const struct layer_batch *b);
	struct layer_listener *next;
};

/* The last numbers of a session and its time, to go on with after a relaunch:
 * tags, submitIDs, executions, queues and devices are unique in a session.
 * Zeroed at first. */
struct layer_numbers {
	uint64_t tag, submit, execution, queue, device;
	nsec past; /* virtual time of earlier launches */
};

/* Watches sim from now on. To be ended before sim_free(). report, which may be
 * NULL, gets the mistakes in annotations; it outlives the layer. */
struct layer *layer_begin(struct sim *sim, struct debug_report *report);
/* Flushes, forgets its listeners and frees. NULL is nothing. */
void layer_end(struct layer *l);
/* Continues a session; to be called before anything happens. */
void layer_go_on(struct layer *l, const struct layer_numbers *numbers);
void layer_numbers(const struct layer *l, struct layer_numbers *numbers);
/* Virtual time of earlier launches: messages have it added to their times,
 * listeners do not. */
nsec layer_past(const struct layer *l);

/* The listener stays the caller's. One for messages gets devices introduced
 * anew, when they are next used. */
void layer_listen(struct layer *l, struct layer_listener *listener);
void layer_unlisten(struct layer *l, struct layer_listener *listener);
/* Gives pending messages to the listeners. */
void layer_flush(struct layer *l);
/* Calls listener->known() for each pass that is suspended now, with its draws
 * so far. */
void layer_report_suspended(struct layer *l, struct layer_listener *listener);
/* Reports the batches in flight to a listener that begins now, as if it had
 * listened when they were submitted. It has all functions from submitted to
 * framed. */
void layer_report_in_flight(
    const struct layer *l, struct layer_listener *listener);
/* Ends the slices of what runs at the present time; it runs on. */
void layer_settle(struct layer *l);

/* The draws so far of a pass in parts, also for a while after its end;
 * otherwise if it is not such a pass, or was long ago. */
int64_t layer_pass_draws(
    const struct layer *l, uint64_t tag, uint64_t submit, int64_t otherwise);
/* The number of the client that is that device. */
uint32_t layer_client(const struct layer *l, uint64_t device);
/* The slice that rq, which runs, is in; it ends now. False: no workload, or
 * unknown. */
bool layer_now(
    const struct layer *l, const struct request *rq, struct workload_slice *s);
/* The number of command buffers and queues. */
size_t layer_size(const struct layer *l);

#endif
