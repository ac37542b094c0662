/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions that serve ioctls, by the file that has them. */
#ifndef DEVICE_I915_IOCTLS_H
#define DEVICE_I915_IOCTLS_H

#include "device/i915/device.h"

/* drm.c */
i915_ioctl_fn i915_version, i915_get_unique, i915_get_cap, i915_set_client_cap;
i915_ioctl_fn i915_perf_refused, i915_perf_config_refused;
/* master.c */
i915_ioctl_fn i915_get_magic, i915_auth_magic, i915_get_client, i915_get_stats;
i915_ioctl_fn i915_set_master, i915_drop_master;
/* gem.c */
i915_ioctl_fn i915_gem_create, i915_gem_create_ext, i915_gem_close;
i915_ioctl_fn i915_gem_flink, i915_gem_open, i915_gem_pread, i915_gem_pwrite;
/* object_map.c */
i915_ioctl_fn i915_gem_mmap, i915_gem_mmap_offset;
/* gem_domain.c */
i915_ioctl_fn i915_gem_set_domain, i915_gem_sw_finish, i915_gem_madvise;
i915_ioctl_fn i915_gem_set_tiling, i915_gem_get_tiling, i915_gem_get_aperture;
i915_ioctl_fn i915_gem_set_caching, i915_gem_get_caching, i915_gem_userptr;
/* implicit.c, wait.c */
i915_ioctl_fn i915_gem_busy, i915_gem_wait, i915_gem_throttle;
/* getparam.c, query.c */
i915_ioctl_fn i915_getparam, i915_reg_read, i915_query;
/* context.c, context_param.c */
i915_ioctl_fn i915_gem_context_create, i915_gem_context_destroy;
i915_ioctl_fn i915_gem_context_setparam, i915_gem_context_getparam;
i915_ioctl_fn i915_gem_reset_stats, i915_gem_vm_create, i915_gem_vm_destroy;
/* execbuf.c */
i915_ioctl_fn i915_gem_execbuffer2;
/* prime.c */
i915_ioctl_fn i915_prime_to_fd, i915_prime_from_fd;
i915_ioctl_fn i915_dma_buf_sync, i915_dma_buf_export, i915_dma_buf_import;
i915_ioctl_fn i915_dma_buf_set_name;
/* syncobj.c, syncobj_wait.c, syncobj_event.c */
i915_ioctl_fn i915_syncobj_create, i915_syncobj_destroy, i915_syncobj_reset;
i915_ioctl_fn i915_syncobj_signal, i915_syncobj_timeline_signal;
i915_ioctl_fn i915_syncobj_query, i915_syncobj_wait, i915_syncobj_transfer;
i915_ioctl_fn i915_syncobj_timeline_wait, i915_syncobj_eventfd;
i915_ioctl_fn i915_syncobj_to_fd, i915_syncobj_from_fd;
/* sync_file.c, sw_sync.c, pmu.c */
i915_ioctl_fn i915_sync_merge, i915_sync_file_info, i915_sync_deadline;
i915_ioctl_fn i915_sw_create_fence, i915_sw_increment, i915_sw_deadline;
i915_ioctl_fn i915_perf_ioctl;

#endif
