/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The model of an imported trace: descriptors that are inferred from it, which
 * scheduler and profile come nearest, and how near (doc/model/import.md
 * "Models").
 */
#ifndef RUN_IMPORT_MODEL_H
#define RUN_IMPORT_MODEL_H

#include "engine/profile.h"
#include "run/import/fidelity.h"
#include "trace/import/import.h"

struct plan;
struct stop;

struct import_model_options {
	const char *scheduler; /* NULL: the nearest */
	const char *profile;   /* name or file; NULL: the nearest */
	uint32_t seed;
	const struct stop *stop; /* NULL: never */
};

struct import_model {
	struct infer_result inferred;
	char **names; /* of the descriptors, by index */
	nsec *begins; /* their first submissions in the model */
	char *scheduler;
	char *profile_name;     /* as it is given to --profile */
	struct profile profile; /* with all engines that are needed */
	bool has_own_engines;   /* it has more than that of that name */
	nsec span_ns;
	struct fidelity fidelity;
	/* The model did much more than the trace, and was stopped. */
	bool is_cut;
};

/* Infers descriptors, and runs them. False: err says why not. The caller frees
 * the model with import_model_free() either way. */
bool import_model_find(struct import_model *m, const struct imported *trace,
    const struct import_model_options *options, struct text *err);
void import_model_free(struct import_model *m);

#endif
