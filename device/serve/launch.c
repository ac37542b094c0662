/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts programs with the environment that makes the preload library find its
 * device. */
#include "device/serve/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
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

/* Signals that this process ignores, handles or blocks are as for any program. */
static void
reset_signals(void)
{
	sigset_t none;

	for (int signal = 1; signal < NSIG; signal++)
		sigaction(signal, &(struct sigaction){0}, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Leaves the parent's session. The program gets SIGTERM when the parent dies,
 * however that happens: no one else would end it. */
static void
part_from(pid_t parent)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	setsid();
	dup2(null, STDIN_FILENO);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(128 + SIGTERM);
}

/* In the child. Writes errno to the pipe if the program can't be executed. */
static _Noreturn void
become_program(
    const struct launch *how, char *const *env, pid_t parent, int failed)
{
	int error;

	reset_signals();
	if (how->descriptors.rlim_cur > 0)
		setrlimit(RLIMIT_NOFILE, &how->descriptors);
	if (how->timer_slack > 0)
		prctl(PR_SET_TIMERSLACK, how->timer_slack);
	if (how->apart)
		part_from(parent);
	if (how->output >= 0) {
		dup2(how->output, STDOUT_FILENO);
		dup2(how->output, STDERR_FILENO);
	}
	execve(how->path, how->argv, env);
	error = errno;
	if (write(failed, &error, sizeof(error)) < 0)
		_exit(126);
	_exit(127);
}

/* Starts a child that executes the program. Returns an errno; 0: it does. */
static int
start_process(pid_t *pid, const struct launch *how, char *const *env)
{
	pid_t parent = getpid();
	int failed[2], error = 0;

	if (pipe2(failed, O_CLOEXEC) != 0)
		return errno;
	*pid = fork();
	if (*pid == 0)
		become_program(how, env, parent, failed[1]);
	if (*pid < 0)
		error = errno;
	close(failed[1]);
	/* Nothing comes if it is executed, which closes the pipe. */
	while (*pid > 0 && read(failed[0], &error, sizeof(error)) < 0 &&
	    errno == EINTR)
		;
	close(failed[0]);
	if (*pid > 0 && error != 0)
		waitpid(*pid, NULL, 0);
	return error;
}

bool
launch_start(struct launched *p, const struct launch *how, struct text *err)
{
	struct environment env = {0};
	int error;

	make_environment(&env, how);
	error = start_process(&p->pid, how, env.strings);
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
