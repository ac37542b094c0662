/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The layer stream: what a queue sends in the 22 cases of the upstream layer's
 * own unit tests. Where upstream aborts, or its host rejects what it sends,
 * doc/layer.md says what should come. Render passes in parts are in
 * test_layerstream_passes.c.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "tests/runner/test.h"
#include "tests/support/layer_bench.h"
#include "tests/support/layer_lab.h"

static const struct workload_info fill = {.type = WORKLOAD_BUFFER_TRANSFER,
    .transfer = TRANSFER_FILL_BUFFER,
    .amount = WORKLOAD_WHOLE};

TEST(s01_label_stack_across_cbs)
{
	struct layer_bench b;

	layer_bench_init(&b);
	command_buffer_begin(&b.cb[0], 0);
	layer_bench_push(&b.cb[0], "Frame 1");
	record_workload(&b.cb[0], &layer_bench_groups);
	layer_bench_push(&b.cb[0], "Shadow");
	command_buffer_end(&b.cb[0]);
	command_buffer_begin(&b.cb[1], 0);
	layer_bench_pass(&b.cb[1], 3);
	record_label_pop(&b.cb[1]);
	record_workload(&b.cb[1], &fill);
	record_label_pop(&b.cb[1]);
	command_buffer_end(&b.cb[1]);
	layer_bench_submit(&b, 0);
	layer_bench_submit(&b, 1);
	layer_bench_expect(&b,
	    "submit    {\"device\":4096,\"queue\":16,\"timestamp\":100,\"type\":\"submit\"}\n"
	    "workload  t1 {\"tid\":1,\"type\":\"dispatch\",\"xGroups\":8,\"yGroups\":4,\"zGroups\":1}\n"
	    "annex     s1 t1 {\"label\":[\"Frame 1\"]}\n"
	    "submit    {\"device\":4096,\"queue\":16,\"timestamp\":200,\"type\":\"submit\"}\n"
	    "workload  t2 {\"attachments\":[],\"drawCallCount\":3,\"height\":1080,\"tid\":2,\"type\":\"renderpass\",\"width\":1920}\n"
	    "annex     s2 t2 {\"label\":[\"Frame 1\",\"Shadow\"]}\n"
	    "workload  t3 {\"byteCount\":-2,\"subtype\":\"Fill buffer\",\"tid\":3,\"type\":\"buffertransfer\"}\n"
	    "annex     s2 t3 {\"label\":[\"Frame 1\"]}\n");
	layer_bench_done(&b, "");
}

TEST(s02_label_stack_per_queue)
{
	struct layer_bench b;

	layer_bench_init(&b);
	layer_bench_begin(&b.cb[0]);
	layer_bench_push(&b.cb[0], "A");
	record_workload(&b.cb[0], &layer_bench_groups);
	command_buffer_end(&b.cb[0]);
	layer_bench_begin(&b.cb[1]);
	record_workload(&b.cb[1], &layer_bench_groups);
	command_buffer_end(&b.cb[1]);
	layer_lab_submit(&b.lab, 0, &b.cb[0]);
	layer_lab_submit(&b.lab, 1, &b.cb[1]);
	layer_bench_expect(&b,
	    "submit    {\"device\":4096,\"queue\":16,\"timestamp\":100,\"type\":\"submit\"}\n"
	    "workload  t1 {\"tid\":1,\"type\":\"dispatch\",\"xGroups\":8,\"yGroups\":4,\"zGroups\":1}\n"
	    "tag-annex t1 {\"label\":[\"A\"]}\n"
	    "submit    {\"device\":4096,\"queue\":17,\"timestamp\":200,\"type\":\"submit\"}\n"
	    "workload  t2 {\"tid\":2,\"type\":\"dispatch\",\"xGroups\":8,\"yGroups\":4,\"zGroups\":1}\n");
	layer_bench_done(&b, "");
}

