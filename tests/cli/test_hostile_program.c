/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Programs whose memory is not what they said: it is gone, protected, cut off, or
 * never comes. The program is this one, which calls through libc and the preload
 * library; its calls or batches fail, or it is ended, and the device goes on.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "device/i915/uapi.h"
#include "tests/support/gpuwl_run.h"
#include "tests/support/run_program.h"
#include "tests/support/skip.h"

#define PAGE      4096
#define SKIPPED   77
#define BATCH_END 0x05000000u

/* Programs. */

static int
open_node(void)
{
	return open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
}

/* Past the preload library, whose threads would wait in the device's place. */
static int
hidden_userfaultfd(void)
{
	long fd = -1;

#ifdef __x86_64__
	__asm__ volatile("syscall"
			 : "=a"(fd)
			 : "0"((long)SYS_userfaultfd), "D"((long)O_CLOEXEC)
			 : "rcx", "r11", "memory");
#endif
	return (int)fd;
}

/* Returns a page whose faults are read from fd. */
static void *
page_of_faults(int fd)
{
	struct uffdio_api api = {.api = UFFD_API};
	struct uffdio_register range = {
	    .range.len = PAGE, .mode = UFFDIO_REGISTER_MODE_MISSING};
	void *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	range.range.start = (uintptr_t)page;
	if (fd < 0 || ioctl(fd, UFFDIO_API, &api) != 0 ||
	    ioctl(fd, UFFDIO_REGISTER, &range) != 0)
		exit(SKIPPED);
	return page;
}

/* Returns a page whose fault nothing handles: it waits for ever. */
static void *
page_that_never_comes(void)
{
	return page_of_faults(hidden_userfaultfd());
}

/* Submits the batch in a page, and waits for its end. Returns the errno of the
 * submission, or minus the number of hangs that the context is guilty of. */
static int
run_page(int fd, uint32_t handle)
{
	struct drm_i915_reset_stats stats = {0};
	struct drm_i915_gem_exec_object2 object = {.handle = handle};
	struct drm_i915_gem_execbuffer2 exec = {
	    .buffers_ptr = (uintptr_t)&object, .buffer_count = 1};
	struct drm_i915_gem_wait wait = {.bo_handle = handle, .timeout_ns = -1};

	if (ioctl(fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &exec) != 0)
		return errno;
	ioctl(fd, DRM_IOCTL_I915_GEM_WAIT, &wait);
	ioctl(fd, DRM_IOCTL_I915_GET_RESET_STATS, &stats);
	return -(int)stats.batch_active;
}

static uint32_t
handle_of(int fd, void *page)
{
	struct drm_i915_gem_userptr arg = {
	    .user_ptr = (uintptr_t)page, .user_size = PAGE};

	if (ioctl(fd, DRM_IOCTL_I915_GEM_USERPTR, &arg) != 0)
		exit(1);
	return arg.handle;
}

/* A batch in memory of which the program then takes something away. */
static void *
new_page(int *file)
{
	uint32_t *page;

	*file = memfd_create("batch", MFD_CLOEXEC);
	if (ftruncate(*file, PAGE) != 0)
		exit(1);
	page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, *file, 0);
	page[0] = BATCH_END;
	return page;
}

static void
take_away(const char *how, void *page, int file)
{
	if (strcmp(how, "unmapped") == 0)
		munmap(page, PAGE);
	else if (strcmp(how, "truncated") == 0 && ftruncate(file, 0) != 0)
		exit(1);
	else if (strcmp(how, "protected") == 0)
		mprotect(page, PAGE, PROT_NONE);
}

/* Prints what becomes of a batch. */
static int
be_without(const char *how)
{
	int file, fd = open_node();
	void *page = new_page(&file);
	uint32_t handle = handle_of(fd, page);

	printf("%d\n", run_page(fd, handle));
	take_away(how, page, file);
	printf("%d\n", run_page(fd, handle));
	return 0;
}

/* A child waits for what never comes; then its parent runs a batch. */
static int
be_slow(bool batch)
{
	int file, status, fd;
	pid_t child = fork();

	if (child == 0) {
		fd = open_node();
		if (batch)
			run_page(fd, handle_of(fd, page_that_never_comes()));
		else
			ioctl(fd, DRM_IOCTL_VERSION,
			    &(struct drm_version){.name_len = 4,
				.name = page_that_never_comes()});
		_exit(0);
	}
	waitpid(child, &status, 0);
	if (WIFEXITED(status) && WEXITSTATUS(status) == SKIPPED)
		return SKIPPED;
	printf("%s\n", WIFSIGNALED(status) ? "killed" : "lives");
	fd = open_node();
	printf("%d\n", run_page(fd, handle_of(fd, new_page(&file))));
	return 0;
}

