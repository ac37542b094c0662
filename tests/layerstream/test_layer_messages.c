/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages byte by byte, their buffer, and the merger with too many and with
 * wrong messages. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "tests/runner/test.h"
#include "tests/support/layer_lab.h"

#define LENGTH(a) (sizeof(a) / sizeof((a)[0]))

static const struct golden {
	struct message message;
	uint8_t bytes[40];
	size_t n;
	const char *line;
} goldens[] = {
    {{MESSAGE_DEVICE, 0, 0, "{}", 2},
	"\x01"
	"\0\0\0\0\0\0\0\0"
	"\x02\0\0\0"
	"{}",
	15, "device    {}"},
    {{MESSAGE_SUBMIT, 0, 0, "", 0},
	"\x02"
	"\0\0\0\0\0\0\0\0"
	"\0\0\0\0",
	13, "submit    "},
    {{MESSAGE_FRAME, 0, 0, "{\"fid\":1}", 9},
	"\x03"
	"\0\0\0\0\0\0\0\0"
	"\x09\0\0\0"
	"{\"fid\":1}",
	22, "frame     {\"fid\":1}"},
    {{MESSAGE_WORKLOAD, 0, 0x0807060504030201, "{}", 2},
	"\x04"
	"\x01\x02\x03\x04\x05\x06\x07\x08"
	"\x02\0\0\0"
	"{}",
	15, "workload  t578437695752307201 {}"},
    {{MESSAGE_ANNEX, 0x1817161514131211, 9, "{}", 2},
	"\x05"
	"\x11\x12\x13\x14\x15\x16\x17\x18"
	"\x09\0\0\0\0\0\0\0"
	"\x02\0\0\0"
	"{}",
	23, "annex     s1735880461161533969 t9 {}"},
    {{MESSAGE_RESOLVED, 5, 9, "{}", 2},
	"\x06"
	"\x05\0\0\0\0\0\0\0"
	"\x09\0\0\0\0\0\0\0"
	"\x02\0\0\0"
	"{}",
	23, "resolved  s5 t9 {}"},
    {{MESSAGE_TAG_ANNEX, 0, 9, "\x1b[2J", 4},
	"\x07"
	"\x09\0\0\0\0\0\0\0"
	"\x04\0\0\0"
	"\x1b[2J",
	17, "tag-annex t9 ?[2J"},
};

TEST(bytes_are_those_of_the_table)
{
	for (size_t i = 0; i < LENGTH(goldens); i++) {
		const struct golden *g = &goldens[i];
		struct message_buffer b = {0};

		message_add(&b, &g->message);
		assert_int_equal(b.len, g->n);
		assert_memory_equal(b.data, g->bytes, g->n);
		message_buffer_free(&b);
	}
}

TEST(bytes_are_read_back)
{
	for (size_t i = 0; i < LENGTH(goldens); i++) {
		const struct golden *g = &goldens[i];
		struct text line = {0};
		struct message m;
		size_t used = 0;
		bool more;

		assert_null(
		    message_decode(g->bytes, g->n + 1, &m, &used, &more));
		assert_int_equal(used, g->n);
		assert_int_equal(m.type, g->message.type);
		assert_true(m.sequence == g->message.sequence);
		assert_true(m.tag == g->message.tag);
		assert_int_equal(m.len, g->message.len);
		assert_memory_equal(m.json, g->message.json, m.len);
		message_print(&m, &line);
		assert_string_equal(text_str(&line), g->line);
		text_free(&line);
	}
}

/* Decodes from memory of exactly that size, so that a read past its end is
 * found. */
static const char *
decode_exactly(const uint8_t *bytes, size_t n, bool *more)
{
	uint8_t *copy = malloc(n ? n : 1);
	struct message m;
	const char *wrong;
	size_t used;

	memcpy(copy, bytes, n);
	wrong = message_decode(copy, n, &m, &used, more);
	free(copy);
	return wrong;
}

