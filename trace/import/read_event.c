/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The names by which events and their fields are read. Names alone decide:
 * kernels add, drop and reorder fields, so one table reads all versions
 * (doc/model/import.md "Events").
 */
#include "trace/import/read_event.h"

#include <string.h>

#define BIT(n)  (1u << (n))
#define HAS_ID  (BIT(KFIELD_CONTEXT) | BIT(KFIELD_SEQNO))
#define HAS_DEP (BIT(KFIELD_DEP_CONTEXT) | BIT(KFIELD_DEP_SEQNO))
#define HAS_PTR BIT(KFIELD_FENCE)
#define N_OF(a) (sizeof(a) / sizeof(*(a)))
#define NUMBER_AS(name, n)                                                     \
	{                                                                      \
		name, n, -1                                                    \
	}
#define TEXT_AS(name, t)                                                       \
	{                                                                      \
		name, -1, t                                                    \
	}

/* Events that trace/kernel/events.h has not, or not under that name. */
static const struct {
	const char *name;
	unsigned kind;
} other_names[] = {
    {"i915_gem_request_queue", KERNEL_REQUEST_QUEUE},
    {"i915_gem_request_add", KERNEL_REQUEST_ADD},
    {"i915_gem_request_submit", KERNEL_REQUEST_SUBMIT},
    {"i915_gem_request_in", KERNEL_REQUEST_IN},
    {"i915_gem_request_out", KERNEL_REQUEST_OUT},
    {"i915_gem_request_retire", KERNEL_REQUEST_RETIRE},
    {"i915_gem_request_wait_begin", KERNEL_REQUEST_WAIT_BEGIN},
    {"i915_gem_request_wait_end", KERNEL_REQUEST_WAIT_END},
    {"fence_signaled", KERNEL_FENCE_SIGNALED},
    {"fence_wait_start", KERNEL_FENCE_WAIT_START},
    {"fence_wait_end", KERNEL_FENCE_WAIT_END},
    {"amdgpu_cs_ioctl", READ_AMDGPU_CS},
    {"amdgpu_sched_run_job", READ_AMDGPU_RUN},
    {"task_rename", READ_TASK_NAME},
    {"xe_exec_queue_create", READ_XE_CREATE},
    {"xe_exec_queue_register", READ_XE_QUEUE},
    {"xe_exec_queue_submit", READ_XE_QUEUE},
    {"xe_sched_job_exec", READ_XE_EXEC},
    {"xe_sched_job_run", READ_XE_RUN},
    {"xe_sched_job_free", READ_XE_FREE},
    {"xe_hw_fence_signal", READ_XE_SIGNAL},
    {"msm_gpu_submit", READ_MSM_SUBMIT},
    {"msm_gpu_submit_flush", READ_MSM_FLUSH},
    {"msm_gpu_submit_retired", READ_MSM_RETIRED},
};

static const struct read_field known_fields[] = {
    NUMBER_AS("ctx", KFIELD_CONTEXT),
    NUMBER_AS("context", KFIELD_CONTEXT),
    NUMBER_AS("seqno", KFIELD_SEQNO),
    NUMBER_AS("seq", KFIELD_SEQNO),
    NUMBER_AS("engine", READ_ENGINE_PAIR),
    NUMBER_AS("class", KFIELD_CLASS),
    NUMBER_AS("instance", KFIELD_INSTANCE),
    NUMBER_AS("prio", KFIELD_PRIORITY),
    NUMBER_AS("port", KFIELD_PORT),
    NUMBER_AS("completed?", KFIELD_COMPLETED),
    NUMBER_AS("completed", KFIELD_COMPLETED),
    NUMBER_AS("fence", READ_FENCE),
    NUMBER_AS("fence_context", KFIELD_CONTEXT),
    NUMBER_AS("fence_seqno", KFIELD_SEQNO),
    NUMBER_AS("entity", KFIELD_ENTITY),
    NUMBER_AS("id", KFIELD_ID),
    NUMBER_AS("client_id", KFIELD_CLIENT),
    {"ring", READ_RING_NUMBER, READ_RING},
    TEXT_AS("name", READ_RING),
    {"dev", KFIELD_DEV, READ_DEVICE},
    TEXT_AS("driver", READ_DRIVER),
    TEXT_AS("timeline", READ_TIMELINE),
    NUMBER_AS("pid", READ_PID),
    TEXT_AS("newcomm", READ_COMM),
    NUMBER_AS("guc_id", READ_QUEUE),
    NUMBER_AS("gt", READ_GT),
    NUMBER_AS("gt_id", READ_GT),
    NUMBER_AS("logical_mask", READ_MASK),
    NUMBER_AS("width", READ_WIDTH),
    NUMBER_AS("lrc_seqno", READ_QUEUE_SEQNO),
    NUMBER_AS("ringid", READ_RING_NUMBER),
    NUMBER_AS("ticks", READ_TICKS),
    NUMBER_AS("start", READ_START_TICKS),
    NUMBER_AS("start_ticks", READ_START_TICKS),
    NUMBER_AS("end", READ_END_TICKS),
    NUMBER_AS("end_ticks", READ_END_TICKS),
    NUMBER_AS("elapsed", READ_ELAPSED),
};

