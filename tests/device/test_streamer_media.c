/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Video engines: which frames a batch has, and the size that a driver reads of a
 * coded one (doc/model/streamer.md "Counts", "Coded frames"). Commands are those
 * of Intel's media driver.
 */
#include <stddef.h>
#include <stdint.h>

#include "tests/runner/test.h"
#include "tests/support/streamer_lab.h"

/* AVC: 20 x 15 macroblocks; a header of 3 dwords and 3 bytes. */
#define AVC_CODES    0x70000003, 0x000222d2, 0, 0, 0
#define AVC_DECODES  0x70000003, 0x00020202, 0, 0, 0
#define AVC_PICTURE  0x71000000, 0x0000012c
#define AVC_HEADER   0x70480004, 0x00001870, 1, 2, 3, 4
#define HEADER_BYTES 15
#define WALK         0x70870000, 0

/* HEVC: 40 x 30 coding blocks of 8 x 8. */
#define HEVC_CODES   0x73800005, 0x00001c05, 0, 0, 0, 0, 0
#define HEVC_PICTURE 0x73900001, 0x001d8027, 0x200000cc
#define HEVC_HEADER  0x73a20004, 0x00001870, 1, 2, 3, 4

/* MI_STORE_REGISTER_MEM, relative to the engine. */
#define STORE(reg, i) 0x12080002, (reg), ADDRESS(LAB_DATA + 4 * (i))

static int
open_lab(void **state)
{
	struct streamer_lab *lab;

	streamer_lab_setup(state);
	lab = *state;
	lab->engine = (struct streamer_engine){STREAMER_VIDEO, 0};
	return 0;
}

/* A frame is counted once, whatever its slices; commands of media and of 3D
 * have the same numbers on different engines. */
TEST(frames_have_a_codec)
{
	struct streamer_lab *lab = *state;

	EMIT(lab, 0x70000000, 0, 0x68000000);
	for (unsigned frame = 0; frame < 2; frame++) {
		EMIT(lab, 0x71000000, 0);
		EMIT(lab, 0x71280000, 0, 0x71280000, 0);
	}
	streamer_lab_ends(lab);
	streamer_lab_labelled(lab, "2 frames (AVC)");
	streamer_lab_again(lab);
	EMIT(lab, 0x73900000, 0, 0x73a00000, 0);
	streamer_lab_ends(lab);
	streamer_lab_labelled(lab, "1 frame (HEVC)");
}

TEST(coded_frames_have_a_size)
{
	struct streamer_lab *lab = *state;

	for (unsigned frame = 0; frame < 2; frame++)
		EMIT(lab, AVC_CODES, AVC_PICTURE, AVC_HEADER, AVC_HEADER, WALK,
		    STORE(0x8a0, 3 * frame), STORE(0x8a4, 3 * frame + 1),
		    STORE(0x954, 3 * frame + 2));
	streamer_lab_ends(lab);
	streamer_lab_labelled(lab, "2 frames (AVC)");
	for (unsigned frame = 0; frame < 2; frame++) {
		const uint32_t *stored = lab->data + (size_t)3 * frame;

		assert_int_equal(stored[0], 2 * HEADER_BYTES + 300);
		assert_int_equal(stored[1], 300);
		assert_int_equal(stored[2], 1);
	}
}

TEST(decoded_frames_have_none)
{
	struct streamer_lab *lab = *state;

	EMIT(lab, AVC_DECODES, AVC_PICTURE, AVC_HEADER, 0x71280000, 0,
	    STORE(0x8a0, 0), STORE(0x954, 1));
	streamer_lab_ends(lab);
	assert_int_equal(lab->data[0], 0);
	assert_int_equal(lab->data[1], 0);
}

TEST(hevc_has_registers_of_its_own)
{
	struct streamer_lab *lab = *state;

	EMIT(lab, HEVC_CODES, HEVC_PICTURE, HEVC_HEADER, WALK, STORE(0x28a0, 0),
	    STORE(0x28a8, 1), STORE(0x8a0, 2));
	streamer_lab_ends(lab);
	streamer_lab_labelled(lab, "1 frame (HEVC)");
	assert_int_equal(lab->data[0], HEADER_BYTES + 1200);
	assert_int_equal(lab->data[1], 1200);
	assert_int_equal(lab->data[2], 0);
}

TEST(hevc_of_generation_9)
{
	struct streamer_lab *lab = *state;

	lab->gpu.version = 90;
	EMIT(lab, HEVC_CODES, HEVC_PICTURE, HEVC_HEADER, 0x73a10000, 0,
	    0x12000002, 0x1e9a0, ADDRESS(LAB_DATA));
	streamer_lab_ends(lab);
	assert_int_equal(lab->data[0], HEADER_BYTES + 1200);
}

/* The headers of a JPEG come behind its scan. */
TEST(coded_jpegs_are_frames)
{
	struct streamer_lab *lab = *state;

	EMIT(lab, 0x70000003, 0x00020013, 0, 0, 0, 0x77000001, 0x101, 0x1d0027,
	    0x77490001, 0x12c, 0x019b0000, AVC_HEADER, STORE(0x8a0, 0));
	streamer_lab_ends(lab);
	streamer_lab_labelled(lab, "1 frame (JPEG)");
	assert_int_equal(lab->data[0], HEADER_BYTES + 300);
}

TEST(filters_of_vebox)
{
	struct streamer_lab *lab = *state;

	lab->engine = (struct streamer_engine){STREAMER_ENHANCE, 0};
	EMIT(lab, 0x74020000, 0, 0x74030000, 0);
	streamer_lab_ends(lab);
	streamer_lab_labelled(lab, "1 filter");
}

FIXTURES(open_lab, streamer_lab_teardown);