TEST(truncated_messages_want_more)
{
	bool more;

	for (size_t i = 0; i < LENGTH(goldens); i++) {
		const struct golden *g = &goldens[i];

		for (size_t n = 0; n < g->n; n++) {
			assert_non_null(decode_exactly(g->bytes, n, &more));
			assert_true(more);
		}
		assert_null(decode_exactly(g->bytes, g->n, &more));
		assert_false(more);
	}
}

TEST(lying_lengths_and_types_are_errors)
{
	uint8_t bytes[15] = {4, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, '{', '}'};
	bool more;

	bytes[12] = 0xff; /* 4 GB */
	assert_string_equal(decode_exactly(bytes, sizeof(bytes), &more),
	    "message says to be longer than 1 MiB");
	assert_false(more);
	bytes[12] = 0;
	bytes[9] = 3;
	assert_string_equal(decode_exactly(bytes, sizeof(bytes), &more),
	    "message ends in its JSON");
	assert_true(more);
	for (unsigned type = 0; type < 256; type++) {
		bytes[0] = (uint8_t)type;
		if (type >= 1 && type <= 7)
			continue;
		assert_string_equal(decode_exactly(bytes, sizeof(bytes), &more),
		    "unknown type of message");
		assert_false(more);
		assert_null(message_type_info(type));
	}
}

static size_t drained, drains;

static void
count(struct message_buffer *b, const uint8_t *data, size_t n)
{
	(void)b;
	assert_int_equal(data[0], MESSAGE_FRAME);
	drained += n;
	drains++;
}

TEST(a_buffer_that_drains_does_not_grow)
{
	static char json[1000];
	struct message m = {MESSAGE_FRAME, 0, 0, json, sizeof(json)};
	struct message_buffer b = {.drain = count};

	memset(json, ' ', sizeof(json));
	for (unsigned i = 0; i < 1000; i++)
		message_add(&b, &m);
	message_drain(&b);
	assert_int_equal(drained, 1000 * (1000 + MESSAGE_HEADER));
	assert_true(drains > 10);
	assert_int_equal(b.cap, MESSAGE_DRAIN);
	message_buffer_free(&b);
}