TEST(s03_pop_empty)
{
	struct layer_bench b;

	layer_bench_init(&b);
	command_buffer_begin(&b.cb[0], 0);
	record_label_pop(&b.cb[0]);
	record_label_pop(&b.cb[0]);
	layer_bench_push(&b.cb[0], "A");
	record_workload(&b.cb[0], &layer_bench_groups);
	command_buffer_end(&b.cb[0]);
	layer_bench_submit(&b, 0);
	layer_bench_expect(&b,
	    "submit    {\"device\":4096,\"queue\":16,\"timestamp\":100,\"type\":\"submit\"}\n"
	    "workload  t1 {\"tid\":1,\"type\":\"dispatch\",\"xGroups\":8,\"yGroups\":4,\"zGroups\":1}\n"
	    "annex     s1 t1 {\"label\":[\"A\"]}\n");
	layer_bench_done(&b, "queue 16: label pop without a label: ignored\n");
}

TEST(s04_label_snapshot_at_rp_begin)
{
	struct layer_bench b;

	layer_bench_init(&b);
	command_buffer_begin(&b.cb[0], 0);
	layer_bench_push(&b.cb[0], "A");
	record_renderpass_begin(&b.cb[0], &layer_bench_1080p);
	layer_bench_push(&b.cb[0], "within");
	record_draw(&b.cb[0], 1);
	record_renderpass_end(&b.cb[0], false);
	command_buffer_end(&b.cb[0]);
	layer_bench_submit(&b, 0);
	layer_bench_expect(&b,
	    "submit    {\"device\":4096,\"queue\":16,\"timestamp\":100,\"type\":\"submit\"}\n"
	    "workload  t1 {\"attachments\":[],\"drawCallCount\":1,\"height\":1080,\"tid\":1,\"type\":\"renderpass\",\"width\":1920}\n"
	    "annex     s1 t1 {\"label\":[\"A\"]}\n");
	layer_bench_done(&b, "");
}

TEST(s08_resubmit_same_cb)
{
	struct layer_bench b;

	layer_bench_init(&b);
	command_buffer_begin(&b.cb[0], 0);
	layer_bench_push(&b.cb[0], "A");
	layer_bench_pass(&b.cb[0], 3);
	command_buffer_end(&b.cb[0]);
	layer_bench_submit(&b, 0);
	layer_bench_submit(&b, 0);
	layer_bench_expect_merged(&b,
	    "s1 t1 {\"attachments\":[],\"drawCallCount\":3,\"height\":1080,\"label\":[\"A\"],\"tid\":1,\"type\":\"renderpass\",\"width\":1920}\n"
	    "s2 t1 {\"attachments\":[],\"drawCallCount\":3,\"height\":1080,\"label\":[\"A\",\"A\"],\"tid\":1,\"type\":\"renderpass\",\"width\":1920}\n");
	layer_bench_expect(&b,
	    "submit    {\"device\":4096,\"queue\":16,\"timestamp\":100,\"type\":\"submit\"}\n"
	    "workload  t1 {\"attachments\":[],\"drawCallCount\":3,\"height\":1080,\"tid\":1,\"type\":\"renderpass\",\"width\":1920}\n"
	    "annex     s1 t1 {\"label\":[\"A\"]}\n"
	    "submit    {\"device\":4096,\"queue\":16,\"timestamp\":200,\"type\":\"submit\"}\n"
	    "workload  t1 {\"attachments\":[],\"drawCallCount\":3,\"height\":1080,\"tid\":1,\"type\":\"renderpass\",\"width\":1920}\n"
	    "annex     s2 t1 {\"label\":[\"A\",\"A\"]}\n");
	layer_bench_done(&b, "");
}

