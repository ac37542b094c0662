/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One test in this process: its environment, its folder, its fixtures. */
#include <ftw.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/runner/runner.h"

static bool was_skipped;

void
skip_test(const char *reason)
{
	print_message("skipped: %s\n", reason);
	was_skipped = true;
	skip();
}

const char *
test_runner(void)
{
	static char path[PATH_MAX];

	if (*path == '\0' && readlink("/proc/self/exe", path, PATH_MAX - 1) < 0)
		abort();
	return path;
}

const char *
test_program(void)
{
	return getenv("GPUWL_TOP");
}

/* As if nobody had configured anything; nothing that a test does is left behind. */
void
child_environment(const char *folder)
{
	static const char *const unset[] = {"XDG_CACHE_HOME", "XDG_CONFIG_HOME",
	    "XDG_DATA_HOME", "XDG_STATE_HOME", "GPUWL_DEVICE"};
	static const char *const set[] = {
	    "GPUWL_TEST_FOLDER", "HOME", "TMPDIR", "XDG_RUNTIME_DIR"};

	for (size_t i = 0; i < sizeof unset / sizeof *unset; i++)
		unsetenv(unset[i]);
	for (size_t i = 0; i < sizeof set / sizeof *set; i++)
		setenv(set[i], folder, 1);
}

int
child_run(const struct job *job)
{
	const struct test_fixtures *fixtures = test_fixtures_of(job->test);
	const struct CMUnitTest test = {job->name, job->test->run,
	    fixtures->set_up, fixtures->tear_down, job->test->given};
	int failed;

	failed = _cmocka_run_group_tests(job->name, &test, 1, NULL, NULL);
	if (failed != 0)
		return 1;
	return was_skipped ? STATUS_SKIPPED : 0;
}

char *
child_folder(const char *base, size_t i)
{
	char *folder;

	if (asprintf(&folder, "%s/%zu", base, i) < 0 || mkdir(folder, 0700) < 0)
		abort();
	return folder;
}

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st;
	(void)type;
	(void)at;
	(void)remove(path);
	return 0;
}

void
child_remove(const char *folder)
{
	nftw(folder, remove_one, 64, FTW_DEPTH | FTW_PHYS);
}
