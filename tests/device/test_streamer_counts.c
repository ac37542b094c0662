/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Contents of batches, in numbers and words (doc/model/streamer.md "Counts");
 * and a frame of Mesa's driver for Tiger Lake as it was submitted, from
 * $GPUWL_SHARED, else ../shared; without it that test is skipped.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/runner/test.h"
#include "tests/support/streamer_lab.h"

#define DRAW(topology, vertices, instances)                                    \
	0x7b000005, (topology), (vertices), 0, (instances), 0, 0
#define PIXEL_SHADER(bindings, flags)                                          \
	0x7820000a, 0, 0, (bindings) << 18, 0, 0, (flags), 0, 0, 0, 0, 0

TEST(a_batch_without_work_has_no_label)
{
	struct streamer_lab *lab = *state;

	streamer_lab_ends(lab);
	streamer_lab_labelled(lab, "");
}

TEST(draws_have_vertices_and_instances)
{
	struct streamer_lab *lab = *state;

	EMIT(lab, DRAW(4, 300, 2), DRAW(5, 4, 1));
	streamer_lab_ends(lab);
	streamer_lab_labelled(lab, "2 draws");
	assert_int_equal(streamer_counts(lab->batch)->vertices, 604);
}

TEST(indirect_draws_take_registers)
{
	struct streamer_lab *lab = *state;

	lab->data[0] = 7;
	lab->data[1] = 3;
	EMIT(lab, 0x14800002, 0x2434, ADDRESS(LAB_DATA));
	EMIT(lab, 0x14800002, 0x2438, ADDRESS(LAB_DATA + 4));
	EMIT(lab, 0x7b000405, 4, 0, 0, 0, 0, 0);
	streamer_lab_ends(lab);
	assert_int_equal(streamer_counts(lab->batch)->vertices, 21);
}

/* A rectangle list clears, fast or with one binding, its target; or it copies,
 * with a texture, or resolves. 3DSTATE_PS stays in force for the context's next
 * batch. */
TEST(rectangles_clear_or_copy)
{
	struct streamer_lab *lab = *state;

	EMIT(lab, PIXEL_SHADER(2, 0x100), DRAW(15, 3, 1));
	EMIT(lab, PIXEL_SHADER(1, 0), DRAW(15, 3, 1));
	EMIT(lab, PIXEL_SHADER(2, 0), DRAW(15, 3, 1), DRAW(4, 3, 1));
	EMIT(lab, PIXEL_SHADER(0, 0x80), DRAW(15, 3, 1));
	EMIT(lab, PIXEL_SHADER(1 | 1 << 9, 0), DRAW(15, 3, 1));
	EMIT(lab, 0x78520003, 1u << 30, 0, 0, 0);
	streamer_lab_ends(lab);
	streamer_lab_labelled(lab, "1 draw, 3 clears, 3 copies");
	streamer_lab_again(lab);
	EMIT(lab, DRAW(15, 3, 1));
	streamer_lab_ends(lab);
	streamer_lab_labelled(lab, "1 copy");
}

/* Statistics that queries read: vertices, primitives, invocations. */
TEST(draws_add_to_statistics)
{
	struct streamer_lab *lab = *state;

	EMIT(lab, DRAW(4, 300, 2), DRAW(5, 4, 1), DRAW(1, 7, 1), DRAW(2, 8, 1),
	    DRAW(3, 8, 1), DRAW(5, 1, 1));
	EMIT(lab, PIXEL_SHADER(1, 0), DRAW(15, 3, 1));
	streamer_lab_ends(lab);
	assert_int_equal(streamer_context_register(lab->context, 0x310), 628);
	assert_int_equal(streamer_context_register(lab->context, 0x320), 628);
	assert_int_equal(streamer_context_register(lab->context, 0x318),
	    200 + 2 + 7 + 4 + 7);
	assert_int_equal(streamer_context_register(lab->context, 0x338),
	    200 + 2 + 7 + 4 + 7);
}

/* As Mesa's driver for Ivy Bridge does them: a workaround without vertices, a
 * fast clear, a resolve, a read-back. */
