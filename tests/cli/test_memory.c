/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Out of memory, at many limits of address space: the program says so, exits 3,
 * and its outputs are readable. It once aborted without a word.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/run_program.h"

#define TOLD "gpuwl-top: out of memory\n"

/* From where the loader has all libraries to where most runs have enough. */
static const unsigned limits_kib[] = {10000, 11000, 12500, 14000, 16000, 18000,
    21000, 25000, 30000, 36000, 45000, 60000, 90000, 140000, 400000};

#define N_LIMITS (sizeof(limits_kib) / sizeof(*limits_kib))

/* Sanitizers reserve more address space than there is memory. */
static bool
limits_work(void)
{
#ifdef GPUWL_SANITIZERS
	print_message("address space can't be limited in this build\n");
	return false;
#else
	return true;
#endif
}

/* Returns whether there was enough; the loader's own refusals do not count. */
static bool
run_limited(struct outcome *r, unsigned kib, const char *const *args)
{
	char before[40];
	const struct streams limited = {.before = before};

	snprintf(before, sizeof(before), "ulimit -v %u", kib);
	run_program_with(r, &limited, args);
	if (r->status == 3) {
		/* Want of memory in the kernel is reported in its words. */
		assert_true(strstr(r->err, TOLD) != NULL ||
		    strstr(r->err, "Cannot allocate memory") != NULL);
		return false;
	}
	if (r->status == 127)
		return false;
	if (r->status != 0)
		print_message("%u KiB: %s", kib, r->err);
	assert_int_equal(r->status, 0);
	return true;
}

static void
expect_json(const char *name)
{
	json_error_t error;
	json_t *o = json_load_file(name, 0, &error);

	if (o == NULL)
		fail_msg("%s:%d: %s", name, error.line, error.text);
	json_decref(o);
}

static void
expect_rows(const char *name)
{
	size_t len;
	char *rows = read_whole(name, &len);

	assert_true(len == 0 || rows[len - 1] == '\n');
	free(rows);
}

/* Many clients, and all outputs. */
TEST(run)
{
	const char *const args[] = {"-b", "-q", "-c", "500", "-r", "2",
	    "--scheduler=guc", "--profile=mtl", "--json=json",
	    "--requests=requests", "--record=recording", "--trace=trace",
	    "--trace-json=trace.json", "--layer=layer", "-w", "run.wsim", NULL};
	struct outcome r;

	if (!limits_work())
		skip_test("limits of memory do not work with sanitizers");
	enter_test_folder();
	write_file("run.wsim",
	    "#@ renderpass 640x480\n1.RCS.500.0.0\n2.VCS1.700.-1.0\n"
	    "2.BCS.300.-1.1\n");
	for (size_t i = 0; i < N_LIMITS; i++) {
		remove("json");
		remove("requests");
		run_limited(&r, limits_kib[i], args);
		if (access("json", F_OK) == 0)
			expect_json("json");
		if (access("requests", F_OK) == 0)
			expect_rows("requests");
		outcome_free(&r);
	}
}

static void
write_large(const char *path)
{
	struct text t = {0};

	for (unsigned i = 0; i < 60000; i++)
		text_addf(&t, "%u.VCS1.%u.%s.0\n", i % 50 + 1, i + 1,
		    i > 0 ? "-1" : "0");
	write_file(path, text_str(&t));
	text_free(&t);
}

TEST(check_and_format)
{
	const char *path = test_path("large.wsim");
	const char *const check[] = {"--check", path, NULL};
	const char *const format[] = {"--format", path, NULL};
	struct outcome r;

	if (!limits_work())
		skip_test("limits of memory do not work with sanitizers");
	write_large(path);
	for (size_t i = 0; i < N_LIMITS; i++) {
		run_limited(&r, limits_kib[i], check);
		outcome_free(&r);
		run_limited(&r, limits_kib[i], format);
		outcome_free(&r);
	}
}

/* A small stack is enough to run on. */
TEST(small_stack)
{
	static const struct streams limited = {.before = "ulimit -s 64"};
	struct outcome r;

	if (!limits_work())
		skip_test("limits of memory do not work with sanitizers");
	RUN_WITH(&r, &limited, "-b", "-q", "-w", "1.RCS.1000.0.0");
	assert_string_equal(r.err, "");
	assert_int_equal(r.status, 0);
	outcome_free(&r);
}
