/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The seam between clients and the device below them: the operations of a
 * device, for walkers (client/walker.h) and for owners outside the simulation,
 * such as a process that has no descriptor, and the events that an owner gets.
 * The model (gpu/submit.c) answers in virtual time; follow/ hands all of it to a
 * real device, whose news signal the same fences.
 *
 * The rules of the model hold for both kinds of clients; those that only concern
 * owners are in doc/model/outside.md, whose headings the comments quote.
 */
#ifndef ENGINE_BACKEND_H
#define ENGINE_BACKEND_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/gpu/slot.h"
#include "engine/gpu/submission.h"

struct client;
struct context;
struct memory_poll;
struct request;
struct ring;
struct sim;
struct text;

struct backend_ops {
	/* Returns true if the ring has room for one more request. */
	bool (*has_room)(struct sim *sim, const struct ring *ring);
	/* Makes a request and submits it; of a parallel slot, one for each row,
	 * of which it returns the first. It may have ended at the return. Never
	 * blocks; the ring must have room. Keeps no pointers to what s points
	 * to, but to fences. If the context is banned the request ends at once,
	 * as a failed execbuf, and only observers see it; the result is then
	 * all 0. */
	struct request_ref (*submit)(
	    struct sim *sim, const struct submission *s);
	/* Ends rq, a request without an end: after more ns of work if its batch
	 * runs, else after so much when it has an engine. Does nothing if it
	 * has an end. */
	void (*end)(struct sim *sim, struct request *rq, nsec more);
	/* Lets the device act on what changed in this instant, such as a
	 * signalled software fence. */
	void (*instant_run)(struct sim *sim);
	/* The contexts and rings of a walker are new, or defined anew. May be
	 * NULL. */
	void (*contexts)(struct client *c);
	/* The client was killed, and its software fences are closed. May be
	 * NULL. */
	void (*killed)(struct client *c);
};

extern const struct backend_ops model_backend;

/*
 * Owners. An owner submits for one or more clients from outside the simulation.
 * It calls the functions below between two instants (when sim_run() has
 * returned; sim_move_to() sets the time), or from its go function. The other
 * functions of an owner must not call them: they only take notes.
 */

/* How a request ended. */
enum ending {
	ENDED_OK,
	ENDED_GUILTY,    /* by a reset, for which its context is guilty */
	ENDED_CANCELLED, /* with another error: killed, banned, inherited */
};

struct owner;

/* Functions that are NULL are not called. rq is valid until they return, and
 * longer if it has not ended: request_ref() tells. */
struct owner_ops {
	/* rq waits for nothing but an engine from now on. */
	void (*ready)(struct owner *owner, struct request *rq);
	/* The batch of rq begins for the first time, on rq->engine. */
	void (*started)(struct owner *owner, struct request *rq);
	/* Returns how much more work (ns) the batch of rq has, which begins or
	 * has done what it had; 0: it ends; NSEC_NEVER: until backend_end(),
	 * after which it is asked again. May set its preemption points
	 * (backend_set_points()). Only for requests that ask
	 * (outside_submission.asks). */
	nsec (*duration)(struct owner *owner, struct request *rq);
	/* A reset took rq, which is innocent, off its engine: it runs again,
	 * from its beginning. */
	void (*replayed)(struct owner *owner, struct request *rq);
	/* rq ended now; rq->error says how, 0 or -errno. */
	void (*ended)(struct owner *owner, struct request *rq, enum ending how);
	/* Half of a timeline is free, which was full at backend_submit(). */
	void (*room)(struct owner *owner, struct ring *timeline);
	/* The client, which was woken, runs: all clients do so in passes,
	 * lowest id first. */
	void (*go)(struct owner *owner, struct client *c);
};

/* To be embedded in what the caller knows; the caller owns it. */
struct owner {
	const struct owner_ops *ops;
};

