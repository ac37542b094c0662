/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One source: where its text comes from (a file, a pipe, the command line, a
 * shipped example), and what it is called. */
#include "run/plan.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/embedded.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"

#define EXAMPLE "workloads/desktop.wsim"

void
source_add_line_of(struct text *out, const char *who, const char *words)
{
	size_t len = strlen(words);

	while (len > 0 && words[len - 1] == '\n')
		len--;
	text_addf(out, "%s: ", who);
	text_add(out, words, len);
	text_addc(out, '\n');
}

void
source_add_line(struct text *out, const char *words)
{
	source_add_line_of(out, "gpuwl-top", words);
}

static bool
fail_source(struct text *err, const char *name, const char *why)
{
	text_add_visible(err, name, strlen(name));
	text_addf(err, ": %s", why);
	return false;
}

/* Reads a pipe or terminal to its end. */
static bool
read_stream(int fd, const char *name, struct text *out, struct text *err)
{
	if (!file_read_all(fd, FILE_MAX_BYTES, out))
		return fail_source(err, name,
		    errno == EFBIG ? "more than 256 MiB" : strerror(errno));
	return true;
}

static bool
read_path(const char *path, const struct stat *st, struct text *out,
    struct file_stamp *stamp, struct text *err)
{
	bool ok;
	int fd;

	if (!S_ISFIFO(st->st_mode) && !S_ISCHR(st->st_mode))
		return file_read(path, out, stamp, err);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return fail_source(err, path, strerror(errno));
	ok = read_stream(fd, path, out, err);
	close(fd);
	return ok;
}

static void
parse_into(struct source *s, const char *label, const struct text *contents,
    enum document_source kind)
{
	s->doc = document_parse(label, text_str(contents), contents->len, kind);
}

static bool
read_document(struct source *s, const char *path, const struct text *contents,
    const struct stop *stop, struct text *err)
{
	s->doc = document_parse_until(
	    path, text_str(contents), contents->len, SOURCE_FILE, stop);
	return s->doc != NULL || fail_source(err, path, "stopped");
}

static bool
begins_with_mark(const struct text *contents)
{
	return contents->len >= 3 &&
	    memcmp(contents->data, "\xef\xbb\xbf", 3) == 0;
}

bool
source_open_file(struct source *s, const char *path, struct text *err)
{
	return source_open_until(s, path, NULL, err);
}

bool
source_open_until(struct source *s, const char *path, const struct stop *stop,
    struct text *err)
{
	struct text contents = {0};
	struct stat st;
	bool ok;

	*s = (struct source){.name = mem_strdup(path)};
	if (strcmp(path, "-") == 0) {
		ok = read_stream(
		    STDIN_FILENO, "standard input", &contents, err);
	} else if (stat(path, &st) != 0) {
		ok = fail_source(err, path, strerror(errno));
	} else {
		ok = read_path(path, &st, &contents, &s->stamp, err);
		s->is_file = S_ISREG(st.st_mode);
		s->real = s->is_file ? file_absolute_path(path) : NULL;
	}
	if (ok && begins_with_mark(&contents))
		ok = fail_source(err, path,
		    "begins with a byte order mark of UTF-8 (EF BB BF): "
		    "remove it");
	ok = ok && read_document(s, path, &contents, stop, err);
	text_free(&contents);
	return ok;
}

static bool
ends_with(const char *s, const char *end)
{
	size_t len = strlen(s), n = strlen(end);

	return len >= n && strcmp(s + len - n, end) == 0;
}

/* True if a path was probably meant. Descriptors have slashes as well, but only
 * behind a first dot ("1.RCS.500.-1/-2.0") or in a comment. */
static bool
looks_like_path(const char *s)
{
	size_t dot = strcspn(s, ".,\n#"), slash = strcspn(s, "/");

	if (strncmp(s, "./", 2) == 0 || strncmp(s, "../", 3) == 0)
		return true;
	return ends_with(s, ".wsim") || (s[slash] != '\0' && slash < dot);
}

/* True if the path exists, even if it cannot be read. */
static bool
path_exists(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 ||
	    (errno != ENOENT && errno != ENOTDIR && errno != ENAMETOOLONG);
}

