/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --compare-device on the virtual i915, in virtual time: the model with the
 * profile that --calibrate has found predicts what descriptors do there.
 */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/runner/test.h"
#include "tests/support/gpuwl_run.h"
#include "tests/support/page_check.h"
#include "tests/support/run_program.h"

static char workloads[4096]; /* the folder of shipped descriptors */

#define ON_PROFILE(profile, ...)                                               \
	"-q", "--virtual-time", "--privileged", profile, gpuwl_top(), "-D",    \
	    "pci:", __VA_ARGS__
#define ON_DEVICE(...) ON_PROFILE("--profile=tgl", __VA_ARGS__)

static int
use_compared(void **state)
{
	const char *shared = getenv("GPUWL_SHARED");
	char *data = realpath(shared ? shared : "../shared", NULL);

	assert_non_null(realpath("workloads", workloads));
	if (data != NULL)
		setenv("GPUWL_SHARED", data, 1);
	free(data);
	return use_gpuwl_top(state);
}

/* Each has another way to wait. */
static const char *const descriptors[] = {
    "1.RCS.1000.0.1",
    "1.RCS.300.0.0,1.RCS.200.0.0,1.RCS.400.0.1",
    "1.RCS.1000.0.0,2.RCS.500.0.0,1.VCS1.700.-2.1",
    "1.VCS1.500-900.0.0,2.VCS2.800.-1.0,1.RCS.300.-1.1",
    "1.RCS.2000.0.1,p.5000",
    "1.BCS.400.0.1,d.4000",
    "M.1.VCS1|VCS2,B.1,1.DEFAULT.900.0.0,1.DEFAULT.900.0.0,1.DEFAULT.300.0.1",
    "1.RCS.50.0.0,q.4,2.VECS.300.0.0",
    "P.1.-1,1.RCS.3000.0.0,2.RCS.200.0.0,s.-1",
    "1.RCS.700.0.0,2.VCS1.600.f-1.0,s.-1,d.20000",
};

/* Returns what the model's figure of that row is more, in percent. */
static double
difference_of(const char *table, const char *row)
{
	const char *at = strstr(table, row);
	double gpu, model, percent;

	assert_non_null(at);
	assert_int_equal(
	    sscanf(at + strlen(row), "%lf %lf %lf%%", &gpu, &model, &percent),
	    3);
	assert_true(gpu > 0);
	return percent;
}

/* Runs a descriptor on a device of that profile and on the model with the found one. */
static void
expect_predicted(const char *profile, const char *descriptor)
{
	struct outcome r;

	RUN(&r,
	    ON_PROFILE(profile, "--compare-device", "--profile=./found.ini",
		"-r", "10", "-c", "2", "-w", descriptor));
	if (r.status != 0)
		fail_msg("%s: %s", descriptor, r.err);
	if (fabs(difference_of(r.out, "workloads/s")) > 2)
		fail_msg("%s, %s:\n%s", profile, descriptor, r.out);
	outcome_free(&r);
}

static void
find_profile(const char *profile)
{
	struct outcome r;

	RUN(&r, ON_PROFILE(profile, "-q", "--calibrate=found.ini"));
	if (r.status != 0)
		fail_msg("%s: %s", profile, r.err);
	outcome_free(&r);
}

TEST(found_profile_predicts)
{
	find_profile("--profile=tgl");
	for (size_t i = 0; i < sizeof descriptors / sizeof *descriptors; i++)
		expect_predicted("--profile=tgl", descriptors[i]);
}

/* Descriptors that run on a device with GuC and without CCS. */
static const char *const shipped[] = {"composited", "hang", "load-balance",
    "parallel-frame", "priority-inversion", "queue-depth", "split-frame",
    "submit-fence", "transcode", "working-sets"};

TEST(shipped_descriptors_are_predicted)
{
	char path[sizeof workloads + 64];

	find_profile("--profile=adl-p");
	for (size_t i = 0; i < sizeof shipped / sizeof *shipped; i++) {
		snprintf(
		    path, sizeof path, "%s/%s.wsim", workloads, shipped[i]);
		expect_predicted("--profile=adl-p", path);
	}
}

