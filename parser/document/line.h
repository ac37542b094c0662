/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One line of a document: its text, separator, kind and step.
 *
 * A line is made once. Afterwards only the figures that the document keeps
 * about it change: an edit puts a new line in its place. Lines belong to the
 * document's arena and live as long as the document, so undo can put them back.
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
	PROBLEM_SYNTAX = 1,    /* the line by itself does not parse */
	PROBLEM_REFERENCE = 2, /* an offset leads nowhere, or to a wrong kind */
	PROBLEM_CONTEXT = 4,   /* conflicts with other steps of its context */
	PROBLEM_SET = 8,       /* undefined or repeated working set */
	PROBLEM_UNNAMED = 16,  /* warning: no step refers to this one */
	PROBLEM_NESTED = 32,   /* secondaries are within too many others */
	PROBLEM_UNPAIRED = 64, /* begin or end of a secondary is missing */
	PROBLEM_IDLE = 128,    /* warning: the annotation has no effect */
	PROBLEM_WARNINGS = PROBLEM_UNNAMED | PROBLEM_IDLE,
	PROBLEM_ANNOTATIONS = PROBLEM_NESTED | PROBLEM_UNPAIRED | PROBLEM_IDLE,
	PROBLEM_ERRORS = 15 | PROBLEM_NESTED | PROBLEM_UNPAIRED,
};

/* Part of an annotation in a render pass that spans batches. */
enum pass_part {
	PASS_BEGINS = 1, /* begins a pass that is suspended */
	PASS_RESUMES,
};

struct chunk;

struct line {
	const char *text;        /* not zero terminated */
	const struct step *step; /* NULL unless LINE_STEP */
	/* NULL unless LINE_ANNOTATION without PROBLEM_SYNTAX. */
	const struct annotation *annotation;
	struct chunk *chunk;     /* NULL while not in the document */
	uint32_t len;            /* bytes of text, without the separator */
	uint32_t n_refs;         /* references to this step by others: all, */
	uint32_t n_waits;        /* those by f-n, s-n and a.-n, */
	uint32_t n_ends;         /* those by T.-n */
	uint32_t identity;       /* 0: none yet (change.h) */
	uint16_t local;          /* index in the chunk */
	uint8_t kind;            /* enum line_kind */
	uint8_t separator;       /* enum separator */
	uint8_t problems;        /* bits of enum problem */
	uint8_t annotation_kind; /* also of one with PROBLEM_SYNTAX */
	uint8_t pass;            /* enum pass_part; 0: none */
	bool mark; /* scratch of an algorithm; false between them */
};

#define MAX_FIELDS 5

/* A line as cut out of a text, before it is parsed. */
struct raw_line {
	const char *text;
	const char *next; /* first byte after the separator */
	uint32_t len;     /* without the separator */
	uint8_t kind;     /* LINE_STEP also if it will not parse */
	uint8_t separator;
	uint32_t n_fields; /* may be above MAX_FIELDS */
	struct field trimmed;
	struct field fields[MAX_FIELDS + 1];
};

/* Cuts the next line off text, which ends at end. */
void line_cut(struct raw_line *raw, const char *text, const char *end,
    enum document_source source);
/* Cuts an existing line into fields again. */
void line_recut(
    struct raw_line *raw, const struct line *line, enum document_source source);
/* Parses a cut line. The result and its step are allocated in arena and point
 * into the text, which must live as long. */
struct line *line_make(struct arena *arena, const struct raw_line *raw);
/* document_field() for a line. */
void line_field(const struct line *line, enum document_source source,
    unsigned field, uint32_t *col, uint32_t *len);
/* Adds the syntax errors of a line to diags, as those of line index. */
void line_diagnose(
    const struct raw_line *raw, uint32_t index, struct diag_list *diags);

/* True if the line has a step number. */
static inline bool
line_counts(const struct line *line)
{
	return line->kind == LINE_STEP || line->kind == LINE_BAD;
}

/* True for a batch, and for a line that does not parse: it may be meant as
 * one. */
static inline bool
line_may_be_batch(const struct line *line)
{
	return line->step ? line->step->kind == STEP_BATCH
			  : line->kind == LINE_BAD;
}

/* Bytes of a separator (enum separator), and its zero-terminated text. */
size_t separator_length(uint8_t separator);
const char *separator_text(uint8_t separator);

#endif
