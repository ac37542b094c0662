/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values of annotations: numbers, sizes like 64x64x1, attachments, SPIR-V
 * files, constants and quoted labels, parsed with their diagnostics. Copies of
 * annotations.
 */
#include "parser/annotation_value.h"

#include <string.h>

#include "base/text.h"
#include "base/utf8.h"

#define LOCAL_MAX 65535

uint64_t
annotation_number(struct scan *scan, struct field f, const char *what,
    uint64_t min, uint64_t max)
{
	uint64_t value;

	if (scan_number(f, max, &value) != NUMBER_OK || value < min)
		scan_error(scan, f, "invalid %s '%s': expected %llu to %llu",
		    what, quote(f).s, (unsigned long long)min,
		    (unsigned long long)max);
	return value;
}

void
annotation_sizes(struct scan *scan, struct field f, const char *what,
    const char *example, uint64_t min, int64_t *sizes, unsigned n)
{
	struct field rest = f, part;

	if (scan_count(f, 'x') != n || !f.len) {
		scan_error(scan, f, "invalid %s '%s': expected a size, e.g. %s",
		    what, quote(f).s, example);
		return;
	}
	for (unsigned i = 0; scan_part(&rest, 'x', &part); i++)
		sizes[i] = (int64_t)annotation_number(
		    scan, part, what, min, ANNOTATION_SIZE_MAX);
}

void
annotation_local(struct scan *scan, struct field f, uint32_t local[3])
{
	int64_t sizes[3] = {0};

	annotation_sizes(scan, f, "group size", "8x8x1", 1, sizes, 3);
	for (unsigned i = 0; i < 3; i++) {
		if (sizes[i] > LOCAL_MAX)
			scan_error(scan, f,
			    "invalid group size '%s': expected at most %d in "
			    "each dimension, e.g. 8x8x1",
			    quote(f).s, LOCAL_MAX);
		local[i] = (uint32_t)sizes[i];
	}
}

void
annotation_amount(
    struct scan *scan, struct field f, bool whole, int64_t *amount)
{
	uint64_t value = 0;

	if (whole && f.len == 5 && memcmp(f.s, "whole", 5) == 0) {
		*amount = ANNOTATION_WHOLE;
		return;
	}
	if (scan_number(f, ANNOTATION_AMOUNT_MAX, &value) == NUMBER_NONE)
		scan_error(scan, f, "invalid size '%s': expected %s",
		    quote(f).s,
		    whole ? "bytes, e.g. 65536, or whole"
			  : "a number, e.g. 65536");
	else
		value = annotation_number(
		    scan, f, "size", 0, ANNOTATION_AMOUNT_MAX);
	*amount = (int64_t)value;
}

static bool
field_equals(struct field f, const char *word)
{
	return f.len == strlen(word) && memcmp(f.s, word, f.len) == 0;
}

static bool
parse_binding(struct scan *scan, struct field f, uint8_t *binding)
{
	if (f.len == 2 && f.s[0] == 'C' && f.s[1] >= '0' && f.s[1] <= '7')
		*binding = (uint8_t)(ATTACHMENT_COLOUR + f.s[1] - '0');
	else if (field_is(f, 'D'))
		*binding = ATTACHMENT_DEPTH;
	else if (field_is(f, 'S'))
		*binding = ATTACHMENT_STENCIL;
	else {
		scan_error(scan, f,
		    "invalid attachment '%s': expected C0 to C7, D or S",
		    quote(f).s);
		return false;
	}
	return true;
}

/* Sets *choice to the index of the word in a NULL-terminated list. */
static bool
parse_choice(struct scan *scan, struct field f, const char *const *words,
    const char *what, const char *expected, uint8_t *choice)
{
	for (uint8_t i = 0; words[i]; i++) {
		if (field_equals(f, words[i])) {
			*choice = i;
			return true;
		}
	}
	scan_error(scan, f, "invalid %s '%s': expected %s", what, quote(f).s,
	    expected);
	return false;
}

static bool
parse_operations(
    struct scan *scan, struct field f, struct attachment *attachment)
{
	static const char *const loads[] = {"load", "clear", "discard", NULL};
	static const char *const stores[] = {"store", "discard", NULL};
	struct field load, store;
	bool two = scan_split(f, ':', &load, &store);

	if (!two && field_equals(f, "resolve")) {
		attachment->resolve = true;
		attachment->load = LOAD_DISCARD;
		return true;
	}
	if (!parse_choice(scan, load, loads, "load operation",
		"load, clear or discard", &attachment->load))
		return false;
	return !two ||
	    parse_choice(scan, store, stores, "store operation",
		"store or discard", &attachment->store);
}

static bool
has_attachment(const struct annotation *a, const struct attachment *attachment)
{
	for (unsigned i = 0; i < a->n_attachments; i++)
		if (a->attachments[i].binding == attachment->binding &&
		    a->attachments[i].resolve == attachment->resolve)
			return true;
	return false;
}

