/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Masters of the card: who is one, who may become one, and whom it lets in. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/runner/test.h"
#include "tests/support/i915_lab.h"

#define CARD "dev/dri/card0"

static struct i915_lab *
start(void)
{
	struct i915_lab *lab = calloc(1, sizeof(*lab));

	i915_lab_init(lab);
	i915_lab_start(lab);
	return lab;
}

static int
set_master(struct i915_lab *lab, unsigned thread, int fd)
{
	return uapi_ioctl_on(lab, thread, fd, DRM_IOCTL_SET_MASTER, NULL);
}

static int
drop_master(struct i915_lab *lab, unsigned thread, int fd)
{
	return uapi_ioctl_on(lab, thread, fd, DRM_IOCTL_DROP_MASTER, NULL);
}

static uint32_t
magic_of(struct i915_lab *lab, int fd)
{
	struct drm_auth auth = {0};

	assert_int_equal(uapi_ioctl(lab, fd, DRM_IOCTL_GET_MAGIC, &auth), 0);
	return auth.magic;
}

static int
authenticate(struct i915_lab *lab, int fd, uint32_t magic)
{
	struct drm_auth auth = {.magic = magic};

	return uapi_ioctl(lab, fd, DRM_IOCTL_AUTH_MAGIC, &auth);
}

static bool
is_authenticated(struct i915_lab *lab, int fd)
{
	struct drm_client client = {.idx = 0};

	assert_int_equal(uapi_ioctl(lab, fd, DRM_IOCTL_GET_CLIENT, &client), 0);
	assert_int_equal(client.pid, lab->threads[0].caller.pid);
	return client.auth;
}

/* The first is master; a second one, of root, when the first is not any more. */
TEST(masters)
{
	struct i915_lab *lab = start();
	int first = uapi_open(lab, 0, CARD), second;

	lab->threads[0].caller.capabilities = 0;
	second = uapi_open(lab, 0, CARD);
	assert_int_equal(set_master(lab, 0, first), 0);
	assert_int_equal(set_master(lab, 0, second), -EACCES);
	assert_int_equal(drop_master(lab, 0, second), -EACCES);
	lab->threads[0].caller.capabilities = I915_CAP_ADMIN;
	assert_int_equal(set_master(lab, 0, second), -EBUSY);
	assert_int_equal(drop_master(lab, 0, second), -EINVAL);
	/* It may come back without rights, but in its own process only. */
	lab->threads[0].caller.capabilities = 0;
	assert_int_equal(drop_master(lab, 0, first), 0);
	assert_int_equal(drop_master(lab, 0, first), -EINVAL);
	assert_int_equal(set_master(lab, 0, first), 0);
	lab->threads[1].caller.pid = lab->threads[0].caller.pid + 1;
	lab->threads[1].caller.capabilities = 0;
	assert_int_equal(drop_master(lab, 1, first), -EACCES);
	/* The last close ends it. */
	uapi_close(lab, first);
	lab->threads[0].caller.capabilities = I915_CAP_ADMIN;
	assert_int_equal(set_master(lab, 0, second), 0);
	i915_lab_free(lab);
	free(lab);
}

TEST(magics)
{
	struct i915_lab *lab = start();
	int master, other;
	uint32_t magic;

	lab->threads[0].caller.capabilities = 0;
	master = uapi_open(lab, 0, CARD);
	other = uapi_open(lab, 0, CARD);
	assert_true(is_authenticated(lab, master));
	assert_false(is_authenticated(lab, other));
	magic = magic_of(lab, other);
	assert_true(magic > 0 && magic == magic_of(lab, other));
	assert_int_not_equal(magic, magic_of(lab, master));
	assert_int_equal(authenticate(lab, other, magic), -EACCES);
	assert_int_equal(authenticate(lab, master, 99), -EINVAL);
	assert_int_equal(authenticate(lab, master, magic), 0);
	assert_true(is_authenticated(lab, other));
	assert_int_equal(authenticate(lab, master, magic), -EINVAL);
	assert_int_equal(magic_of(lab, other), magic);
	/* Another master has nothing to do with it. */
	lab->threads[0].caller.capabilities = I915_CAP_ADMIN;
	assert_int_equal(drop_master(lab, 0, master), 0);
	other = uapi_open(lab, 0, CARD);
	assert_int_equal(
	    authenticate(lab, other, magic_of(lab, master)), -EINVAL);
	assert_true(is_authenticated(lab, uapi_open(lab, 0, CARD)));
	i915_lab_free(lab);
	free(lab);
}

static int
secure_batch(struct i915_lab *lab, int fd)
{
	struct drm_i915_gem_exec_object2 object = {
	    .handle = uapi_create(lab, fd, 4096)};
	struct drm_i915_gem_execbuffer2 exec = {
	    .buffers_ptr = (uintptr_t)&object,
	    .buffer_count = 1,
	    .flags = I915_EXEC_SECURE};

	return uapi_ioctl(lab, fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &exec);
}

/* doc/model/i915.md "Execbuf": secure batches are the master's, and root's. */
TEST(secure_batches)
{
	struct i915_lab *lab = calloc(1, sizeof(*lab));
	int card, second, render;

	i915_lab_init(lab);
	lab->config.graphics = 900;
	i915_lab_start(lab);
	lab->threads[0].caller.capabilities = I915_CAP_ADMIN;
	card = uapi_open(lab, 0, CARD);
	second = uapi_open(lab, 0, CARD);
	render = uapi_open(lab, 0, "dev/dri/renderD128");
	assert_int_equal(secure_batch(lab, card), 0);
	assert_int_equal(secure_batch(lab, second), -EPERM);
	assert_int_equal(secure_batch(lab, render), -EPERM);
	lab->threads[0].caller.capabilities = 0;
	assert_int_equal(secure_batch(lab, card), -EPERM);
	uapi_end_all(lab);
	i915_lab_free(lab);
	free(lab);
}
