/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An edit being put together: what goes, what comes, what is rewritten. */
#ifndef PARSER_DOCUMENT_EDIT_PLAN_H
#define PARSER_DOCUMENT_EDIT_PLAN_H

#include "parser/document/change.h"
#include "parser/document/remap.h"

struct plan {
	struct document *doc;
	struct hunk *hunks;
	size_t n, cap;
	struct remap map;
	struct text *err; /* may be NULL */
};

void plan_init(struct plan *plan, struct document *doc, struct text *err);
/* Drops the plan; false, so that refusing is one statement. */
bool plan_refuse(struct plan *plan, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* lines are copied. Places are those before the edit. */
void plan_hunk(struct plan *plan, size_t at, size_t n_old,
    struct line *const *lines, size_t n_new);
/* Rewrites what refers across the edit, except lines that are marked. False
 * if a reference would have to point forward: *line is it. */
bool plan_references(struct plan *plan, struct line **line);
/* The separator of the line at, which the plan may rewrite already. */
void plan_separator(struct plan *plan, size_t at, uint8_t separator);
/* Does it, and notes it for undo. True. */
bool plan_commit(struct plan *plan);

#endif
