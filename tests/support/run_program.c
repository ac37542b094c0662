/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/run_program.h"
#include "tests/runner/test.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

const char *
shared_path(const char *name)
{
	static char path[512];
	const char *shared = getenv("GPUWL_SHARED");

	snprintf(path, sizeof(path), "%s/%s",
	    shared != NULL ? shared : "../shared", name);
	return access(path, R_OK) == 0 ? path : NULL;
}

static int
temporary(void)
{
	int fd = open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd < 0)
		fail_msg("temporary file: %s", strerror(errno));
	return fd;
}

static int
input_file(const char *text)
{
	int fd = temporary();
	size_t len = text != NULL ? strlen(text) : 0;

	assert_true(len == 0 || write(fd, text, len) == (ssize_t)len);
	lseek(fd, 0, SEEK_SET);
	return fd;
}

static void
set_output(posix_spawn_file_actions_t *actions, const char *path, int fd)
{
	if (path == NULL)
		posix_spawn_file_actions_adddup2(actions, fd, STDOUT_FILENO);
	else if (*path == '\0')
		posix_spawn_file_actions_addclose(actions, STDOUT_FILENO);
	else
		posix_spawn_file_actions_addopen(actions, STDOUT_FILENO, path,
		    O_WRONLY | O_CREAT | O_TRUNC, 0600);
}

/* The program becomes the shell's, with its number. */
static void
put_shell_before(char **argv, const char *before)
{
	static char script[200];

	snprintf(script, sizeof(script), "%s; exec \"$0\" \"$@\"", before);
	argv[0] = (char *)(uintptr_t) "sh";
	argv[1] = (char *)(uintptr_t) "-c";
	argv[2] = script;
	argv[3] = (char *)(uintptr_t)test_program();
}

struct child
start_program(const struct streams *streams, const char *const *args)
{
	static const struct streams none;
	const struct streams *s = streams != NULL ? streams : &none;
	struct child c = {.out = temporary(), .err = temporary()};
	char *argv[MAX_ARGS + 5] = {(char *)(uintptr_t)test_program()};
	const char *path = s->before != NULL ? "/bin/sh" : test_program();
	posix_spawn_file_actions_t actions;
	int in = input_file(s->in), error, first = 1;

	if (s->before != NULL) {
		put_shell_before(argv, s->before);
		first = 4;
	}
	for (int i = 0; args[i] != NULL; i++) {
		assert_true(i < MAX_ARGS);
		argv[first + i] = (char *)(uintptr_t)args[i];
	}
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
	set_output(&actions, s->out, c.out);
	posix_spawn_file_actions_adddup2(
	    &actions, s->err_fd != 0 ? s->err_fd : c.err, STDERR_FILENO);
	error = posix_spawn(&c.pid, path, &actions, NULL, argv, environ);
	if (error != 0)
		fail_msg("%s: %s", path, strerror(error));
	posix_spawn_file_actions_destroy(&actions);
	close(in);
	return c;
}

void
finish_program(struct outcome *r, struct child c)
{
	int status;

	*r = (struct outcome){0};
	assert_int_equal(waitpid(c.pid, &status, 0), c.pid);
	r->status = WIFEXITED(status) ? WEXITSTATUS(status)
				      : 128 + WTERMSIG(status);
	r->out = read_open_file(c.out, &r->out_len);
	r->err = read_open_file(c.err, &r->err_len);
	close(c.out);
	close(c.err);
}

void
run_program_with(
    struct outcome *r, const struct streams *streams, const char *const *args)
{
	finish_program(r, start_program(streams, args));
}

void
run_program(struct outcome *r, const char *const *args)
{
	run_program_with(r, NULL, args);
}

void
outcome_free(struct outcome *r)
{
	free(r->out);
	free(r->err);
	*r = (struct outcome){0};
}
