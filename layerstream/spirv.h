/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The work-group size of a compute shader, read from its SPIR-V module: a
 * constant decorated WorkgroupSize, else LocalSizeId, else LocalSize
 * (doc/layer.md "Work-group sizes"), with the specialization constants that an
 * annotation gives.
 */
#ifndef LAYERSTREAM_SPIRV_H
#define LAYERSTREAM_SPIRV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "parser/annotation.h"

struct diag_list;
struct document;

#define SPIRV_MAX_BYTES (16u << 20) /* larger modules are refused */

struct spirv_query {
	const char *entry; /* point; NULL: the only one for compute */
	const struct spec_constant *constants; /* by SpecId */
	size_t n_constants;
};

/* Sets size (x, y, z) from a module of any len bytes, which need not be
 * aligned. False with the reason in err. True with a note in err if constants
 * are given that the module does not have. */
bool spirv_group_size(const void *module, size_t len,
    const struct spirv_query *query, uint32_t size[3], struct text *err);
/* The same for a file; texts in err name it. */
bool spirv_file_group_size(const char *path, const struct spirv_query *query,
    uint32_t size[3], struct text *err);
/* The same for the file that a dispatch annotation names (spirv=). */
bool spirv_dispatch_size(
    const struct annotation *dispatch, uint32_t size[3], struct text *err);

/* Dispatches of a document whose files are read by spirv_diagnose(). */
#define SPIRV_FILES_MAX 1000

/* Adds a warning for each dispatch of doc whose file has no group size, or not
 * all constants that are given. Reads the files. */
void spirv_diagnose(const struct document *doc, struct diag_list *diags);

#endif
