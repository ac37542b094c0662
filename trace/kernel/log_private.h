/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside the log of a run: its tasks, timelines and jobs, and records of them. */
#ifndef TRACE_KERNEL_LOG_PRIVATE_H
#define TRACE_KERNEL_LOG_PRIVATE_H

#include "trace/kernel/log.h"

struct client;
struct request;

#define COMM_LEN 15 /* of a task's name */

/* A timeline: requests of one ring, or of one row of a parallel slot. */
struct kernel_timeline {
	struct chain_node node;  /* by ring and row */
	uint32_t client, serial; /* of the ring's context */
	uint64_t context;        /* of its fences */
	uint32_t n;              /* submitted: the last seqno */
	uint32_t queued;         /* jobs that wait */
};

/* A request in flight. */
struct kernel_job {
	struct chain_node node; /* by seq */
	struct kernel_timeline *timeline;
	uint64_t id; /* from 1 */
	uint32_t seqno;
	bool running;   /* its batch runs */
	int16_t engine; /* index, once its batch has begun; before that -1 */
};

/* The thread of a client. */
struct kernel_task {
	struct chain_node node; /* by client and its id */
	int32_t pid;
	char comm[COMM_LEN + 1];
	/* The record of the wait that it is in; seqno 0: none. */
	struct kernel_record wait;
};

/* The name of the ring that rq runs on, or is to run on. */
struct kernel_ring_name {
	char text[16];
};

static inline bool
kernel_logs(const struct kernel_log *log, enum kernel_set set)
{
	return (log->sets >> set & 1) != 0;
}

/* Returns the thread of a client, which is named when it is first asked for. */
struct kernel_task *kernel_task_of(
    struct kernel_log *log, const struct client *c);
/* Returns the job of a request; NULL: it was submitted before the log began. */
struct kernel_job *kernel_job_of(
    const struct kernel_log *log, const struct request *rq);
/* Adds the job of a request, with the next seqno of its timeline. */
struct kernel_job *kernel_job_add(
    struct kernel_log *log, const struct request *rq);
/* Begins a record of now; task NULL: of no task. */
struct kernel_record kernel_record_new(const struct kernel_log *log,
    enum kernel_event_kind kind, const struct kernel_task *task);
/* Sets the fence of a job. */
void kernel_set_fence(struct kernel_record *r, const struct kernel_job *job);
/* Sets where rq runs, or is to run: a virtual one on no engine until then. */
void kernel_set_engine(const struct kernel_log *log, struct kernel_record *r,
    const struct kernel_job *job, const struct request *rq);
/* The next four write events, if their set is logged; task NULL: none. */

/* Writes an event of i915. */
void kernel_put_request(struct kernel_log *log, enum kernel_event_kind kind,
    const struct kernel_task *task, const struct kernel_job *job,
    const struct request *rq);
/* Writes an event of dma_fence, for the job's finished fence, or the scheduled
 * one. */
void kernel_put_fence(struct kernel_log *log, enum kernel_event_kind kind,
    const struct kernel_task *task, const struct kernel_job *job,
    const struct request *rq, bool scheduled);
/* Writes an event of the DRM scheduler: old before Linux 6.17, new since. */
void kernel_put_job(struct kernel_log *log, enum kernel_event_kind old,
    enum kernel_event_kind new, const struct kernel_task *task,
    const struct kernel_job *job, const struct request *rq);
/* Writes an event for each request that rq waits for, except the one before it
 * on its ring. */
void kernel_put_dependencies(struct kernel_log *log,
    enum kernel_event_kind kind, const struct kernel_task *task,
    const struct kernel_job *job, const struct request *rq);
/* Returns the name of the ring that rq runs on, or is to run on. */
struct kernel_ring_name kernel_ring_name(const struct kernel_log *log,
    const struct request *rq, const struct kernel_job *job);

#endif
