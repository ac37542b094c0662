/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Steps and schedulers: those that a scheduler refuses (doc/model/drm.md
 * "Refusals", doc/model/guc.md "Refusals"), and those that change nothing under
 * it (doc/model/common.md "Steps without effect").
 */
#ifndef ENGINE_SCHED_STEPS_H
#define ENGINE_SCHED_STEPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/sched/sched.h"

struct diag_list;
struct document;
struct op;

/* Returns true if the scheduler runs program p under this profile. False: err
 * says which step it refuses, and which schedulers take it. */
bool sched_accepts(const struct sched_ops *sched, const struct program *p,
    const struct profile *profile, struct text *err);
/* As sched_accepts(), with an error at the first step that is refused: diags[i]
 * are the diagnostics of docs[i], from which p was compiled. A refusal that is
 * not about one step is in err. */
bool sched_diagnose(const struct sched_ops *sched, const struct program *p,
    const struct profile *profile, const struct document *const *docs,
    struct diag_list *diags, struct text *err);
/* Appends "; G needs --scheduler=guc" for each kind of step of p that the
 * scheduler refuses. */
void sched_add_needs(
    const struct sched_ops *sched, const struct program *p, struct text *out);

/* Why a step has no effect. */
enum no_effect {
	NO_PRIORITIES, /* P: the scheduler has none */
	SAME_LEVEL,    /* P: from one priority of a level to another */
	NO_PREEMPTION, /* X: the scheduler never preempts */
	NO_PREEMPTION_ON_PROFILE,
	NO_PREEMPTION_OF_SETS, /* X: batches of parallel slots */
	ONE_SLICE,             /* S: the device has no others */
};

struct idle_step {
	uint32_t step; /* of the program */
	enum no_effect why;
	int before, after; /* SAME_LEVEL: priorities */
};

struct idle_steps {
	struct idle_step *list; /* in order of the steps */
	size_t n, cap;
};

/* Adds the steps of p that change nothing, for clients that begin with that
 * priority (-p). Freed with idle_steps_free(). */
void sched_find_idle_steps(struct idle_steps *idle,
    const struct sched_ops *sched, const struct profile *profile,
    const struct program *p, int priority);
void idle_steps_free(struct idle_steps *idle);
/* Appends the reason: "fifo has no priorities". */
void idle_step_add_why(const struct idle_step *idle,
    const struct sched_ops *sched, const struct profile *profile,
    struct text *out);
/* Adds a warning, with the reason, at a line of doc: where the step is. */
void idle_step_warn(const struct idle_step *idle, const struct sched_ops *sched,
    const struct profile *profile, const struct document *doc, size_t line,
    struct diag_list *diags);
/* Adds a warning for each step without effect; diags as in
 * sched_diagnose(). */
void sched_warn_of_idle_steps(const struct sched_ops *sched,
    const struct profile *profile, const struct program *p, int priority,
    const struct document *const *docs, struct diag_list *diags);

/* Returns the level of a priority where only three differ: -1, 0, 1. */
int sched_level(int priority);

#endif
