/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Playing. Recordings that are submitted to a queue run through its
 * interpreter, whose state is the queue's labels, its open render pass and the
 * submitID (doc/layer.md "Playing"). The results are messages and, for a
 * listener, the same as calls.
 */
#ifndef LAYERSTREAM_PLAY_H
#define LAYERSTREAM_PLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "layerstream/message.h"
#include "layerstream/record.h"

/*
 * The stack of a queue's debug labels, kept as the JSON of an annex, so that
 * sending it is a copy: {"label":["Frame 1","Shadow"]}. It is bounded. Labels
 * pushed above the bound are counted, so that their pops pair, but not kept.
 */
struct labels {
	char *json;      /* NULL: no label was pushed so far */
	uint32_t len;    /* without the ]} at its end */
	uint32_t n;      /* labels in json */
	uint64_t depth;  /* labels on the stack, in json or only counted */
	uint32_t *begin; /* where in json each begins */
	uint32_t cap, cap_begin;
};

#define LABELS_DEPTH  64
#define LABELS_BYTES  16384 /* of the JSON */
#define LABELS_EMPTY  "{\"label\":[]}"
#define LABELS_PREFIX 9 /* bytes of {"label": */
#define LABELS_SUFFIX 2 /* bytes of ]} */

void labels_free(struct labels *l);
/* json is a label with its quotes. False: it is above the bound. */
bool labels_push(struct labels *l, const char *json, uint32_t len);
/* False: the stack is empty. */
bool labels_pop(struct labels *l);

/* The JSON object, of *len bytes, valid until the next push or pop. */
static inline const char *
labels_object(const struct labels *l, uint32_t *len)
{
	if (l->n == 0) {
		*len = sizeof(LABELS_EMPTY) - 1;
		return LABELS_EMPTY;
	}
	*len = l->len + LABELS_SUFFIX;
	return l->json;
}

/* Reads a JSON array of labels: appends the label at *at to t as plain text and
 * moves *at to the next. False at the end. *at begins at the array. */
bool labels_next(const char **at, const char *end, struct text *t);

/* One execution of a workload, or of a part of a render pass. */
struct execution {
	const struct layer_workload *workload; /* of a part: its pass */
	const struct layer_workload *part;     /* the part, else workload */
	uint64_t submit;    /* submitID of its annexes; 0: none. For a part:
			     * the one under which its pass began */
	uint64_t in;        /* submitID of the submission that it runs in */
	uint64_t number;    /* of a workload's execution; parts share it */
	const char *labels; /* JSON array; gone after the call */
	uint32_t labels_len;
};

/* Any of the functions may be NULL. */
struct play_sink {
	/* A workload or part is executed, in the order of the stream. */
	void (*executed)(struct play_sink *s, const struct execution *e);
	/* A pass in parts has ended, or never will (closed is false). */
	void (*summed)(struct play_sink *s, const struct layer_workload *pass,
	    uint64_t submit, int64_t draws, uint32_t parts, bool closed);
	/* An indirect size is known: workload->info has it. */
	void (*resolved)(struct play_sink *s,
	    const struct layer_workload *workload, uint64_t submit);
};

/* One session. The caller owns what it points to. */
struct player {
	uint64_t last_submit; /* the newest submitID; they count from 1 */
	uint64_t executions;  /* number of the newest; they count from 1 */
	struct message_buffer *out;
	bool silent;                    /* no messages: out is not written to */
	struct play_sink *sink;         /* may be NULL */
	struct debug_report *report;    /* may be NULL */
	struct played_submission *free; /* spare ones */
};

void play_init(struct player *p, struct message_buffer *out,
    struct play_sink *sink, struct debug_report *report);
void play_free(struct player *p);

/* The render pass that is open or suspended on a queue. */
struct queue_pass {
	const struct layer_workload *workload; /* NULL: none */
	struct command_recording *kept; /* that has it, once it was played */
	uint64_t submit;
	uint64_t execution;
	int64_t draws; /* so far; WORKLOAD_UNKNOWN: a part's are not known */
	uint32_t parts;
	bool sent;    /* its metadata was: the rest is an annex */
	char *labels; /* when it began, as JSON object */
	uint32_t labels_len, labels_cap;
};

/* The state that outlives submits (doc/layer.md "Playing"). */
struct play_queue {
	struct player *player;
	uint64_t device, id; /* handles in messages */
	char submit[80];     /* JSON of its submits, up to the time */
	uint32_t submit_len;
	unsigned reported; /* mistakes: each is reported once */
	struct labels labels;
	struct queue_pass pass;
};

/* p outlives the queue. device and id are the handles in messages. */
void play_queue_init(
    struct play_queue *q, struct player *p, uint64_t device, uint64_t id);
void play_queue_free(struct play_queue *q);

/* A played recording with commands left for when the GPU is done. */
struct played_submission;

/*
 * Submits n command buffers at a time (now, in ns). done[i] is set to what
 * waits for the GPU, NULL if nothing does. The caller hands each one to
 * play_completed() when the batch has ended, or to play_dropped() if it was
 * lost and never ran.
 */
void play_submit(struct play_queue *q, struct command_recording *const *list,
    size_t n, uint64_t now, struct played_submission **done);
void play_completed(struct played_submission *s);
void play_dropped(struct played_submission *s);

/* The frame with that number, counted from 1, begins. */
void play_frame(
    struct player *p, uint64_t device, uint64_t frame, uint64_t now);

struct play_device {
	uint64_t device;
	const char *name; /* UTF-8 */
	uint32_t major, minor, patch;
	uint32_t pid;
};

/* Introduces a device, before anything else of it. */
void play_device(struct player *p, const struct play_device *d);

#endif
