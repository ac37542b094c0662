/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages, byte by byte; commands; labels; what the merger makes of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "layerstream/metadata.h"
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

static void
bytes_are_those_of_the_table(void **state)
{
	(void)state;
	for (size_t i = 0; i < LENGTH(goldens); i++) {
		const struct golden *g = &goldens[i];
		struct message_buffer b = {0};

		message_add(&b, &g->message);
		assert_int_equal(b.len, g->n);
		assert_memory_equal(b.data, g->bytes, g->n);
		message_buffer_free(&b);
	}
}

static void
bytes_are_read_back(void **state)
{
	(void)state;
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

/* In memory of just that size, so that a read past the end is seen. */
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

static void
truncated_messages_want_more(void **state)
{
	bool more;

	(void)state;
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

static void
lying_lengths_and_types_are_errors(void **state)
{
	uint8_t bytes[15] = {4, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, '{', '}'};
	bool more;

	(void)state;
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

static void
a_buffer_that_drains_does_not_grow(void **state)
{
	static char json[1000];
	struct message m = {MESSAGE_FRAME, 0, 0, json, sizeof(json)};
	struct message_buffer b = {.drain = count};

	(void)state;
	memset(json, ' ', sizeof(json));
	for (unsigned i = 0; i < 1000; i++)
		message_add(&b, &m);
	message_drain(&b);
	assert_int_equal(drained, 1000 * (1000 + MESSAGE_HEADER));
	assert_true(drains > 10);
	assert_int_equal(b.cap, MESSAGE_DRAIN);
	message_buffer_free(&b);
}

static void
commands_have_their_names(void **state)
{
	static const char *const names[N_OPCODES] = {"MARKER_BEGIN",
	    "MARKER_END", "RENDERPASS_BEGIN", "RENDERPASS_RESUME",
	    "COMPUTE_DISPATCH_BEGIN", "TRACE_RAYS_BEGIN",
	    "BUFFER_TRANSFER_BEGIN", "IMAGE_TRANSFER_BEGIN", "WORKLOAD_END",
	    "RESOLVE_INDIRECT"};

	(void)state;
	for (unsigned i = 0; i < N_OPCODES; i++) {
		const struct opcode_info *info = opcode_info(i);

		assert_string_equal(info->name, names[i]);
		assert_int_equal(info->resolving, i == OP_RESOLVE_INDIRECT);
		assert_int_equal(info->operand,
		    i == OP_MARKER_BEGIN ? OPERAND_LABEL
			: i == OP_MARKER_END || i == OP_WORKLOAD_END
			? OPERAND_NONE
			: OPERAND_WORKLOAD);
	}
	assert_null(opcode_info(N_OPCODES));
}

static void
a_stream_has_room_for_256(void **state)
{
	struct stream s = {0}, other = {0};

	(void)state;
	assert_int_equal(sizeof(struct command), 16);
	for (unsigned i = 0; i < 256; i++)
		stream_add(&s, OP_MARKER_END, NULL);
	assert_int_equal(s.cap, 256);
	stream_add(&other, OP_WORKLOAD_END, &s);
	stream_append(&s, &other);
	assert_int_equal(s.n, 257);
	assert_true(s.cap > 256);
	assert_int_equal(s.list[256].op, OP_WORKLOAD_END);
	assert_ptr_equal(s.list[256].operand, &s);
	stream_trim(&s);
	assert_int_equal(s.cap, 257);
	stream_clear(&s);
	stream_trim(&s);
	assert_null(s.list);
	stream_free(&other);
}

/* The commands of a stream: "MARKER_BEGIN RENDERPASS_BEGIN:1", with tags. */
static void
expect_commands(const struct stream *s, const char *expected)
{
	struct text t = {0};

	for (size_t i = 0; i < s->n; i++) {
		const struct opcode_info *info = opcode_info(
		    (unsigned)s->list[i].op);
		const struct layer_workload *w = s->list[i].operand;

		text_addf(&t, "%s%s", i ? " " : "", info->name);
		if (info->operand == OPERAND_WORKLOAD)
			text_addf(&t, ":%llu", (unsigned long long)w->tag);
	}
	assert_string_equal(text_str(&t), expected);
	text_free(&t);
}

static void
annotations_become_commands(void **state)
{
	struct layer_lab lab;
	struct command_buffer cb;

	(void)state;
	layer_lab_init(&lab);
	layer_lab_record(&lab, &cb,
	    "#@ label push \"A\"\n"
	    "#@ renderpass 8x8 suspend\n"
	    "#@ dispatch 1x1x1 indirect\n"
	    "#@ secondary begin times=2\n"
	    "#@ tracerays 1x1x1 indirect\n"
	    "#@ copybuffer 1\n"
	    "#@ secondary end\n"
	    "#@ renderpass resume\n"
	    "#@ clearimage 1\n"
	    "#@ label pop\n",
	    RECORD_RENDERPASS);
	expect_commands(&cb.recording->submit,
	    "MARKER_BEGIN RENDERPASS_BEGIN:1 COMPUTE_DISPATCH_BEGIN:2 "
	    "WORKLOAD_END TRACE_RAYS_BEGIN:3 WORKLOAD_END "
	    "BUFFER_TRANSFER_BEGIN:4 WORKLOAD_END TRACE_RAYS_BEGIN:3 "
	    "WORKLOAD_END BUFFER_TRANSFER_BEGIN:4 WORKLOAD_END "
	    "RENDERPASS_RESUME:0 WORKLOAD_END IMAGE_TRANSFER_BEGIN:5 "
	    "WORKLOAD_END MARKER_END");
	expect_commands(&cb.recording->resolve,
	    "RESOLVE_INDIRECT:2 RESOLVE_INDIRECT:3 RESOLVE_INDIRECT:3");
	assert_false(cb.recording->incomplete);
	assert_string_equal(text_str(&lab.said), "");
	command_buffer_free(&cb);
	layer_lab_free(&lab);
}

/* Which command buffers need a submitID (seed 003, recording sequence). */
static void
submit_ids_are_for_those_who_need_them(void **state)
{
	static const struct {
		const char *lines;
		bool needs, incomplete;
	} cases[] = {
	    {"#@ dispatch 1x1x1", true, false},
	    {"#@ once\n#@ dispatch 1x1x1", false, false},
	    {"#@ once\n#@ dispatch 1x1x1 indirect", true, false},
	    {"#@ once\n#@ renderpass 1x1 suspend", true, true},
	    {"#@ once\n#@ renderpass resume", true, true},
	    {"#@ once\n#@ renderpass resume suspend", true, true},
	    {"#@ once\n#@ renderpass 1x1 suspend\n#@ renderpass resume", false,
		false},
	    {"#@ once\n#@ secondary begin\n#@ renderpass 1x1 suspend\n"
	     "#@ secondary end\n#@ renderpass resume",
		false, false},
	    {"#@ once\n#@ secondary begin\n#@ tracerays 1x1x1 indirect\n"
	     "#@ secondary end",
		true, false},
	    {"#@ once\n#@ renderpass 1x1 suspend\n#@ renderpass 1x1", true,
		true},
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		struct layer_lab lab;
		struct command_buffer cb;

		layer_lab_init(&lab);
		layer_lab_record(&lab, &cb, cases[i].lines, RECORD_NOTHING);
		assert_int_equal(cb.recording->needs_submit_id, cases[i].needs);
		assert_int_equal(cb.recording->incomplete, cases[i].incomplete);
		command_buffer_free(&cb);
		layer_lab_free(&lab);
	}
}

static void
record_and_dump(const char *lines, enum record_default otherwise,
    const char *messages, const char *said)
{
	struct layer_lab lab;
	struct command_buffer cb;
	struct text t = {0};

	layer_lab_init(&lab);
	layer_lab_record(&lab, &cb, lines, otherwise);
	layer_lab_submit(&lab, 0, &cb);
	layer_lab_dump(&lab, &t);
	assert_non_null(strchr(text_str(&t), '\n'));
	assert_string_equal(strchr(text_str(&t), '\n') + 1, messages);
	assert_string_equal(text_str(&lab.said), said);
	text_free(&t);
	command_buffer_free(&cb);
	layer_lab_free(&lab);
}

#define PASS                                                                   \
	"workload  t1 {\"attachments\":[],\"drawCallCount\":-1,"               \
	"\"height\":-1,\"tid\":1,\"type\":\"renderpass\",\"width\":-1}\n"

static void
batches_without_workloads_have_the_default(void **state)
{
	(void)state;
	record_and_dump(
	    "", RECORD_RENDERPASS, PASS "annex     s1 t1 {\"label\":[]}\n", "");
	record_and_dump("#@ once", RECORD_DISPATCH,
	    "workload  t1 {\"tid\":1,\"type\":\"dispatch\",\"xGroups\":-1,"
	    "\"yGroups\":-1,\"zGroups\":-1}\n",
	    "");
	record_and_dump("#@ once", RECORD_BUFFER_TRANSFER,
	    "workload  t1 {\"byteCount\":-1,\"subtype\":\"Copy buffer\","
	    "\"tid\":1,\"type\":\"buffertransfer\"}\n",
	    "");
	record_and_dump("#@ once", RECORD_NOTHING, "", "");
}

static void
the_default_stands_under_the_last_label(void **state)
{
	static const char a[] = PASS "tag-annex t1 {\"label\":[\"A\"]}\n";

	(void)state;
	record_and_dump(
	    "#@ once\n#@ label push \"A\"", RECORD_RENDERPASS, a, "");
	record_and_dump("#@ once\n#@ label push \"A\"\n#@ label pop",
	    RECORD_RENDERPASS, a, "");
	record_and_dump(
	    "#@ label push \"B\"\n#@ label pop\n#@ label push \"A\"\n"
	    "#@ weight=2\n#@ once\n#@ label pop",
	    RECORD_RENDERPASS, a, "");
}

static void
nonsense_has_a_meaning_and_is_told(void **state)
{
	(void)state;
	record_and_dump("#@ secondary end\n#@ once", RECORD_NOTHING, "",
	    "the end of a secondary that did not begin: ignored\n");
	record_and_dump("#@ secondary begin\n#@ once", RECORD_NOTHING, "",
	    "a secondary does not end: it does with its batch (add "
	    "#@ secondary end)\n");
	record_and_dump(
	    "#@ secondary begin\n#@ secondary begin\n#@ secondary end",
	    RECORD_NOTHING, "",
	    "a secondary begins within another: ignored (end that one "
	    "first)\n");
	record_and_dump("#@ weight=3", RECORD_NOTHING, "",
	    "no workload stands behind weight=3: ignored\n");
}

static void
calls_in_a_wrong_order_do_nothing_bad(void **state)
{
	static const struct workload_info pass = {
	    .type = WORKLOAD_RENDERPASS, .subpasses = 1};
	static const struct workload_info fill = {
	    .type = WORKLOAD_BUFFER_TRANSFER, .transfer = TRANSFER_FILL_BUFFER};
	struct command_buffer cb, other;
	struct layer_lab lab;

	(void)state;
	layer_lab_init(&lab);
	command_buffer_init(&cb, &lab.tags, &lab.report);
	command_buffer_init(&other, &lab.tags, &lab.report);
	record_label_push(&cb, "x", 1);
	record_label_pop(&cb);
	record_renderpass_begin(&cb, &pass);
	record_renderpass_resume(&cb, &pass);
	record_renderpass_end(&cb, false);
	record_draw(&cb, 1);
	record_workload(&cb, &fill);
	record_execute(&cb, &other);
	command_buffer_end(&cb);
	assert_null(cb.recording);
	assert_int_equal(lab.tags.last, 0);
	text_clear(&lab.said);
	command_buffer_begin(&cb, 0);
	record_execute(&cb, &other);
	record_execute(&cb, &cb);
	record_renderpass_end(&cb, false);
	record_renderpass_begin(&cb, &pass);
	record_workload(&cb, &fill);
	record_renderpass_begin(&cb, &pass);
	record_renderpass_resume(&cb, &pass);
	command_buffer_end(&cb);
	assert_string_equal(text_str(&lab.said),
	    "a secondary command buffer is executed that is not recorded: "
	    "ignored (end its recording first)\n"
	    "a secondary command buffer is executed that is not recorded: "
	    "ignored (end its recording first)\n"
	    "the end of a render pass that did not begin: ignored\n"
	    "a buffertransfer within a render pass: end or suspend the pass "
	    "first\n"
	    "a render pass begins within another: that one ends first\n"
	    "a render pass begins within another: that one is suspended first\n"
	    "a command buffer ends within a render pass: the pass ends there "
	    "too (use suspend to go on later)\n");
	expect_commands(&cb.recording->submit,
	    "RENDERPASS_BEGIN:1 BUFFER_TRANSFER_BEGIN:2 WORKLOAD_END "
	    "WORKLOAD_END RENDERPASS_BEGIN:3 RENDERPASS_RESUME:0 "
	    "WORKLOAD_END");
	layer_lab_submit(&lab, 0, &cb);
	layer_lab_merge(&lab);
	assert_int_equal(lab.player.last_submit, 1);
	command_buffer_free(&cb);
	layer_lab_free(&lab);
}

static void
labels_are_bounded_and_pair(void **state)
{
	struct labels l = {0};
	struct text all = {0};
	const char *at;
	uint32_t len;
	unsigned n = 0;

	(void)state;
	for (unsigned i = 0; i < 100000; i++)
		assert_int_equal(
		    labels_push(&l, "\"\xc3\xa4\\\"\\u001b\"", 12), i < 64);
	at = labels_object(&l, &len);
	for (const char *end = at + len, *next = at + LABELS_PREFIX;
	     labels_next(&next, end, &all); text_clear(&all), n++)
		assert_string_equal(text_str(&all), "\xc3\xa4\"\x1b");
	assert_int_equal(n, 64);
	for (unsigned i = 0; i < 100000; i++)
		assert_true(labels_pop(&l));
	assert_false(labels_pop(&l));
	assert_memory_equal(labels_object(&l, &len), LABELS_EMPTY, len);
	assert_true(labels_push(&l, "\"a\"", 3));
	assert_memory_equal(labels_object(&l, &len), "{\"label\":[\"a\"]}", 15);
	assert_int_equal(len, 15);
	text_free(&all);
	labels_free(&l);
}

static void
labels_are_bounded_in_bytes(void **state)
{
	static char big[LABELS_BYTES / 3];
	struct labels l = {0};
	uint32_t len;

	(void)state;
	memset(big, 'x', sizeof(big));
	big[0] = big[sizeof(big) - 1] = '"';
	assert_true(labels_push(&l, big, sizeof(big)));
	assert_true(labels_push(&l, big, sizeof(big)));
	assert_false(labels_push(&l, big, sizeof(big)));
	/* On top of one that is left out, none is told of. */
	assert_false(labels_push(&l, "\"a\"", 3));
	labels_object(&l, &len);
	assert_int_equal(len, 13 + 2 * sizeof(big));
	labels_free(&l);
}

static void
strings_are_json(void **state)
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

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		struct text t = {0};

		metadata_string(&t, cases[i].s, cases[i].len);
		assert_string_equal(text_str(&t), cases[i].json);
		text_free(&t);
	}
}

static void
the_device_introduces_itself(void **state)
{
	struct layer_lab lab;
	struct text t = {0};

	(void)state;
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

/* Completion in another order, and never for what is banned. */
static void
what_was_indirect_is_told_when_it_has_run(void **state)
{
	struct layer_lab lab;
	struct command_buffer cb;
	struct submission *done[3];

	(void)state;
	layer_lab_init(&lab);
	layer_lab_record(
	    &lab, &cb, "#@ dispatch 4x1x1 indirect", RECORD_NOTHING);
	for (unsigned i = 0; i < 3; i++)
		play_submit(&lab.queue[0], &cb.recording, 1, 0, &done[i]);
	/* What it resolves is kept, whatever becomes of the command buffer. */
	command_buffer_free(&cb);
	play_completed(done[2]);
	play_dropped(done[0]);
	play_completed(done[1]);
	layer_lab_merge(&lab);
	assert_string_equal(text_str(&lab.merged),
	    "s3 t1 {\"indirect\":true,\"label\":[],\"tid\":1,"
	    "\"type\":\"dispatch\",\"xGroups\":4,\"yGroups\":1,"
	    "\"zGroups\":1}\n"
	    "s2 t1 {\"indirect\":true,\"label\":[],\"tid\":1,"
	    "\"type\":\"dispatch\",\"xGroups\":4,\"yGroups\":1,"
	    "\"zGroups\":1}\n"
	    "! s1 t1 {\"indirect\":true,\"label\":[],\"tid\":1,"
	    "\"type\":\"dispatch\",\"xGroups\":-1,\"yGroups\":-1,"
	    "\"zGroups\":-1}\n");
	layer_lab_free(&lab);
}

/* A queue that goes while a pass is suspended says what there was. */
static void
a_queue_that_goes_ends_its_pass(void **state)
{
	struct layer_lab lab;
	struct command_buffer cb;

	(void)state;
	layer_lab_init(&lab);
	layer_lab_record(
	    &lab, &cb, "#@ renderpass 2x1 draws=4 suspend", RECORD_NOTHING);
	layer_lab_submit(&lab, 0, &cb);
	command_buffer_free(&cb);
	queue_free(&lab.queue[0]);
	layer_lab_merge(&lab);
	assert_string_equal(text_str(&lab.merged),
	    "s1 t1 {\"attachments\":[],\"drawCallCount\":4,\"height\":1,"
	    "\"label\":[],\"parts\":1,\"split\":true,\"tid\":1,"
	    "\"type\":\"renderpass\",\"unfinished\":true,\"width\":2}\n");
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

static void
the_merger_is_bounded(void **state)
{
	static const char json[] = "{\"indirect\":true}";
	struct merges merges = {0};
	struct merger *m = merge_new(count_merged, &merges, 10);

	(void)state;
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

static void
the_merger_refuses_what_does_not_fit(void **state)
{
	struct merges merges = {0};
	struct merger *m = merge_new(count_merged, &merges, 0);
	struct message orphan = {MESSAGE_ANNEX, 1, 2, "{}", 2};
	struct message list = {MESSAGE_WORKLOAD, 0, 3, "[]", 2};
	struct message broken = {MESSAGE_WORKLOAD, 0, 4, "{\"a\":", 5};

	(void)state;
	assert_string_equal(merge_message(m, &orphan),
	    "annex t2: its workload was not told of");
	assert_string_equal(
	    merge_message(m, &list), "workload t3: its JSON is no object");
	assert_non_null(merge_message(m, &broken));
	merge_finish(m);
	assert_int_equal(merges.n, 0);
	merge_free(m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(bytes_are_those_of_the_table),
	    cmocka_unit_test(bytes_are_read_back),
	    cmocka_unit_test(truncated_messages_want_more),
	    cmocka_unit_test(lying_lengths_and_types_are_errors),
	    cmocka_unit_test(a_buffer_that_drains_does_not_grow),
	    cmocka_unit_test(commands_have_their_names),
	    cmocka_unit_test(a_stream_has_room_for_256),
	    cmocka_unit_test(annotations_become_commands),
	    cmocka_unit_test(submit_ids_are_for_those_who_need_them),
	    cmocka_unit_test(batches_without_workloads_have_the_default),
	    cmocka_unit_test(the_default_stands_under_the_last_label),
	    cmocka_unit_test(nonsense_has_a_meaning_and_is_told),
	    cmocka_unit_test(calls_in_a_wrong_order_do_nothing_bad),
	    cmocka_unit_test(labels_are_bounded_and_pair),
	    cmocka_unit_test(labels_are_bounded_in_bytes),
	    cmocka_unit_test(strings_are_json),
	    cmocka_unit_test(the_device_introduces_itself),
	    cmocka_unit_test(what_was_indirect_is_told_when_it_has_run),
	    cmocka_unit_test(a_queue_that_goes_ends_its_pass),
	    cmocka_unit_test(the_merger_is_bounded),
	    cmocka_unit_test(the_merger_refuses_what_does_not_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
