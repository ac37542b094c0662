/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files of an import: the traces that are read, a descriptor for each client,
 * and the command that runs them. */
#ifndef RUN_IMPORT_FILES_H
#define RUN_IMPORT_FILES_H

#include <stdbool.h>

#include "run/import/import_model.h"

struct import_files {
	char **paths; /* of the descriptors, by index */
	size_t n;
	char *profile;       /* path of a profile that is needed; NULL: none */
	struct text command; /* one line */
};

/* Reads traces and recordings. False: err says what is wrong, and where. */
bool import_files_read(
    struct import *im, const char *const *paths, size_t n, struct text *err);
/* Appends the names of traces, without folders, as a comment has them. */
void import_files_join(const char *const *paths, size_t n, struct text *out);

/* Names the files in folder and makes the command. The caller frees f with
 * import_files_free(). */
void import_files_name(
    struct import_files *f, const struct import_model *m, const char *folder);
/* Returns the profile of the model, as --profile takes it. */
const char *import_files_profile(
    const struct import_files *f, const struct import_model *m);
/* Writes them, and the folder if it is not there. sources: of the trace, for
 * comments. False: err says which file could not be written, or is there without
 * force; then none has changed. */
bool import_files_write(const struct import_files *f,
    const struct import_model *m, const struct imported *trace,
    const char *sources, const char *folder, bool force, struct text *err);
void import_files_free(struct import_files *f);

#endif
