/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls of batch mode on a GPU, beside those of gem_wsim for the same
 * descriptor: each of tests/cli/calls runs in both, on a virtual i915 that logs
 * submissions (tests/programs/log_calls.c). tools/compare-calls.awk says in which
 * meanings the logs differ: engines, parameters of contexts, flags, fences, the order
 * that objects and fences ask for. tests/cli/calls/differences.tsv lists those that may,
 * with reasons.
 */
#include <glob.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/folder.h"
#include "tests/support/gpuwl_run.h"
#include "tests/support/run_program.h"
#include "tests/support/wsim_version.h"

#define DEVICE                                                                 \
	"-q", "--virtual-time", "--privileged", "--profile=ideal",             \
	    "--scheduler=fifo"
#define COUNTS(clients) "-I", "1", "-r", "3", "-c", (clients)

static char source[4096];  /* the top folder */
static char batch[4096];   /* gpuwl-top */
static char logging[4096]; /* gpuwl-run that logs */
static char *listed;       /* differences.tsv */

/* True if a line of the table has the descriptor, or all, and the kind. */
static bool
is_listed(const char *descriptor, const char *kind)
{
	char row[256];

	snprintf(row, sizeof row, "\n%s\t%s\t", descriptor, kind);
	if (strstr(listed, row) != NULL)
		return true;
	snprintf(row, sizeof row, "\n*\t%s\t", kind);
	return strstr(listed, row) != NULL;
}

static void
run_logged(const char *log, const char *const *args)
{
	struct outcome r;

	setenv("LOG_CALLS", log, 1);
	run_program(&r, args);
	unsetenv("LOG_CALLS");
	if (r.status != 0 || strstr(r.err, "error") != NULL)
		fail_msg("status %d: %s", r.status, r.err);
	outcome_free(&r);
}

/* Returns the differences, to be freed. */
static char *
compare_logs(void)
{
	char command[sizeof source + 128];

	snprintf(command, sizeof command,
	    "awk -f '%s/tools/compare-calls.awk' gem_wsim.log ours.log >found",
	    source);
	assert_int_equal(system(command), 0);
	return read_whole("found", NULL);
}

/* Appends the lines of differences that are not listed. */
static void
add_unlisted(const char *descriptor, char *found, struct text *unlisted)
{
	char *rest = found, *line;

	while ((line = strsep(&rest, "\n")) != NULL && *line != '\0') {
		char kind[64];

		snprintf(
		    kind, sizeof kind, "%.*s", (int)strcspn(line, "\t"), line);
		if (!is_listed(descriptor, kind))
			text_addf(unlisted, "%s: %s\n", descriptor, line);
	}
}

static void
compare_descriptor(const char *path, const char *clients, struct text *unlisted)
{
	const char *const wsim[] = {
	    DEVICE, GEM_WSIM, COUNTS(clients), "-w", path, NULL};
	const char *const ours[] = {DEVICE, batch, "-b", "-D",
	    "pci:", COUNTS(clients), "-w", path, NULL};
	const char *name = strrchr(path, '/') + 1;
	char descriptor[64], *found;

	snprintf(descriptor, sizeof descriptor, "%.*s", (int)strcspn(name, "."),
	    name);
	run_logged("gem_wsim.log", wsim);
	run_logged("ours.log", ours);
	found = compare_logs();
	add_unlisted(descriptor, found, unlisted);
	free(found);
}

static void
compare_all(const char *clients)
{
	struct text unlisted = {0};
	char pattern[sizeof source + 32];
	glob_t files;

	need_gem_wsim();
	snprintf(pattern, sizeof pattern, "%s/tests/cli/calls/*.wsim", source);
	assert_int_equal(glob(pattern, 0, NULL, &files), 0);
	assert_true(files.gl_pathc > 10);
	for (size_t i = 0; i < files.gl_pathc; i++) {
		const char *path = files.gl_pathv[i];

		/* 2.0 takes no class for an engine of a map without B. */
		if (wsim_questions() > 0 && strstr(path, "/map.wsim") != NULL)
			wsim_leave_out();
		else if (wsim_can_run(path))
			compare_descriptor(path, clients, &unlisted);
	}
	globfree(&files);
	assert_string_equal(text_str(&unlisted), "");
	text_free(&unlisted);
	wsim_end();
}

TEST(one_client)
{
	compare_all("1");
}

TEST(clones)
{
	compare_all("3");
}