void
annotation_attachments(struct scan *scan, struct field f, struct annotation *a)
{
	struct field rest = f, part, name, operations;

	while (scan_part(&rest, ',', &part)) {
		struct attachment attachment = {.load = LOAD_CLEAR};
		bool more = scan_split(part, ':', &name, &operations);

		if (!parse_binding(scan, name, &attachment.binding))
			continue;
		if (more && !parse_operations(scan, operations, &attachment))
			continue;
		if (has_attachment(a, &attachment)) {
			scan_error(scan, part,
			    "repeated attachment '%s': expected it once",
			    quote(name).s);
			continue;
		}
		a->attachments[a->n_attachments++] = attachment;
	}
}

void
annotation_spirv(struct scan *scan, struct field f, struct annotation *a)
{
	struct field file = f, entry = {0};

	for (uint32_t i = 0; i < f.len; i++) {
		if (f.s[i] == ':') {
			file = (struct field){f.s, i};
			entry = (struct field){f.s + i + 1, f.len - i - 1};
			if (!entry.len)
				scan_error(scan, f,
				    "missing entry point after ':': expected a "
				    "name, e.g. shader.spv:main");
		}
	}
	if (!file.len)
		scan_error(scan, f,
		    "missing SPIR-V file: expected a name, e.g. "
		    "spirv=shader.spv or spirv=shader.spv:main");
	a->spirv = file;
	a->entry = entry;
}

void
annotation_constant(struct scan *scan, struct field f, struct annotation *a)
{
	struct field id, value;
	struct spec_constant constant;

	scan_split(f, '=', &id, &value);
	constant.id = (uint32_t)annotation_number(
	    scan, id, "constant id", 0, UINT32_MAX);
	constant.value = (uint32_t)annotation_number(
	    scan, value, "constant value", 0, UINT32_MAX);
	for (unsigned i = 0; i < a->n_constants; i++)
		if (a->constants[i].id == constant.id)
			scan_error(scan, f,
			    "repeated constant %u: expected each id once",
			    constant.id);
	if (a->n_constants == ANNOTATION_CONSTANTS) {
		scan_error(scan, f, "too many constants: expected at most %d",
		    ANNOTATION_CONSTANTS);
		return;
	}
	a->constants[a->n_constants++] = constant;
}

static void
check_label(struct scan *scan, struct field f)
{
	for (uint32_t i = 0; i < f.len;) {
		struct field at = {f.s + i, 1};
		struct utf8_char c = utf8_decode(at.s, f.len - i);

		at.len = c.len;
		if (!c.visible)
			scan_error(scan, at,
			    "invalid label: expected visible UTF-8 text, e.g. "
			    "\"Shadow\"");
		if (at.s[0] != '\\') {
			i += c.len;
			continue;
		}
		at.len = i + 1 < f.len ? 2 : 1;
		if (at.len < 2 || (at.s[1] != '"' && at.s[1] != '\\'))
			scan_error(scan, at,
			    "invalid escape '%s': expected \\\" or \\\\",
			    quote(at).s);
		i += at.len;
	}
}

void
annotation_quoted(struct scan *scan, struct field f, struct annotation *a)
{
	struct field inner = {f.s + 1, f.len - 1};

	if (!f.len || f.s[0] != '"') {
		scan_error(scan, f,
		    "invalid label '%s': expected quotes, e.g. \"Shadow\"",
		    quote(f).s);
		return;
	}
	if (f.len < 2 || f.s[f.len - 1] != '"') {
		scan_error(
		    scan, f, "unterminated label: expected a \" at its end");
		return;
	}
	inner.len--;
	if (inner.len > ANNOTATION_LABEL_MAX)
		scan_error(scan, f,
		    "label too long: %u bytes, expected at most %d", inner.len,
		    ANNOTATION_LABEL_MAX);
	check_label(scan, inner);
	a->label = inner;
}

static void *
copy_list(struct arena *arena, const void *list, size_t n, size_t size)
{
	return n > 0 ? memcpy(arena_array(arena, n, size), list, n * size)
		     : NULL;
}

void
annotation_copy_lists(struct arena *arena, struct annotation *a)
{
	a->attachments = copy_list(
	    arena, a->attachments, a->n_attachments, sizeof(*a->attachments));
	a->constants = copy_list(
	    arena, a->constants, a->n_constants, sizeof(*a->constants));
}

/* Moves a field of text to a copy of the text. */
static void
move_field(struct field *f, const char *text, const char *copy)
{
	if (f->len > 0)
		f->s = copy + (f->s - text);
}

void
annotation_copy(
    struct arena *arena, struct annotation *to, const struct annotation *from)
{
	const char *text = arena_copy(arena, from->text.s, from->text.len);

	*to = *from;
	to->text.s = text;
	move_field(&to->label, from->text.s, text);
	move_field(&to->spirv, from->text.s, text);
	move_field(&to->entry, from->text.s, text);
	annotation_copy_lists(arena, to);
}

void
annotation_label(const struct annotation *a, struct text *t)
{
	for (uint32_t i = 0; i < a->label.len; i++) {
		if (a->label.s[i] == '\\' && i + 1 < a->label.len)
			i++;
		text_addc(t, a->label.s[i]);
	}
}
