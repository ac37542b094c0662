/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Time and memory in proportion to the input: descriptors of a shape that once
 * cost the square of their size, run under limits that leave many times what
 * they need, and are far below what the square would take.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "parser/text.h"
#include "tests/support/run_program.h"

#define SECONDS "ulimit -t 20"

static const struct streams limited = {.before = SECONDS};

/* As a file of that name in the test's folder; frees t. */
static const char *
file_of(const char *name, struct text *t)
{
	const char *path = test_path(name);

	write_file(path, text_str(t));
	text_free(t);
	return path;
}

/* n contexts in a chain, each of a higher priority than the one before or of
 * the same: every step raises all that wait. */
static const char *
rising_chain(unsigned n)
{
	struct text t = {0};

	for (unsigned i = 0; i < n; i++)
		text_addf(&t, "P.%u.%d\n%u.RCS.10.%s.0\n", i + 1,
		    (int)(i * 2046 / (n - 1)) - 1023, i + 1,
		    i > 0 ? "-2" : "0");
	return file_of("chain.wsim", &t);
}

static void
test_priority_chain(void **state)
{
	const char *path = rising_chain(4000);
	struct outcome r;

	(void)state;
	RUN_WITH(&r, &limited, "-b", "-q", "--scheduler=execlists", "-c", "2",
	    "-w", path);
	assert_string_equal(r.err, "");
	assert_int_equal(r.status, 0);
	outcome_free(&r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_priority_chain),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
