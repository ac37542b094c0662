/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Limits of one program on the virtual i915: each row makes one thing until
 * it is refused, with the error that a kernel gives when its memory ends. Another
 * program is served as before, and when the first has closed its files, it may
 * have as many again. Rules: doc/model/i915.md "Limits".
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "tests/runner/test.h"
#include "tests/support/i915_lab.h"

#define FEW   8 /* the limit in a row */
#define MANY  1000
#define OTHER 3 /* the thread of another program */

/* A program that makes things. */
struct maker {
	struct i915_lab *lab;
	int fd;              /* of a node, with object 1 and syncobj 1 */
	int timeline, fence; /* of sw_sync: one that is pending */
	int event;
	uint32_t n; /* were made */
};

static int
make_object(struct maker *m)
{
	struct drm_i915_gem_create arg = {.size = 4096};

	return uapi_ioctl(m->lab, m->fd, DRM_IOCTL_I915_GEM_CREATE, &arg);
}

static int
make_userptr(struct maker *m)
{
	struct drm_i915_gem_userptr arg = {.user_ptr = 4096, .user_size = 4096};

	return uapi_ioctl(m->lab, m->fd, DRM_IOCTL_I915_GEM_USERPTR, &arg);
}

/* Names of the first object, each of which is one more handle. */
static int
open_name(struct maker *m)
{
	struct drm_gem_flink name = {.handle = 1};
	struct drm_gem_open open = {0};
	int rc = uapi_ioctl(m->lab, m->fd, DRM_IOCTL_GEM_FLINK, &name);

	open.name = name.name;
	return rc ? rc : uapi_ioctl(m->lab, m->fd, DRM_IOCTL_GEM_OPEN, &open);
}

static int
make_memory(struct maker *m)
{
	char byte = 1;
	struct drm_i915_gem_pwrite w = {.handle = uapi_create(m->lab, m->fd, 1),
	    .size = 1,
	    .data_ptr = (uintptr_t)&byte};

	return uapi_ioctl(m->lab, m->fd, DRM_IOCTL_I915_GEM_PWRITE, &w);
}

static int
make_context(struct maker *m)
{
	struct drm_i915_gem_context_create arg = {0};

	return uapi_ioctl(
	    m->lab, m->fd, DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &arg);
}

static int
make_space(struct maker *m)
{
	struct drm_i915_gem_vm_control arg = {0};

	return uapi_ioctl(m->lab, m->fd, DRM_IOCTL_I915_GEM_VM_CREATE, &arg);
}

static int
make_request(struct maker *m)
{
	struct drm_i915_gem_exec_object2 object = {.handle = 1};

	return uapi_submit(m->lab, m->fd, 0, 0, &object, 1);
}

static int
make_out_fence(struct maker *m)
{
	struct drm_i915_gem_exec_object2 object = {.handle = 1};
	struct drm_i915_gem_execbuffer2 arg = {
	    .buffers_ptr = (uintptr_t)&object,
	    .buffer_count = 1,
	    .flags = I915_EXEC_FENCE_OUT};
	int rc = uapi_ioctl(
	    m->lab, m->fd, DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, &arg);

	uapi_end_all(m->lab);
	return rc;
}

static int
make_syncobj(struct maker *m)
{
	struct drm_syncobj_create arg = {0};

	return uapi_ioctl(m->lab, m->fd, DRM_IOCTL_SYNCOBJ_CREATE, &arg);
}

/* Points after one that is pending, which is kept with all of them. */
static int
make_point(struct maker *m)
{
	uint32_t handle = 1;
	uint64_t point = ++m->n + 1;
	struct drm_syncobj_timeline_array arg = {.handles = (uintptr_t)&handle,
	    .points = (uintptr_t)&point,
	    .count_handles = 1};

	return uapi_ioctl(
	    m->lab, m->fd, DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, &arg);
}

static int
transfer_point(struct maker *m)
{
	struct drm_syncobj_transfer arg = {
	    .src_handle = 1, .dst_handle = 1, .dst_point = ++m->n + 1};

	return uapi_ioctl(m->lab, m->fd, DRM_IOCTL_SYNCOBJ_TRANSFER, &arg);
}

static int
submit_point(struct maker *m)
{
	struct drm_i915_gem_exec_object2 object = {.handle = 1};
	struct drm_i915_gem_exec_fence fence = {
	    .handle = 1, .flags = I915_EXEC_FENCE_SIGNAL};
	uint64_t value = ++m->n + 1;
	struct drm_i915_gem_execbuffer_ext_timeline_fences ext = {
	    .fence_count = 1,
	    .handles_ptr = (uintptr_t)&fence,
	    .values_ptr = (uintptr_t)&value};
	struct drm_i915_gem_execbuffer2 arg = {
	    .buffers_ptr = (uintptr_t)&object,
	    .buffer_count = 1,
	    .flags = I915_EXEC_USE_EXTENSIONS,
	    .cliprects_ptr = (uintptr_t)&ext};

	return uapi_ioctl(m->lab, m->fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &arg);
}

