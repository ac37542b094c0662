/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rules between lines. The same function finds whether a line breaks one
 * and writes the diagnostics, so that the two can't disagree.
 */
#ifndef PARSER_DOCUMENT_CHECK_H
#define PARSER_DOCUMENT_CHECK_H

#include "parser/document/document_private.h"

/* The problems (PROBLEM_SYNTAX excepted) of a line; diags may be NULL. */
uint8_t check_line(const struct document *doc, const struct line *line,
    struct diag_list *diags);
/* t.n with n beyond all steps. It depends on the number of all steps, so it
 * is no problem of the line but looked at by who asks. */
bool check_throttle(const struct document *doc, const struct line *line);

/* An annotation that no batch follows; the same holds of that. */
bool check_lost(const struct document *doc, const struct line *line);
/* A render pass that is resumed, where none is suspended; and of that. */
bool check_loose(const struct document *doc, const struct line *line);
/* May lines of that chunk be either? */
bool check_slot_alone(const struct document *doc, size_t slot);

/* All diagnostics of a line. */
void check_diagnose(const struct document *doc, const struct line *line,
    struct diag_list *diags);

/*
 * Lines that are not in the document, checked as if they were: in the place of
 * the line old, or of none, before what follows it.
 */
struct draft {
	size_t at;              /* index where the first would stand */
	size_t step;            /* and its step number */
	const struct line *old; /* NULL: they are put in */
	struct line *const *lines;
	size_t n;
};
/* The diagnostics of the k-th. */
void check_draft(const struct document *doc, const struct draft *draft,
    size_t k, struct diag_list *diags);

/*
 * Sets the problems that annotations have with others of their batch
 * (PROBLEM_ANNOTATIONS): of all batches that lines first to end (not with it)
 * are of, or stand before. Where what was looked at ends, behind a batch.
 */
size_t check_annotations(struct document *doc, size_t first, size_t end);
/* Of all lines. */
void check_all_annotations(struct document *doc);
/* Of those of the draft. */
void check_draft_annotations(
    const struct document *doc, const struct draft *draft);

/* May a reference of that kind name this step? */
bool check_fits(const struct step *target, enum reference kind);

/* The line that reference back of line, step number step, names; NULL if
 * that is before the first. */
struct line *check_target(const struct sequence *seq, const struct line *line,
    size_t step, uint32_t back);

#endif
