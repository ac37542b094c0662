/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The folder of files that shows a virtual i915: what is in it, and its end. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/text.h"
#include "device/wire/live.h"
#include "tests/device/devices.h"
#include "tests/runner/test.h"
#include "tests/support/folder.h"

#define PCI TREE_PCI_FOLDER

static char root[PATH_MAX];

/* Writes the tree of a device into a new folder and makes it the current one. */
static void
enter_tree(const struct tree_device *device)
{
	struct text err = {0};

	snprintf(root, sizeof root, "%s", test_path("tree"));
	assert_int_equal(mkdir(root, 0700), 0);
	if (!tree_write(root, device, &err))
		fail_msg("%s", text_str(&err));
	assert_int_equal(chdir(root), 0);
}

static void
leave_tree(void)
{
	struct text err = {0};

	assert_int_equal(chdir("/"), 0);
	if (!tree_remove(root, &err))
		fail_msg("%s", text_str(&err));
	assert_int_equal(access(root, F_OK), -1);
	assert_true(tree_remove(root, &err));
}

static void
expect_link(const char *path, const char *text)
{
	char buf[PATH_MAX] = "";

	assert_true(readlink(path, buf, sizeof buf - 1) > 0);
	assert_string_equal(buf, text);
}

/* A link, over others, leads to the same as path. */
static void
expect_same(const char *a, const char *b)
{
	char x[PATH_MAX], y[PATH_MAX];

	assert_non_null(realpath(a, x));
	assert_non_null(realpath(b, y));
	assert_string_equal(x, y);
}

TEST(links_lead_to_the_device)
{
	enter_tree(&test_devices[0]);
	expect_link("sys/dev/char/226:0/device", "../../../0000:00:02.0");
	expect_link(
	    "sys/dev/char/226:128/device/subsystem", "../../../bus/pci");
	expect_same("sys/dev/char/226:0", PCI "/drm/card0");
	expect_same("sys/dev/char/226:128/device", PCI);
	expect_same("sys/class/drm/renderD128", PCI "/drm/renderD128");
	expect_same("sys/bus/pci/devices/0000:00:02.0", PCI);
	expect_same("sys/bus/pci/drivers/i915/0000:00:02.0", PCI);
	expect_same(PCI "/driver", "sys/bus/pci/drivers/i915");
	expect_same(PCI "/subsystem", "sys/bus/pci");
	expect_same(PCI "/drm/card0/subsystem", "sys/class/drm");
	expect_same("sys/bus/event_source/devices/i915", "sys/devices/i915");
	expect_same("dev/dri/by-path/pci-0000:00:02.0-card", "dev/dri/card0");
	expect_same("sys/kernel/debug/dri/128", "sys/kernel/debug/dri/0");
	expect_same("sys/kernel/debug/sync/sw_sync", "dev/sw_sync");
	leave_tree();
}

TEST(contents)
{
	enter_tree(&test_devices[0]);
	expect_file(PCI "/device", "0x9a49\n");
	expect_file(PCI "/revision", "0x01\n");
	expect_file(PCI "/drm/renderD128/uevent",
	    "MAJOR=226\nMINOR=128\nDEVNAME=dri/renderD128\n"
	    "DEVTYPE=drm_minor\n");
	expect_file(PCI "/drm/card0/gt_max_freq_mhz", "1300\n");
	expect_file(PCI "/drm/card0/engine/vcs0/capabilities", "hevc sfc\n");
	expect_file(PCI "/drm/card0/engine/vcs1/capabilities", "hevc\n");
	expect_file(PCI "/drm/card0/engine/vcs1/mmio_base", "0x1d0000\n");
	expect_file(PCI "/drm/card0/engine/rcs0/.defaults/preempt_timeout_ms",
	    "7500\n");
	expect_file("sys/devices/i915/events/vcs1-sema", "config=0x2012\n");
	expect_file("sys/devices/i915/events/vecs0-busy", "config=0x3000\n");
	expect_file("sys/devices/i915/events/rcs0-wait.unit", "ns\n");
	expect_file("sys/module/i915/parameters/enable_guc", "0\n");
	expect_file("sys/module/i915/parameters/request_timeout_ms", "20000\n");
	leave_tree();
}

