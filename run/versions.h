/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The texts that clients of a run have been given: a version is one compiled
 * state of a document, and knows for each of its steps which line of the
 * document that was. So what goes on at a step can be shown at the line as it
 * stands now, though the text has been edited since (parser/document/document.h:
 * identities).
 *
 * A version is let go of when nobody runs it any more; what has been completed
 * is counted per line of the document, over all of them.
 */
#ifndef RUN_VERSIONS_H
#define RUN_VERSIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/compile/program.h"
#include "parser/document/document.h"

/* What the steps of a program say of one of its contexts. */
struct context_facts {
	uint64_t preempt_min_us, preempt_max_us;
	bool any; /* it has batches */
};

/* A document, for all versions of it. */
struct versioned {
	const struct document *doc;
	uint64_t *done; /* per identity: requests that have ended */
	size_t n_done;
	struct version *newest;
};

struct version {
	const struct program *program; /* held */
	struct versioned *of;
	const struct line **lines;   /* per step; NULL: of another document */
	struct context_facts *facts; /* per context */
};

struct versions {
	struct version **list; /* by address of the program */
	size_t n, cap;
	struct versioned **docs;
	size_t n_docs, cap_docs;
	uint64_t generation; /* counts what was added and let go of */
};

void versions_free(struct versions *v);

/*
 * program was compiled from doc as it is now: the newest of it. Lets go of
 * versions that only this holds. doc must stay, and only be changed by edits
 * (parser/document/edit.h), as long as anybody runs the program.
 */
struct version *versions_add(struct versions *v, const struct program *program,
    const struct document *doc);
/* NULL: it is none of them. */
struct version *versions_find(
    const struct versions *v, const struct program *program);
/* NULL if it has no version. */
struct versioned *versions_of(
    const struct versions *v, const struct document *doc);

/* The identity of the line that the step was; 0: of another document. */
uint32_t version_identity(const struct version *version, uint32_t step);
static inline bool
version_is_newest(const struct version *version)
{
	return version->of->newest == version;
}

/* The number that the step has in the document now; false: its line has
 * gone, or is none any more. */
bool version_step_now(
    const struct version *version, uint32_t step, size_t *now);

#endif
