/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Programs whose memory is not what they said: it is gone, protected, cut off, or
 * never comes. The program is this one, which calls through libc and the preload
 * library; its calls or batches fail, or it is ended, and the device goes on.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/i915/uapi.h"
#include "tests/runner/test.h"
#include "tests/support/gpuwl_run.h"
#include "tests/support/run_program.h"

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

/* Submits a loop in memory of this process, and ends when it runs. */
static void
leave_loop(int fd, uint32_t context)
{
	int file;
	volatile uint32_t *page = new_page(&file);
	struct drm_i915_gem_exec_object2 object = {
	    .handle = handle_of(fd, (void *)page),
	    .offset = 1 << 20,
	    .flags = EXEC_OBJECT_PINNED};
	struct drm_i915_gem_execbuffer2 exec = {
	    .buffers_ptr = (uintptr_t)&object,
	    .buffer_count = 1,
	    .rsvd1 = context};
	static const uint32_t loop[] = {0x02800000, /* MI_ARB_CHECK */
	    0x10000002, (1 << 20) + PAGE / 2, 0, 1, /* MI_STORE_DATA_IMM */
	    0x18800101, 1 << 20, 0};                /* MI_BATCH_BUFFER_START */

	for (size_t i = 0; i < sizeof loop / sizeof *loop; i++)
		page[i] = loop[i];
	if (ioctl(fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &exec) != 0)
		_exit(1);
	while (page[PAGE / 8] == 0)
		sched_yield();
	_exit(0);
}

