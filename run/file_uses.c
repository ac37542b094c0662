/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which files the program reads and writes: collected from options, workloads
 * and annotations, and compared by final path, by inode, and by what is at the
 * path now.
 */
#include "run/file_uses.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/state_folder.h"
#include "base/text.h"
#include "parser/annotation.h"
#include "run/options.h"
#include "run/options_table.h"
#include "run/plan.h"

static void
drop_use(struct file_use *use)
{
	free(use->who);
	free(use->name);
	free(use->path);
}

void
file_uses_free(struct file_uses *uses)
{
	for (size_t i = 0; i < uses->n; i++)
		drop_use(&uses->list[i]);
	free(uses->list);
	*uses = (struct file_uses){0};
}

static void
note_status(struct file_use *use, const struct stat *st)
{
	use->exists = true;
	use->dev = st->st_dev;
	use->ino = st->st_ino;
}

static void
fill_use(struct file_use *use, enum file_use_kind kind, const char *who,
    const char *name)
{
	struct text shown = {0};

	text_add_visible(&shown, name, strlen(name));
	*use = (struct file_use){
	    .kind = kind,
	    .who = mem_strdup(who),
	    .name = mem_strdup(text_str(&shown)),
	};
	text_free(&shown);
}

static void
add_use(struct file_uses *uses, const struct file_use *use)
{
	uses->list = mem_grow(
	    uses->list, uses->n, &uses->cap, sizeof(*uses->list));
	uses->list[uses->n++] = *use;
}

/* True for files that must not be used twice: regular ones, and outputs that do
 * not exist yet. Fills *st, zeroed if the file does not exist. */
static bool
may_matter(enum file_use_kind kind, const char *path, struct stat *st)
{
	if (path == NULL || strcmp(path, "-") == 0)
		return false;
	*st = (struct stat){0};
	if (stat(path, st) != 0)
		return kind != FILE_READ;
	return S_ISREG(st->st_mode) || kind == FILES_WRITTEN_IN;
}

static bool
make_use(struct file_use *use, enum file_use_kind kind, const char *who,
    const char *path)
{
	struct stat st;

	if (!may_matter(kind, path, &st))
		return false;
	fill_use(use, kind, who, path);
	use->path = file_absolute_path(path);
	if (st.st_ino != 0)
		note_status(use, &st);
	return true;
}

void
file_uses_add(struct file_uses *uses, enum file_use_kind kind, const char *who,
    const char *path)
{
	struct file_use use;

	if (make_use(&use, kind, who, path))
		add_use(uses, &use);
}

void
file_uses_add_stream(
    struct file_uses *uses, enum file_use_kind kind, const char *who, int fd)
{
	struct file_use use;
	struct stat st;

	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		return;
	fill_use(&use, kind, who, who);
	note_status(&use, &st);
	add_use(uses, &use);
}

void
file_uses_drop_read(struct file_uses *uses)
{
	size_t n = 0;

	for (size_t i = 0; i < uses->n; i++)
		if (uses->list[i].kind == FILE_READ)
			drop_use(&uses->list[i]);
		else
			uses->list[n++] = uses->list[i];
	uses->n = n;
}

/* True for error-N.txt and error-N.json. */
static bool
is_error_file(const char *name)
{
	size_t digits;

	if (strncmp(name, "error-", 6) != 0)
		return false;
	digits = strspn(name + 6, "0123456789");
	name += 6 + digits;
	return digits > 0 &&
	    (strcmp(name, ".txt") == 0 || strcmp(name, ".json") == 0);
}

/* True if the file would be a hang dump in the folder. */
static bool
is_among(const struct file_use *folder, const struct file_use *file)
{
	const char *slash = file->path != NULL ? strrchr(file->path, '/')
					       : NULL;

	return slash != NULL && folder->path != NULL &&
	    strlen(folder->path) == (size_t)(slash - file->path) &&
	    strncmp(folder->path, file->path, strlen(folder->path)) == 0 &&
	    is_error_file(slash + 1);
}

/* True if the path leads to the other file now: it may have been created or
 * replaced since the use was added. */
static bool
is_now(const struct file_use *use, const struct file_use *other)
{
	struct stat st;

	return use->path != NULL && other->exists &&
	    stat(use->path, &st) == 0 && st.st_dev == other->dev &&
	    st.st_ino == other->ino;
}

static bool
is_same_file(const struct file_use *a, const struct file_use *b)
{
	if (a->kind == FILES_WRITTEN_IN || b->kind == FILES_WRITTEN_IN)
		return a->kind == FILES_WRITTEN_IN ? is_among(a, b)
						   : is_among(b, a);
	if (a->exists && b->exists && a->dev == b->dev && a->ino == b->ino)
		return true;
	if (a->path != NULL && b->path != NULL && strcmp(a->path, b->path) == 0)
		return true;
	return is_now(a, b) || is_now(b, a);
}

