/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/gpuwl_run.h"

#include <limits.h>
#include <regex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/folder.h"
#include "tests/support/run_program.h"
#include "tests/support/skip.h"

static char top[PATH_MAX];

int
use_gpuwl_run(void **state)
{
	const char *program = getenv("GPUWL_TOP");
	char path[PATH_MAX];

	(void)state;
	assert_non_null(realpath(program ? program : "build/gpuwl-top", top));
	snprintf(path, sizeof(path), "%.*s/gpuwl-run",
	    (int)(strrchr(top, '/') - top), top);
	setenv("GPUWL_TOP", path, 1);
	enter_test_folder();
	use_own_devices();
	return 0;
}

int
use_gpuwl_top(void **state)
{
	allow_sanitizers();
	return use_gpuwl_run(state);
}

char *
gpuwl_top(void)
{
	return top;
}

void
allow_sanitizers(void)
{
	setenv("ASAN_OPTIONS", "verify_asan_link_order=0:detect_leaks=0", 1);
}

char *
test_preload(const char *name)
{
	char self[4096] = "", *tests, *path;

	assert_true(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
	tests = strstr(self, "/tests/");
	assert_non_null(tests);
	assert_true(asprintf(&path, "%.*s/tests/programs/%s.so",
			(int)(tests - self), self, name) > 0);
	return path;
}

void
need_gem_wsim(void)
{
	if (access(GEM_WSIM, X_OK) != 0)
		skip_test("no " GEM_WSIM " (intel-gpu-tools)");
}

void
expect_match(const char *text, const char *pattern)
{
	regex_t regex;
	int missing;

	assert_int_equal(regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB), 0);
	missing = regexec(&regex, text, 0, NULL, 0);
	regfree(&regex);
	if (missing == 0)
		return;
	/* cmocka cuts long texts. */
	fprintf(stderr, "%s\n", text);
	fail_msg("the text does not match %s", pattern);
}

void
run_itself(struct outcome *r, const char *name)
{
	/* Hangs are found soon. */
	static const char quick[] =
	    "[profile]\nname = quick\nscheduler = execlists\n"
	    "[platform]\ngeneration = 12\n[device]\nRCS = 1\n"
	    "[timeouts]\npreempt_timeout_ms = 5\n"
	    "preempt_timeout_compute_ms = 5\nheartbeat_ms = 10\n";
	char self[4096] = "";

	write_file("quick.ini", quick);
	assert_true(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
	allow_sanitizers();
	RUN(r, "--profile=./quick.ini", self, name);
	unsetenv("ASAN_OPTIONS");
}
