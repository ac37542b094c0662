/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A goal: conditions for the figures of a run, that must all hold. As typed:
 * misses<=N, misses<=P%, rate>=R, latency.p99<=T, queue_wait.p99<=T, hangs<=N,
 * with commas between them; T has ns, us, ms or s, bare is us.
 */
#ifndef DECIDE_GOAL_H
#define DECIDE_GOAL_H

#include <stdbool.h>
#include <stddef.h>

struct trial_figures;
struct plan;
struct text;

#define GOAL_MAX_CONDITIONS 16

enum goal_figure {
	GOAL_MISSES,
	GOAL_RATE, /* per second; the only one with a least value */
	GOAL_LATENCY,
	GOAL_QUEUE_WAIT,
	GOAL_HANGS,
	N_GOAL_FIGURES,
};

/* A condition: a figure and the most, or least, that it may be: a count, a
 * percentage, a rate or ns. */
struct condition {
	enum goal_figure figure;
	double limit;
	bool percent;  /* GOAL_MISSES: of all periods */
	char text[64]; /* as typed */
};

/* All zero: no condition. */
struct goal {
	struct condition list[GOAL_MAX_CONDITIONS];
	size_t n;
};

/* Adds the conditions of s. False: err says what is invalid. */
bool goal_read(struct goal *goal, const char *s, struct text *err);

/* The same; s NULL: misses<=0, if a foreground workload of the plan has a period to
 * miss. */
bool goal_for(struct goal *goal, const char *s, const struct plan *plan,
    struct text *err);

/* Returns the value of a condition's figure, in the unit of its limit. */
double goal_value(const struct condition *c, const struct trial_figures *f);
/* Returns the name of its figure, as typed. */
const char *goal_name(const struct condition *c);

/* How far figures are from a goal: more conditions, then a larger sum. Where work piles
 * up (backlog.h), one more does not hold, whatever the goal. */
struct violation {
	size_t n;   /* conditions that do not hold */
	double sum; /* of how much each is beyond its limit, relative to that */
};

/* Returns the violation of the goal; n is 0 if it holds. */
struct violation goal_violation(
    const struct goal *goal, const struct trial_figures *f);
/* Returns a number below, equal to or above 0, as a is better than, as good as or
 * worse than b. */
int violation_compare(struct violation a, struct violation b);
/* Appends before, then "work piles up on VCS1"; nothing where no work piles up. */
void goal_add_backlog(
    const struct trial_figures *f, const char *before, struct text *out);
/* Appends the figures of all conditions, and where work piles up: "misses 3 of 4500,
 * latency.p99 21 ms, work piles up on VCS1". */
void goal_print_figures(
    const struct goal *goal, const struct trial_figures *f, struct text *out);
/* Appends the condition that is violated most as words that follow "would":
 * "miss 3 of 4500 periods", "run at 29.1/s, not 29.9/s". Nothing if all
 * conditions hold. */
void goal_explain(
    const struct goal *goal, const struct trial_figures *f, struct text *out);

#endif
