/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of ioctls. The kernel looks at the number only, not at the size or
 * the direction that a program was built with: doc/model/i915.md "Ioctls".
 */
#include "device/i915/ioctls.h"

#include <errno.h>
#include <sys/ioctl.h>

#include "device/i915/uapi.h"

#define ROW(request, ...) [_IOC_NR(request)] = {(request), __VA_ARGS__}

/* Where the headers' structure is one of pointers, or of an older kernel. */
#define GETPARAM          DRM_IOWR(DRM_COMMAND_BASE + DRM_I915_GETPARAM, uint64_t[2])
#define MMAP_OFFSET       DRM_IOCTL_I915_GEM_MMAP_OFFSET
#define CONTEXT_CREATE    DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT
#define EXECBUFFER2       DRM_IOCTL_I915_GEM_EXECBUFFER2_WR
#define SYNCOBJ_EVENTFD   DRM_IOWR(0xcf, struct i915_syncobj_eventfd)
#define SYNC_SET_DEADLINE _IOW(SYNC_IOC_MAGIC, 5, struct i915_set_deadline)

/* For render nodes and cards, but those with `true` for cards only. */
static const struct i915_ioctl drm_table[] = {
    ROW(DRM_IOCTL_VERSION, i915_version, false, 0),
    ROW(DRM_IOCTL_GET_UNIQUE, i915_get_unique, true, 0),
    ROW(DRM_IOCTL_GET_MAGIC, i915_get_magic, true, 0),
    ROW(DRM_IOCTL_GET_CLIENT, i915_get_client, true, 0),
    ROW(DRM_IOCTL_GET_STATS, i915_get_stats, true, 0),
    ROW(DRM_IOCTL_AUTH_MAGIC, i915_auth_magic, true, 0),
    ROW(DRM_IOCTL_SET_MASTER, i915_set_master, true, 0),
    ROW(DRM_IOCTL_DROP_MASTER, i915_drop_master, true, 0),
    ROW(DRM_IOCTL_GET_CAP, i915_get_cap, false, 0),
    ROW(DRM_IOCTL_SET_CLIENT_CAP, i915_set_client_cap, true, 0),
    ROW(DRM_IOCTL_GEM_CLOSE, i915_gem_close, false, 0),
    ROW(DRM_IOCTL_GEM_FLINK, i915_gem_flink, true, 0),
    ROW(DRM_IOCTL_GEM_OPEN, i915_gem_open, true, 0),
    ROW(DRM_IOCTL_PRIME_HANDLE_TO_FD, i915_prime_to_fd, false, 0),
    ROW(DRM_IOCTL_PRIME_FD_TO_HANDLE, i915_prime_from_fd, false, 0),
    ROW(DRM_IOCTL_SYNCOBJ_CREATE, i915_syncobj_create, false, 0),
    ROW(DRM_IOCTL_SYNCOBJ_DESTROY, i915_syncobj_destroy, false, 0),
    ROW(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, i915_syncobj_to_fd, false, 0),
    ROW(DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, i915_syncobj_from_fd, false, 0),
    ROW(DRM_IOCTL_SYNCOBJ_WAIT, i915_syncobj_wait, false, 0),
    ROW(DRM_IOCTL_SYNCOBJ_RESET, i915_syncobj_reset, false, 0),
    ROW(DRM_IOCTL_SYNCOBJ_SIGNAL, i915_syncobj_signal, false, 0),
    ROW(DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, i915_syncobj_timeline_wait, false, 0),
    ROW(DRM_IOCTL_SYNCOBJ_QUERY, i915_syncobj_query, false, 0),
    ROW(DRM_IOCTL_SYNCOBJ_TRANSFER, i915_syncobj_transfer, false, 0),
    ROW(DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, i915_syncobj_timeline_signal, false,
	0),
    ROW(SYNCOBJ_EVENTFD, i915_syncobj_eventfd, false, I915_LINUX(6, 6)),
    ROW(GETPARAM, i915_getparam, false, 0),
    ROW(DRM_IOCTL_I915_GEM_BUSY, i915_gem_busy, false, 0),
    ROW(DRM_IOCTL_I915_GEM_THROTTLE, i915_gem_throttle, false, 0),
    ROW(DRM_IOCTL_I915_GEM_CREATE, i915_gem_create, false, 0),
    ROW(DRM_IOCTL_I915_GEM_CREATE_EXT, i915_gem_create_ext, false, 0),
    ROW(DRM_IOCTL_I915_GEM_PREAD, i915_gem_pread, false, 0),
    ROW(DRM_IOCTL_I915_GEM_PWRITE, i915_gem_pwrite, false, 0),
    ROW(DRM_IOCTL_I915_GEM_MMAP, i915_gem_mmap, false, 0),
    ROW(MMAP_OFFSET, i915_gem_mmap_offset, false, 0),
    ROW(DRM_IOCTL_I915_GEM_SET_DOMAIN, i915_gem_set_domain, false, 0),
    ROW(DRM_IOCTL_I915_GEM_SW_FINISH, i915_gem_sw_finish, false, 0),
    ROW(DRM_IOCTL_I915_GEM_SET_TILING, i915_gem_set_tiling, false, 0),
    ROW(DRM_IOCTL_I915_GEM_GET_TILING, i915_gem_get_tiling, false, 0),
    ROW(DRM_IOCTL_I915_GEM_GET_APERTURE, i915_gem_get_aperture, false, 0),
    ROW(DRM_IOCTL_I915_GEM_MADVISE, i915_gem_madvise, false, 0),
    ROW(EXECBUFFER2, i915_gem_execbuffer2, false, 0),
    ROW(DRM_IOCTL_I915_GEM_WAIT, i915_gem_wait, false, 0),
    ROW(CONTEXT_CREATE, i915_gem_context_create, false, 0),
    ROW(DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, i915_gem_context_destroy, false, 0),
    ROW(DRM_IOCTL_I915_GEM_SET_CACHING, i915_gem_set_caching, false, 0),
    ROW(DRM_IOCTL_I915_GEM_GET_CACHING, i915_gem_get_caching, false, 0),
    ROW(DRM_IOCTL_I915_REG_READ, i915_reg_read, false, 0),
    ROW(DRM_IOCTL_I915_GET_RESET_STATS, i915_gem_reset_stats, false, 0),
    ROW(DRM_IOCTL_I915_GEM_USERPTR, i915_gem_userptr, false, 0),
    ROW(DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM, i915_gem_context_getparam, false,
	0),
    ROW(DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, i915_gem_context_setparam, false,
	0),
    ROW(DRM_IOCTL_I915_PERF_OPEN, i915_perf_refused, false, 0),
    ROW(DRM_IOCTL_I915_PERF_ADD_CONFIG, i915_perf_config_refused, false, 0),
    ROW(DRM_IOCTL_I915_PERF_REMOVE_CONFIG, i915_perf_config_refused, false, 0),
    ROW(DRM_IOCTL_I915_QUERY, i915_query, false, 0),
    ROW(DRM_IOCTL_I915_GEM_VM_CREATE, i915_gem_vm_create, false, 0),
    ROW(DRM_IOCTL_I915_GEM_VM_DESTROY, i915_gem_vm_destroy, false, 0),
};

