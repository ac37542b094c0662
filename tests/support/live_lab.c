/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/live_lab.h"
#include "tests/runner/test.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PINNED (EXEC_OBJECT_PINNED | EXEC_OBJECT_SUPPORTS_48B_ADDRESS)

struct live_lab *
live_open(const char *profile, const char *sched)
{
	struct live_lab *s = calloc(1, sizeof *s);
	struct text err = {0};

	lab_init(&s->model, sched);
	assert_true(profile_load(&s->model.config.profile, profile, &err));
	lab_open(&s->model);
	i915_lab_init(&s->lab);
	for (unsigned i = 0; i < UAPI_THREADS; i++)
		s->lab.threads[i].caller.capabilities = I915_CAP_NICE;
	s->device = virtual_new(s->model.sim, &s->lab.host, 0, &err);
	assert_string_equal(text_str(&err), "");
	s->lab.dev = virtual_i915(s->device);
	s->fd = uapi_open(&s->lab, 0, "dev/dri/renderD128");
	return s;
}

void
live_close(struct live_lab *s)
{
	virtual_free(s->device);
	s->lab.dev = NULL;
	i915_lab_free(&s->lab);
	lab_free(&s->model);
	free(s);
}

const char *
live_text(struct live_lab *s, const char *path)
{
	static char text[4096];
	int fd = uapi_open_with(&s->lab, 1, path, O_RDONLY);
	ssize_t n;

	assert_true(fd >= 0);
	n = read(fd, text, sizeof text - 1);
	assert_true(n >= 0);
	text[n] = '\0';
	close(fd);
	return text;
}

int
live_write_on(
    struct live_lab *s, unsigned thread, const char *path, const char *text)
{
	int fd = uapi_open_with(&s->lab, thread, path, O_WRONLY), rc;
	struct wire_request rq = {
	    .kind = WIRE_WRITE, .size = (uint32_t)strlen(text)};

	if (fd < 0)
		return fd;
	rq.token = uapi_fd(&s->lab, fd)->token;
	rc = uapi_call(&s->lab, thread, &rq, text);
	if (rc != UAPI_WAITS)
		uapi_close(&s->lab, fd);
	return rc;
}

int
live_write(struct live_lab *s, const char *path, const char *text)
{
	return live_write_on(s, 1, path, text);
}

/* Submits a batch of size bytes at that address. */
static void
live_submit(struct live_lab *s, uint32_t context, uint64_t address,
    const uint32_t *code, size_t size)
{
	struct drm_i915_gem_exec_object2 object = {
	    .handle = uapi_create(&s->lab, s->fd, 4096),
	    .offset = address,
	    .flags = PINNED};
	struct drm_i915_gem_pwrite store = {
	    .handle = object.handle, .size = size, .data_ptr = (uintptr_t)code};

	assert_int_equal(
	    uapi_ioctl(&s->lab, s->fd, DRM_IOCTL_I915_GEM_PWRITE, &store), 0);
	assert_int_equal(
	    uapi_submit(&s->lab, s->fd, context, I915_EXEC_RENDER, &object, 1),
	    0);
}

void
live_spin(struct live_lab *s, uint32_t context)
{
	static uint64_t address = 1 << 20;
	uint32_t code[] = {0x18800101, (uint32_t)(address += 1 << 16), 0};

	live_submit(s, context, address, code, sizeof code);
}

void
live_draw(struct live_lab *s, uint32_t vertices)
{
	uint32_t code[] = {0x7b000005, 4, vertices, 0, 1, 0, 0, 0x05000000};

	live_submit(s, 0, 1 << 16, code, sizeof code);
}
