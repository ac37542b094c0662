/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SPIRV-Tools cuts the module into instructions; here those are kept that say
 * how large a group is: entry points, execution modes, decorations, constants.
 */
#include "layerstream/spirv.h"

#include <spirv-tools/libspirv.h>
#include <spirv/unified1/spirv.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/mem.h"
#include "layerstream/spirv_constant.h"

#define MAX_TOLD 8

/* An entry point for compute. */
struct entry {
	uint32_t function;
	size_t name; /* where it is in names */
};

/* What the execution modes of a function say. */
struct modes {
	bool has_size, has_ids;
	uint32_t size[3]; /* LocalSize */
	uint32_t ids[3];  /* LocalSizeId */
};

struct module {
	const struct spirv_query *query;
	struct text *err;
	struct spirv_constants constants;
	struct entry *entries;
	size_t n_entries, cap_entries;
	struct text names;       /* zero terminated each */
	struct map32 mode_index; /* of a function in modes */
	struct modes *modes;
	size_t n_modes, cap_modes;
	uint32_t built_in; /* id of WorkgroupSize; 0: none */
	bool has_built_in; /* its parts are known */
	uint32_t parts[3];
};

static void
module_free(struct module *m)
{
	spirv_constants_free(&m->constants);
	map32_free(&m->mode_index);
	free(m->entries);
	free(m->modes);
	text_free(&m->names);
}

/* A literal, first byte lowest, up to the zero that SPIRV-Tools has seen, and
 * that zero. */
static void
add_string(struct text *out, const uint32_t *words)
{
	char c;

	for (size_t i = 0;; i++) {
		c = (char)(words[i / 4] >> i % 4 * 8);
		text_addc(out, c);
		if (c == '\0')
			break;
	}
}

/* OpEntryPoint: model, function, name, interface. */
static void
take_entry(struct module *m, const spv_parsed_instruction_t *in)
{
	const uint32_t *name = &in->words[in->operands[2].offset];

	if (in->words[1] != SpvExecutionModelGLCompute &&
	    in->words[1] != SpvExecutionModelKernel)
		return;
	m->entries = mem_grow(
	    m->entries, m->n_entries, &m->cap_entries, sizeof(*m->entries));
	m->entries[m->n_entries++] = (struct entry){in->words[2], m->names.len};
	add_string(&m->names, name);
}

static struct modes *
modes_of(struct module *m, uint32_t function)
{
	uint32_t i = map32_get(&m->mode_index, function);

	if (i != MAP32_NONE)
		return &m->modes[i];
	map32_add(&m->mode_index, function, (uint32_t)m->n_modes);
	m->modes = mem_grow(
	    m->modes, m->n_modes, &m->cap_modes, sizeof(*m->modes));
	m->modes[m->n_modes] = (struct modes){0};
	return &m->modes[m->n_modes++];
}

/* OpExecutionMode, OpExecutionModeId: function, mode, three of them. */
static void
take_mode(struct module *m, const spv_parsed_instruction_t *in)
{
	struct modes *modes;

	if (in->num_words < 6)
		return;
	if (in->words[2] == SpvExecutionModeLocalSize) {
		modes = modes_of(m, in->words[1]);
		modes->has_size = true;
		memcpy(modes->size, &in->words[3], sizeof(modes->size));
	} else if (in->words[2] == SpvExecutionModeLocalSizeId) {
		modes = modes_of(m, in->words[1]);
		modes->has_ids = true;
		memcpy(modes->ids, &in->words[3], sizeof(modes->ids));
	}
}

/* OpDecorate: target, decoration, its value. */
static void
take_decoration(struct module *m, const spv_parsed_instruction_t *in)
{
	if (in->num_words < 4)
		return;
	if (in->words[2] == SpvDecorationSpecId)
		spirv_constants_decorate(
		    &m->constants, in->words[1], in->words[3]);
	else if (in->words[2] == SpvDecorationBuiltIn &&
	    in->words[3] == SpvBuiltInWorkgroupSize)
		m->built_in = in->words[1];
}

