/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to the compiler: a program in the making, and what its files do for
 * it.
 */
#ifndef ENGINE_COMPILE_COMPILE_H
#define ENGINE_COMPILE_COMPILE_H

#include "engine/compile/program.h"

/* A step of one of the documents, and its place. */
struct source_step {
	const struct step *step;
	uint32_t document;
	uint32_t line;
	uint32_t base; /* number of the document's first step */
};

/* How the engines of a context were written, beside its context_def. */
struct context_source {
	const struct source_step *map;      /* the last M; NULL */
	const struct source_step *parallel; /* G; NULL */
	bool map_repeats;                   /* it names an engine twice */
	uint8_t first_engine; /* first in the text, of the map or the rows */
	engine_mask used;     /* fixed engines that batches name */
	bool used_virtual;
	uint64_t preempt_us; /* X in force, while walking */
};

struct compiler {
	struct program *program;
	struct source_step *steps; /* program->n_ops of them */
	const struct document *const *docs;
	unsigned n_docs;
	const struct device *dev;
	const struct program_options *options;
	struct diag_list *diags;         /* one per document */
	struct context_source *contexts; /* beside program->contexts */
	uint64_t n_uses;                 /* of objects, by all batches */
	bool failed;
	bool stopped; /* by options->stop */
};

/* compile.c: return n * size bytes that belong to the program: zeroed ones, or
 * a copy. Never NULL. */
void *compile_alloc(struct compiler *c, size_t n, size_t size);
void *compile_copy(struct compiler *c, const void *from, size_t n, size_t size);
/* Reports at a field of a step, counted from 0; an error fails the program. */
void compile_report(struct compiler *c, const struct source_step *s,
    enum severity severity, unsigned field, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
/* Reports that the device has no such engine, and lists those that it has. */
void compile_no_engine(struct compiler *c, const struct source_step *s,
    unsigned field, struct engine_name name);
/* Appends the names of engines, each after a blank. */
void compile_add_engines(
    const struct compiler *c, engine_mask engines, struct text *out);

/* compile_maps.c: resolves maps, load balancing, bonds and parallel slots. */
void compile_maps(struct compiler *c);

/* platform.c: reports the steps that the platform refuses. */
void compile_platform(struct compiler *c);

/* compile_engine.c: the engine of a batch, then the rings. */
struct engine_choice {
	bool is_virtual;
	uint8_t engine;  /* if not virtual */
	bool is_outside; /* its name is not in the map of the context */
};
/* False: the batch can't run, and why is reported. */
bool compile_choose_engine(struct compiler *c, const struct source_step *s,
    struct engine_choice *choice);
/* Warns of a batch whose choice is_outside. */
void compile_warn_outside(struct compiler *c, const struct source_step *s);
/* Makes a ring for each context and engine, or virtual engine, that batches
 * use. */
void compile_rings(struct compiler *c);
/* Returns the index of the ring for a choice. */
uint32_t compile_find_ring(
    const struct compiler *c, uint32_t context, struct engine_choice choice);

/* compile_objects.c: the objects of working sets, and their uses. */
struct object_space;
/* Numbers all objects. The caller frees the result with
 * compile_objects_free(). */
struct object_space *compile_objects(struct compiler *c);
void compile_objects_free(struct object_space *space);
/* Sets the uses of a batch, n_uses and n_data. */
void compile_uses(struct compiler *c, struct object_space *space,
    const struct source_step *s, struct op_batch *batch);

#endif
