/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to the engine: clients that submit from outside (backend.h), and how
 * their owners get events. The functions for requests are to be called for
 * requests from outside only.
 */
#ifndef ENGINE_CLIENT_OUTSIDE_H
#define ENGINE_CLIENT_OUTSIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/region.h"
#include "engine/backend.h"
#include "engine/client/client.h"
#include "engine/client/past.h"

/* A client whose walker is NULL is part of one of these. */
struct outside {
	struct client client;
	struct owner *owner;
	char *name;
	bool woken;              /* its owner wants a turn */
	bool leaving;            /* ends with its last request */
	uint32_t n_submissions;  /* also the step of its next request */
	struct context *closing; /* closed, with requests in flight */
	size_t cap_contexts, cap_rings;
	/* The past (past.h). */
	bool left;                        /* its owner has forgotten it */
	bool ordered;                     /* contexts were made with slots */
	uint32_t n_made;                  /* contexts */
	uint32_t n_held;                  /* that the owner has not released */
	struct context *oldest, **newest; /* past contexts */
	uint32_t n_past;                  /* their number */
	uint32_t n_summed;                /* others, which are in sums */
	struct context *sums;             /* NULL: none are */
	struct outside *next_ended;
};

/* A request from outside, beside struct request. */
struct outside_request {
	void *tag;
	char *label; /* NULL: none */
};

/* The part of a simulation for clients from outside. */
struct outsiders {
	bool open;          /* clients may come */
	uint32_t n_live;    /* clients that have not ended */
	bool touched;       /* since the last instant was over */
	uint64_t n_changes; /* of the contexts that clients have */
	struct pool requests, fences;
	struct object *objects;
	size_t n_objects, cap_objects;
	uint32_t *free_objects; /* indices that may be used again */
	size_t n_free, cap_free;
	struct past past;
};

/* Prepares sim->outsiders. */
void outsiders_init(struct sim *sim);
/* Returns true if the run may wait for something from outside. */
bool outsiders_may_act(const struct sim *sim);
/* Lets the next instant be now, as something was changed. */
void outsiders_touch(struct sim *sim);

/* Returns what the client, which has no walker, is part of. */
struct outside *outside_of(const struct client *c);
/* Runs a runnable client from outside. */
void outside_go(struct outside *o);

/* They are cold where programs run: an attribute for their branches. */
#define OUTSIDE_COLD __attribute__((cold))

/* Notify the owner of the request's client. */
OUTSIDE_COLD void outside_ready(struct request *rq);
OUTSIDE_COLD void outside_started(struct request *rq);
OUTSIDE_COLD void outside_replayed(struct request *rq);
/* Also frees what belongs to the request, as outside_release(). */
OUTSIDE_COLD void outside_ended(struct sim *sim, struct request *rq);
/* Frees what belongs to rq, of which its owner gets no event. */
OUTSIDE_COLD void outside_release(struct sim *sim, struct request *rq);
/* The timeline of rq, which ended, has room again. */
OUTSIDE_COLD void outside_has_room(const struct request *rq);
/* Returns how much more work (ns) the batch of rq has, which asks for it. */
OUTSIDE_COLD nsec outside_duration(struct request *rq);
/* A request of the context has ended, its last in flight. */
OUTSIDE_COLD void outside_context_is_idle(struct context *context);

#endif
