/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arm's metadata file, byte by byte, and read again by jansson. */
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "tests/runner/test.h"
#include "tests/support/run_program.h"
#include "trace/arm_frames.h"
#include "trace/sink.h"

struct file {
	struct sink out;
	int fd;
	char *bytes; /* once it was read */
	size_t len, at;
};

static void
start(struct file *f)
{
	*f = (struct file){0};
	f->fd = open(test_path("metadata"), O_WRONLY | O_CREAT | O_TRUNC, 0666);
	assert_true(f->fd >= 0);
	sink_init(&f->out, f->fd, NULL);
}

static void
stop(struct file *f)
{
	assert_int_equal(sink_close(&f->out), 0);
	close(f->fd);
	f->bytes = read_whole(test_path("metadata"), &f->len);
}

/* The JSON of the next frame, as text of its length. */
static char *
next_frame(struct file *f)
{
	uint32_t len;
	char *text;

	assert_true(f->len - f->at >= sizeof(len));
	memcpy(&len, f->bytes + f->at, sizeof(len));
	len = le32toh(len);
	f->at += sizeof(len);
	assert_true(f->len - f->at >= len);
	text = strndup(f->bytes + f->at, len);
	f->at += len;
	return text;
}

/* Asserts that the next frame is this text, that it is JSON, and ASCII. */
static void
expect(struct file *f, const char *text)
{
	char *frame = next_frame(f);
	json_t *json = json_loads(frame, JSON_REJECT_DUPLICATES, NULL);

	assert_string_equal(frame, text);
	assert_non_null(json);
	for (const char *c = frame; *c != '\0'; c++)
		assert_true((unsigned char)*c < 0x80);
	json_decref(json);
	free(frame);
}

static void
expect_end(struct file *f)
{
	assert_int_equal(f->at, f->len);
	free(f->bytes);
}

static void
add(struct arm_frame *f, uint64_t tag, const struct workload_info *info,
    const char *labels)
{
	arm_frame_workload(f,
	    &(struct arm_workload){
		.execution = tag,
		.tag = tag,
		.submit = 5,
		.info = *info,
		.waits = info->draws == WORKLOAD_UNKNOWN,
		.labels = labels,
		.labels_len = strlen(labels),
	    });
}

static const struct workload_info pass = {
    .type = WORKLOAD_RENDERPASS,
    .size = {1920, 1080, -1},
    .draws = 42,
    .subpasses = 1,
};

TEST(empty)
{
	struct arm_frame frame = {.device = 4096};
	struct file f;

	start(&f);
	assert_true(arm_frame_write(&frame, &f.out, 0, 200));
	arm_frame_submit(&frame, 16, 250);
	assert_true(arm_frame_write(&frame, &f.out, 1, 300));
	arm_frame_free(&frame);
	stop(&f);
	assert_memory_equal(f.bytes, "\x3d\0\0\0", 4);
	expect(&f,
	    "{\"device\":4096,\"frame\":0,\"presentTimestamp\":200,"
	    "\"submits\":[]}");
	expect(&f,
	    "{\"device\":4096,\"frame\":1,\"presentTimestamp\":300,"
	    "\"submits\":[{\"device\":4096,\"queue\":16,\"timestamp\":250,"
	    "\"workloads\":[]}]}");
	expect_end(&f);
}