TEST(s09_secondary_inline)
{
	struct layer_bench b;

	layer_bench_init(&b);
	command_buffer_begin(&b.cb[1], 0);
	layer_bench_push(&b.cb[1], "secondary");
	record_workload(&b.cb[1], &layer_bench_groups);
	record_draw(&b.cb[1], 5);
	record_label_pop(&b.cb[1]);
	command_buffer_end(&b.cb[1]);
	layer_bench_begin(&b.cb[0]);
	record_workload(&b.cb[0], &layer_bench_groups);
	record_execute(&b.cb[0], &b.cb[1]);
	layer_bench_pass(&b.cb[0], 1);
	command_buffer_end(&b.cb[0]);
	assert_false(b.cb[0].recording->needs_submit_id);
	layer_bench_submit(&b, 0);
	layer_bench_expect(&b,
	    "submit    {\"device\":4096,\"queue\":16,\"timestamp\":100,\"type\":\"submit\"}\n"
	    "workload  t2 {\"tid\":2,\"type\":\"dispatch\",\"xGroups\":8,\"yGroups\":4,\"zGroups\":1}\n"
	    "workload  t1 {\"tid\":1,\"type\":\"dispatch\",\"xGroups\":8,\"yGroups\":4,\"zGroups\":1}\n"
	    "tag-annex t1 {\"label\":[\"secondary\"]}\n"
	    "workload  t3 {\"attachments\":[],\"drawCallCount\":1,\"height\":1080,\"tid\":3,\"type\":\"renderpass\",\"width\":1920}\n");
	layer_bench_done(&b, "");
}

/* Draws of a secondary count into the pass that is open. */
TEST(s09_secondary_within_a_pass)
{
	struct layer_bench b;

	layer_bench_init(&b);
	command_buffer_begin(&b.cb[1], 0);
	record_draw(&b.cb[1], 5);
	command_buffer_end(&b.cb[1]);
	layer_bench_begin(&b.cb[0]);
	record_renderpass_begin(&b.cb[0], &layer_bench_1080p);
	record_draw(&b.cb[0], 1);
	record_execute(&b.cb[0], &b.cb[1]);
	record_renderpass_end(&b.cb[0], false);
	command_buffer_end(&b.cb[0]);
	layer_bench_submit(&b, 0);
	layer_bench_expect(&b,
	    "submit    {\"device\":4096,\"queue\":16,\"timestamp\":100,\"type\":\"submit\"}\n"
	    "workload  t1 {\"attachments\":[],\"drawCallCount\":6,\"height\":1080,\"tid\":1,\"type\":\"renderpass\",\"width\":1920}\n");
	layer_bench_done(&b, "");
}

TEST(s10_secondary_executed_twice)
{
	struct layer_bench b;

	layer_bench_init(&b);
	command_buffer_begin(&b.cb[1], 0);
	record_workload(&b.cb[1], &layer_bench_groups);
	command_buffer_end(&b.cb[1]);
	command_buffer_begin(&b.cb[0], 0);
	layer_bench_push(&b.cb[0], "A");
	record_execute(&b.cb[0], &b.cb[1]);
	layer_bench_push(&b.cb[0], "B");
	record_execute(&b.cb[0], &b.cb[1]);
	command_buffer_end(&b.cb[0]);
	layer_bench_submit(&b, 0);
	layer_bench_expect_merged(&b,
	    "s1 t1 {\"label\":[\"A\"],\"tid\":1,\"type\":\"dispatch\",\"xGroups\":8,\"yGroups\":4,\"zGroups\":1}\n"
	    "s1 t1 {\"label\":[\"A\",\"B\"],\"tid\":1,\"type\":\"dispatch\",\"xGroups\":8,\"yGroups\":4,\"zGroups\":1}\n");
	layer_bench_done(&b, "");
}

TEST(s11_secondary_rerecorded_after_execute)
{
	struct layer_bench b;

	layer_bench_init(&b);
	command_buffer_begin(&b.cb[1], 0);
	record_workload(&b.cb[1], &layer_bench_groups);
	command_buffer_end(&b.cb[1]);
	layer_bench_begin(&b.cb[0]);
	record_execute(&b.cb[0], &b.cb[1]);
	command_buffer_end(&b.cb[0]);
	command_buffer_begin(&b.cb[1], 0);
	record_workload(&b.cb[1], &fill);
	command_buffer_end(&b.cb[1]);
	layer_bench_submit(&b, 0);
	layer_bench_expect(&b,
	    "submit    {\"device\":4096,\"queue\":16,\"timestamp\":100,\"type\":\"submit\"}\n"
	    "workload  t1 {\"tid\":1,\"type\":\"dispatch\",\"xGroups\":8,\"yGroups\":4,\"zGroups\":1}\n");
	layer_bench_done(&b, "");
}

