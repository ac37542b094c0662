/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lists of lines by context and by working set. Lists are compacted only when
 * they have to grow.
 */
#include "parser/document/document_private.h"

#include <stdlib.h>

#include "base/mem.h"

void
index_free(struct index *index)
{
	for (size_t i = 0; i < index->n_contexts; i++)
		free(index->contexts[i].steps.list);
	for (size_t i = 0; i < index->n_sets; i++) {
		free(index->sets[i].definitions.list);
		free(index->sets[i].users.list);
	}
	free(index->contexts);
	free(index->sets);
	map32_free(&index->context_map);
	map32_free(&index->set_map);
	*index = (struct index){0};
}

struct context_entry *
index_context(const struct index *index, uint32_t context)
{
	uint32_t i = map32_get(&index->context_map, context);

	return i == MAP32_NONE ? NULL : &index->contexts[i];
}

struct set_entry *
index_set(const struct index *index, uint32_t id)
{
	uint32_t i = map32_get(&index->set_map, id);

	return i == MAP32_NONE ? NULL : &index->sets[i];
}

static struct context_entry *
need_context(struct index *index, uint32_t context)
{
	struct context_entry *entry = index_context(index, context);

	if (entry)
		return entry;
	map32_add(&index->context_map, context, (uint32_t)index->n_contexts);
	index->contexts = mem_grow(index->contexts, index->n_contexts,
	    &index->cap_contexts, sizeof(*index->contexts));
	entry = &index->contexts[index->n_contexts++];
	*entry = (struct context_entry){.context = context};
	return entry;
}

static struct set_entry *
need_set(struct index *index, uint32_t id)
{
	struct set_entry *entry = index_set(index, id);

	if (entry)
		return entry;
	map32_add(&index->set_map, id, (uint32_t)index->n_sets);
	index->sets = mem_grow(
	    index->sets, index->n_sets, &index->cap_sets, sizeof(*index->sets));
	entry = &index->sets[index->n_sets++];
	*entry = (struct set_entry){.id = id};
	return entry;
}

/* Drops lines that have left the document, and duplicates. */
static void
compact_posting(struct posting *posting)
{
	size_t n = 0;

	for (size_t i = 0; i < posting->n; i++) {
		struct line *line = posting->list[i];

		if (!line->chunk || line->mark)
			continue;
		line->mark = true;
		posting->list[n++] = line;
	}
	posting->n = n;
	for (size_t i = 0; i < n; i++)
		posting->list[i]->mark = false;
}

static void
list_line(struct posting *posting, struct line *line)
{
	if (posting->n && posting->list[posting->n - 1] == line)
		return;
	if (posting->n == posting->cap) {
		compact_posting(posting);
		if (posting->n >= posting->cap / 2)
			posting->list = mem_grow(posting->list, posting->cap,
			    &posting->cap, sizeof(struct line *));
	}
	posting->list[posting->n++] = line;
}

static void
add_batch(struct index *index, struct line *line)
{
	const struct step *step = line->step;

	if (step->batch.n_durations > 1)
		list_line(&need_context(index, step->context)->steps, line);
	for (uint32_t i = 0; i < step->batch.n_deps; i++)
		if (step->batch.deps[i].kind >= DEP_READ)
			list_line(
			    &need_set(index, step->batch.deps[i].set)->users,
			    line);
}

void
index_add(struct index *index, struct line *line)
{
	switch (line->step->kind) {
	case STEP_BATCH: add_batch(index, line); break;
	case STEP_SET:
	case STEP_SHARED_SET:
		list_line(
		    &need_set(index, line->step->set.id)->definitions, line);
		break;
	default:
		if (step_has_context(line->step))
			list_line(
			    &need_context(index, line->step->context)->steps,
			    line);
		break;
	}
}

static void
keep_first(const struct sequence *seq, struct line **first, struct line *line)
{
	if (!*first || sequence_index(seq, line) < sequence_index(seq, *first))
		*first = line;
}

void
index_refresh_context(const struct sequence *seq, struct context_entry *entry)
{
	entry->map = entry->balance = entry->parallel = NULL;
	for (size_t i = 0; i < entry->steps.n; i++) {
		struct line *line = entry->steps.list[i];

		if (!line->chunk)
			continue;
		switch (line->step->kind) {
		case STEP_MAP: keep_first(seq, &entry->map, line); break;
		case STEP_BALANCE:
			keep_first(seq, &entry->balance, line);
			break;
		case STEP_PARALLEL:
			keep_first(seq, &entry->parallel, line);
			break;
		default: break;
		}
	}
}

void
index_refresh_set(const struct sequence *seq, struct set_entry *entry)
{
	entry->definition = NULL;
	for (size_t i = 0; i < entry->definitions.n; i++)
		if (entry->definitions.list[i]->chunk)
			keep_first(seq, &entry->definition,
			    entry->definitions.list[i]);
	entry->n_objects = entry->definition
	    ? entry->definition->step->set.n_objects
	    : 0;
}
