/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to live.c: values of contexts that steps of the text set: priority
 * (P), slice mask (S) and preemption period (X). A new text has them in force
 * when its client comes to the step. Where it differs from the text before, the
 * clients get the new value at once, as if they had run the new text all along:
 * so a tweak and its undo act at once, whichever edit they are.
 */
#ifndef RUN_LIVE_PARAMS_H
#define RUN_LIVE_PARAMS_H

#include "run/live/session.h"

/* A P, S or X step. */
struct param_step {
	uint32_t context; /* number in the text */
	enum step_kind kind;
	uint32_t step; /* index in the program */
	int64_t value; /* P: priority; S: mask, -1: all slices; X: us */
};

/* The P, S and X steps of a version, sorted by context, kind and step. */
struct param_steps {
	struct param_step *list;
	size_t n, cap;
};

/* Fills p, to be freed with param_steps_free(). */
void param_steps_collect(struct param_steps *g, const struct version *version);
void param_steps_free(struct param_steps *g);

/* Gives clients of a source the values in which its newest version differs from
 * the steps before. */
void params_apply(
    struct session *s, size_t source, const struct param_steps *before);

#endif
