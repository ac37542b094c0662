/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The port of an engine: a scheduler puts a request on it, and it runs there
 * until it ends. Costs of switching are the profile's.
 */
#ifndef ENGINE_ENGINE_PORT_H
#define ENGINE_ENGINE_PORT_H

struct sim;
struct hw_engine;
struct request;

void port_init(struct hw_engine *e);

/* Puts rq on e, which is free. Its start is signalled when its batch begins,
 * at once where switching costs nothing. */
void port_take(struct sim *sim, struct hw_engine *e, struct request *rq);

/* T: an infinite batch ends now if it runs, else when it gets an engine,
 * after 0 ns. */
void port_terminate(struct sim *sim, struct request *rq);

/* Completes a request that never got an engine, with an error. */
void port_cancel(struct sim *sim, struct request *rq, int error);

#endif