TEST(s13_empty_submit_and_frame)
{
	struct layer_bench b;

	layer_bench_init(&b);
	play_submit(&b.lab.queue[0], NULL, 0, 100, NULL);
	play_frame(&b.lab.player, 4096, 1, 200);
	play_submit(&b.lab.queue[0], NULL, 0, 300, NULL);
	play_frame(&b.lab.player, 4096, 2, 400);
	layer_bench_expect(&b,
	    "submit    {\"device\":4096,\"queue\":16,\"timestamp\":100,\"type\":\"submit\"}\n"
	    "frame     {\"device\":4096,\"fid\":1,\"timestamp\":200,\"type\":\"frame\"}\n"
	    "submit    {\"device\":4096,\"queue\":16,\"timestamp\":300,\"type\":\"submit\"}\n"
	    "frame     {\"device\":4096,\"fid\":2,\"timestamp\":400,\"type\":\"frame\"}\n");
	layer_bench_done(&b, "");
}

TEST(s19_attachments)
{
	struct workload_info info = layer_bench_1080p;
	struct layer_bench b;

	layer_bench_init(&b);
	info.subpasses = 2;
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
	layer_bench_begin(&b.cb[0]);
	record_renderpass_begin(&b.cb[0], &info);
	record_renderpass_end(&b.cb[0], false);
	command_buffer_end(&b.cb[0]);
	layer_bench_submit(&b, 0);
	layer_bench_expect(&b,
	    "submit    {\"device\":4096,\"queue\":16,\"timestamp\":100,\"type\":\"submit\"}\n"
	    "workload  t1 {\"attachments\":[{\"binding\":\"C0\"},{\"binding\":\"C1\",\"load\":true},{\"binding\":\"C1\",\"resolve\":true},{\"binding\":\"D\",\"load\":true,\"store\":false},{\"binding\":\"S\",\"load\":true}],\"drawCallCount\":0,\"height\":1080,\"subpassCount\":2,\"tid\":1,\"type\":\"renderpass\",\"width\":1920}\n");
	layer_bench_done(&b, "");
}

