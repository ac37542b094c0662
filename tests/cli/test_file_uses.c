/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * No output is a file that is read, and no two outputs are one file, however
 * they are spelled and linked: for each option that writes and each that reads.
 * A failed write is reported, and the other outputs are whole.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <jansson.h>

#include "base/text.h"
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
spelling(size_t i)
{
	return spellings[i] != NULL ? spellings[i] : test_path("f");
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

/* True for outputs of a run; those of decisions are tried with one, below. */
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

	write_file("s.wsim",
	    "#@ dispatch 1x1x1 spirv=hard\n#@ dispatch 1x1x1 spirv=hard\n"
	    "1.CCS.1.0.1\n");
	assert_int_equal(
	    system("\"$GPUWL_TOP\" -b -q --record=rec -w " STEPS), 0);
	recording = read_whole("rec", NULL);
	for (size_t i = 0; i < N(inputs); i++)
		for (size_t k = 0; k < N_OPTIONS; k++)
			for (size_t s = 0; s < N(spellings); s++) {
				const char *contents = *inputs[i].contents
				    ? inputs[i].contents
				    : recording;

				if (!writes_file(&option_table[k]) ||
				    excludes(inputs[i].options,
					option_table[k].name))
					continue;
				make_file(contents);
				expect_refused(inputs[i].options,
				    option_table[k].name, spelling(s),
				    inputs[i].words);
				expect_file("f", contents);
				expect_file("hard", contents);
			}
	free(recording);
}

/* Two outputs, the second of which may not exist before the first is made. */
TEST(outputs)
{
	char first[64];

	for (size_t a = 0; a < N_OPTIONS; a++)
		for (size_t b = 0; b < N_OPTIONS; b++) {
			if (a == b || !writes_file(&option_table[a]) ||
			    !writes_file(&option_table[b]))
				continue;
			snprintf(first, sizeof(first), "-w 1.RCS.1.0.1 --%s=f",
			    option_table[a].name);
			if (excludes(first, option_table[b].name))
				continue;
			for (size_t s = 0; s < N(spellings); s++) {
				make_file("before\n");
				expect_refused(first, option_table[b].name,
				    spelling(s), ": each needs one of its own");
				expect_file("f", "before\n");
				/* Dangling links mean the file as well. */
				unlink("f");
				unlink("hard");
				if (strcmp(spelling(s), "d/chain") != 0)
					continue;
				expect_refused(first, option_table[b].name,
				    spelling(s), ": each needs one of its own");
				assert_int_equal(access("f", F_OK), -1);
			}
		}
}

/* Decisions, and their outputs. A sweep's own rows would not be gone on from. */
static const struct {
	const char *options, *outputs[4];
} decisions[] = {
    {"--capacity --goal=hangs<=0", {"json", "report"}},
    {"--tune --goal=hangs<=0", {"json", "report", "output"}},
    {"--sweep=seed=1", {"report", "output"}},
};

TEST(decisions_inputs)
{
	static const char *const inputs[][2] = {
	    {"-w f", " is a workload: not overwritten"},
	    {"-w 1.RCS.1.0.0 -a f", " is read by --append: not overwritten"},
	    {"-w 1.RCS.1.0.0 --profile=./f",
		" is read by --profile: not overwritten"},
	};

	for (size_t d = 0; d < N(decisions); d++)
		for (size_t i = 0; i < N(inputs); i++)
			for (size_t k = 0; decisions[d].outputs[k] != NULL; k++)
				for (size_t s = 0; s < N(spellings); s++) {
					char options[200];

					snprintf(options, sizeof options,
					    "%s %s", decisions[d].options,
					    inputs[i][0]);
					make_file(
					    i == 2 ? "# as it is\n" : STEPS);
					expect_refused(options,
					    decisions[d].outputs[k],
					    spelling(s), inputs[i][1]);
					expect_file("hard",
					    i == 2 ? "# as it is\n" : STEPS);
				}
}