static int
make_software_fence(struct maker *m)
{
	struct sw_sync_create_fence arg = {.value = 100};

	return uapi_ioctl(m->lab, m->timeline,
	    _IOWR(SW_SYNC_MAGIC, 0, struct sw_sync_create_fence), &arg);
}

static int
make_merge(struct maker *m)
{
	struct sync_merge_data arg = {.fd2 = m->fence};

	return uapi_ioctl(m->lab, m->fence, SYNC_IOC_MERGE, &arg);
}

static int
make_node(struct maker *m)
{
	return uapi_open(m->lab, 0, "dev/dri/renderD128");
}

static int
make_timeline(struct maker *m)
{
	return uapi_open(m->lab, 0, "dev/sw_sync");
}

static int
make_event(struct maker *m)
{
	struct i915_syncobj_eventfd arg = {.handle = 1, .fd = m->event};

	return uapi_ioctl(
	    m->lab, m->fd, DRM_IOWR(0xcf, struct i915_syncobj_eventfd), &arg);
}

/* A syncobj as a descriptor, and back as one more handle. */
static int
import_syncobj(struct maker *m)
{
	static int fd;
	struct drm_syncobj_handle arg = {.handle = 1, .fd = fd};
	int rc;

	if (m->n++ == 0) {
		rc = uapi_ioctl(
		    m->lab, m->fd, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &arg);
		fd = arg.fd;
		return rc;
	}
	return uapi_ioctl(m->lab, m->fd, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &arg);
}

/* Each is of more elements than the one before. */

static int
list_objects(struct maker *m)
{
	struct drm_i915_gem_exec_object2 *list = calloc(++m->n, sizeof(*list));
	int rc;

	for (uint32_t i = 0; i < m->n; i++)
		list[i].handle = uapi_create(m->lab, m->fd, 4096);
	rc = uapi_submit(m->lab, m->fd, 0, 0, list, m->n);
	uapi_end_all(m->lab);
	free(list);
	return rc;
}

static int
list_relocations(struct maker *m)
{
	struct drm_i915_gem_relocation_entry *list = calloc(
	    ++m->n, sizeof(*list));
	struct drm_i915_gem_exec_object2 object = {.handle = 1,
	    .relocation_count = m->n,
	    .relocs_ptr = (uintptr_t)list};
	int rc;

	for (uint32_t i = 0; i < m->n; i++)
		list[i].target_handle = 1;
	rc = uapi_submit(m->lab, m->fd, 0, 0, &object, 1);
	uapi_end_all(m->lab);
	free(list);
	return rc;
}

static int
list_fences(struct maker *m)
{
	struct drm_i915_gem_exec_fence *list = calloc(++m->n, sizeof(*list));
	struct drm_i915_gem_exec_object2 object = {.handle = 1};
	struct drm_i915_gem_execbuffer2 arg = {
	    .buffers_ptr = (uintptr_t)&object,
	    .buffer_count = 1,
	    .flags = I915_EXEC_FENCE_ARRAY,
	    .num_cliprects = m->n,
	    .cliprects_ptr = (uintptr_t)list};
	int rc;

	for (uint32_t i = 0; i < m->n; i++)
		list[i] = (struct drm_i915_gem_exec_fence){
		    1, I915_EXEC_FENCE_SIGNAL};
	rc = uapi_ioctl(m->lab, m->fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &arg);
	uapi_end_all(m->lab);
	free(list);
	return rc;
}

static int
list_syncobjs(struct maker *m)
{
	uint32_t *list = calloc(++m->n, sizeof(*list));
	struct drm_syncobj_array arg = {
	    .handles = (uintptr_t)list, .count_handles = m->n};
	int rc;

	for (uint32_t i = 0; i < m->n; i++)
		list[i] = 1;
	rc = uapi_ioctl(m->lab, m->fd, DRM_IOCTL_SYNCOBJ_RESET, &arg);
	free(list);
	return rc;
}

static int
list_queries(struct maker *m)
{
	struct drm_i915_query_item *list = calloc(++m->n, sizeof(*list));
	struct drm_i915_query arg = {
	    .num_items = m->n, .items_ptr = (uintptr_t)list};
	int rc;

	for (uint32_t i = 0; i < m->n; i++)
		list[i].query_id = DRM_I915_QUERY_ENGINE_INFO;
	rc = uapi_ioctl(m->lab, m->fd, DRM_IOCTL_I915_QUERY, &arg);
	free(list);
	return rc;
}

