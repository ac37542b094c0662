/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/gpuwl_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/folder.h"

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
