/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests that are data: commands, and what they print (tests/README.md "Commands").
 * `case NAME` of tests/cli/FILE.cases is the test cli/FILE/NAME.
 */
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/folder.h"

#define FILES "tests/cli/*.cases"

enum word { CASE, SH, NEEDS, FILE_OF, RUN, OUT, ERR, HAS, LACKS, N_WORDS };

static const char *const words[N_WORDS] = {
    "case", "sh", "needs", "file", "$", "out", "err", "has", "lacks"};

/* A line of a file of cases, with the indented lines below it. */
struct case_line {
	enum word word;
	unsigned number;
	int status;       /* of a command */
	const char *rest; /* behind the word */
	struct text below;
};

struct case_file {
	const char *path;
	struct case_line *lines;
	size_t n, cap;
};

/* The lines of a case: those before the first case, and its own. */
struct command_case {
	struct test test;
	const struct case_file *file;
	size_t n_common, first, end;
	struct text shell; /* a skipped or failed test does not return */
};

/* Reading */

static _Noreturn void
refuse_case(const struct case_file *f, unsigned number, const char *line)
{
	fprintf(stderr,
	    "%s:%u: invalid line '%s': expected case, sh, needs, file, $, out, "
	    "err, has or lacks\n",
	    f->path, number, line);
	exit(2);
}

/* A command may have its exit status before it: "2$ gpuwl-top -z". */
static void
read_case_line(struct case_file *f, unsigned number, char *line)
{
	char *word = line, *rest = line + strcspn(line, " ");
	struct case_line l = {.number = number, .word = N_WORDS};

	l.status = (int)strtol(line, &word, 10);
	for (unsigned i = 0; i < N_WORDS; i++)
		if (strncmp(word, words[i], (size_t)(rest - word)) == 0 &&
		    words[i][rest - word] == '\0' && (word == line || i == RUN))
			l.word = (enum word)i;
	if (l.word == N_WORDS || (l.word >= OUT && f->n == 0))
		refuse_case(f, number, line);
	l.rest = *rest == ' ' ? rest + 1 : rest;
	f->lines = mem_grow(f->lines, f->n, &f->cap, sizeof *f->lines);
	f->lines[f->n++] = l;
}

/* Empty lines and comments are between others; an empty one may be in a block, too. */
static void
read_case_file(struct case_file *f, char *text)
{
	unsigned number = 0, empty = 0;
	char *line;

	while ((line = strsep(&text, "\n")) != NULL) {
		number++;
		if (*line == '\0') {
			empty++;
			continue;
		}
		if (strncmp(line, "    ", 4) == 0 && f->n > 0) {
			struct case_line *above = &f->lines[f->n - 1];

			if (above->word == CASE || above->word >= OUT)
				refuse_case(f, number, line);
			for (; empty > 0 && above->below.len > 0; empty--)
				text_addc(&above->below, '\n');
			text_addf(&above->below, "%s\n", line + 4);
		} else if (*line != '#') {
			read_case_line(f, number, line);
		}
		empty = 0;
	}
}

/* Patterns */

/* True if the pattern is that text: * is any text, \d a number, \t a tab; \* and \\ are
 * these characters. */
static bool
matches_pattern(const char *p, const char *s, const char *end)
{
	for (; *p != '\0'; p++, s++) {
		char c = *p;

		if (c == '*') {
			while (!matches_pattern(p + 1, s, end))
				if (s++ == end)
					return false;
			return true;
		}
		if (c == '\\' && p[1] == 'd') {
			size_t n = strspn(s, "0123456789");

			if (n > 0 && s[n] == '.')
				n += strspn(s + n + 1, "0123456789") + 1;
			n -= n > 0 && s[n - 1] == '.';
			if (n == 0)
				return false;
			p++;
			s += n - 1;
			continue;
		}
		if (c == '\\')
			c = *++p == 't' ? '\t' : *p;
		if (s == end || *s != c)
			return false;
	}
	return s == end;
}

/* The lines of a command that expect something. */
struct expected {
	const struct case_line *list;
	size_t n;
};

/* True if the text is what the lines of that word say from line i on; "..." is any number
 * of lines. */
