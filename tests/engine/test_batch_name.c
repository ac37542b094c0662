/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of batches, doc/model/language.md "Names". */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/text.h"
#include "engine/batch_name.h"
#include "engine/explain/trail.h"
#include "tests/runner/test.h"
#include "tests/support/lab.h"

static const struct batch_name seventh = {2, 1, {.line = 24, .step = 7}, 0};

static void
expect_text(struct text *t, const char *expected)
{
	assert_string_equal(text_str(t), expected);
	text_free(t);
}

TEST(short_forms)
{
	struct text t = {0};

	batch_name_tight(&seventh, false, &t);
	expect_text(&t, "1:7");
	batch_name_tight(&seventh, true, &t);
	expect_text(&t, "2/1:7");
	batch_name_short(&seventh, false, &t);
	expect_text(&t, "1:7 L24");
	batch_name_short(&seventh, true, &t);
	expect_text(&t, "2/1:7 L24");
}

TEST(long_forms)
{
	const struct batch_name row = {0, 1, {.line = 3, .step = 1}, 2};
	const struct batch_name unknown = {0, 1, {.step = 1}, 0};
	const struct batch_name outside = {
	    0, 1, {.step = 6, .outside = true}, 0};
	struct text t = {0};

	batch_name_long(&outside, "3 draws", &t);
	expect_text(&t, "client 0 context 1, request 6 (3 draws)");
	batch_name_long(&seventh, NULL, &t);
	expect_text(&t, "client 2 context 1, line 24 (step 7)");
	batch_name_long(&seventh, "1.RCS.5.0.0", &t);
	expect_text(&t, "client 2 context 1, line 24 (step 7: 1.RCS.5.0.0)");
	batch_name_long(&row, "", &t);
	expect_text(&t, "client 0 context 1, line 3 (step 1, row 2)");
	batch_name_long(&unknown, "1.RCS.5.0.0", &t);
	expect_text(&t, "client 0 context 1, step 1 (1.RCS.5.0.0)");
}

TEST(steps)
{
	const struct step_place a = {.line = 3, .step = 1},
				b = {.line = 6, .step = 4},
				c = {.line = 3, .step = 2};
	struct text t = {0};

	step_place_long(&a, NULL, &t);
	expect_text(&t, "line 3 (step 1)");
	step_places_long(&a, &a, &t);
	expect_text(&t, "line 3 (step 1)");
	step_places_long(&a, &b, &t);
	expect_text(&t, "lines 3 to 6 (steps 1 to 4)");
	step_places_long(&a, &c, &t);
	expect_text(&t, "line 3 (steps 1 to 2)");
}

/* Comments and blank lines are lines, and no steps. */
TEST(of_a_run)
{
	struct text t = {0};
	struct batch_name name;
	struct trail *trail;
	struct lab lab;

	lab_init(&lab, "fifo");
	lab_add(&lab, "# frame\nd.5\n\n1.RCS.10.0.0\n", 1,
	    (struct client_options){.repeat = 1});
	trail = trail_begin(lab.sim, 64);
	sim_run(lab.sim, NSEC_NEVER, 0);
	name = batch_name_past(trail_request(trail, 1));
	batch_name_long(&name, NULL, &t);
	expect_text(&t, "client 0 context 1, line 4 (step 1)");
	assert_int_equal(batch_place(lab.sim->clients[0], 0).line, 2);
	assert_int_equal(batch_place(lab.sim->clients[0], 2).line, 0);
	trail_end(trail);
	lab_free(&lab);
}
