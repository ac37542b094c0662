/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Processes for jobs: forked, so that each begins with the plan as it is, and
 * read through a pipe until that ends.
 */
#include "decide/jobs.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"

struct running_job {
	pid_t pid; /* 0: the place is free */
	size_t job;
	int fd;
	struct text out;
};

struct jobs {
	int epoll;
	unsigned most, n;
	struct running_job *list; /* most of them */
};

unsigned
jobs_processors(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof set, &set) != 0)
		return 1;
	return CPU_COUNT(&set) > 0 ? (unsigned)CPU_COUNT(&set) : 1;
}

struct jobs *
jobs_new(unsigned most)
{
	struct jobs *jobs = mem_calloc(1, sizeof *jobs);

	jobs->epoll = epoll_create1(EPOLL_CLOEXEC);
	jobs->most = most;
	jobs->list = mem_calloc(most, sizeof *jobs->list);
	return jobs;
}

static void
forget_job(struct jobs *jobs, struct running_job *j)
{
	/* Later jobs have copies of the descriptor, which keep it in there. */
	epoll_ctl(jobs->epoll, EPOLL_CTL_DEL, j->fd, NULL);
	close(j->fd);
	text_free(&j->out);
	*j = (struct running_job){0};
	jobs->n--;
}

/* Waits for a process that has ended, or will at once. */
static int
reap_job(const struct running_job *j)
{
	int status = 0;

	while (waitpid(j->pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

void
jobs_free(struct jobs *jobs)
{
	if (jobs == NULL)
		return;
	for (unsigned i = 0; i < jobs->most; i++)
		if (jobs->list[i].pid > 0)
			kill(jobs->list[i].pid, SIGKILL);
	for (unsigned i = 0; i < jobs->most; i++) {
		if (jobs->list[i].pid == 0)
			continue;
		reap_job(&jobs->list[i]);
		forget_job(jobs, &jobs->list[i]);
	}
	close(jobs->epoll);
	free(jobs->list);
	free(jobs);
}

unsigned
jobs_room(const struct jobs *jobs)
{
	return jobs->most - jobs->n;
}

bool
jobs_write(int fd, const char *s, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, s, len);

		if (n < 0 && errno != EINTR)
			return false;
		s += n > 0 ? n : 0;
		len -= n > 0 ? (size_t)n : 0;
	}
	return true;
}

void
jobs_become(pid_t parent, int fd)
{
	static const int signals[] = {
	    SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGCHLD, SIGWINCH};
	sigset_t none;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		signal(signals[i], SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	mem_on_exhausted(NULL, NULL);
	if (fd > 3)
		close_range(3, (unsigned)fd - 1, 0);
	close_range((unsigned)fd + 1, ~0u, 0);
}

static _Noreturn void
do_job(pid_t parent, int fd, size_t job, job_work work, void *data)
{
	struct text out = {0};

	jobs_become(parent, fd);
	work(data, job, &out);
	_exit(jobs_write(fd, text_str(&out), out.len) ? 0 : 1);
}

static struct running_job *
free_place(struct jobs *jobs)
{
	struct running_job *j = jobs->list;

	while (j->pid != 0)
		j++;
	return j;
}

static bool
fail_start(const char *call, int fds[2], struct text *err)
{
	text_addf(err, "cannot start a process: %s: %s", call, strerror(errno));
	if (fds[0] >= 0)
		close(fds[0]);
	if (fds[1] >= 0)
		close(fds[1]);
	return false;
}

bool
jobs_start(
    struct jobs *jobs, size_t job, job_work work, void *data, struct text *err)
{
	struct running_job *j = free_place(jobs);
	struct epoll_event event = {.events = EPOLLIN, .data.ptr = j};
	int fds[2] = {-1, -1};
	pid_t self = getpid(), pid;

	if (pipe2(fds, O_CLOEXEC) != 0)
		return fail_start("pipe2", fds, err);
	pid = fork();
	if (pid < 0)
		return fail_start("fork", fds, err);
	if (pid == 0) {
		do_job(self, fds[1], job, work, data);
	}
	close(fds[1]);
	*j = (struct running_job){.pid = pid, .job = job, .fd = fds[0]};
	jobs->n++;
	epoll_ctl(jobs->epoll, EPOLL_CTL_ADD, fds[0], &event);
	return true;
}

/* Reads what has arrived. True: that was all. */
static bool
read_job(struct running_job *j)
{
	char buffer[4096];
	ssize_t n = read(j->fd, buffer, sizeof buffer);

	if (n > 0)
		text_add(&j->out, buffer, (size_t)n);
	return n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN);
}

static void
end_job(struct jobs *jobs, struct running_job *j, struct job_end *end)
{
	int status = reap_job(j);

	*end = (struct job_end){.job = j->job, .out = j->out};
	j->out = (struct text){0};
	if (WIFSIGNALED(status))
		snprintf(end->died, sizeof end->died,
		    "its process was killed by signal %d (%s)",
		    WTERMSIG(status), strsignal(WTERMSIG(status)));
	else if (WEXITSTATUS(status) != 0)
		snprintf(end->died, sizeof end->died,
		    "its process ended with status %d", WEXITSTATUS(status));
	forget_job(jobs, j);
}

bool
jobs_next(struct jobs *jobs, int timeout_ms, struct job_end *end)
{
	struct epoll_event event;

	while (jobs->n > 0 &&
	    epoll_wait(jobs->epoll, &event, 1, timeout_ms) == 1) {
		struct running_job *j = event.data.ptr;

		if (!read_job(j))
			continue;
		end_job(jobs, j, end);
		return true;
	}
	return false;
}
