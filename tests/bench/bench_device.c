/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How fast the virtual i915 answers a program: this one again, under gpuwl-run.
 * An empty batch that is submitted and waited for, beside the round trip of a
 * bare socket; and empty batches that are not waited for, beside a function
 * call.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <libdrm/i915_drm.h>

#include "base/nsec.h"
#include "tests/bench/bench.h"

#define BATCH_END 0x05000000u
#define ROUNDS    20001
#define BATCHES   200000

static void
check(bool ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	exit(1);
}

/* A request and its answer, of the size of a small ioctl's. */
static void
measure_socket(void)
{
	size_t n = bench_count(ROUNDS) | 1;
	double *us = calloc(n, sizeof(*us));
	char message[104] = {0};
	int ends[2];

	check(us != NULL, "memory");
	check(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) == 0, "socket");
	if (fork() == 0) {
		close(ends[0]);
		while (read(ends[1], message, sizeof(message)) > 0)
			check(write(ends[1], message, 32) == 32, "write");
		_exit(0);
	}
	close(ends[1]);
	for (size_t i = 0; i < n; i++) {
		nsec from = clock_wall();

		check(write(ends[0], message, sizeof(message)) > 0, "write");
		check(read(ends[0], message, sizeof(message)) > 0, "read");
		us[i] = (double)(clock_wall() - from) / 1e3;
	}
	close(ends[0]);
	wait(NULL);
	bench_print("socket_round_trip", bench_median(us, n), "us");
	free(us);
}

static __attribute__((noinline)) uint32_t
bare_call(uint32_t n)
{
	__asm__ volatile("" : "+r"(n));
	return n + 1;
}

static void
measure_call(void)
{
	uint64_t n = bench_count(100000000);
	uint32_t sum = 0;
	double from = bench_clock();

	for (uint64_t i = 0; i < n; i++)
		sum = bare_call(sum);
	bench_print(
	    "function_calls", (double)n / (bench_clock() - from), "calls/s");
}

/* The program. */

static uint32_t
make_empty_batch(int fd)
{
	struct drm_i915_gem_create create = {.size = 4096};
	struct drm_i915_gem_mmap_offset offset = {.flags = I915_MMAP_OFFSET_WB};
	uint32_t *code;

	check(ioctl(fd, DRM_IOCTL_I915_GEM_CREATE, &create) == 0, "create");
	offset.handle = create.handle;
	check(ioctl(fd, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &offset) == 0, "mmap");
	code = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
	    (off_t)offset.offset);
	check(code != MAP_FAILED, "mmap");
	*code = BATCH_END;
	return create.handle;
}

static void
submit_empty(int fd, uint32_t handle)
{
	struct drm_i915_gem_exec_object2 object = {.handle = handle};
	struct drm_i915_gem_execbuffer2 exec = {
	    .buffers_ptr = (uintptr_t)&object, .buffer_count = 1};

	check(ioctl(fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &exec) == 0, "submit");
}

static void
await_empty(int fd, uint32_t handle)
{
	struct drm_i915_gem_wait wait = {.bo_handle = handle, .timeout_ns = -1};

	check(ioctl(fd, DRM_IOCTL_I915_GEM_WAIT, &wait) == 0, "wait");
}

static void
measure_device(void)
{
	int fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
	size_t n = bench_count(ROUNDS) | 1;
	uint64_t batches = bench_count(BATCHES);
	double *us = calloc(n, sizeof(*us));
	uint32_t handle;
	nsec from;

	check(fd >= 0, "/dev/dri/renderD128");
	check(us != NULL, "memory");
	handle = make_empty_batch(fd);
	for (size_t i = 0; i < n; i++) {
		from = clock_wall();
		submit_empty(fd, handle);
		await_empty(fd, handle);
		us[i] = (double)(clock_wall() - from) / 1e3;
	}
	bench_print("i915_batch_waited_for", bench_median(us, n), "us");
	from = clock_wall();
	for (uint64_t i = 0; i < batches; i++)
		submit_empty(fd, handle);
	await_empty(fd, handle);
	bench_print("i915_batches",
	    (double)batches * 1e9 / (double)(clock_wall() - from), "batches/s");
	free(us);
}

/* Runs this program again on a virtual i915, which the gpuwl-run of the same
 * build is. */
static int
run_on_device(void)
{
	char self[PATH_MAX], run[PATH_MAX + 32];
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	pid_t child;
	int status;

	check(len > 0, "/proc/self/exe");
	self[len] = '\0';
	snprintf(run, sizeof(run), "%.*s/../../gpuwl-run",
	    (int)(strrchr(self, '/') - self), self);
	fflush(stdout);
	child = fork();
	if (child == 0) {
		execl(run, run, "--own", "-q", self, "device", (char *)NULL);
		check(false, run);
	}
	check(waitpid(child, &status, 0) == child, "wait");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int
main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "device") == 0) {
		measure_device();
		return 0;
	}
	measure_socket();
	measure_call();
	return run_on_device();
}
