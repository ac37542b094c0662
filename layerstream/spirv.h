/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The group size of a compute shader, read from its SPIR-V: a built-in
 * WorkgroupSize, else LocalSizeId, else LocalSize (doc/layer.md "Work-group
 * sizes"), with specialization constants as an annotation gives them.
 */
#ifndef LAYERSTREAM_SPIRV_H
#define LAYERSTREAM_SPIRV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "parser/annotation.h"

#define SPIRV_MAX_BYTES (16u << 20) /* refused above, with a text */

struct spirv_query {
	const char *entry; /* its name; NULL: the only compute one */
	const struct spec_constant *constants; /* by SpecId */
	size_t n_constants;
};

/* False with the reason, and what would be right, in err; true with a note
 * there, where constants are given that the module does not have. Any bytes will do;
 * they need not be aligned. */
bool spirv_group_size(const void *module, size_t len,
    const struct spirv_query *query, uint32_t size[3], struct text *err);

/* The same of a file; err names it. */
bool spirv_file_group_size(const char *path, const struct spirv_query *query,
    uint32_t size[3], struct text *err);

#endif
