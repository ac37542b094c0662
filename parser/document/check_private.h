/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the rules between lines (check.h) share: check.c asks for each of them,
 * check_reference.c and check_context.c have those that need most words. */
#ifndef PARSER_DOCUMENT_CHECK_PRIVATE_H
#define PARSER_DOCUMENT_CHECK_PRIVATE_H

#include "parser/document/check.h"

/* A walk over the dependencies of a batch. */
struct dep_walk {
	struct field rest, at; /* at: the one before next */
	uint32_t next;
	bool begun;
};

/* One line under check. */
struct check {
	const struct document *doc;
	const struct line *line;
	const struct step *step;
	size_t number; /* of the step */
	struct diag_list *diags;
	uint8_t problems;
	const struct draft *draft; /* line is one of it; NULL */
	struct dep_walk walk;
};

/* Of the line, in bytes. */
struct place {
	uint32_t col, len;
};
struct place check_field(const struct check *c, unsigned field);
struct place check_dep(struct check *c, uint32_t dep);

/* Notes the problem; true if the caller is to write its diagnostic. */
bool check_found(struct check *c, uint8_t problem);
/* Of the line, or of another one that the same draft may hold: its index, and
 * its row as messages count them. */
size_t check_index(const struct check *c, const struct line *line);
size_t check_row(const struct check *c, const struct line *line);

#define DIAGNOSE(c, severity, place, ...)                                      \
	diag_add((c)->diags, severity, (uint32_t)check_index(c, (c)->line),    \
	    (place).col, (place).len, __VA_ARGS__)

/* A step back, which must be of a kind that goes with the reference. dep: which
 * dependency of a batch; others have their target in field 1. */
void check_reference(
    struct check *c, enum reference kind, uint32_t back, uint32_t dep);

/* Working sets that batches use, and that are defined. */
void check_set(struct check *c, const struct dep *dep, uint32_t i);
void check_definition(struct check *c);
/* Durations by row, B and b need what stands before them, or G. */
void check_rows(struct check *c);
void check_balance(struct check *c);
void check_bond(struct check *c);

#endif
