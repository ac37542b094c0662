/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dma-bufs of the virtual i915 in a program: poll(2) waits for the GPU, a
 * mapping ends with the object, and lseek(2) knows its two ends
 * (doc/model/i915.md "PRIME"). The program is this one, under gpuwl-run.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/i915/uapi.h"
#include "tests/runner/test.h"
#include "tests/support/folder.h"
#include "tests/support/gpuwl_run.h"
#include "tests/support/run_program.h"

#define PAGE    4096
#define ADDRESS (1u << 20)
#define END     0x05000000u

/* A batch that jumps to itself until its first command is END. */
static const uint32_t spinner[] = {0x02800000, 0x18800101, ADDRESS, 0};

static int
poll_for(int fd, short events, int ms)
{
	struct pollfd p = {.fd = fd, .events = events};
	int n = poll(&p, 1, ms);

	return n > 0 ? p.revents : n;
}

/* Returns a descriptor of an object whose batch runs; *map: its memory. */
static int
spin(int card, uint32_t **map)
{
	struct drm_i915_gem_create create = {.size = PAGE};
	struct drm_prime_handle prime = {.flags = DRM_RDWR | DRM_CLOEXEC};
	struct drm_i915_gem_exec_object2 object = {
	    .offset = ADDRESS, .flags = EXEC_OBJECT_PINNED};
	struct drm_i915_gem_execbuffer2 exec = {
	    .buffers_ptr = (uintptr_t)&object, .buffer_count = 1};

	if (ioctl(card, DRM_IOCTL_I915_GEM_CREATE, &create) != 0)
		return -1;
	prime.handle = object.handle = create.handle;
	if (ioctl(card, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime) != 0)
		return -1;
	*map = mmap(
	    NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, prime.fd, 0);
	if (*map == MAP_FAILED)
		return -1;
	memcpy(*map, spinner, sizeof spinner);
	if (ioctl(card, DRM_IOCTL_I915_GEM_EXECBUFFER2, &exec) != 0)
		return -1;
	return prime.fd;
}

static int
use_dma_buf(void)
{
	int card = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC), fd;
	uint32_t *map;

	if (card < 0 || (fd = spin(card, &map)) < 0)
		return 1;
	/* Its batch reads it. */
	printf("%d %d", poll_for(fd, POLLIN, 0) == POLLIN,
	    poll_for(fd, POLLOUT, 0));
	__atomic_store_n(map, END, __ATOMIC_RELEASE);
	printf(" %d\n", poll_for(fd, POLLOUT, -1) == POLLOUT);
	printf("%d %d %d\n", (int)lseek(fd, 0, SEEK_END),
	    (int)lseek(fd, 0, SEEK_SET), (int)lseek(fd, -1, SEEK_END));
	printf("%s\n", strerrorname_np(errno));
	errno = 0;
	map = mmap(NULL, PAGE + 1, PROT_READ, MAP_SHARED, fd, 0);
	printf("%d %s\n", map == MAP_FAILED, strerrorname_np(errno));
	return 0;
}

/* Writes an object that a batch of another process reads. */
static int
write_after(int fd)
{
	static const uint32_t end[] = {END, 0};
	int card = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
	struct drm_prime_handle prime = {.fd = fd};
	struct drm_i915_gem_create create = {.size = PAGE};
	struct drm_i915_gem_exec_object2 objects[] = {
	    {.offset = ADDRESS,
		.flags = EXEC_OBJECT_PINNED | EXEC_OBJECT_WRITE},
	    {.offset = 2 * ADDRESS, .flags = EXEC_OBJECT_PINNED}};
	struct drm_i915_gem_execbuffer2 exec = {
	    .buffers_ptr = (uintptr_t)objects, .buffer_count = 2};
	struct drm_i915_gem_pwrite write = {
	    .size = sizeof end, .data_ptr = (uintptr_t)end};

	if (ioctl(card, DRM_IOCTL_PRIME_FD_TO_HANDLE, &prime) != 0 ||
	    ioctl(card, DRM_IOCTL_I915_GEM_CREATE, &create) != 0)
		return 1;
	objects[0].handle = prime.handle;
	objects[1].handle = write.handle = create.handle;
	return ioctl(card, DRM_IOCTL_I915_GEM_PWRITE, &write) != 0 ||
	    ioctl(card, DRM_IOCTL_I915_GEM_EXECBUFFER2, &exec) != 0;
}

/* Two processes with one object. */
static int
share_dma_buf(void)
{
	int card = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC), fd, status;
	uint32_t *map;
	pid_t child;

	if (card < 0 || (fd = spin(card, &map)) < 0)
		return 1;
	child = fork();
	if (child == 0)
		_exit(write_after(fd));
	if (waitpid(child, &status, 0) != child || status != 0)
		return 2;
	__atomic_store_n(map, END, __ATOMIC_RELEASE);
	return poll_for(fd, POLLOUT, -1) == POLLOUT ? 0 : 3;
}

/* A capture cannot write that a process waits for another: it says how often. */
TEST(capture_of_shared)
{
	struct outcome r;
	char *first, *second;

	allow_sanitizers();
	RUN(&r, "-q", "--profile=tgl", "--capture=FILE.wsim", test_runner(),
	    ":dma_buf", "share");
	unsetenv("ASAN_OPTIONS");
	assert_int_equal(r.status, 0);
	first = read_whole("FILE.wsim", NULL);
	second = read_whole("FILE-2.wsim", NULL);
	if (strstr(first, "waited for other programs") != NULL)
		fail_msg("%s", first);
	if (strstr(second,
		"# left out: 1 batch that waited for other programs\n") == NULL)
		fail_msg("%s", second);
	free(first);
	free(second);
	outcome_free(&r);
	unlink("FILE.wsim");
	unlink("FILE-2.wsim");
}

TEST(dma_buf)
{
	struct outcome r;

	allow_sanitizers();
	RUN(&r, "-q", "--profile=tgl", test_runner(), ":dma_buf", "program");
	unsetenv("ASAN_OPTIONS");
	assert_string_equal(r.err, "");
	assert_string_equal(r.out, "1 0 1\n4096 0 -1\nEINVAL\n1 EINVAL\n");
	assert_int_equal(r.status, 0);
	outcome_free(&r);
}

ROLE(dma_buf)
{
	return strcmp(argv[1], "share") == 0 ? share_dma_buf() : use_dma_buf();
}

FIXTURES(use_gpuwl_run, NULL);
