/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A variant: a plan that is varied, for one run, for its figures. It changes the plan,
 * and takes the time of the whole run, so it is made in a process of its own
 * (jobs.h).
 */
#ifndef DECIDE_VARIANT_H
#define DECIDE_VARIANT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/nsec.h"
#include "decide/trial_figures.h"

struct options;
struct plan;
struct text;

#define DECISION_DURATION (10 * NSEC_PER_SEC)

/* A variant, as it differs from the plan. All zero: it does not. */
struct variant {
	const struct options
	    *options;           /* of the plan, varied; NULL: as opened */
	const char *knobs;      /* INI text, over the profile; or NULL */
	const unsigned *clones; /* clients by source; NULL: the plan's */
	uint32_t seed_offset;   /* added to the seed */
	nsec warmup;
	nsec end; /* virtual time; NSEC_NEVER: until all clients have ended */
};

/* Returns the end of runs with those options, without --duration: never if
 * iterations are asked for, else DECISION_DURATION after the warm-up. */
nsec variant_end(const struct options *o);

/* The answer of a variant: figures, or why there are none. */
struct answer {
	bool failed;
	struct trial_figures figures;
	char *error; /* failed: one line, without a newline. Owned. */
};

/* Runs a variant of plan, which it changes, and frees the run. */
void variant_run(
    struct plan *plan, const struct variant *variant, struct answer *a);
/* Sets *a to a failure for the first line of why. */
void answer_fail(struct answer *a, const char *why);
/* For jobs.h: appends an answer to out, and reads it back. False: the process
 * ended before it had one. */
void answer_pack(const struct answer *a, struct text *out);
bool answer_unpack(struct answer *a, const char *bytes, size_t len);
void answer_free(struct answer *a);

#endif
