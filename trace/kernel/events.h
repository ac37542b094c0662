/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Events of the Linux kernel that tell of requests on a GPU: one table, which
 * the writers of kernel traces use, and their readers. It has each event's
 * names, its fields in the order of its binary record, and the format in which
 * it is printed (doc/model/traces.md "Events").
 *
 * Fields of the same meaning have one number here, whatever their names are in
 * an event: the context of a fence is `ctx` in i915's events, `context` in those
 * of dma_fence, and `fence_context` in the DRM scheduler's since 6.17.
 */
#ifndef TRACE_KERNEL_EVENTS_H
#define TRACE_KERNEL_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* The sets of events of one driver and age. */
enum kernel_set {
	KERNEL_I915,
	KERNEL_FENCE,   /* dma_fence, of any driver */
	KERNEL_DRM,     /* the DRM scheduler before 6.17 */
	KERNEL_DRM_617, /* and since */
	N_KERNEL_SETS
};

enum kernel_event_kind {
	KERNEL_REQUEST_QUEUE,
	KERNEL_REQUEST_ADD,
	KERNEL_REQUEST_SUBMIT,
	KERNEL_REQUEST_EXECUTE,
	KERNEL_REQUEST_GUC_SUBMIT,
	KERNEL_REQUEST_IN,
	KERNEL_REQUEST_OUT,
	KERNEL_REQUEST_RETIRE,
	KERNEL_REQUEST_WAIT_BEGIN,
	KERNEL_REQUEST_WAIT_END,
	KERNEL_FENCE_INIT,
	KERNEL_FENCE_EMIT,
	KERNEL_FENCE_ENABLE_SIGNAL,
	KERNEL_FENCE_SIGNALED,
	KERNEL_FENCE_DESTROY,
	KERNEL_FENCE_WAIT_START,
	KERNEL_FENCE_WAIT_END,
	KERNEL_SCHED_JOB,
	KERNEL_RUN_JOB,
	KERNEL_PROCESS_JOB,
	KERNEL_JOB_WAIT_DEP,
	KERNEL_JOB_QUEUE,
	KERNEL_JOB_RUN,
	KERNEL_JOB_DONE,
	KERNEL_JOB_ADD_DEP,
	KERNEL_JOB_UNSCHEDULABLE,
	N_KERNEL_EVENTS
};

/* The meanings of fields. Numbers come first, then texts. */
enum kernel_field_kind {
	KFIELD_DEV, /* index of the GPU: minor number of its node */
	KFIELD_CLASS,
	KFIELD_INSTANCE,
	KFIELD_CONTEXT, /* of the request's fence: its timeline */
	KFIELD_SEQNO,   /* on that timeline */
	KFIELD_TAIL,
	KFIELD_FLAGS,
	KFIELD_PRIORITY,
	KFIELD_PORT,
	KFIELD_COMPLETED,
	KFIELD_ENTITY, /* pointer; a queue of the DRM scheduler */
	KFIELD_FENCE,  /* pointer, used again after the job's end */
	KFIELD_ID,     /* of a job on its ring */
	KFIELD_JOB_COUNT,
	KFIELD_HW_JOB_COUNT,
	KFIELD_CLIENT, /* drm-client-id; 0: a job of the kernel's */
	KFIELD_DEP_CONTEXT,
	KFIELD_DEP_SEQNO,
	KFIELD_DEP_FENCE, /* pointer */
	N_KFIELD_NUMBERS,
	KFIELD_RING = N_KFIELD_NUMBERS,
	KFIELD_DEVICE, /* "0000:00:02.0" */
	KFIELD_DRIVER,
	KFIELD_TIMELINE,
	N_KFIELDS
};

#define KERNEL_MAX_FIELDS 8

struct kernel_field {
	uint8_t kind;     /* enum kernel_field_kind */
	const char *name; /* in the binary record */
	const char *type; /* C's; of a text "__data_loc char[]" */
	uint8_t size;     /* bytes of a number; of a text 4, its place */
	bool is_signed;
};

struct kernel_event {
	const char *system, *name;
	enum kernel_set set;
	/* In the order of the binary record, naturally aligned behind the 8
	 * bytes that all events have; the first of size 0 ends the list. */
	struct kernel_field fields[KERNEL_MAX_FIELDS];
	/* As printf() has it, and the fields that it prints, in their order. */
	const char *print;
	uint8_t printed[KERNEL_MAX_FIELDS];
};

/* An event that happened. A reader sets those fields of the kind that the file
 * has; known has a bit for each. */
struct kernel_record {
	enum kernel_event_kind event;
	uint64_t time_ns;
	uint32_t cpu;
	int32_t pid;      /* 0: idle */
	const char *comm; /* the task's name, of 15 bytes at most */
	uint32_t known;   /* 1 << enum kernel_field_kind */
	uint64_t numbers[N_KFIELD_NUMBERS];
	const char *texts[N_KFIELDS - N_KFIELD_NUMBERS];
};

_Static_assert(N_KFIELDS <= 32, "known has a bit for each");

/* The classes of engines as i915 numbers them (uAPI). A virtual engine has an
 * instance of these: newer kernels give it class 65535, older ones 255; ours has
 * the class of its siblings, as gpuvis takes no class above 15. */
enum {
	KERNEL_CLASS_RENDER,
	KERNEL_CLASS_COPY,
	KERNEL_CLASS_VIDEO,
	KERNEL_CLASS_VIDEO_ENHANCE,
	KERNEL_CLASS_COMPUTE,
	KERNEL_INSTANCE_VIRTUAL = 254,
	KERNEL_INSTANCE_VIRTUAL_NEW = 65534,
};

extern const struct kernel_event kernel_events[N_KERNEL_EVENTS];

/* Returns the event of that name, of any system; N_KERNEL_EVENTS: none. */
enum kernel_event_kind kernel_event_find(const char *name, size_t len);

static inline void
kernel_set_number(
    struct kernel_record *r, enum kernel_field_kind kind, uint64_t number)
{
	r->numbers[kind] = number;
	r->known |= 1u << kind;
}

/* text outlives the record. */
static inline void
kernel_set_text(
    struct kernel_record *r, enum kernel_field_kind kind, const char *text)
{
	r->texts[kind - N_KFIELD_NUMBERS] = text;
	r->known |= 1u << kind;
}

static inline const char *
kernel_text(const struct kernel_record *r, enum kernel_field_kind kind)
{
	const char *text = r->texts[kind - N_KFIELD_NUMBERS];

	return text != NULL ? text : "";
}

/* Appends the record's fields as the kernel prints them. */
void kernel_print(struct text *out, const struct kernel_record *r);
/* Appends the description of the event that tracefs has in its file `format`:
 * fields with their offsets, and how they are printed. */
void kernel_describe(
    struct text *out, enum kernel_event_kind kind, unsigned id);
/* Appends the binary record: the common fields, then those of the event, texts
 * behind them; padded to a multiple of 4 bytes. */
void kernel_encode(
    struct text *out, const struct kernel_record *r, unsigned id);

#endif
