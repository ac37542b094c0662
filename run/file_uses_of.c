/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which files there are: those of options, by their table, of workloads and of
 * their annotations. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/state_folder.h"
#include "base/text.h"
#include "parser/annotation.h"
#include "run/file_uses.h"
#include "run/options.h"
#include "run/options_table.h"
#include "run/plan.h"

static const enum file_use_kind kinds[] = {
    [OPTION_READS] = FILE_READ,
    [OPTION_WRITES] = FILE_WRITTEN,
    [OPTION_WRITES_IN] = FILES_WRITTEN_IN,
};

static void
add_option(struct file_uses *uses, const struct options *o,
    const struct option_info *info)
{
	const char *path = *(
	    const char *const *)(const void *)((const char *)o + info->string);
	struct text who = {0};

	text_addf(&who, "%s--%s", info->file == OPTION_READS ? "read by " : "",
	    info->name);
	file_uses_add(uses, kinds[info->file], text_str(&who), path);
	text_free(&who);
}

/* The usual config file is read without being named. */
static void
add_usual_config(struct file_uses *uses, const struct options *o)
{
	struct text path = {0};

	if (o->mode != MODE_CONSOLE || o->config != NULL || o->script != NULL)
		return;
	config_default_path(&path);
	if (path.len > 0)
		file_uses_add(
		    uses, FILE_READ, "the config file", text_str(&path));
	text_free(&path);
}

void
file_uses_add_options(
    struct file_uses *uses, const struct options *o, bool layer_outputs)
{
	for (size_t i = 0; i < N_OPTIONS; i++) {
		const struct option_info *info = &option_table[i];

		if (info->file == OPTION_NO_FILE || info->string == 0 ||
		    (info->file == OPTION_WRITES &&
			info->group == GROUP_LAYER && !layer_outputs))
			continue;
		add_option(uses, o, info);
	}
	add_usual_config(uses, o);
}

struct names {
	char **list;
	size_t n, cap;
};

static void
add_spirv(struct names *names, const struct document *doc, size_t line)
{
	struct annotation a;
	size_t len;
	const char *s = document_line_text(doc, line, &len);

	if (!annotation_parse(s, len, 0, &a, NULL) || a.spirv.len == 0)
		return;
	names->list = mem_grow(
	    names->list, names->n, &names->cap, sizeof(*names->list));
	names->list[names->n++] = mem_strndup(a.spirv.s, a.spirv.len);
}

static void
add_spirvs(struct names *names, const struct document *doc)
{
	size_t n = doc != NULL ? document_n_lines(doc) : 0;

	for (size_t i = 0; i < n; i++)
		if (document_line_kind(doc, i) == LINE_ANNOTATION)
			add_spirv(names, doc, i);
}

static int
compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Each file once: many lines name few of them. */
static void
add_names(struct file_uses *uses, struct names *names)
{
	if (names->n > 1)
		qsort(names->list, names->n, sizeof(*names->list), compare);
	for (size_t i = 0; i < names->n; i++)
		if (i == 0 || strcmp(names->list[i - 1], names->list[i]) != 0)
			file_uses_add(uses, FILE_READ, "named by an annotation",
			    names->list[i]);
	for (size_t i = 0; i < names->n; i++)
		free(names->list[i]);
	free(names->list);
}

void
file_uses_add_workloads(struct file_uses *uses, const struct plan *plan)
{
	for (size_t i = 0; i < plan->n_sources; i++)
		if (plan->sources[i].is_file)
			file_uses_add(uses, FILE_READ, "a workload",
			    plan->sources[i].name);
}

void
file_uses_add_named(struct file_uses *uses, const struct plan *plan)
{
	struct names names = {0};

	for (size_t i = 0; i < plan->n_sources; i++)
		if (!plan->sources[i].is_again)
			add_spirvs(&names, plan->sources[i].doc);
	add_spirvs(&names, plan->append);
	add_names(uses, &names);
}
