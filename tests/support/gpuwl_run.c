/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/gpuwl_run.h"

#include <limits.h>
#include <regex.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/runner/test.h"
#include "tests/support/folder.h"
#include "tests/support/run_program.h"

static char top[PATH_MAX];

int
use_gpuwl_run(void **state)
{
	char path[PATH_MAX];

	(void)state;
	snprintf(top, sizeof top, "%s", test_program());
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
	const char *runner = test_runner();
	char *path;

	assert_true(
	    asprintf(&path, "%.*s/programs/%s.so",
		(int)(strrchr(runner, '/') - runner), runner, name) > 0);
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
expect_matchf(const char *text, const char *format, ...)
{
	char *pattern;
	va_list args;

	va_start(args, format);
	assert_true(vasprintf(&pattern, format, args) > 0);
	va_end(args);
	expect_match(text, pattern);
	free(pattern);
}

void
run_role(struct outcome *r, const char *role, const char *name)
{
	/* Hangs are found soon. */
	static const char quick[] =
	    "[profile]\nname = quick\nscheduler = execlists\n"
	    "[platform]\ngeneration = 12\n[device]\nRCS = 1\n"
	    "[timeouts]\npreempt_timeout_ms = 5\n"
	    "preempt_timeout_compute_ms = 5\nheartbeat_ms = 10\n";

	write_file("quick.ini", quick);
	allow_sanitizers();
	RUN(r, "--profile=./quick.ini", test_runner(), role, name);
	unsetenv("ASAN_OPTIONS");
}
