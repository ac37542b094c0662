/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The process of a decision, and its pipe: records, each behind its length; an
 * empty one says that the work is done. */
#include "decide/aside.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "decide/jobs.h"

struct aside {
	pid_t pid; /* 0: it has ended */
	int fd;
	struct text in; /* bytes that are no whole record yet */
	bool ended;     /* nothing more will arrive */
};

void
aside_send(int fd, const void *record, size_t len)
{
	uint32_t n = (uint32_t)len;

	if (!jobs_write(fd, (const char *)&n, sizeof n) ||
	    !jobs_write(fd, record, len))
		_exit(1);
}

/* Standard streams are the caller's terminal, which is not for this process. */
static void
leave_parent_terminal(void)
{
	int null = open("/dev/null", O_RDWR);

	for (int fd = 0; fd <= 2 && null >= 0; fd++)
		dup2(null, fd);
	if (null > 2)
		close(null);
}

static _Noreturn void
do_aside(pid_t parent, int fd, aside_work work, void *data)
{
	jobs_become(parent, fd);
	leave_parent_terminal();
	setpriority(PRIO_PROCESS, 0, 15);
	work(data, fd);
	aside_send(fd, "", 0);
	_exit(0);
}

struct aside *
aside_start(aside_work work, void *data, struct text *err)
{
	int fds[2];
	pid_t self = getpid(), pid;
	struct aside *a;

	if (pipe2(fds, O_CLOEXEC) != 0) {
		text_addf(
		    err, "cannot start a process: pipe2: %s", strerror(errno));
		return NULL;
	}
	pid = fork();
	if (pid == 0)
		do_aside(self, fds[1], work, data);
	close(fds[1]);
	if (pid < 0) {
		text_addf(
		    err, "cannot start a process: fork: %s", strerror(errno));
		close(fds[0]);
		return NULL;
	}
	fcntl(fds[0], F_SETFL, O_NONBLOCK);
	a = mem_calloc(1, sizeof *a);
	*a = (struct aside){.pid = pid, .fd = fds[0]};
	return a;
}

static int
reap_aside(struct aside *a)
{
	int status = 0;

	while (waitpid(a->pid, &status, 0) < 0 && errno == EINTR)
		;
	a->pid = 0;
	return status;
}

void
aside_stop(struct aside *a)
{
	if (a == NULL)
		return;
	if (a->pid > 0) {
		kill(a->pid, SIGKILL);
		reap_aside(a);
	}
	close(a->fd);
	text_free(&a->in);
	free(a);
}

int
aside_fd(const struct aside *a)
{
	return a->fd;
}

/* Moves a whole record out of what has arrived. */
static bool
take_aside_record(struct aside *a, struct text *record)
{
	uint32_t len;

	if (a->in.len < sizeof len)
		return false;
	memcpy(&len, a->in.data, sizeof len);
	if (a->in.len < sizeof len + len)
		return false;
	text_clear(record);
	text_add(record, a->in.data + sizeof len, len);
	a->in.len -= sizeof len + len;
	memmove(a->in.data, a->in.data + sizeof len + len, a->in.len);
	return true;
}

/* Reads what has arrived. False: nothing more has, or will. */
static bool
read_more(struct aside *a)
{
	char buffer[16384];
	ssize_t n = read(a->fd, buffer, sizeof buffer);

	if (n > 0)
		text_add(&a->in, buffer, (size_t)n);
	a->ended = n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR);
	return n > 0;
}

static void
explain_death(struct aside *a, struct text *why)
{
	int status = a->pid > 0 ? reap_aside(a) : 0;

	text_clear(why);
	if (WIFSIGNALED(status))
		text_addf(why, "its process was killed by signal %d (%s)",
		    WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		text_addf(why, "its process ended with status %d",
		    WEXITSTATUS(status));
}

enum aside_got
aside_take(struct aside *a, struct text *record)
{
	while (!take_aside_record(a, record)) {
		if (a->ended) {
			explain_death(a, record);
			return ASIDE_DIED;
		}
		if (!read_more(a) && !a->ended)
			return ASIDE_NOTHING;
	}
	return record->len > 0 ? ASIDE_RECORD : ASIDE_END;
}
