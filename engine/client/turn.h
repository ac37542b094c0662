/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whose turn it is: clients that can go on do so lowest id first. One that
 * becomes able to while the turn is past it waits for the next pass.
 */
#ifndef ENGINE_CLIENT_TURN_H
#define ENGINE_CLIENT_TURN_H

#include <stdbool.h>

struct sim;
struct client;

/* The client can go on; does nothing if it is in line already. */
void turn_add(struct sim *sim, struct client *client);
bool turn_is_pending(const struct sim *sim);
/* The next in line, out of the line; NULL when there is none. */
struct client *turn_take(struct sim *sim);

#endif