/* With open the run does not end, nor counts as a deadlock, as clients may come
 * from outside; without, that holds while it has one. sim_run() then returns
 * SIM_RUNNING when nothing is left to do. */
void backend_set_open(struct sim *sim, bool open);

/* Lets all batches, from inside too, do their work that much faster (0.001 to
 * 1000; 1: as they say) from the next instant on. Time itself does not change
 * (doc/model/virtual.md "Speed"). */
void backend_set_speed(struct sim *sim, double speed);

/* Clients. */

/* Adds a client without contexts. Copies its name; pid is 0 for none. The
 * simulation owns the client, which is valid until it has left; the owner must
 * live until its last request has ended. */
struct client *backend_client_new(
    struct sim *sim, const char *name, int64_t pid, struct owner *owner);
/* Sets the command line of a client, which is copied. */
void backend_client_set_command(struct client *c, const char *command);
/* The process of the client is gone: destroys its contexts. It has ended with
 * its last request, and may become part of sums later on (client/past.h). */
void backend_client_leave(struct client *c);
/* Lets the client run: calls its go function in this instant, if that has not
 * come to its id, else in a next pass. */
void backend_wake(struct client *c);
/* The same at that time, in place of a time that was set before; NSEC_NEVER:
 * not at all. */
void backend_wake_at(struct client *c, nsec time);

/* Contexts. */

/* A slot of an engine map, which makes a timeline: one engine; several, a
 * virtual engine, with its bonds; or a parallel slot of n_rows * n_siblings
 * engine indices, row by row. */
struct slot_setup {
	engine_mask engines; /* parallel: not read */
	const struct bond *bonds;
	uint32_t n_bonds;
	uint32_t n_rows, n_siblings; /* 0: not parallel */
	const uint8_t *rows;
};

struct context_setup {
	uint32_t number;  /* for users: its id */
	int16_t priority; /* -1023 .. 1023 */
	uint32_t sseu;    /* slice mask; 0: all slices */
	bool persistent;  /* its requests outlive it */
	bool bannable, recoverable;
	bool has_engines;               /* that of a file since it was opened */
	const struct slot_setup *slots; /* its engine map */
	uint32_t n_slots;
};

/* Adds a context; copies setup. NULL: the scheduler or the device can't have
 * it, or the client is banned, and err says why. The client owns the context,
 * whose address is valid until backend_context_release(). */
struct context *backend_context_new(
    struct client *c, const struct context_setup *setup, struct text *err);
/* Returns the timeline of a slot, valid as long as the context. */
struct ring *backend_timeline(const struct context *context, uint32_t slot);
/* Adds a slot to the context later on, which is not closed, and returns its
 * timeline. NULL: the scheduler or the device can't have it, and err says
 * why. */
struct ring *backend_timeline_new(
    struct context *context, const struct slot_setup *slot, struct text *err);
/* For requests submitted from now on. */
void backend_context_set_priority(struct context *context, int priority);
/* From the next start of a request on, of all slots; 0: all slices. False: the
 * device can't have that mask, and err says why. */
bool backend_context_set_sseu(
    struct context *context, uint32_t sseu, struct text *err);
/* The same for one slot of the context's map. Slots that are made later then
 * begin with all slices. */
bool backend_timeline_set_sseu(
    struct ring *timeline, uint32_t sseu, struct text *err);
/* Set what setup has of the same name. */
void backend_context_set_persistent(struct context *context, bool persistent);
void backend_context_set_bannable(struct context *context, bool bannable);
void backend_context_set_recoverable(struct context *context, bool recoverable);
/* Closes the context ("Closed contexts"): it gets no more requests; those in
 * flight complete if it is persistent, else they are revoked with -EIO. */
void backend_context_destroy(struct context *context);
/* The owner does not refer to the context, which it has destroyed, nor to its
 * timelines any more: they may become part of sums when its requests have ended
 * ("Past contexts and clients"). */