/* OpConstantComposite, OpSpecConstantComposite: type, result, parts. */
static void
take_composite(struct module *m, const spv_parsed_instruction_t *in)
{
	if (in->result_id != m->built_in || in->num_words != 6)
		return;
	m->has_built_in = true;
	memcpy(m->parts, &in->words[3], sizeof(m->parts));
}

/* What may define a whole number, or a truth value. */
static void
take_constant(struct module *m, const spv_parsed_instruction_t *in)
{
	for (size_t i = 0; i < in->num_operands; i++)
		if (in->operands[i].number_kind == SPV_NUMBER_FLOATING)
			return;
	spirv_constants_define(&m->constants, in->words, in->num_words);
}

static spv_result_t
on_instruction(void *user, const spv_parsed_instruction_t *in)
{
	struct module *m = user;

	switch (in->opcode) {
	case SpvOpEntryPoint: take_entry(m, in); break;
	case SpvOpExecutionMode:
	case SpvOpExecutionModeId: take_mode(m, in); break;
	case SpvOpDecorate: take_decoration(m, in); break;
	case SpvOpConstantComposite:
	case SpvOpSpecConstantComposite: take_composite(m, in); break;
	default: take_constant(m, in); break;
	}
	return SPV_SUCCESS;
}

static const char *
entry_name(const struct module *m, const struct entry *e)
{
	return m->names.data + e->name;
}

static void
add_name(const struct module *m, const char *name)
{
	text_addc(m->err, '\'');
	text_add_visible(m->err, name, strlen(name));
	text_addc(m->err, '\'');
}

/* Which entry points there are. */
static void
tell_entries(const struct module *m)
{
	size_t told = m->n_entries < MAX_TOLD ? m->n_entries : MAX_TOLD;

	for (size_t i = 0; i < told; i++) {
		text_adds(m->err, i > 0 ? ", " : "");
		add_name(m, entry_name(m, &m->entries[i]));
	}
	if (told < m->n_entries)
		text_addf(m->err, " and %zu more", m->n_entries - told);
}

static const struct entry *
find_entry(const struct module *m)
{
	const char *wanted = m->query->entry;

	if (m->n_entries == 0) {
		text_adds(m->err, "no entry point is for compute");
		return NULL;
	}
	if (wanted == NULL && m->n_entries == 1)
		return &m->entries[0];
	for (size_t i = 0; wanted != NULL && i < m->n_entries; i++)
		if (strcmp(entry_name(m, &m->entries[i]), wanted) == 0)
			return &m->entries[i];
	if (wanted != NULL) {
		text_adds(m->err, "no entry point ");
		add_name(m, wanted);
		text_adds(m->err, " for compute: there is ");
	} else
		text_adds(m->err, "which entry point? there are ");
	tell_entries(m);
	return NULL;
}

static bool
size_of_ids(const struct module *m, const uint32_t ids[3], uint32_t size[3])
{
	for (unsigned i = 0; i < 3; i++)
		if (!spirv_constants_value(&m->constants, ids[i], &size[i])) {
			text_addf(m->err,
			    "%c of the group size is computed in a way that is "
			    "not understood: give local=XxYxZ instead",
			    "xyz"[i]);
			return false;
		}
	return true;
}

/* The built-in goes before what execution modes say. */
static bool
entry_size(const struct module *m, const struct entry *e, uint32_t size[3])
{
	uint32_t i = map32_get(&m->mode_index, e->function);

	if (m->has_built_in)
		return size_of_ids(m, m->parts, size);
	if (i != MAP32_NONE && m->modes[i].has_ids)
		return size_of_ids(m, m->modes[i].ids, size);
	if (i != MAP32_NONE && m->modes[i].has_size) {
		memcpy(size, m->modes[i].size, sizeof(m->modes[i].size));
		return true;
	}
	text_adds(m->err, "entry point ");
	add_name(m, entry_name(m, e));
	text_adds(m->err,
	    " has no group size (LocalSize, LocalSizeId or WorkgroupSize)");
	return false;
}

