/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/uapi_types.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "device/i915/uapi.h"

#define I915(name, layout)                                                     \
	{                                                                      \
#name, DRM_IOCTL_I915_##name,                                  \
		    _IOC_SIZE(DRM_IOCTL_I915_##name), layout                   \
	}
#define DRM(name, layout)                                                      \
	{                                                                      \
#name, DRM_IOCTL_##name, _IOC_SIZE(DRM_IOCTL_##name), layout   \
	}
#define OTHER(name, request, layout)                                           \
	{                                                                      \
		name, request, _IOC_SIZE(request), layout                      \
	}
#define STRUCT(name, type, layout)                                             \
	{                                                                      \
		name, 0, sizeof(type), layout                                  \
	}
/* Eight engines follow it. */
#define WITH_ENGINES(name, type, layout)                                       \
	{                                                                      \
		name, 0,                                                       \
		    sizeof(type) +                                             \
		    8 * sizeof(struct i915_engine_class_instance),             \
		    layout "e0:4 e1:4 e2:4 e3:4 e4:4 e5:4 e6:4 e7:4"           \
	}
#define EXTENSION                                                              \
	"next_extension:8 name:4 flags:4 rsvd0:4 rsvd1:4 rsvd2:4 rsvd3:4 "
#define EXECBUF                                                                \
	"buffers:8 n:4 batch_start_offset:4 batch_len:4 DR1:4 DR4:4 "          \
	"num_cliprects:4 cliprects_ptr:8 flags:8 ctx:8 fence_in:4 fence_out:4"
#define PARAM    "ctx_id:4 size:4 param:8 value:8"
#define VM       "extensions:8 flags:4 vm_id:4"
#define TILING   "handle:4 tiling_mode:4 stride:4 :4"
#define WAIT     "timeout_nsec:8 count_handles:4 flags:4 first_signaled:4 :4"
#define TIMELINE "handles:8 points:8 count_handles:4 flags:4"
#define SYNCOBJS "handles:8 count_handles:4 pad:4"
#define PRIME    "handle:4 flags:4 fd:4"
#define HANDLE   "handle:4 flags:4 fd:4 pad:4"

static const struct uapi_type types[] = {
    DRM(VERSION, "major:4 minor:4"),
    DRM(GET_UNIQUE, ":8"),
    DRM(GET_MAGIC, "magic:4"),
    DRM(AUTH_MAGIC, "magic:4"),
    DRM(SET_MASTER, ""),
    DRM(DROP_MASTER, ""),
    DRM(GET_CLIENT, "idx:4 auth:4 pid:8"),
    DRM(GET_STATS, ""),
    DRM(GET_CAP, "capability:8 value:8"),
    DRM(SET_CLIENT_CAP, "capability:8 value:8"),
    DRM(GEM_CLOSE, "handle:4 pad:4"),
    DRM(GEM_FLINK, "handle:4 name:4"),
    DRM(GEM_OPEN, "name:4 handle:4 size:8"),
    DRM(PRIME_HANDLE_TO_FD, PRIME),
    DRM(PRIME_FD_TO_HANDLE, PRIME),
    DRM(SYNCOBJ_CREATE, "handle:4 flags:4"),
    DRM(SYNCOBJ_DESTROY, "handle:4 pad:4"),
    DRM(SYNCOBJ_HANDLE_TO_FD, HANDLE),
    DRM(SYNCOBJ_FD_TO_HANDLE, HANDLE),
    DRM(SYNCOBJ_WAIT, "handles:8 " WAIT),
    DRM(SYNCOBJ_TIMELINE_WAIT, "handles:8 points:8 " WAIT),
    DRM(SYNCOBJ_RESET, SYNCOBJS),
    DRM(SYNCOBJ_SIGNAL, SYNCOBJS),
    DRM(SYNCOBJ_QUERY, TIMELINE),
    DRM(SYNCOBJ_TIMELINE_SIGNAL, TIMELINE),
    DRM(SYNCOBJ_TRANSFER,
	"src_handle:4 dst_handle:4 src_point:8 dst_point:8 flags:4 pad:4"),
    OTHER("SYNCOBJ_EVENTFD", DRM_IOWR(0xcf, struct i915_syncobj_eventfd),
	"handle:4 flags:4 point:8 fd:4 pad:4"),
    OTHER("UNKNOWN_3E", DRM_IO(0x3e), ""),
    OTHER("UNKNOWN_FF", DRM_IO(0xff), ""),
    OTHER("OF_ANOTHER_TYPE", _IO('e', 0), ""),
    OTHER("GETPARAM",
	DRM_IOWR(
	    DRM_COMMAND_BASE + DRM_I915_GETPARAM, struct drm_i915_getparam),
	"param:4 :4 value:8"),
    I915(GEM_CREATE, "size:8 handle:4 pad:4"),
    I915(GEM_CREATE_EXT, "size:8 handle:4 flags:4 extensions:8"),
    I915(GEM_PREAD, "handle:4 :4 offset:8 size:8 data_ptr:8"),
    I915(GEM_PWRITE, "handle:4 :4 offset:8 size:8 data_ptr:8"),
    I915(GEM_MMAP, "handle:4 :4 offset:8 size:8 addr_ptr:8 flags:8"),
    I915(GEM_MMAP_GTT, "handle:4 :4 offset:8"),
    I915(GEM_MMAP_OFFSET, "handle:4 :4 offset:8 flags:8 extensions:8"),
    I915(GEM_SET_DOMAIN, "handle:4 read_domains:4 write_domain:4"),
    I915(GEM_SW_FINISH, "handle:4"),
    I915(GEM_SET_TILING, TILING),
    I915(GEM_GET_TILING, TILING),
    I915(GEM_GET_APERTURE, ""),
    I915(GEM_MADVISE, "handle:4 madv:4 retained:4"),
    I915(GEM_SET_CACHING, "handle:4 caching:4"),
    I915(GEM_GET_CACHING, "handle:4 caching:4"),
    I915(GEM_USERPTR, "user_ptr:8 user_size:8 flags:4 handle:4"),
    I915(GEM_BUSY, "handle:4 busy:4"),
    I915(GEM_WAIT, "bo_handle:4 flags:4 timeout_ns:8"),
    I915(GEM_THROTTLE, ""),
    I915(GEM_EXECBUFFER2, EXECBUF),
    I915(GEM_EXECBUFFER2_WR, EXECBUF),
    I915(GEM_CONTEXT_CREATE, "ctx_id:4 pad:4"),
    I915(GEM_CONTEXT_CREATE_EXT, "ctx_id:4 flags:4 extensions:8"),
    I915(GEM_CONTEXT_DESTROY, "ctx_id:4 pad:4"),
    I915(GEM_CONTEXT_GETPARAM, PARAM),
    I915(GEM_CONTEXT_SETPARAM, PARAM),
    I915(GEM_VM_CREATE, VM),
    I915(GEM_VM_DESTROY, VM),
    I915(GET_RESET_STATS,
	"ctx_id:4 flags:4 reset_count:4 batch_active:4 batch_pending:4 pad:4"),
    I915(REG_READ, "offset:8 val:8"),
    I915(QUERY, "num_items:4 flags:4 items_ptr:8"),
    I915(PERF_OPEN, "flags:4"),
    I915(PERF_ADD_CONFIG, ""),
    I915(PERF_REMOVE_CONFIG, ""),
    OTHER("SYNC_MERGE", SYNC_IOC_MERGE, "name:8 :24 fd2:4 fence:4 flags:4"),
    OTHER("SYNC_FILE_INFO", SYNC_IOC_FILE_INFO,
	"name:8 :24 status:4 flags:4 num_fences:4 pad:4 fences:8"),
    OTHER("SYNC_UNKNOWN", _IO('>', 77), ""),
    OTHER("SW_SYNC_CREATE_FENCE",
	_IOWR(SW_SYNC_MAGIC, 0, struct sw_sync_create_fence),
	"value:4 name:8 :24 fence:4"),
    OTHER("SW_SYNC_INC", _IOW(SW_SYNC_MAGIC, 1, uint32_t), "value:4"),
    OTHER("SW_SYNC_UNKNOWN", _IO('W', 77), ""),
    STRUCT("u32", uint32_t, "value:4"),
    STRUCT("u64", uint64_t, "value:8"),
    STRUCT("page", char[4096], "w0:8 w1:8 w2:8 w3:8"),
    STRUCT("object", struct drm_i915_gem_exec_object2,
	"handle:4 relocation_count:4 relocs_ptr:8 alignment:8 offset:8 "
	"flags:8 pad_to_size:8 rsvd2:8"),
    STRUCT("relocation", struct drm_i915_gem_relocation_entry,
	"target_handle:4 delta:4 offset:8 presumed_offset:8 read_domains:4 "
	"write_domain:4"),
    STRUCT("fence", struct drm_i915_gem_exec_fence, "handle:4 flags:4"),
    STRUCT("timeline_fences",
	struct drm_i915_gem_execbuffer_ext_timeline_fences,
	EXTENSION "fence_count:8 handles:8 values:8"),
    STRUCT("extension", struct i915_user_extension, EXTENSION),
    STRUCT("regions", struct drm_i915_gem_create_ext_memory_regions,
	EXTENSION "pad:4 num_regions:4 regions:8"),
    STRUCT("region", struct drm_i915_gem_memory_class_instance,
	"class:2 instance:2"),
    STRUCT("protected", struct drm_i915_gem_create_ext_protected_content,
	EXTENSION "pad:4 ext_flags:4"),
    STRUCT("pat", struct i915_create_ext_set_pat, EXTENSION "pat_index:4"),
    STRUCT("setparam", struct drm_i915_gem_context_create_ext_setparam,
	EXTENSION PARAM),
    STRUCT("sseu", struct drm_i915_gem_context_param_sseu,
	"class:2 instance:2 flags:4 slice_mask:8 subslice_mask:8 "
	"min_eus:2 max_eus:2 rsvd:4"),
    STRUCT("query_item", struct drm_i915_query_item,
	"query_id:8 length:4 flags:4 data_ptr:8"),
    STRUCT("query_engines", char[512],
	"num_engines:4 :12 :168 class3:2 instance3:2 :20 logical3:2"),
    STRUCT("query_topology", char[512],
	":12 eu_offset:2 eu_stride:2 data0:1 data1:1"),
    WITH_ENGINES("map", uint64_t, "extensions:8 "),
    WITH_ENGINES("balance", struct i915_context_engines_load_balance,
	EXTENSION "index:2 num_siblings:2 ext_flags:4 mbz64:8 "),
    WITH_ENGINES("bond", struct i915_context_engines_bond,
	EXTENSION "master:4 virtual_index:2 num_bonds:2 ext_flags:8 :32 "),
    WITH_ENGINES("parallel", struct i915_context_engines_parallel_submit,
	EXTENSION
	"index:2 width:2 num_siblings:2 mbz16:2 ext_flags:8 :16 mbz64:8 "),
    STRUCT("sync_fence_info", struct sync_fence_info,
	"obj_name:8 :24 driver_name:8 :24 status:4 flags:4 timestamp_ns:8"),
};

const struct uapi_type *
uapi_type(const char *name)
{
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (strcmp(types[i].name, name) == 0)
			return &types[i];
	return NULL;
}

const struct case_field *
uapi_fields(const struct uapi_type *type)
{
	static struct case_field *known[sizeof types / sizeof *types];
	struct case_field **fields = &known[type - types];
	size_t n = 0, cap = 0, offset = 0;
	char *end;

	if (*fields != NULL)
		return *fields;
	for (const char *at = type->layout; *at != '\0'; at = end) {
		size_t len = strcspn(at, ":");
		size_t size = strtoul(at + len + 1, &end, 10);

		*fields = mem_grow(*fields, n, &cap, sizeof **fields);
		(*fields)[n++] = (struct case_field){
		    mem_strndup(at, len), offset, size};
		offset += size;
		end += *end == ' ';
	}
	*fields = mem_grow(*fields, n, &cap, sizeof **fields);
	(*fields)[n] = (struct case_field){0};
	/* Bytes at the end need no name. */
	if (offset > type->size) {
		fprintf(stderr, "%s has %zu bytes\n", type->name, type->size);
		abort();
	}
	return *fields;
}
