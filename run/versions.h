/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Versions: the texts that clients of a run have been given. A version is one
 * compiled state of a document, and knows which line each of its steps was. So
 * activity at a step is shown at its line although the text has been edited
 * since (parser/document/document.h: identities).
 *
 * The latest versions that no client runs any more are kept, so that their
 * requests still have lines; older ones are freed. Ended requests are counted
 * per line, over all versions of a document.
 */
#ifndef RUN_VERSIONS_H
#define RUN_VERSIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/compile/program.h"
#include "parser/document/document.h"

/* Facts of a context that the steps of its program set. */
struct context_facts {
	uint64_t preempt_min_us, preempt_max_us;
	bool any; /* it has batches */
};

/* A document, common to its versions. */
struct versioned {
	const struct document *doc;
	uint64_t *done; /* ended requests by identity */
	size_t n_done;
	struct version *newest;
};

struct version {
	const struct program *program; /* owned, a reference */
	struct versioned *of;
	const struct line **lines;   /* by step; NULL: in another document */
	struct context_facts *facts; /* by context */
	uint64_t number;             /* in order of their addition */
};

struct versions {
	struct version **list; /* sorted by the program's address */
	size_t n, cap;
	struct versioned **docs;
	size_t n_docs, cap_docs;
	uint64_t n_added;
	uint64_t generation; /* changes when a version is added or freed */
};

void versions_free(struct versions *v);

/* Adds program, which was just compiled from doc, as its newest version, and
 * frees old versions that no client runs. doc must live, and be changed by edits
 * only (parser/document/edit.h), as long as these versions. */
struct version *versions_add(struct versions *v, const struct program *program,
    const struct document *doc);
/* The version of a program; NULL: none. */
struct version *versions_find(
    const struct versions *v, const struct program *program);
/* The entry of a document; NULL: it has no version. */
struct versioned *versions_of(
    const struct versions *v, const struct document *doc);

/* The identity of a step's line; 0: it is in another document. */
uint32_t version_identity(const struct version *version, uint32_t step);
static inline bool
version_is_newest(const struct version *version)
{
	return version->of->newest == version;
}

/* The number of the step in the document now. False: its line is gone, or is no
 * step now. */
bool version_step_now(
    const struct version *version, uint32_t step, size_t *now);

#endif
