/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of a document: its lines, its index by context and working set,
 * its log of changes and the identities of its lines. */
#ifndef PARSER_DOCUMENT_DOCUMENT_PRIVATE_H
#define PARSER_DOCUMENT_DOCUMENT_PRIVATE_H

#include "base/hash.h"
#include "base/mem.h"
#include "parser/document/document.h"
#include "parser/document/sequence.h"

/*
 * A list of lines, kept lazily: lines that have left the document (chunk is
 * NULL) and repeated lines stay in it until it has to grow. Walks skip them.
 */
struct posting {
	struct line **list;
	size_t n, cap;
};

struct context_entry {
	uint32_t context;
	/* P S X M B b G, and batches with durations by row */
	struct posting steps;
	/* First line of each kind in the text; NULL: none. */
	struct line *map, *balance, *parallel;
};

struct set_entry {
	uint32_t id;
	struct posting definitions, users;
	struct line *definition; /* first in the text; NULL: none */
	uint32_t n_objects;      /* of definition; 0 without */
};

/* Lines by context and by working set, so that an edit of one line need not
 * look at all others (index.c). */
struct index {
	struct map32 context_map, set_map;
	struct context_entry *contexts;
	struct set_entry *sets;
	size_t n_contexts, cap_contexts, n_sets, cap_sets;
};

struct change;

/* All changes of a document (undo.c). */
struct undo_log {
	struct change **list;
	size_t n, cap;
	size_t n_done; /* list[n_done..n) are undone */
	uint64_t last_state;
	unsigned depth; /* open edit_group_begin() */
	bool joining;   /* the next change joins the last one's undo step */
};

/* Lines by identity; list[0] is unused. Empty until a caller asks for the
 * first identity, so that others do not pay for them. */
struct identities {
	struct line **list; /* NULL: no line has that identity now */
	size_t n, cap;      /* n 0: not asked for yet */
};

struct document {
	char *name;
	enum document_source source;
	struct arena arena; /* lines, their texts and steps, changes */
	struct sequence seq;
	struct index index;
	struct undo_log undo;
	uint64_t revision;
	struct identities identities;

	/* Caches, filled by questions to a const document. */
	struct diag_list diags, line_diags;
	uint64_t diags_revision; /* at which diags were collected */
	bool diags_collected;
};

/* Frees the lists; lines belong to the arena. */
void index_free(struct index *index);
/* NULL if no line was ever listed for that context or working set. */
struct context_entry *index_context(
    const struct index *index, uint32_t context);
struct set_entry *index_set(const struct index *index, uint32_t id);
/* Lists a line that is in the document now. */
void index_add(struct index *index, struct line *line);
/* Finds the first line of each kind again after a change. */
void index_refresh_context(
    const struct sequence *seq, struct context_entry *entry);
void index_refresh_set(const struct sequence *seq, struct set_entry *entry);

#endif
