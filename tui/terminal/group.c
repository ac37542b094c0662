/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See group.h. */
#include "tui/terminal/group.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#define LOOK_MS  10
#define MAX_LOOK 100 /* looks */

static bool
is_gone(pid_t child)
{
	while (waitpid(-child, NULL, WNOHANG) > 0)
		;
	return kill(-child, 0) < 0 && errno == ESRCH;
}

static bool
wait_for_end(pid_t child)
{
	for (int i = 0; i < MAX_LOOK; i++) {
		if (is_gone(child))
			return true;
		poll(NULL, 0, LOOK_MS);
	}
	return false;
}

void
group_end(pid_t child)
{
	int saved = errno;

	/* Processes that the child has started become ours when it has ended:
	 * an init that reaps late, or never, would leave it in the group. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	kill(-child, SIGTERM);
	kill(-child, SIGCONT);
	if (!wait_for_end(child)) {
		kill(-child, SIGKILL);
		wait_for_end(child);
	}
	errno = saved;
}
