/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plays every tests/tui/scripts/NAME.script, each as a test of that name, and
 * compares the screens, or regions of them, that it dumps (to files that end in
 * .txt, or in .ansi for the looks of the cells too) with NAME.screen. REGENERATE=1
 * in the environment writes them anew. Lines of a script such as
 *
 *   #! -w @/tests/tui/scripts/two.wsim   arguments, @ is the top of the tree
 *   #! --config=tree/tests/x             the same by a path that can be shown
 *   #! LC_ALL=C                          environment
 *   #! status 3                          the exit status
 *
 * say how it is run. Every key and command of the tables is in some script.
 */
#include <dirent.h>
#include <fcntl.h>
#include <glob.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/folder.h"
#include "tests/support/pty.h"
#include "tui/console/actions.h"

#define MAX_ARGS 32
/* Seconds after which SIGALRM ends a script: only one that hangs takes them. */
#define TIMEOUT 120

struct setup {
	char *argv[MAX_ARGS];
	int argc;
	char *env[MAX_ARGS];
	int n_env;
	int status;
	char *owned; /* the words point into it */
};

static char top[4096]; /* of the tree */

static void
read_text(const char *path, struct text *out)
{
	FILE *f = fopen(path, "r");
	char buf[4096];
	size_t n;

	if (f == NULL)
		return;
	while ((n = fread(buf, 1, sizeof(buf), f)) > 0)
		text_add(out, buf, n);
	fclose(f);
}

/* "@/x" is a file of the tree. */
static char *
expand(const char *word)
{
	struct text t = {0};

	if (word[0] == '@')
		text_addf(&t, "%s%s", top, word + 1);
	else
		text_adds(&t, word);
	return t.data;
}

static void
read_setup(struct setup *s, const char *script)
{
	char *line, *rest, *word, *words;

	s->owned = mem_strdup(script);
	for (rest = s->owned; (line = strsep(&rest, "\n")) != NULL;) {
		if (strncmp(line, "#! ", 3) != 0)
			continue;
		words = line + 3;
		if (sscanf(words, "status %d", &s->status) == 1)
			continue;
		if (words[0] >= 'A' && words[0] <= 'Z') {
			s->env[s->n_env++] = words;
			continue;
		}
		while ((word = strsep(&words, " ")) != NULL)
			s->argv[s->argc++] = expand(word);
	}
}

static void
run_child(const struct setup *s, const char *folder)
{
	int null = open("/dev/null", O_RDWR);

	if (chdir(folder) != 0)
		_exit(125);
	dup2(null, 0);
	dup2(null, 1);
	setenv("TERM", "dumb", 1);
	setenv("LC_ALL", "C.UTF-8", 1);
	unsetenv("LINES");
	unsetenv("COLUMNS");
	for (int i = 0; i < s->n_env; i++)
		putenv(s->env[i]);
	alarm(TIMEOUT);
	execv(s->argv[0], s->argv);
	_exit(126);
}

/* The screens dumped, in order of their names. */
static void
collect(const char *folder, struct text *out)
{
	char pattern[256];
	glob_t found;

	snprintf(pattern, sizeof(pattern), "%s/*.{txt,ansi}", folder);
	if (glob(pattern, GLOB_BRACE, NULL, &found) == 0)
		for (size_t i = 0; i < found.gl_pathc; i++) {
			text_addf(out, "=== %s\n",
			    strrchr(found.gl_pathv[i], '/') + 1);
			read_text(found.gl_pathv[i], out);
			unlink(found.gl_pathv[i]);
		}
	globfree(&found);
}

/* The first line that differs, for the eye. */
static void
show_difference(const char *name, const char *want, const char *got)
{
	size_t line = 1, n, m;

	while (*want != 0 || *got != 0) {
		n = strcspn(want, "\n");
		m = strcspn(got, "\n");
		if (n != m || strncmp(want, got, n) != 0) {
			fprintf(stderr, "%s: line %zu\n- %.*s\n+ %.*s\n", name,
			    line, (int)n, want, (int)m, got);
			return;
		}
		want += n + (want[n] != 0);
		got += m + (got[m] != 0);
		line++;
	}
}

static bool
compare(const char *path, const struct text *got)
{
	struct text want = {0};
	bool same;
	FILE *f;

	if (getenv("REGENERATE") != NULL) {
		f = fopen(path, "w");
		assert_non_null(f);
		fwrite(text_str(got), 1, got->len, f);
		fclose(f);
		return true;
	}
	read_text(path, &want);
	same = strcmp(text_str(&want), text_str(got)) == 0;
	if (!same)
		show_difference(path, text_str(&want), text_str(got));
	text_free(&want);
	return same;
}

/* Runs the script and puts the screens that it has dumped into got. Returns its
 * exit status as a shell has it. */
