/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prepares an edit: collects hunks, maps step numbers, and rewrites the offsets
 * of lines so that they lead to the same steps after it.
 */
#include "parser/document/edit_plan.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/util.h"

static void
remap_free(struct remap *map)
{
	free(map->pieces);
	*map = (struct remap){0};
}

void
remap_add(struct remap *map, size_t from, int64_t delta, bool gone)
{
	/* A piece from the same step replaces the last one. */
	if (map->n && map->pieces[map->n - 1].from == from)
		map->n--;
	if (gone && map->n && map->pieces[map->n - 1].gone)
		return;
	map->pieces = mem_grow(
	    map->pieces, map->n, &map->cap, sizeof(*map->pieces));
	map->pieces[map->n++] = (struct remap_piece){from, delta, gone};
}

/* True if no step moves. */
static bool
remap_is_identity(const struct remap *map)
{
	for (size_t i = 0; i < map->n; i++)
		if (map->pieces[i].delta || map->pieces[i].gone)
			return false;
	return true;
}

/* Sets *to to the new number of a step; false if it is gone. */
static bool
remap_step(const struct remap *map, size_t step, size_t *to)
{
	/* Pieces that begin at or before the step. */
	size_t n = lower_bound(i, 0, map->n, map->pieces[i].from <= step);

	*to = step;
	if (n == 0)
		return true;
	*to = step + (size_t)map->pieces[n - 1].delta;
	return !map->pieces[n - 1].gone;
}

static struct line *
line_from_text(struct document *doc, const struct text *t, uint8_t separator)
{
	const char *copy = arena_copy(&doc->arena, text_str(t), t->len);
	struct raw_line raw;

	line_cut(&raw, copy, copy + t->len, doc->source);
	raw.separator = separator;
	return line_make(&doc->arena, &raw);
}

static void
add_field(struct text *t, const struct line *line, struct field old,
    const char *s, size_t len)
{
	const char *after = old.s + old.len;

	text_add(t, line->text, (size_t)(old.s - line->text));
	text_add(t, s, len);
	text_add(t, after, (size_t)(line->text + line->len - after));
}

struct line *
line_with_field(struct document *doc, const struct line *line, unsigned field,
    const char *s, size_t len)
{
	struct raw_line raw;
	struct text t = {0};
	struct line *made;

	line_recut(&raw, line, doc->source);
	add_field(&t, line, raw.fields[field], s, len);
	made = line_from_text(doc, &t, line->separator);
	text_free(&t);
	return made;
}

static bool
is_comment(const struct line *line)
{
	return line->kind == LINE_COMMENT || line->kind == LINE_ANNOTATION;
}

struct line *
line_with_separator(struct document *doc, struct line *line, uint8_t separator)
{
	struct line *made;

	/* In a file a comma would continue the comment. */
	if (separator == SEP_COMMA && is_comment(line) &&
	    doc->source == SOURCE_FILE)
		separator = SEP_NEWLINE;
	/* An empty line needs a separator to exist. */
	if (separator == SEP_NONE && !line->len)
		separator = SEP_NEWLINE;
	if (separator == line->separator &&
	    !(separator == SEP_NEWLINE && line->len &&
		line->text[line->len - 1] == '\r'))
		return line;
	made = arena_alloc(&doc->arena, sizeof(*made));
	*made = *line;
	made->chunk = NULL;
	made->separator = separator;
	if (separator == SEP_NEWLINE && line->len &&
	    line->text[line->len - 1] == '\r') {
		made->len--;
		made->separator = SEP_CRLF;
	}
	return made;
}

/* New offsets of the references of a line; 0: dropped. */
struct offsets {
	uint32_t *back;
	uint32_t n, n_dropped;
	bool changed, beyond;
};

static enum rewrite
find_offsets(const struct remap *map, const struct step *step, size_t number,
    struct offsets *o)
{
	uint32_t iterator = 0, back;
	size_t to = number;