TEST(strings_are_json)
{
	static const struct {
		const char *s;
		size_t len;
		const char *json;
	} cases[] = {
	    {"Shadow", 6, "\"Shadow\""},
	    {"a\"b\\c", 5, "\"a\\\"b\\\\c\""},
	    {"\n\x1b", 2, "\"\\u000a\\u001b\""},
	    {"\0", 1, "\"\xef\xbf\xbd\""},
	    {"\xff"
	     "a",
		2,
		"\"\xef\xbf\xbd"
		"a\""},
	    {"\xed\xa0\x80", 3, "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
	    {"\xe2\x80\xae", 3, "\"\xe2\x80\xae\""}, /* hidden, but text */
	    {"\xc3\xa4\xf0\x9f\x8e\xae", 6, "\"\xc3\xa4\xf0\x9f\x8e\xae\""},
	};

	for (size_t i = 0; i < LENGTH(cases); i++) {
		struct text t = {0};

		json_add_string(&t, cases[i].s, cases[i].len, false);
		assert_string_equal(text_str(&t), cases[i].json);
		text_free(&t);
	}
}

TEST(the_device_introduces_itself)
{
	struct layer_lab lab;
	struct text t = {0};

	layer_lab_init(&lab);
	play_device(
	    &lab.player, &(struct play_device){4096, "Some GPU", 53, 1, 2, 77});
	layer_lab_dump(&lab, &t);
	assert_string_equal(text_str(&t),
	    "device    {\"device\":4096,\"deviceName\":\"Some GPU\","
	    "\"driverMajor\":53,\"driverMinor\":1,\"driverPatch\":2,"
	    "\"pid\":77,\"type\":\"device\"}\n");
	text_free(&t);
	layer_lab_free(&lab);
}

struct merges {
	unsigned n, incomplete;
};

static void
count_merged(void *user, const struct merged *m)
{
	struct merges *merges = user;

	merges->n++;
	merges->incomplete += !m->complete;
}

TEST(the_merger_is_bounded)
{
	static const char json[] = "{\"indirect\":true}";
	struct merges merges = {0};
	struct merger *m = merge_new(count_merged, &merges, 10);

	for (uint64_t tag = 1; tag <= 100; tag++) {
		struct message message = {
		    MESSAGE_WORKLOAD, 0, tag, json, sizeof(json) - 1};

		assert_null(merge_message(m, &message));
	}
	assert_int_equal(merges.n, 90);
	assert_int_equal(merges.incomplete, 90);
	merge_finish(m);
	assert_int_equal(merges.n, 100);
	merge_free(m);
}

TEST(the_merger_refuses_what_does_not_fit)
{
	struct merges merges = {0};
	struct merger *m = merge_new(count_merged, &merges, 0);
	struct message orphan = {MESSAGE_ANNEX, 1, 2, "{}", 2};
	struct message list = {MESSAGE_WORKLOAD, 0, 3, "[]", 2};
	struct message broken = {MESSAGE_WORKLOAD, 0, 4, "{\"a\":", 5};

	assert_string_equal(merge_message(m, &orphan),
	    "annex t2: no workload message before it");
	assert_string_equal(merge_message(m, &list),
	    "workload t3: invalid JSON: expected an object");
	assert_non_null(merge_message(m, &broken));
	merge_finish(m);
	assert_int_equal(merges.n, 0);
	merge_free(m);
}

static const struct {
	enum message_type type;
	const char *json, *words;
} described[] = {
    {MESSAGE_WORKLOAD,
	"{\"attachments\":[{\"binding\":\"C0\"},{\"binding\":\"C0\","
	"\"resolve\":true},{\"binding\":\"D\"}],\"drawCallCount\":725,"
	"\"height\":1080,\"tid\":3,\"type\":\"renderpass\",\"width\":1920}",
	"renderpass 1920x1080 725 draws C0 C0r D"},
    {MESSAGE_WORKLOAD,
	"{\"attachments\":[],\"drawCallCount\":-1,\"height\":-1,\"tid\":1,"
	"\"type\":\"renderpass\",\"width\":-1}",
	"renderpass"},
    {MESSAGE_WORKLOAD,
	"{\"byteCount\":-2,\"subtype\":\"Fill buffer\",\"tid\":1,"
	"\"type\":\"buffertransfer\"}",
	"Fill buffer all bytes"},
    {MESSAGE_ANNEX, "{\"label\":[\"a\",\"b\\n\"],\"split\":true}", NULL},
    {MESSAGE_SUBMIT,
	"{\"device\":1,\"queue\":2,\"timestamp\":10000000,\"type\":"
	"\"submit\"}",
	"device 1 queue 2 at 0.010000s"},
    {MESSAGE_FRAME,
	"{\"device\":1,\"fid\":2,\"timestamp\":0,\"type\":\"frame\"}",
	"frame 2 device 1 at 0.000000s"},
    {MESSAGE_ANNEX, "{\"label\":[]}", "no label"},
    {MESSAGE_ANNEX, "{}", "{}"},
    {MESSAGE_ANNEX, "[1]", "[1]"},
    {MESSAGE_ANNEX, "no JSON", "no JSON"},
    {MESSAGE_WORKLOAD, "{\"width\":\"x\",\"label\":7,\"type\":[]}", NULL},
};

/* Unknown fields are left out; a message without known ones is shown as it is. */
TEST(words_are_of_known_fields)
{
	struct text t = {0};

	for (size_t i = 0; i < LENGTH(described); i++) {
		struct message m = {.type = described[i].type,
		    .json = described[i].json,
		    .len = (uint32_t)strlen(described[i].json)};

		text_clear(&t);
		message_describe(&m, &t);
		if (described[i].words != NULL)
			assert_string_equal(text_str(&t), described[i].words);
		assert_null(strchr(text_str(&t), '\n'));
		assert_true(t.len > 0);
	}
	text_free(&t);
}