/* A record of a dependency has these for the request that is waited for. */
static const struct read_field read_dep_fields[] = {
    NUMBER_AS("ctx", KFIELD_DEP_CONTEXT),
    NUMBER_AS("seqno", KFIELD_DEP_SEQNO),
};

static bool
is_named(const char *known, const char *name, size_t len)
{
	return strlen(known) == len && memcmp(known, name, len) == 0;
}

unsigned
read_event_find(const char *name, size_t len)
{
	unsigned kind;

	/* Most events of a trace are of others: the names begin so. */
	if (len < 6 || strchr("adfimtx", *name) == NULL)
		return N_KERNEL_EVENTS;
	kind = kernel_event_find(name, len);
	for (size_t i = 0; i < N_OF(other_names) && kind == N_KERNEL_EVENTS;
	     i++)
		if (is_named(other_names[i].name, name, len))
			kind = other_names[i].kind;
	return kind;
}

const struct read_field *
read_field_find(unsigned kind, const char *name, size_t len)
{
	if (kind == KERNEL_JOB_ADD_DEP)
		for (size_t i = 0; i < N_OF(read_dep_fields); i++)
			if (is_named(read_dep_fields[i].name, name, len))
				return &read_dep_fields[i];
	for (size_t i = 0; i < N_OF(known_fields); i++)
		if (*known_fields[i].name == *name &&
		    is_named(known_fields[i].name, name, len))
			return &known_fields[i];
	return NULL;
}

/* The changes of 6.17 were on the list for a year with the old names of the events, and
 * fences by context and seqno (doc/model/import.md "Events"). */
static void
name_by_fields(struct read_event *e)
{
	if (event_has(e, KFIELD_FENCE) || (e->has & HAS_ID) != HAS_ID)
		return;
	switch (e->kind) {
	case KERNEL_SCHED_JOB: e->kind = KERNEL_JOB_QUEUE; break;
	case KERNEL_RUN_JOB: e->kind = KERNEL_JOB_RUN; break;
	case KERNEL_PROCESS_JOB: e->kind = KERNEL_JOB_DONE; break;
	case KERNEL_JOB_WAIT_DEP: e->kind = N_KERNEL_EVENTS; break;
	default: break;
	}
}

bool
read_event_settle(struct read_event *e)
{
	uint32_t needs = HAS_ID;

	name_by_fields(e);
	switch (e->kind) {
	case N_KERNEL_EVENTS: needs = 0; break;
	case KERNEL_SCHED_JOB: needs = HAS_PTR | BIT(KFIELD_ENTITY); break;
	case KERNEL_RUN_JOB:
	case KERNEL_PROCESS_JOB: needs = HAS_PTR; break;
	case KERNEL_JOB_WAIT_DEP: needs = HAS_PTR | BIT(KFIELD_ID); break;
	case KERNEL_JOB_ADD_DEP: needs = HAS_ID | HAS_DEP; break;
	case READ_TASK_NAME: needs = BIT(READ_PID); break;
	case READ_XE_QUEUE:
	case READ_XE_CREATE:
		needs = BIT(READ_QUEUE) | BIT(KFIELD_CLASS) | BIT(READ_MASK);
		break;
	case READ_XE_EXEC:
	case READ_XE_RUN:
	case READ_XE_FREE: needs = BIT(READ_QUEUE) | BIT(KFIELD_SEQNO); break;
	case READ_MSM_SUBMIT:
		needs = BIT(KFIELD_ID) | BIT(READ_RING_NUMBER);
		break;
	case READ_MSM_FLUSH: needs = BIT(KFIELD_ID); break;
	case READ_MSM_RETIRED:
		needs = BIT(KFIELD_ID) | BIT(READ_ELAPSED);
		break;
	default: break;
	}
	return (e->has & needs) == needs;
}

const char *
read_event_example(unsigned kind)
{
	switch (kind) {
	case KERNEL_SCHED_JOB:
	case KERNEL_RUN_JOB:
	case KERNEL_PROCESS_JOB:
		return "entity=0xffff0010, id=1, fence=0xffff0020, ring=gfx";
	case KERNEL_JOB_WAIT_DEP: return "ring=gfx, id=1, fence=0xffff0020";
	case KERNEL_JOB_ADD_DEP: return "fence=44:1 depends on fence=40:7";
	case KERNEL_JOB_QUEUE:
	case KERNEL_JOB_RUN:
	case KERNEL_JOB_DONE: return "fence=44:1, ring=gfx";
	case READ_AMDGPU_CS:
	case READ_AMDGPU_RUN: return "timeline=gfx, context=44, seqno=1";
	case READ_XE_QUEUE:
	case READ_XE_CREATE: return "3:0x1, gt=0, width=1, guc_id=5";
	case READ_XE_EXEC:
	case READ_XE_RUN:
	case READ_XE_FREE: return "fence=0xffff0020, seqno=1, guc_id=5";
	case READ_XE_SIGNAL: return "ctx=0x2c, fence=0xffff0020, seqno=1";
	case READ_MSM_SUBMIT: return "id=1 pid=77 ring=0";
	case READ_MSM_FLUSH: return "id=1 ticks=96000000";
	case READ_MSM_RETIRED: return "id=1 elapsed=3000000 ns";
	case KERNEL_FENCE_SIGNALED:
		return "driver=i915 timeline=t context=5 seqno=1";
	default: return "dev=0, engine=0:0, ctx=5, seqno=1";
	}
}