TEST(generation_7_draws)
{
	struct streamer_lab *lab = *state;

	lab->gpu.version = 70;
	EMIT(lab, DRAW(1, 0, 0));
	EMIT(lab, 0x78200006, 0, 0, 0, 0xab000502, 0, 0, 0, DRAW(15, 3, 1));
	streamer_lab_ends(lab);
	streamer_lab_labelled(lab, "1 clear");
	streamer_lab_again(lab);
	EMIT(lab, 0x78200006, 0, 0, 0, 0xab000442, 0, 0, 0, DRAW(15, 3, 1));
	EMIT(lab, 0x78200006, 0, 0x08000000, 0, 0xab000403, 0, 0, 0,
	    DRAW(15, 3, 1));
	EMIT(lab, 0x78200006, 0, 0x00040000, 0, 0xab000003, 0, 0, 0,
	    DRAW(4, 3, 1));
	streamer_lab_ends(lab);
	streamer_lab_labelled(lab, "1 draw, 2 copies");
}

TEST(dispatches_have_groups)
{
	struct streamer_lab *lab = *state;

	EMIT(lab, 0x7105000d, 0, 0, 0, 0, 0, 0, 4, 0, 0, 3, 0, 2, 0, 0);
	EMIT(lab, 0x72080025, 0, 0, 0, 0, 0, 0, 2, 2, 2);
	lab->n += 29;
	/* Indirect: 0x2500 and on. */
	EMIT(lab, 0x11000005, 0x2500, 5, 0x2504, 1, 0x2508, 1);
	EMIT(lab, 0x7105040d, 0, 0, 0, 0, 0, 0, 9, 0, 0, 9, 0, 9, 0, 0);
	streamer_lab_ends(lab);
	streamer_lab_labelled(lab, "3 dispatches");
	assert_int_equal(streamer_counts(lab->batch)->groups, 24 + 8 + 5);
}

