/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The integer constants of a SPIR-V module, evaluated in one pass: SPIR-V
 * defines ids before their uses, and has decorations first. Constants defined
 * in a circle stay unknown.
 */
#ifndef LAYERSTREAM_SPIRV_CONSTANT_H
#define LAYERSTREAM_SPIRV_CONSTANT_H

#include "base/hash.h"
#include "layerstream/spirv.h"

struct spirv_constants {
	const struct spirv_query *query;
	struct map32 index; /* index in values, by id */
	uint32_t *values;
	size_t n, cap;
	struct map32 spec_index; /* index in spec_ids, by decorated id */
	struct map32 known;      /* index in spec_ids, by SpecId */
	uint32_t *spec_ids;      /* each once; several ids may share one */
	size_t n_spec_ids, cap_spec_ids;
};

void spirv_constants_free(struct spirv_constants *c);

/* Notes that id is decorated with SpecId spec_id. */
void spirv_constants_decorate(
    struct spirv_constants *c, uint32_t id, uint32_t spec_id);

/* Evaluates an instruction of n words, the opcode's first, if it defines a
 * constant. Floating point is left out by the caller. */
void spirv_constants_define(
    struct spirv_constants *c, const uint32_t *words, size_t n);

/* False: the id is not a known constant. */
bool spirv_constants_value(
    const struct spirv_constants *c, uint32_t id, uint32_t *value);

/* Appends a note if the query gives a value for a SpecId that the module does
 * not have. */
void spirv_constants_note(const struct spirv_constants *c, struct text *note);

#endif
