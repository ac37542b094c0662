/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rules between lines: references, contexts, working sets, annotations. One
 * function both finds whether a line breaks a rule and writes the diagnostic,
 * so that the two cannot disagree.
 */
#ifndef PARSER_DOCUMENT_CHECK_H
#define PARSER_DOCUMENT_CHECK_H

#include "parser/document/document_private.h"

/* Returns the problems of a line but PROBLEM_SYNTAX and those of annotations.
 * Adds diagnostics to diags unless that is NULL. */
uint8_t check_line(const struct document *doc, const struct line *line,
    struct diag_list *diags);
/* True if lines of that chunk may have diagnostics that are computed on demand:
 * annotations without a batch, and resumed passes without a suspended one. */
bool check_slot_alone(const struct document *doc, size_t slot);

/* Adds all diagnostics of a line to diags. */
void check_diagnose(const struct document *doc, const struct line *line,
    struct diag_list *diags);

/* Lines that are not in the document, checked as if they were. */
struct draft {
	size_t at;              /* index that the first would have */
	size_t step;            /* step number that it would have */
	const struct line *old; /* line replaced; NULL: inserted before at */
	struct line *const *lines;
	size_t n;
};

/*
 * Sets PROBLEM_ANNOTATIONS of the annotations of each batch that has a line in
 * [first, end), or whose annotations do. Returns the index after the last batch
 * that was checked.
 */
size_t check_annotations(struct document *doc, size_t first, size_t end);
/* Sets them for all annotations of the document, or of a draft. */
void check_all_annotations(struct document *doc);
void check_draft_annotations(
    const struct document *doc, const struct draft *draft);

/* True if a reference of that kind may lead to this step. */
bool check_fits(const struct step *target, enum reference_kind kind);

/* Returns the target of a reference from line, which is step number step, to
 * back steps earlier; NULL: before the first step. */
struct line *check_target(const struct sequence *seq, const struct line *line,
    size_t step, uint32_t back);

/* Position in the dependencies of a batch. */
struct dep_walk {
	struct field rest, at; /* at: dependency next - 1 */
	uint32_t next;
	bool begun;
};

/* A check of one line. */
struct check {
	const struct document *doc;
	const struct line *line;
	const struct step *step;
	size_t number;           /* of the step */
	struct diag_list *diags; /* NULL: only find the problems */
	uint8_t problems;
	const struct draft *draft; /* of which line is a part; NULL: none */
	struct dep_walk walk;
};

/* A part of a line, in bytes. */
struct line_place {
	uint32_t col, len;
};
/* Places of a field, and of a dependency of a batch. */
struct line_place check_field(const struct check *c, unsigned field);
/* The walk over dependencies is faster in order. */
struct line_place check_dep(struct check *c, uint32_t dep);

/* Sets a problem. True if the caller has to write its diagnostic. */
bool check_found(struct check *c, uint8_t problem);
/* Index of a line of the document or the draft, and its row, from 1. */
size_t check_index(const struct check *c, const struct line *line);
size_t check_row(const struct check *c, const struct line *line);

#define DIAGNOSE(c, severity, place, ...)                                      \
	diag_add((c)->diags, severity, (uint32_t)check_index(c, (c)->line),    \
	    (place).col, (place).len, __VA_ARGS__)

/* Checks a step against other lines. */
void check_step(struct check *c);
/* Write the diagnostic of a line: a throttle above the number of steps, an
 * annotation without a batch, a resumed pass without a suspended one, a syntax
 * error, PROBLEM_ANNOTATIONS. */
void check_diagnose_throttle(const struct check *c, size_t n_steps);
void check_diagnose_lost(const struct check *c);
void check_diagnose_loose(const struct check *c);
void check_diagnose_syntax(const struct check *c);
void check_diagnose_pairing(const struct check *c);
/* True if the line at index, or one after it, may be a batch. */
bool check_batch_follows(const struct document *doc, size_t index);
/* Number of annotations that suspend a render pass. */
size_t check_n_suspended(const struct document *doc);

/* Checks that the step back steps earlier exists and is of a kind that the
 * reference allows. dep: index of a batch's dependency, else unused. */
void check_reference(
    struct check *c, enum reference_kind kind, uint32_t back, uint32_t dep);
/* Checks that the working set of dependency i is defined and has its
 * objects. */
void check_set(struct check *c, const struct dep *dep, uint32_t i);
/* Checks that a working set has no earlier definition. */
void check_definition(struct check *c);
/* Checks that durations by row match a parallel slot (G). */
void check_rows(struct check *c);
/* Checks that a B follows an M. */
void check_balance(struct check *c);
/* Checks that a b follows a B. */
void check_bond(struct check *c);

#endif
