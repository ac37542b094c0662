/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A running client takes another program over at the start of its next
 * iteration (the manual, LIVE CONTROL); requests in flight finish as they were.
 *
 * What is the same in both programs stays: contexts by their number, with
 * priority, slice mask and figures; rings by context and engine, or the engines
 * that a virtual one chooses from, so that the new requests follow the old
 * ones; W sets, where both have as many objects; the outputs of those batches,
 * counted from the first on and then from the last back, that have the same
 * context and engine, and w sets where they have as many objects: so a batch
 * that keeps its place waits for what is still in flight as it did before. All
 * else is new: as at the start of a client, t and q are off and software fences
 * count as signalled. A context or ring that the new program does not have is
 * kept for its figures and for a program that has it again.
 */
#ifndef ENGINE_CLIENT_SWAP_H
#define ENGINE_CLIENT_SWAP_H

struct client;
struct program;
struct shared_objects;

/* The client will go on with program; instead of one that it was to go on
 * with, and has not begun. */
void swap_wish(struct client *c, const struct program *program,
    struct shared_objects *shared);
/* It is at the start of an iteration: takes over what was wished for. */
void swap_take_over(struct client *c);
/* Wherever it is, between two instants: takes over what was wished for, which
 * has the shape of its program (shape.h), and goes on at the same step. That
 * has t and q, fences and outputs as they were; it is not a new program but for
 * its figures. */
void swap_in_place(struct client *c);

#endif
