/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tools/try-on-hardware.sh on virtual GPUs: its report has the GPU, its engines, how
 * long batches took, and a rate for each descriptor that the GPU takes; and no names of
 * the machine.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "tests/runner/test.h"
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

TEST(report)
{
	char *report = report_of("--profile=ideal");

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
TEST(gpu_that_is_refused)
{
	char *report = report_of("--profile=ivb-gt2");

	expect_match(report,
	    "\n== First batch\ngpuwl-top: .* has no scheduler, .*\n\\(status 2");
	assert_null(strstr(report, "== Descriptors"));
	free(report);
}

/* Runs it as a user of that name. */
static char *
report_of_user(const char *name)
{
	char path[4200], *before = getenv("PATH"), *report;
	struct text id = {0};

	text_addf(&id, "#!/bin/sh\necho %s\n", name);
	write_file(test_path("id"), text_str(&id));
	text_free(&id);
	assert_int_equal(chmod(test_path("id"), 0755), 0);
	before = strdup(before != NULL ? before : "/usr/bin:/bin");
	snprintf(path, sizeof path, "%s:%s", test_folder(), before);
	assert_int_equal(setenv("PATH", path, 1), 0);
	report = report_of("--profile=ivb-gt2");
	assert_int_equal(setenv("PATH", before, 1), 0);
	assert_int_equal(unlink(test_path("id")), 0);
	free(before);
	return report;
}

/* A user's name is hidden, and words that have it in them stay. */
TEST(names)
{
	static const char *const users[] = {"dev", "vic"};
	char *report;

	for (size_t i = 0; i < sizeof users / sizeof *users; i++) {
		report = report_of_user(users[i]);
		expect_match(report, "vendor 8086, device [0-9a-f]{4} ");
		expect_match(report, "-D drm:/dev/dri/renderD128\n");
		free(report);
	}
	report = report_of_user("renderD128");
	expect_match(report, "-D drm:/dev/dri/USER\n");
	assert_null(strstr(report, "renderD128"));
	free(report);
}

static int
find_script(void **state)
{
	char top[4096];

	assert_non_null(getcwd(top, sizeof top));
	snprintf(script, sizeof script, "%s/tools/try-on-hardware.sh", top);
	assert_non_null(realpath(test_program(), tried));
	return use_gpuwl_top(state);
}

FIXTURES(find_script, NULL);
