/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recordings that can't be replayed (run/recording.h): each says what is
 * wrong with it, where, and what would be right. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/text.h"
#include "run/plan.h"
#include "run/recording.h"
#include "tests/runner/test.h"
#include "tests/support/run_program.h"

#define PROFILE "\"profile\":{\"name\":\"x\",\"description\":\"\",\"ini\":\"\"}"
#define OPTIONS                                                                \
	"\"seed\":1,\"same_random\":false,\"sync_data\":false,\"repeat\":2,"   \
	"\"scale_durations\":1.0,\"scale_delays\":1.0"
#define WORKLOAD(text)                                                         \
	"{\"name\":\"w\",\"document\":\"w\",\"text\":\"" text                  \
	"\",\"inline\":true,\"clients\":1,\"priority\":0,"                     \
	"\"small_sseu\":false,\"master\":false,\"background\":false}"
#define LAUNCH                                                                 \
	"\"launch\":{\"scheduler\":\"fifo\"," PROFILE "," OPTIONS              \
	",\"workloads\":[" WORKLOAD("1.RCS.1000.0.1") "]}"
/* Returns the beginning of a line of a recording. */
#define AT(ns, instant) "{\"at_ns\":" #ns ",\"instant\":" #instant ","
#define ON_GPU                                                                 \
	"{\"gpuwl_recording\":1,\"version\":\"0\",\"launch\":{"                \
	"\"scheduler\":\"i915\",\"i915\":{\"name\":\"x\"}," PROFILE            \
	"," OPTIONS ",\"workloads\":[" WORKLOAD("1.RCS.1000.0.1") "]}}\n"
#define WORDS(list) ON_GPU AT(0, 0) "\"i915\":[" list "]}\n"
#define FIRST       "{\"gpuwl_recording\":1,\"version\":\"0\"," LAUNCH "}\n"

static void
expect_error(const char *recording, const char *error)
{
	struct text err = {0};
	struct replay r;
	struct plan plan;

	assert_false(
	    replay_parse(&r, &plan, "rec", recording, strlen(recording), &err));
	assert_string_equal(text_str(&err), error);
	replay_close(&r);
	plan_close(&plan);
	text_free(&err);
}

