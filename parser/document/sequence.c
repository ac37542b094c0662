/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines in chunks, and the table of their sums: lookups by binary search,
 * splices that split and drop chunks, sums recomputed for chunks that changed.
 */
#include "parser/document/sequence.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/util.h"

/* Lines in a new chunk, which leave room for insertions. */
#define CHUNK_FILL (CHUNK_LINES - CHUNK_LINES / 8)

void
sequence_init(struct sequence *seq)
{
	seq->n = 0;
	seq->cap = 8;
	seq->slots = mem_calloc(seq->cap, sizeof(*seq->slots));
}

void
sequence_free(struct sequence *seq)
{
	for (size_t i = 0; i < seq->n; i++)
		free(seq->slots[i].chunk);
	free(seq->slots);
	*seq = (struct sequence){0};
}

size_t
sequence_n_lines(const struct sequence *seq)
{
	return seq->slots[seq->n].first_line;
}

size_t
sequence_n_steps(const struct sequence *seq)
{
	return seq->slots[seq->n].first_step;
}

/* Returns the slot of a line if all chunks have equally many, as they do after
 * reading. */
static size_t
guess_slot(const struct sequence *seq, size_t index)
{
	size_t n_lines = seq->slots[seq->n].first_line;

	return n_lines > 0 ? index * seq->n / n_lines : 0;
}

/* Returns the last slot that begins at or before line index. */
static size_t
slot_of_line(const struct sequence *seq, size_t index)
{
	size_t first = 0, guess = guess_slot(seq, index);

	if (guess < seq->n && seq->slots[guess].first_line <= index) {
		first = guess;
		if (index < seq->slots[guess + 1].first_line)
			return guess;
	}
	return lower_bound(
		   i, first + 1, seq->n, seq->slots[i].first_line <= index) -
	    1;
}

size_t
sequence_slot_of_step(const struct sequence *seq, size_t step)
{
	return lower_bound(i, 1, seq->n, seq->slots[i].first_step <= step) - 1;
}

struct line *
sequence_line(const struct sequence *seq, size_t index)
{
	const struct chunk_slot *slot = &seq->slots[slot_of_line(seq, index)];

	return slot->chunk->lines[index - slot->first_line];
}

size_t
sequence_index(const struct sequence *seq, const struct line *line)
{
	return seq->slots[line->chunk->slot].first_line + line->local;
}

struct line *
sequence_line_of_step(const struct sequence *seq, size_t step)
{
	const struct chunk_slot *slot =
	    &seq->slots[sequence_slot_of_step(seq, step)];
	const struct chunk *chunk = slot->chunk;

	return chunk->lines[chunk->line_of_step[step - slot->first_step]];
}

static bool
line_ends_row(const struct line *line)
{
	return line->separator == SEP_NEWLINE || line->separator == SEP_CRLF;
}

static size_t
line_bytes(const struct line *line)
{
	return line->len + separator_length(line->separator);
}

void
sequence_position(const struct sequence *seq, const struct line *line,
    size_t *row, size_t *column)
{
	const struct chunk *chunk = line->chunk;
	const struct chunk_slot *slot = &seq->slots[chunk->slot];
	size_t at = slot->first_byte, begin = slot->row_start;

	*row = slot->first_row;
	for (size_t i = 0; i < line->local; i++) {
		at += line_bytes(chunk->lines[i]);
		if (line_ends_row(chunk->lines[i])) {
			++*row;
			begin = at;
		}
	}
	*column = at - begin;
}

static void
count_reach(struct chunk_slot *slot, const struct step *step)
{
	uint32_t iterator = 0, back;

	while ((back = step_reference(step, &iterator, NULL))) {
		int64_t reach = (int64_t)back - (int64_t)slot->n_steps;

		if (reach > slot->reach)
			slot->reach = reach;
	}
}

static void
count_problems(struct chunk_slot *slot, uint8_t problems, int change)
{
	slot->n_errors += (problems & PROBLEM_ERRORS ? 1u : 0u) *
	    (uint32_t)change;
	slot->n_warnings += (problems & PROBLEM_WARNINGS ? 1u : 0u) *
	    (uint32_t)change;
}

static void
count_step(struct chunk_slot *slot, const struct step *step)
{
	count_reach(slot, step);
	if (step->kind == STEP_THROTTLE && step->count > slot->throttle)
		slot->throttle = step->count;
}

