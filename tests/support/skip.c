/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A reason goes with each skipped test. */
#include "tests/support/skip.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

void
skip_test(const char *reason)
{
	print_message("skipped: %s\n", reason);
	skip();
}
