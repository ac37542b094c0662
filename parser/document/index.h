/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which lines set up a context, and which define and use a working set: so
 * that an edit of one looks only at those.
 *
 * Lists are lazy: lines that left the document, and lines listed twice, are
 * skipped by who walks them and thrown out when a list would grow.
 */
#ifndef PARSER_DOCUMENT_INDEX_H
#define PARSER_DOCUMENT_INDEX_H

#include "base/hash.h"
#include "parser/document/sequence.h"

struct posting {
	struct line **list;
	size_t n, cap;
};

struct context_entry {
	uint32_t context;
	/* P S X M B b G, and batches with durations by row */
	struct posting steps;
	/* The first of each in the text, NULL if there is none. */
	struct line *map, *balance, *parallel;
};

struct set_entry {
	uint32_t id;
	struct posting definitions, users;
	struct line *definition; /* the first in the text */
	uint32_t n_objects;      /* its; 0 without */
};

struct index {
	struct map32 context_map, set_map;
	struct context_entry *contexts;
	struct set_entry *sets;
	size_t n_contexts, cap_contexts, n_sets, cap_sets;
};

void index_free(struct index *index);

/* NULL if no line ever was listed for it. */
struct context_entry *index_context(
    const struct index *index, uint32_t context);
struct set_entry *index_set(const struct index *index, uint32_t id);

/* Lists a line that is in the document now. */
void index_add(struct index *index, struct line *line);

/* Finds the first ones again. */
void index_refresh_context(
    const struct sequence *seq, struct context_entry *entry);
void index_refresh_set(const struct sequence *seq, struct set_entry *entry);

#endif