static void
count_chunk(struct chunk_slot *slot)
{
	struct chunk *chunk = slot->chunk;

	slot->n_steps = slot->n_rows = 0;
	slot->n_errors = slot->n_warnings = slot->throttle = 0;
	slot->n_annotations = slot->n_batches = 0;
	slot->n_suspended = slot->n_resumes = 0;
	slot->n_bytes = 0;
	slot->reach = INT64_MIN;
	for (uint32_t i = 0; i < slot->n_lines; i++) {
		struct line *line = chunk->lines[i];

		line->chunk = chunk;
		line->local = (uint16_t)i;
		chunk->step_of_line[i] = (uint16_t)slot->n_steps;
		slot->n_bytes += line_bytes(line);
		if (line_ends_row(line)) {
			slot->n_rows++;
			slot->last_row = slot->n_bytes;
		}
		count_problems(slot, line->problems, 1);
		slot->n_annotations += line->kind == LINE_ANNOTATION;
		slot->n_suspended += line->pass == PASS_BEGINS;
		slot->n_resumes += line->pass == PASS_RESUMES;
		slot->n_batches += line_may_be_batch(line);
		if (line->step)
			count_step(slot, line->step);
		if (line_counts(line))
			chunk->line_of_step[slot->n_steps++] = (uint16_t)i;
	}
	slot->dirty = false;
}

void
sequence_set_problems(struct sequence *seq, struct line *line, uint8_t problems)
{
	struct chunk_slot *slot = &seq->slots[line->chunk->slot];

	count_problems(slot, line->problems, -1);
	count_problems(slot, problems, 1);
	line->problems = problems;
}

/* Computes the sums before the next slot. */
static void
sum_up(struct chunk_slot *slot)
{
	slot[1].first_line = slot->first_line + slot->n_lines;
	slot[1].first_step = slot->first_step + slot->n_steps;
	slot[1].first_row = slot->first_row + slot->n_rows;
	slot[1].first_byte = slot->first_byte + slot->n_bytes;
	slot[1].first_suspended = slot->first_suspended + slot->n_suspended;
	slot[1].row_start = slot->n_rows ? slot->first_byte + slot->last_row
					 : slot->row_start;
}

void
sequence_refresh(struct sequence *seq)
{
	for (size_t i = 0; i < seq->n; i++) {
		if (seq->slots[i].dirty)
			count_chunk(&seq->slots[i]);
		sum_up(&seq->slots[i]);
	}
}

/* Updates first_line from slot i on, and the chunks' indices if slots moved, so
 * that sequence_line() works before the next refresh. */
static void
recount_lines(struct sequence *seq, size_t i, bool moved)
{
	for (; i < seq->n; i++) {
		struct chunk_slot *slot = &seq->slots[i];

		if (moved)
			slot->chunk->slot = i; /* NOLINT: it is not freed */
		slot[1].first_line = slot->first_line + slot->n_lines;
	}
}

/* Adds n empty chunks at slot i. */
static void
add_chunks(struct sequence *seq, size_t i, size_t n)
{
	struct chunk_slot before = seq->slots[i];

	while (seq->cap < seq->n + n + 1)
		seq->slots = mem_grow(
		    seq->slots, seq->cap, &seq->cap, sizeof(*seq->slots));
	memmove(seq->slots + i + n, seq->slots + i,
	    (seq->n + 1 - i) * sizeof(*seq->slots));
	for (size_t k = i; k < i + n; k++) {
		seq->slots[k] = (struct chunk_slot){
		    .chunk = mem_realloc(NULL, 1, sizeof(struct chunk)),
		    .first_line = before.first_line,
		    .first_step = before.first_step,
		    .first_row = before.first_row,
		    .first_byte = before.first_byte,
		    .row_start = before.row_start,
		    .first_suspended = before.first_suspended,
		    .dirty = true,
		};
		seq->slots[k].chunk->slot = k;
	}
	seq->n += n;
}

/* Removes n slots, whose chunks are empty, from the table. */
static void
remove_chunks(struct sequence *seq, size_t i, size_t n)
{
	struct chunk_slot before = seq->slots[i];

	for (size_t k = i; k < i + n; k++)
		free(seq->slots[k].chunk);
	memmove(seq->slots + i, seq->slots + i + n,
	    (seq->n + 1 - i - n) * sizeof(*seq->slots));
	seq->n -= n;
	seq->slots[i].first_line = before.first_line;
	seq->slots[i].first_step = before.first_step;
	seq->slots[i].first_row = before.first_row;
	seq->slots[i].first_byte = before.first_byte;
	seq->slots[i].row_start = before.row_start;
	seq->slots[i].first_suspended = before.first_suspended;
}

