/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gpuwl-run --capture: gem_wsim runs a descriptor on the virtual i915, and what
 * is captured is that descriptor again: its batches, engines, dependencies,
 * waits and their order. Times are those of a host, so that they are not looked
 * at here.
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
#include "tests/support/wsim_version.h"

static char run_path[4096], top_path[4096];

/* Runs the model on files in batch mode. */
static void
run_model(const char *const *args)
{
	struct outcome r;

	setenv("GPUWL_TOP", top_path, 1);
	run_program(&r, args);
	setenv("GPUWL_TOP", run_path, 1);
	if (r.status != 0)
		fail_msg("%s", r.err);
	outcome_free(&r);
}

/* Captures a run of gem_wsim as FILE.wsim. */
static void
capture_run(struct outcome *r, const char *steps, const char *repeat,
    const char *clones)
{
	need_gem_wsim();
	RUN(r, "-q", "--privileged", "--profile=ideal", "--scheduler=fifo",
	    "--capture=FILE.wsim", GEM_WSIM, "-w", steps, "-r", repeat, "-c",
	    clones);
	if (r->status != 0)
		fail_msg("%s", r->err);
}

#define MAX_STEPS 64

/* The steps of a file without comments, delays and periods, which a host's noise
 * may add: offsets count those that are left. */
struct kept {
	char *lines[MAX_STEPS]; /* of all steps */
	int number[MAX_STEPS];  /* among those kept; of others: of the next */
	int n;
};

/* Appends a step with its offsets. */
static void
add_step(const struct kept *k, int i, struct text *out)
{
	const char *line = k->lines[i];
	char *end;

	for (const char *p = line; *p != '\0'; p++) {
		bool offset = *line != 'P' && *p == '-' && p > line &&
		    strchr("./fs", p[-1]) != NULL;

		text_addc(out, *p);
		if (!offset)
			continue;
		text_addf(out, "%d",
		    k->number[i] - k->number[i - (int)strtol(p + 1, &end, 10)]);
		p = end - 1;
	}
}

/* Returns them joined by commas; a wait just behind its batch is its flag. To be
 * freed. */
static char *
steps_of(const char *path)
{
	char *file = read_whole(path, NULL), *line, *rest = file;
	struct kept k = {0};
	struct text out = {0};
	int n = 0;

	while ((line = strsep(&rest, "\n")) != NULL) {
		if (*line == '#' || *line == '\0')
			continue;
		assert_true(k.n < MAX_STEPS);
		k.lines[k.n] = line;
		k.number[k.n++] = n;
		n += *line != 'd' && *line != 'p';
	}
	for (int i = 0; i < k.n; i++) {
		struct text step = {0};

		if (*k.lines[i] == 'd' || *k.lines[i] == 'p')
			continue;
		add_step(&k, i, &step);
		if (strcmp(text_str(&step), "s.-1") == 0) {
			out.data[out.len - 1] = '1';
		} else {
			text_adds(&out, out.len > 0 ? "," : "");
			text_adds(&out, text_str(&step));
		}
		text_free(&step);
	}
	free(file);
	return out.data != NULL ? out.data : strdup("");
}

/* Expects that the captured steps are those. */
static void
expect_capture(const char *steps, const char *expected)
{
	struct outcome r;
	char *captured;

	capture_run(&r, steps, "12", "1");
	captured = steps_of("FILE.wsim");
	assert_string_equal(captured, expected);
	free(captured);
	outcome_free(&r);
	unlink("FILE.wsim");
}

TEST(batches_and_waits)
{
	expect_capture("1.RCS.9000.0.1", "1.RCS.9000.0.1");
	expect_capture("1.RCS.3000.0.0,2.BCS.4000.-1.0,3.VECS.2000.-2.0,s.-1",
	    "1.RCS.3000.0.0,2.BCS.4000.-1.0,3.VECS.2000.-2.1");
}

