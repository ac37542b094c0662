/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Versions of documents: which line of the document each step of a program was.
 * Versions are sorted by program, and freed some time after only this holds the
 * program.
 */
#include "run/versions.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/util.h"

static struct context_facts *
make_facts(const struct program *program)
{
	struct context_facts *facts = mem_calloc(
	    program->n_contexts + 1u, sizeof(*facts));

	for (uint32_t i = 0; i < program->n_ops; i++) {
		const struct op *op = &program->ops[i];
		struct context_facts *f;
		uint64_t us = op->batch.preempt_us;

		if (op->kind != STEP_BATCH)
			continue;
		f = &facts[op->batch.context];
		if (!f->any || us < f->preempt_min_us)
			f->preempt_min_us = us;
		if (!f->any || us > f->preempt_max_us)
			f->preempt_max_us = us;
		f->any = true;
	}
	return facts;
}

static struct version *
version_new(const struct program *program, struct versioned *of)
{
	struct version *version = mem_calloc(1, sizeof(*version));
	size_t n = program->n_ops;

	if (n < document_n_steps(of->doc))
		n = document_n_steps(of->doc);
	*version = (struct version){
	    .program = program_ref(program),
	    .of = of,
	    .lines = mem_calloc(n + 1, sizeof(struct line *)),
	    .facts = make_facts(program),
	};
	document_list_steps(of->doc, version->lines);
	return version;
}

static void
version_free(struct version *version)
{
	program_unref(version->program);
	free(version->lines);
	free(version->facts);
	free(version);
}

void
versions_free(struct versions *v)
{
	for (size_t i = 0; i < v->n; i++)
		version_free(v->list[i]);
	for (size_t i = 0; i < v->n_docs; i++) {
		free(v->docs[i]->done);
		free(v->docs[i]);
	}
	free(v->list);
	free(v->docs);
	*v = (struct versions){0};
}

uint32_t
version_identity(const struct version *version, uint32_t step)
{
	const struct line *line = version->lines[step];

	return line != NULL ? document_identity(version->of->doc, line) : 0;
}

bool
version_step_now(const struct version *version, uint32_t step, size_t *now)
{
	const struct document *doc = version->of->doc;
	const struct line *line = document_identified(
	    doc, version_identity(version, step));
	size_t index;

	if (!document_line_index(doc, line, &index) ||
	    document_line_kind(doc, index) != LINE_STEP)
		return false;
	*now = document_step_of_line(doc, index);
	return true;
}

struct versioned *
versions_of(const struct versions *v, const struct document *doc)
{
	for (size_t i = 0; i < v->n_docs; i++)
		if (v->docs[i]->doc == doc)
			return v->docs[i];
	return NULL;
}

/* The document's entry, made if it is new, with a counter for each line. */
static struct versioned *
take_document(struct versions *v, const struct document *doc)
{
	struct versioned *of = versions_of(v, doc);
	size_t n = document_n_identities(doc) + 1u;

	if (of == NULL) {
		of = mem_calloc(1, sizeof(*of));
		of->doc = doc;
		v->docs = mem_grow(
		    v->docs, v->n_docs, &v->cap_docs, sizeof(*v->docs));
		v->docs[v->n_docs++] = of;
	}
	if (n > of->n_done) {
		of->done = mem_realloc(of->done, n, sizeof(*of->done));
		memset(of->done + of->n_done, 0,
		    (n - of->n_done) * sizeof(*of->done));
		of->n_done = n;
	}
	return of;
}

/* Unused versions that are kept, and the steps that they may have together. */
#define KEPT_UNUSED 64
#define KEPT_STEPS  100000

static bool
is_unused(const struct version *version)
{
	return version->program->refs == 1;
}

/* Returns the index of the unused version that was added first; v->n: none.
 * Counts them and their steps. */
static size_t
oldest_unused(const struct versions *v, size_t *n, size_t *n_steps)
{
	size_t oldest = v->n;

	*n = *n_steps = 0;
	for (size_t i = 0; i < v->n; i++) {
		const struct version *version = v->list[i];

		if (!is_unused(version))
			continue;
		++*n;
		*n_steps += version->program->n_ops;
		if (oldest == v->n || version->number < v->list[oldest]->number)
			oldest = i;
	}
	return oldest;
}

static void
forget_version(struct versions *v, size_t i)
{
	struct version *version = v->list[i];

	if (version_is_newest(version))
		version->of->newest = NULL;
	version_free(version);
	memmove(v->list + i, v->list + i + 1, (--v->n - i) * sizeof(*v->list));
}

/* Keeps the latest: ended requests of them can still be named. */
static void
forget_unused(struct versions *v)
{
	size_t n, n_steps, oldest = oldest_unused(v, &n, &n_steps);

	while (n > KEPT_UNUSED || n_steps > KEPT_STEPS) {
		forget_version(v, oldest);
		oldest = oldest_unused(v, &n, &n_steps);
	}
}

/* The index of program, or where it is to be inserted. */
static size_t
version_place(const struct versions *v, const struct program *program)
{
	return lower_bound(
	    i, 0, v->n, (uintptr_t)v->list[i]->program < (uintptr_t)program);
}

struct version *
versions_find(const struct versions *v, const struct program *program)
{
	size_t i = version_place(v, program);

	return i < v->n && v->list[i]->program == program ? v->list[i] : NULL;
}

static void
insert_version(struct versions *v, struct version *version)
{
	size_t i;

	forget_unused(v);
	version->number = v->n_added++;
	i = version_place(v, version->program);
	v->list = mem_grow(v->list, v->n, &v->cap, sizeof(*v->list));
	memmove(v->list + i + 1, v->list + i, (v->n - i) * sizeof(*v->list));
	v->list[i] = version;
	v->n++;
}

struct version *
versions_add(struct versions *v, const struct program *program,
    const struct document *doc)
{
	struct version *version = versions_find(v, program);

	if (version == NULL) {
		version = version_new(program, take_document(v, doc));
		insert_version(v, version);
	}
	v->generation += !version_is_newest(version);
	version->of->newest = version;
	return version;
}
