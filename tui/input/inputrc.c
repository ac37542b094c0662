/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the user's inputrc and the files that it includes, within limits, and
 * passes them to readline line by line. Text that readline prints about a line
 * becomes a problem of that line.
 */
#include "tui/input/prompt_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <readline/readline.h>
#include <readline/tilde.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"

#define MAX_TOLD 20 /* problems that are reported */

struct reader {
	struct text *problems;
	unsigned n_problems, n_files, depth;
	size_t n_bytes;
	int said; /* file that catches standard error; -1: none */
};

/* A line of a file. */
struct place {
	const char *path;
	unsigned line;
};

static void add_problem(struct reader *r, const struct place *at,
    const char *fmt, ...) __attribute__((format(printf, 3, 4)));

static void
add_problem(struct reader *r, const struct place *at, const char *fmt, ...)
{
	va_list ap;

	if (r->n_problems++ >= MAX_TOLD)
		return;
	if (at != NULL)
		text_addf(r->problems, "%s:%u: ", at->path, at->line);
	va_start(ap, fmt);
	text_addv(r->problems, fmt, ap);
	va_end(ap);
	text_addc(r->problems, '\n');
}

/* True for /dev/null: an empty inputrc on purpose. */
static bool
is_null_device(const struct stat *st)
{
	return S_ISCHR(st->st_mode) && st->st_rdev == makedev(1, 3);
}

/* Reads a file. False: it does not exist, or has a problem, which is added. */
static bool
read_inputrc_file(struct reader *r, const struct place *from, const char *path,
    struct text *out)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;
	bool ok = false;

	if (fd < 0) {
		if (errno != ENOENT)
			add_problem(r, from, "%s: %s", path, strerror(errno));
		return false;
	}
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		if (!is_null_device(&st))
			add_problem(
			    r, from, "%s: expected a regular file", path);
	} else {
		ok = file_read_all(fd, INPUTRC_MAX_BYTES - r->n_bytes, out);
		r->n_bytes += out->len;
		if (!ok)
			add_problem(r, from, "%s: more than %d bytes in all",
			    path, INPUTRC_MAX_BYTES);
	}
	close(fd);
	return ok;
}

/* Adds what readline has printed as a problem of that line. */
static void
take_said(struct reader *r, const struct place *at)
{
	char buf[512];
	ssize_t n = r->said >= 0 ? pread(r->said, buf, sizeof(buf) - 1, 0) : 0;
	const char *s = buf;

	if (n <= 0)
		return;
	buf[n] = '\0';
	buf[strcspn(buf, "\n")] = '\0';
	if (strncmp(s, "readline: ", 10) == 0)
		s += 10;
	add_problem(r, at, "%s", s);
	if (ftruncate(r->said, 0) < 0 || lseek(r->said, 0, SEEK_SET) < 0)
		r->said = -1;
}

/* True if $if and $else let lines count here. readline does not tell, so it is
 * given a line, whose effect shows. */
static bool
lines_count(void)
{
	char probe[] = "set comment-begin #counts";
	char *before = mem_strdup(rl_variable_value("comment-begin"));
	bool count;

	rl_parse_and_bind(probe);
	count = strcmp(rl_variable_value("comment-begin"), "#counts") == 0;
	rl_variable_bind("comment-begin", before);
	free(before);
	return count;
}

static void read_inputrc_lines(
    struct reader *r, const struct place *from, const char *path);

static void
include(struct reader *r, const struct place *at, const char *name)
{
	char *path;

	if (!lines_count())
		return;
	if (r->depth >= INPUTRC_MAX_DEPTH || r->n_files >= INPUTRC_MAX_FILES) {
		add_problem(r, at, "%s: files include others too deep", name);
		return;
	}
	path = tilde_expand(name);
	r->depth++;
	read_inputrc_lines(r, at, path);
	r->depth--;
	free(path);
}

/* Returns the name of the file that the line includes; NULL: none. */
static char *
included(char *line)
{
	static const char word[] = "include";
	char *s = line + 1 + strspn(line + 1, " \t");

	if (*line != '$' || strncasecmp(s, word, strlen(word)) != 0)
		return NULL;
	s += strlen(word);
	if (*s != ' ' && *s != '\t')
		return NULL;
	s += strspn(s, " \t");
	s[strcspn(s, " \t\r")] = '\0';
	return s;
}

static void
read_inputrc_line(struct reader *r, const struct place *at, char *line)
{
	char *name;

	line += strspn(line, " \t");
	line[strcspn(line, "\r")] = '\0';
	if (*line == '\0' || *line == '#')
		return;
	if (strlen(line) > INPUTRC_MAX_LINE) {
		add_problem(r, at, "more than %d bytes", INPUTRC_MAX_LINE);
		return;
	}
	name = included(line);
	if (name != NULL) {
		include(r, at, name);
		return;
	}
	rl_parse_and_bind(line);
	take_said(r, at);
}

static void
read_inputrc_lines(struct reader *r, const struct place *from, const char *path)
{
	struct place at = {.path = path};
	struct text all = {0};
	size_t next;

	r->n_files++;
	if (!read_inputrc_file(r, from, path, &all))
		all.len = 0;
	for (size_t i = 0; i < all.len; i = next) {
		next = i + strcspn(all.data + i, "\n") + 1;
		all.data[next - 1] = '\0'; /* the last may be the text's end */
		at.line++;
		read_inputrc_line(r, &at, all.data + i); /* changes it */
	}
	text_free(&all);
}

/* Returns the inputrc that readline would read; the caller frees it. */
static char *
find_inputrc(void)
{
	const char *own = getenv("INPUTRC");
	char *home;

	if (own != NULL && *own != 0)
		return tilde_expand(own);
	home = tilde_expand("~/.inputrc");
	if (access(home, R_OK) == 0)
		return home;
	free(home);
	return mem_strdup("/etc/inputrc");
}

/* Redirects standard error into memory; returns the old one. */
static int
catch_errors(struct reader *r)
{
	int before = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);

	r->said = memfd_create("said", MFD_CLOEXEC);
	if (before >= 0 && r->said >= 0)
		dup2(r->said, STDERR_FILENO);
	return before;
}

static void
release_errors(struct reader *r, int before)
{
	fflush(stderr);
	if (before >= 0) {
		dup2(before, STDERR_FILENO);
		close(before);
	}
	if (r->said >= 0)
		close(r->said);
}

unsigned
inputrc_read(struct text *problems)
{
	struct reader r = {.problems = problems};
	int before = catch_errors(&r);
	char *path = find_inputrc();

	read_inputrc_lines(&r, NULL, path);
	/* `set keymap' is for the lines after it only. */
	rl_set_keymap_from_edit_mode();
	free(path);
	release_errors(&r, before);
	return r.n_problems;
}

void
inputrc_initialize_without(void)
{
	const char *s = getenv("INPUTRC");
	char *own = s != NULL ? mem_strdup(s) : NULL;

	setenv("INPUTRC", "/dev/null", 1);
	rl_initialize();
	if (own != NULL)
		setenv("INPUTRC", own, 1);
	else
		unsetenv("INPUTRC");
	free(own);
}
