/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls of the driver: ioctl(), parameters, queries, contexts. */
#include "device/hardware/driver.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>

#include "base/mem.h"

/* A call is made again up to that many times while the driver says EAGAIN, the later
 * ones a ms apart. */
#define MOST_TRIES  120
#define QUICK_TRIES 20

static bool
is_execbuf(unsigned long request)
{
	return request == DRM_IOCTL_I915_GEM_EXECBUFFER2 ||
	    request == DRM_IOCTL_I915_GEM_EXECBUFFER2_WR;
}

int
driver_ioctl(int fd, unsigned long request, void *arg)
{
	int rc, tries = 0;

	for (;;) {
		rc = ioctl(fd, request, arg);
		if (rc == 0)
			return 0;
		if (errno == EINTR)
			continue;
		if (errno != EAGAIN || is_execbuf(request) ||
		    ++tries > MOST_TRIES)
			return -errno;
		if (tries > QUICK_TRIES)
			poll(NULL, 0, 1);
	}
}

int
driver_getparam(int fd, int param)
{
	int value = -1;
	struct drm_i915_getparam arg = {.param = param, .value = &value};

	return driver_ioctl(fd, DRM_IOCTL_I915_GETPARAM, &arg) == 0 ? value
								    : -1;
}

void *
driver_query(int fd, uint64_t id, int32_t least, int32_t *length)
{
	struct drm_i915_query_item item = {.query_id = id};
	struct drm_i915_query query = {
	    .num_items = 1,
	    .items_ptr = (uintptr_t)&item,
	};
	void *answer;

	/* The first query, without a buffer, returns the length. */
	if (driver_ioctl(fd, DRM_IOCTL_I915_QUERY, &query) != 0 ||
	    item.length < least)
		return NULL;
	*length = item.length;
	answer = mem_calloc(1, (size_t)item.length);
	item.data_ptr = (uintptr_t)answer;
	if (driver_ioctl(fd, DRM_IOCTL_I915_QUERY, &query) == 0 &&
	    item.length == *length)
		return answer;
	free(answer);
	return NULL;
}

int
driver_context_create(
    int fd, const struct i915_user_extension *chain, uint32_t *id)
{
	struct drm_i915_gem_context_create_ext arg = {
	    .flags = chain != NULL ? I915_CONTEXT_CREATE_FLAGS_USE_EXTENSIONS
				   : 0,
	    .extensions = (uintptr_t)chain,
	};
	int rc = driver_ioctl(fd, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &arg);

	*id = arg.ctx_id;
	return rc;
}

int
driver_context_destroy(int fd, uint32_t id)
{
	struct drm_i915_gem_context_destroy arg = {.ctx_id = id};

	return driver_ioctl(fd, DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, &arg);
}

int
driver_context_set(
    int fd, uint32_t id, uint64_t param, uint32_t size, uint64_t value)
{
	struct drm_i915_gem_context_param arg = {
	    .ctx_id = id, .param = param, .size = size, .value = value};

	return driver_ioctl(fd, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &arg);
}
