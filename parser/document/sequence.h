/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lines of a document in order, in chunks: a line is found by its index
 * or step number, and its place from itself, without walking the others.
 * Putting lines in or taking them out touches one chunk and the table of
 * chunks.
 */
#ifndef PARSER_DOCUMENT_SEQUENCE_H
#define PARSER_DOCUMENT_SEQUENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/document/line.h"

#define CHUNK_LINES 512

struct chunk {
	size_t slot; /* its own index in the table */
	struct line *lines[CHUNK_LINES];
	uint16_t line_of_step[CHUNK_LINES];
	uint16_t step_of_line[CHUNK_LINES]; /* steps before it in the chunk */
};

/* A row of the table of chunks. */
struct slot {
	struct chunk *chunk;
	/* What stands before the chunk. */
	size_t first_line, first_step, first_row, first_byte;
	size_t row_start; /* byte where the row begins that goes on here */
	size_t first_suspended; /* render passes that begin and are suspended */
	/* What stands in it. */
	uint32_t n_lines, n_steps, n_rows;
	uint32_t n_errors; /* lines with errors, of their own or cross */
	uint32_t n_warnings;
	uint32_t throttle; /* the greatest n of its t.n */
	/* Of the #@ lines, and of what they may belong to. */
	uint32_t n_annotations, n_batches;
	uint32_t n_suspended, n_resumes; /* of the former: enum pass_part */
	size_t n_bytes;
	size_t last_row; /* bytes before its last row; none without rows */
	/* How many steps before its first one the furthest reference of the
	 * chunk reaches; INT64_MIN without references. */
	int64_t reach;
	bool dirty; /* lines were changed, the counts are old */
};

struct sequence {
	struct slot *slots; /* one more than chunks: the totals */
	size_t n, cap;      /* chunks */
};

void sequence_init(struct sequence *seq);
void sequence_free(struct sequence *seq); /* lines are not freed */

/* By index and by step number, both from 0 and below these. */
size_t sequence_n_lines(const struct sequence *seq);
size_t sequence_n_steps(const struct sequence *seq);

struct line *sequence_line(const struct sequence *seq, size_t index);
size_t sequence_index(const struct sequence *seq, const struct line *line);
/* Steps before the line. */
static inline size_t
sequence_step(const struct sequence *seq, const struct line *line)
{
	const struct chunk *chunk = line->chunk;

	return seq->slots[chunk->slot].first_step +
	    chunk->step_of_line[line->local];
}

struct line *sequence_line_of_step(const struct sequence *seq, size_t step);
/* Chunk that holds step number step, or the last one. */
size_t sequence_slot_of_step(const struct sequence *seq, size_t step);

/* Row (from 0) and byte column (from 0) where the line begins. */
void sequence_position(const struct sequence *seq, const struct line *line,
    size_t *row, size_t *column);

/*
 * Takes n_old lines out at index and puts n_new in. The chunks touched are
 * dirty then; sequence_refresh() brings all counts up to date, which only
 * sequence_line() does not need.
 */
void sequence_splice(struct sequence *seq, size_t index, size_t n_old,
    struct line *const *lines, size_t n_new);
/* Adds a line at the end. True: it was the last one of its chunk, which can be
 * closed. */
bool sequence_append(struct sequence *seq, struct line *line);
/* Counts the last chunk, while it is warm; its slot. */
size_t sequence_close(struct sequence *seq);
void sequence_refresh(struct sequence *seq);

/* Sets the problems of a line and counts them. */
void sequence_set_problems(
    struct sequence *seq, struct line *line, uint8_t problems);

/* The step that line refers to n-th, as steps back; 0 when there are no more.
 * kind may be NULL. */
enum reference { REF_DATA, REF_WAIT, REF_SYNC, REF_ADVANCE, REF_END };
static inline uint32_t
step_reference(
    const struct step *step, uint32_t *iterator, enum reference *kind)
{
	enum reference unused;

	if (!kind)
		kind = &unused;
	switch (step->kind) {
	case STEP_BATCH:
		while (*iterator < step->batch.n_deps) {
			const struct dep *dep =
			    &step->batch.deps[(*iterator)++];

			if (dep->kind > DEP_SUBMIT)
				continue;
			*kind = dep->kind == DEP_DATA ? REF_DATA : REF_WAIT;
			return dep->back;
		}
		return 0;
	case STEP_SYNC: *kind = REF_SYNC; break;
	case STEP_ADVANCE: *kind = REF_ADVANCE; break;
	case STEP_TERMINATE: *kind = REF_END; break;
	default: return 0;
	}
	return (*iterator)++ ? 0 : step->back;
}

#endif