static int
run_script(const struct setup *s, struct text *got)
{
	int status;
	pid_t pid;

	assert_int_equal(symlink(top, test_path("tree")), 0);
	pid = fork();
	if (pid == 0)
		run_child(s, test_folder());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	collect(test_folder(), got);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void
play_script(void **state)
{
	const char *path = *state;
	struct text got = {0}, expected = {0}, script = {0}, full = {0};
	struct setup setup = {0};
	int status;
	bool same;

	read_text(path, &script);
	text_addf(&full, "%s/%s", top, path);
	setup.argv[setup.argc++] = pty_program();
	setup.argv[setup.argc++] = (char *)"--script";
	setup.argv[setup.argc++] = full.data;
	read_setup(&setup, text_str(&script));
	status = run_script(&setup, &got);
	text_add(&expected, path, strlen(path) - strlen(".script"));
	text_adds(&expected, ".screen");
	same = compare(text_str(&expected), &got);
	text_free(&expected);
	text_free(&got);
	for (int i = 3; i < setup.argc; i++)
		free(setup.argv[i]);
	free(setup.owned);
	text_free(&script);
	text_free(&full);
	assert_true(same);
	assert_int_equal(status, setup.status);
}

static glob_t scripts;

/* All keys and commands that scripts use, as " name name ". */
static void
used_keys(struct text *keys, struct text *commands)
{
	struct text script = {0};
	char *rest, *line;

	for (size_t i = 0; i < scripts.gl_pathc; i++)
		read_text(scripts.gl_pathv[i], &script);
	for (rest = script.data; (line = strsep(&rest, "\n")) != NULL;) {
		if (line[0] == ':')
			text_addf(commands, "%s \n", line);
		if (line[0] == '#' || line[0] == ':' || strchr(line, ' '))
			continue;
		while (*line != 0) {
			size_t len = *line == '<' ? strcspn(line, ">") + 1 : 1;

			text_addc(keys, ' ');
			if (len > 1)
				text_add(keys, line + 1, len - 2);
			else
				text_addc(keys, *line);
			line += len;
		}
	}
	text_addc(keys, ' ');
	text_free(&script);
}

TEST(every_key_has_a_script)
{
	struct text keys = {0}, commands = {0};
	size_t missing = 0;

	used_keys(&keys, &commands);
	for (size_t r = 0; r < console_actions.n; r++) {
		const char *name;
		size_t len;

		for (unsigned i = 0;
		     (name = key_name_at(
			  console_actions.rows[r].keys, i, &len)) != NULL;
		     i++) {
			char want[32];

			/* ':' begins the command lines; '<' is <lt>. */
			if (len == 1 && *name == ':')
				continue;
			snprintf(want, sizeof(want), " %.*s ", (int)len, name);
			if (len == 1 && *name == '<')
				snprintf(want, sizeof(want), " lt ");
			if (strstr(text_str(&keys), want) != NULL)
				continue;
			fprintf(stderr, "no script presses %s\n", want);
			missing++;
		}
	}
	for (size_t c = 0; c < n_console_commands; c++) {
		char want[32];

		snprintf(want, sizeof(want), ":%s ", console_commands[c].name);
		if (strstr(text_str(&commands), want) != NULL)
			continue;
		fprintf(stderr, "no script runs %s\n", want);
		missing++;
	}
	text_free(&keys);
	text_free(&commands);
	assert_int_equal(missing, 0);
}

/* Two rows of one scope must not fight for a key, and F-keys have a letter. */
TEST(key_table)
{
	struct keymap map;
	const char *a, *b;
	size_t la, lb;

	keymap_init(&map, &console_actions);
	for (size_t r = 0; r < console_actions.n; r++) {
		const struct action_row *row = &console_actions.rows[r];

		for (unsigned i = 0;
		     (a = key_name_at(row->keys, i, &la)) != NULL; i++) {
			int code = key_parse(a, la);

			assert_int_not_equal(code, KEY_NONE);
			assert_ptr_equal(keymap_find(&map, code, row->scope,
					     row->scope == SCOPE_PAGE),
			    row);
			if (code > KEY_FUNCTION) {
				b = key_name_at(row->keys, i + 1, &lb);
				assert_non_null(b);
				assert_int_equal(lb, 1);
			}
		}
	}
}

TEST_SOURCE(scripts)
{
	struct test *tests;

	if (getcwd(top, sizeof(top)) == NULL ||
	    glob("tests/tui/scripts/*.script", 0, NULL, &scripts) != 0)
		abort();
	tests = mem_calloc(scripts.gl_pathc, sizeof(*tests));
	for (size_t i = 0; i < scripts.gl_pathc; i++) {
		char *name = mem_strdup(strrchr(scripts.gl_pathv[i], '/') + 1);

		*strrchr(name, '.') = 0;
		tests[i] = (struct test){.file = __FILE__,
		    .name = name,
		    .run = play_script,
		    .given = scripts.gl_pathv[i]};
		runner_add(&tests[i]);
	}
}