/* Clients that do not contend for one engine all the time: the rates of others are
 * chance (doc/model/libdrm.md "Comparison"). */
static const char *const published[] = {"composited-ui", "high-composited-game",
    "media_19", "media_load_balance_19", "media_load_balance_hd01",
    "media_load_balance_hd12", "media_nn_480p", "vcs1", "vcs_balanced",
    "frame-split-60fps"};

TEST(published_descriptors_are_predicted)
{
	char path[64];

	if (shared_path("wsim") == NULL)
		skip_test(NO_SHARED_DATA);
	find_profile("--profile=tgl");
	for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
		snprintf(path, sizeof path, "wsim/%s.wsim", published[i]);
		expect_predicted("--profile=tgl", shared_path(path));
	}
}

/* Another profile than the GPU's is seen. */
TEST(differences_are_marked)
{
	struct outcome r;

	write_file("slow.ini",
	    "[device]\nRCS = 1\nBCS = 1\nVCS = 2\nVECS = 1\nCCS = 0\n"
	    "[costs]\ncompletion_ns = 1000000\n");
	RUN(&r,
	    ON_DEVICE("--compare-device", "--profile=./slow.ini", "-r", "5",
		"-c", "2", "-w", "1.RCS.1000.0.1"));
	assert_int_equal(r.status, 0);
	expect_match(r.out, "^ +tigerlake +slow +model is\n");
	expect_match(r.out, "\nworkloads/s .* -[0-9.]+% \\*\n");
	expect_match(r.out, "\nRCS busy, % .* \\*\n");
	expect_match(r.out, "\nclient 1 latency mean, us .* \\*\n");
	expect_match(r.out, "[1-9][0-9]* of [0-9]+ figures differ by more");
	assert_null(strstr(r.out, "VCS"));
	outcome_free(&r);
}

/* --report: the same figures, and charts of both sides. */
TEST(page_of_both)
{
	struct outcome r;
	char *page;

	RUN(&r,
	    ON_DEVICE("--compare-device", "--profile=tgl", "-r", "20",
		"--report=both.html", "-w", "1.RCS.1000.0.1,p.3000"));
	assert_int_equal(r.status, 0);
	expect_match(r.out, "\niterations +20.000 +20.000 ");
	page = read_whole("both.html", NULL);
	page_check(page);
	assert_non_null(strstr(page, "<td><data value=\"20\">20.000</data>"));
	assert_non_null(strstr(page, "How busy the engines were: tigerlake"));
	assert_non_null(strstr(page, "How long batches took: tgl"));
	assert_non_null(strstr(page, "1.RCS.1000.0.1</span>"));
	outcome_free(&r);
	free(page);
}

TEST(comparison_is_refused)
{
	struct outcome r;

	RUN(&r,
	    ON_DEVICE(
		"--compare-device", "--profile=ideal", "-w", "1.RCS.1000.0.1"));
	assert_int_equal(r.status, 2);
	assert_non_null(strstr(r.err,
	    "profile ideal has 2 VECS, the GPU has 1: expected a profile of"));
	outcome_free(&r);
	RUN(&r, "-q", gpuwl_top(), "--compare-device", "-w", "1.RCS.1000.0.1");
	assert_int_equal(r.status, 2);
	assert_non_null(strstr(r.err, "--compare-device needs a GPU"));
	outcome_free(&r);
	RUN(&r, ON_DEVICE("--compare-device"));
	assert_int_equal(r.status, 2);
	assert_non_null(strstr(r.err, "no workload: name one with -w"));
	outcome_free(&r);
	RUN(&r, ON_DEVICE("--compare-device", "-w", "-"));
	assert_int_equal(r.status, 2);
	assert_non_null(strstr(r.err, "standard input can be read once"));
	outcome_free(&r);
	RUN(&r, ON_DEVICE("--compare-device", "--json=x.json", "-w", "x"));
	assert_int_equal(r.status, 2);
	outcome_free(&r);
}

FIXTURES(use_compared, NULL);
