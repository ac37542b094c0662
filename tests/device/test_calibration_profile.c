/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of a calibration as knobs (doc/model/libdrm.md "Calibration"). */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "device/hardware/calibrate_private.h"
#include "tests/runner/test.h"

/* 0 us are the distance that X says, on the model 100 us. */
TEST(near_points_are_not_those_of_x)
{
	struct hardware hw = {.fd = -1};
	struct calibration c = {.hw = &hw};
	struct profile base;
	struct text out = {0}, err = {0};

	assert_true(profile_load(&base, "default", &err));
	c.base = &base;
	c.figures[MEASURE_ARBITRATION][CLASS_RCS] = (struct figure){
	    .value = 300, .low = 100, .high = 500, .n = 128};
	c.figures[MEASURE_ARBITRATION][CLASS_VCS] = (struct figure){
	    .value = 1600, .low = 1400, .high = 1800, .n = 128};
	calibration_print(&c, &out);
	assert_non_null(strstr(text_str(&out), "\narbitration_us.RCS = 1\n"));
	assert_non_null(strstr(text_str(&out), "\narbitration_us.VCS = 2\n"));
	text_free(&out);
}
