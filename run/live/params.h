/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values of contexts that steps govern: priority (P), slice mask (S) and
 * preemption period (X). A text that is taken over has them in force at the
 * next iteration; where it says something else of a context than the text
 * before, the clients get that at once, each as if it had run the new text all
 * along. So a tweak and its undo act at once, by whatever edit they came.
 */
#ifndef RUN_LIVE_PARAMS_H
#define RUN_LIVE_PARAMS_H

#include "run/live/session.h"

struct param_step {
	uint32_t context; /* as in the text */
	enum step_kind kind;
	uint32_t step;
	int64_t value; /* P, S: -1 for all slices; X: us */
};

/* Those of a version, by context, kind and step. */
struct param_steps {
	struct param_step *list;
	size_t n, cap;
};

void param_steps_collect(struct param_steps *g, const struct version *version);
void param_steps_free(struct param_steps *g);

/* The source's newest version has been taken over from one that said was. */
void params_apply(
    struct session *s, size_t source, const struct param_steps *was);

#endif
