/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The name of a batch, the same in all texts for users: client and context, and
 * the place of its step in the text, by line and by step
 * (doc/model/language.md "Names").
 *
 *   tight   1:7         context and step, for labels and cells
 *   short   1:7 L24     with the line, for columns and messages
 *   long    client 0 context 1, line 24 (step 7)
 *
 * A request from outside, which has no step, is "request 7" of its client.
 *
 * Tight and short begin with "CLIENT/" where several clients run. Lines are those
 * of the text from which the batch was submitted: an edit since may have moved
 * them.
 */
#ifndef ENGINE_BATCH_NAME_H
#define ENGINE_BATCH_NAME_H

#include <stdbool.h>
#include <stdint.h>

struct client;
struct request;
struct text;
struct trail_request;

/* A step of a descriptor. */
struct step_place {
	uint32_t line;    /* from 1; 0: not known */
	uint32_t step;    /* from 0, without comments */
	uint32_t outside; /* not 0: no step: counts the client's requests, from
			     0. As wide as the others, so that no byte is
			     undefined: snapshots are compared */
};

struct batch_name {
	uint32_t client, context; /* number as in the text */
	struct step_place place;
	uint32_t row; /* of a parallel step; 0: the first, or not parallel */
};

/* Returns the place of the step that rq was submitted from; from outside: the
 * number of its submission, without a line. */
struct step_place request_place(const struct request *rq);
/* Returns the name of a request. */
struct batch_name batch_name_of(const struct request *rq);
/* Returns the name of a request that may have ended. */
struct batch_name batch_name_past(const struct trail_request *r);
/* Returns the place of a step of the client's program. */
struct step_place batch_place(const struct client *c, uint32_t step);
/* Returns the place of the step that the client is at; step 0 without a
 * line if it has no program. */
struct step_place client_place(const struct client *c);

/* Each appends to out. */
void batch_name_tight(
    const struct batch_name *name, bool with_client, struct text *out);
void batch_name_short(
    const struct batch_name *name, bool with_client, struct text *out);
/* detail: the text of the step, or any other; NULL or "": none. With it:
 * "client 0 context 1, line 24 (step 7: 1.RCS.400.0.0)". */
void batch_name_long(
    const struct batch_name *name, const char *detail, struct text *out);
/* "line 24 (step 7)", "step 7" where the line is not known; detail as above. */
void step_place_long(
    const struct step_place *place, const char *detail, struct text *out);
/* ", iteration 7"; nothing for a request from outside. */
void step_place_add_iteration(
    const struct step_place *place, uint64_t iteration, struct text *out);
/* "lines 3 to 6 (steps 1 to 4)" */
void step_places_long(const struct step_place *first,
    const struct step_place *last, struct text *out);

#endif
