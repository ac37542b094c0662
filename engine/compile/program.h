/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program: a checked document compiled for a device. Immutable, but for the
 * count of those who hold it; shared by all clients that run it. Steps keep the numbers that they have in the text
 * (those of a second document, -a, follow).
 */
#ifndef ENGINE_COMPILE_PROGRAM_H
#define ENGINE_COMPILE_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/nsec.h"
#include "engine/gpu/engine.h"
#include "parser/annotation.h"
#include "parser/diag.h"
#include "parser/document/document.h"
#include "parser/step.h"

#define NO_INDEX UINT32_MAX

/* Where a context's requests may run while the master runs the signaler of
 * their submit fence (doc/model/language.md "Bonds"). One of each master. */
struct bond {
	uint8_t master;       /* engine index */
	engine_mask siblings; /* of this context */
};

/* What a descriptor says of one context, resolved. */
struct context_def {
	uint32_t number; /* as in the text */
	engine_mask map; /* 0: no map */
	bool balanced;   /* B */
	bool is_virtual; /* B, and two engines or more in the map */
	uint32_t n_bonds;
	struct bond *bonds;
	uint32_t n_rows;     /* G: width; 0: no parallel slot */
	uint32_t n_siblings; /* G: placements of a row */
	uint8_t *rows;       /* G: engine indices, row by row */
	uint32_t n_batches;
	uint32_t first_ring; /* its rings: first_ring .. + n_rings */
	uint32_t n_rings;
};

/* A ring (timeline) is one (context, engine) that batches are sent to. */
struct ring_def {
	uint32_t context; /* index of the context_def */
	bool is_virtual;
	uint8_t engine;      /* fixed, or first of the map: list of q */
	engine_mask engines; /* where its requests may run */
};

/* An object that a batch reads or writes: its own output, outputs of the
 * steps it depends on, objects of working sets. Each is named once. */
struct object_use {
	uint32_t object; /* index in the client's, or the workload's shared */
	bool shared;
	bool write;
};

/* A fence that a batch waits for explicitly. */
struct fence_use {
	uint32_t step;  /* batch or f */
	bool submit;    /* s-n: its start; else its end */
	bool software;  /* the step is an f */
	uint32_t fence; /* software: index of the f among the f steps */
};

struct op_batch {
	uint32_t context; /* index in contexts */
	uint32_t ring;    /* index in rings */
	uint32_t output;  /* its own object: always uses[0] */
	uint32_t n_uses, n_fences;
	uint32_t n_data; /* uses[1 .. n_data] are data dependencies (-d) */
	const struct object_use *uses;
	const struct fence_use *fences;
	const struct duration *durations; /* scaled; of all rows, or each */
	uint32_t n_durations;
	uint64_t preempt_us; /* X in force; 0: no preemption points */
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
			uint32_t context; /* P, S: index in contexts */
			int64_t value;    /* S: -1 resolved to all slices */
		} set;
	};
	uint32_t document; /* which document, and the line there */
	uint32_t line;
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
	bool uses_queue_depth; /* has a q */
	bool mixed_balance;    /* a balanced map of several classes */
	uint32_t refusals;     /* rules by which the platform refuses a step */
	/* The annotations before each batch; NULL: none. layerstream/ records
	 * them. */
	const struct batch_annotations **annotations;
	unsigned refs;
	struct arena arena; /* owns everything above */
};

struct platform_findings;
struct profile;
struct stop;

struct program_options {
	double duration_scale; /* -f; 1 */
	double delay_scale;    /* -F; 1 */
	uint32_t all_slices;   /* of the device */
	/* The platform, which refuses steps, as warnings (one for each rule
	 * that was not reported already) or, where it says so, as errors; NULL:
	 * nothing. */
	const struct profile *platform;
	uint32_t refusals_told;
	/* Not NULL: gets all that the platform refuses or needs, in place of
	 * warnings; with platform NULL what any may. */
	struct platform_findings *findings;
	/* Not NULL: once it says so, the result is NULL and nothing is
	 * reported. */
	const struct stop *stop;
};

/*
 * Compiles documents, in order, into one program. NULL if a document has
 * errors or does not fit the device; diags[i] then says what the device has
 * against docs[i] (warnings are added there too), beside the document's own
 * diagnostics. The documents are not kept.
 */
struct program *program_compile(const struct document *const *docs,
    unsigned n_docs, const struct device *dev,
    const struct program_options *options, struct diag_list *diags);
/* Of who compiled it: it goes when nobody holds it any more. */
void program_free(struct program *p);
/* Holds it. */
const struct program *program_ref(const struct program *p);
void program_unref(const struct program *p);

/* Returns the index of the context with that number; n_contexts: none. */
uint32_t program_find_context(const struct program *p, uint32_t number);

/* Are two programs the same but for figures? */

struct program;

/*
 * The same steps, contexts, engines and dependencies. Durations (infinite ones
 * too), priorities, slice masks, preemption, delays, periods, and where steps
 * stand in the text may differ: then a client that is at a step of one is at
 * the same place in the other.
 */
bool program_same_shape(const struct program *p, const struct program *q);

#endif
