/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to the engine: contexts and clients from outside that are over. A
 * device serves programs for as long as it likes, so the latest are kept for
 * reports, and of the others only sums (doc/model/outside.md "Past contexts and
 * clients").
 */
#ifndef ENGINE_CLIENT_PAST_H
#define ENGINE_CLIENT_PAST_H

#include <stdbool.h>
#include <stdint.h>

struct context;
struct outside;
struct sim;

/* Past contexts of a client, and past clients, that are kept. */
#define PAST_CONTEXTS 64
#define PAST_CLIENTS  1000

struct past {
	struct outside *oldest, **newest; /* clients that have ended */
	uint32_t n_ended;
	uint32_t n_summed;     /* clients in the sums */
	struct context *sums;  /* of their contexts */
	struct outside *blank; /* has their ids now */
};

void past_init(struct sim *sim);
/* Notes the context, if it is past: settled and released. */
void past_add_context(struct context *context);
/* If the client has enough past contexts, adds the oldest to its sums, frees it,
 * and sets index to its place, which is free then. False: nothing changed. */
bool past_sum_context(struct outside *o, uint32_t *index);
/* Notes a client that has ended. */
void past_add_client(struct outside *o);
/* Adds clients to the sums, and frees them, until PAST_CLIENTS are left, with
 * PAST_CONTEXTS each. Clients and contexts to which their owners refer are kept. */
void past_sum_clients(struct sim *sim);

#endif
