/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A client gives up the iteration that it is in, to begin it anew with another
 * program (control.h, at_once): what it waits for in user space is not waited
 * for, and the rest is not submitted. What is in flight finishes as it was;
 * nobody is left waiting for what would have come of the rest: software fences
 * are signalled, and infinite batches end that a T step was to end.
 */
#ifndef ENGINE_CLIENT_GIVE_UP_H
#define ENGINE_CLIENT_GIVE_UP_H

struct client;

/* At its next turn, which it gets now, or as soon as it has a CPU (cpu.h). */
void give_up(struct client *c);
/* In its turn; the next iteration is yet to be started. */
void give_up_iteration(struct client *c);

#endif
