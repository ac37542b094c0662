/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * intel_gpu_top of Debian's intel-gpu-tools on the virtual i915, beside gem_wsim;
 * benchmarks.cases has others.
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

	need_gem_wsim();
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

	need_gem_wsim();
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

FIXTURES(use_gpuwl_run, NULL);
