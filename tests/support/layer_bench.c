/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/layer_bench.h"
#include "tests/runner/test.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define LENGTH(a) (sizeof(a) / sizeof((a)[0]))

const struct workload_info layer_bench_1080p = {
    .type = WORKLOAD_RENDERPASS, .size = {1920, 1080}, .subpasses = 1};
const struct workload_info layer_bench_groups = {
    .type = WORKLOAD_DISPATCH, .size = {8, 4, 1}};

void
layer_bench_init(struct layer_bench *b)
{
	layer_lab_init(&b->lab);
	for (unsigned i = 0; i < LENGTH(b->cb); i++)
		command_buffer_init(&b->cb[i], &b->lab.tags, &b->lab.report);
}

void
layer_bench_done(struct layer_bench *b, const char *said)
{
	assert_string_equal(text_str(&b->lab.said), said);
	for (unsigned i = 0; i < LENGTH(b->cb); i++)
		command_buffer_free(&b->cb[i]);
	layer_lab_free(&b->lab);
}

void
layer_bench_begin(struct command_buffer *cb)
{
	command_buffer_begin(cb, RECORD_ONE_TIME_SUBMIT);
}

void
layer_bench_push(struct command_buffer *cb, const char *s)
{
	record_label_push(cb, s, strlen(s));
}

void
layer_bench_pass(struct command_buffer *cb, uint32_t draws)
{
	record_renderpass_begin(cb, &layer_bench_1080p);
	record_draw(cb, draws);
	record_renderpass_end(cb, false);
}

void
layer_bench_part(
    struct command_buffer *cb, bool resume, bool suspend, uint32_t draws)
{
	if (resume)
		record_renderpass_resume(cb, &layer_bench_1080p);
	else
		record_renderpass_begin(cb, &layer_bench_1080p);
	record_draw(cb, draws);
	record_renderpass_end(cb, suspend);
}

void
layer_bench_submit(struct layer_bench *b, unsigned cb)
{
	layer_lab_submit(&b->lab, 0, &b->cb[cb]);
}

void
layer_bench_expect(struct layer_bench *b, const char *messages)
{
	struct text t = {0};

	layer_lab_dump(&b->lab, &t);
	assert_string_equal(text_str(&t), messages);
	text_free(&t);
}

void
layer_bench_expect_merged(struct layer_bench *b, const char *records)
{
	text_clear(&b->lab.merged);
	layer_lab_merge(&b->lab);
	assert_string_equal(text_str(&b->lab.merged), records);
}
