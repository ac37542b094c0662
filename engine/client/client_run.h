/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Making clients, and letting them walk their programs. */
#ifndef ENGINE_CLIENT_CLIENT_RUN_H
#define ENGINE_CLIENT_CLIENT_RUN_H

#include "engine/client/client.h"

struct sim;
struct client_options;

struct client *client_new(struct sim *sim, uint32_t id,
    struct workload *workload, const struct client_options *options);
void client_free(struct client *c);

/* A context and a ring as they are at the start; the client, and so the
 * context, has been given all else. def is kept by reference. */
struct context *context_new(struct client *c, const struct context_def *def);
struct ring *ring_new(struct context *context, const struct ring_def *def);

/* They have another def from now on; owns: which they free, as the program has
 * it no more. */
void context_set_def(
    struct context *context, const struct context_def *def, bool owns);
void ring_set_def(struct ring *ring, const struct ring_def *def, bool owns);

/* Goes on from where it stands until it blocks or ends. */
void client_go(struct client *c);

#endif
