/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The changes of a run, and what each of them did: every edit and every live
 * change keeps the figures from just before it, without being asked. The figures
 * before a change are those of the last one or two seconds on the screen, at
 * most since the change before; its effect is the difference to the figures
 * before the next change, or to those of now. Changes at the same virtual time
 * count as one.
 *
 *   changes.c       keeps them
 *   changes_text.c  has the words
 */
#ifndef RUN_LIVE_CHANGES_H
#define RUN_LIVE_CHANGES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/nsec.h"
#include "base/text.h"

struct sim;

#define CHANGES_MAX      200 /* the oldest ones are forgotten */
#define CHANGES_CONTEXTS 32  /* contexts of descriptors with figures */

/* The totals of a descriptor's context, over all clients that run it. */
struct context_sum {
	uint32_t workload, context; /* id; number in the text */
	uint64_t batches;
	unsigned __int128 latency; /* of these batches, ns */
};

/* Totals since the launch. Zeroed: the launch. */
struct run_sums {
	nsec at;
	uint64_t iterations, missed;
	struct context_sum contexts[CHANGES_CONTEXTS];
	unsigned n_contexts;
};

/* Figures of a time. */
struct run_figures {
	nsec span;                 /* 0: none */
	double iterations, missed; /* per second */
	struct context_mean {
		uint32_t workload, context;
		nsec latency;         /* mean */
	} contexts[CHANGES_CONTEXTS]; /* those with batches in that time */
	unsigned n_contexts;
};

struct run_change {
	struct text what;
	nsec at;
	unsigned launch; /* of the run that it was done to, from 0 */
	struct run_figures before;
};

struct changes {
	struct run_change *list; /* oldest first */
	size_t n, cap;
	uint64_t n_forgotten;
	unsigned launch;
	struct run_sums recent[2]; /* figures of now count from the first */
	unsigned n_recent;         /* 0: from the launch */
	/* Gets the words of each change that is noted; NULL: none. */
	void (*noted)(struct changes *c, const char *what);
};

void changes_free(struct changes *c);
/* Notes a change at the sim's current time. */
void changes_add(struct changes *c, const struct sim *sim, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* The run was replaced by a new one because of what. before: the last figures of
 * the old one. */
void changes_restarted(
    struct changes *c, const struct run_figures *before, const char *what);
/* Moves the window of the figures of now; to be called once per frame. span:
 * virtual time of one second on the screen. */
void changes_tick(struct changes *c, const struct sim *sim, nsec span);
/* Returns the figures of the last one or two spans. */
struct run_figures changes_now(const struct changes *c, const struct sim *sim);

/* Returns the totals of now, and the figures between two such totals. */
struct run_sums changes_sums(const struct sim *sim);
struct run_figures changes_between(
    const struct run_sums *from, const struct run_sums *to);
/* Makes c what from was when it had noted n changes, with the callback of c;
 * figures of now count from the launch. c has none of its own. */
void changes_copy(struct changes *c, const struct changes *from, uint64_t n);

/* Returns the figures after the i-th change: those before the next one, or those
 * of now. */
struct run_figures changes_after(
    const struct changes *c, size_t i, const struct sim *sim);
/* Appends the effect: "misses 54/s -> 0, latency of context 1 +29 %"; "no change"
 * or why there are no figures. */
void changes_effect(const struct run_figures *before,
    const struct run_figures *after, const struct sim *sim, struct text *out);

#endif
