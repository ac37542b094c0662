/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Captures of gem_wsim in virtual time, run on the model, keep busyness, rates and the
 * median frame of what was captured (doc/model/infer.md): descriptors of this test, random ones, and
 * the published ones where others' data is ($GPUWL_SHARED, else ../shared).
 * CAPTURE_FIGURES prints the figures of all.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/any_iteration.h"
#include "tests/support/capture_trip.h"
#include "tests/support/folder.h"
#include "tests/support/gpuwl_run.h"
#include "tests/support/run_program.h"
#include "tests/support/wsim_version.h"

/* Descriptors that are run on the model too: their figures come back. With ranges,
 * 200 iterations are enough to keep chance small. */
static const char *const measured_steps[] = {
    "1.RCS.1000.0.1\nd.300\n",
    "1.RCS.3000.0.0\n2.VCS1.1000.-1.0\n3.BCS.500.f-1.0\np.5000\n",
    "1.RCS.700.0.0\n1.BCS.300.-1.0\nd.500\ns.-2\n2.VECS.200.0.1\n",
    "q.2\n1.RCS.500.0.0\n2.VCS2.300.-1.0\n",
    "P.1.-5\n1.RCS.900.0.0\n2.RCS.400.-1.1\nd.150\n",
};

/* Settings that are measured. Steps alone are compared under the first two: two
 * clients that wait for each other in turn have periods where each has delays. */
static const struct capture_setting measured[] = {
    {"ideal", "fifo", "1", "200", true, false},
    {"ideal", "execlists", "1", "200", true, false},
    {"ideal", "fifo", "2", "200", true, false},
};

#define N_MEASURED (sizeof(measured) / sizeof(*measured))

static const struct capture_exception exceptions[] = {
    {"high-composited-game.wsim", NULL, "2", CAPTURE_SHAPE,
	"RCS is saturated: the period is over before each p"},
    {"media_load_balance_19.wsim", "fifo", "2", CAPTURE_FIGURES,
	"by chance: busyness of gem_wsim varies by 2.4 points over 16 seeds"},
};

static unsigned
measure_all(const char *name, const char *path, size_t n_settings)
{
	return capture_trips(name, path, measured, n_settings, exceptions,
	    sizeof(exceptions) / sizeof(*exceptions));
}

TEST(figures)
{
	unsigned failed = 0;
	char path[64];

	need_gem_wsim();
	for (size_t i = 0; i < sizeof(measured_steps) / sizeof(char *); i++) {
		write_file("steps.wsim", measured_steps[i]);
		failed += measure_all(measured_steps[i], "steps.wsim", 2);
	}
	for (size_t i = 0; capture_published[i] != NULL; i++) {
		snprintf(path, sizeof(path), "wsim/%s", capture_published[i]);
		if (shared_path(path) != NULL)
			failed += measure_all(capture_published[i],
			    shared_path(path), N_MEASURED);
	}
	assert_int_equal(failed, 0);
	wsim_end();
}

#define RANDOM_STEPS 24

/* Objects of a W are those of all clones: they come back, and hold the clones up
 * as they did. */
static const char *const shared_steps[] = {
    ("W.2.2n4k\n1.RCS.500.r2-0/w2-1.0\n2.BCS.400.r2-1/w2-0.0\n"
     "3.VECS.300.r2-1.1\nd.300\n"),
    ("w.1.2n4k\nW.7.3n4k\n1.BCS.900.w1-0/w7-0.0\n"
     "2.RCS.700.r1-0/r7-0/w7-2.0\n3.VCS1.600.r7-2.1\nd.900\n"),
    "W.1.4k\n1.RCS.1000.0.0\n2.BCS.200.-1/w1-0.1\np.9000\n",
};

static const struct capture_setting sharing[] = {
    {"ideal", "fifo", "2", "60", true, false},
    {"default", "execlists", "2", "60", true, false},
    {"default", "execlists", "4", "60", true, false},
};

TEST(shared_objects)
{
	unsigned failed = 0;

	need_gem_wsim();
	for (size_t i = 0; i < sizeof(shared_steps) / sizeof(char *); i++) {
		write_file("steps.wsim", shared_steps[i]);
		for (size_t k = 0; k < sizeof(sharing) / sizeof(*sharing);
		     k++) {
			unsigned got = capture_trip(
			    shared_steps[i], "steps.wsim", &sharing[k]);

			if (got == 0)
				continue;
			print_error("%s, -c %s: differences %#x\n",
			    shared_steps[i], sharing[k].clones, got);
			failed++;
		}
	}
	assert_int_equal(failed, 0);
}

/* Random descriptors: the figures of their captures are theirs. */
TEST(random)
{
	static const struct capture_setting random_settings[] = {
	    {"ideal", "fifo", "1", "60", true, true},
	    {"default", "execlists", "1", "60", true, true},
	};
	const char *only = getenv("CAPTURE_SEED");
	unsigned failed = 0, n = 0;

	need_gem_wsim();
	for (unsigned seed = only != NULL ? (unsigned)atoi(only) : 0;
	     n < (only != NULL ? 1 : RANDOM_STEPS); seed++) {
		struct text text = {0};
		char name[32];

		any_iteration(seed, false, &text);
		write_file("steps.wsim", text_str(&text));
		text_free(&text);
		if (capture_is_refused("steps.wsim", true))
			continue;
		n++;
		for (size_t i = 0; i < 2; i++) {
			snprintf(name, sizeof(name), "seed %u", seed);
			failed += (capture_trip(name, "steps.wsim",
				       &random_settings[i]) &
				      CAPTURE_FIGURES) != 0;
		}
	}
	assert_int_equal(failed, 0);
}

FIXTURES(capture_setup, NULL);
