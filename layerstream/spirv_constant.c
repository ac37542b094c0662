/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Evaluates the integer constants of a SPIR-V module, of at most 32 bits: sizes
 * are not larger.
 */
#include "layerstream/spirv_constant.h"

#include <spirv/unified1/spirv.h>
#include <stdlib.h>

#include "base/mem.h"

#define MAX_SPEC_IDS 8 /* in a diagnostic */

void
spirv_constants_free(struct spirv_constants *c)
{
	map32_free(&c->index);
	map32_free(&c->spec_index);
	map32_free(&c->known);
	free(c->values);
	free(c->spec_ids);
	*c = (struct spirv_constants){0};
}

/* The index of spec_id in spec_ids, where it is added if needed. */
static uint32_t
index_of_spec_id(struct spirv_constants *c, uint32_t spec_id)
{
	uint32_t i = map32_get(&c->known, spec_id);

	if (i != MAP32_NONE)
		return i;
	i = (uint32_t)c->n_spec_ids++;
	map32_add(&c->known, spec_id, i);
	c->spec_ids = mem_grow(
	    c->spec_ids, i, &c->cap_spec_ids, sizeof(*c->spec_ids));
	c->spec_ids[i] = spec_id;
	return i;
}

void
spirv_constants_decorate(
    struct spirv_constants *c, uint32_t id, uint32_t spec_id)
{
	if (map32_get(&c->spec_index, id) == MAP32_NONE)
		map32_add(&c->spec_index, id, index_of_spec_id(c, spec_id));
}

static void
set_constant(struct spirv_constants *c, uint32_t id, uint32_t value)
{
	if (map32_get(&c->index, id) != MAP32_NONE)
		return;
	map32_add(&c->index, id, (uint32_t)c->n);
	c->values = mem_grow(c->values, c->n, &c->cap, sizeof(*c->values));
	c->values[c->n++] = value;
}

bool
spirv_constants_value(
    const struct spirv_constants *c, uint32_t id, uint32_t *value)
{
	uint32_t i = map32_get(&c->index, id);

	if (i == MAP32_NONE)
		return false;
	*value = c->values[i];
	return true;
}

/* The value that the query gives for id, else the module's. */
static uint32_t
specialized(const struct spirv_constants *c, uint32_t id, uint32_t value)
{
	uint32_t i = map32_get(&c->spec_index, id);

	for (size_t g = 0; i != MAP32_NONE && g < c->query->n_constants; g++)
		if (c->query->constants[g].id == c->spec_ids[i])
			value = c->query->constants[g].value;
	return value;
}

/* OpConstant, OpSpecConstant: type, result, literal. */
static void
define_number(struct spirv_constants *c, const uint32_t *words, size_t n)
{
	if (n == 4)
		set_constant(c, words[2], specialized(c, words[2], words[3]));
}

static void
define_bool(struct spirv_constants *c, uint32_t id, bool value)
{
	set_constant(c, id, specialized(c, id, value) != 0);
}

/* Divides in 64 bits: INT32_MIN / -1 overflows 32. */
static bool
divide(uint32_t op, uint32_t a, uint32_t b, uint32_t *r)
{
	int64_t x = (int32_t)a, y = (int32_t)b, rest;

	if (b == 0)
		return false;
	rest = x % y;
	switch (op) {
	case SpvOpUDiv: *r = a / b; return true;
	case SpvOpUMod: *r = a % b; return true;
	case SpvOpSDiv: *r = (uint32_t)(x / y); return true;
	case SpvOpSRem: *r = (uint32_t)rest; return true;
	case SpvOpSMod:
		/* The result has the sign of the divisor. */
		*r = (uint32_t)(rest != 0 && (rest ^ y) < 0 ? rest + y : rest);
		return true;
	default: return false;
	}
}

static bool
compare_constants(uint32_t op, uint32_t a, uint32_t b, uint32_t *r)
{
	int32_t x = (int32_t)a, y = (int32_t)b;

	switch (op) {
	case SpvOpLogicalEqual:
	case SpvOpIEqual: *r = a == b; return true;
	case SpvOpLogicalNotEqual:
	case SpvOpINotEqual: *r = a != b; return true;
	case SpvOpLogicalAnd: *r = a && b; return true;
	case SpvOpLogicalOr: *r = a || b; return true;
	case SpvOpULessThan: *r = a < b; return true;
	case SpvOpULessThanEqual: *r = a <= b; return true;
	case SpvOpUGreaterThan: *r = a > b; return true;
	case SpvOpUGreaterThanEqual: *r = a >= b; return true;
	case SpvOpSLessThan: *r = x < y; return true;
	case SpvOpSLessThanEqual: *r = x <= y; return true;
	case SpvOpSGreaterThan: *r = x > y; return true;
	case SpvOpSGreaterThanEqual: *r = x >= y; return true;
	default: return false;
	}
}

