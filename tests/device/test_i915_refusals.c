/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines about refused calls: which call, with what, and why. */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/i915_lab.h"

struct refusals {
	struct text last;
	bool grave;
	unsigned n;
};

static void
take_refusal(void *data, const char *line, bool grave)
{
	struct refusals *r = data;

	text_clear(&r->last);
	text_adds(&r->last, line);
	r->grave = grave;
	r->n++;
}

static void
expect_refusal(const struct refusals *r, const char *line, bool grave)
{
	assert_string_equal(text_str(&r->last), line);
	assert_int_equal(r->grave, grave);
}

TEST(refusals)
{
	struct i915_lab lab;
	struct refusals r = {0};
	struct drm_i915_gem_exec_object2 object = {.handle = 77};
	int fd;

	i915_lab_init(&lab);
	lab.threads[0].caller.capabilities = 0;
	i915_lab_start(&lab);
	i915_set_refusals(lab.dev, take_refusal, &r);
	fd = uapi_open(&lab, 0, "dev/dri/renderD128");

	assert_int_equal(
	    uapi_set_param(&lab, fd, 0, I915_CONTEXT_PARAM_PRIORITY, 0, 10),
	    -EPERM);
	expect_refusal(&r,
	    "lab (pid 4711): CONTEXT_SETPARAM of priority 10, context 0: "
	    "EPERM, it needs CAP_SYS_NICE, as a priority above 0 does",
	    true);
	assert_int_equal(uapi_set_param(&lab, fd, 0, 0x7777, 0, 1), -EINVAL);
	expect_refusal(&r,
	    "lab (pid 4711): CONTEXT_SETPARAM of parameter 30583, value 0x1, "
	    "context 0: EINVAL, its arguments are not valid on this device",
	    false);
	assert_int_equal(
	    uapi_submit(&lab, fd, 0, I915_EXEC_RENDER, &object, 1), -ENOENT);
	expect_refusal(&r,
	    "lab (pid 4711): GEM_EXECBUFFER2 of 1 object, context 0, flags "
	    "0x1: ENOENT, there is no such object, context or fence",
	    true);
	assert_int_equal(r.n, 3);

	i915_set_refusals(lab.dev, NULL, NULL);
	assert_int_equal(
	    uapi_submit(&lab, fd, 0, I915_EXEC_RENDER, &object, 1), -ENOENT);
	assert_int_equal(r.n, 3);
	i915_lab_free(&lab);
	text_free(&r.last);
}

/* Platforms from generation 12 on have no relocations, but for Tiger Lake. */
TEST(relocations)
{
	struct i915_lab lab;
	struct refusals r = {0};
	struct drm_i915_gem_relocation_entry reloc = {0};
	struct drm_i915_gem_exec_object2 object = {
	    .relocation_count = 1, .relocs_ptr = (uintptr_t)&reloc};
	int fd;

	i915_lab_init(&lab);
	lab.config.pci_id = 0x46a6;
	lab.config.graphics = 1200;
	i915_lab_start(&lab);
	i915_set_refusals(lab.dev, take_refusal, &r);
	fd = uapi_open(&lab, 0, "dev/dri/renderD128");
	object.handle = uapi_create(&lab, fd, 4096);
	assert_int_equal(
	    uapi_submit(&lab, fd, 0, I915_EXEC_RENDER, &object, 1), -EINVAL);
	expect_refusal(&r,
	    "lab (pid 4711): GEM_EXECBUFFER2 of 1 object, context 0, flags "
	    "0x1: EINVAL, this generation has no relocations",
	    true);
	assert_int_equal(uapi_set_param(&lab, fd, 0, 0x7777, 0, 1), -EINVAL);
	assert_non_null(strstr(text_str(&r.last), "its arguments are not"));
	i915_lab_free(&lab);
	text_free(&r.last);
}
