/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An event as readers of trace files give it: which one, when, by which task, and
 * the fields that tell of requests (doc/model/import.md "Events"). Kinds and
 * fields are those of trace/kernel/events.h, and some that only other drivers and
 * older kernels have.
 */
#ifndef TRACE_IMPORT_READ_EVENT_H
#define TRACE_IMPORT_READ_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/nsec.h"
#include "trace/kernel/events.h"

/* Kinds beside enum kernel_event_kind; N_KERNEL_EVENTS is any other event. */
enum {
	READ_AMDGPU_CS = N_KERNEL_EVENTS + 1,
	READ_AMDGPU_RUN,
	READ_TASK_NAME,
	READ_XE_QUEUE,  /* of xe: a queue and its engines */
	READ_XE_CREATE, /* the same, when it is made */
	READ_XE_EXEC,
	READ_XE_RUN,
	READ_XE_FREE,
	READ_XE_SIGNAL,
	READ_MSM_SUBMIT,
	READ_MSM_FLUSH,
	READ_MSM_RETIRED,
};

/* Numbers beside enum kernel_field_kind. */
enum {
	READ_RING_NUMBER =
	    N_KFIELD_NUMBERS, /* of an engine, until Linux 4.16 */
	READ_PID,
	READ_QUEUE, /* of xe: guc_id */
	READ_GT,
	READ_MASK, /* of logical instances */
	READ_WIDTH,
	READ_QUEUE_SEQNO, /* of xe: on the queue's ring */
	READ_TICKS,       /* of msm: when a job was handed over */
	READ_START_TICKS,
	READ_END_TICKS,
	READ_ELAPSED, /* ns */
	N_READ_NUMBERS,
	/* Forms of several numbers in a text. */
	READ_ENGINE_PAIR, /* class:instance */
	READ_FENCE,       /* context:seqno, or a pointer */
};

/* Texts, in the order of those of enum kernel_field_kind. */
enum {
	READ_RING,
	READ_DEVICE,
	READ_DRIVER,
	READ_TIMELINE,
	READ_COMM,
	N_READ_TEXTS,
};

/* Part of a reader's buffer; not terminated. */
struct slice {
	const char *s;
	size_t len;
};

/* Valid until the next one is read. */
struct read_event {
	unsigned kind;
	nsec time;
	int64_t pid;       /* of the task that ran; 0: none */
	int64_t tgid;      /* of its process; 0: not known */
	struct slice comm; /* its name */
	struct slice name; /* of the event, for --frame-on */
	uint64_t numbers[N_READ_NUMBERS];
	uint32_t has; /* bit i: numbers[i] is set */
	struct slice texts[N_READ_TEXTS];
};

_Static_assert(N_READ_NUMBERS <= 32, "has has a bit for each");

static inline bool
event_has(const struct read_event *e, unsigned number)
{
	return (e->has >> number & 1) != 0;
}

static inline void
event_set(struct read_event *e, unsigned number, uint64_t value)
{
	e->numbers[number] = value;
	e->has |= 1u << number;
}

/* Returns the kind of event of that name, without its system. */
unsigned read_event_find(const char *name, size_t len);

/* A field by its name: in text or in a format. */
struct read_field {
	const char *name;
	int8_t number; /* -1: none */
	int8_t text;   /* -1: none */
};

/* Returns the field of that name of an event of that kind; NULL: it is not
 * needed. */
const struct read_field *read_field_find(
    unsigned kind, const char *name, size_t len);

/* Names an event of the DRM scheduler by what it says, once its fields are read. Returns
 * true if the event has the numbers without which it says nothing. */
bool read_event_settle(struct read_event *e);
/* Returns the fields that an event of that kind must have, as an example. */
const char *read_event_example(unsigned kind);

#endif
