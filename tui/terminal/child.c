/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See child.h. */
#include "tui/terminal/child.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "parser/text.h"
#include "tui/terminal/signals.h"

/* How long a child that was asked to end is waited for. */
#define GRACE_MS 1000

/* What is ignored here is not to be ignored there. */
static int
start(pid_t *pid, const char *command, const char *argument)
{
	struct text line = {0};
	char *argv[] = {(char *)"sh", (char *)"-c", NULL, (char *)"sh",
	    (char *)argument, NULL};
	posix_spawnattr_t attr;
	sigset_t set;
	int error;

	/* The shell itself outlives what the editor is sent by Ctrl-C. */
	text_addf(&line, "trap : INT QUIT; %s \"$1\"", command);
	argv[2] = line.data;
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGQUIT);
	sigaddset(&set, SIGPIPE);
	sigaddset(&set, SIGXFSZ);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigdefault(&attr, &set);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF);
	error = posix_spawn(pid, "/bin/sh", NULL, &attr, argv, environ);
	posix_spawnattr_destroy(&attr);
	text_free(&line);
	return error;
}

/* Until the child has ended or we are asked to. */
static int
wait_for(int fd, pid_t pid)
{
	struct pollfd fds[] = {
	    {.fd = fd, .events = POLLIN},
	    {.fd = signals_fd(), .events = POLLIN},
	};
	int death = 0;

	while (death == 0 && fds[0].revents == 0) {
		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			break;
		death = signals_death();
	}
	if (death != 0) {
		kill(pid, death);
		poll(fds, 1, GRACE_MS);
	}
	return death;
}

struct child_end
child_run(const char *command, const char *argument, struct text *err)
{
	struct child_end end = {.status = -1};
	pid_t pid;
	int error, fd;

	signals_lend();
	error = start(&pid, command, argument);
	if (error == 0) {
		fd = pidfd_open(pid, 0);
		if (fd >= 0)
			end.death = wait_for(fd, pid);
		/* One that does not heed the signal is left behind. */
		while (waitpid(pid, &end.status, end.death != 0 ? WNOHANG : 0) <
			0 &&
		    errno == EINTR)
			;
		if (fd >= 0)
			close(fd);
	} else {
		text_adds(err, strerror(error));
	}
	signals_reclaim();
	return end;
}
