/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gpuwl-run and programs whose batches go wrong: the program is this one, which
 * submits them through libc and the preload library. Its engine is reset, it
 * learns of it, and the line about the hang says why.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmocka.h>

#include "device/i915/uapi.h"
#include "tests/support/gpuwl_run.h"
#include "tests/support/run_program.h"
#include "tests/support/skip.h"

#define BATCH_END 0x05000000u
#define TRIES     8

/* The jump leads nowhere; a type of headers is invalid; the command is not
 * known, and skipped. */
static const uint32_t jump[] = {0x18800101, 0xdead0000, 0},
		      invalid[] = {0x20000000},
		      unknown[] = {0x13800001, 0, 0, BATCH_END};

static const struct wild {
	const char *name;
	const uint32_t *dwords;
	size_t size;
} wilds[] = {
    {"jump", jump, sizeof jump},
    {"invalid", invalid, sizeof invalid},
    {"unknown", unknown, sizeof unknown},
};

/* A device that finds hangs soon. */
static const char quick[] = "[profile]\n"
			    "name = quick\n"
			    "scheduler = execlists\n"
			    "[platform]\n"
			    "generation = 12\n"
			    "[device]\n"
			    "RCS = 1\n"
			    "[timeouts]\n"
			    "preempt_timeout_ms = 5\n"
			    "preempt_timeout_compute_ms = 5\n"
			    "heartbeat_ms = 10\n";

/* Submits the batch until it is refused. Returns how often it was not, and
 * prints what the statistics say. */
static int
be_wild(const struct wild *wild)
{
	int fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
	struct drm_i915_gem_create create = {.size = 4096};
	struct drm_i915_reset_stats stats = {0};
	struct drm_i915_gem_exec_object2 object = {0};
	struct drm_i915_gem_execbuffer2 exec = {
	    .buffers_ptr = (uintptr_t)&object, .buffer_count = 1};
	struct drm_i915_gem_wait wait = {.timeout_ns = -1};
	struct drm_i915_gem_pwrite write = {
	    .size = wild->size, .data_ptr = (uintptr_t)wild->dwords};
	int n = 0;

	if (fd < 0 || ioctl(fd, DRM_IOCTL_I915_GEM_CREATE, &create) != 0)
		return -1;
	object.handle = wait.bo_handle = write.handle = create.handle;
	ioctl(fd, DRM_IOCTL_I915_GEM_PWRITE, &write);
	while (n < TRIES &&
	    ioctl(fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &exec) == 0) {
		ioctl(fd, DRM_IOCTL_I915_GEM_WAIT, &wait);
		n++;
	}
	printf("%s\n", n < TRIES ? strerrorname_np(errno) : "ok");
	ioctl(fd, DRM_IOCTL_I915_GET_RESET_STATS, &stats);
	printf("%u guilty\n", stats.batch_active);
	return n;
}

static void
run_wild(struct outcome *r, const char *name)
{
	char self[4096] = "";

	write_file("quick.ini", quick);
	assert_true(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
	/* The preload library comes before that of the sanitizers. */
	setenv("ASAN_OPTIONS", "verify_asan_link_order=0:detect_leaks=0", 1);
	RUN(r, "--profile=./quick.ini", self, name);
	unsetenv("ASAN_OPTIONS");
}

/* Three hangs ban a context: the fourth batch is EIO. */
static void
expect_hangs(const char *name, const char *reason)
{
	struct outcome r;

	run_wild(&r, name);
	assert_string_equal(r.out, "EIO\n3 guilty\n");
	assert_int_equal(r.status, 3);
	if (strstr(r.err, reason) == NULL ||
	    strstr(r.err, "; 3 hangs\n") == NULL)
		fail_msg("%s", r.err);
	outcome_free(&r);
}

static void
test_a_jump_to_nowhere(void **state)
{
	(void)state;
	expect_hangs("jump",
	    "; page fault at 0x0000dead0000: no memory is there to fetch "
	    "commands from");
}

static void
test_an_invalid_command(void **state)
{
	(void)state;
	expect_hangs("invalid", "; invalid command 0x20000000 at 0x");
}

static void
test_an_unknown_command(void **state)
{
	struct outcome r;

	(void)state;
	run_wild(&r, "unknown");
	assert_string_equal(r.out, "ok\n0 guilty\n");
	assert_non_null(strstr(r.err,
	    "batches contain a command that is not known here: 0x13800001; it "
	    "is skipped\n"));
	outcome_free(&r);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_a_jump_to_nowhere),
	    cmocka_unit_test(test_an_invalid_command),
	    cmocka_unit_test(test_an_unknown_command),
	};

	for (size_t i = 0; argc > 1 && i < sizeof wilds / sizeof *wilds; i++)
		if (strcmp(argv[1], wilds[i].name) == 0)
			return be_wild(&wilds[i]);
	return cmocka_run_group_tests(tests, use_gpuwl_run, NULL);
}
