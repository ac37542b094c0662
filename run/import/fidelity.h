/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How well descriptors do what the trace did that they are inferred from: figures
 * of both, side by side, with a verdict each (doc/model/import.md "Fidelity").
 */
#ifndef RUN_IMPORT_FIDELITY_H
#define RUN_IMPORT_FIDELITY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "run/import/side.h"

struct fidelity_row {
	char *what; /* "busy.RCS", "rate.game" */
	double trace, model;
	bool has_model;
	/* In points of busyness and order, else percent of the trace's. */
	double difference;
	bool ok;
};

struct fidelity {
	struct fidelity_row *rows;
	size_t n, cap, n_poor;
	double badness; /* sum of the differences that count; 0: none */
	/* Percent of the ends that follow others on their engines: decides among
	 * models that are as near. */
	double unlike;
};

/* names[i] is that of the descriptor clients[i]. The caller frees it with fidelity_free(). */
void fidelity_compare(struct fidelity *f, const struct side_figures *trace,
    const struct side_figures *model, const struct infer_client *clients,
    const char *const *names);
/* True if a is of a model that is nearer to the trace than that of b. */
bool fidelity_is_nearer(const struct fidelity *a, const struct fidelity *b);
void fidelity_free(struct fidelity *f);
/* Appends "what trace model difference verdict", tab-separated, with a
 * heading. */
void fidelity_print(const struct fidelity *f, struct text *out);

#endif