/* COMPUTE_WALKER of 8 groups with a post-sync operation. */
static void
emit_walker(struct streamer_lab *lab, uint32_t operation)
{
	EMIT(lab, 0x72080025, 0, 0, 0, 0, 0, 0, 2, 2, 2);
	EMIT(lab, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
	EMIT(lab, operation, ADDRESS(LAB_DATA), 7, 8);
	EMIT(lab, 0, 0, 0, 0, 0, 0, 0, 0);
}

/* The driver of OpenCL waits for these words with semaphores. */
TEST(walkers_write_when_their_work_is_done)
{
	struct streamer_lab *lab = *state;

	lab->gpu.version = 125;
	lab->gpu.costs.dispatch_ns = 5000;
	emit_walker(lab, 1);
	emit_walker(lab, 3);
	EMIT(lab, BATCH_END);
	streamer_lab_at(lab, 0);
	streamer_lab_at(lab, 4999);
	assert_int_equal(lab->data[0], 0);
	streamer_lab_at(lab, 5000);
	assert_int_equal(lab->data[0], 7);
	assert_int_equal(lab->data[1], 8);
	streamer_lab_at(lab, 9999);
	assert_int_equal(lab->data[0], 7);
	assert_int_equal(streamer_lab_at(lab, 10000).verdict, STREAMER_ENDED);
	assert_int_equal(lab->data[0], 5000);
	assert_int_equal(lab->data[2], 10000);
	assert_int_equal(lab->data[3] - lab->data[1], 5000);
	streamer_lab_labelled(lab, "2 dispatches");
	assert_int_equal(streamer_counts(lab->batch)->groups, 16);
}

TEST(generation_7_dispatches)
{
	struct streamer_lab *lab = *state;

	lab->gpu.version = 70;
	EMIT(lab, 0x71050009, 0, 0, 0, 4, 0, 3, 0, 2, 0, 0);
	streamer_lab_ends(lab);
	streamer_lab_labelled(lab, "1 dispatch");
	assert_int_equal(streamer_counts(lab->batch)->groups, 24);
}

TEST(blits_have_bytes)
{
	struct streamer_lab *lab = *state;

	/* XY_COLOR_BLT, XY_SRC_COPY, XY_FAST_COPY, XY_BLOCK_COPY of 10 x 10
	 * pixels of 4, 2, 8, 16 bytes; MEM_COPY and MEM_SET of 1000 bytes. */
	EMIT(lab, 0x54000005, 3 << 24, 0, 10 << 16 | 10, 0, 0, 0);
	EMIT(lab, 0x54c00008, 1 << 24, 5 << 16 | 5, 15 << 16 | 15, 0, 0, 0, 0,
	    0, 0);
	EMIT(lab, 0x50800008, 4 << 24, 0, 10 << 16 | 10, 0, 0, 0, 0, 0, 0);
	EMIT(lab, 0x50400008 | 5 << 19, 0, 0, 10 << 16 | 10, 0, 0, 0, 0, 0, 0);
	EMIT(lab, 0x56800008, 999, 0, 0, 0, 0, 0, 0, 0, 0);
	EMIT(lab, 0x56c00005, 999, 0, 0, 0, 0, 0);
	streamer_lab_ends(lab);
	streamer_lab_labelled(lab, "6 blits");
	assert_int_equal(streamer_counts(lab->batch)->blit_bytes,
	    400 + 200 + 800 + 1600 + 2000);
	assert_int_equal(streamer_counts(lab->batch)->unknown, 0);
}

/* The file: one command in each line, at most 16 dwords of it: address, level,
 * dwords. */
#define FRAME_BEGIN 0xfffeffeee000ull
#define FRAME_FENCE 0xfffeffefe000ull
#define FRAME_SIZE  0x12000

struct frame {
	uint32_t dwords[FRAME_SIZE / 4];
	unsigned n; /* commands */
};

static void *
frame_span(void *data, uint64_t address, size_t *len, bool write)
{
	struct frame *frame = data;
	uint64_t offset = address - FRAME_BEGIN;

	(void)write;
	if (offset >= FRAME_SIZE)
		return NULL;
	*len = FRAME_SIZE - offset;
	return (char *)frame->dwords + offset;
}

static bool
frame_is_not_there(void *data, uint64_t address, void *buf, size_t len)
{
	(void)data;
	(void)address;
	(void)buf;
	(void)len;
	return false;
}

static bool
frame_is_not_written(void *data, uint64_t address, const void *buf, size_t len)
{
	(void)data;
	(void)address;
	(void)buf;
	(void)len;
	return false;
}

static void
read_frame(struct frame *frame, FILE *f)
{
	char line[512];

	while (fgets(line, sizeof(line), f)) {
		char *at;
		size_t i = (strtoull(line, &at, 16) - FRAME_BEGIN) / 4;

		at = strstr(at, ": ") + 2;
		for (char *end; i < FRAME_SIZE / 4; at = end) {
			unsigned long dword = strtoul(at, &end, 16);

			if (end == at)
				break;
			frame->dwords[i++] = (uint32_t)dword;
		}
		frame->n++;
	}
}

TEST(a_frame_of_iris)
{
	const char *shared = getenv("GPUWL_SHARED");
	struct streamer_memory memory = {
	    frame_span, frame_is_not_there, frame_is_not_written, NULL};
	struct streamer_lab *lab = *state;
	struct streamer_answer answer;
	static struct frame frame;
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/facts/i915-logs/iris-tgl-batch1.txt",
	    shared ? shared : "../shared");
	f = fopen(path, "r");
	if (f == NULL)
		skip_test(NO_SHARED_DATA);
	read_frame(&frame, f);
	fclose(f);
	memory.data = &frame;
	lab->batch = streamer_begin(
	    &lab->gpu, lab->context, &memory, FRAME_BEGIN);
	answer = streamer_run(
	    lab->batch, lab->engine, lab->now, STREAMER_BUDGET);
	assert_int_equal(answer.verdict, STREAMER_ENDED);
	assert_int_equal(streamer_counts(lab->batch)->commands, frame.n);
	assert_int_equal(frame.n, 143);
	assert_int_equal(streamer_counts(lab->batch)->unknown, 0);
	streamer_lab_labelled(lab, "5 draws, 1 clear");
	/* The fence that Mesa reads back: written twice. */
	assert_int_equal(frame.dwords[(FRAME_FENCE - FRAME_BEGIN) / 4], 2);
}

FIXTURES(streamer_lab_setup, streamer_lab_teardown);
