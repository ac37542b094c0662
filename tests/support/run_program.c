/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/run_program.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[64];

static void
remove_folder(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	if (system(command) != 0)
		perror(command);
}

const char *
test_path(const char *name)
{
	static char paths[8][256];
	static unsigned next;
	char *path = paths[next++ % 8];

	if (*folder == '\0') {
		strcpy(folder, "/tmp/gpuwl-test-XXXXXX");
		assert_non_null(mkdtemp(folder));
		atexit(remove_folder);
	}
	snprintf(path, sizeof(paths[0]), "%s/%s", folder, name);
	return path;
}

void
write_file(const char *path, const char *contents)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(contents, f);
	assert_int_equal(fclose(f), 0);
}

static char *
read_fd(int fd, size_t *len)
{
	off_t size = lseek(fd, 0, SEEK_END);
	char *s;

	assert_true(size >= 0);
	s = calloc(1, (size_t)size + 1);
	assert_non_null(s);
	assert_true(pread(fd, s, (size_t)size, 0) == size);
	*len = (size_t)size;
	return s;
}

char *
read_whole(const char *path, size_t *len)
{
	int fd = open(path, O_RDONLY);
	size_t n;
	char *s;

	if (fd < 0)
		fail_msg("%s: %s", path, strerror(errno));
	s = read_fd(fd, len != NULL ? len : &n);
	close(fd);
	return s;
}

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

static const char *
program(void)
{
	const char *path = getenv("GPUWL_TOP");

	return path != NULL ? path : "build/gpuwl-top";
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

struct child
start_program(const struct streams *streams, const char *const *args)
{
	static const struct streams none;
	const struct streams *s = streams != NULL ? streams : &none;
	struct child c = {.out = temporary(), .err = temporary()};
	char *argv[MAX_ARGS + 2] = {(char *)(uintptr_t)program()};
	posix_spawn_file_actions_t actions;
	int in = input_file(s->in), error;

	for (int i = 0; args[i] != NULL; i++) {
		assert_true(i < MAX_ARGS);
		argv[i + 1] = (char *)(uintptr_t)args[i];
	}
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
	set_output(&actions, s->out, c.out);
	posix_spawn_file_actions_adddup2(
	    &actions, s->err_fd != 0 ? s->err_fd : c.err, STDERR_FILENO);
	error = posix_spawn(&c.pid, program(), &actions, NULL, argv, environ);
	if (error != 0)
		fail_msg("%s: %s", program(), strerror(error));
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
	r->out = read_fd(c.out, &r->out_len);
	r->err = read_fd(c.err, &r->err_len);
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
