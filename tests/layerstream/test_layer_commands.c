/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recording annotations: their commands, the defaults of batches without any,
 * labels, calls in a wrong order; and which recordings need a submitID. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "tests/runner/test.h"
#include "tests/support/layer_lab.h"

#define LENGTH(a) (sizeof(a) / sizeof((a)[0]))

TEST(commands_have_their_names)
{
	static const char *const names[N_OPCODES] = {"MARKER_BEGIN",
	    "MARKER_END", "RENDERPASS_BEGIN", "RENDERPASS_RESUME",
	    "COMPUTE_DISPATCH_BEGIN", "TRACE_RAYS_BEGIN",
	    "BUFFER_TRANSFER_BEGIN", "IMAGE_TRANSFER_BEGIN", "WORKLOAD_END",
	    "RESOLVE_INDIRECT"};

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

TEST(a_stream_has_room_for_256)
{
	struct stream s = {0}, other = {0};

	assert_int_equal(sizeof(struct stream_command), 16);
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

TEST(annotations_become_commands)
{
	struct layer_lab lab;
	struct command_buffer cb;

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

/* Which command buffers need a submitID (doc/layer.md "Tags and labels"). */
TEST(submit_ids_are_for_those_who_need_them)
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

TEST(batches_without_workloads_have_the_default)
{
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

TEST(the_default_stands_under_the_last_label)
{
	static const char a[] = PASS "tag-annex t1 {\"label\":[\"A\"]}\n";

	record_and_dump(
	    "#@ once\n#@ label push \"A\"", RECORD_RENDERPASS, a, "");
	record_and_dump("#@ once\n#@ label push \"A\"\n#@ label pop",
	    RECORD_RENDERPASS, a, "");
	record_and_dump(
	    "#@ label push \"B\"\n#@ label pop\n#@ label push \"A\"\n"
	    "#@ weight=2\n#@ once\n#@ label pop",
	    RECORD_RENDERPASS, a, "");
	/* The default is executed once, however often a secondary is. */
	record_and_dump(
	    "#@ once\n#@ secondary begin times=3\n#@ label push \"B\"\n"
	    "#@ label pop\n#@ secondary end",
	    RECORD_RENDERPASS, PASS, "");
	record_and_dump(
	    "#@ once\n#@ label push \"A\"\n#@ secondary begin times=3\n"
	    "#@ label push \"B\"\n#@ label pop\n#@ secondary end\n"
	    "#@ label pop",
	    RECORD_RENDERPASS, a, "");
}

/* VK_EXT_nested_command_buffer: an inner command buffer is executed as often as the
 * command buffer around it. */
TEST(secondaries_within_others)
{
	record_and_dump(
	    "#@ once\n#@ secondary begin times=2\n#@ label push \"\"\n"
	    "#@ secondary begin times=2\n#@ fillbuffer 0\n#@ secondary end\n"
	    "#@ label pop\n#@ dispatch 0x4x1\n#@ secondary end",
	    RECORD_NOTHING,
	    "workload  t1 {\"byteCount\":0,\"subtype\":\"Fill buffer\",\"tid\":1,"
	    "\"type\":\"buffertransfer\"}\n"
	    "tag-annex t1 {\"label\":[\"\"]}\n"
	    "workload  t1 {\"byteCount\":0,\"subtype\":\"Fill buffer\",\"tid\":1,"
	    "\"type\":\"buffertransfer\"}\n"
	    "tag-annex t1 {\"label\":[\"\"]}\n"
	    "workload  t2 {\"tid\":2,\"type\":\"dispatch\",\"xGroups\":0,"
	    "\"yGroups\":4,\"zGroups\":1}\n"
	    "workload  t1 {\"byteCount\":0,\"subtype\":\"Fill buffer\",\"tid\":1,"
	    "\"type\":\"buffertransfer\"}\n"
	    "tag-annex t1 {\"label\":[\"\"]}\n"
	    "workload  t1 {\"byteCount\":0,\"subtype\":\"Fill buffer\",\"tid\":1,"
	    "\"type\":\"buffertransfer\"}\n"
	    "tag-annex t1 {\"label\":[\"\"]}\n"
	    "workload  t2 {\"tid\":2,\"type\":\"dispatch\",\"xGroups\":0,"
	    "\"yGroups\":4,\"zGroups\":1}\n",
	    "");
}

TEST(nonsense_has_a_meaning_and_is_told)
{
	record_and_dump("#@ secondary end\n#@ once", RECORD_NOTHING, "",
	    "the end of a secondary command buffer that was not begun: "
	    "ignored\n");
	record_and_dump("#@ secondary begin\n#@ once", RECORD_NOTHING, "",
	    "a secondary command buffer is not ended: it ends with its batch (add "
	    "#@ secondary end)\n");
	record_and_dump(
	    "#@ secondary begin times=64\n#@ secondary begin times=2\n"
	    "#@ secondary end\n#@ secondary end",
	    RECORD_NOTHING, "",
	    "a secondary begins within too many others: ignored (at most 8, "
	    "which are executed 64 times in all)\n");
	record_and_dump("#@ weight=3", RECORD_NOTHING, "",
	    "no workload follows weight=3: ignored\n");
}

TEST(calls_in_a_wrong_order_do_nothing_bad)
{
	static const struct workload_info pass = {
	    .type = WORKLOAD_RENDERPASS, .subpasses = 1};
	static const struct workload_info fill = {
	    .type = WORKLOAD_BUFFER_TRANSFER, .transfer = TRANSFER_FILL_BUFFER};
	struct command_buffer cb, other;
	struct layer_lab lab;

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

TEST(labels_are_bounded_and_pair)
{
	struct labels l = {0};
	struct text all = {0};
	const char *at;
	uint32_t len;
	unsigned n = 0;

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

TEST(labels_are_bounded_in_bytes)
{
	static char big[LABELS_BYTES / 3];
	struct labels l = {0};
	uint32_t len;

	memset(big, 'x', sizeof(big));
	big[0] = big[sizeof(big) - 1] = '"';
	assert_true(labels_push(&l, big, sizeof(big)));
	assert_true(labels_push(&l, big, sizeof(big)));
	assert_false(labels_push(&l, big, sizeof(big)));
	/* A label above one that is left out is left out too. */
	assert_false(labels_push(&l, "\"a\"", 3));
	labels_object(&l, &len);
	assert_int_equal(len, 13 + 2 * sizeof(big));
	labels_free(&l);
}

/* Batches complete in another order, and never in a banned context. */
TEST(what_was_indirect_is_told_when_it_has_run)
{
	struct layer_lab lab;
	struct command_buffer cb;
	struct played_submission *done[3];

	layer_lab_init(&lab);
	layer_lab_record(
	    &lab, &cb, "#@ dispatch 4x1x1 indirect", RECORD_NOTHING);
	for (unsigned i = 0; i < 3; i++)
		play_submit(&lab.queue[0], &cb.recording, 1, 0, &done[i]);
	/* A submission resolves although its command buffer was reset. */
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

/* A queue that is freed while a pass is suspended sends the sum so far. */
TEST(a_queue_that_goes_ends_its_pass)
{
	struct layer_lab lab;
	struct command_buffer cb;

	layer_lab_init(&lab);
	layer_lab_record(
	    &lab, &cb, "#@ renderpass 2x1 draws=4 suspend", RECORD_NOTHING);
	layer_lab_submit(&lab, 0, &cb);
	command_buffer_free(&cb);
	play_queue_free(&lab.queue[0]);
	layer_lab_merge(&lab);
	assert_string_equal(text_str(&lab.merged),
	    "s1 t1 {\"attachments\":[],\"drawCallCount\":4,\"height\":1,"
	    "\"label\":[],\"parts\":1,\"split\":true,\"tid\":1,"
	    "\"type\":\"renderpass\",\"unfinished\":true,\"width\":2}\n");
	layer_lab_free(&lab);
}

TEST(s19_attachments)
{
	struct workload_info info = {
	    .type = WORKLOAD_RENDERPASS, .size = {1920, 1080}, .subpasses = 2};
	struct layer_lab lab;
	struct command_buffer cb;
	struct text t = {0};

	layer_lab_init(&lab);
	command_buffer_init(&cb, &lab.tags, &lab.report);
	info.n_attachments = 5;
	memcpy(info.attachments,
	    (struct attachment[]){
		{.binding = ATTACHMENT_STENCIL},
		{.binding = ATTACHMENT_DEPTH, .store = STORE_DISCARD},
		{.binding = 1, .resolve = true},
		{.binding = 1, .load = LOAD_LOAD},
		{.binding = 0, .load = LOAD_CLEAR},
	    },
	    5 * sizeof(struct attachment));
	command_buffer_begin(&cb, RECORD_ONE_TIME_SUBMIT);
	record_renderpass_begin(&cb, &info);
	record_renderpass_end(&cb, false);
	command_buffer_end(&cb);
	layer_lab_submit(&lab, 0, &cb);
	layer_lab_dump(&lab, &t);
	assert_string_equal(text_str(&t),
	    "submit    {\"device\":4096,\"queue\":16,\"timestamp\":100,\"type\":\"submit\"}\n"
	    "workload  t1 {\"attachments\":[{\"binding\":\"C0\"},{\"binding\":\"C1\",\"load\":true},{\"binding\":\"C1\",\"resolve\":true},{\"binding\":\"D\",\"load\":true,\"store\":false},{\"binding\":\"S\",\"load\":true}],\"drawCallCount\":0,\"height\":1080,\"subpassCount\":2,\"tid\":1,\"type\":\"renderpass\",\"width\":1920}\n");
	text_free(&t);
	command_buffer_free(&cb);
	layer_lab_free(&lab);
}

/* Data graphs have no operand, as other words for them have not. */
TEST(s21_datagraph)
{
	static const char *const lines[] = {"#@ datagraph 1",
	    "#@ dispatch_data_graph", "#@ asbuild", "#@ ascopy 1 fasttrace"};

	for (size_t i = 0; i < 4; i++) {
		struct diag_list diags = {0};
		struct arena arena = {0};
		struct annotation a;

		assert_false(annotation_parse(
		    &arena, lines[i], strlen(lines[i]), 1, &a, &diags));
		arena_free(&arena);
		assert_int_equal(diags.n, 1);
		diag_list_free(&diags);
	}
}