/* Equal batches without anything between them are as many as they were. */
TEST(equal_batches)
{
	expect_capture(
	    "1.RCS.2000.0.0,1.RCS.2000.0.0,1.RCS.2000.0.0,1.RCS.2000.0.1",
	    "1.RCS.2000.0.0,1.RCS.2000.0.0,1.RCS.2000.0.0,1.RCS.2000.0.1");
}

/* Expects a step among those that are captured. */
static void
expect_step(const char *steps, const char *step)
{
	struct outcome r;
	char *captured;

	capture_run(&r, steps, "8", "1");
	captured = steps_of("FILE.wsim");
	if (strstr(captured, step) == NULL)
		fail_msg("no %s in %s", step, captured);
	free(captured);
	outcome_free(&r);
	unlink("FILE.wsim");
}

/* Software fences, submit fences, infinite batches and what ends them. */
TEST(fences)
{
	expect_capture("f,1.VCS1.*.f-1.0,2.VCS2.9000.s-1.0,a.-3,s.-2,T.-4,"
		       "3.RCS.3000.-4.1",
	    "f,1.VCS1.*.f-1.0,2.VCS2.9000.s-1.0,a.-3,s.-2,T.-4,"
	    "3.RCS.3000.-4.1");
}

/* An infinite batch that is ended before it has an engine is none that is empty. */
TEST(ended_before_it_begins)
{
	expect_capture("1.RCS.20000.0.0,2.RCS.*.0.0,2.RCS.3000.0.0,T.-2,s.-3",
	    "1.RCS.20000.0.0,2.RCS.*.0.0,2.RCS.3000.0.0,T.-2,s.-3");
}

TEST(contexts)
{
	expect_step("X.1.0,1.RCS.3000.0.1", "X.1.0");
	expect_step("P.1.-5,1.RCS.3000.0.1", "P.1.-5");
	expect_step("M.1.VCS1|VCS2,B.1,1.DEFAULT.3000.0.1", "M.1.VCS1|VCS2");
	expect_step(
	    "M.1.VCS1|VCS2,B.1,1.DEFAULT.3000.0.1", "1.DEFAULT.3000.0.1");
}

/* A bond of gem_wsim 1.27.1 names no engine, so that batches of its context run on
 * none: the capture counts them. The batch before must not have ended, however busy the
 * machine is: then a bond restricts nothing. */
TEST(bond_without_engines)
{
	static const char steps[] =
	    "M.1.VCS1|VCS2,B.1,M.2.VCS1|VCS2,B.2,b.2.VCS2.VCS1,"
	    "1.DEFAULT.200000.0.0,2.DEFAULT.3000.s-1.0,s.-2";
	struct outcome r;
	char *captured;

	need_gem_wsim();
	if (!wsim_can_run(steps))
		wsim_end();
	capture_run(&r, steps, "8", "1");
	captured = read_whole("FILE.wsim", NULL);
	if (strstr(captured, "# left out: 8 batches that no engine ran\n") ==
	    NULL)
		fail_msg("%s", captured);
	free(captured);
	outcome_free(&r);
	unlink("FILE.wsim");
}

/* Threads of one process that do the same are clones of one descriptor, unless a
 * host makes one of them much later than the other; then it has the same
 * steps. */
TEST(clones)
{
	struct outcome r;
	char *first, *second;

	need_gem_wsim();
	RUN(&r, "--profile=ideal", "--scheduler=fifo", "--capture=FILE.wsim",
	    GEM_WSIM, "-w", "1.RCS.3000.0.1,p.30000", "-r", "8", "-c", "2");
	assert_int_equal(r.status, 0);
	first = steps_of("FILE.wsim");
	assert_string_equal(first, "1.RCS.3000.0.1");
	if (access("FILE-2.wsim", F_OK) == 0) {
		second = steps_of("FILE-2.wsim");
		assert_string_equal(second, first);
		free(second);
	} else if (strstr(r.err,
		       "captured: gpuwl-top -b --profile=ideal"
		       " --scheduler=fifo -r 8 -c 2 -w 'FILE.wsim'\n") == NULL)
		fail_msg("%s", r.err);
	free(first);
	outcome_free(&r);
	unlink("FILE.wsim");
	unlink("FILE-2.wsim");
}

