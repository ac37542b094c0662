/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/arm_join.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/mem.h"
#include "tests/runner/test.h"
#include "tests/support/run_program.h"

static const char *const stream_names[] = {"compute", "vertex", "non-fragment",
    "fragment", "binning", "main", "transfer", NULL};
static const char *const stage_names[] = {"clear image", "copy image",
    "blit image", "resolve image", "generate mipmap", "copy buffer",
    "fill buffer", "copy query", "compute", "trace_rays", "non-fragment",
    "vertex", "advanced geometry", "binning", "fragment", "main",
    "acceleration structure 'fast build' build",
    "acceleration structure 'fast trace' build",
    "acceleration structure copy to memory",
    "acceleration structure copy from memory", "acceleration structure update",
    NULL};

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
	    {"asbuild", {"subtype", "primitiveCount"}},
	    {"astransfer", {"subtype", "byteCount"}},
	};
	const char *type = json_string_value(json_object_get(workload, "type"));
	size_t i = 0;

	assert_non_null(type);
	while (i < 7 && strcmp(needed[i].type, type) != 0)
		i++;
	assert_true(i < 7);
	for (size_t k = 0; needed[i].keys[k] != NULL; k++)
		assert_non_null(json_object_get(workload, needed[i].keys[k]));
	assert_true(json_is_array(json_object_get(workload, "label")));
}

/* Records by their tag. */
struct arm_list {
	struct arm_record *list;
	size_t n, cap;
	uint64_t frames[1000]; /* of a device */
};

static uint64_t
arm_integer(json_t *object, const char *key)
{
	json_t *value = json_object_get(object, key);

	assert_true(json_is_integer(value));
	return (uint64_t)json_integer_value(value);
}

static void
note_tag(struct arm_list *l, uint64_t tag, const struct arm_record *record)
{
	assert_in_range(tag, 1, 1 << 20);
	while (l->n <= tag) {
		l->list = mem_grow(l->list, l->n, &l->cap, sizeof(*l->list));
		l->list[l->n++] = (struct arm_record){0};
	}
	if (l->list[tag].device != 0)
		fail_msg("two records of t%u", (unsigned)tag);
	l->list[tag] = *record;
}

static void
note_tags(struct arm_list *l, json_t *frame)
{
	json_t *submits = json_object_get(frame, "submits"), *submit, *workload;
	size_t i, k;

	json_array_foreach(submits, i, submit)
	{
		json_t *list = json_object_get(submit, "workloads");
		struct arm_record record = {
		    .device = arm_integer(submit, "device"),
		    .frame = arm_integer(frame, "frame"),
		    .submit_ns = arm_integer(submit, "timestamp"),
		};

		arm_integer(submit, "queue");
		json_array_foreach(list, k, workload)
		{
			need_keys(workload);
			note_tag(l, arm_integer(workload, "tid"), &record);
		}
	}
}

/* Frames of a device are numbered in order, from the device's first number. */
static void
note_frame(struct arm_list *l, json_t *frame)
{
	uint64_t device = arm_integer(frame, "device");

	assert_in_range(device, 1, 999);
	assert_int_equal(arm_integer(frame, "frame"),
	    (device - 1) * 1000000000 + l->frames[device]++);
	arm_integer(frame, "presentTimestamp");
}

struct arm_record *
arm_records(const char *metadata, size_t *n_tags)
{
	struct arm_list l = {0};
	size_t len, at = 0;
	char *text = read_whole(metadata, &len);

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
		note_frame(&l, frame);
		note_tags(&l, frame);
		json_decref(frame);
		at += 4 + n;
	}
	free(text);
	*n_tags = l.n;
	return l.list;
}

void
arm_join_expect(const struct seen_trace *t, const char *metadata)
{
	size_t n_tags;
	struct arm_record *records = arm_records(metadata, &n_tags);
	unsigned n = 0, notes = 0;

	for (size_t i = 0; i < t->n; i++) {
		const struct seen *s = &t->events[i];

		if (s->kind != SEEN_STAGE)
			continue;
		n++;
		notes += s->tag == 0;
		expect_known(s->name, stream_names);
		expect_known(s->stage, stage_names);
		if (s->tag > 0 &&
		    (s->tag >= n_tags || records[s->tag].device == 0))
			fail_msg("%s joins nothing", s->label);
	}
	/* A run without a workload has one stage, which belongs to none. */
	assert_true(n > 0);
	assert_int_equal(notes, n == 1 ? notes : 0);
	free(records);
}
