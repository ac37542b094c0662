/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps that change nothing under the scheduler are warned of once
 * (doc/model/common.md "Steps without effect"); steps that it refuses are
 * errors, which say who takes them. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/run_program.h"

#define BATCH   "1.RCS.500.0.0"
#define WARNING ": warning: step "
#define BONDS                                                                  \
	"M.1.VCS,B.1,M.2.VCS,B.2,b.2.VCS1.VCS2,1.DEFAULT.5.0.0,"               \
	"2.DEFAULT.5.s-1.0"

/* The warnings of a run, "step 0 ...; step 3 ...", in order. */
static void
add_warnings(struct text *out, const char *err)
{
	for (; (err = strstr(err, WARNING)) != NULL; err++) {
		const char *words = err + strlen(": warning: ");

		text_adds(out, out->len > 0 ? "; " : "");
		text_add(out, words, strcspn(words, "\n"));
	}
}

static void
expect_warnings(const char *const *args, const char *wanted)
{
	struct text seen = {0};
	struct outcome r;

	run_program(&r, args);
	assert_int_equal(r.status, 0);
	add_warnings(&seen, r.err);
	if (strcmp(text_str(&seen), wanted) != 0)
		fail_msg("'%s', should be '%s'", text_str(&seen), wanted);
	text_free(&seen);
	outcome_free(&r);
}

#define WARNS(wanted, ...)                                                     \
	expect_warnings((const char *const[]){"-b", __VA_ARGS__, NULL}, wanted)

TEST(rules)
{
	WARNS("step 0 has no effect: fifo has no priorities; step 1 has no "
	      "effect: fifo preempts only batches that hang",
	    "--scheduler=fifo", "-w", "P.1.5,X.1.0," BATCH);
	WARNS("step 0 has no effect: drm preempts no batch; step 3 has no "
	      "effect: drm treats all priorities above 0 alike, 9 as 5",
	    "--scheduler=drm", "-w", "X.1.0,P.1.5," BATCH ",P.1.9");
	WARNS("step 1 has no effect: guc treats all priorities below 0 alike, "
	      "-7 as -5",
	    "--scheduler=guc", "-w", "P.1.-5,P.1.-7,X.1.0," BATCH);
	WARNS("step 1 has no effect: batches of a parallel slot (G) are never "
	      "preempted",
	    "--scheduler=guc", "-w", "G.1.VCS1/VCS2,X.1.0,1.DEFAULT.5.0.0");
	WARNS("step 0 has no effect: profile tgl has one slice",
	    "--profile=tgl", "-w", "S.1.-1," BATCH);
	WARNS("", "-w", "P.1.5,X.1.0,S.1.1," BATCH ",P.1.7");
}

/* The context's first P follows its last one in later iterations, and -p in
 * the first. */
TEST(levels)
{
	WARNS("", "--scheduler=guc", "-w", "P.1.5," BATCH);
	WARNS("", "--scheduler=guc", "-w", "P.1.5," BATCH ",P.1.-5");
	WARNS("step 0 has no effect: guc treats all priorities above 0 alike, "
	      "5 as 9",
	    "--scheduler=guc", "-p", "9", "-w", "P.1.5," BATCH);
	WARNS("", "--scheduler=guc", "-p", "5", "-w", "P.1.5," BATCH);
}

/* Once for each step, whatever the number of clients and iterations. */
TEST(once)
{
	WARNS("step 0 has no effect: fifo has no priorities",
	    "--scheduler=fifo", "-c", "5", "-r", "9", "-w", "P.1.5," BATCH);
	WARNS("step 0 has no effect: fifo has no priorities; step 0 has no "
	      "effect: fifo has no priorities",
	    "--scheduler=fifo", "-a", "P.1.2", "-w", "P.1.5," BATCH, "-w",
	    "P.1.5," BATCH);
	WARNS("", "--scheduler=fifo", "-q", "-w", "P.1.5," BATCH);
}

/* --check warns if the scheduler or the profile is named. */
TEST(check)
{
	const char *file = test_path("x.wsim");
	struct outcome r;

	write_file(file, "# a\nP.1.-5\n" BATCH "\n");
	RUN(&r, "--check", file);
	assert_string_equal(r.err, "");
	outcome_free(&r);
	RUN(&r, "--check", "--scheduler=fifo", file);
	assert_int_equal(r.status, 0);
	assert_non_null(strstr(r.err,
	    "x.wsim:2:1: warning: step 0 has no effect: fifo has no "
	    "priorities\nP.1.-5\n^\n"));
	outcome_free(&r);
	RUN(&r, "--check", "--profile=ideal", file);
	assert_non_null(strstr(r.err, "fifo has no priorities"));
	outcome_free(&r);
	RUN(&r, "--check", "--profile=ideal", "-q", file);
	assert_string_equal(r.err, "");
	outcome_free(&r);
}

static void
expect_refusal(const char *option, const char *text, const char *wanted)
{
	struct outcome r;

	RUN(&r, "-b", option, "-w", text);
	assert_int_equal(r.status, 1);
	if (strstr(r.err, wanted) == NULL)
		fail_msg("'%s' is not in '%s'", wanted, r.err);
	outcome_free(&r);
}

TEST(refusals)
{
	expect_refusal("--profile=default",
	    "1.RCS.5.0.0,G.2.VCS1/VCS2,2.DEFAULT.5.0.0",
	    "workload 0:1:13: error: parallel slots (G) need --scheduler=guc: "
	    "execlists, the scheduler of profile default, refuses them\n");
	expect_refusal("--profile=dg2-g10", BONDS,
	    "workload 0:1:25: error: engine bonds (b) need --scheduler=fifo or "
	    "execlists: guc, the scheduler of profile dg2-g10, refuses them\n");
	expect_refusal("--scheduler=drm:rr", BONDS,
	    "drm:rr, chosen instead of profile default's execlists, refuses "
	    "them\n");
	expect_refusal("--scheduler=guc", "M.1.RCS|VCS1,B.1,1.DEFAULT.5.0.0",
	    "balanced maps of several classes need --scheduler=fifo, "
	    "execlists, drm, drm:rr or drm:fair: guc, ");
}
