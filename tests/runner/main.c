/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs tests, JOBS at a time, the longest first, each in a process of its own:
 *
 *	run [-j JOBS] [-t SECONDS] [-s N] [-x SCRIPT]... [-w RUNNER]... [-n NAME]... [NAME...]
 *	run -d NAME	that one in this process, for a debugger
 *	run -l		all names
 *	run :ROLE ...	what a test starts (ROLE in test.h)
 *
 * NAME is part of a name, or a pattern with stars of a whole name. A script is one test.
 * -w adds the tests of another runner, -n leaves out. -s prints
 * the N tests that took most CPU time. V=1 prints all that tests print. SKIPS names a file
 * with the reasons for which tests may be skipped. The last line is `N passed, N failed`.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/runner/runner.h"

struct options {
	unsigned jobs;
	double limit;   /* seconds for a test */
	size_t slowest; /* that many are printed at the end */
	bool list, here;
};

/* In memory, where it can be: a disk takes longer for a folder than most tests. */
static char base[32] = "/dev/shm/gpuwl-tests-XXXXXX";

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* In the child. The test has a process group of its own, so that all that it starts
 * ends with it. */
static void
become(const struct job *job)
{
	sigset_t none;
	int in = open("/dev/null", O_RDONLY);

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* nohup and a shell's & ignore signals that tests send. */
	for (int number = 1; number < NSIG; number++)
		signal(number, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	dup2(in, 0);
	dup2(job->out, 1);
	dup2(job->out, 2);
	close(in);
	close(job->out);
	child_environment(job->folder);
	if (job->is_script)
		execlp("bash", "bash", job->program, NULL);
	else if (job->program != NULL)
		execl(job->program, job->program, "-d", job->name, NULL);
	else
		exit(child_run(job));
	perror(job->program);
	_exit(127);
}

static void
start(struct job *job, size_t i)
{
	job->out = memfd_create("output", MFD_CLOEXEC);
	job->folder = child_folder(base, i);
	job->began = now();
	fflush(stdout);
	job->pid = fork();
	if (job->out < 0 || job->pid < 0) {
		perror("cannot start a test");
		exit(1);
	}
	if (job->pid == 0)
		become(job);
	setpgid(job->pid, job->pid);
}

static void
finish(struct job *job, int status, const struct rusage *usage)
{
	/* Ends processes that the test left behind. */
	kill(-job->pid, SIGKILL);
	job->pid = 0;
	job->seconds = now() - job->began;
	job->cpu = (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
	    (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1e6;
	if (job->status == 0)
		job->status = WIFEXITED(status) ? WEXITSTATUS(status)
						: 128 + WTERMSIG(status);
	child_remove(job->folder);
	free(job->folder);
}

/* Ends tests that take too long: asks first. */
static void
stop_late(struct jobs *jobs, double limit)
{
	for (size_t i = 0; i < jobs->n; i++) {
		struct job *job = &jobs->list[i];

		if (job->pid == 0 || now() - job->began < limit)
			continue;
		job->status = STATUS_STOPPED;
		kill(-job->pid,
		    now() - job->began < limit + 5 ? SIGTERM : SIGKILL);
	}
}

static struct job *
job_of(struct jobs *jobs, pid_t pid)
{
	for (size_t i = 0; i < jobs->n; i++)
		if (jobs->list[i].pid == pid)
			return &jobs->list[i];
	return NULL;
}

static volatile sig_atomic_t interrupted;

static void
note_interrupt(int signal)
{
	interrupted = signal;
}

static void
end_all(struct jobs *jobs)
{
	for (size_t i = 0; i < jobs->n; i++)
		if (jobs->list[i].pid != 0)
			kill(-jobs->list[i].pid, SIGKILL);
	child_remove(base);
	signal(interrupted, SIG_DFL);
	raise(interrupted);
}

/* A second at most, or until a test ends. */
static void
wait_for_news(void)
{
	struct timespec second = {.tv_sec = 1};
	sigset_t child;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigtimedwait(&child, NULL, &second);
}

static size_t
collect(struct jobs *jobs, struct counts *counts)
{
	struct rusage usage;
	size_t ended = 0;
	int status;
	pid_t pid;

	while ((pid = wait4(-1, &status, WNOHANG, &usage)) > 0) {
		struct job *job = job_of(jobs, pid);

		if (job == NULL)
			continue;
		finish(job, status, &usage);
		report_job(jobs, job, counts);
		close(job->out);
		ended++;
	}
	return ended;
}

static int
run_all(struct jobs *jobs, const struct options *options)
{
	struct counts counts = {0};
	size_t next = 0, running = 0;
	sigset_t child;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, NULL);
	signal(SIGINT, note_interrupt);
	signal(SIGTERM, note_interrupt);
	while (next < jobs->n || running > 0) {
		if (interrupted)
			end_all(jobs);
		while (next < jobs->n && running < options->jobs) {
			start(&jobs->list[next], next);
			next++;
			running++;
		}
		wait_for_news();
		running -= collect(jobs, &counts);
		report_progress(jobs, &counts);
		stop_late(jobs, options->limit);
	}
	report_slowest(jobs, options->slowest);
	report_end(jobs, &counts);
	return counts.failed > 0 || jobs->n == 0;
}

/* A runner that has to be a child of something defines it: true, with a status, in
 * the parent. */
__attribute__((weak)) bool test_around(char **argv, int *status);

static int
run_here(const struct job *job, char **argv)
{
	char *folder = child_folder(base, 0);
	int status;

	child_environment(folder);
	if (test_around == NULL || !test_around(argv, &status))
		status = child_run(job);
	child_remove(folder);
	free(folder);
	return status;
}

static int
run_jobs(struct jobs *jobs, const struct options *options, char **argv)
{
	char times[4096];
	int status = 0;

	if (options->list) {
		for (size_t i = 0; i < jobs->n; i++)
			puts(jobs->list[i].name);
		return 0;
	}
	if (jobs->n == 0) {
		fputs("no test has such a name (-l lists all)\n", stderr);
		return 1;
	}
	if (access("/dev/shm", W_OK | X_OK) != 0)
		strcpy(base, "/tmp/gpuwl-tests-XXXXXX");
	if (mkdtemp(base) == NULL || chmod(base, 0711) != 0) {
		perror(base);
		return 1;
	}
	if (options->here) {
		for (size_t i = 0; i < jobs->n && status == 0; i++)
			status = run_here(&jobs->list[i], argv);
	} else {
		snprintf(times, sizeof times, "%s.times", test_runner());
		runner_read_times(jobs,
		    access(times, R_OK) == 0 ? times : "tests/runner/times");
		status = run_all(jobs, options);
		if (jobs->n > 1000)
			runner_write_times(jobs, times);
	}
	child_remove(base);
	return status;
}

static int
play_role(int argc, char **argv)
{
	const struct test_role *role = test_role_named(argv[1] + 1);

	if (role == NULL) {
		fprintf(stderr, "%s: no role %s\n", argv[0], argv[1]);
		return 2;
	}
	argv[1] = argv[0];
	return role->play(argc - 1, argv + 1);
}

/* The program beside the folder of this runner, unless the caller names another, by a
 * path that is good everywhere. */
static void
find_program(void)
{
	const char *runner = test_runner(), *given = getenv("GPUWL_TOP");
	char path[PATH_MAX], *real;

	snprintf(path, sizeof path, "%.*s/../gpuwl-top",
	    (int)(strrchr(runner, '/') - runner), runner);
	real = realpath(given != NULL ? given : path, NULL);
	if (real == NULL)
		return;
	setenv("GPUWL_TOP", real, 1);
	free(real);
}

int
main(int argc, char **argv)
{
	struct options options = {.jobs = 2, .limit = 300};
	struct jobs jobs = {0};
	int option, status;

	if (argc > 1 && argv[1][0] == ':')
		return play_role(argc, argv);
	find_program();
	test_run_sources();
	runner_add_own(&jobs);
	while ((option = getopt(argc, argv, "j:t:s:x:w:n:dl")) >= 0) {
		switch (option) {
		case 'j': options.jobs = (unsigned)atoi(optarg); break;
		case 't': options.limit = atof(optarg); break;
		case 's': options.slowest = (size_t)atol(optarg); break;
		case 'x': runner_add_script(&jobs, optarg); break;
		case 'w': runner_add_runner(&jobs, optarg); break;
		case 'n': runner_leave_out(&jobs, optarg); break;
		case 'd': options.here = true; break;
		case 'l': options.list = true; break;
		default: return 2;
		}
	}
	runner_select(&jobs, argv + optind);
	status = run_jobs(&jobs, &options, argv);
	runner_free(&jobs);
	return status;
}
