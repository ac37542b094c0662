/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which iterations of a client are over: walked, and all requests ended. */
#ifndef ENGINE_CLIENT_ITERATIONS_H
#define ENGINE_CLIENT_ITERATIONS_H

struct client;
struct request;

/* rq was put last into its ring. */
void iterations_submitted(struct request *rq);
/* rq, the first of its ring, has ended. */
void iterations_ended(struct request *rq);
/* The client has walked through its program once more. */
void iterations_walked(struct client *c);

#endif
