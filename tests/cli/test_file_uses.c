/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * No output is a file that is read, and no two outputs are one file, however
 * they are spelled and linked: for each option that writes and each that reads. The
 * spellings take turns: how the file is found again does not depend on the option.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/options_table.h"
#include "tests/runner/test.h"
#include "tests/support/folder.h"
#include "tests/support/run_program.h"

#define STEPS     "1.RCS.1000.0.1"
#define N(array_) (sizeof(array_) / sizeof(*(array_)))

/* Names of the file f. */
static const char *const spellings[] = {
    "f", "./f", "d/../f", "soft", "d/chain", "hard", NULL /* the whole path */};

static void
make_file(const char *contents)
{
	assert_int_equal(system("rm -rf f d soft hard"), 0);
	write_file("f", contents);
	assert_int_equal(mkdir("d", 0755), 0);
	assert_int_equal(symlink("f", "soft"), 0);
	assert_int_equal(symlink("../soft", "d/chain"), 0);
	assert_int_equal(link("f", "hard"), 0);
}

static const char *
spelling(size_t turn)
{
	const char *name = spellings[turn % N(spellings)];

	return name != NULL ? name : test_path("f");
}

/* The options, words apart by blanks, with the output as a last word. Captures
 * are of a device that is served. */
static void
expect_refused(const char *options, const char *output, const char *file,
    const char *words)
{
	char line[512], last[300], *args[16] = {NULL}, *rest = NULL;
	struct outcome r;
	int n = 0;

	snprintf(line, sizeof(line), "-b%s %s",
	    strcmp(output, "capture") == 0 || strstr(options, "--capture")
		? " --serve"
		: "",
	    options);
	for (char *w = strtok_r(line, " ", &rest); w != NULL;
	     w = strtok_r(NULL, " ", &rest))
		args[n++] = w;
	snprintf(last, sizeof(last), "--%s=%s", output, file);
	args[n] = last;
	run_program(&r, (const char *const *)args);
	if (r.status != 2 || strstr(r.err, words) == NULL)
		fail_msg(
		    "%s %s: status %d, %s", options, last, r.status, r.err);
	outcome_free(&r);
}

/* True if the option is refused beside those, whatever its file. */
static bool
excludes(const char *options, const char *name)
{
	bool record = strcmp(name, "record") == 0;
	bool capture = strcmp(name, "capture") == 0;

	return (strstr(options, "--replay") && (record || capture)) ||
	    (strstr(options, "--record") && capture) ||
	    (strstr(options, "--capture") && record);
}

/* True for outputs of a run; file_uses.cases has those of decisions. */
static bool
writes_file(const struct option_info *info)
{
	return info->file == OPTION_WRITES && (info->modes & IN(MODE_BATCH)) &&
	    info->group != GROUP_DECISION;
}

TEST(inputs)
{
	static const struct {
		const char *options, *contents, *words;
	} inputs[] = {
	    {"-w f", STEPS, " is a workload: not overwritten"},
	    {"-w hard", STEPS, " is a workload: not overwritten"},
	    {"-W d/chain", STEPS, " is a workload: not overwritten"},
	    {"-w 1.RCS.1.0.0 -a f", STEPS,
		" is read by --append: not overwritten"},
	    {"-w 1.RCS.1.0.0 --profile=./f", "# as it is\n",
		" is read by --profile: not overwritten"},
	    {"--replay=f", "", " is read by --replay: not overwritten"},
	    {"-w s.wsim", "not SPIR-V",
		" is named by an annotation: not overwritten"},
	};
	char *recording;
	size_t turn = 0;

	write_file("s.wsim",
	    "#@ dispatch 1x1x1 spirv=hard\n#@ dispatch 1x1x1 spirv=hard\n"
	    "1.CCS.1.0.1\n");
	assert_int_equal(
	    system("\"$GPUWL_TOP\" -b -q --record=rec -w " STEPS), 0);
	recording = read_whole("rec", NULL);
	for (size_t i = 0; i < N(inputs); i++)
		for (size_t k = 0; k < N_OPTIONS; k++) {
			const char *contents = *inputs[i].contents
			    ? inputs[i].contents
			    : recording;

			if (!writes_file(&option_table[k]) ||
			    excludes(inputs[i].options, option_table[k].name))
				continue;
			make_file(contents);
			expect_refused(inputs[i].options, option_table[k].name,
			    spelling(turn++), inputs[i].words);
			expect_file("f", contents);
			expect_file("hard", contents);
		}
	assert_true(turn >= N(spellings));
	free(recording);
}

/* Two outputs, the second of which may not exist before the first is made. */
TEST(outputs)
{
	char first[64];
	size_t turn = 0;

	for (size_t a = 0; a < N_OPTIONS; a++)
		for (size_t b = 0; b < N_OPTIONS; b++) {
			if (a == b || !writes_file(&option_table[a]) ||
			    !writes_file(&option_table[b]))
				continue;
			snprintf(first, sizeof(first), "-w 1.RCS.1.0.1 --%s=f",
			    option_table[a].name);
			if (excludes(first, option_table[b].name))
				continue;
			make_file("before\n");
			expect_refused(first, option_table[b].name,
			    spelling(turn), ": each needs one of its own");
			expect_file("f", "before\n");
			/* Dangling links mean the file as well. */
			unlink("f");
			unlink("hard");
			expect_refused(first, option_table[b].name, "d/chain",
			    ": each needs one of its own");
			assert_int_equal(access("f", F_OK), -1);
			turn++;
		}
	assert_true(turn >= N(spellings));
}

FIXTURES(in_test_folder, NULL);
