/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a document is made of. */
#ifndef PARSER_DOCUMENT_DOCUMENT_PRIVATE_H
#define PARSER_DOCUMENT_DOCUMENT_PRIVATE_H

#include "base/mem.h"
#include "parser/document/document.h"
#include "parser/document/index.h"
#include "parser/document/sequence.h"

struct change;

struct undo_log {
	struct change **list;
	size_t n, cap;
	size_t n_done; /* those before are done, those after undone */
	uint64_t last_state;
	unsigned depth; /* of edit_group_begin() */
	bool joining;   /* the next change belongs to the last */
};

/* Lines by identity, once somebody has asked (identity.h); list[0] is none. */
struct identities {
	struct line **list; /* NULL: the line has left */
	size_t n, cap;      /* n 0: nobody has asked */
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

	/* Collected when asked for. */
	struct diag_list diags, line_diags;
	uint64_t diags_revision;
	bool diags_collected;
};

#endif