	remap_step(map, number, &to);
	while ((back = step_reference(step, &iterator, NULL))) {
		uint32_t new = back;
		size_t target;

		if (back > number) {
			o->beyond |= to != number;
		} else if (!remap_step(map, number - back, &target)) {
			new = 0;
			o->n_dropped++;
		} else if (target >= to) {
			return REWRITE_FORWARD;
		} else {
			new = (uint32_t)(to - target);
		}
		o->changed |= new != back;
		if (o->back)
			o->back[o->n] = new;
		o->n++;
	}
	if (o->changed)
		return REWRITE_CHANGED;
	return o->beyond ? REWRITE_UNCHANGED : REWRITE_SAME;
}

/* Appends a dependency like "f-12" with another offset. */
static void
add_dependency(struct text *t, struct field part, uint32_t back)
{
	size_t head = part.s[0] == '-' ? 1 : 2;

	text_add(t, part.s, head);
	text_addf(t, "%u", back);
}

static bool
is_offset(struct field part)
{
	return part.s[0] == '-' || part.s[0] == 'f' || part.s[0] == 's';
}

static void
rewrite_dependencies(struct text *t, struct field f, const struct offsets *o)
{
	struct field rest = f, part;
	uint32_t i = 0;

	while (scan_part(&rest, '/', &part)) {
		bool offset = is_offset(part);
		uint32_t back = offset ? o->back[i++] : 0;

		if (offset && !back)
			continue;
		if (t->len)
			text_addc(t, '/');
		if (offset)
			add_dependency(t, part, back);
		else
			text_add(t, part.s, part.len);
	}
	if (!t->len)
		text_addc(t, '0');
}

static struct line *
line_with_offsets(
    struct document *doc, const struct line *line, const struct offsets *o)
{
	bool is_batch = line->step->kind == STEP_BATCH;
	struct raw_line raw;
	struct text t = {0};
	struct line *made;

	line_recut(&raw, line, doc->source);
	if (is_batch)
		rewrite_dependencies(&t, raw.fields[3], o);
	else
		text_addf(&t, "-%u", o->back[0]);
	made = line_with_field(
	    doc, line, is_batch ? 3 : 1, text_str(&t), t.len);
	text_free(&t);
	return made;
}

enum rewrite
remap_line(struct document *doc, const struct remap *map, struct line *line,
    size_t step, struct line **to)
{
	struct offsets o = {0};
	enum rewrite result;

	*to = line;
	if (!line->step)
		return REWRITE_SAME;
	result = find_offsets(map, line->step, step, &o);
	if (result != REWRITE_CHANGED)
		return result;
	if (o.n_dropped && line->step->kind != STEP_BATCH)
		return REWRITE_LOST;
	o.back = mem_calloc(o.n, sizeof(*o.back));
	o.n = 0;
	find_offsets(map, line->step, step, &o);
	*to = line_with_offsets(doc, line, &o);
	free(o.back);
	return REWRITE_CHANGED;
}

void
plan_init(struct edit_plan *plan, struct document *doc, struct text *err)
{
	*plan = (struct edit_plan){.doc = doc, .err = err};
}

static void
plan_free(struct edit_plan *plan)
{
	free(plan->hunks);
	remap_free(&plan->map);
}

bool
plan_refuse(struct edit_plan *plan, const char *fmt, ...)
{
	va_list ap;

	if (plan->err) {
		va_start(ap, fmt);
		text_addv(plan->err, fmt, ap);
		va_end(ap);
	}
	plan_free(plan);
	return false;
}

void
plan_hunk(struct edit_plan *plan, size_t at, size_t n_old,
    struct line *const *lines, size_t n_new)
{
	struct line **all = arena_array(
	    &plan->doc->arena, n_old + n_new, sizeof(struct line *));