/* Each process has a file, which names it; all run in the model. */
TEST(processes)
{
	struct outcome r;
	char *first, *second;

	need_gem_wsim();
	RUN(&r, "-q", "--capture=FILE.wsim", "sh", "-c",
	    GEM_WSIM " -w 1.RCS.3000.0.1 -r 5; " GEM_WSIM
		     " -w 1.BCS.2000.0.1 -r 5");
	assert_int_equal(r.status, 0);
	outcome_free(&r);
	first = read_whole("FILE.wsim", NULL);
	second = read_whole("FILE-2.wsim", NULL);
	assert_ptr_equal(strstr(first, "# gem_wsim (pid "), first);
	assert_ptr_equal(strstr(second, "# gem_wsim (pid "), second);
	/* The process is the client: numbers of its threads mean nothing. */
	assert_null(strstr(second, "client 0"));
	free(first);
	free(second);
	first = steps_of("FILE.wsim");
	second = steps_of("FILE-2.wsim");
	assert_string_equal(first, "1.RCS.3000.0.1");
	assert_string_equal(second, "1.BCS.2000.0.1");
	free(first);
	free(second);
	run_model((const char *const[]){"-q", "-b", "-r", "3", "-w",
	    "FILE.wsim", "-w", "FILE-2.wsim", NULL});
}

/* Files are in the order of the lines about the processes, which is that of their
 * first opens; in virtual time numbers of processes and threads are places. */
TEST(order_of_processes)
{
	struct outcome r;
	char *first, *second, *third;

	need_gem_wsim();
	RUN(&r, "--virtual-time", "--capture=FILE.wsim", "sh", "-c",
	    GEM_WSIM " -w d.50000,1.RCS.1000.0.1 -r 3 & " GEM_WSIM
		     " -w 1.BCS.2000.0.1 -w 1.VCS1.3000.0.1 -r 20; wait");
	assert_int_equal(r.status, 0);
	expect_matchf(r.err,
	    "gem_wsim \\(pid 2\\): %u batches in .*\n"
	    "gem_wsim \\(pid 3\\): %u batches in ",
	    wsim_batches(3), wsim_batches(40));
	outcome_free(&r);
	first = read_whole("FILE.wsim", NULL);
	second = read_whole("FILE-2.wsim", NULL);
	third = read_whole("FILE-3.wsim", NULL);
	expect_matchf(
	    first, "^# gem_wsim \\(pid 2\\): %u batches\n", wsim_batches(3));
	/* An empty batch is of the thread before. */
	expect_matchf(second,
	    "^# gem_wsim \\(pid 3\\), thread %u: %u batches\n",
	    wsim_questions() > 0 ? 2 : 1, wsim_batches(40));
	expect_matchf(third, "^# gem_wsim \\(pid 3\\), thread %u: %u batches\n",
	    wsim_questions() > 0 ? 3 : 2, wsim_batches(40));
	free(first);
	free(second);
	free(third);
	assert_int_equal(system("rm FILE*.wsim"), 0);
}

/* More processes than a capture keeps: the latest are written, and the others are
 * counted. */
TEST(many_processes)
{
	struct outcome r;

	need_gem_wsim();
	RUN(&r, "--virtual-time", "--capture=FILE.wsim", "sh", "-c",
	    "i=0; while [ $i -lt 67 ]; do i=$((i + 1)); " GEM_WSIM
	    " -q -w 1.RCS.3000.0.1 -r 2; done");
	assert_int_equal(r.status, 0);
	if (strstr(r.err,
		"captured: 3 more processes are not written: a capture keeps"
		" 64, those that did something last\n") == NULL)
		fail_msg("%s", r.err);
	assert_int_equal(access("FILE-64.wsim", R_OK), 0);
	assert_int_equal(access("FILE-65.wsim", F_OK), -1);
	outcome_free(&r);
	assert_int_equal(system("rm FILE*.wsim"), 0);
}

