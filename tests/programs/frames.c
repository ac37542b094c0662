/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program with video frames on the virtual i915 (tests/cli/capture_frames.cases): each
 * argument is a batch, in the order of which all are repeated. dN decodes a picture of
 * N macroblocks, eN codes one (AVC), hN decodes one of HEVC, r is a batch without a frame
 * on RCS; the program waits for each. The first argument is the number of turns.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include <i915_drm.h>

#define MFX_PIPE_MODE_SELECT 0x70000003
#define MFX_AVC_IMG_STATE    0x71000000
#define MFD_AVC_BSD_OBJECT   0x71280000
#define HCP_PIPE_MODE_SELECT 0x73800002
#define HCP_PIC_STATE        0x73900004
#define HCP_BSD_OBJECT       0x73a00000
#define CODES                0x10
#define BATCH_END            0x05000000

static int fd;

static void
call(unsigned long request, void *arg)
{
	if (ioctl(fd, request, arg) != 0) {
		perror("frames");
		exit(1);
	}
}

/* Writes the commands of a batch. */
static void
write_batch(uint32_t *to, char kind, uint32_t macroblocks)
{
	uint32_t avc[] = {MFX_PIPE_MODE_SELECT, kind == 'e' ? CODES : 0, 0, 0,
	    0, MFX_AVC_IMG_STATE, macroblocks, MFD_AVC_BSD_OBJECT, 0,
	    BATCH_END};
	/* One row of blocks of 16 x 16. */
	uint32_t hevc[] = {HCP_PIPE_MODE_SELECT, 0, 0, 0, HCP_PIC_STATE,
	    macroblocks - 1, 1, 0, 0, 0, HCP_BSD_OBJECT, 0, BATCH_END};
	uint32_t other[] = {0, BATCH_END};

	if (kind == 'r')
		memcpy(to, other, sizeof other);
	else if (kind == 'h')
		memcpy(to, hevc, sizeof hevc);
	else
		memcpy(to, avc, sizeof avc);
}

static uint32_t
make_batch(char kind, uint32_t macroblocks)
{
	struct drm_i915_gem_create create = {.size = 4096};
	struct drm_i915_gem_mmap_offset offset = {.flags = I915_MMAP_OFFSET_WC};
	void *memory;

	call(DRM_IOCTL_I915_GEM_CREATE, &create);
	offset.handle = create.handle;
	call(DRM_IOCTL_I915_GEM_MMAP_OFFSET, &offset);
	memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
	    (off_t)offset.offset);
	if (memory == MAP_FAILED) {
		perror("frames: mmap");
		exit(1);
	}
	write_batch(memory, kind, macroblocks);
	return create.handle;
}

static void
run_batch(char kind, uint32_t handle)
{
	struct drm_i915_gem_exec_object2 object = {.handle = handle};
	struct drm_i915_gem_execbuffer2 exec = {
	    .buffers_ptr = (uintptr_t)&object,
	    .buffer_count = 1,
	    .flags = kind == 'r' ? I915_EXEC_RENDER
				 : I915_EXEC_BSD | I915_EXEC_BSD_RING1};
	struct drm_i915_gem_wait wait = {.bo_handle = handle, .timeout_ns = -1};

	call(DRM_IOCTL_I915_GEM_EXECBUFFER2, &exec);
	call(DRM_IOCTL_I915_GEM_WAIT, &wait);
}

int
main(int argc, char **argv)
{
	uint32_t handles[16];
	int n = argc > 1 ? atoi(argv[1]) : 0;

	fd = open("/dev/dri/renderD128", O_RDWR);
	if (fd < 0 || argc - 2 > 16) {
		perror("frames");
		return 1;
	}
	for (int i = 2; i < argc; i++)
		handles[i - 2] = make_batch(
		    *argv[i], (uint32_t)atoi(argv[i] + 1));
	for (int turn = 0; turn < n; turn++)
		for (int i = 2; i < argc; i++)
			run_batch(*argv[i], handles[i - 2]);
	return 0;
}
