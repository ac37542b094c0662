/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which sources of a plan are one file. In the console a file that is named
 * twice, however it is spelled, is two workloads of one document: what is
 * edited counts for the clients of both, and there is one to be saved.
 */
#ifndef RUN_PLAN_FILES_H
#define RUN_PLAN_FILES_H

#include "run/plan.h"

/* Gives sources that are a file again the document of the first. */
void plan_share_documents(struct plan *plan);

/* The source that has the document and the file of this one. */
size_t plan_document(const struct plan *plan, size_t source);
/* How many documents the first so many sources have. */
size_t plan_n_documents(const struct plan *plan, size_t n_sources);
/* Clients, at the launch, of all workloads of the document. */
unsigned plan_n_clones(const struct plan *plan, size_t source);

/* The first source that is the file of that path; n_sources: none. */
size_t plan_find_file(const struct plan *plan, const char *path);

#endif
