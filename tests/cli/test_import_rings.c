/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rings of the DRM scheduler as engines: usual names of drivers, --engine-map, files of
 * such rules, and rules and files that are wrong.
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

/* Writes a trace of Linux 6.17 in which each ring has a job of 1 ms at 100 Hz. */
static void
write_rings(const char *const *rings)
{
	struct text t = {0};

	for (unsigned i = 0; i < 40; i++) {
		for (unsigned r = 0; rings[r] != NULL; r++) {
			unsigned at = 10000 * i + 10 * r;

			for (unsigned k = 0; k < 2; k++)
				text_addf(&t,
				    " app-7 [000] 1.%06u: drm_sched_job_%s: "
				    "dev=0000:03:00.0, fence=%u:%u, ring=%s, "
				    "job count:0, hw job count:0, "
				    "client_id:3\n",
				    at, k == 0 ? "queue" : "run", 100 + 2 * r,
				    i + 1, rings[r]);
			text_addf(&t,
			    " <idle>-0 [000] 1.%06u: drm_sched_job_done: "
			    "fence=%u:%u signaled\n",
			    at + 1000, 100 + 2 * r, i + 1);
		}
	}
	write_file("rings.txt", text_str(&t));
	text_free(&t);
}

static void
expect_part(const char *text, const char *part)
{
	if (strstr(text, part) == NULL)
		fail_msg("'%s' is not in:\n%s", part, text);
}

/* Imports; each engine has a row, as busy as that. */
static void
expect_engines(
    const char *map, const char *const *rings, const char *const *engines)
{
	struct outcome o;

	enter_test_folder();
	write_rings(rings);
	if (map != NULL)
		RUN(&o, "--import=rings.txt", "-o", "out", "--force",
		    "--engine-map", map);
	else
		RUN(&o, "--import=rings.txt", "-o", "out", "--force");
	if (o.status != 0)
		fail_msg("%s", o.err);
	for (; *engines != NULL; engines++)
		expect_part(o.out, *engines);
	outcome_free(&o);
}

TEST(xe)
{
	static const char *const rings[] = {
	    "rcs0", "ccs0", "bcs0", "vcs0", "vcs1", "vecs0", NULL};
	static const char *const engines[] = {"busy.RCS\t10.", "busy.CCS\t10.",
	    "busy.BCS\t10.", "busy.VCS1\t10.", "busy.VCS2\t10.",
	    "busy.VECS\t10.", NULL};

	expect_engines(NULL, rings, engines);
}

TEST(amdgpu)
{
	static const char *const rings[] = {"gfx_0.0.0", "comp_1.0.0",
	    "comp_1.1.0", "sdma0", "sdma1", "vcn_dec_0", "vcn_enc_0.0",
	    "jpeg_dec", NULL};
	static const char *const engines[] = {"busy.RCS\t10.", "busy.CCS1\t10.",
	    "busy.CCS2\t10.", "busy.BCS1\t10.", "busy.BCS2\t10.",
	    "busy.VCS1\t10.", "busy.VCS2\t10.", "busy.VECS\t10.", NULL};

	expect_engines(NULL, rings, engines);
}

TEST(msm)
{
	static const char *const one[] = {"gpu-ring-0", NULL};
	static const char *const four[] = {
	    "gpu-ring-0", "gpu-ring-1", "gpu-ring-2", NULL};
	static const char *const engine[] = {"busy.RCS\t10.", NULL};
	static const char *const engines[] = {
	    "busy.RCS1\t10.", "busy.RCS2\t10.", "busy.RCS3\t10.", NULL};

	expect_engines(NULL, one, engine);
	/* Rings are priorities of the GPU, which has one engine. */
	expect_engines(
	    NULL, four, (const char *const[]){"batches.RCS\t30", NULL});
	expect_engines("gpu-ring-*=RCS", four, engines);
}

/* Words and files of rules, the first that fits decides. */
TEST(map)
{
	static const char *const rings[] = {"gfx_0.0.0", "sdma0", "x", NULL};
	static const char *const engines[] = {
	    "busy.CCS\t10.", "busy.VCS1\t10.", "busy.VCS2\t10.", NULL};
	struct outcome o;

	expect_engines("gfx*=CCS1,sdma0=vcs2,x=VCS1,*=RCS", rings, engines);
	write_file("map", "# a GPU\ngfx*=CCS1\n\nsdma0=vcs2 x=VCS1\n*=RCS\n");
	RUN(&o, "--import=rings.txt", "-o", "two", "--engine-map=map");
	assert_int_equal(o.status, 0);
	for (size_t i = 0; engines[i] != NULL; i++)
		expect_part(o.out, engines[i]);
	outcome_free(&o);
}

TEST(wrong_map)
{
	static const char *const rings[] = {"gfx_0.0.0", "sdma0", NULL};
	static const char *const wrong[][2] = {
	    {"gfx",
		"gfx: No such file or directory: --engine-map expects "
		"RING=ENGINE,..., e.g. gfx*=RCS,sdma0=BCS, or the name of a "
		"file with such rules"},
	    {"wrong",
		"wrong:2: invalid rule 'sdma0:BCS': expected "
		"RING=ENGINE,..., e.g. gfx*=RCS,sdma0=BCS"},
	    {"binary", "binary:1: invalid rule"},
	    {".", ". is not a regular file"},
	    {"gfx*=RCS,sdma0=", "--engine-map: invalid rule 'sdma0='"},
	    {"gfx*=RCS99", "--engine-map: invalid rule 'gfx*=RCS99'"},
	    {"=RCS", "--engine-map: invalid rule '=RCS'"},
	};
	struct outcome o;

	enter_test_folder();
	write_rings(rings);
	write_file("wrong", "gfx*=RCS\nsdma0:BCS\n");
	write_file("binary", "\x17\x08\x44tracing6");
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		RUN(&o, "--import=rings.txt", "-o", "out", "--engine-map",
		    wrong[i][0]);
		assert_int_equal(o.status, 2);
		expect_part(o.err, wrong[i][1]);
		outcome_free(&o);
	}
	RUN(&o, "--import=rings.txt", "-o", "out", "--force",
	    "--engine-map=gfx*=RCS,dma*=BCS");
	assert_int_equal(o.status, 0);
	expect_part(o.err,
	    "--engine-map: no ring is called 'dma*': the trace has gfx_0.0.0, "
	    "sdma0");
	outcome_free(&o);
}
