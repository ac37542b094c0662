/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/gpuwl_run.h"

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
#include "tests/support/skip.h"

int
use_gpuwl_run(void **state)
{
	const char *program = getenv("GPUWL_TOP");
	char *real = realpath(program ? program : "build/gpuwl-top", NULL);
	char *slash, path[4096];

	(void)state;
	assert_non_null(real);
	slash = strrchr(real, '/');
	snprintf(
	    path, sizeof(path), "%.*s/gpuwl-run", (int)(slash - real), real);
	free(real);
	setenv("GPUWL_TOP", path, 1);
	enter_test_folder();
	setenv("XDG_RUNTIME_DIR", test_folder(), 1);
	return 0;
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

	assert_int_equal(regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB), 0);
	if (regexec(&regex, text, 0, NULL, 0) != 0)
		fail_msg("'%s' does not match %s", text, pattern);
	regfree(&regex);
}
