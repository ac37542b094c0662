/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Engines without work are found and named; those with any have a row each. */
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/lab.h"
#include "tui/views/idle_engines.h"

static void
assert_idle(const struct device *dev, const char *expected)
{
	struct text name = {0};

	engines_name_idle(dev, engines_idle(dev), 80, &name);
	assert_string_equal(text_str(&name), expected);
	text_free(&name);
}

/* The blocked batch of VCS1 and the running one of RCS are work. */
TEST(work_without_an_end)
{
	struct lab lab;
	const struct device *dev;

	lab_init(&lab, "fifo");
	lab_add(&lab, "f,1.VCS1.100.f-1.0,2.RCS.9000.0.1,a.-3", 1,
	    (struct client_options){.repeat = 1});
	lab_run(&lab, NSEC_PER_MSEC);
	dev = &lab.sim->device;
	assert_int_equal(dev->engines[0].batches, 0);
	assert_idle(dev, "idle: BCS, VCS2, VECS1, VECS2, CCS");
	lab_free(&lab);
}

TEST(rows_of_engines)
{
	struct lab lab;
	const struct device *dev;
	engine_mask idle;

	lab_init(&lab, "fifo");
	lab_add(&lab, "1.VCS2.100.0.1", 1, (struct client_options){0});
	dev = &lab.sim->device;
	assert_int_equal(engines_idle(dev), 0);
	lab_run(&lab, NSEC_PER_MSEC);
	idle = engines_idle(dev);
	assert_int_equal(engines_shown(dev, idle), 1);
	assert_string_equal(
	    dev->engines[engines_at(dev, idle, 0)].name, "VCS2");
	assert_int_equal(engines_at(dev, idle, 1), dev->n_engines);
	assert_int_equal(engines_row(dev, idle, 3), 0);
	assert_int_equal(engines_row(dev, idle, dev->n_engines - 1), 1);
	assert_int_equal(engines_shown(dev, 0), dev->n_engines);
	lab_free(&lab);
}