/* A case without words (NULL) checks the line number only. */
static const struct {
	const char *lines, *error;
} refused[] = {
    {"",
	"rec:1: error: not a recording: expected a first line "
	"{\"gpuwl_recording\":1,...\n"},
    {"# a descriptor\n1.RCS.500.0.0\n",
	"rec:1: error: not a recording: expected a first line "
	"{\"gpuwl_recording\":1,...\n"},
    {"{",
	"rec:1: error: invalid JSON: string or '}' expected near "
	"end of file\n"},
    {"[]", "rec:1: error: invalid line: expected an object, {...}\n"},
    {"7", "rec:1: error: invalid line: expected an object, {...}\n"},
    {"{}",
	"rec:1: error: not a recording: expected a first line {\"gpuwl_recording\":1,...\n"},
    {"{\"gpuwl_recording\":2,\"version\":\"9\",\"launch\":{}}",
	"rec:1: error: unknown format 2: expected "
	"1\n"},
    {"{\"gpuwl_recording\":1,\"version\":\"9\",\"launch\":{}}",
	"rec:1: error: 'scheduler' is missing\n"},
    {"{\"gpuwl_recording\":1,\"version\":\"9\",\"launch\":{"
     "\"scheduler\":\"fofi\"," PROFILE "," OPTIONS
     ",\"workloads\":[" WORKLOAD("") "]}}",
	NULL},
    {"{\"gpuwl_recording\":1,\"version\":\"9\",\"launch\":{"
     "\"scheduler\":\"fifo\"," PROFILE "," OPTIONS ",\"workloads\":[]}}",
	"rec:1: error: 'workloads' takes at least one object\n"},
    {"{\"gpuwl_recording\":1,\"version\":\"9\",\"launch\":{"
     "\"scheduler\":\"fifo\"," PROFILE "," OPTIONS
     ",\"more\":1,\"workloads\":[{}]}}",
	"rec:1: error: unknown key 'more': expected scheduler, i915, profile, "
	"seed, same_random, sync_data, repeat, scale_durations, "
	"scale_delays, duration_ns, append, workloads\n"},
    {FIRST AT(0, 0) "\"end\"",
	"rec:2: error: invalid JSON: ':' expected near end of "
	"file\n"},
    {FIRST AT(0, 0) "\"control\":\"stop\"}",
	"rec:2: error: 'control' takes 'priority', 'sseu', "
	"'preemption', 'add', 'kill', 'swap'\n"},
    {FIRST AT(0, 0) "\"control\":7}",
	"rec:2: error: 'control' takes 'priority', 'sseu', "
	"'preemption', 'add', 'kill', 'swap'\n"},
    {FIRST AT(-1, 0) "\"control\":\"kill\","
		     "\"client\":0,\"persistent\":true}",
	"rec:2: error: 'at_ns' takes a whole number from 0 to "
	"9223372036854775807\n"},
    {FIRST AT(1e300, 0) "\"control\":\"kill\","
			"\"client\":0,\"persistent\":true}",
	"rec:2: error: 'at_ns' takes a whole number from 0 to "
	"9223372036854775807\n"},
    {FIRST AT(99999999999999999999, 0) "\"control\":\"kill\"}",
	"rec:2: error: invalid JSON: too big integer near "
	"'99999999999999999999'\n"},
    {FIRST AT(0, 0) "\"control\":\"kill\","
		    "\"persistent\":true}",
	"rec:2: error: expected either a 'client', or a 'workload' for all of its clients\n"},
    {FIRST AT(0, 0) "\"control\":\"kill\","
		    "\"client\":0,\"persistent\":1}",
	"rec:2: error: 'persistent' takes true or false\n"},
    {FIRST AT(0, 0) "\"control\":\"priority\","
		    "\"client\":0,\"context\":-1,\"value\":1}",
	"rec:2: error: 'context' takes a whole number from 0 to "
	"4294967295\n"},
    {FIRST AT(9, 2) "\"note\":\"pause\"}\n" AT(8, 2) "\"end\":\"quit\"}\n",
	"rec:3: error: 'at_ns' goes back from 9 to 8: expected lines in order of time\n"},
    {FIRST AT(9, 2) "\"note\":\"pause\"}\n" AT(9, 1) "\"end\":\"quit\"}\n",
	"rec:3: error: 'instant' goes back from 2 to 1: expected lines in order of time\n"},
    {FIRST AT(9, 2) "\"end\":\"quit\"}\n"
		    "{" LAUNCH "}\n",
	"rec:3: error: unexpected line after the end\n"},
    {"{\"gpuwl_recording\":1,\"version\":\"9\",\"launch\":{"
     "\"scheduler\":\"fifo\",\"i915\":{\"name\":\"x\"}," PROFILE "," OPTIONS
     ",\"workloads\":[" WORKLOAD("") "]}}",
	"rec:1: error: 'scheduler' takes \"i915\" on a GPU\n"},
    {FIRST AT(0, 0) "\"i915\":[]}\n",
	"rec:2: error: 'i915' in a recording of the model\n"},
    {WORDS("7"),
	"rec:2: error: 'i915' takes arrays, e.g. [\"ended\",12,34567,0]\n"},
    {WORDS("[]"), NULL},
    {WORDS("[\"began\",1]"), NULL},
    {WORDS("[\"ended\",1,2]"),
	"rec:2: error: the error of 'ended' takes a whole number from -4095 to "
	"0\n"},
    {WORDS("[\"took\",0,2]"),
	"rec:2: error: the request of 'took' takes a whole number from 1 to "
	"9223372036854775807\n"},
    {WORDS("[\"took\",1,2,3]"), "rec:2: error: 'took' takes 2 numbers\n"},
    {WORDS("[\"refused\",1,0]"),
	"rec:2: error: the error of 'refused' is not 0\n"},
    {WORDS("[\"started\",1,64,3]"), NULL},
    {WORDS("[\"hung\",1,3,0,99]"), NULL},
    {FIRST AT(9, 2) "\"end\":\"well\"}\n",
	"rec:2: error: 'end' takes 'done', 'deadlock', 'duration', "
	"'quit'\n"},
    {FIRST AT(9, 2) "\"control\":\"swap\","
		    "\"client\":0,\"name\":\"n\",\"document\":\"d\","
		    "\"text\":\"1.RCS.0.0.0\",\"inline\":true}\n",
	NULL},
    {FIRST AT(9, 2) "\"control\":\"swap\","
		    "\"client\":0,\"name\":\"n\",\"document\":\"d\","
		    "\"latin1\":\"#\xc4\x80\",\"inline\":true}\n",
	"rec:2: error: 'latin1' takes a string of characters up to "
	"U+00FF, one for each byte\n"},
    {FIRST AT(9, 2) "\"control\":\"swap\","
		    "\"client\":0,\"name\":\"n\",\"document\":\"d\","
		    "\"inline\":true}\n",
	"rec:2: error: a descriptor has either 'text' or 'latin1'\n"},
    {FIRST AT(9, 2) "\"control\":\"add\","
		    "\"workload\":0,\"clients\":1000000,\"repeat\":1,"
		    "\"priority\":0,\"small_sseu\":false,"
		    "\"background\":false}\n",
	"rec:2: error: 1000001 clients in all: expected at most "
	"1000000\n"},
    {FIRST AT(9, 2) "\"control\":\"add\","
		    "\"clients\":1,\"repeat\":1,"
		    "\"priority\":0,\"small_sseu\":false,"
		    "\"background\":false}\n",
	"rec:2: error: expected a 'workload', or a new one with a 'name', a 'document' and a 'text'\n"},
};

TEST(errors)
{
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
		struct text err = {0};
		struct replay r;
		struct plan plan;

		if (refused[i].error != NULL) {
			expect_error(refused[i].lines, refused[i].error);
			continue;
		}
		assert_false(replay_parse(&r, &plan, "rec", refused[i].lines,
		    strlen(refused[i].lines), &err));
		assert_memory_equal(text_str(&err), "rec:", 4);
		assert_non_null(strstr(text_str(&err), ": error: "));
		replay_close(&r);
		plan_close(&plan);
		text_free(&err);
	}
}

