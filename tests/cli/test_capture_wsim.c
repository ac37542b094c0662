/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run of gem_wsim in virtual time is captured as the descriptor that it ran
 * (doc/model/infer.md): batches, engines, dependencies, waits and their order are
 * the same, values are kept, ranges hold those drawn. Shipped examples, and the
 * published descriptors where others' data is ($GPUWL_SHARED, else ../shared).
 * test_capture_figures.c runs captures on the model.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/capture_trip.h"
#include "tests/support/folder.h"
#include "tests/support/gpuwl_run.h"
#include "tests/support/run_program.h"
#include "tests/support/wsim_version.h"

static const struct capture_setting settings[] = {
    {"ideal", "fifo", "1", "40", false, false},
    {"ideal", "fifo", "2", "40", false, false},
    {"default", "execlists", "1", "40", false, false},
    {"default", "execlists", "2", "40", false, false},
};

#define N_SETTINGS (sizeof(settings) / sizeof(*settings))

#define END_WITHIN_SLEEP "1.RCS.*.0.0\nd.3000\nT.-2\nd.1000\n1.BCS.100.0.1\n"

static const struct capture_exception exceptions[] = {
    {"carchasepart.wsim", "execlists", NULL, CAPTURE_SLEEPS,
	"calls that wait for room in a queue add to the mean of delays"},
    {"high-composited-game.wsim", NULL, "2", CAPTURE_SHAPE,
	"RCS is saturated: the period is over before each p"},
    {"composited.wsim", NULL, NULL, CAPTURE_SHAPE, "a d just before the p"},
    {"priority-inversion.wsim", "fifo", NULL, CAPTURE_SHAPE,
	"the period is over before the first of two p"},
    {"split-frame.wsim", "execlists", "2", CAPTURE_SHAPE | CAPTURE_SEPARATE,
	"two clients are late: one iteration in forty waits at its p"},
    {"sseu.wsim", NULL, NULL, CAPTURE_SHAPE,
	"gem_wsim sets a priority where S sets slices"},
};

/* Returns how many settings do not come back as they should. */
static unsigned
capture_all(const char *name, const char *path)
{
	return capture_trips(name, path, settings, N_SETTINGS, exceptions,
	    sizeof(exceptions) / sizeof(*exceptions));
}

TEST(published)
{
	const char *only = getenv("CAPTURE_ONLY");
	unsigned failed = 0;
	char path[64];

	need_gem_wsim();
	if (shared_path("wsim") == NULL)
		skip_test(NO_SHARED_DATA);
	for (size_t i = 0; capture_published[i] != NULL; i++) {
		if (only != NULL && strstr(capture_published[i], only) == NULL)
			continue;
		snprintf(path, sizeof(path), "wsim/%s", capture_published[i]);
		failed += capture_all(capture_published[i], shared_path(path));
	}
	assert_int_equal(failed, 0);
	wsim_end();
}

/* Writes a descriptor without comments: gem_wsim reads none. */
static void
write_steps(const char *name, const char *text)
{
	struct text steps = {0};
	const char *end;

	for (; *text != '\0'; text = end + (*end != '\0')) {
		end = strchrnul(text, '\n');
		if (*text != '#' && *text != '\n')
			text_add(&steps, text, (size_t)(end - text) + 1);
	}
	write_file(name, text_str(&steps));
	text_free(&steps);
}

TEST(shipped)
{
	const char *only = getenv("CAPTURE_ONLY");
	unsigned failed = 0, n = 0;

	need_gem_wsim();
	for (size_t i = 0; i < n_embedded_files; i++) {
		const struct embedded_file *f = &embedded_files[i];
		const char *name = strrchr(f->path, '/') + 1;

		if (strstr(name, ".wsim") == NULL ||
		    strcmp(name, "hang.wsim") == 0 || /* it never ends */
		    (only != NULL && strstr(name, only) == NULL))
			continue;
		write_steps(name, f->data);
		/* 2.0 knows names of engines that i915 refuses without a map. */
		if (capture_is_refused(name, wsim_questions() > 0))
			continue;
		failed += capture_all(name, name);
		n++;
	}
	assert_int_equal(failed, 0);
	assert_true(only != NULL || n >= (wsim_questions() > 0 ? 7 : 9));
	wsim_end();
}

