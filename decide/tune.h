/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tuning: as few edits of documents as possible with which a goal holds on every
 * seed (the manual, TUNING). Sets of one edit are tried first, then sets of two
 * that begin with the best of those, and so on. A set that reaches the goal is
 * compared with the documents as they were on other seeds, and is dropped if it is
 * worse on any of them. Which sets are tried does not depend on the number of
 * processes.
 *
 *   tune_options.c  reads the kinds of edits, and what stays as it is
 *   tune_targets.c  what can be edited
 *   tune_values.c   the values that are tried for it
 *   tune_apply.c    edits of the documents
 *   tune_results.c  what is known of sets
 *   tune_order.c    orders of sets
 *   tune_sets.c     sets, and the sets of one edit more
 *   tune.c          which sets are run, and the answer
 *   tune_run.c      runs them
 *   tune_text.c     the answer as lines
 *   tune_json.c     the search as JSON
 */
#ifndef DECIDE_TUNE_H
#define DECIDE_TUNE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/nsec.h"
#include "decide/goal.h"
#include "decide/trial_figures.h"
#include "engine/gpu/engine.h"

struct document;
struct plan;
struct text;

/* Bounds of a search, so that it ends by itself. */
#define TUNE_MOST_EDITS 6   /* in a set */
#define TUNE_MOST_SETS  400 /* of each number of edits */
#define TUNE_HELD_OUT   8   /* least seeds to compare on */

/* Kinds of edits, in the order in which they are preferred. */
enum tune_kind {
	TUNE_PRIORITY, /* P */
	TUNE_ENGINES,  /* the engine of a batch, or of a map of one engine */
	TUNE_BALANCE,  /* M and B */
	TUNE_SSEU,     /* S */
	TUNE_PREEMPT,  /* X */
	N_TUNE_KINDS,
};
#define TUNE_ALL ((1u << N_TUNE_KINDS) - 1)

const char *tune_kind_name(enum tune_kind kind);

#define TUNE_ALL_SOURCES SIZE_MAX

/* A context that stays as it is. */
struct tune_kept {
	size_t source;    /* whose; TUNE_ALL_SOURCES: of every document */
	uint32_t context; /* UINT32_MAX: all of them */
};

/* A question. */
struct tune_question {
	const struct goal *goal;
	unsigned kinds; /* bit i: enum tune_kind i */
	const struct tune_kept *keep;
	size_t n_keep;
	unsigned seeds;
	nsec warmup, end; /* as in struct variant */
};

/* A part of a document that can be edited. */
struct tune_target {
	enum tune_kind kind;
	bool kept;  /* stays as it is */
	bool inert; /* no edit of it alone changes a figure */
	size_t source;
	uint32_t context;
	/* The line: P, S, X, a batch; its map, if one is edited. 0: none. */
	uint32_t identity;
	int64_t now; /* its value: priority, slice mask, us, or the index of an
			engine; -1: of BALANCE, or several engines */
	unsigned n_lines; /* that an edit changes */
	/* ENGINES: the values; all batches of the context that run on engine
	 * now. */
	engine_mask values;
	bool whole_context;
	/* BALANCE: the class; the context has a B. */
	enum engine_class class;
	bool has_balance;
};

/* An edit: a target, and its new value. */
struct tune_edit {
	unsigned target; /* index */
	int64_t value;
};

/* Edits, one of a target, by target. */
struct tune_set {
	struct tune_edit list[TUNE_MOST_EDITS];
	size_t n;
};

/* A run of a set with a seed. Keeps what the search compares. */
struct tune_result {
	struct tune_set set;
	unsigned seed; /* added to the plan's */
	bool known;
	bool failed; /* the documents cannot run like this */
	struct violation violation;
	struct trial_figures figures;
};

enum tune_outcome {
	TUNE_SEARCHES,
	TUNE_HOLDS, /* the goal holds without an edit */
	TUNE_FOUND,
	TUNE_NOT_MET, /* best is what comes nearest */
	TUNE_FAILED,  /* the documents, as they are, cannot run; error */
};

/* A search. Views read it; only tune*.c changes it. */
struct tune {
	struct tune_question question;
	const struct plan *plan;
	struct device *device; /* of the profile */
	uint32_t refusals; /* rules that the documents break, without edits */
	struct tune_target *targets;
	size_t n_targets, cap_targets;

	struct tune_result
	    *results; /* in the order in which they were wanted */
	size_t n_results, cap_results;
	size_t n_known;         /* of them; others are wanted */
	size_t *table, n_table; /* index of results + 1, by hash */

	enum tune_outcome outcome;
	struct tune_set best; /* so far; at the end the answer */
	size_t depth;         /* edits in the sets that are tried now */
	char *failure;        /* of a run without edits */
	char *error;          /* FAILED */
};

/* Begins a search; plan must stay as it is until its end. Freed with
 * tune_free(). */
void tune_begin(struct tune *t, const struct tune_question *question,
    const struct plan *plan);
void tune_free(struct tune *t);
/* Sets up a search that is not begun, for edits that another one of the same
 * documents has found. Freed with tune_free(). */
void tune_open(struct tune *t, const struct tune_question *question,
    const struct plan *plan);
/* Looks at what is known: sets the outcome, or wants more results. */
void tune_think(struct tune *t);
/* Returns the seeds beyond question.seeds on which sets are compared. */
unsigned tune_held_out(const struct tune *t);

