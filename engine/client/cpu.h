/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The CPUs that the threads of clients run on, and how long a thread that was
 * woken takes until it runs (doc/model/client.md). A client needs a CPU for its
 * turn; without the knobs (cpus, wakeup_ns) each has one, and goes on in the
 * instant in which what it waited for has happened.
 */
#ifndef ENGINE_CLIENT_CPU_H
#define ENGINE_CLIENT_CPU_H

#include <stdbool.h>

#include "base/heap.h"
#include "engine/client/client.h"

struct sim;

struct cpus {
	unsigned n; /* 0: one for each client */
	unsigned busy;
	struct heap queue; /* clients that wait for one, by time and id; those
			      that were killed meanwhile are stale */
};

/* The client, a new one, can go on as soon as it has a CPU. */
void cpu_start(struct client *c);
/* Ends its wait: it can go on when it has a CPU and has woken
 * up. Does nothing if that is so already. */
void cpu_wake(struct client *c);
/* In its turn: spends CPU time, more than 0 ns, in that state, and goes on then;
 * but gives way first if it has had its CPU for a slice. */
void cpu_spend(struct client *c, nsec time, enum client_state state);
/* It is to have a turn soon, whatever it does now. */
void cpu_interrupt(struct client *c);
/* After its turn: gives up its CPU, if it does not go on by itself. */
void cpu_leave(struct client *c);

/* CPUs that are free go to those that wait, the first first. */
void cpu_hand_out(struct sim *sim);
/* Is there a free CPU, and a client that waits for one? */
bool cpu_is_free_for_one(const struct sim *sim);
/* Is a CPU free, with clients that share them? */
bool cpu_is_idle(const struct sim *sim);

#endif
