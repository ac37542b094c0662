/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs a program in the foreground: lends it the terminal, stops and continues
 * with it, and ends it when this program is asked to end.
 */
#include "tui/terminal/child.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "tui/terminal/signals.h"

/* Time that a child gets to stop, at each request, and their number. */
#define STOP_MS  500
#define MAX_ASKS 2

struct child {
	pid_t pid; /* also the id of its process group */
	int tty;   /* -1: this program has no terminal to lend */
	int status;
	int asks; /* requests to stop that it has not followed */
};

/* Only the foreground process group can lend the terminal. */
static int
lendable(int tty)
{
	return tty >= 0 && tcgetpgrp(tty) == getpgrp() ? tty : -1;
}

/* Signals ignored by this program are not ignored by the child. */
static void
set_attributes(posix_spawnattr_t *attr)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGPIPE);
	sigaddset(&set, SIGXFSZ);
	posix_spawnattr_setsigdefault(attr, &set);
	posix_spawnattr_setpgroup(attr, 0);
	posix_spawnattr_setflags(
	    attr, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
}

static int
child_start(struct child *c, const char *command, const char *argument)
{
	struct text line = {0};
	char *argv[] = {(char *)"sh", (char *)"-c", NULL, (char *)"sh",
	    (char *)argument, NULL};
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	int error;

	/* The shell survives a Ctrl-C, which is meant for the editor. */
	text_addf(&line, "trap : INT QUIT; %s \"$1\"", command);
	argv[2] = line.data;
	posix_spawnattr_init(&attr);
	set_attributes(&attr);
	posix_spawn_file_actions_init(&actions);
	/* Before exec: a child in the background is stopped when it reads. */
	if (c->tty >= 0)
		posix_spawn_file_actions_addtcsetpgrp_np(&actions, c->tty);
	error = posix_spawn(&c->pid, "/bin/sh", &actions, &attr, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attr);
	text_free(&line);
	return error;
}

static void
lend_terminal(const struct child *c)
{
	if (c->tty >= 0 && tcgetpgrp(c->tty) == getpgrp())
		signals_foreground(c->tty, c->pid);
}

static void
take_terminal(const struct child *c)
{
	if (c->tty >= 0)
		signals_take_foreground(c->tty, c->pid);
}

/* Stops this program with its child, and continues both. */
static void
stop_with(struct child *c)
{
	c->asks = 0;
	take_terminal(c);
	signals_stop_all();
	lend_terminal(c);
	kill(-c->pid, SIGCONT);
}

/* Returns false when the child has ended. */
static bool
child_follow(struct child *c)
{
	pid_t pid = waitpid(c->pid, &c->status, WNOHANG | WUNTRACED);

	if (pid < 0)
		return errno == EINTR;
	if (pid == 0)
		return true;
	if (!WIFSTOPPED(c->status))
		return false;
	stop_with(c);
	return true;
}

/* Requests a stop, then forces it. */
static void
ask_to_stop(struct child *c)
{
	kill(-c->pid, c->asks == 0 ? SIGTSTP : SIGSTOP);
	c->asks++;
}

/* A shell in vfork() reports a stop only once its child has called exec, never
 * if that was stopped before: then this program stops without the report. */
static void
insist_on_stop(struct child *c)
{
	if (c->asks < MAX_ASKS)
		ask_to_stop(c);
	else
		stop_with(c);
}

/* Waits until the child has ended (0) or this program is asked to end (the
 * signal). */
static int
child_wait(struct child *c)
{
	struct pollfd fd = {.fd = signals_fd(), .events = POLLIN};

	for (;;) {
		struct signals_seen seen = signals_take();

		if (seen.death != 0)
			return seen.death;
		if (seen.stop)
			ask_to_stop(c);
		if (!child_follow(c))
			return 0;
		if (seen.resume)
			lend_terminal(c);
		if (poll(&fd, 1, c->asks > 0 ? STOP_MS : -1) == 0)
			insist_on_stop(c);
	}
}

struct child_end
child_run(int tty, const char *command, const char *argument, struct text *err)
{
	struct child_end end = {.status = -1};
	struct child c = {.tty = lendable(tty)};
	int error;

	signals_expect_child();
	error = child_start(&c, command, argument);
	if (error == 0) {
		signals_lend(c.pid, c.tty >= 0);
		end.death = child_wait(&c);
		if (end.death != 0)
			signals_end_child();
		take_terminal(&c);
		end.status = c.status;
	} else {
		text_adds(err, strerror(error));
	}
	signals_reclaim();
	/* The child ended before it stopped: only this program stops. */
	if (end.death == 0 && c.asks > 0)
		signals_stop_all();
	return end;
}
