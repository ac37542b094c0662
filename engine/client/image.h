/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program as one client runs it, with the memory that its steps name: the
 * image of the process. Requests keep the image that they were submitted from,
 * so that they finish as they were when the client has gone on to another.
 */
#ifndef ENGINE_CLIENT_IMAGE_H
#define ENGINE_CLIENT_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/compile/program.h"
#include "engine/gpu/fence.h"
#include "engine/gpu/object.h"

struct request;

/* Objects of W sets, for all images that name them. */
struct shared_objects {
	unsigned refs;
	uint32_t n;
	struct object objects[];
};

/* Place in the list of steps queued on an engine (q). */
struct queue_link {
	uint32_t prev, next; /* steps, NO_INDEX */
	uint8_t engine;
	bool queued;
};

struct queue_list {
	uint32_t first, last, n;
};

struct image {
	const struct program *program;
	struct shared_objects *shared;
	struct object *objects;
	struct fence *fences;      /* one per f; image_share_fences */
	struct queue_link *links;  /* one per step, where q is used */
	struct queue_list *queues; /* one per engine */
	uint32_t in_flight;        /* requests submitted from it */
	struct image *next;        /* the client's one before */
};

/* With one reference; of n objects that nobody uses. */
struct shared_objects *shared_objects_new(uint32_t n);
struct shared_objects *shared_objects_ref(struct shared_objects *shared);
void shared_objects_free(struct shared_objects *shared); /* a reference */

/* Takes references to program and shared. */
struct image *image_new(const struct program *program,
    struct shared_objects *shared, unsigned n_engines);
void image_free(struct image *image);
/* to, with as many software fences, has those of from, which keeps them: for
 * what is in flight. */
void image_share_fences(const struct image *from, struct image *to);
/* Signals its software fences. */
void image_close_fences(struct image *image, nsec now);

/* The context_def of the program that rq was submitted from; the context
 * itself may have another one by now. */
const struct context_def *image_context(const struct request *rq);

#endif
