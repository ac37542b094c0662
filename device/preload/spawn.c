/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Programs that are started without fork(2), in virtual time: a child has its
 * number before it exists, and what the C library would wait for inside of a call
 * is waited for in turns.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/preload/real.h"
#include "device/preload/turn.h"

/* Streams of popen(3) at a time. */
#define STREAMS 32

typedef int spawn_fn(pid_t *, const char *, const posix_spawn_file_actions_t *,
    const posix_spawnattr_t *, char *const[], char *const[]);

/* posix_spawn(3), or posix_spawnp(3) where that is start. */
static int
spawn_in_turn(spawn_fn *start, pid_t *to, const char *name,
    const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *how,
    char *const argv[], char *const envp[])
{
	uint32_t number;
	pid_t pid = 0;
	int rc;

	if (!turn_taking)
		return start(to, name, actions, how, argv, envp);
	number = turn_expect();
	rc = start(&pid, name, actions, how, argv, envp);
	if (rc == 0 && to != NULL)
		*to = pid;
	/* Which process it is; none if it failed. */
	turn_expected(number, rc == 0 ? pid : 0, 0);
	return rc;
}

int
posix_spawn(pid_t *restrict to, const char *restrict path,
    const posix_spawn_file_actions_t *actions,
    const posix_spawnattr_t *restrict how, char *const argv[restrict],
    char *const envp[restrict])
{
	return spawn_in_turn(
	    real()->posix_spawn, to, path, actions, how, argv, envp);
}

int
posix_spawnp(pid_t *restrict to, const char *restrict file,
    const posix_spawn_file_actions_t *actions,
    const posix_spawnattr_t *restrict how, char *const argv[restrict],
    char *const envp[restrict])
{
	return spawn_in_turn(
	    real()->posix_spawnp, to, file, actions, how, argv, envp);
}

/* Starts a shell with those signals' default actions and mask (NULL: as they
 * are), and fd as its descriptor `as` (fd -1: none). Returns the process, or -1,
 * with errno. */
static pid_t
spawn_shell(const char *command, const sigset_t *defaults, const sigset_t *mask,
    int fd, int as)
{
	char *const argv[] = {(char *)(uintptr_t) "sh",
	    (char *)(uintptr_t) "-c", (char *)(uintptr_t)command, NULL};
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t how;
	pid_t pid = -1;
	int rc;

	posix_spawnattr_init(&how);
	posix_spawn_file_actions_init(&actions);
	if (defaults != NULL) {
		posix_spawnattr_setsigdefault(&how, defaults);
		posix_spawnattr_setsigmask(&how, mask);
		posix_spawnattr_setflags(
		    &how, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
	}
	if (fd >= 0)
		posix_spawn_file_actions_adddup2(&actions, fd, as);
	rc = posix_spawn(&pid, "/bin/sh", &actions, &how, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&how);
	errno = rc;
	return rc == 0 ? pid : -1;
}

/* Waits for a shell. Returns its status, or -1, with errno. */
static int
await_shell(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return status;
}

int
system(const char *command)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN}, interrupt, quit;
	sigset_t child, mask, defaults;
	int status = -1;
	pid_t pid;

	if (!turn_taking || command == NULL)
		return real()->system(command);
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, &mask);
	sigaction(SIGINT, &ignore, &interrupt);
	sigaction(SIGQUIT, &ignore, &quit);
	sigemptyset(&defaults);
	if (interrupt.sa_handler != SIG_IGN)
		sigaddset(&defaults, SIGINT);
	if (quit.sa_handler != SIG_IGN)
		sigaddset(&defaults, SIGQUIT);
	pid = spawn_shell(command, &defaults, &mask, -1, -1);
	if (pid > 0)
		status = await_shell(pid);
	sigaction(SIGINT, &interrupt, NULL);
	sigaction(SIGQUIT, &quit, NULL);
	sigprocmask(SIG_SETMASK, &mask, NULL);
	return status;
}

/* Streams of shells. Their reads take turns, so they are not the C library's
 * own, and have no descriptor that fileno(3) knows. */

static struct shell_stream {
	FILE *f; /* NULL: free */
	pid_t pid;
	int fd;
} streams[STREAMS];

static ssize_t
read_shell(void *cookie, char *buf, size_t size)
{
	return read(((struct shell_stream *)cookie)->fd, buf, size);
}

static ssize_t
write_shell(void *cookie, const char *buf, size_t size)
{
	ssize_t n = write(((struct shell_stream *)cookie)->fd, buf, size);

	return n > 0 ? n : 0;
}

static int
close_shell(void *cookie)
{
	return close(((struct shell_stream *)cookie)->fd);
}

/* Opens a stream on the end of a pipe; it is closed if that fails. */
static FILE *
stream_of_shell(struct shell_stream *s, const char *mode)
{
	const cookie_io_functions_t calls = {
	    .read = read_shell, .write = write_shell, .close = close_shell};

	s->f = fopencookie(s, mode[0] == 'r' ? "r" : "w", calls);
	if (s->f == NULL)
		close(s->fd);
	return s->f;
}

FILE *
popen(const char *command, const char *mode)
{
	bool reads = mode[0] == 'r';
	struct shell_stream *s = streams;
	int ends[2];

	while (s < streams + STREAMS && s->f != NULL)
		s++;
	if (!turn_taking || s == streams + STREAMS)
		return real()->popen(command, mode);
	if (pipe2(ends, O_CLOEXEC) != 0)
		return NULL;
	s->pid = spawn_shell(command, NULL, NULL, ends[reads ? 1 : 0],
	    reads ? STDOUT_FILENO : STDIN_FILENO);
	close(ends[reads ? 1 : 0]);
	s->fd = ends[reads ? 0 : 1];
	if (s->pid < 0) {
		close(s->fd);
		return NULL;
	}
	return stream_of_shell(s, mode);
}

int
pclose(FILE *f)
{
	struct shell_stream *s = streams;

	while (s < streams + STREAMS && (s->f == NULL || s->f != f))
		s++;
	if (s == streams + STREAMS)
		return real()->pclose(f);
	fclose(f);
	s->f = NULL;
	return await_shell(s->pid);
}
