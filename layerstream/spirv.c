/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SPIRV-Tools cuts the module into instructions. This file keeps those that
 * determine the group size: entry points, execution modes, decorations and
 * constants. Then the same for the files that annotations name.
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
#include "parser/document/document.h"

#define MAX_NAMES 8 /* entry points in a diagnostic */

/* A compute entry point. */
struct entry {
	uint32_t function;
	size_t name; /* offset in names */
};

/* The execution modes of a function. */
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
	struct map32 mode_index; /* index in modes, by function */
	struct modes *modes;
	size_t n_modes, cap_modes;
	uint32_t built_in; /* id of WorkgroupSize; 0: none */
	bool has_built_in; /* parts are known */
	uint32_t parts[3]; /* ids of its x, y, z */
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

/* Appends a string literal with its zero, which SPIRV-Tools has checked. The
 * first byte is the lowest of a word. */
static void
add_literal(struct text *out, const uint32_t *words)
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
	add_literal(&m->names, name);
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

/* OpExecutionMode, OpExecutionModeId: function, mode, three values. */
static void
take_execution_mode(struct module *m, const spv_parsed_instruction_t *in)
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

/* Any other instruction: it may define an integer or boolean constant. */
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
	case SpvOpExecutionModeId: take_execution_mode(m, in); break;
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
add_quoted(const struct module *m, const char *name)
{
	text_addc(m->err, '\'');
	text_add_visible(m->err, name, strlen(name));
	text_addc(m->err, '\'');
}

/* Lists the entry points. */
static void
list_entries(const struct module *m)
{
	size_t listed = m->n_entries < MAX_NAMES ? m->n_entries : MAX_NAMES;

	for (size_t i = 0; i < listed; i++) {
		text_adds(m->err, i > 0 ? ", " : "");
		add_quoted(m, entry_name(m, &m->entries[i]));
	}
	if (listed < m->n_entries)
		text_addf(m->err, " and %zu more", m->n_entries - listed);
}

static const struct entry *
find_entry(const struct module *m)
{
	const char *wanted = m->query->entry;

	if (m->n_entries == 0) {
		text_adds(m->err, "no compute entry point");
		return NULL;
	}
	if (wanted == NULL && m->n_entries == 1)
		return &m->entries[0];
	for (size_t i = 0; wanted != NULL && i < m->n_entries; i++)
		if (strcmp(entry_name(m, &m->entries[i]), wanted) == 0)
			return &m->entries[i];
	if (wanted != NULL) {
		text_adds(m->err, "no entry point ");
		add_quoted(m, wanted);
		text_adds(m->err, " for compute: expected ");
	} else
		text_adds(m->err,
		    "several compute entry points: add one to the file's name, "
		    "FILE:ENTRY, of ");
	list_entries(m);
	return NULL;
}

static bool
size_of_ids(const struct module *m, const uint32_t ids[3], uint32_t size[3])
{
	for (unsigned i = 0; i < 3; i++)
		if (!spirv_constants_value(&m->constants, ids[i], &size[i])) {
			text_addf(m->err,
			    "%c of the group size is computed in an unsupported "
			    "way: give local=XxYxZ instead",
			    "xyz"[i]);
			return false;
		}
	return true;
}

/* The built-in takes precedence over execution modes. */
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
	add_quoted(m, entry_name(m, e));
	text_adds(m->err,
	    " has no group size (LocalSize, LocalSizeId or WorkgroupSize)");
	return false;
}

static bool
check_size(const struct module *m, const uint32_t size[3])
{
	if (size[0] != 0 && size[1] != 0 && size[2] != 0)
		return true;
	text_addf(m->err, "invalid group size %ux%ux%u: each is at least 1",
	    size[0], size[1], size[2]);
	return false;
}

static bool
report_invalid(struct text *err, const struct spv_diagnostic_t *why)
{
	text_adds(err, "not valid SPIR-V");
	if (why != NULL) {
		text_addf(err, " at word %zu: ", why->position.index);
		text_add_visible(err, why->error, strlen(why->error));
	}
	return false;
}

static bool
parse_module(struct module *m, const uint32_t *words, size_t n)
{
	spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
	spv_diagnostic why = NULL;
	bool ok = spvBinaryParse(context, m, words, n, NULL, on_instruction,
		      &why) == SPV_SUCCESS;

	if (!ok)
		report_invalid(m->err, why);
	spvDiagnosticDestroy(why);
	spvContextDestroy(context);
	return ok;
}

/* Catches the most likely mistakes before SPIRV-Tools, in plain words. */
static bool
looks_right(const uint32_t *words, size_t len, struct text *err)
{
	if (len > SPIRV_MAX_BYTES) {
		text_adds(err, "too large: expected at most 16 MiB");
		return false;
	}
	if (len < sizeof(*words) ||
	    (words[0] != SpvMagicNumber &&
		words[0] != __builtin_bswap32(SpvMagicNumber))) {
		text_adds(err,
		    "not SPIR-V: the magic number is missing; "
		    "`glslangValidator -V` makes SPIR-V of GLSL");
		return false;
	}
	if (len % sizeof(*words) != 0) {
		text_addf(
		    err, "cut off: %zu bytes are not a multiple of 4", len);
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
	    parse_module(&m, words, len / sizeof(*words)) &&
	    (e = find_entry(&m)) != NULL && entry_size(&m, e, size) &&
	    check_size(&m, size);

	/* In Vulkan too a value for a missing constant is ignored. */
	if (ok)
		spirv_constants_note(&m.constants, err);
	module_free(&m);
	return ok;
}

bool
spirv_group_size(const void *module, size_t len,
    const struct spirv_query *query, uint32_t size[3], struct text *err)
{
	/* At least one word is allocated. */
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
		text_adds(err, ": too large: expected at most 16 MiB");
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

static char *
copy_field(struct field f)
{
	char *s = mem_calloc(f.len + 1, 1);

	if (f.len > 0)
		memcpy(s, f.s, f.len);
	return s;
}

bool
spirv_dispatch_size(
    const struct annotation *dispatch, uint32_t size[3], struct text *err)
{
	char *path = copy_field(dispatch->spirv);
	char *entry = copy_field(dispatch->entry);
	struct spirv_query query = {
	    .entry = dispatch->entry.len > 0 ? entry : NULL,
	    .constants = dispatch->constants,
	    .n_constants = dispatch->n_constants,
	};
	bool done = spirv_file_group_size(path, &query, size, err);

	free(path);
	free(entry);
	return done;
}

/* Returns true if the line names a file, which is read. */
static bool
spirv_diagnose_line(
    const struct document *doc, size_t line, struct diag_list *diags)
{
	const struct annotation *a = document_line_annotation(doc, line);
	struct text err = {0};
	uint32_t size[3];

	if (a == NULL || a->spirv.len == 0)
		return false;
	spirv_dispatch_size(a, size, &err);
	if (err.len > 0)
		diag_add(diags, DIAG_WARNING, (uint32_t)line,
		    (uint32_t)(a->spirv.s - a->text.s), a->spirv.len, "%s",
		    text_str(&err));
	text_free(&err);
	return true;
}

void
spirv_diagnose(const struct document *doc, struct diag_list *diags)
{
	size_t n_lines = document_n_lines(doc), n = 0;

	for (size_t i = 0; i < n_lines && n < SPIRV_FILES_MAX; i++)
		if (document_line_kind(doc, i) == LINE_ANNOTATION)
			n += spirv_diagnose_line(doc, i, diags);
}