/* Waits with WAIT_FOR_SUBMIT for an empty syncobj, on a thread each; all but
 * the last answer are to come. */
static int
wait_long(struct maker *m)
{
	static uint32_t handles[3] = {2, 2, 2};
	static struct drm_syncobj_wait args[UAPI_THREADS];
	int rc;

	args[m->n] = (struct drm_syncobj_wait){.handles = (uintptr_t)handles,
	    .timeout_nsec = INT64_MAX,
	    .count_handles = 3,
	    .flags = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT};
	rc = uapi_ioctl_on(
	    m->lab, m->n, m->fd, DRM_IOCTL_SYNCOBJ_WAIT, &args[m->n]);
	m->n++;
	return rc == UAPI_WAITS ? 0 : rc;
}

static const struct row {
	const char *name;
	int (*make)(struct maker *m);
	enum i915_limit limit;
	uint64_t most;
	int n; /* are made */
	int error;
} rows[] = {
    {"objects", make_object, I915_LIMIT_OBJECTS, FEW, 7, -ENOMEM},
    {"userptr", make_userptr, I915_LIMIT_OBJECTS, FEW, 7, -ENOMEM},
    {"flink", open_name, I915_LIMIT_OBJECTS, FEW, 7, -ENOMEM},
    {"memory", make_memory, I915_LIMIT_MEMORY, FEW * 4096, FEW, -ENOMEM},
    /* The node has a default context, with an address space. */
    {"contexts", make_context, I915_LIMIT_CONTEXTS, FEW, FEW, -ENOSPC},
    {"address spaces", make_space, I915_LIMIT_CONTEXTS, FEW, FEW, -ENOSPC},
    {"requests", make_request, I915_LIMIT_REQUESTS, FEW, FEW, -ENOMEM},
    {"out fences", make_out_fence, I915_LIMIT_FILES, FEW, 5, -EMFILE},
    {"nodes", make_node, I915_LIMIT_FILES, FEW, 5, -EMFILE},
    {"timelines", make_timeline, I915_LIMIT_FILES, FEW, 5, -EMFILE},
    {"eventfds", make_event, I915_LIMIT_FILES, FEW, 5, -ENOMEM},
    {"merged fences", make_merge, I915_LIMIT_FILES, FEW, 5, -EMFILE},
    /* Two syncobjs, a point, a software fence and its sync_file are there. */
    {"syncobjs", make_syncobj, I915_LIMIT_SYNCOBJS, FEW, 3, -ENOMEM},
    {"points", make_point, I915_LIMIT_SYNCOBJS, FEW, 3, -ENOMEM},
    {"points moved", transfer_point, I915_LIMIT_SYNCOBJS, FEW, 3, -ENOMEM},
    {"points submitted", submit_point, I915_LIMIT_SYNCOBJS, FEW, 3, -ENOMEM},
    {"software fences", make_software_fence, I915_LIMIT_SYNCOBJS, FEW + 1, 2,
	-ENOMEM},
    {"fences of fences", make_merge, I915_LIMIT_SYNCOBJS, FEW, 3, -ENOMEM},
    {"syncobjs waited for", wait_long, I915_LIMIT_SYNCOBJS, FEW, 1, -ENOMEM},
    {"syncobj handles", import_syncobj, I915_LIMIT_SYNCOBJS, FEW, 7, -ENOMEM},
    {"exec list", list_objects, I915_LIMIT_ARRAY, FEW, FEW, -ENOMEM},
    {"relocations", list_relocations, I915_LIMIT_ARRAY, FEW, FEW, -ENOMEM},
    {"fence array", list_fences, I915_LIMIT_ARRAY, FEW, FEW, -ENOMEM},
    {"syncobj array", list_syncobjs, I915_LIMIT_ARRAY, FEW, FEW, -ENOMEM},
    {"query items", list_queries, I915_LIMIT_ARRAY, FEW, FEW, -ENOMEM},
};

/* A node with an object, two syncobjs, the first of which has a point that waits
 * for a software fence. */
