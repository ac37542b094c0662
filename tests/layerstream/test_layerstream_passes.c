/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Render passes in parts, or without an end: the cases of test_layerstream.c
 * that have them. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "tests/runner/test.h"
#include "tests/support/layer_bench.h"

static void
record_split(struct command_buffer *cb, unsigned flags)
{
	command_buffer_begin(cb, flags);
	layer_bench_part(cb, false, true, 3);
	layer_bench_part(cb, true, true, 2);
	layer_bench_part(cb, true, false, 4);
	command_buffer_end(cb);
}

TEST(s05_split_rp_one_cb_ots)
{
	struct layer_bench b;

	layer_bench_init(&b);
	record_split(&b.cb[0], RECORD_ONE_TIME_SUBMIT);
	layer_bench_submit(&b, 0);
	layer_bench_expect(&b,
	    "submit    {\"device\":4096,\"queue\":16,\"timestamp\":100,\"type\":\"submit\"}\n"
	    "workload  t1 {\"attachments\":[],\"drawCallCount\":9,\"height\":1080,\"tid\":1,\"type\":\"renderpass\",\"width\":1920}\n");
	layer_bench_done(&b, "");
}

TEST(s06_split_rp_one_cb_reusable)
{
	struct layer_bench b;

	layer_bench_init(&b);
	record_split(&b.cb[0], 0);
	layer_bench_submit(&b, 0);
	layer_bench_expect(&b,
	    "submit    {\"device\":4096,\"queue\":16,\"timestamp\":100,\"type\":\"submit\"}\n"
	    "workload  t1 {\"attachments\":[],\"drawCallCount\":9,\"height\":1080,\"tid\":1,\"type\":\"renderpass\",\"width\":1920}\n"
	    "annex     s1 t1 {\"label\":[]}\n");
	layer_bench_done(&b, "");
}

TEST(s07_split_rp_across_cbs_ots)
{
	struct layer_bench b;
	struct command_recording *both[2];
	struct played_submission *done[2];

	layer_bench_init(&b);
	for (unsigned i = 0; i < 2; i++) {
		layer_bench_begin(&b.cb[i]);
		layer_bench_part(&b.cb[i], i == 1, i == 0, 3 + i);
		command_buffer_end(&b.cb[i]);
		assert_true(b.cb[i].recording->needs_submit_id);
		both[i] = b.cb[i].recording;
	}
	play_submit(&b.lab.queue[0], both, 2, 100, done);
	layer_bench_expect_merged(&b,
	    "s1 t1 {\"attachments\":[],\"drawCallCount\":7,\"height\":1080,\"label\":[],\"parts\":2,\"split\":true,\"tid\":1,\"type\":\"renderpass\",\"width\":1920}\n");
	layer_bench_expect(&b,
	    "submit    {\"device\":4096,\"queue\":16,\"timestamp\":100,\"type\":\"submit\"}\n"
	    "workload  t1 {\"attachments\":[],\"drawCallCount\":-1,\"height\":1080,\"tid\":1,\"type\":\"renderpass\",\"width\":1920}\n"
	    "annex     s1 t1 {\"label\":[],\"split\":true}\n"
	    "annex     s1 t1 {\"drawCallCount\":7,\"parts\":2}\n");
	layer_bench_done(&b, "");
}

TEST(s12_reset_in_render_pass)
{
	struct layer_bench b;

	layer_bench_init(&b);
	command_buffer_begin(&b.cb[0], 0);
	record_renderpass_begin(&b.cb[0], &layer_bench_1080p);
	record_draw(&b.cb[0], 7);
	command_buffer_reset(&b.cb[0]);
	layer_bench_begin(&b.cb[0]);
	layer_bench_pass(&b.cb[0], 1);
	command_buffer_end(&b.cb[0]);
	layer_bench_submit(&b, 0);
	layer_bench_expect(&b,
	    "submit    {\"device\":4096,\"queue\":16,\"timestamp\":100,\"type\":\"submit\"}\n"
	    "workload  t2 {\"attachments\":[],\"drawCallCount\":1,\"height\":1080,\"tid\":2,\"type\":\"renderpass\",\"width\":1920}\n");
	layer_bench_done(&b, "");
}

TEST(s14_draws_outside_and_between)
{
	struct layer_bench b;

	layer_bench_init(&b);
	layer_bench_begin(&b.cb[0]);
	record_draw(&b.cb[0], 1);
	layer_bench_pass(&b.cb[0], 2);
	record_draw(&b.cb[0], 3);
	layer_bench_pass(&b.cb[0], 4);
	record_draw(&b.cb[0], 5);
	command_buffer_end(&b.cb[0]);
	layer_bench_submit(&b, 0);
	layer_bench_expect(&b,
	    "submit    {\"device\":4096,\"queue\":16,\"timestamp\":100,\"type\":\"submit\"}\n"
	    "workload  t1 {\"attachments\":[],\"drawCallCount\":2,\"height\":1080,\"tid\":1,\"type\":\"renderpass\",\"width\":1920}\n"
	    "workload  t2 {\"attachments\":[],\"drawCallCount\":4,\"height\":1080,\"tid\":2,\"type\":\"renderpass\",\"width\":1920}\n");
	layer_bench_done(&b, "");
}

