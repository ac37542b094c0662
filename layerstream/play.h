/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Playing: recordings that are submitted to a queue run through its
 * interpreter, which has the queue's labels, its open render pass and the
 * submitID (doc/layer.md "Playing"). The results are messages, and
 * for who listens the same as calls.
 */
#ifndef LAYERSTREAM_PLAY_H
#define LAYERSTREAM_PLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "layerstream/labels.h"
#include "layerstream/message.h"
#include "layerstream/record.h"

/* One execution of a workload, or of a part of a render pass. */
struct execution {
	const struct layer_workload
	    *workload;                     /* of a part: the pass it goes on */
	const struct layer_workload *part; /* the part itself, else workload */
	uint64_t submit;    /* submitID that its annexes have; 0: none. Of a
			  * part: of where its pass began */
	uint64_t in;        /* submitID of the submission that it runs in */
	const char *labels; /* JSON array (labels_next), gone afterwards */
	uint32_t labels_len;
};

/* Any of the functions may be NULL. */
struct play_sink {
	/* In the order of the stream: what the batch executes. */
	void (*executed)(struct play_sink *s, const struct execution *e);
	/* A pass in parts has ended (or never will: closed is false). */
	void (*summed)(struct play_sink *s, const struct layer_workload *pass,
	    uint64_t submit, int64_t draws, uint32_t parts, bool closed);
	/* Indirect parameters are known: those of workload->info. */
	void (*resolved)(struct play_sink *s,
	    const struct layer_workload *workload, uint64_t submit);
};

/* One session. The caller owns what it points to. */
struct player {
	uint64_t last_submit; /* submitIDs given so far, from 1 */
	struct message_buffer *out;
	struct play_sink *sink;  /* may be NULL */
	struct report *report;   /* may be NULL */
	struct submission *free; /* play_free() frees them */
};

void play_init(struct player *p, struct message_buffer *out,
    struct play_sink *sink, struct report *report);
void play_free(struct player *p);

/* The render pass that is open on a queue, or suspended. */
struct queue_pass {
	const struct layer_workload *workload; /* NULL: none */
	struct recording *kept; /* that it belongs to, once that was played */
	uint64_t submit;
	int64_t draws; /* WORKLOAD_UNKNOWN: those of a part are not known */
	uint32_t parts;
	bool told;    /* its metadata was sent: the rest is an annex */
	char *labels; /* when it began, as JSON object */
	uint32_t labels_len, labels_cap;
};

/* The state that outlives submits (doc/layer.md "Playing"). */
struct queue {
	struct player *player;
	uint64_t device, id; /* handles that messages name */
	char submit[80];     /* JSON of its submits, up to the time */
	uint32_t submit_len;
	unsigned reported; /* what was wrong: each thing is told once */
	struct labels labels;
	struct queue_pass pass;
};

/* Of the player p, which outlives it; device and id as messages name them. */
void queue_init(
    struct queue *q, struct player *p, uint64_t device, uint64_t id);
void queue_free(struct queue *q);

/* A recording that was played and has async commands left. */
struct submission;

/*
 * One submit of command buffers, at a time (ns). What waits for the GPU is
 * put to done[i], which may be NULL if there is none; the caller must hand
 * each one either to play_completed(), when the batch has ended, or to
 * play_dropped(): its context is banned, it never ran.
 */
void play_submit(struct queue *q, struct recording *const *list, size_t n,
    uint64_t now, struct submission **done);
void play_completed(struct submission *s);
void play_dropped(struct submission *s);

/* The frame with that number begins, from 1. */
void play_frame(
    struct player *p, uint64_t device, uint64_t frame, uint64_t now);

struct play_device {
	uint64_t device;
	const char *name; /* UTF-8 */
	uint32_t major, minor, patch;
	uint32_t pid;
};

/* Who the device is: before anything else of it. */
void play_device(struct player *p, const struct play_device *d);

#endif
