/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plays every tests/tui/scripts/NAME.script and compares the screens that it
 * dumps (to files that end in .txt) with NAME.screen. REGENERATE=1 in the
 * environment writes them anew. Lines of a script such as
 *
 *   #! -w @/tests/tui/scripts/two.wsim   arguments, @ is the top of the tree
 *   #! --config=tree/tests/x             the same by a path that can be shown
 *   #! LC_ALL=C                          environment
 *   #! status 3                          the exit status
 *
 * say how it is run. Also: no key of the table is without a script.
 */
#include <dirent.h>
#include <fcntl.h>
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/text.h"
#include "tests/support/pty.h"
#include "tui/input/commands.h"
#include "tui/input/keymap.h"

#define MAX_ARGS 32
#define TIMEOUT  20 /* seconds, then SIGALRM ends it */

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

	snprintf(pattern, sizeof(pattern), "%s/*.txt", folder);
	if (glob(pattern, 0, NULL, &found) == 0)
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

static bool
play(const char *path)
{
	char folder[] = "/tmp/gpuwl-script-XXXXXX", tree[64];
	struct setup s = {.status = 0};
	struct text script = {0}, got = {0}, full = {0}, expected = {0};
	int status;
	bool ok;
	pid_t pid;

	read_text(path, &script);
	text_addf(&full, "%s/%s", top, path);
	text_add(&expected, path, strlen(path) - strlen(".script"));
	text_adds(&expected, ".screen");
	s.argv[s.argc++] = realpath(pty_program(), NULL);
	s.argv[s.argc++] = mem_strdup("--script");
	s.argv[s.argc++] = mem_strdup(text_str(&full));
	read_setup(&s, text_str(&script));
	assert_non_null(mkdtemp(folder));
	snprintf(tree, sizeof(tree), "%s/tree", folder);
	assert_int_equal(symlink(top, tree), 0);
	pid = fork();
	if (pid == 0)
		run_child(&s, folder);
	waitpid(pid, &status, 0);
	collect(folder, &got);
	unlink(tree);
	rmdir(folder);
	ok = compare(text_str(&expected), &got);
	status = WIFEXITED(status) ? WEXITSTATUS(status)
				   : 128 + WTERMSIG(status); /* as a shell */
	if (status != s.status) {
		fprintf(stderr, "%s: status %d\n", path, status);
		ok = false;
	}
	for (int i = 0; i < s.argc; i++)
		free(s.argv[i]);
	free(s.owned);
	text_free(&script);
	text_free(&got);
	text_free(&full);
	text_free(&expected);
	return ok;
}

static void
find_scripts(glob_t *found)
{
	assert_int_equal(glob("tests/tui/scripts/*.script", 0, NULL, found), 0);
}

static void
test_scripts(void **state)
{
	size_t failed = 0;
	glob_t found;

	(void)state;
	find_scripts(&found);
	for (size_t i = 0; i < found.gl_pathc; i++)
		failed += !play(found.gl_pathv[i]);
	globfree(&found);
	assert_int_equal(failed, 0);
}

/* All keys and commands that scripts use, as " name name ". */
static void
used_keys(struct text *keys, struct text *commands)
{
	struct text script = {0};
	char *rest, *line;
	glob_t found;

	find_scripts(&found);
	for (size_t i = 0; i < found.gl_pathc; i++)
		read_text(found.gl_pathv[i], &script);
	globfree(&found);
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

static void
test_every_key_has_a_script(void **state)
{
	struct text keys = {0}, commands = {0};
	size_t missing = 0;

	(void)state;
	used_keys(&keys, &commands);
	for (size_t r = 0; r < n_key_rows; r++) {
		const char *name;
		size_t len;

		for (unsigned i = 0;
		     (name = key_name_at(key_rows[r].keys, i, &len)) != NULL;
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
	for (enum command c = 0; c < N_COMMANDS; c++) {
		char want[32];

		snprintf(want, sizeof(want), ":%s ", command_infos[c].name);
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
static void
test_key_table(void **state)
{
	const char *a, *b;
	size_t la, lb;

	(void)state;
	for (size_t r = 0; r < n_key_rows; r++) {
		const struct key_row *row = &key_rows[r];

		for (unsigned i = 0;
		     (a = key_name_at(row->keys, i, &la)) != NULL; i++) {
			int code = key_parse(a, la);

			assert_int_not_equal(code, KEY_NONE);
			assert_int_equal(
			    keymap_find(&(struct keymap){0}, code, row->scope,
				row->scope == SCOPE_PAGE),
			    row->action);
			if (code > KEY_FUNCTION) {
				b = key_name_at(row->keys, i + 1, &lb);
				assert_non_null(b);
				assert_int_equal(lb, 1);
			}
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_key_table),
	    cmocka_unit_test(test_every_key_has_a_script),
	    cmocka_unit_test(test_scripts),
	};

	if (getcwd(top, sizeof(top)) == NULL)
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