/* A long run: the latest batches are kept, and iterations begin as ever. */
TEST(long_run)
{
	struct outcome r;
	char *captured;

	need_gem_wsim();
	RUN(&r, "-q", "--virtual-time", "--profile=ideal", "--scheduler=fifo",
	    "--capture=FILE.wsim", GEM_WSIM, "-w",
	    "1.RCS.10.0.0,1.RCS.20.0.0,1.BCS.30.0.1", "-r", "50000");
	assert_int_equal(r.status, 0);
	outcome_free(&r);
	captured = steps_of("FILE.wsim");
	assert_string_equal(captured, "1.RCS.10.0.0,1.RCS.20.0.0,1.BCS.30.0.1");
	free(captured);
	unlink("FILE.wsim");
}

/* A program that submits nothing: no file, and that is said. */
TEST(nothing)
{
	struct outcome r;

	RUN(&r, "--capture=NONE.wsim", "true");
	assert_int_equal(r.status, 0);
	assert_string_equal(r.err,
	    "captured: NONE.wsim is not written: no batch was submitted\n");
	assert_int_equal(access("NONE.wsim", F_OK), -1);
	outcome_free(&r);
}

TEST(unwritable)
{
	struct outcome r;

	need_gem_wsim();
	RUN(&r, "-q", "--capture=no/such/FILE.wsim", GEM_WSIM, "-w",
	    "1.RCS.1000.0.1");
	assert_int_equal(r.status, 125);
	assert_non_null(strstr(r.err, "no/such/FILE.wsim: No such file"));
	outcome_free(&r);
}

/* Published descriptors: as many batches per iteration, and the captures run. */
static void
expect_published(const char *name, unsigned n_batches)
{
	char path[256], expected[64], *file;
	const char *from;
	struct outcome r;

	snprintf(path, sizeof(path), "wsim/%s.wsim", name);
	from = shared_path(path);
	if (from == NULL)
		skip_test(NO_SHARED_DATA);
	if (!wsim_can_run(from))
		return;
	capture_run(&r, from, "8", "1");
	outcome_free(&r);
	file = read_whole("FILE.wsim", NULL);
	snprintf(expected, sizeof(expected), " iterations of %u batches;",
	    n_batches);
	if (strstr(file, expected) == NULL)
		fail_msg("%s: not%s\n%s", name, expected, file);
	free(file);
	run_model((const char *const[]){
	    "-q", "-b", "-r", "8", "-w", "FILE.wsim", NULL});
}

TEST(published)
{
	static const struct {
		const char *name;
		unsigned n_batches;
	} published[] = {{"composited-ui", 4}, {"frame-split-60fps", 5},
	    {"high-composited-game", 9}, {"media_19", 9}, {"media_nn_480p", 5},
	    {"vcs1", 25}, {"vcs_balanced", 25}};

	need_gem_wsim();
	for (size_t i = 0; i < sizeof(published) / sizeof(*published); i++)
		expect_published(published[i].name, published[i].n_batches);
	wsim_end();
}

/* gpuwl-run is beside the program that is tested. */
static int
use_both_names(void **state)
{
	const char *shared = getenv("GPUWL_SHARED");
	char *real = realpath(test_program(), NULL);
	char *data = realpath(shared ? shared : "../shared", NULL);

	(void)state;
	assert_non_null(real);
	snprintf(top_path, sizeof(top_path), "%s", real);
	snprintf(run_path, sizeof(run_path), "%.*s/gpuwl-run",
	    (int)(strrchr(real, '/') - real), real);
	setenv("GPUWL_TOP", run_path, 1);
	if (data != NULL)
		setenv("GPUWL_SHARED", data, 1);
	free(real);
	free(data);
	enter_test_folder();
	use_own_devices();
	return 0;
}

FIXTURES(use_both_names, NULL);
