/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts programs with the environment that makes the preload library find its
 * device. */
#include "device/serve/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "device/wire/wire.h"

#define LIBRARY "libgpuwl-i915.so"

bool
launch_library(struct text *path, struct text *err)
{
	static const char *const folders[] = {"", "../lib/gpuwl/"};
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	struct text found = {0};
	size_t from = path->len;

	for (size_t i = 0; n > 0 && i < 2; i++) {
		self[n] = 0;
		text_clear(&found);
		text_addf(&found, "%.*s%s" LIBRARY,
		    (int)(strrchr(self, '/') + 1 - self), self, folders[i]);
		if (access(text_str(&found), R_OK) == 0) {
			text_adds(path, text_str(&found));
			break;
		}
	}
	text_free(&found);
	if (path->len == from)
		text_addf(err,
		    "can't find the preload library " LIBRARY
		    ": expected it beside %.*s or in ../lib/gpuwl/ of its "
		    "folder",
		    (int)(n > 0 ? n : 0), self);
	return path->len > from;
}

/* An environment as execve(2) takes it. */
struct environment {
	char **strings;
	size_t n, cap;
};

static void
add_entry(struct environment *env, char *string)
{
	env->strings = mem_grow(
	    env->strings, env->n, &env->cap, sizeof(char *));
	env->strings[env->n++] = string;
}

static void
add_variable(struct environment *env, const char *name, const char *before,
    const char *value)
{
	struct text t = {0};

	text_addf(&t, "%s=%s%s", name, before, value);
	add_entry(env, t.data);
}

/* True if the string sets that variable. */
static bool
sets_variable(const char *string, const char *name)
{
	size_t n = strlen(name);

	return strncmp(string, name, n) == 0 && string[n] == '=';
}

/* Makes the environment. Libraries that the user preloads come first: they wrap
 * what the program calls, and this one is the device below them. */
static void
make_environment(struct environment *env, const struct launch *how)
{
	const char *theirs = getenv("LD_PRELOAD");
	struct text before = {0};
	char run[48];

	if (theirs != NULL && *theirs != 0)
		text_addf(&before, "%s:", theirs);
	for (char **p = environ; *p != NULL; p++)
		if (!sets_variable(*p, "LD_PRELOAD") &&
		    !sets_variable(*p, WIRE_SOCKET_VARIABLE) &&
		    !sets_variable(*p, WIRE_ROOT_VARIABLE) &&
		    !sets_variable(*p, WIRE_RUN_VARIABLE) &&
		    !sets_variable(*p, WIRE_VIRTUAL_VARIABLE))
			add_entry(env, mem_strdup(*p));
	add_variable(env, "LD_PRELOAD", text_str(&before), how->library);
	add_variable(env, WIRE_SOCKET_VARIABLE, "", how->socket);
	add_variable(env, WIRE_ROOT_VARIABLE, "", how->root);
	if (how->run > 0) {
		snprintf(run, sizeof(run), "%ld%s", how->run,
		    how->privileged ? ",privileged" : "");
		add_variable(env, WIRE_RUN_VARIABLE, "", run);
	}
	if (how->in_turns)
		add_variable(env, WIRE_VIRTUAL_VARIABLE, "", "1");
	add_entry(env, NULL);
	text_free(&before);
}

static void
free_environment(struct environment *env)
{
	for (size_t i = 0; i < env->n; i++)
		free(env->strings[i]);
	free(env->strings);
}

/* Signals that this process ignores or handles are not ignored there. */
static void
set_spawn_attributes(posix_spawnattr_t *attr, const struct launch *how)
{
	sigset_t all, none;
	short flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;

	sigfillset(&all);
	sigemptyset(&none);
	posix_spawnattr_setsigdefault(attr, &all);
	posix_spawnattr_setsigmask(attr, &none);
	if (how->apart)
		flags |= POSIX_SPAWN_SETSID;
	posix_spawnattr_setflags(attr, flags);
}

static void
set_spawn_files(posix_spawn_file_actions_t *files, const struct launch *how)
{
	if (how->apart)
		posix_spawn_file_actions_addopen(
		    files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	if (how->output < 0)
		return;
	posix_spawn_file_actions_adddup2(files, how->output, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(files, how->output, STDERR_FILENO);
}

bool
launch_start(struct launched *p, const struct launch *how, struct text *err)
{
	struct environment env = {0};
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	int error;

	make_environment(&env, how);
	posix_spawnattr_init(&attr);
	set_spawn_attributes(&attr, how);
	posix_spawn_file_actions_init(&files);
	set_spawn_files(&files, how);
	error = posix_spawn(
	    &p->pid, how->path, &files, &attr, how->argv, env.strings);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attr);
	free_environment(&env);
	if (error != 0) {
		text_addf(err, "can't run %s: %s", how->path, strerror(error));
		return false;
	}
	p->pidfd = pidfd_open(p->pid, 0);
	if (p->pidfd >= 0)
		return true;
	text_addf(err, "can't watch %s: %s", how->path, strerror(errno));
	kill(p->pid, SIGKILL);
	waitpid(p->pid, NULL, 0);
	return false;
}

bool
launch_ended(struct launched *p, int *status)
{
	int how;

	if (p->pid == 0 || waitpid(p->pid, &how, WNOHANG) != p->pid)
		return false;
	*status = WIFSIGNALED(how) ? 128 + WTERMSIG(how) : WEXITSTATUS(how);
	close(p->pidfd);
	p->pid = 0;
	return true;
}

void
launch_signal(const struct launched *p, int signal)
{
	if (p->pid == 0)
		return;
	if (getpgid(p->pid) == p->pid)
		kill(-p->pid, signal);
	else
		kill(p->pid, signal);
}