static const struct i915_ioctl sync_file_table[] = {
    ROW(SYNC_IOC_MERGE, i915_sync_merge, false, 0),
    ROW(SYNC_IOC_FILE_INFO, i915_sync_file_info, false, 0),
    ROW(SYNC_SET_DEADLINE, i915_sync_deadline, false, I915_LINUX(6, 6)),
};

static const struct i915_ioctl sw_sync_table[] = {
    {_IOWR(SW_SYNC_MAGIC, 0, struct sw_sync_create_fence), i915_sw_create_fence,
	false, 0},
    {_IOW(SW_SYNC_MAGIC, 1, uint32_t), i915_sw_increment, false, 0},
    {_IOWR(SW_SYNC_MAGIC, 2, struct sw_sync_deadline), i915_sw_deadline, false,
	I915_LINUX(6, 6)},
};

static const struct i915_ioctl dma_buf_table[] = {
    ROW(DMA_BUF_IOCTL_SYNC, i915_dma_buf_sync, false, 0),
    ROW(DMA_BUF_SET_NAME_B, i915_dma_buf_set_name, false, 0),
    ROW(DMA_BUF_IOCTL_EXPORT_SYNC_FILE, i915_dma_buf_export, false,
	I915_LINUX(6, 0)),
    ROW(DMA_BUF_IOCTL_IMPORT_SYNC_FILE, i915_dma_buf_import, false,
	I915_LINUX(6, 0)),
};

/* ENABLE, DISABLE, REFRESH, RESET. */
static const struct i915_ioctl perf_table[] = {
    {_IO('$', 0), i915_perf_ioctl, false, 0},
    {_IO('$', 1), i915_perf_ioctl, false, 0},
    {_IO('$', 2), i915_perf_ioctl, false, 0},
    {_IO('$', 3), i915_perf_ioctl, false, 0},
};

#define TABLE(kind, type, table, unknown)                                      \
	{                                                                      \
		kind, type, table, sizeof(table) / sizeof((table)[0]), unknown \
	}

/* By what the descriptor is: the type of its ioctls, and the error of one that
 * is not known. */
static const struct {
	char kind, type;
	const struct i915_ioctl *rows;
	size_t n;
	int unknown;
} ioctl_tables[] = {
    TABLE(MARK_DRM, DRM_IOCTL_BASE, drm_table, -EINVAL),
    TABLE(MARK_FENCE, SYNC_IOC_MAGIC, sync_file_table, -ENOTTY),
    TABLE(MARK_TIMELINE, SW_SYNC_MAGIC, sw_sync_table, -ENOTTY),
    TABLE(MARK_PERF, '$', perf_table, -ENOTTY),
    TABLE('b', DMA_BUF_BASE, dma_buf_table, WIRE_NOT_MINE),
};

const struct i915_ioctl *
i915_ioctl_find(
    const struct i915 *dev, char kind, unsigned request, int *unknown)
{
	*unknown = -ENOTTY;
	for (size_t i = 0; i < sizeof(ioctl_tables) / sizeof(ioctl_tables[0]);
	     i++) {
		const struct i915_ioctl *row;

		if (ioctl_tables[i].kind != kind)
			continue;
		if ((char)_IOC_TYPE(request) != ioctl_tables[i].type) {
			if (kind == 'b')
				*unknown = WIRE_NOT_MINE;
			return NULL;
		}
		*unknown = ioctl_tables[i].unknown;
		if (_IOC_NR(request) >= ioctl_tables[i].n)
			return NULL;
		row = &ioctl_tables[i].rows[_IOC_NR(request)];
		return row->serve && dev->config->kernel >= row->kernel ? row
									: NULL;
	}
	return NULL;
}