/* The layer's kinds; acceleration structures are not among them. */
TEST(s20_all_types)
{
	struct layer_bench b;

	layer_bench_init(&b);
	layer_lab_record(&b.lab, &b.cb[0],
	    "#@ once\n"
	    "#@ renderpass 1920x1080 draws=42 "
	    "attach=C0:clear:store,D:clear:discard\n"
	    "#@ dispatch 64x64x1\n"
	    "#@ dispatch 64x64x1 local=8x8x1\n"
	    "#@ tracerays 1920x1080x1\n"
	    "#@ copybuffer 65536\n"
	    "#@ fillbuffer whole\n"
	    "#@ fillbuffer 16\n"
	    "#@ copyimage 4096\n"
	    "#@ clearimage 4096\n",
	    RECORD_RENDERPASS);
	layer_bench_submit(&b, 0);
	layer_bench_expect(&b,
	    "submit    {\"device\":4096,\"queue\":16,\"timestamp\":100,\"type\":\"submit\"}\n"
	    "workload  t1 {\"attachments\":[{\"binding\":\"C0\"},{\"binding\":\"D\",\"store\":false}],\"drawCallCount\":42,\"height\":1080,\"tid\":1,\"type\":\"renderpass\",\"width\":1920}\n"
	    "workload  t2 {\"tid\":2,\"type\":\"dispatch\",\"xGroups\":64,\"yGroups\":64,\"zGroups\":1}\n"
	    "workload  t3 {\"tid\":3,\"type\":\"dispatch\",\"xGroups\":64,\"xItems\":512,\"yGroups\":64,\"yItems\":512,\"zGroups\":1,\"zItems\":1}\n"
	    "workload  t4 {\"tid\":4,\"type\":\"tracerays\",\"xItems\":1920,\"yItems\":1080,\"zItems\":1}\n"
	    "workload  t5 {\"byteCount\":65536,\"subtype\":\"Copy buffer\",\"tid\":5,\"type\":\"buffertransfer\"}\n"
	    "workload  t6 {\"byteCount\":-2,\"subtype\":\"Fill buffer\",\"tid\":6,\"type\":\"buffertransfer\"}\n"
	    "workload  t7 {\"byteCount\":16,\"subtype\":\"Fill buffer\",\"tid\":7,\"type\":\"buffertransfer\"}\n"
	    "workload  t8 {\"pixelCount\":4096,\"subtype\":\"Copy image\",\"tid\":8,\"type\":\"imagetransfer\"}\n"
	    "workload  t9 {\"pixelCount\":4096,\"subtype\":\"Clear image\",\"tid\":9,\"type\":\"imagetransfer\"}\n");
	layer_bench_done(&b, "");
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

/* Types and subtypes that the protocol of 2026 has, by Arm's names. */
TEST(s23_types_of_2026)
{
	struct layer_bench b;

	layer_bench_init(&b);
	layer_lab_record(&b.lab, &b.cb[0],
	    "#@ once\n"
	    "#@ asbuild 5000\n"
	    "#@ asbuild 7 fasttrace weight=2\n"
	    "#@ ascopy 64\n"
	    "#@ micromaptomemory 65\n"
	    "#@ datagraph\n"
	    "#@ copytensor 66\n"
	    "#@ memorytoimage 67\n"
	    "#@ blitimage 68\n",
	    RECORD_NOTHING);
	layer_bench_submit(&b, 0);
	layer_bench_expect_merged(&b,
	    "t1 {\"primitiveCount\":5000,\"subtype\":\"Fast build\",\"tid\":1,\"type\":\"asbuild\"}\n"
	    "t2 {\"primitiveCount\":7,\"subtype\":\"Fast trace\",\"tid\":2,\"type\":\"asbuild\"}\n"
	    "t3 {\"byteCount\":64,\"subtype\":\"Copy acceleration structure\",\"tid\":3,\"type\":\"astransfer\"}\n"
	    "t4 {\"byteCount\":65,\"subtype\":\"Copy micromap to memory\",\"tid\":4,\"type\":\"astransfer\"}\n"
	    "t5 {\"tid\":5,\"type\":\"datagraph\"}\n"
	    "t6 {\"byteCount\":66,\"subtype\":\"Copy tensor\",\"tid\":6,\"type\":\"buffertransfer\"}\n"
	    "t7 {\"pixelCount\":67,\"subtype\":\"Copy memory to image\",\"tid\":7,\"type\":\"imagetransfer\"}\n"
	    "t8 {\"pixelCount\":68,\"subtype\":\"Blit image\",\"tid\":8,\"type\":\"imagetransfer\"}\n");
	layer_bench_done(&b, "");
}

/* Merged records: the samples of upstream's JSON documentation, completed. */
TEST(s22_all_types_json_era)
{
	struct layer_bench b;

	layer_bench_init(&b);
	layer_lab_record(&b.lab, &b.cb[0],
	    "#@ once\n"
	    "#@ label push \"Frame 1\"\n"
	    "#@ label push \"Shadow\"\n"
	    "#@ renderpass 1920x1080 draws=3 "
	    "attach=C0,C1:load,C1:resolve,D:clear:discard\n"
	    "#@ label pop\n"
	    "#@ dispatch 8x4x1\n"
	    "#@ label pop\n"
	    "#@ tracerays 64x64x1\n"
	    "#@ copyimage 4096\n"
	    "#@ clearimage 1\n"
	    "#@ fillbuffer whole\n"
	    "#@ copybuffer 7\n",
	    RECORD_NOTHING);
	layer_bench_submit(&b, 0);
	layer_bench_expect_merged(&b,
	    "t1 {\"attachments\":[{\"binding\":\"C0\"},{\"binding\":\"C1\",\"load\":true},{\"binding\":\"C1\",\"resolve\":true},{\"binding\":\"D\",\"store\":false}],\"drawCallCount\":3,\"height\":1080,\"label\":[\"Frame 1\",\"Shadow\"],\"tid\":1,\"type\":\"renderpass\",\"width\":1920}\n"
	    "t2 {\"label\":[\"Frame 1\"],\"tid\":2,\"type\":\"dispatch\",\"xGroups\":8,\"yGroups\":4,\"zGroups\":1}\n"
	    "t3 {\"tid\":3,\"type\":\"tracerays\",\"xItems\":64,\"yItems\":64,\"zItems\":1}\n"
	    "t4 {\"pixelCount\":4096,\"subtype\":\"Copy image\",\"tid\":4,\"type\":\"imagetransfer\"}\n"
	    "t5 {\"pixelCount\":1,\"subtype\":\"Clear image\",\"tid\":5,\"type\":\"imagetransfer\"}\n"
	    "t6 {\"byteCount\":-2,\"subtype\":\"Fill buffer\",\"tid\":6,\"type\":\"buffertransfer\"}\n"
	    "t7 {\"byteCount\":7,\"subtype\":\"Copy buffer\",\"tid\":7,\"type\":\"buffertransfer\"}\n");
	layer_bench_done(&b, "");
}

TEST(s22_indirect_and_unknown)
{
	struct layer_bench b;

	layer_bench_init(&b);
	layer_lab_record(&b.lab, &b.cb[0],
	    "#@ once\n"
	    "#@ dispatch 64x32x1 local=8x4x2 indirect\n"
	    "#@ dispatch 64x32x1 indirect\n"
	    "#@ tracerays 4x5x6 indirect\n",
	    RECORD_NOTHING);
	layer_bench_submit(&b, 0);
	layer_bench_expect_merged(&b,
	    "s1 t1 {\"indirect\":true,\"label\":[],\"tid\":1,\"type\":\"dispatch\",\"xGroups\":64,\"xItems\":512,\"yGroups\":32,\"yItems\":128,\"zGroups\":1,\"zItems\":2}\n"
	    "s1 t2 {\"indirect\":true,\"label\":[],\"tid\":2,\"type\":\"dispatch\",\"xGroups\":64,\"yGroups\":32,\"zGroups\":1}\n"
	    "s1 t3 {\"indirect\":true,\"label\":[],\"tid\":3,\"type\":\"tracerays\",\"xItems\":4,\"yItems\":5,\"zItems\":6}\n");
	layer_bench_expect(&b,
	    "submit    {\"device\":4096,\"queue\":16,\"timestamp\":100,\"type\":\"submit\"}\n"
	    "workload  t1 {\"indirect\":true,\"tid\":1,\"type\":\"dispatch\",\"xGroups\":-1,\"yGroups\":-1,\"zGroups\":-1}\n"
	    "annex     s1 t1 {\"label\":[]}\n"
	    "workload  t2 {\"indirect\":true,\"tid\":2,\"type\":\"dispatch\",\"xGroups\":-1,\"yGroups\":-1,\"zGroups\":-1}\n"
	    "annex     s1 t2 {\"label\":[]}\n"
	    "workload  t3 {\"indirect\":true,\"tid\":3,\"type\":\"tracerays\",\"xItems\":-1,\"yItems\":-1,\"zItems\":-1}\n"
	    "annex     s1 t3 {\"label\":[]}\n"
	    "resolved  s1 t1 {\"xGroups\":64,\"xItems\":512,\"yGroups\":32,\"yItems\":128,\"zGroups\":1,\"zItems\":2}\n"
	    "resolved  s1 t2 {\"xGroups\":64,\"yGroups\":32,\"zGroups\":1}\n"
	    "resolved  s1 t3 {\"xItems\":4,\"yItems\":5,\"zItems\":6}\n");
	layer_bench_done(&b, "");
}
