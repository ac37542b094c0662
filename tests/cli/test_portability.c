/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words of --check about gem_wsim and platforms, and what a run on a
 * platform that refuses a step does: doc/model/platforms.md. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/runner/test.h"
#include "tests/support/run_program.h"

#define BONDS                                                                  \
	"M.1.VCS\nB.1\nM.2.VCS\nB.2\nb.2.VCS1.VCS2\nb.2.VCS2.VCS1\n"           \
	"1.DEFAULT.1000.0.0\n2.DEFAULT.1000.s-1.0\n"

static size_t
count(const char *s, const char *word)
{
	size_t n = 0;

	while ((s = strstr(s, word)) != NULL) {
		s += strlen(word);
		n++;
	}
	return n;
}

/* --check of the text as a file, with the option: the verdict behind "ok, N
 * steps, ", and what else is said. */
static void
check_says(const char *option, const char *text, const char *verdict,
    const char *notes)
{
	const char *args[] = {"--check", test_path("x.wsim"), option, NULL};
	struct outcome r;
	const char *is;

	write_file(test_path("x.wsim"), text);
	run_program(&r, args);
	assert_int_equal(r.status, 0);
	is = strstr(r.out, verdict);
	if (is == NULL || strcmp(is + strlen(verdict), "\n") != 0)
		fail_msg("%s: '%s', should be '%s'", text, r.out, verdict);
	if (*notes == '\0')
		assert_string_equal(r.err, "");
	else if (strstr(r.err, notes) == NULL)
		fail_msg("%s: '%s' is not in '%s'", text, notes, r.err);
	outcome_free(&r);
}

TEST(without_a_platform)
{
	check_says(NULL, "1.RCS.5.0.0\n", ", portable to gem_wsim", "");
	check_says(NULL, "1.RCS.5.0.0\n1.RCS.5.0/-1.0\n",
	    ", not portable to gem_wsim: line 2: gem_wsim takes 0 as a "
	    "dependency only alone",
	    "");
	check_says(NULL, "M.1.VCS2\n1.DEFAULT.5.0.0\n",
	    ", not portable to gem_wsim: line 2: gem_wsim aborts on DEFAULT or "
	    "a class on a map without load balancing: name the engine, like "
	    "RCS1",
	    "");
	check_says(NULL, "1.CCS.5.0.0\n1.VECS2.5.0.0\n",
	    ", not portable to gem_wsim: line 1: without an engine map i915 "
	    "has RCS, BCS, VCS1, VCS2 and VECS1 only: add a step like M.1.CCS "
	    "(and 1 more)",
	    "");
	check_says(NULL, BONDS,
	    ", portable to gem_wsim, with notes: line 2: load balancing (B) "
	    "needs generation 11 or later (and 1 more); line 5: bonds (b) need "
	    "a kernel before 5.14 (and 1 more)",
	    "");
	check_says(NULL, "S.1.1\nP.1.5\n1.RCS.5.0.0\n",
	    ", portable to gem_wsim, with notes: line 1: slice masks (S) need "
	    "generation 11; line 2: a priority above 0 needs CAP_SYS_NICE",
	    "");
	check_says(NULL, "S.1.0x1\nP.1.5\n",
	    ", not portable to gem_wsim: line 1: gem_wsim reads a hexadecimal "
	    "slice mask as 0",
	    "");
}

TEST(on_a_platform)
{
	check_says("--profile=tgl", BONDS,
	    ", not portable to gem_wsim on tgl: line 5: Linux refuses bonds of "
	    "virtual engines since 5.14 (and 1 more)",
	    "x.wsim:5:1: note: step 4: Linux refuses bonds of virtual engines "
	    "since 5.14\nb.2.VCS1.VCS2\n^\n");
	check_says("--profile=tgl", BONDS,
	    ", not portable to gem_wsim on tgl: line 5: Linux refuses bonds of "
	    "virtual engines since 5.14 (and 1 more)",
	    "x.wsim:6:1: note: step 5: Linux ");
	check_says("--profile=default", BONDS,
	    ", portable to gem_wsim on default", "");
	check_says("--profile=skl-gt4", "# x\n\nM.1.VCS\nB.1\n",
	    ", not portable to gem_wsim on skl-gt4: line 4: gem_wsim balances "
	    "load on generation 11 and later only",
	    "x.wsim:3:5: note: step 0: work with HEVC can run on VCS1 only, "
	    "and load balancing may choose another VCS\nM.1.VCS\n    ^~~\n");
	check_says("--profile=icl", "S.1.1\nM.1.VCS\nB.1\n",
	    ", portable to gem_wsim on icl",
	    "x.wsim:1:1: warning: step 0 has no effect: profile icl has one "
	    "slice\n");
	check_says("--profile=tgl", "1.RCS.5.0.0\nS.1.1\n",
	    ", not portable to gem_wsim on tgl: line 2: Linux takes slice "
	    "masks on generation 11 only",
	    "x.wsim:2:1: note: step 1: ");
	check_says("--profile=tgl", "P.1.5\n",
	    ", portable to gem_wsim on tgl, with notes: line 1: a priority "
	    "above 0 needs CAP_SYS_NICE",
	    "x.wsim:1:5: note: step 0: a priority above 0 needs "
	    "CAP_SYS_NICE\n");
	/* The rules of gem_wsim alone, too. */
	check_says("--profile=tgl", "1.RCS.5.0/0.0\n",
	    ", not portable to gem_wsim on tgl: line 1: gem_wsim takes 0 as a "
	    "dependency only alone",
	    "x.wsim:1:9: note: step 0: gem_wsim takes 0 as a dependency only "
	    "alone\n");
}

