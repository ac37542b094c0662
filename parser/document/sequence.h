/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lines of a document in order, in chunks of up to CHUNK_LINES. A table
 * with a slot per chunk holds sums over the chunks before it, so a line is
 * found by its index or step number, and its place from the line itself,
 * without a walk over the other lines. Inserting and removing lines touches
 * their chunks and the table.
 */
#ifndef PARSER_DOCUMENT_SEQUENCE_H
#define PARSER_DOCUMENT_SEQUENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/document/line.h"

#define CHUNK_LINES 512

struct chunk {
	size_t slot; /* its index in the table */
	struct line *lines[CHUNK_LINES];
	uint16_t line_of_step[CHUNK_LINES];
	uint16_t step_of_line[CHUNK_LINES]; /* steps before it in the chunk */
};

/* A row of the table of chunks. */
struct chunk_slot {
	struct chunk *chunk;
	/* Sums over all chunks before this one. */
	size_t first_line, first_step, first_row, first_byte;
	size_t row_start;       /* byte at which the chunk's first row begins */
	size_t first_suspended; /* lines with PASS_BEGINS */
	/* Sums over this chunk. */
	uint32_t n_lines, n_steps, n_rows;
	uint32_t n_errors; /* lines with a bit of PROBLEM_ERRORS */
	uint32_t n_warnings;
	uint32_t throttle; /* greatest n of its t.n */
	uint32_t n_annotations;
	uint32_t n_batches; /* lines for which line_may_be_batch() holds */
	uint32_t n_suspended, n_resumes; /* annotations by enum pass_part */
	size_t n_bytes;
	size_t last_row; /* bytes up to the end of its last full row */
	/* How many steps before its first one the furthest reference of the
	 * chunk reaches; INT64_MIN without references. */
	int64_t reach;
	bool dirty; /* lines have changed since the sums were computed */
};

struct sequence {
	struct chunk_slot *slots; /* one more than chunks: the totals */
	size_t n, cap;            /* chunks */
};

/* Makes an empty sequence. */
void sequence_init(struct sequence *seq);
/* Frees the table and the chunks, not the lines. */
void sequence_free(struct sequence *seq);

/* Totals. */
size_t sequence_n_lines(const struct sequence *seq);
size_t sequence_n_steps(const struct sequence *seq);

/* The line with that index, below sequence_n_lines(). */
struct line *sequence_line(const struct sequence *seq, size_t index);
/* The index of a line that is in the sequence. */
size_t sequence_index(const struct sequence *seq, const struct line *line);
/* Number of steps before a line that is in the sequence. */
static inline size_t
sequence_step(const struct sequence *seq, const struct line *line)
{
	const struct chunk *chunk = line->chunk;

	return seq->slots[chunk->slot].first_step +
	    chunk->step_of_line[line->local];
}

/* The line of step number step, below sequence_n_steps(). */
struct line *sequence_line_of_step(const struct sequence *seq, size_t step);
/* The slot of the chunk with step number step, else the last slot. */
size_t sequence_slot_of_step(const struct sequence *seq, size_t step);

/* Row and byte column, both from 0, where the line begins in the file. */
void sequence_position(const struct sequence *seq, const struct line *line,
    size_t *row, size_t *column);

/*
 * Replaces n_old lines from index by n_new lines and marks their chunks dirty.
 * Until sequence_refresh() recomputes the sums, only sequence_line() gives
 * right answers.
 */
void sequence_splice(struct sequence *seq, size_t index, size_t n_old,
    struct line *const *lines, size_t n_new);
/* Recomputes the sums of dirty chunks and of the table. */
void sequence_refresh(struct sequence *seq);
/* Appends a line while a document is read. True if that filled the last chunk,
 * which the caller then closes. */
bool sequence_append(struct sequence *seq, struct line *line);
/* Computes the sums of the last chunk while it is in the CPU's cache. Returns
 * its slot. */
size_t sequence_close(struct sequence *seq);

/* Sets the problems of a line and updates the sums of its chunk. */
void sequence_set_problems(
    struct sequence *seq, struct line *line, uint8_t problems);

/* How a step refers to an earlier one: -n, f-n or s-n, s.-n, a.-n, T.-n. */
enum reference_kind { REF_DATA, REF_WAIT, REF_SYNC, REF_ADVANCE, REF_END };
/* Returns the next reference of a step as a number of steps back, 0 after the
 * last. *iterator begins at 0. kind may be NULL. */
static inline uint32_t
step_reference(
    const struct step *step, uint32_t *iterator, enum reference_kind *kind)
{
	enum reference_kind unused;

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