static bool
is_regular(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* True if the argument, as text, is a descriptor without errors. */
static bool
is_descriptor(const char *s)
{
	struct document *doc = document_parse(s, s, strlen(s), SOURCE_INLINE);
	bool is = document_is_valid(doc) && document_n_steps(doc) > 0;

	document_free(doc);
	return is;
}

/* As in gem_wsim the path of a regular file is a file. The name of a folder or
 * a device is text only if it is a valid descriptor. */
static bool
names_a_file(const char *argument)
{
	if (strcmp(argument, "-") == 0 || looks_like_path(argument) ||
	    is_regular(argument))
		return true;
	return path_exists(argument) && !is_descriptor(argument);
}

bool
source_open(
    struct source *s, const char *argument, const char *label, struct text *err)
{
	struct text text = {0};

	if (names_a_file(argument))
		return source_open_file(s, argument, err);
	*s = (struct source){
	    .name = mem_strdup(argument),
	    .is_inline = true,
	};
	text_adds(&text, argument);
	parse_into(s, label, &text, SOURCE_INLINE);
	text_free(&text);
	return true;
}

static bool
has_folder(const char *path)
{
	const char *slash = strrchr(path, '/');
	struct text folder = {0};
	struct stat st;
	bool has;

	if (slash == NULL)
		return true;
	text_add(&folder, path, slash == path ? 1 : (size_t)(slash - path));
	has = stat(text_str(&folder), &st) == 0 && S_ISDIR(st.st_mode);
	text_free(&folder);
	return has && slash[1] != 0;
}

bool
source_is_new_file(const char *path)
{
	struct stat st;

	return looks_like_path(path) && stat(path, &st) != 0 &&
	    errno == ENOENT && has_folder(path);
}

void
source_open_new(struct source *s, const char *path)
{
	const struct text nothing = {0};

	*s = (struct source){
	    .name = mem_strdup(path),
	    .real = file_absolute_path(path),
	    .is_file = true,
	};
	parse_into(s, path, &nothing, SOURCE_FILE);
}

static const struct embedded_file *
find_example(void)
{
	const struct embedded_file *first = NULL;

	for (size_t i = 0; i < n_embedded_files; i++) {
		const struct embedded_file *file = &embedded_files[i];

		if (strcmp(file->path, EXAMPLE) == 0)
			return file;
		if (first == NULL && ends_with(file->path, ".wsim"))
			first = file;
	}
	return first;
}

bool
source_open_example(struct source *s, struct text *err)
{
	const struct embedded_file *file = find_example();
	const char *name;

	*s = (struct source){0};
	if (file == NULL) {
		text_adds(err, "no example is built in: name a file");
		return false;
	}
	name = strrchr(file->path, '/');
	name = name != NULL ? name + 1 : file->path;
	s->name = mem_strdup(name);
	s->is_example = true;
	s->doc = document_parse(name, file->data, file->len, SOURCE_FILE);
	return true;
}

void
source_open_blank(struct source *s)
{
	*s = (struct source){.name = mem_strdup(""), .clones = 1};
	s->doc = document_parse("untitled", "", 0, SOURCE_FILE);
	s->waiting = true;
}

bool
source_is_blank(const struct source *s)
{
	return !s->is_file && !s->is_example && *s->name == 0 &&
	    document_n_lines(s->doc) <= 1 && document_n_steps(s->doc) == 0;
}

void
source_close(struct source *s)
{
	if (!s->is_alias)
		document_free(s->doc);
	free(s->name);
	free(s->real);
	program_free(s->program);
	*s = (struct source){0};
}

const char *
source_path(const struct source *s)
{
	return s->is_file ? s->name : NULL;
}

const char *
source_recovery_path(const struct source *s)
{
	return s->is_file ? s->real : NULL;
}

void
source_add_title(const struct plan *plan, size_t source, struct text *out)
{
	const struct source *s = &plan->sources[source];
	const char *slash = s->is_file || s->is_example ? strrchr(s->name, '/')
							: NULL;
	const char *name = slash != NULL && slash[1] != 0 ? slash + 1 : s->name;

	if (s->is_file || s->is_example)
		text_add_visible(out, name, strlen(name));
	else if (source_is_blank(s))
		text_adds(out, "untitled");
	else if (!s->is_inline)
		text_adds(out, "standard input");
	else if (plan->n_sources > 1)
		text_addf(out, "-w (%zu)", source + 1);
	else
		text_adds(out, "-w");
}

bool
source_is_unsaved(const struct source *s)
{
	return s->doc != NULL && !s->is_alias &&
	    document_state(s->doc) != s->saved.state;
}

bool
source_may_be_path(const struct source *s)
{
	return !s->is_file && !s->is_example &&
	    strpbrk(s->name, ",\n") == NULL && strcmp(s->name, "-") != 0 &&
	    !document_is_valid(s->doc);
}

void
source_hint(const struct source *s, struct text *out)
{
	if (!source_may_be_path(s))
		return;
	text_adds(out, "gpuwl-top: no file '");
	text_add_visible(out, s->name, strlen(s->name));
	text_adds(out, "' exists: it was read as a descriptor\n");
}