static struct maker
make_all(struct i915_lab *lab)
{
	struct sw_sync_create_fence fence = {.value = 1};
	struct drm_syncobj_handle import = {.handle = 2,
	    .flags = DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE};
	struct drm_syncobj_transfer first = {
	    .src_handle = 2, .dst_handle = 1, .dst_point = 1};
	struct maker m = {.lab = lab,
	    .fd = uapi_open(lab, 0, "dev/dri/card0"),
	    .timeline = uapi_open(lab, 0, "dev/sw_sync"),
	    .event = eventfd(0, EFD_CLOEXEC)};
	uint32_t empty = 2;
	struct drm_syncobj_array reset = {
	    .handles = (uintptr_t)&empty, .count_handles = 1};

	uapi_create(lab, m.fd, 4096);
	assert_int_equal(make_syncobj(&m), 0);
	assert_int_equal(make_syncobj(&m), 0);
	assert_int_equal(
	    uapi_ioctl(lab, m.timeline,
		_IOWR(SW_SYNC_MAGIC, 0, struct sw_sync_create_fence), &fence),
	    0);
	m.fence = import.fd = fence.fence;
	assert_int_equal(
	    uapi_ioctl(lab, m.fd, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &import), 0);
	assert_int_equal(
	    uapi_ioctl(lab, m.fd, DRM_IOCTL_SYNCOBJ_TRANSFER, &first), 0);
	assert_int_equal(
	    uapi_ioctl(lab, m.fd, DRM_IOCTL_SYNCOBJ_RESET, &reset), 0);
	return m;
}

/* Makes things up to the limit. Returns how many. */
static int
make_many(struct maker *m, const struct row *row, int *error)
{
	int n = 0, rc;

	while ((rc = row->make(m)) >= 0 && n < MANY)
		n++;
	*error = rc;
	return n;
}

/* A program that keeps its limits, on a node of its own. */
static void
expect_others_are_served(struct i915_lab *lab)
{
	struct drm_i915_gem_exec_object2 object = {.handle = 1};
	struct drm_i915_gem_execbuffer2 arg = {
	    .buffers_ptr = (uintptr_t)&object, .buffer_count = 1};
	struct drm_i915_gem_create create = {.size = 4096};
	struct drm_syncobj_create syncobj = {0};
	int fd = uapi_open(lab, OTHER, "dev/dri/renderD128");

	assert_true(fd >= 0);
	assert_int_equal(
	    uapi_ioctl_on(lab, OTHER, fd, DRM_IOCTL_I915_GEM_CREATE, &create),
	    0);
	assert_int_equal(
	    uapi_ioctl_on(lab, OTHER, fd, DRM_IOCTL_SYNCOBJ_CREATE, &syncobj),
	    0);
	assert_int_equal(
	    uapi_ioctl_on(lab, OTHER, fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &arg),
	    0);
	uapi_close(lab, fd);
}

/* Closes all that the first program has. */
static void
close_files(struct i915_lab *lab, struct maker *m)
{
	for (size_t i = 0; i < lab->n_fds; i++)
		if (!lab->fds[i].closed)
			uapi_close(lab, lab->fds[i].fd);
	uapi_end_all(lab);
	close(m->event);
}

static void
try_row(const struct row *row)
{
	struct i915_lab *lab = calloc(1, sizeof(*lab));
	struct maker m;
	int error, n;

	i915_lab_init(lab);
	lab->config.kernel = I915_LINUX(6, 11);
	lab->config.limits[row->limit] = row->most;
	lab->threads[OTHER].caller.pid = 4712;
	i915_lab_start(lab);
	for (unsigned round = 0; round < 2; round++) {
		m = make_all(lab);
		n = make_many(&m, row, &error);
		if (n != row->n || error != row->error)
			fail_msg("%s, round %u: %d were made, then %d",
			    row->name, round, n, error);
		expect_others_are_served(lab);
		close_files(lab, &m);
	}
	i915_lab_free(lab);
	free(lab);
}

TEST(rows)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		try_row(&rows[i]);
}

/* A request counts as one for each 256 objects. */
TEST(large_requests)
{
	struct drm_i915_gem_exec_object2 *list = calloc(512, sizeof(*list));
	struct i915_lab *lab = calloc(1, sizeof(*lab));
	int fd;

	i915_lab_init(lab);
	lab->config.limits[I915_LIMIT_REQUESTS] = 5;
	i915_lab_start(lab);
	fd = uapi_open(lab, 0, "dev/dri/card0");
	for (unsigned i = 0; i < 512; i++)
		list[i].handle = uapi_create(lab, fd, 4096);
	assert_int_equal(uapi_submit(lab, fd, 0, 0, list, 512), 0);
	assert_int_equal(uapi_submit(lab, fd, 0, 0, list, 512), -ENOMEM);
	assert_int_equal(uapi_submit(lab, fd, 0, 0, list, 256), 0);
	uapi_end_all(lab);
	assert_int_equal(uapi_submit(lab, fd, 0, 0, list, 512), 0);
	uapi_end_all(lab);
	i915_lab_free(lab);
	free(lab);
	free(list);
}
