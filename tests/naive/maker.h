/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The making of one random descriptor: what it holds so far. */
#ifndef TESTS_NAIVE_MAKER_H
#define TESTS_NAIVE_MAKER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "parser/step.h"

#define MAKER_ENGINES      7 /* RCS BCS VCS1 VCS2 VECS1 VECS2 CCS */
#define MAKER_MAX_STEPS    96
#define MAKER_MAX_CONTEXTS 4
#define MAKER_MAX_SETS     3
#define MAKER_LEVELS       3

struct made_step {
	enum step_kind kind;
	bool infinite;
};

struct made_context {
	uint32_t number;
	unsigned map; /* engines, a bit each; 0: no M */
	bool balanced, bonded;
	bool parallel; /* map is two engines, a row of G each */
	bool at_end;   /* its M, B and b stand behind the other steps */
};

struct made_set {
	unsigned id, n_objects;
	bool shared, at_end;
	char sizes[32];
};

/* A T or an a that is to come. */
struct made_closing {
	enum step_kind kind;
	unsigned target, at;
};

/* The style that all descriptors of one case share. */
struct made_style {
	unsigned palette; /* engines that are fought for */
	unsigned unit;    /* durations are about that many us */
	bool calm;        /* never waits for itself */
	bool sync_deps, small_ring;
	bool instant; /* durations of 0 ns, and all of one unit */
	bool in_step; /* durations of half slices, so that many end at once */
	bool background;
	bool ranked; /* P and X mean something */
	bool shared; /* many balanced contexts */
	bool unbonded;
	bool one_class; /* of the engines of a balanced map */
	bool parallel;  /* contexts with G among the others */
	bool follows;   /* many s-n */
	int levels[MAKER_LEVELS];
};

struct maker {
	struct text *text;
	uint64_t *random;
	const struct made_style *style;
	struct made_step steps[MAKER_MAX_STEPS];
	unsigned n_steps, n_body;
	struct made_context contexts[MAKER_MAX_CONTEXTS];
	unsigned n_contexts;
	struct made_set sets[MAKER_MAX_SETS];
	unsigned n_sets;
	struct made_closing closings[MAKER_MAX_STEPS];
	unsigned n_closings;
	bool uses_fences, uses_infinite, uses_limits; /* f; *; t and q */
	bool idle;                                    /* no batches */
};

/* 0 .. n - 1. */
unsigned maker_below(uint64_t *random, unsigned n);
bool maker_chance(uint64_t *random, unsigned percent);

/* Notes a step and ends its line; the text is there already. */
void maker_step(struct maker *m, enum step_kind kind);
unsigned maker_n_batches(const struct maker *m);

/* make_setup.c: names of engines in maps and batches. */
void maker_contexts(struct maker *m);
void maker_setup(struct maker *m, bool at_end);
/* A name that a batch of this context may have. */
void maker_engine_name(struct maker *m, const struct made_context *context);

/* A whole descriptor of about n_body steps. */
void maker_make(struct maker *m, unsigned n_body);

#endif
