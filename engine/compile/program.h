/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program: one or two documents compiled for a device. It never changes and
 * is shared by all clients that run it, by counted references. Steps have the
 * numbers of the text, from 0; those of a second document (-a) follow.
 */
#ifndef ENGINE_COMPILE_PROGRAM_H
#define ENGINE_COMPILE_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/nsec.h"
#include "engine/gpu/engine.h"
#include "engine/gpu/slot.h"
#include "engine/gpu/submission.h"
#include "parser/annotation.h"
#include "parser/diag.h"
#include "parser/document/document.h"
#include "parser/step.h"

#define NO_INDEX UINT32_MAX

/* A fence that a batch waits for by f-n or s-n. */
struct fence_use {
	uint32_t step;  /* a batch or an f */
	bool submit;    /* s-n: the start of the batch, else its end */
	bool software;  /* the step is an f */
	uint32_t fence; /* software: index among the f steps */
};

struct op_batch {
	uint32_t context; /* index in contexts */
	uint32_t ring;    /* index in rings */
	uint32_t output;  /* index of its own object, which is uses[0] */
	uint32_t n_uses, n_fences;
	uint32_t n_data; /* uses[1 .. n_data] are data dependencies (-d) */
	const struct object_use
	    *uses; /* its own output, those of the steps that
					  it depends on, working sets */
	const struct fence_use *fences;
	const struct duration *durations; /* scaled by -f */
	uint32_t n_durations; /* 1, or one for each row of a parallel step */
	uint64_t preempt_us;  /* X; 0: no preemption points */
	bool wait;
};

struct op {
	enum step_kind kind;
	union {
		struct op_batch batch;
		nsec delay;      /* d, p */
		uint32_t count;  /* t, q */
		uint32_t target; /* s, T: step; a: index of the fence */
		uint32_t fence;  /* f: index of the fence */
		struct {
			uint32_t context; /* P, S, X: index in contexts */
			int64_t value;    /* S: -1 resolved to all slices */
		} set;
	};
	uint32_t document; /* index of the document */
	uint32_t line;     /* index in that */
	uint32_t text_row; /* of its text, from 1: the line as users count */
};

/* The annotations of a batch, in order. */
struct batch_annotations {
	size_t n;
	struct annotation list[];
};

struct program {
	struct op *ops; /* one per step */
	uint32_t n_ops;
	struct context_def *contexts; /* by number */
	uint32_t n_contexts;
	struct ring_def *rings;
	uint32_t n_rings;
	uint32_t n_objects; /* outputs first, then private working sets */
	uint32_t n_shared;  /* objects of W sets */
	uint32_t n_fences;  /* f steps */
	uint32_t n_batches;
	uint32_t *periods; /* the indices of its p steps, ascending */
	uint32_t n_periods;
	bool uses_queue_depth; /* it has a q */
	bool mixed_balance;    /* it balances a map of several classes */
	uint32_t refusals;     /* rules by which the platform refuses steps,
				  a bit each (platform.h) */
	/* The annotations before each batch; NULL: none. layerstream/ records
	 * them. */
	const struct batch_annotations **annotations;
	unsigned refs;
	struct arena arena; /* owns all the lists */
};

struct platform_findings;
struct profile;
struct stop;

struct program_options {
	double duration_scale; /* -f; 1 */
	double delay_scale;    /* -F; 1 */
	uint32_t all_slices;   /* of the device */
	/* Steps that this platform refuses are warnings, one for each rule
	 * that is not in refusals_reported, or errors if the profile says so.
	 * NULL: none are refused. */
	const struct profile *platform;
	uint32_t refusals_reported;
	/* Gets all that the platform refuses or needs, in place of warnings;
	 * if platform is NULL, what any platform may refuse. NULL: nothing. */
	struct platform_findings *findings;
	/* Once it wants a stop, the result is NULL and nothing is reported.
	 * NULL: never. */
	const struct stop *stop;
};

/*
 * Compiles documents, in order, to one program with one reference. NULL: a
 * document has errors, or does not fit the device. diags[i] gets the errors and
 * warnings of docs[i] that are not the document's own. Keeps no pointers to the
 * documents.
 */
struct program *program_compile(const struct document *const *docs,
    unsigned n_docs, const struct device *dev,
    const struct program_options *options, struct diag_list *diags);
/* Drops the reference of program_compile(). NULL is allowed. */
void program_free(struct program *p);
/* Adds a reference and returns p. */
const struct program *program_ref(const struct program *p);
/* Drops a reference; the last frees the program. */
void program_unref(const struct program *p);

/* Returns the index of the context with that number; n_contexts: none. */
uint32_t program_find_context(const struct program *p, uint32_t number);

/*
 * Returns true if steps, contexts, engines and dependencies of two programs are
 * equal, so that a client at a step of one can continue at that step of the
 * other. Durations (also infinite ones), priorities, slice masks, preemption,
 * delays, periods and lines in the text may differ.
 */
bool program_same_shape(const struct program *p, const struct program *q);

#endif
