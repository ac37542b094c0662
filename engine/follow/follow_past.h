/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A device that does what another one did before: it answers submissions with
 * recorded words, and its news are recorded words (doc/model/hardware.md
 * "Recordings").
 */
#ifndef ENGINE_FOLLOW_FOLLOW_PAST_H
#define ENGINE_FOLLOW_FOLLOW_PAST_H

#include <stdbool.h>

#include "engine/follow/follow.h"

struct sim;
struct text;

struct follow_past;

struct follow_past *follow_past_new(void);
/* After the simulation that follows it. NULL: does nothing. */
void follow_past_free(struct follow_past *past);

/* Returns true if a word is an answer, not news for follow_past_tell(). */
bool follow_word_is_answer(const struct follow_word *word);
/* Adds the next answer, before it is needed. */
void follow_past_add_answer(
    struct follow_past *past, const struct follow_word *answer);

/* Lets sim, which is new, follow it, from the first answer on. */
void follow_past_begin(struct follow_past *past, struct sim *sim);
/* Returns how many answers it has given; 0 for NULL. */
size_t follow_past_given(const struct follow_past *past);
/* The simulation was put back to when it had given that many. NULL: does
 * nothing. */
void follow_past_go_back(struct follow_past *past, size_t given);
/* Reports a recorded word other than an answer to sim, between two instants. Returns
 * false if it contradicts this simulation, and appends the reason to err. */
bool follow_past_tell(struct follow_past *past, struct sim *sim,
    const struct follow_word *word, struct text *err);
/* Returns true if sim has submitted another request than the next answer is
 * of. It has been stopped then. */
bool follow_past_is_of_another(const struct follow_past *past);

#endif