void backend_context_release(struct context *context);
/* The heartbeat of an engine was switched off: revokes what it alone would end
 * ("Closed contexts"). */
void backend_heartbeat_off(struct sim *sim);
/* Bans the context: its execbufs fail, and its requests are revoked with
 * -EIO. */
void backend_context_ban(struct context *context);

/* Fences and objects of owners. */

/* Returns a software fence, for backend_fence_free(). */
struct fence *backend_fence_new(struct sim *sim);
/* Signals the fence, which has not signalled. Requests that wait for it inherit
 * a fatal error, -errno; 0: none. */
void backend_fence_signal(struct sim *sim, struct fence *fence, int error);
/* Frees a fence that has signalled. */
void backend_fence_free(struct sim *sim, struct fence *fence);
/* Returns an object, for the data dependencies of all owners' requests
 * (object_use.object), until backend_object_free(). */
uint32_t backend_object_new(struct sim *sim);
/* Frees an object; its requests in flight go on. */
void backend_object_free(struct sim *sim, uint32_t object);

/* Requests. */

/* A batch, or as many as the slot has rows, from outside. */
struct outside_submission {
	struct ring *timeline;
	engine_mask allowed; /* of the engines of a virtual engine; 0: all */
	nsec preempt_ns;     /* distance of its preemption points; 0: none */
	/* One for each row; NSEC_NEVER: until backend_end(). */
	const nsec *durations_ns;
	bool asks; /* owner_ops.duration says them, for all rows */
	const struct submission_wait *waits;
	uint32_t n_waits;
	const struct object_use *uses; /* shared: false */
	uint32_t n_uses;
	const char *label; /* for users ("20 draws"), copied; NULL: none */
	void *tag;         /* for the owner: request_tag() */
};

enum submitted {
	SUBMITTED,
	SUBMIT_NO_ROOM, /* the owner gets room when half of it is free */
	SUBMIT_BANNED,  /* -EIO: the context is banned */
	SUBMIT_CLOSED,  /* -ENOENT: the context is closed */
};

/* Submits, and sets *rq, which may be NULL, to the request of the first row: it
 * may have ended already. *rq is all 0 unless the result is SUBMITTED. */
enum submitted backend_submit(struct sim *sim,
    const struct outside_submission *from, struct request_ref *rq);
/* Ends a request without an end after more ns of work from now on; if its batch
 * does not run, after so much when it has an engine. A request that asks is
 * asked then. Does nothing if it has ended or has an end, or if it asks and has
 * not begun. */
void backend_end(struct sim *sim, struct request_ref ref, nsec more);
/* Revokes a request with an error, -errno: at its next preemption point, at
 * most 1 ms after which its engine is reset. Does nothing if it has ended. */
void backend_cancel(struct sim *sim, struct request_ref ref, int error);

/* Only in owner_ops.duration: the distance of the batch's preemption points is
 * preempt_ns from now on, counted from its beginning; 0: it has none. Does
 * nothing for parallel slots. */
void backend_set_points(struct request *rq, nsec preempt_ns);
/* Likewise: the batch of rq, a row, waits for memory from now on, as at a
 * semaphore, or, with NULL, does not any more: its engine polls, and execlists
 * lets others have it ("Polling batches"). Copies poll, which is for users. A
 * batch that leaves its engine does not poll. */
void backend_set_polling(struct request *rq, const struct memory_poll *poll);
/* Returns how much work (ns) the batch of rq has done since its beginning. */
nsec backend_work(const struct sim *sim, const struct request *rq);

/* Lets the batch of a request, which asks just now, hang: the command streamer
 * reports an invalid command, and the driver resets it 10 ms later. */
void backend_cs_error(struct request *rq);
/* Sets the label of a request that has not ended; copies it. */
void backend_set_label(struct request *rq, const char *label);

/* Returns the tag of a request from outside. */
void *request_tag(const struct request *rq);

#endif
