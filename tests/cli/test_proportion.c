/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Time and memory in proportion to the input: descriptors of a shape that once
 * cost the square of their size, run under limits that leave many times what
 * they need, and are far below what the square would take.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/run_program.h"

/* Sanitizers reserve more address space than there is memory. */
#ifdef GPUWL_SANITIZERS
#define LIMITS "ulimit -t 30"
#else
#define LIMITS "ulimit -t 20; ulimit -v 400000"
#endif

static const struct streams limited = {.before = LIMITS};

/* Writes a file of that name in the test's folder; frees t. */
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

TEST(priority_chain)
{
	const char *path = rising_chain(4000);
	struct outcome r;

	RUN_WITH(&r, &limited, "-b", "-q", "--scheduler=execlists", "-c", "2",
	    "-w", path);
	assert_string_equal(r.err, "");
	assert_int_equal(r.status, 0);
	outcome_free(&r);
}

/* The whole of a run of --check that must find errors, whose messages take no
 * more than a few hundred lines. */
static void
expect_errors(const char *path, const char *summary)
{
	struct outcome r;

	RUN_WITH(&r, &limited, "--check", path);
	assert_int_equal(r.status, 1);
	assert_non_null(strstr(r.out, summary));
	assert_true(r.err_len < 100000);
	outcome_free(&r);
}

/* Each message once cut the line anew from its start. */
TEST(references_on_one_line)
{
	struct text t = {0};

	text_adds(&t, "1.RCS.5.");
	for (unsigned i = 0; i < 150000; i++)
		text_adds(&t, "-1/");
	text_adds(&t, "-1.0\n");
	expect_errors(file_of("references.wsim", &t), "150001 errors");
}

/* All in one line, and what is wrong is quoted, but not all of it. */
TEST(empty_dependencies)
{
	struct text t = {0};

	text_adds(&t, "1.RCS.5.");
	for (unsigned i = 0; i < 100000; i++)
		text_addc(&t, '/');
	text_adds(&t, ".0\n");
	expect_errors(file_of("slashes.wsim", &t), "100001 errors");
}

/* A trace of another tool, by mistake. */
TEST(no_descriptor)
{
	struct text t = {0};

	for (unsigned i = 0; i < 300000; i++)
		text_adds(&t, "{\"a\": 1, \"b\": \"xyz\"},\n");
	expect_errors(file_of("trace.wsim", &t), "600000 errors");
}

/* Each wrong T describes the step that it names, however long that is. */
TEST(long_target)
{
	struct text t = {0};

	text_adds(&t, "0.RCS.5.0.0\n1.RCS.5.-1");
	for (unsigned i = 0; i < 30000; i++)
		text_adds(&t, "/-1");
	text_adds(&t, ".0\n");
	for (unsigned i = 1; i <= 30000; i++)
		text_addf(&t, "T.-%u\n", i);
	expect_errors(file_of("targets.wsim", &t), "30000 errors");
}

/* Once each bond copied all before it: 16,000 took 2 GB. */
TEST(bonds)
{
	struct text t = {0};
	struct outcome r;

	text_adds(&t, "M.1.VCS1|VCS2\nB.1\n");
	for (unsigned i = 0; i < 64000; i++)
		text_adds(&t, "b.1.VCS1.RCS\n");
	text_adds(&t, "2.RCS.10.0.0\n1.DEFAULT.10.s-1.0\n");
	RUN_WITH(&r, &limited, "-b", "-q", "--profile=ideal", "-r", "1000",
	    "--scheduler=execlists", "-w", file_of("bonds.wsim", &t));
	assert_string_equal(r.err, "");
	assert_int_equal(r.status, 0);
	outcome_free(&r);
}