	for (size_t i = 0; i < n_old; i++)
		all[i] = sequence_line(&plan->doc->seq, at + i);
	for (size_t i = 0; i < n_new; i++)
		all[n_old + i] = lines[i];
	plan->hunks = mem_grow(
	    plan->hunks, plan->n, &plan->cap, sizeof(*plan->hunks));
	plan->hunks[plan->n++] = (struct hunk){at, n_old, n_new, all};
}

/* True if lines of the slot may refer to a step before number last. */
static bool
slot_reaches(const struct chunk_slot *slot, size_t last)
{
	return slot->reach != INT64_MIN &&
	    (int64_t)slot->first_step - slot->reach < (int64_t)last;
}

static bool
slot_references(
    struct edit_plan *plan, const struct chunk_slot *slot, struct line **at)
{
	for (uint32_t k = 0; k < slot->n_lines; k++) {
		struct line *line = slot->chunk->lines[k], *to;
		size_t step = slot->first_step + slot->chunk->step_of_line[k];

		if (line->mark)
			continue;
		switch (remap_line(plan->doc, &plan->map, line, step, &to)) {
		case REWRITE_SAME:
		case REWRITE_LOST: break;
		case REWRITE_CHANGED:
		case REWRITE_UNCHANGED:
			plan_hunk(plan, slot->first_line + k, 1, &to, 1);
			break;
		case REWRITE_FORWARD: *at = line; return false;
		}
	}
	return true;
}

bool
plan_references(struct edit_plan *plan, struct line **line)
{
	const struct sequence *seq = &plan->doc->seq;
	const struct remap *map = &plan->map;
	size_t last;

	if (remap_is_identity(map))
		return true;
	last = map->pieces[map->n - 1].from;
	for (size_t i = sequence_slot_of_step(seq, map->pieces[0].from);
	     i < seq->n; i++)
		if (slot_reaches(&seq->slots[i], last) &&
		    !slot_references(plan, &seq->slots[i], line))
			return false;
	return true;
}

void
plan_separator(struct edit_plan *plan, size_t at, uint8_t separator)
{
	struct line *line = sequence_line(&plan->doc->seq, at), *made;

	for (size_t i = 0; i < plan->n; i++) {
		struct hunk *h = &plan->hunks[i];

		if (at < h->at || at >= h->at + h->n_old)
			continue;
		/* A removed line needs none. */
		if (h->n_new)
			h->lines[h->n_old + h->n_new - 1] = line_with_separator(
			    plan->doc, h->lines[h->n_old + h->n_new - 1],
			    separator);
		return;
	}
	made = line_with_separator(plan->doc, line, separator);
	if (made != line)
		plan_hunk(plan, at, 1, &made, 1);
}

void
plan_row_end(struct edit_plan *plan, size_t at, size_t n)
{
	const struct sequence *seq = &plan->doc->seq;
	uint8_t separator = sequence_line(seq, at + n - 1)->separator;

	if (at && separator != SEP_COMMA &&
	    sequence_line(seq, at - 1)->separator == SEP_COMMA)
		plan_separator(plan, at - 1, separator);
}

/* Sorts hunks by index; an insertion before the change of the same line. */
static int
compare_hunks(const void *a, const void *b)
{
	const struct hunk *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return (x->n_old > 0) - (y->n_old > 0);
}

bool
plan_commit(struct edit_plan *plan)
{
	struct arena *arena = &plan->doc->arena;
	struct change *change = arena_alloc(arena, sizeof(*change));

	if (!plan->n) {
		plan_free(plan);
		return true;
	}
	qsort(plan->hunks, plan->n, sizeof(*plan->hunks), compare_hunks);
	*change = (struct change){
	    .hunks = arena_array(arena, plan->n, sizeof(*plan->hunks)),
	    .n = plan->n,
	};
	memcpy(change->hunks, plan->hunks, plan->n * sizeof(*plan->hunks));
	plan_free(plan);
	change_apply(plan->doc, change, false);
	undo_note(&plan->doc->undo, change);
	return true;
}
