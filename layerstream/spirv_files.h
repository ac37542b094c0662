/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is wrong with the SPIR-V files that annotations name: their text does
 * not tell, so the parser can't. */
#ifndef LAYERSTREAM_SPIRV_FILES_H
#define LAYERSTREAM_SPIRV_FILES_H

#include "parser/document/document.h"

/* Adds a warning at each dispatch whose group size its file does not tell, or
 * not by all constants that are given. Reads the files; those of at most SPIRV_FILES_MAX dispatches. */
#define SPIRV_FILES_MAX 1000
void spirv_files_diagnose(const struct document *doc, struct diag_list *diags);

/* The group's size, out of the file that the dispatch names; false with the
 * reason in err, true perhaps with a note. */
struct annotation;
struct text;
bool spirv_files_size(
    const struct annotation *dispatch, uint32_t size[3], struct text *err);

#endif