static bool
has_lines(const struct expected *e, size_t i, enum word word, const char *text)
{
	const char *end;

	while (i < e->n && e->list[i].word != word)
		i++;
	if (i == e->n)
		return *text == '\0';
	if (strcmp(e->list[i].rest, "...") == 0) {
		while (!has_lines(e, i + 1, word, text)) {
			if (*text == '\0')
				return false;
			text = strchrnul(text, '\n');
			text += *text == '\n';
		}
		return true;
	}
	end = strchr(text, '\n');
	return end != NULL && matches_pattern(e->list[i].rest, text, end) &&
	    has_lines(e, i + 1, word, end + 1);
}

/* True if a line of the text has the pattern in it. */
static bool
has_part(const char *pattern, const char *text)
{
	struct text any = {0};
	bool found = false;

	text_addf(&any, "*%s*", pattern);
	while (!found && *text != '\0') {
		const char *end = strchrnul(text, '\n');

		found = matches_pattern(text_str(&any), text, end);
		text = end + (*end == '\n');
	}
	text_free(&any);
	return found;
}

/* Running */

/* The end of a command, and its output by stream: OUT or ERR. */
struct written {
	int status;
	char *text[2];
};

static int
open_nameless(void)
{
	return open(test_folder(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
}

static void
run_command(const char *shell, const struct case_line *l, struct written *w)
{
	int fds[2] = {open_nameless(), open_nameless()}, status;
	struct text command = {0};
	pid_t pid;

	text_addf(&command, "%s%s\n%s", shell, l->rest, text_str(&l->below));
	assert_true(fds[0] >= 0 && fds[1] >= 0);
	pid = fork();
	if (pid == 0) {
		dup2(open("/dev/null", O_RDONLY), 0);
		dup2(fds[0], 1);
		dup2(fds[1], 2);
		execl("/bin/sh", "sh", "-c", text_str(&command), NULL);
		_exit(127);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	w->status = WIFEXITED(status) ? WEXITSTATUS(status)
				      : 128 + WTERMSIG(status);
	for (int i = 0; i < 2; i++) {
		w->text[i] = read_open_file(fds[i], NULL);
		close(fds[i]);
	}
	text_free(&command);
}

/* Prints the lines that a stream should have. */
static void
print_expected(const struct expected *e, enum word word)
{
	for (size_t i = 0; i < e->n; i++)
		if (e->list[i].word == word)
			printf("    %s\n", e->list[i].rest);
}

/* Returns true if a stream is as it should be: "has out X" allows other lines, and without
 * a line about it the stream is empty. */
static bool
check_stream(const struct expected *e, enum word word, const char *name,
    const char *text)
{
	bool exact = true, ok = true;
	size_t len = strlen(words[word]);

	for (size_t i = 0; i < e->n; i++)
		if (e->list[i].word >= HAS &&
		    strncmp(e->list[i].rest, words[word], len) == 0)
			exact = false;
	for (size_t i = 0; i < e->n; i++) {
		const struct case_line *l = &e->list[i];

		exact |= l->word == word;
		if (l->word < HAS || strncmp(l->rest, words[word], len) != 0)
			continue;
		if (has_part(l->rest + len + 1, text) != (l->word == HAS)) {
			printf("line %u: it %s '%s'\n", l->number,
			    l->word == HAS ? "lacks" : "has",
			    l->rest + len + 1);
			ok = false;
		}
	}
	if (exact && !has_lines(e, 0, word, text)) {
		printf("expected on standard %s:\n", name);
		print_expected(e, word);
		ok = false;
	}
	if (!ok)
		printf("standard %s:\n%s", name, text);
	return ok;
}

static void
expect_command(const struct case_file *f, const char *shell,
    const struct case_line *l, const struct case_line *end)
{
	struct expected e = {l + 1, 0};
	struct written w;
	bool ok;

	while (e.list + e.n < end && e.list[e.n].word >= OUT)
		e.n++;
	run_command(shell, l, &w);
	ok = check_stream(&e, OUT, "output", w.text[0]);
	ok &= check_stream(&e, ERR, "error", w.text[1]);
	if (w.status != l->status)
		printf("status %d, expected %d\n", w.status, l->status);
	if (w.status != l->status || !ok)
		fail_msg("%s:%u: $ %s", f->path, l->number, l->rest);
	free(w.text[0]);
	free(w.text[1]);
}

/* "needs COMMAND: REASON" */
static void
need(const struct case_file *f, const char *shell, const struct case_line *l)
{
	const char *reason = strstr(l->rest, ": ");
	struct case_line command = *l;
	struct written w;
	char *words_of_it;

	if (reason == NULL)
		fail_msg("%s:%u: expected needs COMMAND: REASON", f->path,
		    l->number);
	words_of_it = mem_strndup(l->rest, (size_t)(reason - l->rest));
	command.rest = words_of_it;
	run_command(shell, &command, &w);
	free(words_of_it);
	free(w.text[0]);
	free(w.text[1]);
	if (w.status != 0)
		skip_test(reason + 2);
}

static void
run_lines(
    const struct case_file *f, size_t first, size_t end, struct text *shell)
{
	for (size_t i = first; i < end; i++) {
		const struct case_line *l = &f->lines[i];

		if (l->word == SH)
			text_addf(
			    shell, "%s\n%s", l->rest, text_str(&l->below));
		else if (l->word == NEEDS)
			need(f, text_str(shell), l);
		else if (l->word == FILE_OF)
			write_file(l->rest, text_str(&l->below));
		else if (l->word == RUN)
			expect_command(f, text_str(shell), l, &f->lines[end]);
	}
}

/* The programs under test come first on PATH; $TREE is the top of the sources. */
static void
set_case_environment(void)
{
	const char *shared = getenv("GPUWL_SHARED"), *program = test_program();
	char tree[PATH_MAX],
	    *data = realpath(shared ? shared : "../shared", NULL);
	struct text path = {0};

	text_addf(&path, "%.*s:%s", (int)(strrchr(program, '/') - program),
	    program, getenv("PATH"));
	setenv("PATH", text_str(&path), 1);
	text_free(&path);
	setenv("TREE", getcwd(tree, sizeof tree), 1);
	setenv("RUNNER", test_runner(), 1);
	setenv("GPUWL_SHARED", data != NULL ? data : "", 1);
	free(data);
#ifdef GPUWL_SANITIZERS
	setenv("SANITIZED", "1", 1);
#endif
	enter_test_folder();
	use_own_devices();
}

static void
run_case(void **state)
{
	struct command_case *c = *state;

	text_adds(&c->shell,
	    "json() { \"$RUNNER\" :json \"$@\"; }\n"
	    "page() { \"$RUNNER\" :page \"$@\"; }\n"
	    "some() { i=0; for word; do"
	    " [ ${ROUNDS:-100} -ge 100 ] || [ $((i % (100 / ROUNDS))) = 0 ] &&"
	    " echo \"$word\";"
	    " i=$((i + 1)); done; }\n"
	    "questions() { \"$RUNNER\" :questions; }\n"
	    "own_batches() { awk -v q=$(questions) '{ for (i = 2; i <= NF; i++)"
	    " if ($i ~ /^batch/) $(i - 1) -= q; print }'; }\n");
	set_case_environment();
	run_lines(c->file, 0, c->n_common, &c->shell);
	run_lines(c->file, c->first, c->end, &c->shell);
	text_free(&c->shell);
}

/* The file and its cases stay as long as the program. */
static void
add_cases(const struct case_file *f)
{
	struct command_case *c = NULL;
	size_t n_common = 0;

	while (n_common < f->n && f->lines[n_common].word != CASE)
		n_common++;
	for (size_t i = n_common; i < f->n; i++) {
		if (f->lines[i].word == CASE) {
			c = mem_calloc(1, sizeof *c);
			*c = (struct command_case){.file = f,
			    .n_common = n_common,
			    .first = i + 1,
			    .test = {.file = f->path,
				.name = f->lines[i].rest,
				.run = run_case,
				.given = c}};
			runner_add(&c->test);
		}
		c->end = i + 1;
	}
}

TEST_SOURCE(commands)
{
	static glob_t files;

	if (glob(FILES, 0, NULL, &files) != 0) {
		fputs("no files " FILES ": run this at the top of the tree\n",
		    stderr);
		exit(2);
	}
	for (size_t i = 0; i < files.gl_pathc; i++) {
		struct case_file *f = mem_calloc(1, sizeof *f);

		f->path = files.gl_pathv[i];
		read_case_file(f, read_whole(f->path, NULL));
		add_cases(f);
	}
}