/* Reports that the output is the file of the other use. */
static bool
refuse_use(const struct file_use *output, const struct file_use *other,
    struct text *err)
{
	if (*output->who != '\0')
		text_addf(err, "%s: ", output->who);
	text_adds(err, output->name);
	if (other->kind == FILE_READ)
		text_addf(err, " is %s: not overwritten", other->who);
	else
		text_addf(err, " is the file of %s: each needs one of its own",
		    other->who);
	return false;
}

static bool
is_stream(const struct file_use *use)
{
	return use->path == NULL;
}

bool
file_uses_are_apart(const struct file_uses *uses, struct text *err)
{
	for (size_t i = 0; i < uses->n; i++) {
		const struct file_use *a = &uses->list[i];

		for (size_t k = 0; k < uses->n && a->kind != FILE_READ; k++) {
			const struct file_use *b = &uses->list[k];

			/* The later one of two outputs is named first. Two
			 * standard streams may be one file: that is the
			 * caller's choice. */
			if (k == i || (b->kind != FILE_READ && k > i) ||
			    (is_stream(a) && is_stream(b)) ||
			    !is_same_file(a, b))
				continue;
			return is_stream(a) ? refuse_use(b, a, err)
					    : refuse_use(a, b, err);
		}
	}
	return true;
}

/* True if no use but an output of the same name is that file. */
static bool
is_free(const struct file_uses *uses, const struct file_use *output,
    struct text *err)
{
	for (size_t i = 0; i < uses->n; i++) {
		const struct file_use *use = &uses->list[i];

		if (use->kind == FILE_WRITTEN &&
		    strcmp(use->who, output->who) == 0)
			continue;
		if (is_same_file(output, use))
			return refuse_use(output, use, err);
	}
	return true;
}

bool
file_uses_may_write(const struct file_uses *uses, const char *who,
    const char *path, struct text *err)
{
	struct file_use output;
	bool ok;

	if (!make_use(&output, FILE_WRITTEN, who != NULL ? who : "", path))
		return true;
	ok = is_free(uses, &output, err);
	drop_use(&output);
	return ok;
}

static void
explain_open(const char *path, struct text *err)
{
	text_add_visible(err, path, strlen(path));
	text_addf(err, ": %s",
	    errno == ENXIO ? "is a pipe without a reader" : strerror(errno));
}

/* As is_free(), for an open file: the path may have been replaced. */
static bool
is_free_open(const struct file_uses *uses, const char *who, const char *path,
    int fd, struct text *err)
{
	struct file_use output;
	struct stat st;
	bool ok;

	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		return true;
	fill_use(&output, FILE_WRITTEN, who, path);
	note_status(&output, &st);
	ok = is_free(uses, &output, err);
	drop_use(&output);
	return ok;
}

/* Only regular files are emptied: pipes and devices can't be. */
bool
file_uses_empty(const char *path, int fd, struct text *err)
{
	struct stat st;

	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) ||
	    ftruncate(fd, 0) == 0)
		return true;
	explain_open(path, err);
	return false;
}

int
file_uses_open(const struct file_uses *uses, const char *who, const char *path,
    int flags, struct text *err)
{
	int fd;

	errno = 0;
	if (!file_uses_may_write(uses, who, path, err))
		return -1;
	fd = open(
	    path, O_WRONLY | O_CLOEXEC | O_NOCTTY | (flags & ~O_TRUNC), 0666);
	if (fd < 0) {
		explain_open(path, err);
		return -1;
	}
	errno = 0;
	if (is_free_open(uses, who, path, fd, err) &&
	    ((flags & O_TRUNC) == 0 || file_uses_empty(path, fd, err)))
		return fd;
	close(fd);
	return -1;
}

static const enum file_use_kind option_uses[] = {
    [OPTION_READS] = FILE_READ,
    [OPTION_WRITES] = FILE_WRITTEN,
    [OPTION_WRITES_IN] = FILES_WRITTEN_IN,
};

static void
add_option_file(struct file_uses *uses, const struct options *o,
    const struct option_info *info)
{
	struct text who = {0};

	text_addf(&who, "%s--%s", info->file == OPTION_READS ? "read by " : "",
	    info->name);
	file_uses_add(uses, option_uses[info->file], text_str(&who),
	    option_path(o, info));
	text_free(&who);
}

/* Adds the default config file, which is read without being named. */
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

		if (option_path(o, info) == NULL ||
		    (info->file == OPTION_WRITES &&
			info->group == GROUP_LAYER && !layer_outputs))
			continue;
		add_option_file(uses, o, info);
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
	const struct annotation *a = document_line_annotation(doc, line);

	if (a == NULL || a->spirv.len == 0)
		return;
	names->list = mem_grow(
	    names->list, names->n, &names->cap, sizeof(*names->list));
	names->list[names->n++] = mem_strndup(a->spirv.s, a->spirv.len);
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
compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Adds each file once: many lines name few files. */
static void
add_annotated_files(struct file_uses *uses, struct names *names)
{
	if (names->n > 1)
		qsort(
		    names->list, names->n, sizeof(*names->list), compare_names);
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
		if (!plan->sources[i].is_alias)
			add_spirvs(&names, plan->sources[i].doc);
	add_spirvs(&names, plan->append);
	add_annotated_files(uses, &names);
}
