/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An edit being prepared: hunks, the map from old to new step numbers, and the
 * lines whose offsets have to be rewritten for it. Nothing changes in the
 * document before plan_commit().
 */
#ifndef PARSER_DOCUMENT_EDIT_PLAN_H
#define PARSER_DOCUMENT_EDIT_PLAN_H

#include "base/text.h"
#include "parser/document/change.h"

/* Steps from this one to the next piece move by delta, or are gone. */
struct remap_piece {
	size_t from;
	int64_t delta;
	bool gone;
};

/* Where steps go in an edit. Pieces are sorted by from; steps before the first
 * stay. */
struct remap {
	struct remap_piece *pieces;
	size_t n, cap;
};

/* Appends a piece; one from the same step replaces the last. */
void remap_add(struct remap *map, size_t from, int64_t delta, bool gone);

enum rewrite {
	REWRITE_SAME,      /* no reference is affected */
	REWRITE_CHANGED,   /* *to is the line to put in place */
	REWRITE_UNCHANGED, /* same text, but an offset that leads to before the
			      first step may lead elsewhere now */
	REWRITE_LOST,      /* an s, a or T whose target is gone */
	REWRITE_FORWARD,   /* an offset would have to point forward */
};

/* Rewrites the offsets of line, which is step number step, so that they mean
 * the same steps. References to steps that are gone are dropped. */
enum rewrite remap_line(struct document *doc, const struct remap *map,
    struct line *line, size_t step, struct line **to);

/* Makes a line with its field-th field (from 0) replaced. */
struct line *line_with_field(struct document *doc, const struct line *line,
    unsigned field, const char *s, size_t len);
/* Makes a line with another separator, as far as that can follow its text;
 * returns line itself if it has that already. */
struct line *line_with_separator(
    struct document *doc, struct line *line, uint8_t separator);

struct edit_plan {
	struct document *doc;
	struct hunk *hunks;
	size_t n, cap;
	struct remap map;
	struct text *err; /* NULL: the caller wants no text */
};

/* Begins an empty plan; plan_refuse() or plan_commit() ends it. */
void plan_init(struct edit_plan *plan, struct document *doc, struct text *err);
/* Frees the plan and appends the reason to err. Returns false, so that refusing
 * is one statement. */
bool plan_refuse(struct edit_plan *plan, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds a hunk; copies the array lines. Indices are those before the edit. */
void plan_hunk(struct edit_plan *plan, size_t at, size_t n_old,
    struct line *const *lines, size_t n_new);
/* Adds hunks for all unmarked lines whose references cross the edit. False if
 * *line would have to refer forward. */
bool plan_references(struct edit_plan *plan, struct line **line);
/* Sets the separator of the line at, which a hunk may replace already. */
void plan_separator(struct edit_plan *plan, size_t at, uint8_t separator);
/* Lines [at, at + n) go: if the row ended with them, it ends before them. */
void plan_row_end(struct edit_plan *plan, size_t at, size_t n);
/* Does the edit, logs it for undo and frees the plan. Returns true. */
bool plan_commit(struct edit_plan *plan);

struct lines {
	struct line **list;
	size_t n, cap;
};

/* Appends a line; the caller frees list. */
void lines_add(struct lines *lines, struct line *line);

typedef void referrer_fn(struct document *doc, struct line *line, void *arg);
/*
 * Visits, in order, each unmarked line from step number step on that refers to
 * a marked one. Stops where references no longer reach *last_step, the last
 * marked step. The visitor may mark its line and raise *last_step.
 */
void each_referrer(struct document *doc, size_t step, const size_t *last_step,
    referrer_fn *visit, void *arg);

/* Lines named in a refusal: "line 7 (1.RCS.1000.-2.0), line 9 (s.-1) and 3
 * more". */
struct naming {
	struct text names;
	size_t n;
};
/* Adds a line; only the first few are named. */
void name_line(
    const struct document *doc, const struct line *line, struct naming *naming);
/* A referrer_fn whose arg is a struct naming. */
void name_referrer(struct document *doc, struct line *line, void *arg);
/* Adds how many lines were not named. */
void name_rest(struct naming *naming);

#endif
