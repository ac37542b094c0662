/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See spirv_files.h. */
#include "layerstream/spirv_files.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "layerstream/spirv.h"
#include "parser/annotation.h"

static char *
copy_field(struct field f)
{
	char *s = mem_calloc(f.len + 1, 1);

	if (f.len > 0)
		memcpy(s, f.s, f.len);
	return s;
}

bool
spirv_files_size(
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

/* True if the line names a file. */
static bool
diagnose(const struct document *doc, size_t line, struct diag_list *diags)
{
	struct annotation a;
	struct text err = {0};
	uint32_t size[3];
	size_t len;
	const char *s = document_line_text(doc, line, &len);

	if (!annotation_parse(s, len, 0, &a, NULL) || a.spirv.len == 0)
		return false;
	spirv_files_size(&a, size, &err);
	if (err.len > 0)
		diag_add(diags, DIAG_WARNING, (uint32_t)line,
		    (uint32_t)(a.spirv.s - s), a.spirv.len, "%s",
		    text_str(&err));
	text_free(&err);
	return true;
}

void
spirv_files_diagnose(const struct document *doc, struct diag_list *diags)
{
	size_t n_lines = document_n_lines(doc), n = 0;

	for (size_t i = 0; i < n_lines && n < SPIRV_FILES_MAX; i++)
		if (document_line_kind(doc, i) == LINE_ANNOTATION)
			n += diagnose(doc, i, diags);
}