TEST(configuration_space)
{
	static const unsigned char head[12] = {
	    0x86, 0x80, 0x16, 0x59, 7, 4, 0x10, 0, 2, 0, 0, 3};
	size_t len;
	char *config;

	enter_tree(&test_devices[1]);
	config = read_whole(PCI "/config", &len);
	assert_int_equal(len, 256);
	assert_memory_equal(config, head, sizeof head);
	free(config);
	leave_tree();
}

TEST(live_files)
{
	struct stat st;

	enter_tree(&test_devices[0]);
	assert_int_equal(stat("dev/dri/renderD128", &st), 0);
	assert_true(wire_is_node(st.st_mode) && wire_is_live(st.st_mode));
	assert_int_equal(st.st_size, makedev(226, 128));
	assert_int_equal(st.st_blocks, 0);
	assert_int_equal(st.st_mode & 0777, 0660);
	assert_int_equal(stat(PCI "/resource0", &st), 0);
	assert_true(wire_is_live(st.st_mode) && !wire_is_node(st.st_mode));
	assert_int_equal(st.st_size, 16 << 20);
	assert_int_equal(
	    stat(PCI "/drm/card0/engine/rcs0/stop_timeout_ms", &st), 0);
	assert_true(wire_is_live(st.st_mode));
	assert_int_equal(
	    stat(PCI "/drm/card0/engine/rcs0/.defaults/stop_timeout_ms", &st),
	    0);
	assert_false(wire_is_live(st.st_mode));
	/* Where the device leaves it to the program. */
	expect_file(PCI "/drm/card0/engine/rcs0/stop_timeout_ms", "100\n");
	expect_file(PCI "/drm/card0/error", "No error state collected\n");
	leave_tree();
}

/* Whatever the user's mask is, which stays. */
TEST(modes)
{
	mode_t mask = umask(0077);
	struct stat st;

	enter_tree(&test_devices[0]);
	assert_int_equal(stat(PCI "/vendor", &st), 0);
	assert_int_equal(st.st_mode & 0777, 0444);
	assert_int_equal(stat(PCI "/drm/card0/engine/rcs0", &st), 0);
	assert_int_equal(st.st_mode & 0777, 0755);
	assert_int_equal(stat("sys/module/i915/parameters/reset", &st), 0);
	assert_int_equal(st.st_mode & 0777, 0644);
	assert_int_equal(
	    stat("sys/module/i915/parameters/request_timeout_ms", &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	leave_tree();
	assert_int_equal(umask(mask), 0077);
}

TEST(ivy_bridge_has_no_slices)
{
	enter_tree(&test_devices[2]);
	assert_int_equal(
	    access(PCI "/drm/card0/engine/rcs0/heartbeat_interval_ms", F_OK),
	    0);
	assert_int_equal(
	    access(PCI "/drm/card0/engine/rcs0/timeslice_duration_ms", F_OK),
	    -1);
	assert_int_equal(
	    access(PCI "/drm/card0/engine/rcs0/preempt_timeout_ms", F_OK), -1);
	assert_int_equal(access(PCI "/drm/card0/engine/vecs0", F_OK), -1);
	leave_tree();
}

TEST(errors)
{
	struct text err = {0};

	assert_false(tree_write("/nowhere/at/all", &test_devices[0], &err));
	assert_string_equal(
	    text_str(&err), "/nowhere/at/all: No such file or directory");
	text_clear(&err);

	/* A tree is not written over another. */
	enter_tree(&test_devices[0]);
	assert_false(tree_write(root, &test_devices[0], &err));
	assert_non_null(strstr(text_str(&err), "/dev/dri/card0: File exists"));
	text_free(&err);
	leave_tree();
}
