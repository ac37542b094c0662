/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of the kernel's events: doc/model/traces.md "Events". */
#include "trace/kernel/events.h"

#include <string.h>

#define U16(kind, name)                                                        \
	{                                                                      \
		kind, name, "u16", 2, false                                    \
	}
#define U32(kind, name)                                                        \
	{                                                                      \
		kind, name, "u32", 4, false                                    \
	}
#define S32(kind, name)                                                        \
	{                                                                      \
		kind, name, "s32", 4, true                                     \
	}
#define INT(kind, name)                                                        \
	{                                                                      \
		kind, name, "int", 4, true                                     \
	}
#define UINT(kind, name)                                                       \
	{                                                                      \
		kind, name, "unsigned int", 4, false                           \
	}
#define U64(kind, name)                                                        \
	{                                                                      \
		kind, name, "u64", 8, false                                    \
	}
#define POINTER(kind, name)                                                    \
	{                                                                      \
		kind, name, "void *", 8, false                                 \
	}
#define TEXT(kind, name)                                                       \
	{                                                                      \
		kind, name, "__data_loc char[]", 4, false                      \
	}

/* An event of i915's requests; what follows the first fields is its own. */
#define REQUEST_FIELDS                                                         \
	U32(KFIELD_DEV, "dev"), U64(KFIELD_CONTEXT, "ctx"),                    \
	    U16(KFIELD_CLASS, "class"), U16(KFIELD_INSTANCE, "instance"),      \
	    U32(KFIELD_SEQNO, "seqno")
#define REQUEST_PRINT "dev=%u, engine=%u:%u, ctx=%llu, seqno=%u"
#define REQUEST_PRINTED                                                        \
	KFIELD_DEV, KFIELD_CLASS, KFIELD_INSTANCE, KFIELD_CONTEXT, KFIELD_SEQNO

#define REQUEST(event)                                                         \
	{                                                                      \
		.system = "i915", .name = "i915_request_" event,               \
		.set = KERNEL_I915,                                            \
		.fields = {REQUEST_FIELDS, U32(KFIELD_TAIL, "tail")},          \
		.print = REQUEST_PRINT ", tail=%u",                            \
		.printed = {REQUEST_PRINTED, KFIELD_TAIL},                     \
	}
#define REQUEST_FLAGS(event)                                                   \
	{                                                                      \
		.system = "i915", .name = "i915_request_" event,               \
		.set = KERNEL_I915,                                            \
		.fields = {REQUEST_FIELDS, U32(KFIELD_FLAGS, "flags")},        \
		.print = REQUEST_PRINT ", flags=0x%x",                         \
		.printed = {REQUEST_PRINTED, KFIELD_FLAGS},                    \
	}

#define FENCE(event)                                                           \
	{                                                                      \
		.system = "dma_fence", .name = "dma_fence_" event,             \
		.set = KERNEL_FENCE,                                           \
		.fields = {TEXT(KFIELD_DRIVER, "driver"),                      \
		    TEXT(KFIELD_TIMELINE, "timeline"),                         \
		    UINT(KFIELD_CONTEXT, "context"),                           \
		    UINT(KFIELD_SEQNO, "seqno")},                              \
		.print = "driver=%s timeline=%s context=%u seqno=%u",          \
		.printed = {KFIELD_DRIVER, KFIELD_TIMELINE, KFIELD_CONTEXT,    \
		    KFIELD_SEQNO},                                             \
	}

#define SCHED_OLD(event)                                                       \
	{                                                                      \
		.system = "gpu_scheduler", .name = (event), .set = KERNEL_DRM, \
		.fields = {POINTER(KFIELD_ENTITY, "entity"),                   \
		    POINTER(KFIELD_FENCE, "fence"), TEXT(KFIELD_RING, "name"), \
		    U64(KFIELD_ID, "id"), U32(KFIELD_JOB_COUNT, "job_count"),  \
		    INT(KFIELD_HW_JOB_COUNT, "hw_job_count")},                 \
		.print = "entity=%p, id=%llu, fence=%p, ring=%s, "             \
			 "job count:%u, hw job count:%d",                      \
		.printed = {KFIELD_ENTITY, KFIELD_ID, KFIELD_FENCE,            \
		    KFIELD_RING, KFIELD_JOB_COUNT, KFIELD_HW_JOB_COUNT},       \
	}

#define SCHED_617(event)                                                       \
	{                                                                      \
		.system = "gpu_scheduler", .name = (event),                    \
		.set = KERNEL_DRM_617,                                         \
		.fields = {TEXT(KFIELD_RING, "name"),                          \
		    U32(KFIELD_JOB_COUNT, "job_count"),                        \
		    INT(KFIELD_HW_JOB_COUNT, "hw_job_count"),                  \
		    TEXT(KFIELD_DEVICE, "dev"),                                \
		    U64(KFIELD_CONTEXT, "fence_context"),                      \
		    U64(KFIELD_SEQNO, "fence_seqno"),                          \
		    U64(KFIELD_CLIENT, "client_id")},                          \
		.print = "dev=%s, fence=%llu:%llu, ring=%s, job count:%u, "    \
			 "hw job count:%d, client_id:%llu",                    \
		.printed = {KFIELD_DEVICE, KFIELD_CONTEXT, KFIELD_SEQNO,       \
		    KFIELD_RING, KFIELD_JOB_COUNT, KFIELD_HW_JOB_COUNT,        \
		    KFIELD_CLIENT},                                            \
	}

