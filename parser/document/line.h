/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One line of a document: where it ends, what kind it is, its step.
 *
 * A line is made once and never changes but for what the document counts
 * about it (parser/document/sequence.h): an edit puts a new one in its place.
 */
#ifndef PARSER_DOCUMENT_LINE_H
#define PARSER_DOCUMENT_LINE_H

#include "base/mem.h"
#include "parser/annotation.h"
#include "parser/diag.h"
#include "parser/document/document.h"
#include "parser/scan.h"

enum separator { SEP_NONE, SEP_NEWLINE, SEP_CRLF, SEP_COMMA };

/* Why a line has diagnostics, as bits. */
enum problem {
	PROBLEM_SYNTAX = 1,    /* the line by itself */
	PROBLEM_REFERENCE = 2, /* names a step that isn't there or is wrong */
	PROBLEM_CONTEXT = 4,   /* against other steps of its context */
	PROBLEM_SET = 8,       /* against working sets */
	PROBLEM_UNNAMED = 16,  /* a warning: nothing names this step */
	PROBLEM_NESTED = 32,   /* a secondary begins within another */
	PROBLEM_UNPAIRED = 64, /* the begin or end of one, without the other */
	PROBLEM_IDLE = 128,    /* a warning: nothing that it is for */
	PROBLEM_WARNINGS = PROBLEM_UNNAMED | PROBLEM_IDLE,
	PROBLEM_ANNOTATIONS = PROBLEM_NESTED | PROBLEM_UNPAIRED | PROBLEM_IDLE,
	PROBLEM_ERRORS = 15 | PROBLEM_NESTED | PROBLEM_UNPAIRED,
};

/* What an annotation says of render passes that go over batches. */
enum pass_part {
	PASS_BEGINS = 1, /* one that is suspended then */
	PASS_RESUMES,
};

struct chunk;

struct line {
	const char *text;
	const struct step *step; /* NULL unless LINE_STEP */
	struct chunk *chunk;     /* NULL while not in the document */
	uint32_t len;
	uint32_t n_refs;   /* references to this step by others: all, */
	uint32_t n_waits;  /* those by f-n, s-n and a.-n, */
	uint32_t n_ends;   /* those by T.-n */
	uint32_t identity; /* 0: none yet (identity.h) */
	uint16_t local;    /* index in the chunk */
	uint8_t kind;      /* enum line_kind */
	uint8_t separator;
	uint8_t problems;
	uint8_t annotation; /* enum annotation_kind, of LINE_ANNOTATION */
	uint8_t pass;       /* enum pass_part; 0: none */
	bool mark;          /* scratch of whoever walks lines; false between */
};

#define MAX_FIELDS 5

/* Where one line of a text stands, and its pieces. */
struct raw_line {
	const char *text;
	const char *next; /* what comes after the separator */
	uint32_t len;     /* without the separator */
	uint8_t kind;     /* LINE_STEP also for what won't parse */
	uint8_t separator;
	uint32_t n_fields; /* may be above MAX_FIELDS */
	struct field trimmed;
	struct field fields[MAX_FIELDS + 1];
};

/* Cuts the next line off text; end is where the text ends. */
void line_cut(struct raw_line *raw, const char *text, const char *end,
    enum document_source source);
/* A line again from the text of one. */
void line_recut(
    struct raw_line *raw, const struct line *line, enum document_source source);
/* Makes the line; its text is not copied. */
struct line *line_make(struct arena *arena, const struct raw_line *raw);
/* See document_field() and document_dependency(). */
void line_field(const struct line *line, enum document_source source,
    unsigned field, uint32_t *col, uint32_t *len);
void line_dependency(const struct line *line, enum document_source source,
    unsigned dep, uint32_t *col, uint32_t *len);
/* The diagnostics of the line by itself, added to diags. */
void line_diagnose(
    const struct raw_line *raw, uint32_t index, struct diag_list *diags);

static inline bool
line_counts(const struct line *line)
{
	return line->kind == LINE_STEP || line->kind == LINE_BAD;
}

/* One that didn't parse may be meant as one. */
static inline bool
line_may_be_batch(const struct line *line)
{
	return line->step ? line->step->kind == STEP_BATCH
			  : line->kind == LINE_BAD;
}

size_t separator_length(uint8_t separator);
const char *separator_text(uint8_t separator);

#endif