static bool
check_size(const struct module *m, const uint32_t size[3])
{
	if (size[0] != 0 && size[1] != 0 && size[2] != 0)
		return true;
	text_addf(m->err, "the group size is %ux%ux%u: each is at least 1",
	    size[0], size[1], size[2]);
	return false;
}

static bool
tell_invalid(struct text *err, const struct spv_diagnostic_t *why)
{
	text_adds(err, "not valid SPIR-V");
	if (why != NULL) {
		text_addf(err, " at word %zu: ", why->position.index);
		text_add_visible(err, why->error, strlen(why->error));
	}
	return false;
}

static bool
parse(struct module *m, const uint32_t *words, size_t n)
{
	spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
	spv_diagnostic why = NULL;
	bool ok = spvBinaryParse(context, m, words, n, NULL, on_instruction,
		      &why) == SPV_SUCCESS;

	if (!ok)
		tell_invalid(m->err, why);
	spvDiagnosticDestroy(why);
	spvContextDestroy(context);
	return ok;
}

/* Before SPIRV-Tools is asked: what is most likely, in plain words. */
static bool
looks_right(const uint32_t *words, size_t len, struct text *err)
{
	if (len > SPIRV_MAX_BYTES) {
		text_adds(err, "above 16 MiB, which no shader is");
		return false;
	}
	if (len < sizeof(*words) ||
	    (words[0] != SpvMagicNumber &&
		words[0] != __builtin_bswap32(SpvMagicNumber))) {
		text_adds(err,
		    "no SPIR-V: it does not begin with the magic number; "
		    "`glslangValidator -V` makes SPIR-V of GLSL");
		return false;
	}
	if (len % sizeof(*words) != 0) {
		text_addf(err,
		    "cut off: %zu bytes are no whole number of words", len);
		return false;
	}
	return true;
}

static bool
group_size(const uint32_t *words, size_t len, const struct spirv_query *query,
    uint32_t size[3], struct text *err)
{
	struct module m = {
	    .query = query, .err = err, .constants.query = query};
	const struct entry *e;
	bool ok = looks_right(words, len, err) &&
	    parse(&m, words, len / sizeof(*words)) &&
	    (e = find_entry(&m)) != NULL && entry_size(&m, e, size) &&
	    check_size(&m, size);

	/* As in Vulkan, where a value of what is not there changes nothing. */
	if (ok)
		spirv_constants_note(&m.constants, err);
	module_free(&m);
	return ok;
}

bool
spirv_group_size(const void *module, size_t len,
    const struct spirv_query *query, uint32_t size[3], struct text *err)
{
	/* One more, which keeps nothing from being no memory. */
	size_t copied = len <= SPIRV_MAX_BYTES ? len : sizeof(uint32_t);
	uint32_t *words = mem_calloc(
	    copied / sizeof(*words) + 1, sizeof(*words));
	bool ok;

	memcpy(words, module, copied);
	ok = group_size(words, len, query, size, err);
	free(words);
	return ok;
}

bool
spirv_file_group_size(const char *path, const struct spirv_query *query,
    uint32_t size[3], struct text *err)
{
	struct text contents = {0}, why = {0};
	struct stat st;
	bool ok = false;

	if (stat(path, &st) == 0 && st.st_size > (off_t)SPIRV_MAX_BYTES) {
		text_add_visible(err, path, strlen(path));
		text_adds(err, ": above 16 MiB, which no shader is");
	} else if (file_read(path, &contents, NULL, err)) {
		ok = spirv_group_size(
		    text_str(&contents), contents.len, query, size, &why);
		if (why.len > 0) {
			text_add_visible(err, path, strlen(path));
			text_addf(err, ": %s", text_str(&why));
		}
	}
	text_free(&why);
	text_free(&contents);
	return ok;
}
