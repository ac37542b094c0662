/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shared by the files that look for the causes of a client's pauses: pauses.c
 * lists them, pace.c explains them by times, pace_told.c by the acts that the
 * records have.
 */
#ifndef TRACE_INFER_PAUSES_H
#define TRACE_INFER_PAUSES_H

#include "trace/infer/infer_private.h"

/* Pauses before the batches of one position. */
struct pauses {
	struct found *f;
	uint32_t position, slot;
	struct sample *samples, *scratch;
	nsec *starts; /* of the iterations that the pauses are part of */
	nsec *values;
	uint32_t n, least; /* samples; those that a cause must explain */
	/* Time that is moved from a delay of the position, in ns: it is behind the
	 * end of an infinite batch (signed), and the slot of that delay. */
	double moved_ns;
	uint32_t moved_from;
	struct voter voter;
};

/* A cause that was not taken yet. */
struct trial {
	struct found_pace pace; /* n_hits 0: none */
	double weight;
	uint32_t n_early; /* samples that it would have made later */
};

/* Lists the pauses in a slot before the batches of a position: slots are before,
 * between and after the acts before it. */
void infer_list_pauses(struct pauses *p, uint32_t position, uint32_t slot);
/* When the iteration began whose first batch is that request: with a fence that was
 * made for it, if there is one. */
nsec infer_iteration_start(const struct found *f, uint32_t index);
/* Returns how long after the start of their iterations the pauses of that slot ended,
 * of all iterations, but those that were late: there the client did not pause. */
nsec infer_mean_period(const struct pauses *p);
/* Returns how long the client did not wait between a request, not its first one, and
 * the request before. */
nsec infer_paused_before(const struct pauses *p, uint32_t at);
/* Time that a sample took beyond its base, which is the submission before it,
 * the end of a request, or the start of the iteration. */
nsec infer_pause_base(
    const struct pauses *p, uint32_t i, const struct found_pace *pace);
/* By how much pauses of that length differ from each other. */
nsec infer_pause_width(const struct pauses *p, nsec value);
/* Returns the time that the model itself spends in a slot, in ns. */
nsec infer_slot_cost(
    const struct found *f, const struct found_batch *b, uint32_t slot);
/* Sets ns, n_hits and n_early of a cause whose time is the same in many open samples.
 * It must not be later than nearly any sample. */
void infer_try_constant(struct pauses *p, struct trial *trial);
/* Sets ns and n_hits of a period of which no sample is earlier. */
void infer_try_least(struct pauses *p, struct trial *trial);
/* Sets distance and n_hits of the wait that explains most open samples. */
void infer_try_wait(struct pauses *p, struct trial *trial);
bool infer_has_pace(
    const struct found_batch *b, enum pace_kind kind, bool delayed);
/* Adds a cause to the batch, and closes the samples that it explains. */
void infer_take_cause(struct pauses *p, struct found_batch *b,
    struct found_pace pace, uint32_t blocked);
/* Returns how long a delay of the model takes at least, in ns. */
nsec infer_shortest_delay(const struct found *f);
/* Adds the time that a client takes after a wait to what is carried, and makes it
 * the delay after that wait if it is long enough. */
void infer_delay_after_wait(struct pauses *p, struct found_pace *pace);
/* Returns the length that a descriptor gives to a sleep of ns. */
nsec infer_without_slack(const struct infer_sequence *s, nsec ns);
/* pace_told.c: finds the causes of the listed pauses of a client of which acts
 * are known. */
void infer_find_told_causes(struct pauses *p, struct found_batch *b);
/* ends.c: finds where infinite batches are ended, whatever sleeps there are. */
void infer_place_ends(struct found *f);
/* Returns how much longer the listed pauses, and those before in the same position, are
 * than to the end of the infinite batch that is ended behind them, in ns, both in the
 * mean: pauses of the iterations with the usual acts, ends of all. 0: none is. */
double infer_beyond_end(const struct pauses *p);
/* Changes the last delay before a position by what the mean of the pauses there differs
 * from that of the listed ones, which are of some iterations and have the usual acts: so
 * iterations take as long, all together. Only where times are measured. */
void infer_keep_mean_pause(struct pauses *p, struct found_batch *b);

#endif
