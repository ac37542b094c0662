/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tools/try-on-hardware.sh on virtual GPUs: its report has the GPU, its engines, how
 * long batches took, and a rate for each descriptor that the GPU takes; and no names of
 * the machine.
 */
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
#include "tests/support/gpuwl_run.h"
#include "tests/support/run_program.h"

static char script[4200]; /* the shell script */
static char tried[4096];  /* gpuwl-top */

static char *
report_of(const char *profile)
{
	struct outcome r;
	char *report;

	RUN(&r, "-q", profile, script, "-n", "-t", "0.01", "-o", "report.txt",
	    tried);
	if (r.status != 0)
		fail_msg("status %d: %s", r.status, r.err);
	assert_non_null(strstr(r.err, "wrote report.txt"));
	outcome_free(&r);
	report = read_whole("report.txt", NULL);
	assert_null(strstr(report, "/tmp/"));
	return report;
}

static void
test_report(void **state)
{
	char *report = report_of("--profile=ideal");

	(void)state;
	expect_match(
	    report, "\n  PCI 0000:00:02\\.0, vendor 8086, device 9a49");
	expect_match(report, "\nCAP_SYS_NICE: (yes|no)\n");
	expect_match(report, "\nVCS2 +50 batches of 1000 us: 1000\\.");
	expect_match(report, "\nclock_error_ns:[0-9]+\n");
	expect_match(report,
	    "\ncalls/data +5 +[0-9.]+ +([0-9.]+|-|refused) .*[0-9.]+\n");
	expect_match(report, "\nworkloads/transcode +5 +[0-9.]+ ");
	expect_match(report, "\nworkloads/parallel-frame +5 +refused ");
	assert_null(strstr(report, "/hang "));
	expect_match(report, "\n== Error states\n");
	expect_match(report, "\nThis took [0-9]+ s\\.\n$");
	free(report);
}

/* The script says why, and goes on. */
static void
test_gpu_that_is_refused(void **state)
{
	char *report = report_of("--profile=ivb-gt2");

	(void)state;
	expect_match(report,
	    "\n== First batch\ngpuwl-top: .* has no scheduler, .*\n\\(status 2");
	assert_null(strstr(report, "== Descriptors"));
	free(report);
}

static int
find_script(void **state)
{
	const char *given = getenv("GPUWL_TOP");
	char top[4096];

	assert_non_null(getcwd(top, sizeof top));
	snprintf(script, sizeof script, "%s/tools/try-on-hardware.sh", top);
	assert_non_null(
	    realpath(given != NULL ? given : "build/gpuwl-top", tried));
	return use_gpuwl_top(state);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_report),
	    cmocka_unit_test(test_gpu_that_is_refused),
	};

	return cmocka_run_group_tests(tests, find_script, NULL);
}