#define SCHED_617_DEP(event, words)                                            \
	{                                                                      \
		.system = "gpu_scheduler", .name = (event),                    \
		.set = KERNEL_DRM_617,                                         \
		.fields = {U64(KFIELD_CONTEXT, "fence_context"),               \
		    U64(KFIELD_SEQNO, "fence_seqno"),                          \
		    U64(KFIELD_DEP_CONTEXT, "ctx"),                            \
		    U64(KFIELD_DEP_SEQNO, "seqno")},                           \
		.print = "fence=%llu:%llu depends on " words                   \
			 "fence=%llu:%llu",                                    \
		.printed = {KFIELD_CONTEXT, KFIELD_SEQNO, KFIELD_DEP_CONTEXT,  \
		    KFIELD_DEP_SEQNO},                                         \
	}

const struct kernel_event kernel_events[N_KERNEL_EVENTS] = {
    [KERNEL_REQUEST_QUEUE] = REQUEST_FLAGS("queue"),
    [KERNEL_REQUEST_ADD] = REQUEST("add"),
    [KERNEL_REQUEST_SUBMIT] = REQUEST("submit"),
    [KERNEL_REQUEST_EXECUTE] = REQUEST("execute"),
    [KERNEL_REQUEST_GUC_SUBMIT] = REQUEST("guc_submit"),
    [KERNEL_REQUEST_IN] =
	{
	    .system = "i915",
	    .name = "i915_request_in",
	    .set = KERNEL_I915,
	    .fields = {REQUEST_FIELDS, U32(KFIELD_PORT, "port"),
		S32(KFIELD_PRIORITY, "prio")},
	    .print = REQUEST_PRINT ", prio=%d, port=%u",
	    .printed = {REQUEST_PRINTED, KFIELD_PRIORITY, KFIELD_PORT},
	},
    [KERNEL_REQUEST_OUT] =
	{
	    .system = "i915",
	    .name = "i915_request_out",
	    .set = KERNEL_I915,
	    .fields = {REQUEST_FIELDS, U32(KFIELD_COMPLETED, "completed")},
	    .print = REQUEST_PRINT ", completed?=%u",
	    .printed = {REQUEST_PRINTED, KFIELD_COMPLETED},
	},
    [KERNEL_REQUEST_RETIRE] = REQUEST("retire"),
    [KERNEL_REQUEST_WAIT_BEGIN] = REQUEST_FLAGS("wait_begin"),
    [KERNEL_REQUEST_WAIT_END] = REQUEST("wait_end"),
    [KERNEL_FENCE_INIT] = FENCE("init"),
    [KERNEL_FENCE_EMIT] = FENCE("emit"),
    [KERNEL_FENCE_ENABLE_SIGNAL] = FENCE("enable_signal"),
    [KERNEL_FENCE_SIGNALED] = FENCE("signaled"),
    [KERNEL_FENCE_DESTROY] = FENCE("destroy"),
    [KERNEL_FENCE_WAIT_START] = FENCE("wait_start"),
    [KERNEL_FENCE_WAIT_END] = FENCE("wait_end"),
    [KERNEL_SCHED_JOB] = SCHED_OLD("drm_sched_job"),
    [KERNEL_RUN_JOB] = SCHED_OLD("drm_run_job"),
    [KERNEL_PROCESS_JOB] =
	{
	    .system = "gpu_scheduler",
	    .name = "drm_sched_process_job",
	    .set = KERNEL_DRM,
	    .fields = {POINTER(KFIELD_FENCE, "fence")},
	    .print = "fence=%p signaled",
	    .printed = {KFIELD_FENCE},
	},
    [KERNEL_JOB_WAIT_DEP] =
	{
	    .system = "gpu_scheduler",
	    .name = "drm_sched_job_wait_dep",
	    .set = KERNEL_DRM,
	    .fields = {TEXT(KFIELD_RING, "name"), U64(KFIELD_ID, "id"),
		POINTER(KFIELD_DEP_FENCE, "fence"),
		U64(KFIELD_DEP_CONTEXT, "ctx"),
		UINT(KFIELD_DEP_SEQNO, "seqno")},
	    .print = "job ring=%s, id=%llu, depends fence=%p, context=%llu, "
		     "seq=%u",
	    .printed = {KFIELD_RING, KFIELD_ID, KFIELD_DEP_FENCE,
		KFIELD_DEP_CONTEXT, KFIELD_DEP_SEQNO},
	},
    [KERNEL_JOB_QUEUE] = SCHED_617("drm_sched_job_queue"),
    [KERNEL_JOB_RUN] = SCHED_617("drm_sched_job_run"),
    [KERNEL_JOB_DONE] =
	{
	    .system = "gpu_scheduler",
	    .name = "drm_sched_job_done",
	    .set = KERNEL_DRM_617,
	    .fields = {U64(KFIELD_CONTEXT, "fence_context"),
		U64(KFIELD_SEQNO, "fence_seqno")},
	    .print = "fence=%llu:%llu signaled",
	    .printed = {KFIELD_CONTEXT, KFIELD_SEQNO},
	},
    [KERNEL_JOB_ADD_DEP] = SCHED_617_DEP("drm_sched_job_add_dep", ""),
    [KERNEL_JOB_UNSCHEDULABLE] = SCHED_617_DEP(
	"drm_sched_job_unschedulable", "unsignalled "),
};

enum kernel_event_kind
kernel_event_find(const char *name, size_t len)
{
	for (unsigned i = 0; i < N_KERNEL_EVENTS; i++)
		if (strlen(kernel_events[i].name) == len &&
		    memcmp(kernel_events[i].name, name, len) == 0)
			return (enum kernel_event_kind)i;
	return N_KERNEL_EVENTS;
}