/* Sets to try, each once. */
struct tune_list {
	struct tune_set *list;
	size_t n, cap;
};

/* tune_results.c */

/* Returns true if the result is known; else it is wanted. */
bool tune_want(struct tune *t, const struct tune_set *set, unsigned seed);
/* The same of n seeds, from first. */
bool tune_want_seeds(
    struct tune *t, const struct tune_set *set, unsigned first, unsigned n);
/* Returns the result of that seed of a set; NULL: it is not known. */
const struct tune_result *tune_find(
    const struct tune *t, const struct tune_set *set, unsigned seed);
/* Returns the result of the seed, of n from first, that is worst by the goal; NULL
 * unless all are known. */
const struct tune_result *tune_worst(const struct tune *t,
    const struct tune_set *set, unsigned first, unsigned n);
/* Returns the number of different sets that were run. */
size_t tune_n_sets(const struct tune *t);
/* Marks the targets whose edits alone change no figure. */
void tune_mark_inert(struct tune *t, const struct tune_list *singles);
/* Returns true if the goal is nearer with a set than without, for the first seed, by
 * more than chance would have it. */
bool tune_is_better(const struct tune *t, const struct tune_set *set,
    const struct tune_set *than);

/* tune_options.c */

/* Reads kinds with commas between them as bits; NULL: all. False: err says what is
 * invalid. */
bool tune_read_kinds(const char *s, unsigned *kinds, struct text *err);
/* Reads contexts of plan's documents with commas between them: 2, of any document;
 * 1:2, of the first; 1:*, all of that. NULL: none. The caller frees *keep. False: err
 * says what is invalid. */
bool tune_read_keep(const char *s, const struct plan *plan,
    struct tune_kept **keep, size_t *n, struct text *err);

/* tune_sets.c */

bool tune_set_equal(const struct tune_set *a, const struct tune_set *b);
/* Returns the set without its i-th edit, and the set of that alone. */
struct tune_set tune_set_without(const struct tune_set *set, size_t i);
struct tune_set tune_set_alone(const struct tune_set *set, size_t i);
/* Returns the number of lines that a set changes. */
unsigned tune_set_lines(const struct tune *t, const struct tune_set *set);

/* Adds the sets of one edit more than set has, at most TUNE_MOST_SETS in all. all:
 * with targets that are inert. */
void tune_extend(const struct tune *t, const struct tune_set *set, bool all,
    struct tune_list *out);

/* tune_order.c: sorting that keeps the order of equals. */

/* By the results of the first seed, the best first. */
void tune_sort_by_result(const struct tune *t, struct tune_list *sets);
/* By the size of the edits, the smallest first. */
void tune_sort_by_size(const struct tune *t, struct tune_list *sets);

/* tune_targets.c */

void tune_find_targets(struct tune *t);

/* tune_values.c */

/* A list of values, the one that is preferred first. */
#define TUNE_MOST_VALUES 48
struct tune_values {
	int64_t list[TUNE_MOST_VALUES];
	size_t n;
};
/* Lists the values to try for a target when the edits of set are made. */
void tune_list_values(const struct tune *t, const struct tune_set *set,
    unsigned target, struct tune_values *out);
/* True if the edit needs CAP_SYS_NICE and the documents, as they are, do not. */
bool tune_needs_privilege(const struct tune *t, const struct tune_edit *edit);

/* tune_apply.c */

/* Makes the edits in the documents of plan. False: err says which cannot be
 * made; some may be. */
bool tune_apply(const struct tune *t, const struct tune_set *set,
    struct plan *plan, struct text *err);
/* The same in the document of one source. */
bool tune_apply_to(const struct tune *t, const struct tune_set *set,
    size_t source, struct document *doc, struct text *err);
/* Appends the document of a source of plan, the search's, as it is with the edits.
 * Changes the document and undoes that: what could be redone is lost. */
bool tune_print_document(const struct tune *t, const struct tune_set *set,
    struct plan *plan, size_t source, struct text *out, struct text *err);
/* Appends an edit: "P.1.1 -> P.1.0 at line 14". Lines are those of the documents as
 * they are now: call it before tune_apply(). */
void tune_add_edit(
    const struct tune *t, const struct tune_edit *edit, struct text *out);

/* tune_run.c */

/* A search that runs; its processes copy plan. */
struct tune_run;

/* plan: the search's. */
struct tune_run *tune_run_begin(
    struct tune *t, struct plan *plan, unsigned n_jobs);
/* Starts runs, and waits timeout_ms (-1: for ever) for one to end. False: the
 * search is over, a signal has interrupted the wait, none has ended in that time,
 * or err has a reason. */
bool tune_step(struct tune_run *run, int timeout_ms, struct text *err);
/* Kills what runs, and frees run. NULL is allowed. */
void tune_run_end(struct tune_run *run);

/* tune_text.c */

/* Appends lines: the goal before and after, a line for each edit, and the number
 * of runs. */
void tune_print(const struct tune *t, struct text *out);
/* Appends one line that says how far the search is. */
void tune_add_progress(const struct tune *t, struct text *out);

/* tune_json.c */

/* Prints the search as one JSON object, with the documents of plan, the search's, as
 * they are with the edits. */
void tune_print_json(const struct tune *t, struct plan *plan, FILE *out);

#endif