/* Each kind of step that a device sees comes back. */
static const char *const kinds[] = {
    "M.1.VCS\nB.1\n1.VCS.800.0.0\n1.RCS.300.0.0\n2.RCS.200.-1.1\n",
    "X.1.0\n1.RCS.1000.0.0\nP.2.7\n2.BCS.500.-2.1\n",
    "P.1.3\n1.RCS.400.0.0\nP.1.-3\n1.RCS.400.0.1\n",
    ("w.1.4n4k\n1.RCS.500.r1-0/w1-1.0\n2.BCS.400.r1-1/w1-0.0\n"
     "3.VECS.300.r1-1.1\n"),
    "f\n1.RCS.500.f-1.0\n2.BCS.400.f-2.0\nd.600\na.-4\ns.-4\n",
    "1.VCS1.*.0.0\n2.RCS.900.s-1.0\ns.-1\nT.-3\n1.BCS.100.-4.1\n",
    END_WITHIN_SLEEP,
    "1.RCS.100.0.0\nt.2\n2.BCS.300.-2.0\n1.RCS.200.0.0\n",
    "q.2\n1.RCS.100.0.0\n1.RCS.200.0.0\n1.RCS.300.0.0\n",
};

TEST(kinds)
{
	unsigned failed = 0;

	need_gem_wsim();
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		write_file("steps.wsim", kinds[i]);
		failed += capture_all(kinds[i], "steps.wsim");
	}
	assert_int_equal(failed, 0);
}

/* Several T at different times of one sleep, and two at one time. */
TEST(several_ends)
{
	static const char steps[] =
	    "1.VCS1.*.0.0\n2.VCS2.*.0.0\n3.RCS.*.0.0\nd.3000\nT.-3\n"
	    "d.2000\nT.-6\nT.-5\nd.1500\n4.BCS.100.0.1\n";

	need_gem_wsim();
	write_file("steps.wsim", steps);
	assert_int_equal(
	    capture_trips(steps, "steps.wsim", settings, 2, NULL, 0), 0);
}

/* Infinite batches of several engines at once, whose loops store, and take time where
 * commands do: steps, and figures on the model. */
TEST(infinite_together)
{
	static const struct capture_setting one[] = {
	    {"ideal", "fifo", "1", "40", true, false},
	    {"default", "fifo", "1", "40", true, false},
	    {"default", "execlists", "1", "40", true, false},
	};
	static const struct capture_setting two[] = {
	    {"default", "execlists", "2", "40", true, false},
	};
	static const char *const steps[] = {
	    "1.RCS.*.0.0\n2.BCS.*.0.0\nd.500\nT.-3\nT.-3\ns.-4\n",
	    "1.RCS.*.0.0\n2.BCS.*.0.0\nd.500\nT.-3\nd.300\nT.-4\ns.-5\nd.250\n",
	    "1.RCS.*.0.0\nd.500\nT.-2\ns.-3\n",
	};
	/* The clients share an engine: now the one sleeps in its wait, now the other. */
	static const char shared[] =
	    "1.VECS.*.0.0\n2.BCS.*.0.0\nd.500\nT.-2\nd.1500\nT.-5\ns.-5\ns.-7\n"
	    "d.200\n";
	unsigned failed = 0;

	need_gem_wsim();
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		write_file("steps.wsim", steps[i]);
		failed += capture_trips(
		    steps[i], "steps.wsim", one, 3, NULL, 0);
	}
	write_file("steps.wsim", shared);
	failed += capture_trips(shared, "steps.wsim", two, 1, NULL, 0);
	assert_int_equal(failed, 0);
}

FIXTURES(capture_setup, NULL);
