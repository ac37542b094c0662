/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Unmodified programs of Debian's intel-gpu-tools on the virtual i915: the
 * benchmarks, gem_wsim with every kind of step, intel_gpu_top beside it, and
 * tools that read the device's files. Their standard error is read: gem_wsim
 * exits 0 when a thread died.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "tests/runner/test.h"
#include "tests/support/gpuwl_run.h"
#include "tests/support/pty.h"
#include "tests/support/run_program.h"
#include "tests/support/wsim_version.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static void
need_package(void)
{
	if (access(GEM_WSIM, X_OK) != 0)
		skip_test("no " GEM_WSIM " (intel-gpu-tools)");
}

/* Runs a command of a shell on a device; it must end well. */
static void
run_shell(struct outcome *r, const char *profile, const char *command)
{
	char option[64];

	snprintf(option, sizeof option, "--profile=%s", profile);
	RUN(r, "-q", "--privileged", option, "sh", "-c", command);
	if (r->status != 0 || strstr(r->err, "CRITICAL") != NULL ||
	    strstr(r->err, "ssertion") != NULL)
		fail_msg("%s: status %d, said: %s", command, r->status, r->err);
}

TEST(the_benchmarks)
{
	/* Benchmarks that go on for ever end when their output is cut off. */
	static const char *const commands[] = {
	    BENCHMARKS "gem_exec_nop -r 1",
	    BENCHMARKS "gem_exec_nop -e rcs0 -r 1",
	    BENCHMARKS "gem_busy -r 1",
	    BENCHMARKS "gem_exec_ctx -r 1",
	    BENCHMARKS "gem_exec_reloc -r 1",
	    BENCHMARKS "gem_prw -r 100",
	    BENCHMARKS "gem_syslatency -t 1",
	    BENCHMARKS "gem_blt -r 1 -s 1 -t 1",
	    BENCHMARKS "gem_create -r 1 -s 4096",
	    BENCHMARKS "gem_set_domain -r 1 -s 4096",
	    BENCHMARKS "gem_userptr_benchmark --run-subtest userptr-sync 2>&1 "
		       "| head -n 4",
	    BENCHMARKS "intel_upload_blit_large",
	    BENCHMARKS "intel_upload_blit_large_gtt",
	    BENCHMARKS "intel_upload_blit_large_map",
	};

	need_package();
	for (size_t i = 0; i < COUNT(commands); i++) {
		struct outcome r;

		run_shell(&r, "tgl", commands[i]);
		assert_true(r.out_len + r.err_len > 0);
		outcome_free(&r);
	}
}

/* It looks twice, within some 60 us, whether a register goes on, and ends with
 * 77 if the machine was too busy for that. */
TEST(gem_latency)
{
	struct outcome r;

	need_package();
	run_shell(&r, "tgl",
	    "for i in 1 2 3 4 5 6 7 8 9 10; do " BENCHMARKS
	    "gem_latency -t 1; s=$?; test $s = 77 || break; done; exit $s");
	assert_non_null(strstr(r.out, "us"));
	outcome_free(&r);
}

/* A tracer that is preloaded beside the device's library; its traces are
 * played. */
TEST(tracer)
{
	struct outcome r;

	need_package();
	/* The tracer writes a call that gem_wsim 2.0 lets fail on purpose. */
	if (wsim_questions() > 0)
		wsim_leave_out();
	wsim_end();
	run_shell(&r, "tgl",
	    "LD_PRELOAD=" BENCHMARKS
	    "libgem_exec_tracer.so:$LD_PRELOAD " GEM_WSIM
	    " -q -w 1.RCS.100.0.1,1.VCS1.100.0.1 -r 5 & w=$!; "
	    "wait $w && " BENCHMARKS "gem_exec_trace -r 1 /tmp/trace-$w.* && "
	    "rm /tmp/trace-$w.*");
	outcome_free(&r);
}

/* Every kind of step that gem_wsim 1.27.1 has, and those that newer ones can do. */
#define MAPS            "M.1.VCS1|VCS2,B.1,M.2.VCS1|VCS2,B.2,"
#define BOND_AND_SLICES "b.2.VCS2.VCS1,S.5.1,"
#define OTHERS                                                                 \
	"M.6.RCS|VCS1,X.3.0,X.4.500,P.3.-5,w.1.4k/2n64k/4k-16k,W.2.1M,"        \
	"q.8,t.6,1.DEFAULT.200-400.0.0,2.DEFAULT.300.s-1.0,"                   \
	"3.RCS.100.w1-0/w2-0.0,4.BCS.100.r1-0-1/r2-0.0,5.RCS.100.-1.0,f,"      \
	"6.VCS1.100.f-1.0,a.-2,3.VECS.*.0.0,d.100,T.-2,s.-9,P.3.0,"            \
	"4.RCS.50.-10/f-7.1,p.5000"

TEST(every_step)
{
	static const char *const profiles[] = {"ideal", "default"};
	const char *steps = MAPS BOND_AND_SLICES OTHERS;
	char command[1000];

	need_package();
	if (!wsim_can_run(steps))
		steps = MAPS OTHERS;
	snprintf(command, sizeof command, GEM_WSIM " -w '%s' -r 5 -c 2", steps);
	for (size_t i = 0; i < COUNT(profiles); i++) {
		struct outcome r;

		run_shell(&r, profiles[i], command);
		assert_non_null(strstr(r.out, "workloads/s"));
		outcome_free(&r);
	}
	wsim_end();
}

