/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to the compiler (program.c, compile_*.c): a program in the making.
 */
#ifndef ENGINE_COMPILE_COMPILE_H
#define ENGINE_COMPILE_COMPILE_H

#include "engine/compile/program.h"

/* A step of one of the documents, and where it stands. */
struct source_step {
	const struct step *step;
	uint32_t document;
	uint32_t line;
	uint32_t base; /* number of the document's first step */
};

/* How a context's engines were written; beside its context_def. */
struct context_source {
	const struct source_step *map;      /* the last M; NULL */
	const struct source_step *parallel; /* G; NULL */
	bool map_repeats;                   /* names an engine twice */
	uint8_t first_engine; /* of the map, or of the rows, as written */
	engine_mask used;     /* engines that batches name, fixed */
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
	uint64_t n_uses;                 /* over all batches: bounded */
	bool failed;
	bool stopped; /* by options->stop */
};

/* compile.c: zeroed memory of the program, n * size bytes, and a copy in it;
 * never NULL. */
void *compile_alloc(struct compiler *c, size_t n, size_t size);
void *compile_copy(struct compiler *c, const void *from, size_t n, size_t size);
/* Reports at a field (or dependency) of a step; an error fails the program. */
void compile_report(struct compiler *c, const struct source_step *s,
    enum severity severity, unsigned field, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
/* Reports an engine that the device has not, and those that it has. */
void compile_no_engine(struct compiler *c, const struct source_step *s,
    unsigned field, struct engine_name name);
/* Appends their names, a blank before each. */
void compile_add_engines(
    const struct compiler *c, engine_mask engines, struct text *out);

/* compile_maps.c: contexts' maps, balancing, bonds and parallel slots. */
void compile_maps(struct compiler *c);

/* compile_platform.c: what the platform refuses of all steps. */
void compile_platform(struct compiler *c);

/* compile_engine.c: which engine a batch names; then the rings. */
struct engine_choice {
	bool is_virtual;
	uint8_t engine;  /* when fixed */
	bool is_outside; /* the name is not in the map of the context */
};
/* False: it reported why the batch can't run. */
bool compile_choose_engine(struct compiler *c, const struct source_step *s,
    struct engine_choice *choice);
/* Warns of a batch whose choice is outside. */
void compile_warn_outside(struct compiler *c, const struct source_step *s);
void compile_rings(struct compiler *c);
uint32_t compile_find_ring(
    const struct compiler *c, uint32_t context, struct engine_choice choice);

/* compile_objects.c: objects of working sets, and who uses what. */
struct object_space;
struct object_space *compile_objects(struct compiler *c);
void compile_objects_free(struct object_space *space);
/* Fills uses, data and n_* of a batch. */
void compile_uses(struct compiler *c, struct object_space *space,
    const struct source_step *s, struct op_batch *batch);

#endif
