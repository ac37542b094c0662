/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hangs, and what becomes of those that wait for what hung
 * (facts/i915-scheduling.md sections 1.6 to 1.9), each on a descriptor small
 * enough to be worked out by hand. Times are in microseconds from the start.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "parser/text.h"
#include "tests/support/lab.h"

static const struct client_options once = {.repeat = 1};

/* "step engine end status" of each request, in order of submission. */
static char *
ends_text(const struct lab *lab)
{
	struct text t = {0};

	for (size_t i = 0; i < lab->n_rows; i++) {
		const struct lab_row *r = &lab->rows[i];

		text_addf(&t, "%s%u %s ", i > 0 ? "; " : "", r->step,
		    r->engine[0] != '\0' ? r->engine : "-");
		if (r->end == NSEC_NEVER)
			text_adds(&t, "- ");
		else
			text_addf(&t, "%.12g ", (double)r->end / 1e3);
		text_adds(
		    &t, r->error == 0 ? "ok" : strerrorname_np(-r->error));
	}
	return t.data;
}

static void
expect_ends(struct lab *lab, const char *ends)
{
	char *got;

	assert_int_equal(sim_run(lab->sim, NSEC_NEVER, 0), SIM_DONE);
	got = ends_text(lab);
	assert_string_equal(got, ends);
	free(got);
}

/* Section 1.9: "a waiter on a not yet signalled completion fence that ends
 * with -EIO gets the same error and its payload is skipped"; what is on the
 * same engine has only its order to wait for, and a submit fence the start. */
static void
test_error_goes_to_those_that_wait_for_the_end(void **state)
{
	struct lab lab;

	(void)state;
	lab_init(&lab, "fifo");
	lab.config.profile.hang_ns = NSEC_PER_MSEC;
	lab_add(&lab,
	    "1.RCS.*.0.0,2.BCS.5.-1.0,3.VCS1.7.f-2.0,4.RCS.9.-3.0,"
	    "5.VCS2.11.s-4.0,6.VECS.13.-4.0",
	    1, once);
	/* 6 waits for 2, which inherited. */
	expect_ends(&lab,
	    "0 RCS 1000 EIO; 1 BCS 1000 EIO; 2 VCS1 1000 EIO; 3 RCS 1009 ok; "
	    "4 VCS2 11 ok; 5 VECS1 1000 EIO");
	assert_int_equal(lab.sim->n_errors, 4);
	lab_free(&lab);
}

/* The next request of a virtual engine's timeline waits for the end of the one
 * before, so it inherits; that of a fixed engine does not (section 1.9). */
static void
test_error_goes_down_a_virtual_timeline(void **state)
{
	struct lab lab;

	(void)state;
	lab_init(&lab, "fifo");
	lab.config.profile.hang_ns = NSEC_PER_MSEC;
	lab_add(&lab,
	    "M.1.VCS,B.1,1.DEFAULT.*.0.0,1.DEFAULT.5.0.0,2.RCS.*.0.0,"
	    "2.RCS.5.0.0",
	    1, once);
	expect_ends(&lab,
	    "2 VCS1 1000 EIO; 3 VCS1 1000 EIO; 4 RCS 1000 EIO; 5 RCS 1005 ok");
	lab_free(&lab);
}

/* The DRM scheduler hands no error on (section 5.3). */
static void
test_drm_hands_no_error_on(void **state)
{
	struct lab lab;

	(void)state;
	lab_init(&lab, "drm");
	lab.config.profile.hang_ns = NSEC_PER_MSEC;
	lab_add(&lab, "1.RCS.*.0.0,2.BCS.5.-1.0", 1, once);
	expect_ends(&lab, "0 RCS 1000 EIO; 1 BCS 1005 ok");
	lab_free(&lab);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_error_goes_to_those_that_wait_for_the_end),
	    cmocka_unit_test(test_error_goes_down_a_virtual_timeline),
	    cmocka_unit_test(test_drm_hands_no_error_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
