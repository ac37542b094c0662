/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gpuwl-run and programs whose batches go wrong: the program is this one, which
 * submits them through libc and the preload library. Its engine is reset, it
 * learns of it, and the line about the hang says why.
 */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>

#include <dlfcn.h>
#include <poll.h>

#include "device/i915/uapi.h"
#include "tests/runner/test.h"
#include "tests/support/gpuwl_run.h"
#include "tests/support/run_program.h"

#define BATCH_END 0x05000000u
#define TRIES     8
#define SKIPPED   77

/* The jump leads nowhere; a type of headers is invalid; the command is not
 * known, and skipped; a register is polled, with arbitration off, that holds 1. */
static const uint32_t jump[] = {0x18800101, 0xdead0000, 0},
		      invalid[] = {0x20000000},
		      unknown[] = {0x13800001, 0, 0, BATCH_END},
		      poll_register[] = {0x04000000, 0x11000001, 0x7008, 1,
			  0x0e01c002, 0, 0x7008, 0, BATCH_END};

static const struct wild {
	const char *name;
	const uint32_t *dwords;
	size_t size;
} wilds[] = {
    {"jump", jump, sizeof jump},
    {"invalid", invalid, sizeof invalid},
    {"unknown", unknown, sizeof unknown},
    {"register", poll_register, sizeof poll_register},
};

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

/* Libudev, which is found when the program runs: its functions are those of the
 * preload library then, as they would be if it was linked. */
static struct {
	void *(*udev_new)(void);
	void *(*udev_monitor_new_from_netlink)(void *udev, const char *name);
	int (*udev_monitor_filter_add_match_subsystem_devtype)(
	    void *monitor, const char *subsystem, const char *devtype);
	int (*udev_monitor_enable_receiving)(void *monitor);
	int (*udev_monitor_get_fd)(void *monitor);
	void *(*udev_monitor_receive_device)(void *monitor);
	void *(*udev_monitor_unref)(void *monitor);
	const char *(*udev_device_get_action)(void *device);
	const char *(*udev_device_get_sysname)(void *device);
	const char *(*udev_device_get_property_value)(
	    void *device, const char *key);
	void *(*udev_device_unref)(void *device);
} ud;

static bool
find_udev(void)
{
	bool ok = dlopen("libudev.so.1", RTLD_NOW | RTLD_GLOBAL) != NULL;

#define FIND(name)                                                             \
	ok = ok && (*(void **)&ud.name = dlsym(RTLD_DEFAULT, #name)) != NULL
	FIND(udev_new);
	FIND(udev_monitor_new_from_netlink);
	FIND(udev_monitor_filter_add_match_subsystem_devtype);
	FIND(udev_monitor_enable_receiving);
	FIND(udev_monitor_get_fd);
	FIND(udev_monitor_receive_device);
	FIND(udev_monitor_unref);
	FIND(udev_device_get_action);
	FIND(udev_device_get_sysname);
	FIND(udev_device_get_property_value);
	FIND(udev_device_unref);
	return ok;
}

/* Prints the next event of the monitor. */
static void
print_event(void *monitor)
{
	static const char *const keys[] = {"ERROR", "RESET"};
	struct pollfd fd = {
	    .fd = ud.udev_monitor_get_fd(monitor), .events = POLLIN};
	void *device;

	poll(&fd, 1, -1);
	device = ud.udev_monitor_receive_device(monitor);
	printf("%s %s", ud.udev_device_get_action(device),
	    ud.udev_device_get_sysname(device));
	for (size_t i = 0; i < 2; i++) {
		const char *value = ud.udev_device_get_property_value(
		    device, keys[i]);

		if (value != NULL)
			printf(" %s=%s", keys[i], value);
	}
	putchar('\n');
	ud.udev_device_unref(device);
}

/* Listens while its batches hang. */
static int
listen_to_hangs(void)
{
	void *monitor;

	if (!find_udev())
		return SKIPPED;
	monitor = ud.udev_monitor_new_from_netlink(ud.udev_new(), "udev");
	ud.udev_monitor_filter_add_match_subsystem_devtype(
	    monitor, "drm", "drm_minor");
	ud.udev_monitor_enable_receiving(monitor);
	be_wild(&wilds[0]);
	for (int i = 0; i < 6; i++)
		print_event(monitor);
	ud.udev_monitor_unref(monitor);
	return 0;
}

/* Three hangs ban a context: the fourth batch is EIO. */
static void
expect_hangs(const char *name, const char *reason)
{
	struct outcome r;

	run_role(&r, ":wild_program", name);
	assert_string_equal(r.out, "EIO\n3 guilty\n");
	assert_int_equal(r.status, 3);
	if (strstr(r.err, reason) == NULL ||
	    strstr(r.err, "; 3 hangs\n") == NULL)
		fail_msg("%s", r.err);
	outcome_free(&r);
}

TEST(a_jump_to_nowhere)
{
	expect_hangs("jump",
	    "; page fault at 0x0000dead0000: no memory is there to fetch "
	    "commands from");
}

TEST(an_invalid_command)
{
	expect_hangs("invalid", "; invalid command 0x20000000 at 0x");
}

TEST(an_unknown_command)
{
	struct outcome r;

	run_role(&r, ":wild_program", "unknown");
	assert_string_equal(r.out, "ok\n0 guilty\n");
	assert_non_null(strstr(r.err,
	    "batches contain a command that is not known here: 0x13800001; it "
	    "is skipped\n"));
	outcome_free(&r);
}

/* It is said when the batch comes to the poll, before it is found to hang. */
TEST(a_poll_that_never_ends)
{
	const char *line;
	struct outcome r;

	run_role(&r, ":wild_program", "register");
	assert_string_equal(r.out, "EIO\n3 guilty\n");
	expect_match(r.err,
	    "^gpuwl-run: RCS: batch of all \\(pid [0-9]+\\) never "
	    "ends: it polls register 0x7008, which nothing else writes: found "
	    "0x1, wanted == 0x0\n");
	line = strstr(r.err, "never ends");
	assert_true(line < strstr(r.err, "hang: "));
	outcome_free(&r);
}

/* doc/model/i915_files.md "Uevents" */
TEST(a_monitor_hears_of_hangs)
{
	struct outcome r;

	run_role(&r, ":wild_program", "monitor");
	if (r.status == SKIPPED)
		skip_test("no libudev.so.1");
	assert_string_equal(r.out,
	    "EIO\n3 guilty\n"
	    "change card0 ERROR=1\nchange card0 RESET=1\n"
	    "change card0 ERROR=0\nchange card0 ERROR=1\n"
	    "change card0 RESET=1\nchange card0 ERROR=0\n");
	outcome_free(&r);
}

ROLE(wild_program)
{
	if (strcmp(argv[1], "monitor") == 0)
		return listen_to_hangs();
	for (size_t i = 0; i < sizeof wilds / sizeof *wilds; i++)
		if (strcmp(argv[1], wilds[i].name) == 0)
			return be_wild(&wilds[i]);
	return 2;
}

FIXTURES(use_gpuwl_run, NULL);