TEST(decisions_outputs)
{
	for (size_t d = 0; d < N(decisions); d++)
		for (size_t k = 1; decisions[d].outputs[k] != NULL; k++) {
			char options[200];

			snprintf(options, sizeof options,
			    "%s -w 1.RCS.1.0.1 --%s=f", decisions[d].options,
			    decisions[d].outputs[0]);
			make_file("before\n");
			expect_refused(options, decisions[d].outputs[k], "soft",
			    ": each needs one of its own");
			expect_file("f", "before\n");
		}
	/* The second document of --tune has a file of its own. */
	write_file("a.wsim", STEPS);
	write_file("t-2.wsim", STEPS);
	expect_refused("--tune --goal=hangs<=0 -w a.wsim -w ./t-2.wsim",
	    "output", "t.wsim", "t-2.wsim is a workload: not overwritten");
	expect_file("t-2.wsim", STEPS);
}

/* Before a search, which may take an hour, not after it. */
TEST(decisions_unwritable)
{
	static const char *const names[] = {"none/x", "d"};

	make_file(STEPS);
	for (size_t d = 0; d < N(decisions); d++)
		for (size_t k = 0; decisions[d].outputs[k] != NULL; k++) {
			char options[200];

			snprintf(options, sizeof options,
			    "%s -w 1.RCS.*.0.0,1.RCS.1.0.1",
			    decisions[d].options);
			expect_refused(options, decisions[d].outputs[k],
			    names[0], "none/x: No such file");
		}
	expect_refused("--capacity --goal=hangs<=0 -w f", "json", names[1],
	    "d: Is a directory");
}

/* Files of hangs are outputs too. */
TEST(error_files)
{
	assert_int_equal(system("rm -rf errors && mkdir errors && "
				"ln -sf errors to"),
	    0);
	write_file("errors/error-7.txt", STEPS);
	expect_refused("-w errors/error-7.txt", "error-state", "./to",
	    "--error-state: ./to is a workload: not overwritten");
	expect_file("errors/error-7.txt", STEPS);
	expect_refused("-w 1.RCS.1.0.1 --json=to/error-12.json", "error-state",
	    "errors", "each needs one of its own");
	assert_int_equal(access("errors/error-12.json", F_OK), -1);
}

static void
expect_shared(const char *command)
{
	int status = system(command);

	if (status != 0)
		fail_msg("%s: status %d", command, status);
}

/* Outputs may share what is not a regular file, and go over an earlier
 * output. */
TEST(shared)
{
	expect_shared("\"$GPUWL_TOP\" -b -w " STEPS
		      " --json=/dev/null --requests=/dev/null "
		      "--layer=/dev/null >/dev/null");
}

TEST(shared_pipe)
{
	expect_shared("\"$GPUWL_TOP\" -b -q -w 1.RCS.1000.0.1 "
		      "--json=/dev/stdout --requests=/dev/stdout | "
		      "grep -q elapsed");
	expect_shared("rm -f fifo && mkfifo fifo && { cat fifo >out & "
		      "\"$GPUWL_TOP\" -b -q -w 1.RCS.1000.0.1 --json=fifo "
		      "--requests=./fifo; wait; grep -q elapsed out; }");
	expect_shared("\"$GPUWL_TOP\" -b -q -w 1.RCS.1000.0.1 --json=again && "
		      "\"$GPUWL_TOP\" -b -q -w 1.RCS.1000.0.1 --json=again");
}

/* The standard streams are checked too, where they are regular files. */
TEST(streams)
{
	static const struct {
		const char *command, *words;
	} rows[] = {
	    {"--json=f >f", "--json: f is the file of standard output"},
	    {"--json=/dev/stdout >f",
		"--json: /dev/stdout is the file of standard output"},
	    {"--requests=soft 2>>hard",
		"--requests: soft is the file of standard error"},
	    {"--trace=f <hard", "f is standard input: not overwritten"},
	};
	char command[300];

	for (size_t i = 0; i < N(rows); i++) {
		make_file("");
		snprintf(command, sizeof(command),
		    "{ \"$GPUWL_TOP\" -b -w 1.RCS.1000.0.1 %s; "
		    "echo $? >status; } 2>said; cat said f | grep -qe '%s' && "
		    "grep -qx 2 status",
		    rows[i].command, rows[i].words);
		expect_shared(command);
	}
	expect_shared(
	    "\"$GPUWL_TOP\" -b -q -w 1.RCS.1000.0.1 --json=/dev/stdout >f && "
	    "grep -q elapsed f");
}

