/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory of requests in the error state: doc/model/i915_files.md "Live files". */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/i915_lab.h"

typedef struct drm_i915_gem_exec_object2 entry;

static void
write_word(struct i915_lab *lab, int fd, uint32_t handle, uint32_t word)
{
	struct drm_i915_gem_pwrite w = {.handle = handle,
	    .size = sizeof(word),
	    .data_ptr = (uintptr_t)&word};

	assert_int_equal(uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_PWRITE, &w), 0);
}

/* Appends the line of a page that begins with a word in ASCII85. */
static void
add_page(struct text *t, const char *head, const char *word)
{
	text_addf(t, "%s\n~%s", head, word);
	for (unsigned i = 1; i < 1024; i++)
		text_adds(t, "z");
	text_adds(t, "\n");
}

/* The first request of a lab has the fence's number 1. */
static void
capture(struct i915_lab *lab, uint64_t request, struct text *t)
{
	text_clear(t);
	i915_gpu_events.capture(lab->dev, request, 0, t);
}

/* Objects that the program marked come first, then its batch; others are left
 * out. */
TEST(marked_objects)
{
	struct i915_lab *lab = i915_lab_new(0);
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	entry o[4] = {{.handle = uapi_create(lab, fd, 4096),
			  .offset = 4096,
			  .flags = EXEC_OBJECT_CAPTURE},
	    {.handle = uapi_create(lab, fd, 4096), .offset = 8192},
	    {.handle = uapi_create(lab, fd, 4096),
		.offset = UINT64_C(0x123456000),
		.flags = EXEC_OBJECT_CAPTURE | EXEC_OBJECT_PINNED |
		    EXEC_OBJECT_SUPPORTS_48B_ADDRESS},
	    {.handle = uapi_create(lab, fd, 4096), .offset = 16384}};
	struct text t = {0}, wanted = {0};
	uint64_t request;

	write_word(lab, fd, o[0].handle, 84);
	write_word(lab, fd, o[3].handle, UINT32_MAX);
	assert_int_equal(uapi_submit(lab, fd, 0, 0, o, 4), 0);
	request = lab->requests[0].id;
	assert_true(i915_gpu_events.is_captured(lab->dev, request));
	capture(lab, request, &t);
	add_page(&wanted, "rcs0 --- user = 0x00000000 00001000", "!!!!u");
	/* It never had memory. */
	add_page(&wanted, "rcs0 --- user = 0x00000001 23456000", "z");
	add_page(&wanted, "rcs0 --- batch = 0x00000000 00004000", "s8W-!");
	assert_string_equal(text_str(&t), text_str(&wanted));
	uapi_end_all(lab);
	capture(lab, request, &t);
	assert_string_equal(text_str(&t), "");
	text_free(&t);
	text_free(&wanted);
	i915_lab_delete(lab);
}

/* Objects that are too large for one error state are left out, but not the batch. */
TEST(most_memory)
{
	struct i915_lab *lab = i915_lab_new(0);
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	entry o[3] = {{.handle = uapi_create(lab, fd, 17 << 20),
			  .flags = EXEC_OBJECT_CAPTURE},
	    {.handle = uapi_create(lab, fd, 16 << 20),
		.flags = EXEC_OBJECT_CAPTURE},
	    {.handle = uapi_create(lab, fd, 4096)}};
	struct text t = {0};

	assert_int_equal(uapi_submit(lab, fd, 0, 0, o, 3), 0);
	capture(lab, lab->requests[0].id, &t);
	assert_int_equal(t.len,
	    strlen("rcs0 --- user = 0x00000000 00000000\n~\n") + (4 << 20) +
		strlen("rcs0 --- batch = 0x00000000 00000000\n~\n") + 1024);
	text_free(&t);
	i915_lab_delete(lab);
}

TEST(no_error_capture)
{
	struct i915_lab *lab = i915_lab_new(0);
	int fd = uapi_open(lab, 0, "dev/dri/renderD128");
	uint32_t ctx = uapi_context(lab, fd);
	entry o = {.handle = uapi_create(lab, fd, 4096)};

	assert_int_equal(uapi_set_param(lab, fd, ctx,
			     I915_CONTEXT_PARAM_NO_ERROR_CAPTURE, 0, 1),
	    0);
	assert_int_equal(uapi_submit(lab, fd, ctx, 0, &o, 1), 0);
	assert_false(
	    i915_gpu_events.is_captured(lab->dev, lab->requests[0].id));
	i915_lab_delete(lab);
}