/* Wrong only once it is run. */
TEST(misfits)
{
	static const struct {
		const char *lines, *error;
	} cases[] = {
	    {FIRST "{\"at_ns\":9,\"instant\":77,\"end\":\"quit\"}\n",
		":2: error: the recording is of another run: this run is at "},
	    {FIRST "{\"at_ns\":1500000,\"instant\":1,\"end\":\"quit\"}\n",
		":2: error: the recording is of another run: this run is at "},
	    {FIRST "{\"at_ns\":500000,\"instant\":1,\"end\":\"done\"}\n",
		":2: error: the recording is of another run: this run is at "},
	    {WORDS("[\"ended\",1,0,0]"),
		":2: error: the recording is of another run: request 1 is not "
		"in flight\n"},
	    {WORDS("[\"banned\",0,0],[\"banned\",1,0]"),
		":2: error: the recording is of another run: client 1 has no "
		"context 0\n"},
	    {WORDS("[\"took\",2,0]") AT(9, 2) "\"end\":\"quit\"}\n",
		":3: error: the recording is of another run: this run is at "},
	    {WORDS("[\"took\",1,0]")
		    AT(0, 1) "\"i915\":[[\"started\",1,1,0]]}\n",
		":3: error: the recording is of another run: request 1 is not "
		"in flight, or not there\n"},
	    {FIRST "{\"at_ns\":500000,\"instant\":1,\"control\":\"priority\","
		   "\"client\":4,\"context\":1,\"value\":1}\n",
		":2: error: no client 4: expected 0\n"},
	    {FIRST "{\"at_ns\":500000,\"instant\":1,\"control\":\"sseu\","
		   "\"client\":0,\"context\":1,\"value\":99}\n",
		":2: error: invalid slice mask '99': expected a mask of this "
		"GPU's slices, 0x7, or -1 for all\n"},
	};
	struct text replay = {0};
	struct outcome r;

	text_addf(&replay, "--replay=%s", test_path("rec"));
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		write_file(test_path("rec"), cases[i].lines);
		RUN(&r, "-b", "-q", replay.data);
		assert_int_equal(r.status, 1);
		if (strstr(r.err, cases[i].error) == NULL)
			fail_msg("%s", r.err);
		outcome_free(&r);
	}
	/* The device took no more: it ended before its time. */
	write_file(test_path("rec"),
	    WORDS("[\"refused\",1,-19]") AT(0, 1) "\"end\":\"quit\"}\n");
	RUN(&r, "-b", "-q", replay.data);
	assert_int_equal(r.status, 3);
	assert_string_equal(r.err, "gpuwl-top: the GPU took no more batches\n");
	outcome_free(&r);
	/* It says which version it is of. */
	write_file(test_path("rec"), cases[0].lines);
	RUN(&r, "-b", "-q", replay.data);
	assert_non_null(
	    strstr(r.err, " (recorded by version 0, this is " GPUWL_VERSION));
	outcome_free(&r);
	text_free(&replay);
}

/* One whose program was killed: as far as it tells, or to an end of its own. */
TEST(unfinished)
{
	struct text replay = {0};
	struct outcome r;

	text_addf(&replay, "--replay=%s", test_path("rec"));
	write_file(test_path("rec"), FIRST);
	RUN(&r, "-b", replay.data);
	assert_int_equal(r.status, 0);
	assert_string_equal(r.out, "0.002s elapsed (1000.000 workloads/s)\n");
	assert_non_null(strstr(
	    r.err, "the recording has no end: it was cut off after line 1\n"));
	outcome_free(&r);
	text_free(&replay);
}

TEST(files)
{
	const char *w = test_path("a.wsim");
	struct text t[1] = {{0}};
	struct outcome r;

	write_file(w, "1.RCS.1000.0.1\n");
	text_addf(&t[0], "--record=%s", w);
	RUN(&r, "-b", "-w", w, t[0].data);
	assert_int_equal(r.status, 2);
	assert_non_null(strstr(r.err, "is a workload: not overwritten\n"));
	outcome_free(&r);
	RUN(&r, "-b", "-w", w, "--record=/none/x");
	assert_int_equal(r.status, 2);
	assert_string_equal(
	    r.err, "gpuwl-top: /none/x: No such file or directory\n");
	outcome_free(&r);
	RUN(&r, "-b", "--replay=/none/x");
	assert_int_equal(r.status, 1);
	assert_string_equal(r.err,
	    "gpuwl-top: can't read /none/x: No such file or directory\n");
	outcome_free(&r);
	RUN(&r, "-b", "-q", "-w", w, "--record=/dev/full");
	assert_int_equal(r.status, 3);
	assert_string_equal(
	    r.err, "gpuwl-top: /dev/full: No space left on device\n");
	outcome_free(&r);
	text_free(&t[0]);
}