/* A descriptor that makes much of everything but results. */
static void
write_many(void)
{
	struct text t = {0};

	for (int i = 0; i < 1000; i++)
		text_adds(&t, "# a line that a recording has as well\n");
	for (int i = 0; i < 200; i++)
		text_adds(&t,
		    "#@ label push \"what is done here\"\n"
		    "#@ renderpass 1x1\n#@ label pop\n1.RCS.1000.0.1\n");
	write_file("many.wsim", text_str(&t));
	text_free(&t);
}

/* A limit is as a full disk: the output says so, and another one is whole. */
TEST(limit)
{
	static const char *const outputs[] = {"--requests=big", "--trace=big",
	    "--trace-json=big", "--layer=big", "--record=big",
	    "--arm-metadata=big"};
	const struct streams limit = {.before = "ulimit -f 32"};

	write_many();
	for (size_t i = 0; i < N(outputs); i++) {
		struct outcome r;
		json_t *o;

		RUN_WITH(&r, &limit, "-b", "-w", "many.wsim", "-r", "40",
		    "--json=small", outputs[i]);
		if (r.status != 3 ||
		    strstr(r.err, "big: File too large") == NULL)
			fail_msg(
			    "%s: status %d, %s", outputs[i], r.status, r.err);
		assert_non_null(strstr(r.out, "elapsed"));
		o = json_load_file("small", 0, NULL);
		assert_non_null(o);
		json_decref(o);
		outcome_free(&r);
	}
}

TEST(limit_of_results)
{
	const struct streams limit = {.before = "ulimit -f 1"};
	struct outcome r;

	RUN_WITH(&r, &limit, "-b", "-w", STEPS, "-r", "9", "--json=big");
	assert_int_equal(r.status, 3);
	assert_string_equal(r.err, "gpuwl-top: big: File too large\n");
	assert_non_null(strstr(r.out, "elapsed"));
	outcome_free(&r);
}

/* Standard output too, in all that prints there. */
TEST(limit_of_stdout)
{
	static const char *const options[] = {
	    "--print-config", "--help", "--format many.wsim"};
	char command[200];

	for (size_t i = 0; i < N(options); i++) {
		write_many();
		snprintf(command, sizeof(command),
		    "rm -f big; (ulimit -f 1; \"$GPUWL_TOP\" %s >big 2>err); "
		    "test $? = 3 && grep -q 'standard output: ' err",
		    options[i]);
		expect_shared(command);
	}
}

/* Until it says, as the kernel does, that it waits. */
static void
wait_asleep(pid_t pid)
{
	char path[64], state = 0;

	snprintf(path, sizeof(path), "/proc/%ld/wchan", (long)pid);
	for (int i = 0; i < 3000 && state != 'S'; i++) {
		FILE *f;

		snprintf(path, sizeof(path), "/proc/%ld/stat", (long)pid);
		f = fopen(path, "r");
		assert_non_null(f);
		assert_int_equal(fscanf(f, "%*d %*s %c", &state), 1);
		fclose(f);
		usleep(10000);
	}
	assert_int_equal(state, 'S');
}

/* A pipe without a reader is waited for, until a signal ends it. */
TEST(no_reader)
{
	static const char *const outputs[] = {
	    "--json=fifo", "--requests=fifo", "--record=fifo", "--layer=fifo"};

	assert_int_equal(system("rm -f fifo && mkfifo fifo"), 0);
	for (size_t i = 0; i < N(outputs); i++) {
		const char *const args[] = {
		    "-b", "-w", "1.RCS.1.0.0", outputs[i], NULL};
		struct child c = start_program(NULL, args);
		struct outcome r;

		wait_asleep(c.pid);
		kill(c.pid, SIGTERM);
		finish_program(&r, c);
		assert_int_equal(r.status, 128 + SIGTERM);
		assert_string_equal(r.err, "");
		outcome_free(&r);
	}
}

FIXTURES(in_test_folder, NULL);
