/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * There and back: a run that is written as a kernel's trace, and imported, does the
 * same again; and so does a trace of a real machine.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/run_program.h"

/* A game with a period and a video client that waits, on all classes. */
#define GAME  "1.RCS.2500.0.0,d.500,1.BCS.400.-2.0,2.VECS.700.f-3.1,p.9000"
#define VIDEO "P.1.100,1.VCS1.1800.0.0,2.RCS.1200.-1.0,1.VCS2.900.-1.1"
#define MAP   "M.1.VCS,B.1,1.DEFAULT.1500.0.0,2.RCS.500.-1.1"

/* Returns the figure of a row: field 1 is the trace's, 3 the difference. */
static double
figure(const char *table, const char *what, unsigned field)
{
	struct text key = {0};
	const char *row;

	text_addf(&key, "\n%s\t", what);
	row = strstr(table, text_str(&key));
	if (row == NULL)
		fail_msg("no %s in:\n%s", what, table);
	row += 1;
	while (field-- > 0)
		row = strchr(row, '\t') + 1;
	text_free(&key);
	return atof(row);
}

/* All busyness within a point, and all rates within a percent. */
static void
expect_near(const char *table, const char *what)
{
	for (const char *row = strchr(table, '\n') + 1; *row != '\0';
	     row = strchr(row, '\n') + 1) {
		double most = strncmp(row, "busy.", 5) == 0 ? 1.0
		    : strncmp(row, "rate.", 5) == 0         ? 1.0
							    : 1e9;
		double apart;

		if (most > 1e6)
			continue;
		apart = atof(
		    strchr(strchr(strchr(row, '\t') + 1, '\t') + 1, '\t') + 1);
		if (apart > most || apart < -most)
			fail_msg("%s: %.40s\n%s", what, row, table);
	}
}

static void
trip(const char *sched, const char *file, const char *const *workloads)
{
	struct text scheduler = {0}, trace = {0}, import = {0};
	const char *args[24] = {"-b", "-q", "--profile=ideal", "--duration=2"};
	struct outcome o;
	size_t n = 4;

	text_addf(&scheduler, "--scheduler=%s", sched);
	text_addf(&trace, "--trace-kernel=%s", file);
	text_addf(&import, "--import=%s", file);
	args[n++] = text_str(&scheduler);
	args[n++] = text_str(&trace);
	for (; *workloads != NULL; workloads++) {
		args[n++] = "-w";
		args[n++] = *workloads;
	}
	run_program(&o, args);
	if (o.status != 0)
		fail_msg("%s", o.err);
	outcome_free(&o);
	RUN(&o, text_str(&import), "--force", "-o", "out");
	if (o.status != 0)
		fail_msg("%s", o.err);
	expect_near(o.out, sched);
	outcome_free(&o);
	text_free(&scheduler);
	text_free(&trace);
	text_free(&import);
}

TEST(schedulers)
{
	static const char *const schedulers[] = {
	    "fifo", "execlists", "drm", "drm:rr", "drm:fair", "guc"};
	static const char *const one[] = {GAME, NULL};
	static const char *const two[] = {GAME, VIDEO, NULL};
	static const char *const map[] = {MAP, NULL};

	enter_test_folder();
	for (size_t i = 0; i < sizeof(schedulers) / sizeof(*schedulers); i++) {
		trip(schedulers[i], "k.dat", one);
		trip(schedulers[i], "k.dat", map);
		trip(schedulers[i], "k.dat", two);
	}
}

TEST(forms_of_trip)
{
	static const char *const two[] = {GAME, VIDEO, NULL};

	enter_test_folder();
	trip("execlists", "k.txt", two);
	trip("execlists", "k.perf", two);
}

/* A table of requests, and a recording. */
TEST(own_files)
{
	static const char *const options[][2] = {
	    {"--requests=r.tsv", "--import=r.tsv"},
	    {"--record=r.json", "--import=r.json"}};
	struct outcome o;

	enter_test_folder();
	for (size_t i = 0; i < 2; i++) {
		RUN(&o, "-b", "-q", "--profile=ideal", "--scheduler=execlists",
		    "--duration=2", "-w", GAME, options[i][0]);
		assert_int_equal(o.status, 0);
		outcome_free(&o);
		RUN(&o, options[i][1], "--force", "-o", "own");
		if (o.status != 0)
			fail_msg("%s", o.err);
		expect_near(o.out, options[i][0]);
		assert_true(figure(o.out, "explained.client0", 1) >= 95);
		outcome_free(&o);
	}
	RUN(&o, "--import=own/client0.wsim");
	assert_int_equal(o.status, 1);
	outcome_free(&o);
}

/* A game and a compositor on an amdgpu, at 90 Hz (gpuvis). */
TEST(real_trace)
{
	const char *zip = shared_path("traces/amdgpu_trace.zip");
	struct text command = {0};
	struct outcome o;

	enter_test_folder();
	if (zip == NULL)
		skip_test(NO_SHARED_DATA);
	text_addf(&command, "unzip -p '%s' > real.dat 2> /dev/null", zip);
	if (system(text_str(&command)) != 0)
		skip_test("no unzip");
	text_free(&command);
	RUN(&o, "--import=real.dat", "-o", "real");
	assert_int_equal(o.status, 0);
	assert_true(figure(o.out, "busy.RCS", 1) > 48.8);
	assert_true(figure(o.out, "busy.RCS", 1) < 49.0);
	expect_near(o.out, "real");
	assert_true(figure(o.out, "explained.RenderThread", 1) >= 95);
	assert_true(figure(o.out, "explained.amdgpu_cs_0", 1) >= 95);
	assert_true(figure(o.out, "frame_p50_us.RenderThread", 1) > 11100);
	assert_non_null(strstr(o.err, "RenderThread.wsim"));
	outcome_free(&o);
	/* Its buffer has submissions of the first half second, but no ends. */
	RUN(&o, "--import=real.dat", "-o", "half", "--time=..500ms");
	assert_int_equal(o.status, 0);
	assert_true(figure(o.out, "explained.RenderThread", 1) >= 95);
	outcome_free(&o);
}

/* Files that are cut off anywhere end with a status, and words. */
TEST(cut_dat)
{
	static const char *const one[] = {GAME, NULL};
	size_t len;
	char *whole;

	enter_test_folder();
	trip("execlists", "k.dat", one);
	whole = read_whole("k.dat", &len);
	for (size_t at = 11; at < len; at += len / 40) {
		FILE *f = fopen("cut.dat", "w");
		struct outcome o;

		assert_int_equal(fwrite(whole, 1, at, f), at);
		fclose(f);
		RUN(&o, "--import=cut.dat", "--force", "-o", "cut");
		if (o.status > 1 || (o.status == 1 && *o.err == '\0'))
			fail_msg(
			    "cut at %zu: status %d, '%s'", at, o.status, o.err);
		outcome_free(&o);
	}
	free(whole);
}