/* Steps that the profile's kernel and generation refuse, with their errno. */
TEST(refused_steps)
{
	static const struct {
		const char *profile, *steps, *said;
	} rows[] = {
	    {"tgl", "M.1.VCS1|VCS2,B.1,b.1.VCS2.RCS,1.DEFAULT.10.0.1",
		"-22 != 0"},
	    {"adl-p", "M.1.VCS1|VCS2,B.1,b.1.VCS2.RCS,1.DEFAULT.10.0.1",
		"-19 != 0"},
	    {"ivb-gt2", "1.RCS.*.0.0,T.-1", "Gen8+"},
	};

	need_package();
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct outcome r;
		char option[64];

		if (!wsim_can_run(rows[i].steps))
			continue;
		snprintf(
		    option, sizeof option, "--profile=%s", rows[i].profile);
		RUN(&r, "-q", "--privileged", option, GEM_WSIM, "-w",
		    rows[i].steps);
		if (strstr(r.err, rows[i].said) == NULL &&
		    strstr(r.out, rows[i].said) == NULL)
			fail_msg("%s on %s: %s", rows[i].steps, rows[i].profile,
			    r.err);
		outcome_free(&r);
	}
	wsim_end();
}

/* Reads a period of intel_gpu_top's list, which may be cut off. */
static json_t *
period_of(char *text, unsigned n)
{
	char *p = text;

	for (; n > 0 && p != NULL; n--)
		p = strstr(p + 1, "\n{");
	return p != NULL ? json_loads(p + 1, JSON_DISABLE_EOF_CHECK, NULL)
			 : NULL;
}

static double
busy_of(json_t *engines, const char *name)
{
	return json_number_value(
	    json_object_get(json_object_get(engines, name), "busy"));
}

/* Time that our report says for engine i. */
static double
our_busy(const json_t *report, size_t i)
{
	const json_t *e = json_array_get(json_object_get(report, "engines"), i);

	return (double)json_integer_value(json_object_get(e, "busy_ns"));
}

/* Two engines that always work and others that never do: figures as ours, one
 * client, its pid. It is waited for that they work, and the period before that
 * is not looked at. */
TEST(intel_gpu_top)
{
	json_t *report, *period, *engines, *client;
	struct outcome r;
	char *text;

	need_package();
	RUN(&r, "-q", "--profile=tgl", "--json=report.json", "sh", "-c",
	    GEM_WSIM
	    " -q -w 1.RCS.*.0.0,2.VCS1.*.0.0,s.-1 & "
	    "w=$!; while test $(cat /sys/class/drm/card0/gt_act_freq_mhz) = 0; "
	    "do :; done; " GPU_TOP "-J -s 200 -o - | head -c 12000 > top.json; "
	    "kill $w; echo $w");
	assert_int_equal(r.status, 0);
	text = read_whole("top.json", NULL);
	period = period_of(text, 3);
	assert_non_null(period);
	engines = json_object_get(period, "engines");
	report = json_load_file("report.json", 0, NULL);
	assert_non_null(report);
	assert_float_equal(busy_of(engines, "Render/3D/0"), 100, 2);
	assert_float_equal(busy_of(engines, "Video/0"), 100, 2);
	assert_float_equal(busy_of(engines, "Blitter/0"), 0, 0);
	assert_float_equal(busy_of(engines, "Video/1"), 0, 0);
	assert_int_equal(
	    json_object_size(json_object_get(period, "clients")), 1);
	client = json_object_iter_value(
	    json_object_iter(json_object_get(period, "clients")));
	assert_string_equal(
	    json_string_value(json_object_get(client, "name")), "gem_wsim");
	assert_int_equal(
	    atoi(json_string_value(json_object_get(client, "pid"))),
	    atoi(r.out));
	/* The run is longer than the period. */
	assert_float_equal(100 * our_busy(report, 2) / our_busy(report, 0),
	    100 * busy_of(engines, "Video/0") / busy_of(engines, "Render/3D/0"),
	    2);
	assert_true(our_busy(report, 1) == 0);
	json_decref(report);
	json_decref(period);
	free(text);
	outcome_free(&r);
}

TEST(gpu_top_on_a_terminal)
{
	char quiet[] = "-q", profile[] = "--profile=tgl", sh[] = "sh",
	     c[] = "-c";
	char command[] = GEM_WSIM " -q -w 1.RCS.1000.0.0 -r 1000000 & w=$!; "
				  "intel_gpu_top -s 100; kill $w";
	struct pty *p;

	need_package();
	p = pty_start(100, 30,
	    (char *[]){pty_program(), quiet, profile, sh, c, command, NULL},
	    NULL);
	pty_wait_text(p, "Render/3D");
	pty_wait_text(p, "VideoEnhance");
	pty_wait_text(p, "gem_wsim");
	pty_send(p, "q");
	assert_int_equal(pty_wait_status(p), 0);
	pty_free(p);
}

/* Tools that read the device's files. */
TEST(tools)
{
	static const struct {
		const char *command, *said;
	} rows[] = {
	    {"intel_gpu_top -L", "Intel Tigerlake (Gen12)"},
	    {"lsgpu", "drm:/dev/dri/renderD128"},
	    {"intel_reg read 0x2358", "(0x00002358): 0x"},
	    {"intel_gpu_frequency", "max: 1300 MHz"},
	    {"intel_gpu_frequency -c max=900 >/dev/null; "
	     "cat /sys/class/drm/card0/gt_max_freq_mhz",
		"900"},
	};
	struct outcome r;

	need_package();
	for (size_t i = 0; i < COUNT(rows); i++) {
		run_shell(&r, "tgl", rows[i].command);
		if (strstr(r.out, rows[i].said) == NULL)
			fail_msg("%s: %s", rows[i].command, r.out);
		outcome_free(&r);
	}
}

FIXTURES(use_gpuwl_run, NULL);