TEST(s15_resume_without_suspend)
{
	struct layer_bench b;

	layer_bench_init(&b);
	layer_bench_begin(&b.cb[0]);
	layer_bench_part(&b.cb[0], true, false, 3);
	record_workload(&b.cb[0], &layer_bench_groups);
	command_buffer_end(&b.cb[0]);
	layer_bench_submit(&b, 0);
	layer_bench_expect(&b,
	    "submit    {\"device\":4096,\"queue\":16,\"timestamp\":100,\"type\":\"submit\"}\n"
	    "workload  t1 {\"tid\":1,\"type\":\"dispatch\",\"xGroups\":8,\"yGroups\":4,\"zGroups\":1}\n"
	    "annex     s1 t1 {\"label\":[]}\n");
	layer_bench_done(&b,
	    "queue 16: a render pass is resumed, but none is suspended: ignored\n");
}

TEST(s16_new_rp_while_suspended)
{
	struct layer_bench b;

	layer_bench_init(&b);
	layer_bench_begin(&b.cb[0]);
	layer_bench_part(&b.cb[0], false, true, 3);
	layer_bench_pass(&b.cb[0], 4);
	command_buffer_end(&b.cb[0]);
	layer_bench_submit(&b, 0);
	layer_bench_expect_merged(&b,
	    "s1 t1 {\"attachments\":[],\"drawCallCount\":3,\"height\":1080,\"label\":[],\"parts\":1,\"split\":true,\"tid\":1,\"type\":\"renderpass\",\"unfinished\":true,\"width\":1920}\n"
	    "s1 t2 {\"attachments\":[],\"drawCallCount\":4,\"height\":1080,\"label\":[],\"tid\":2,\"type\":\"renderpass\",\"width\":1920}\n");
	layer_bench_expect(&b,
	    "submit    {\"device\":4096,\"queue\":16,\"timestamp\":100,\"type\":\"submit\"}\n"
	    "workload  t1 {\"attachments\":[],\"drawCallCount\":-1,\"height\":1080,\"tid\":1,\"type\":\"renderpass\",\"width\":1920}\n"
	    "annex     s1 t1 {\"label\":[],\"split\":true}\n"
	    "annex     s1 t1 {\"drawCallCount\":3,\"parts\":1,\"unfinished\":true}\n"
	    "workload  t2 {\"attachments\":[],\"drawCallCount\":4,\"height\":1080,\"tid\":2,\"type\":\"renderpass\",\"width\":1920}\n"
	    "annex     s1 t2 {\"label\":[]}\n");
	layer_bench_done(&b,
	    "queue 16: a render pass begins while another is suspended: that one ends as it is (resume it first)\n");
}

TEST(s17_suspended_rp_with_dispatch_between)
{
	struct layer_bench b;

	layer_bench_init(&b);
	layer_bench_begin(&b.cb[0]);
	layer_bench_part(&b.cb[0], false, true, 3);
	record_workload(&b.cb[0], &layer_bench_groups);
	layer_bench_part(&b.cb[0], true, false, 4);
	command_buffer_end(&b.cb[0]);
	layer_bench_submit(&b, 0);
	layer_bench_expect(&b,
	    "submit    {\"device\":4096,\"queue\":16,\"timestamp\":100,\"type\":\"submit\"}\n"
	    "workload  t2 {\"tid\":2,\"type\":\"dispatch\",\"xGroups\":8,\"yGroups\":4,\"zGroups\":1}\n"
	    "workload  t1 {\"attachments\":[],\"drawCallCount\":7,\"height\":1080,\"tid\":1,\"type\":\"renderpass\",\"width\":1920}\n");
	layer_bench_done(&b, "");
}

TEST(s18_split_rp_across_submits)
{
	struct layer_bench b;

	layer_bench_init(&b);
	command_buffer_begin(&b.cb[0], 0);
	layer_bench_push(&b.cb[0], "A");
	layer_bench_part(&b.cb[0], false, true, 3);
	layer_bench_push(&b.cb[0], "B");
	record_workload(&b.cb[0], &layer_bench_groups);
	command_buffer_end(&b.cb[0]);
	command_buffer_begin(&b.cb[1], 0);
	layer_bench_part(&b.cb[1], true, true, 4);
	command_buffer_end(&b.cb[1]);
	command_buffer_begin(&b.cb[2], 0);
	layer_bench_part(&b.cb[2], true, false, 5);
	command_buffer_end(&b.cb[2]);
	for (unsigned i = 0; i < 3; i++)
		layer_bench_submit(&b, i);
	layer_bench_expect_merged(&b,
	    "s1 t2 {\"label\":[\"A\",\"B\"],\"tid\":2,\"type\":\"dispatch\",\"xGroups\":8,\"yGroups\":4,\"zGroups\":1}\n"
	    "s1 t1 {\"attachments\":[],\"drawCallCount\":12,\"height\":1080,\"label\":[\"A\"],\"parts\":3,\"split\":true,\"tid\":1,\"type\":\"renderpass\",\"width\":1920}\n");
	layer_bench_expect(&b,
	    "submit    {\"device\":4096,\"queue\":16,\"timestamp\":100,\"type\":\"submit\"}\n"
	    "workload  t2 {\"tid\":2,\"type\":\"dispatch\",\"xGroups\":8,\"yGroups\":4,\"zGroups\":1}\n"
	    "annex     s1 t2 {\"label\":[\"A\",\"B\"]}\n"
	    "workload  t1 {\"attachments\":[],\"drawCallCount\":-1,\"height\":1080,\"tid\":1,\"type\":\"renderpass\",\"width\":1920}\n"
	    "annex     s1 t1 {\"label\":[\"A\"],\"split\":true}\n"
	    "submit    {\"device\":4096,\"queue\":16,\"timestamp\":200,\"type\":\"submit\"}\n"
	    "submit    {\"device\":4096,\"queue\":16,\"timestamp\":300,\"type\":\"submit\"}\n"
	    "annex     s1 t1 {\"drawCallCount\":12,\"parts\":3}\n");
	layer_bench_done(&b, "");
}