static void
expect_run(const char *const *args, int status, size_t n, const char *word)
{
	struct outcome r;

	run_program(&r, args);
	if (r.status != status || count(r.err, word) != n)
		fail_msg("status %d (not %d), '%s' not %zu times in '%s'",
		    r.status, status, word, n, r.err);
	outcome_free(&r);
}

#define RUNS(status, n, word, ...)                                             \
	expect_run((const char *const[]){"-b", "--scheduler=execlists",        \
		       __VA_ARGS__, NULL},                                     \
	    status, n, word)

/* Once for each rule, whatever the number of steps and of workloads; tgl has one
 * slice, too. */
TEST(run_warns)
{
	const char *file = test_path("x.wsim");

	write_file(file, BONDS "S.3.1\nS.3.-1\n3.RCS.5.0.0\n");
	RUNS(
	    0, 2, ": warning: Linux ", "--profile=tgl", "-w", file, "-w", file);
	RUNS(0, 1,
	    "x.wsim:5:1: warning: Linux refuses bonds of virtual engines "
	    "since 5.14; the model of tgl runs this all the same\n",
	    "--profile=tgl", "-w", file);
	RUNS(0, 1,
	    "x.wsim:9:1: warning: Linux takes slice masks on generation "
	    "11 only; ",
	    "--profile=tgl", "-w", file);
	RUNS(0, 3, ": warning: ", "--profile=skl-gt4", "-w", file);
	RUNS(0, 0, "warning", "--profile=tgl", "-q", "-w", file);
	RUNS(0, 0, "warning", "--profile=default", "-w", file);
	/* Steps that i915 or gem_wsim refuse on any platform, or that need a
	 * right. */
	RUNS(0, 0, "warning", "--profile=tgl", "-w",
	    "M.1.VCS2,1.DEFAULT.5.0.0,P.1.5");
	RUNS(0, 0, "warning", "--profile=dg2-g10", "-w",
	    "1.CCS.5.0.0,1.VECS2.5.0.0");
}

/* [platform] refuse: an error at each step. */
TEST(refuse)
{
	const char *file = test_path("x.wsim"), *ini = test_path("strict.ini");
	char profile[256];

	snprintf(profile, sizeof(profile), "--profile=%s", ini);
	write_file(file, BONDS);
	write_file(ini,
	    "[profile]\nname = strict\n[device]\nVCS = 2\n[platform]\n"
	    "generation = 12\nkernel = 6.1\nrefuse = 1\n");
	RUNS(1, 2,
	    ": error: Linux refuses bonds of virtual engines since 5.14\n",
	    profile, "-w", file);
	RUNS(1, 1, "x.wsim:6:1: error: ", profile, "-w", file);
	expect_run((const char *const[]){"--check", profile, file, NULL}, 1, 2,
	    ": error: Linux refuses bonds of virtual engines since 5.14\n");
	RUNS(0, 0, "error", profile, "-w", "P.1.5,1.RCS.5.0.0");
	/* All that --check reports, what no i915 takes as well. */
	RUNS(1, 1, ": error: gem_wsim aborts on DEFAULT", profile, "-w",
	    "M.1.VCS2,1.DEFAULT.5.0.0");
	write_file(ini,
	    "[profile]\nname = strict\n[device]\nVCS = 2\n[platform]\n"
	    "generation = 0\nkernel = 6.1\nrefuse = 1\n");
	RUNS(0, 0, "refuses", profile, "-w", file);
}

/* Seed 001's example of bonds, on each profile that has its engines. */
TEST(example_of_bonds)
{
	static const char *const profiles[] = {"ideal", "default", "skl-gt3",
	    "skl-gt4", "bdw-gt3", "icl", "tgl", "adl-s", "adl-p", "dg1",
	    "dg2-g10", "mtl"};
	static const char *const schedulers[] = {"fifo", "execlists"};

	write_file(test_path("seed.wsim"),
	    "M.1.RCS|VECS\nB.1\nM.2.VCS1|VCS2\nB.2\nb.2.VCS1.RCS\n"
	    "b.2.VCS2.VECS\n1.DEFAULT.1000.0.0\n2.DEFAULT.1000.s-1.0\n");
	for (size_t i = 0; i < 2 * sizeof(profiles) / sizeof(*profiles); i++) {
		struct outcome r;

		RUN(&r, "-b", "-r", "3", "--profile", profiles[i / 2],
		    "--scheduler", schedulers[i % 2], "-w",
		    test_path("seed.wsim"));
		if (r.status != 0 || strstr(r.out, "workloads/s") == NULL)
			fail_msg("%s, %s: %s", profiles[i / 2],
			    schedulers[i % 2], r.err);
		outcome_free(&r);
	}
}

/* The sources of gem_wsim's own descriptors say that it runs them. */
TEST(published)
{
	static const char *const names[] = {"carchasepart", "composited-ui",
	    "frame-split-60fps", "high-composited-game", "media-1080p-player",
	    "media_17i7", "media_19", "media_1n2_480p", "media_1n3_asy",
	    "media_1n4_480p", "media_1n5_480p", "media_load_balance_19",
	    "media_load_balance_4k12u7", "media_load_balance_hd01",
	    "media_load_balance_hd12", "media_mfe2_480p", "media_nn_1080p_s2",
	    "media_nn_480p", "vcs1", "vcs_balanced"};

	if (shared_path("wsim") == NULL)
		skip_test(NO_SHARED_DATA);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct outcome r;
		char file[64];

		snprintf(file, sizeof(file), "wsim/%s.wsim", names[i]);
		RUN(&r, "--check", "--profile=tgl", shared_path(file));
		if (r.status != 0 ||
		    strstr(r.out, ", portable to gem_wsim on tgl") == NULL)
			fail_msg("%s: %s", names[i], r.out);
		outcome_free(&r);
	}
}