/* One of each type, with all keys that the viewer asks for. */
TEST(types)
{
	static const struct workload_info list[] = {
	    {.type = WORKLOAD_DISPATCH, .size = {8, 4, 1}},
	    {.type = WORKLOAD_TRACERAYS, .size = {-1, -1, -1}},
	    {.type = WORKLOAD_IMAGE_TRANSFER,
		.transfer = TRANSFER_CLEAR_IMAGE,
		.amount = 4096},
	    {.type = WORKLOAD_BUFFER_TRANSFER,
		.transfer = TRANSFER_FILL_BUFFER,
		.amount = WORKLOAD_WHOLE},
	    {.type = WORKLOAD_BUFFER_TRANSFER, .amount = 7},
	};
	struct arm_frame frame = {.device = 1};
	struct file f;

	start(&f);
	arm_frame_submit(&frame, 2, 3);
	add(&frame, 9, &pass, "[\"Frame 1\",\"Shadow\"]");
	arm_frame_submit(&frame, 3, 4);
	for (uint64_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
		add(&frame, 10 + i, &list[i], "");
	assert_true(arm_frame_write(&frame, &f.out, 7, 8));
	arm_frame_free(&frame);
	stop(&f);
	expect(&f,
	    "{\"device\":1,\"frame\":7,\"presentTimestamp\":8,\"submits\":["
	    "{\"device\":1,\"queue\":2,\"timestamp\":3,\"workloads\":["
	    "{\"type\":\"renderpass\",\"tid\":9,\"width\":1920,"
	    "\"height\":1080,\"drawCallCount\":42,\"subpassCount\":1,"
	    "\"label\":[\"Frame 1\",\"Shadow\"],\"attachments\":[]}]},"
	    "{\"device\":1,\"queue\":3,\"timestamp\":4,\"workloads\":["
	    "{\"type\":\"dispatch\",\"tid\":10,\"xGroups\":8,\"yGroups\":4,"
	    "\"zGroups\":1,\"label\":[]},"
	    "{\"type\":\"tracerays\",\"tid\":11,\"xItems\":-1,"
	    "\"yItems\":-1,\"zItems\":-1,\"label\":[]},"
	    "{\"type\":\"imagetransfer\",\"tid\":12,"
	    "\"subtype\":\"Clear image\",\"pixelCount\":4096,\"label\":[]},"
	    "{\"type\":\"buffertransfer\",\"tid\":13,"
	    "\"subtype\":\"Fill buffer\",\"byteCount\":-2,\"label\":[]},"
	    "{\"type\":\"buffertransfer\",\"tid\":14,"
	    "\"subtype\":\"Unknown\",\"byteCount\":7,\"label\":[]}]}]}");
	expect_end(&f);
}

/* Attachments are in Arm's order; load and store are as they were given. */
TEST(attachments)
{
	struct workload_info info = pass;
	struct arm_frame frame = {.device = 1};
	struct file f;
	char *text;

	info.n_attachments = 5;
	info.attachments[0] = (struct attachment){
	    ATTACHMENT_STENCIL, LOAD_DISCARD, STORE_DISCARD, false};
	info.attachments[1] = (struct attachment){
	    ATTACHMENT_DEPTH, LOAD_LOAD, STORE_STORE, false};
	info.attachments[2] = (struct attachment){
	    0, LOAD_LOAD, STORE_STORE, true};
	info.attachments[3] = (struct attachment){
	    1, LOAD_CLEAR, STORE_STORE, false};
	info.attachments[4] = (struct attachment){
	    0, LOAD_LOAD, STORE_DISCARD, false};
	start(&f);
	arm_frame_submit(&frame, 2, 3);
	add(&frame, 9, &info, "");
	arm_frame_write(&frame, &f.out, 0, 0);
	arm_frame_free(&frame);
	stop(&f);
	text = next_frame(&f);
	assert_string_equal(strstr(text, "\"attachments\""),
	    "\"attachments\":["
	    "{\"binding\":\"C0\",\"load\":true,\"store\":false,"
	    "\"resolve\":false},"
	    "{\"binding\":\"C1\",\"load\":false,\"store\":true,"
	    "\"resolve\":false},"
	    "{\"binding\":\"C0\",\"load\":false,\"store\":true,"
	    "\"resolve\":true},"
	    "{\"binding\":\"D\",\"load\":true,\"store\":true,"
	    "\"resolve\":false},"
	    "{\"binding\":\"S\",\"load\":false,\"store\":false,"
	    "\"resolve\":false}]}]}]}");
	free(text);
	expect_end(&f);
}

/* Labels are UTF-8 and JSON already. */
TEST(labels)
{
	struct arm_frame frame = {.device = 1};
	struct file f;
	char *text;

	start(&f);
	arm_frame_submit(&frame, 2, 3);
	add(&frame, 9, &pass,
	    "[\"a\\\"\\\\\xc3\xa9\",\"\xf0\x9f\x98\x80\xe2\x82\xac\"]");
	add(&frame, 9, &pass, "[\"\xff\xc3\"]");
	arm_frame_write(&frame, &f.out, 0, 0);
	arm_frame_free(&frame);
	stop(&f);
	text = next_frame(&f);
	assert_non_null(strstr(text,
	    "\"label\":[\"a\\\"\\\\\\u00e9\",\"\\ud83d\\ude00\\u20ac\"],"));
	assert_non_null(strstr(text, "\"label\":[\"\\ufffd\\ufffd\"],"));
	free(text);
	expect_end(&f);
}

/* A number that becomes known before the frame is written is in it. */
TEST(find)
{
	struct workload_info unknown = pass, *found;
	struct arm_frame frame = {.device = 1};
	struct file f;
	char *text;

	unknown.draws = WORKLOAD_UNKNOWN;
	start(&f);
	arm_frame_submit(&frame, 2, 3);
	add(&frame, 9, &unknown, "");
	add(&frame, 9, &unknown, "");
	assert_null(arm_frame_known(&frame, 9, 4));
	assert_null(arm_frame_known(&frame, 8, 5));
	found = arm_frame_known(&frame, 9, 5);
	assert_non_null(found);
	found->draws = 77;
	assert_int_equal(frame.n_waiting, 1);
	arm_frame_write(&frame, &f.out, 0, 0);
	assert_null(arm_frame_known(&frame, 9, 5));
	arm_frame_free(&frame);
	stop(&f);
	text = next_frame(&f);
	/* The newest of both. */
	assert_true(strstr(text, "\"drawCallCount\":-1") <
	    strstr(text, "\"drawCallCount\":77"));
	free(text);
	expect_end(&f);
}

/* Finds each of many workloads, between others without a submitID. */
TEST(find_many)
{
	struct arm_frame frame = {.device = 1};
	struct arm_workload w = {.info = pass};

	arm_frame_submit(&frame, 2, 3);
	for (uint64_t i = 0; i < 3000; i++) {
		w.tag = i;
		w.submit = i % 3 == 0 ? 0 : 10 + i / 5;
		w.info.draws = (int64_t)i;
		w.waits = w.submit != 0;
		arm_frame_workload(&frame, &w);
	}
	for (uint64_t i = 0; i < 3000; i++) {
		struct workload_info *found = arm_frame_known(
		    &frame, i, 10 + i / 5);

		if (i % 3 == 0)
			assert_null(found);
		else
			assert_int_equal(found->draws, i);
		assert_null(arm_frame_known(&frame, i, 11 + i / 5));
		assert_null(arm_frame_known(&frame, i, 0));
	}
	arm_frame_free(&frame);
}

TEST(full_disk)
{
	struct arm_frame frame = {.device = 1};
	int fd = open("/dev/full", O_WRONLY);
	struct sink out;

	sink_init(&out, fd, NULL);
	assert_true(arm_frame_write(&frame, &out, 0, 0));
	assert_int_equal(sink_close(&out), ENOSPC);
	arm_frame_free(&frame);
	close(fd);
}