/* Prints what becomes of a batch of a child that has ended, and of another one. */
static int
be_bereft(void)
{
	int file, status, fd = open_node();
	struct drm_i915_gem_context_create context = {0};
	struct drm_i915_gem_context_param persistence = {
	    .param = I915_CONTEXT_PARAM_PERSISTENCE};
	struct drm_i915_reset_stats stats = {0};
	struct drm_i915_gem_busy busy = {.handle = 1};
	struct drm_i915_gem_wait end = {.bo_handle = 1, .timeout_ns = -1};

	ioctl(fd, DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &context);
	persistence.ctx_id = stats.ctx_id = context.ctx_id;
	ioctl(fd, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &persistence);
	if (fork() == 0)
		leave_loop(fd, context.ctx_id);
	wait(&status);
	printf("%d\n", run_page(fd, handle_of(fd, new_page(&file))));
	ioctl(fd, DRM_IOCTL_I915_GEM_BUSY, &busy);
	ioctl(fd, DRM_IOCTL_I915_GET_RESET_STATS, &stats);
	printf(
	    "%s, %u hangs\n", busy.busy ? "busy" : "idle", stats.batch_active);
	ioctl(fd, DRM_IOCTL_I915_GEM_CONTEXT_DESTROY,
	    &(struct drm_i915_gem_context_destroy){.ctx_id = context.ctx_id});
	printf("%d\n", ioctl(fd, DRM_IOCTL_I915_GEM_WAIT, &end));
	return status;
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

/* Makes a call whose answer goes to a page. */
static void
ask_version(int fd, void *page)
{
	ioctl(fd, DRM_IOCTL_VERSION,
	    &(struct drm_version){.name_len = 4, .name = page});
}

static void
be_slow_batch(void)
{
	int fd = open_node();

	run_page(fd, handle_of(fd, page_that_never_comes()));
}

static void
be_slow_argument(void)
{
	ask_version(open_node(), page_that_never_comes());
}

/* Its faults stay with another process, which handles none and lives on. */
static void
be_held(void)
{
	int fd = open_node(), faults = hidden_userfaultfd();
	void *page = page_of_faults(faults);

	if (fork() == 0)
		for (;;)
			pause();
	ask_version(fd, page);
}

/* serve_file() does not answer opens, either. */
static volatile bool opens_no_more;

/* Answers what opens a file of one page, which is a file system of its own (FUSE),
 * and never a read. */
static void *
serve_file(void *data)
{
	static _Alignas(8) char in[1 << 17];
	const struct fuse_in_header *h = (void *)in;
	struct fuse_attr attr = {
	    .ino = 1, .size = PAGE, .mode = S_IFREG | 0600, .nlink = 1};
	struct {
		struct fuse_out_header h;
		union {
			struct fuse_init_out init;
			struct fuse_attr_out attr;
			struct fuse_open_out open;
		};
	} out;
	int fd = *(int *)data;

	while (read(fd, in, sizeof(in)) > 0) {
		memset(&out, 0, sizeof(out));
		out.h.unique = h->unique;
		out.h.len = sizeof(out.h);
		if (h->opcode == FUSE_READ ||
		    (h->opcode == FUSE_OPEN && opens_no_more))
			continue;
		if (h->opcode == FUSE_INIT) {
			out.init.major = FUSE_KERNEL_VERSION;
			out.init.minor = FUSE_KERNEL_MINOR_VERSION;
			out.init.max_write = PAGE;
			out.h.len = sizeof(out.h) + sizeof(out.init);
		} else if (h->opcode == FUSE_GETATTR) {
			out.attr.attr = attr;
			out.h.len = sizeof(out.h) + sizeof(out.attr);
		} else if (h->opcode == FUSE_OPEN) {
			out.open.open_flags = FOPEN_NOFLUSH;
			out.h.len = sizeof(out.h) + sizeof(out.open);
		}
		if (write(fd, &out, out.h.len) < 0)
			exit(1);
	}
	return NULL;
}

/* Opens a file that the process serves itself. */
static int
open_slow(void)
{
	static int device;
	char options[100];
	pthread_t thread;

	device = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	snprintf(options, sizeof(options),
	    "fd=%d,rootmode=100600,user_id=%u,group_id=%u", device,
	    (unsigned)getuid(), (unsigned)getgid());
	close(open("slow", O_CREAT | O_RDWR | O_CLOEXEC, 0600));
	if (device < 0 || unshare(CLONE_NEWNS) != 0 ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
	    mount("slow", "slow", "fuse", MS_NOSUID | MS_NODEV, options) != 0)
		exit(SKIPPED);
	pthread_create(&thread, NULL, serve_file, &device);
	return open("slow", O_RDWR | O_CLOEXEC);
}

/* Returns a page of that file. */
static void *
slow_page(void)
{
	int file = open_slow();
	struct stat st;
	void *page;

	/* Its size is asked for now. */
	fstat(file, &st);
	page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
	close(file);
	return page;
}

static void
be_slow_file(void)
{
	int fd = open_node();

	ask_version(fd, slow_page());
}

/* The device opens what a program passes, to see whether it is an object. */
static void
be_slow_descriptor(void)
{
	int fd = open_node();
	struct drm_prime_handle prime = {.fd = open_slow()};

	opens_no_more = true;
	ioctl(fd, DRM_IOCTL_PRIME_FD_TO_HANDLE, &prime);
}

/* A child waits for what never comes; then its parent runs a batch. */
static int
be_slow(void (*child_does)(void))
{
	int file, status, fd;
	pid_t child = fork();

	if (child == 0) {
		child_does();
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

/* The first batch is good, the second one EFAULT or blamed. */
TEST(memory_that_is_taken_away)
{
	static const struct {
		const char *how, *out;
	} rows[] = {
	    {"unmapped", "0\n14\n"},
	    {"truncated", "0\n-1\n"},
	    {"protected", "0\n0\n"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct outcome r;

		run_role(&r, ":hostile_program", rows[i].how);
		if (strcmp(r.out, rows[i].out) != 0 || r.status != 0)
			fail_msg("%s: %s%s", rows[i].how, r.out, r.err);
		outcome_free(&r);
	}
}

/* Its memory ends with the process: no page fault (doc/model/virtual.md "Faults"). */
TEST(batch_of_a_process_that_has_ended)
{
	struct outcome r;

	run_role(&r, ":hostile_program", "bereft");
	assert_string_equal(r.out, "0\nbusy, 0 hangs\n0\n");
	assert_non_null(strstr(r.err, "; 0 hangs"));
	assert_int_equal(r.status, 0);
	outcome_free(&r);
}

static void
expect_it_is_ended(const char *name, const char *skips)
{
	struct outcome r;

	run_role(&r, ":hostile_program", name);
	if (r.status == SKIPPED)
		skip_test(skips);
	assert_string_equal(r.out, "killed\n0\n");
	assert_non_null(strstr(r.err, " was killed: the device waited"));
	assert_int_equal(r.status, 0);
	outcome_free(&r);
}

TEST(a_batch_that_never_comes)
{
	expect_it_is_ended("batch", "userfaultfd is not permitted");
}

/* doc/model/i915.md "Limits" */
TEST(faults_that_the_program_handles)
{
	struct outcome r;

	run_role(&r, ":hostile_program", "served");
	if (r.status == SKIPPED)
		skip_test("userfaultfd is not permitted");
	assert_string_equal(r.out, "0\n0\n");
	assert_int_equal(r.status, 0);
	outcome_free(&r);
}

TEST(an_argument_that_never_comes)
{
	expect_it_is_ended("argument", "userfaultfd is not permitted");
}

TEST(faults_that_another_process_holds)
{
	expect_it_is_ended("held", "userfaultfd is not permitted");
}

TEST(a_file_that_is_never_read)
{
	expect_it_is_ended("file", "no file system may be mounted");
	expect_it_is_ended("descriptor", "no file system may be mounted");
}

ROLE(hostile_program)
{
	if (strcmp(argv[1], "batch") == 0)
		return be_slow(be_slow_batch);
	if (strcmp(argv[1], "argument") == 0)
		return be_slow(be_slow_argument);
	if (strcmp(argv[1], "file") == 0)
		return be_slow(be_slow_file);
	if (strcmp(argv[1], "descriptor") == 0)
		return be_slow(be_slow_descriptor);
	if (strcmp(argv[1], "held") == 0)
		return be_slow(be_held);
	if (strcmp(argv[1], "bereft") == 0)
		return be_bereft();
	if (strcmp(argv[1], "served") == 0)
		return be_served();
	return be_without(argv[1]);
}

FIXTURES(use_gpuwl_run, NULL);
