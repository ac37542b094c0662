/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which engine limits a run, and which clients waited for it
 * (doc/model/causes.md "What limits"). The engine comes from totals, exactly;
 * the waits of clients come from a trail, of LIMITS_CLIENTS clients at most and
 * of the last LIMITS_WAITS of their waits, so that the cost is bounded: some
 * 1.5 ms with 2,000 clients, of which one walk over all clients. Shares are 0 to
 * 1.
 *
 *   limits.c       finds them
 *   limits_text.c  has the words
 */
#ifndef ENGINE_EXPLAIN_LIMITS_H
#define ENGINE_EXPLAIN_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/client/client.h"
#include "engine/gpu/engine.h"

struct sim;
struct text;
struct trail;

#define LIMITS_CLIENTS 64   /* whose waits are looked at */
#define LIMITS_WAITS   1024 /* of all of them together */
#define LIMITS_WAITERS 4    /* named */

/* The totals of the engines at a moment. Zeroed: the launch. */
struct limits_mark {
	nsec at;
	struct limits_totals {
		nsec ran, switched;
		nsec slices; /* the part of switching that set up slices */
		nsec queued; /* ready requests waited for it */
		unsigned __int128 area; /* their number, times ns */
	} engines[DEVICE_MAX_ENGINES];
};

/* A client, or, where there is one client only, one of its contexts, and how much
 * of the client's time it waited for its turn on the engine. */
struct limits_waiter {
	uint32_t client, context; /* context 0: all of the client's */
	double share;
};

struct limits {
	nsec from, to;   /* the window; to == from: nothing is known */
	bool found;      /* an engine limits */
	unsigned engine; /* that, or else the busiest */
	double held;     /* share of the window that it ran or switched: */
	double ran, switched;
	double slices; /* part of switched: it set up slices */
	double queued; /* share in which requests waited for it */
	double queue;  /* their mean number */

	unsigned n_clients; /* that were looked at; 0: no trail, or none */
	double waits;       /* their mean time in the queue of that engine */
	struct limits_waiter waiters[LIMITS_WAITERS]; /* most first */
	unsigned n_waiters;
	unsigned n_more; /* others that waited for it */
	/* Mean shares of their time: */
	double turns[DEVICE_MAX_ENGINES]; /* queued for an engine */
	double served;           /* the batch waited for was on an engine */
	double blocks[N_BLOCKS]; /* at a step that waits for no batch */
};

/* Sets mark to the totals now. */
void limits_mark(struct limits_mark *mark, const struct sim *sim);
/* Fills l for the time since then. trail: NULL, or that of sim, for the waits of
 * clients. */
void limits_find(struct limits *l, const struct limits_mark *then,
    const struct sim *sim, const struct trail *trail);

/* Add the words in one line, nothing if nothing is known: "VECS1 limits: 13
 * queued, clients wait 71 % of 2.00s for it". Short is at most 80 columns; long says how
 * the engine is used, and names the clients that wait. */
void limits_short(
    const struct limits *l, const struct sim *sim, struct text *out);
void limits_long(
    const struct limits *l, const struct sim *sim, struct text *out);

/*
 * The limits of a run that is watched, over its last LIMITS_WINDOWS windows of
 * load: 2 s at 4 frames a second. limits changes when a window is full, once per
 * frame at most.
 */
#define LIMITS_WINDOWS 8

struct limits_watch {
	struct limits limits; /* to == from: nothing is known yet */
	uint64_t windows;     /* that were full at the last call */
	uint64_t n;           /* marks that were set */
	struct limits_mark marks[LIMITS_WINDOWS]; /* ends of windows, a ring */
};

/* Forgets all: a new run begins. */
void limits_watch_clear(struct limits_watch *w);
/* Finds the limits anew if more windows are full than at the last call. trail:
 * that of sim. */
void limits_watch_sample(struct limits_watch *w, uint64_t windows,
    const struct sim *sim, const struct trail *trail);

#endif