static void
remove_lines(struct sequence *seq, size_t index, size_t n)
{
	size_t first = slot_of_line(seq, index), i = first;
	size_t local = index - seq->slots[i].first_line;
	size_t empty = 0, n_empty = 0;

	for (; n; i++) {
		struct chunk_slot *slot = &seq->slots[i];
		struct line **lines = slot->chunk->lines;
		size_t here = slot->n_lines - local;

		if (here > n)
			here = n;
		memmove(lines + local, lines + local + here,
		    (slot->n_lines - local - here) * sizeof(*lines));
		slot->n_lines -= (uint32_t)here;
		slot->dirty = true;
		n -= here;
		local = 0;
		if (!slot->n_lines && !n_empty++)
			empty = i;
	}
	if (n_empty)
		remove_chunks(seq, empty, n_empty);
	recount_lines(seq, first, n_empty);
}

/* Moves the lines of chunk i from local on to a new chunk after it. */
static void
split_chunk(struct sequence *seq, size_t i, size_t local)
{
	struct chunk_slot *left, *right;

	add_chunks(seq, i + 1, 1);
	left = &seq->slots[i];
	right = left + 1;
	right->n_lines = left->n_lines - (uint32_t)local;
	memcpy(right->chunk->lines, left->chunk->lines + local,
	    right->n_lines * sizeof(*right->chunk->lines));
	left->n_lines = (uint32_t)local;
	left->dirty = true;
}

/* Inserts n lines at local into a chunk that has room for them. */
static void
put_in_chunk(
    struct chunk_slot *slot, size_t local, struct line *const *lines, size_t n)
{
	struct line **at = slot->chunk->lines + local;

	memmove(at + n, at, (slot->n_lines - local) * sizeof(*at));
	memcpy(at, lines, n * sizeof(*at));
	slot->n_lines += (uint32_t)n;
	slot->dirty = true;
}

/* Inserts n lines after chunk i, in new chunks. */
static void
put_in_new_chunks(
    struct sequence *seq, size_t i, struct line *const *lines, size_t n)
{
	add_chunks(seq, i + 1, (n + CHUNK_FILL - 1) / CHUNK_FILL);
	while (n) {
		size_t here = n < CHUNK_FILL ? n : CHUNK_FILL;

		put_in_chunk(&seq->slots[++i], 0, lines, here);
		lines += here;
		n -= here;
	}
}

static void
insert_lines(
    struct sequence *seq, size_t index, struct line *const *lines, size_t n)
{
	size_t before = seq->n, i, first, local;

	if (!seq->n)
		add_chunks(seq, 0, 1);
	first = i = slot_of_line(seq, index);
	local = index - seq->slots[i].first_line;
	if (seq->slots[i].n_lines + n <= CHUNK_LINES) {
		put_in_chunk(&seq->slots[i], local, lines, n);
	} else if (n <= CHUNK_LINES / 2) {
		split_chunk(seq, i, CHUNK_LINES / 2);
		if (local > CHUNK_LINES / 2) {
			local -= CHUNK_LINES / 2;
			i++;
		}
		put_in_chunk(&seq->slots[i], local, lines, n);
	} else {
		if (local < seq->slots[i].n_lines)
			split_chunk(seq, i, local);
		put_in_new_chunks(seq, i, lines, n);
	}
	recount_lines(seq, first, seq->n != before);
}

void
sequence_splice(struct sequence *seq, size_t index, size_t n_old,
    struct line *const *lines, size_t n_new)
{
	size_t same = n_old < n_new ? n_old : n_new;

	for (size_t k = 0; k < same; k++) {
		struct chunk_slot *slot =
		    &seq->slots[slot_of_line(seq, index + k)];

		slot->chunk->lines[index + k - slot->first_line] = lines[k];
		slot->dirty = true;
	}
	if (n_old > same)
		remove_lines(seq, index + same, n_old - same);
	if (n_new > same)
		insert_lines(seq, index + same, lines + same, n_new - same);
}

bool
sequence_append(struct sequence *seq, struct line *line)
{
	struct chunk_slot *slot;

	if (!seq->n || seq->slots[seq->n - 1].n_lines == CHUNK_FILL)
		add_chunks(seq, seq->n, 1);
	slot = &seq->slots[seq->n - 1];
	slot->chunk->lines[slot->n_lines++] = line;
	return slot->n_lines == CHUNK_FILL;
}

size_t
sequence_close(struct sequence *seq)
{
	struct chunk_slot *slot = &seq->slots[seq->n - 1];

	count_chunk(slot);
	sum_up(slot);
	return seq->n - 1;
}
