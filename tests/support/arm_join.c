/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/arm_join.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "tests/support/run_program.h"

static const char *const stream_names[] = {"compute", "vertex", "non-fragment",
    "fragment", "binning", "main", "transfer", NULL};
static const char *const stage_names[] = {"clear image", "copy image",
    "blit image", "resolve image", "generate mipmap", "copy buffer",
    "fill buffer", "copy query", "compute", "trace_rays", "non-fragment",
    "vertex", "advanced geometry", "binning", "fragment", "main", NULL};

static void
expect_known(const char *name, const char *const *names)
{
	while (*names != NULL && strcmp(*names, name) != 0)
		names++;
	if (*names == NULL)
		fail_msg("%s is not known", name);
}

static void
need_keys(json_t *workload)
{
	static const struct {
		const char *type, *keys[6];
	} needed[] = {
	    {"renderpass",
		{"width", "height", "drawCallCount", "subpassCount",
		    "attachments"}},
	    {"dispatch", {"xGroups", "yGroups", "zGroups"}},
	    {"tracerays", {"xItems", "yItems", "zItems"}},
	    {"imagetransfer", {"subtype", "pixelCount"}},
	    {"buffertransfer", {"subtype", "byteCount"}},
	};
	const char *type = json_string_value(json_object_get(workload, "type"));
	size_t i = 0;

	assert_non_null(type);
	while (i < 5 && strcmp(needed[i].type, type) != 0)
		i++;
	assert_true(i < 5);
	for (size_t k = 0; needed[i].keys[k] != NULL; k++)
		assert_non_null(json_object_get(workload, needed[i].keys[k]));
	assert_true(json_is_array(json_object_get(workload, "label")));
}

static void
note_tags(json_t *frame, bool *tags, size_t n_tags)
{
	json_t *submits = json_object_get(frame, "submits"), *submit, *workload;
	size_t i, k;

	json_array_foreach(submits, i, submit)
	{
		json_t *list = json_object_get(submit, "workloads");

		assert_true(json_is_integer(json_object_get(submit, "queue")));
		json_array_foreach(list, k, workload)
		{
			json_t *tag = json_object_get(workload, "tid");

			need_keys(workload);
			assert_in_range(json_integer_value(tag), 1, n_tags - 1);
			tags[json_integer_value(tag)] = true;
		}
	}
}

/* Frames of a device are numbered in order. */
static void
note_frame(json_t *frame, uint64_t *frames, size_t n_frames)
{
	size_t device = (size_t)json_integer_value(
	    json_object_get(frame, "device"));

	assert_in_range(device, 1, n_frames - 1);
	assert_int_equal(json_integer_value(json_object_get(frame, "frame")),
	    frames[device]++);
	assert_true(
	    json_is_integer(json_object_get(frame, "presentTimestamp")));
}

static void
read_metadata(const char *path, bool *tags, size_t n_tags)
{
	uint64_t frames[1000] = {0};
	size_t len, at = 0;
	char *text = read_whole(path, &len);

	while (at < len) {
		const uint8_t *head = (const uint8_t *)text + at;
		size_t n;
		json_t *frame;

		assert_true(len - at >= 4);
		n = head[0] | head[1] << 8 | head[2] << 16 |
		    (size_t)head[3] << 24;
		assert_true(len - at - 4 >= n);
		frame = json_loadb(
		    text + at + 4, n, JSON_REJECT_DUPLICATES, NULL);
		assert_non_null(frame);
		note_frame(frame, frames, 1000);
		note_tags(frame, tags, n_tags);
		json_decref(frame);
		at += 4 + n;
	}
	free(text);
}

void
arm_join_expect(const struct seen_trace *t, const char *metadata)
{
	static bool tags[1 << 20];
	unsigned n = 0, notes = 0;

	memset(tags, 0, sizeof(tags));
	read_metadata(metadata, tags, sizeof(tags));
	for (size_t i = 0; i < t->n; i++) {
		const struct seen *s = &t->events[i];

		if (s->kind != SEEN_STAGE)
			continue;
		n++;
		notes += s->tag == 0;
		expect_known(s->name, stream_names);
		expect_known(s->stage, stage_names);
		if (s->tag > 0 && !tags[s->tag])
			fail_msg("%s joins nothing", s->label);
	}
	/* A run without a workload has one stage, which belongs to none. */
	assert_true(n > 0);
	assert_int_equal(notes, n == 1 ? notes : 0);
}