struct low {
	int fd, result;
	uint32_t handle;
};

static void *
run_low(void *data)
{
	struct low *low = data;

	low->result = run_page(low->fd, low->handle);
	return NULL;
}

/* A batch waits for a fault that the program handles after another batch. */
static int
be_served(void)
{
	static const uint32_t batch[PAGE / 4] = {BATCH_END};
	int file, faults = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
	void *page = page_of_faults(faults);
	struct low low = {.fd = open_node()};
	struct uffdio_copy copy = {.src = (uintptr_t)batch, .len = PAGE};
	struct uffd_msg fault;
	pthread_t thread;

	low.handle = handle_of(low.fd, page);
	pthread_create(&thread, NULL, run_low, &low);
	if (read(faults, &fault, sizeof fault) != sizeof fault)
		return 1;
	printf("%d\n", run_page(low.fd, handle_of(low.fd, new_page(&file))));
	copy.dst = fault.arg.pagefault.address;
	ioctl(faults, UFFDIO_COPY, &copy);
	pthread_join(thread, NULL);
	printf("%d\n", low.result);
	return 0;
}

/* Tests. */

static void
run_hostile(struct outcome *r, const char *name)
{
	static const char quick[] =
	    "[profile]\nname = quick\nscheduler = execlists\n"
	    "[platform]\ngeneration = 12\n[device]\nRCS = 1\n"
	    "[timeouts]\npreempt_timeout_ms = 5\n"
	    "preempt_timeout_compute_ms = 5\nheartbeat_ms = 10\n";
	char self[4096] = "";

	write_file("quick.ini", quick);
	assert_true(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
	/* The preload library comes before that of the sanitizers. */
	setenv("ASAN_OPTIONS", "verify_asan_link_order=0:detect_leaks=0", 1);
	RUN(r, "--profile=./quick.ini", self, name);
	unsetenv("ASAN_OPTIONS");
}

/* The first batch is good, the second one EFAULT or blamed. */
static void
test_memory_that_is_taken_away(void **state)
{
	static const struct {
		const char *how, *out;
	} rows[] = {
	    {"unmapped", "0\n14\n"},
	    {"truncated", "0\n-1\n"},
	    {"protected", "0\n0\n"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct outcome r;

		run_hostile(&r, rows[i].how);
		if (strcmp(r.out, rows[i].out) != 0 || r.status != 0)
			fail_msg("%s: %s%s", rows[i].how, r.out, r.err);
		outcome_free(&r);
	}
}

static void
expect_it_is_ended(const char *name)
{
	struct outcome r;

	run_hostile(&r, name);
	if (r.status == SKIPPED)
		skip_test("userfaultfd is not permitted");
	assert_string_equal(r.out, "killed\n0\n");
	assert_non_null(strstr(r.err, " was killed: the device waited"));
	assert_int_equal(r.status, 0);
	outcome_free(&r);
}

static void
test_a_batch_that_never_comes(void **state)
{
	(void)state;
	expect_it_is_ended("batch");
}

/* doc/model/i915.md "Limits" */
static void
test_faults_that_the_program_handles(void **state)
{
	struct outcome r;

	(void)state;
	run_hostile(&r, "served");
	if (r.status == SKIPPED)
		skip_test("userfaultfd is not permitted");
	assert_string_equal(r.out, "0\n0\n");
	assert_int_equal(r.status, 0);
	outcome_free(&r);
}

static void
test_an_argument_that_never_comes(void **state)
{
	(void)state;
	expect_it_is_ended("argument");
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_memory_that_is_taken_away),
	    cmocka_unit_test(test_a_batch_that_never_comes),
	    cmocka_unit_test(test_an_argument_that_never_comes),
	    cmocka_unit_test(test_faults_that_the_program_handles),
	};

	if (argc == 2 && strcmp(argv[1], "batch") == 0)
		return be_slow(true);
	if (argc == 2 && strcmp(argv[1], "argument") == 0)
		return be_slow(false);
	if (argc == 2 && strcmp(argv[1], "served") == 0)
		return be_served();
	if (argc == 2)
		return be_without(argv[1]);
	return cmocka_run_group_tests_name(
	    "hostile_program", tests, use_gpuwl_run, NULL);
}