#define FRAME "1.RCS.1000.0.0,2.VCS1.500-900.-1.0,d.300,3.BCS.100.-2.1"
#define OTHER "1.VCS2.700.0.0,P.2.-9,2.RCS.300.f-2.1"

/* Options of both; but not -s, with which gem_wsim 1.27.1 asks for no subslices, which
 * the kernel refuses. */
TEST(options)
{
	static const char *const rows[][12] = {
	    {"-w", FRAME, "-w", OTHER, "-w", "1.VECS.100.0.1", "-r", "4"},
	    {"-W", FRAME, "-w", "1.BCS.3000.0.1", "-r", "3"},
	    {"-p", "-5", "-w", FRAME, "-p", "-7", "-w", OTHER, "-r", "2"},
	    {"-S", "-c", "3", "-w", FRAME, "-r", "3"},
	    {"-f", "0.5", "-F", "2", "-w", FRAME, "-r", "3"},
	    {"-a", "4.VECS.50.0.1", "-w", FRAME, "-w", OTHER, "-r", "3"},
	    {"-d", "-w", FRAME, "-r", "3"},
	};
	struct text unlisted = {0};

	need_gem_wsim();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *wsim[24] = {DEVICE, GEM_WSIM, "-I", "1"},
			   *ours[24] = {
			       DEVICE, batch, "-b", "-D", "pci:", "-I", "1"};
		char *found;

		memcpy(&wsim[8], rows[i], sizeof rows[i]);
		memcpy(&ours[11], rows[i], sizeof rows[i]);
		run_logged("gem_wsim.log", wsim);
		run_logged("ours.log", ours);
		found = compare_logs();
		add_unlisted(rows[i][0], found, &unlisted);
		free(found);
	}
	assert_string_equal(text_str(&unlisted), "");
	text_free(&unlisted);
}

/* The comparison sees what is to be seen: another engine, fence, priority and
 * dependency than those of gem_wsim. */
TEST(differences_are_found)
{
	static const struct {
		const char *wsim, *ours, *kinds;
	} rows[] = {
	    {"1.RCS.10.0.1", "1.BCS.10.0.1", "engines"},
	    {"P.1.-1,1.RCS.10.0.1", "P.1.-2,1.RCS.10.0.1", "priority"},
	    {"X.1.0,1.RCS.10.0.1", "1.RCS.10.0.1", "points"},
	    {"1.RCS.10.0.0,2.BCS.10.-1.1", "1.RCS.10.0.0,2.BCS.10.0.1", "data"},
	    {"1.RCS.10.0.0,2.BCS.10.f-1.1", "1.RCS.10.0.0,2.BCS.10.s-1.1",
		"no FENCE_IN fences"},
	    {"1.RCS.10.0.0,1.RCS.10.0.1", "1.RCS.10.0.1", "missing"},
	};

	need_gem_wsim();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *const wsim[] = {
		    DEVICE, GEM_WSIM, "-w", rows[i].wsim, NULL};
		const char *const ours[] = {DEVICE, batch, "-b", "-D",
		    "pci:", "-w", rows[i].ours, NULL};
		char *found, kinds[256];

		run_logged("gem_wsim.log", wsim);
		run_logged("ours.log", ours);
		found = compare_logs();
		for (char *word = strtok(strcpy(kinds, rows[i].kinds), " ");
		     word != NULL; word = strtok(NULL, " "))
			if (strstr(found, word) == NULL)
				fail_msg("%s: no %s in: %s", rows[i].ours, word,
				    found);
		free(found);
	}
}

/* log_calls is in the folder of the program. */
static int
use_logs(void **state)
{
	char *real = realpath(test_program(), NULL), table[4200];

	assert_non_null(real);
	assert_non_null(getcwd(source, sizeof source));
	snprintf(batch, sizeof batch, "%s", real);
	snprintf(logging, sizeof logging, "%.*s/log_calls/gpuwl-run",
	    (int)(strrchr(real, '/') - real), real);
	free(real);
	snprintf(
	    table, sizeof table, "%s/tests/cli/calls/differences.tsv", source);
	listed = read_whole(table, NULL);
	use_gpuwl_top(state);
	setenv("GPUWL_TOP", logging, 1);
	return 0;
}

static int
free_logs(void **state)
{
	(void)state;
	free(listed);
	return 0;
}

FIXTURES(use_logs, free_logs);
