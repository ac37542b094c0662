/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to record*.c: what belongs to clients, contexts, rings and requests
 * of the simulation. All of it is in base/mem.h, as the driver's is. */
#ifndef DEVICE_HARDWARE_RECORD_PRIVATE_H
#define DEVICE_HARDWARE_RECORD_PRIVATE_H

#include "base/hash.h"
#include "base/mem.h"
#include "base/text.h"
#include "device/hardware/batch.h"
#include "device/hardware/hardware.h"
#include "device/hardware/record.h"
#include "device/hardware/submit.h"
#include "engine/follow/follow.h"
#include "engine/sim.h"

/* An object of a descriptor: an output or part of a working set. */
struct record_object {
	struct chain_node node; /* p: the simulation's objects, n: the index */
	struct record_client *client; /* NULL: of a shared set */
	struct gpu_object object;
};

/* A client with rings that are open, or requests. */
struct record_client {
	struct record_client *next;
	uint32_t space;
	struct page_pool pool;
	unsigned n_users; /* rings that are open, and requests */
};

/* A context of the driver. */
struct record_gpu {
	uint32_t id;
	int priority;
	uint32_t guilty; /* resets that are known */
	bool destroyed;
	unsigned n_users; /* requests, and the context if it has it now */
};

/* A context of the simulation: context->device. */
struct record_context {
	struct record_client *client; /* NULL: it has gone */
	struct context *context;
	struct record_gpu *gpu;   /* NULL: none */
	struct slot_setup *slots; /* that it was created with */
	uint32_t n_slots;
	unsigned n_open; /* rings */
	bool banned;     /* to be reported */
	struct record_context *next;
	struct arena memory; /* of slots */
};

/* A ring of the simulation: ring->sched_data. */
struct record_ring {
	struct record_context *context;
	uint32_t slot;
	uint32_t slices; /* mask that is set; 0: all */
	engine_mask engines;
	/* Requests that were submitted and are not known to have ended, in that
	 * order. */
	struct record_request *first, **last;
	struct record_ring *next;      /* of all */
	struct record_ring *next_busy; /* of those to be looked at */
	bool busy;                     /* is one of them */
};

struct record_row {
	struct request_ref rq;
	struct batch_page *page; /* NULL: not taken yet */
	bool started;
	uint64_t seen; /* ticks that were reported last */
};

struct record_use {
	const struct object *objects;
	struct object_use use;
};

/* A request of the simulation: follow_data(). */
struct record_request {
	struct record_request *prev, *next;  /* of all */
	struct record_request *next_of_ring; /* in its queue */
	struct record_ring *ring;
	struct record_gpu *gpu; /* from its submission on */
	struct record_client *client;
	bool submitted, ended, killed;
	bool unwatched;    /* epoll has no room for its fence */
	int fence;         /* -1: none */
	int error;         /* of ended, -errno */
	nsec submitted_ns; /* CLOCK_MONOTONIC */
	nsec fence_ns;     /* of ended; 0: not known */
	uint32_t n_rows, n_uses, n_waits;
	struct record_row rows[SUBMIT_MAX_ROWS];
	struct record_use *uses;
	struct record_wait {
		struct request_ref rq;
		bool at_start;
	} * waits;
};

struct record {
	struct followed followed; /* first */
	struct hardware *hw;
	struct sim *sim;
	nsec base_ns;  /* CLOCK_MONOTONIC at time 0 */
	nsec clock_ns; /* when the clock was set */
	bool was_idle; /* the GPU, since then */
	int epoll;
	struct record_client *clients;
	struct record_context *contexts;
	struct record_ring *rings;
	/* Rings that may have requests in flight. */
	struct record_ring *busy;
	struct record_request *requests;
	struct chains objects;
	struct text failure; /* the first */
	bool any_banned, any_unwatched;
};

static inline struct record *
record_of(struct followed *device)
{
	return (struct record *)(void *)device;
}

/* record_contexts.c */
void record_open_contexts(struct followed *device, struct client *c);
void record_close_ring(struct followed *device, struct ring *ring);
void record_kill(struct followed *device, struct client *c);
/* Returns the priority that a context gets for that one: 0 if this user may not
 * have it. */
int record_priority(const struct record *r, int priority);
/* Drops a user of gpu; the last one destroys it. */
void record_gpu_put(struct record *r, struct record_gpu *gpu);
void record_contexts_free(struct record *r);

/* record_clients.c */
/* Returns what a client has, by any of its contexts; made if it has none. */
struct record_client *record_client_for(
    struct record *r, const struct client *c);
/* Drops a user of a client; the last one frees it, and all that it has. */
void record_client_put(struct record *r, struct record_client *c);
/* Returns the object that a use names, made if it is new; NULL: it could not
 * be. */
const struct gpu_object *record_object(struct record *r,
    struct record_client *client, const struct record_use *use);
void record_clients_free(struct record *r);

/* record_submit.c */
void record_note(struct followed *device, struct request *rq,
    const struct submission *s, const struct dependency *deps, size_t n);
int record_submit(struct followed *device, struct request *rq, nsec *time_ns);
void record_end(struct followed *device, struct request *rq);
void record_forget(struct followed *device, struct request *rq);
/* Ends the batches of a request. */
void record_end_request(struct record_request *q);
void record_request_free(struct record *r, struct record_request *q);

/* Keeps the first failure, or if the GPU is lost, that; the run ends. */
void record_fail(struct record *r, struct text *err);
/* Fails if the GPU is lost. */
void record_check(struct record *r);
/* Looks which fences have signalled since the last time. */
void record_ask_fences(struct record *r);

#endif
