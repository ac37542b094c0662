/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The integer constants of a SPIR-V module. SPIR-V has what is used before
 * what uses it, decorations before all: so each is computed when it is met, in
 * one pass, and what is defined in a circle is just not known.
 */
#ifndef LAYERSTREAM_SPIRV_CONSTANT_H
#define LAYERSTREAM_SPIRV_CONSTANT_H

#include "base/hash.h"
#include "layerstream/spirv.h"

struct spirv_constants {
	const struct spirv_query *query;
	struct map32 index; /* of an id in values */
	uint32_t *values;
	size_t n, cap;
	struct map32 spec_index; /* of a decorated id in spec_ids */
	struct map32 known;      /* of a SpecId in spec_ids */
	uint32_t *spec_ids;      /* each once: several ids may share one */
	size_t n_spec_ids, cap_spec_ids;
};

void spirv_constants_free(struct spirv_constants *c);

/* id is decorated with SpecId spec_id. */
void spirv_constants_decorate(
    struct spirv_constants *c, uint32_t id, uint32_t spec_id);

/* Takes the instruction if it defines a constant, not of floating point; words
 * has n, that with the opcode is the first. */
void spirv_constants_define(
    struct spirv_constants *c, const uint32_t *words, size_t n);

/* False: not known. */
bool spirv_constants_value(
    const struct spirv_constants *c, uint32_t id, uint32_t *value);

/* Adds a note of what the query gives a value and is not there; nothing if all
 * of it is. */
void spirv_constants_note(const struct spirv_constants *c, struct text *note);

#endif
