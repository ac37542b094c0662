/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/behaviours/alone.h"
#include "tests/runner/test.h"

#include <stdint.h>
#include <stdlib.h>

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* A check that passes takes less than half a second. */
#define CPU_SECONDS  2
#define MEMORY_BYTES ((rlim_t)2 << 30)

static void
limit(int resource, rlim_t value)
{
	struct rlimit limit = {value, value};

	if (setrlimit(resource, &limit) != 0)
		abort();
}

static void
be_quiet(void)
{
	int null = open("/dev/null", O_WRONLY);

	if (null < 0 || dup2(null, STDOUT_FILENO) < 0 ||
	    dup2(null, STDERR_FILENO) < 0)
		_exit(2);
}

static _Noreturn void
run_and_exit(const struct test *test)
{
	const struct CMUnitTest one = {
	    test->name, test->run, NULL, NULL, test->given};

	be_quiet();
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_CPU, CPU_SECONDS);
	limit(RLIMIT_AS, MEMORY_BYTES);
	_exit(_cmocka_run_group_tests("alone", &one, 1, NULL, NULL) != 0);
}

const char *
alone_run(const struct test *test)
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		run_and_exit(test);
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		abort();
	if (WIFEXITED(status))
		return WEXITSTATUS(status) == 0 ? NULL : "failed";
	if (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL)
		return "has no end";
	return "crashed";
}
