/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parts, clocks and batches of a real i915 as far as they need no device
 * (doc/model/libdrm.md "Parts", "Clocks", "Batches").
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "device/hardware/batch.h"
#include "device/hardware/hardware.h"
#include "device/hardware/part.h"
#include "engine/profile.h"
#include "tests/runner/test.h"

/* Each profile of i915 names a part of its generation. */
TEST(parts_of_profiles)
{
	const char *file;
	unsigned n = 0;

	for (unsigned i = 0; (file = profile_builtin(i)) != NULL; i++) {
		struct profile p;
		struct text err = {0};
		char name[64] = "";

		strncpy(name, file, strcspn(file, "."));
		assert_true(profile_load(&p, name, &err));
		if (p.xe || p.pci_id == 0)
			continue;
		assert_non_null(part_find((uint16_t)p.pci_id));
		assert_int_equal(part_find((uint16_t)p.pci_id)->graphics / 100,
		    p.generation);
		n++;
	}
	assert_true(n > 15);
	assert_null(part_find(0xffff));
	assert_string_equal(part_find(0x9a49)->codename, "tigerlake");
	assert_int_equal(part_find(0x0412)->graphics, 750);
	assert_true(part_is_codename("AlderLake_P"));
	assert_false(part_is_codename("lake"));
}

#define BITS36 ((UINT64_C(1) << 36) - 1)

TEST(times_of_ticks)
{
	struct gpu_clock clock = {
	    .hz = 19200000, .ticks = 100, .cpu_ns = 5 * NSEC_PER_SEC};

	assert_int_equal(clock_time(&clock, 100), 5 * NSEC_PER_SEC);
	assert_int_equal(clock_time(&clock, 100 + 19200000), 6 * NSEC_PER_SEC);
	/* 192 ticks before, past the end of 36 bits. */
	assert_int_equal(
	    clock_time(&clock, (100 - 192) & BITS36), 5 * NSEC_PER_SEC - 10000);
	/* To the nearest ns: a tick has 52.08. */
	assert_int_equal(clock_time(&clock, 101), 5 * NSEC_PER_SEC + 52);
	assert_int_equal(clock_time(&clock, 112), 5 * NSEC_PER_SEC + 625);
	/* Rounded up, as gem_wsim's. */
	assert_int_equal(clock_ticks(1000, 19200000), 20);
	assert_int_equal(clock_ticks(1000000, 19200000), 19200);
	assert_int_equal(clock_ticks(1, 1000000000), 1);
}

/* A pair that a busy CPU made wide. */
TEST(clock_by_pairs)
{
	struct gpu_clock clock = {.hz = 1000000};
	struct clock_pair pair = {1000, 5000000, 5004000};

	clock_take(&clock, &pair);
	assert_int_equal(clock.error_ns, 3000);
	assert_int_equal(clock_time(&clock, 1000), 5002000);
	/* 20 ms later: it agrees, and says less. */
	pair = (struct clock_pair){21000, 24960000, 25004000};
	clock_take(&clock, &pair);
	assert_int_equal(clock.error_ns, 3000);
	assert_int_equal(clock_time(&clock, 21000), 25002000);
	assert_int_equal(clock.drift_ns, 20000);
	/* A second later the first one may have drifted by more. */
	pair = (struct clock_pair){1001000, 1004960000, 1005004000};
	clock_take(&clock, &pair);
	assert_int_equal(clock.error_ns, 23000);
	assert_int_equal(clock_time(&clock, 1001000), 1004982000);
	/* The GPU has slept, and its clock began anew. */
	pair = (struct clock_pair){7, 1010000000, 1010100000};
	clock_take(&clock, &pair);
	assert_int_equal(clock.error_ns, 51000);
	assert_int_equal(clock_time(&clock, 7), 1010050000);
}

/* An execbuf and a fence around a batch: 1 ms of it in 1.2 ms. */
TEST(clock_by_batches)
{
	struct gpu_clock clock = {.hz = 1000000, .by_batches = true};
	struct clock_batch batch = {7000, 8000, 2000000, 3200000};

	clock_observe(&clock, &batch);
	assert_int_equal(clock.error_ns, 101000);
	assert_int_equal(clock_time(&clock, 7000), 2100000);
	/* A worse one changes nothing, a better one does. */
	batch = (struct clock_batch){17000, 18000, 12000000, 13400000};
	clock_observe(&clock, &batch);
	assert_int_equal(clock_time(&clock, 7000), 2100000);
	batch = (struct clock_batch){27000, 28000, 22050000, 23050000};
	clock_observe(&clock, &batch);
	assert_int_equal(clock.error_ns, 1000);
	assert_int_equal(clock_time(&clock, 27000), 22050000);
	/* One that cannot be: it ran for longer than it took. */
	batch = (struct clock_batch){37000, 39000, 32000000, 33000000};
	clock_observe(&clock, &batch);
	assert_int_equal(clock_time(&clock, 27000), 22050000);
	/* Without a time of its fence. */
	batch = (struct clock_batch){47000, 47100, 42000000, 0};
	clock_observe(&clock, &batch);
	assert_int_equal(clock_time(&clock, 27000), 22050000);
}

TEST(words_of_batches)
{
	static struct hardware hw = {.context_hz = 19200000};
	uint32_t page[1024];
	struct batch_order order = {
	    .duration_ns = NSEC_PER_MSEC, .points = true, .engines = 1};
	struct batch_stamps stamps;
	struct text err = {0};
	bool points = false;

	hw.facts.generation = 9;
	hw.facts.engines[0].mmio_base = 0x2000;
	strcpy(hw.facts.path, "gpu");
	assert_true(batch_possible(&hw, &order, &err));
	memset(page, 0xff, sizeof page);
	batch_write(&hw, &order, page, 0x100000000);
	batch_read(page, &stamps);
	assert_false(stamps.begun);
	assert_int_equal(stamps.worked, 0);
	for (int i = 0; i < 256; i++)
		points = points || page[i] == 0x02800000;
	assert_true(points);
	/* 223.7 s at most; virtual engines need registers by engine. */
	order.duration_ns = 224 * NSEC_PER_SEC;
	assert_false(batch_possible(&hw, &order, &err));
	assert_string_equal(text_str(&err),
	    "gpu: a batch of 224000000 us: expected less than 223696213 us, "
	    "after which the clock of a context begins again");
	text_clear(&err);
	order.duration_ns = NSEC_NEVER;
	assert_true(batch_possible(&hw, &order, &err));
	order.engines = 3;
	assert_false(batch_possible(&hw, &order, &err));
	hw.facts.has[FEATURE_RELATIVE] = true;
	text_clear(&err);
	assert_true(batch_possible(&hw, &order, &err));
	text_free(&err);
}