static bool
compute_two(uint32_t op, uint32_t a, uint32_t b, uint32_t *r)
{
	switch (op) {
	case SpvOpIAdd: *r = a + b; return true;
	case SpvOpISub: *r = a - b; return true;
	case SpvOpIMul: *r = a * b; return true;
	case SpvOpBitwiseAnd: *r = a & b; return true;
	case SpvOpBitwiseOr: *r = a | b; return true;
	case SpvOpBitwiseXor: *r = a ^ b; return true;
	case SpvOpShiftLeftLogical: *r = a << (b & 31); return b < 32;
	case SpvOpShiftRightLogical: *r = a >> (b & 31); return b < 32;
	case SpvOpShiftRightArithmetic:
		*r = (uint32_t)((int32_t)a >> (b & 31));
		return b < 32;
	default: return divide(op, a, b, r) || compare_constants(op, a, b, r);
	}
}

static bool
compute_one(uint32_t op, uint32_t a, uint32_t *r)
{
	switch (op) {
	case SpvOpSNegate: *r = 0 - a; return true;
	case SpvOpNot: *r = ~a; return true;
	case SpvOpLogicalNot: *r = !a; return true;
	case SpvOpUConvert:
	case SpvOpSConvert: *r = a; return true;
	default: return false;
	}
}

/* OpSpecConstantOp: type, result, operation, operands. */
static void
define_operation(
    struct spirv_constants *c, const uint32_t *words, size_t n_words)
{
	size_t n = n_words > 4 ? n_words - 4 : 0;
	uint32_t op = n > 0 ? words[3] : SpvOpNop;
	uint32_t v[3], r = 0;
	bool known = false;

	if (n > 3)
		return;
	for (size_t i = 0; i < n; i++)
		if (!spirv_constants_value(c, words[4 + i], &v[i]))
			return;
	if (n == 1)
		known = compute_one(op, v[0], &r);
	else if (n == 2)
		known = compute_two(op, v[0], v[1], &r);
	else if (n == 3 && op == SpvOpSelect) {
		r = v[0] ? v[1] : v[2];
		known = true;
	}
	if (known)
		set_constant(c, words[2], r);
}

void
spirv_constants_define(
    struct spirv_constants *c, const uint32_t *words, size_t n)
{
	switch (words[0] & SpvOpCodeMask) {
	case SpvOpConstant:
	case SpvOpSpecConstant: define_number(c, words, n); break;
	case SpvOpConstantTrue:
	case SpvOpSpecConstantTrue: define_bool(c, words[2], true); break;
	case SpvOpConstantNull:
	case SpvOpConstantFalse:
	case SpvOpSpecConstantFalse: define_bool(c, words[2], false); break;
	case SpvOpSpecConstantOp: define_operation(c, words, n); break;
	default: break;
	}
}

static void
list_spec_ids(const struct spirv_constants *c, struct text *err)
{
	size_t listed = c->n_spec_ids < MAX_SPEC_IDS ? c->n_spec_ids
						     : MAX_SPEC_IDS;

	text_adds(err, listed > 0 ? "there are " : "there are none");
	for (size_t i = 0; i < listed; i++)
		text_addf(err, "%s%u", i > 0 ? ", " : "", c->spec_ids[i]);
	if (listed < c->n_spec_ids)
		text_addf(err, " and %zu more", c->n_spec_ids - listed);
}

void
spirv_constants_note(const struct spirv_constants *c, struct text *note)
{
	for (size_t g = 0; g < c->query->n_constants; g++) {
		uint32_t wanted = c->query->constants[g].id;

		if (map32_get(&c->known, wanted) != MAP32_NONE)
			continue;
		text_addf(note,
		    "no specialization constant has SpecId %u, which is "
		    "ignored: ",
		    wanted);
		list_spec_ids(c, note);
		return;
	}
}
