/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Programs with the preload library before a little device: libdrm finds the
 * nodes of three devices, intel_gpu_top and lsgpu name them; what a program sees
 * when the device refuses it or goes.
 */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <xf86drm.h>

#include "tests/device/devices.h"
#include "tests/runner/test.h"
#include "tests/support/fake_i915.h"
#include "tests/support/folder.h"

static char out_path[4096], err_path[4096];

/* Runs argv before device; returns its output, to be freed. */
static char *
output_of(
    const struct tree_device *device, const char *const *argv, bool refuse)
{
	struct fake_args args = {.argv = argv,
	    .preload = true,
	    .refuse = refuse,
	    .output = out_path,
	    .errors = err_path};
	int status = fake_i915_run(device, &args);

	if (status != 0)
		fail_msg("%s: status 0x%x: %s", argv[0], (unsigned)status,
		    read_whole(err_path, NULL));
	return read_whole(out_path, NULL);
}

/* This program, in another role. */
static char *
output_of_self(const struct tree_device *device, const char *role, bool refuse)
{
	const char *const argv[] = {
	    "/proc/self/exe", ":i915_programs", role, NULL};

	return output_of(device, argv, refuse);
}

static int
list_devices(void)
{
	drmDevicePtr devices[8];
	int n = drmGetDevices2(DRM_DEVICE_GET_PCI_REVISION, devices, 8);

	for (int i = 0; i < n; i++) {
		const drmDevice *d = devices[i];

		printf("%s %s %04x:%02x:%02x.%x %04x:%04x rev %d\n",
		    d->nodes[DRM_NODE_PRIMARY], d->nodes[DRM_NODE_RENDER],
		    d->businfo.pci->domain, d->businfo.pci->bus,
		    d->businfo.pci->dev, d->businfo.pci->func,
		    d->deviceinfo.pci->vendor_id, d->deviceinfo.pci->device_id,
		    d->deviceinfo.pci->revision_id);
	}
	drmFreeDevices(devices, n);
	return n == 1 ? 0 : 1;
}

/* A device by its descriptor, as Mesa asks for it. */
static int
ask_descriptor(void)
{
	int fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
	drmDevicePtr d;
	char *name = drmGetDeviceNameFromFd2(fd);

	if (fd < 0 || drmGetDevice2(fd, 0, &d) != 0)
		return 1;
	printf("%s type %d node %s\n", name, drmGetNodeTypeFromFd(fd),
	    d->nodes[DRM_NODE_RENDER]);
	free(name);
	drmFreeDevice(&d);
	close(fd);
	return 0;
}

TEST(libdrm_finds_each_device)
{
	static const char *const ids[] = {
	    "8086:9a49 rev 1", "8086:5916 rev 2", "8086:0166 rev 9"};
	char expected[256], *out;

	for (size_t i = 0; i < 3; i++) {
		out = output_of_self(&test_devices[i], "devices", false);
		snprintf(expected, sizeof expected,
		    "/dev/dri/card0 /dev/dri/renderD128 0000:00:02.0 %s\n",
		    ids[i]);
		assert_string_equal(out, expected);
		free(out);
	}
}

TEST(libdrm_knows_an_open_node)
{
	char *out = output_of_self(&test_devices[0], "descriptor", false);

	assert_string_equal(
	    out, "/dev/dri/renderD128 type 2 node /dev/dri/renderD128\n");
	free(out);
}

/* Prints errno of what a program would do. */
static int
open_twice(void)
{
	for (int i = 0; i < 2; i++) {
		int fd = open("/dev/dri/card0", O_RDWR);

		printf("%s\n", fd < 0 ? strerror(errno) : "opened");
	}
	return 0;
}

TEST(refusal_is_said_once)
{
	char *out = output_of_self(&test_devices[0], "open", true);

	assert_string_equal(out, "No such device\nNo such device\n");
	expect_file(
	    err_path, "gpuwl: kernel.yama.ptrace_scope is 3: not served\n");
	free(out);
}

static int
lose_device(void)
{
	int fd = open("/dev/dri/card0", O_RDWR);
	struct fake_bytes bytes = {{0}};

	printf("%s\n", ioctl(fd, FAKE_QUIT) != 0 ? strerror(errno) : "done");
	printf("%s\n",
	    ioctl(fd, FAKE_ECHO, &bytes) != 0 ? strerror(errno) : "done");
	return open_twice();
}

TEST(device_that_goes)
{
	char *out = output_of_self(&test_devices[0], "lose", false);

	assert_string_equal(out,
	    "Input/output error\nNo such device\n"
	    "No such device\nNo such device\n");
	expect_file(err_path, "gpuwl: the virtual GPU has gone\n");
	free(out);
}

TEST(intel_gpu_top_lists_it)
{
	static const char *const argv[] = {"intel_gpu_top", "-L", NULL};
	static const char *const names[] = {"Intel Tigerlake (Gen12)",
	    "Intel Kabylake (Gen9)", "Intel Ivybridge (Gen7)"};
	char *out;

	if (system("command -v intel_gpu_top >/dev/null") != 0)
		skip_test("intel_gpu_top is not installed");
	for (size_t i = 0; i < 3; i++) {
		out = output_of(&test_devices[i], argv, false);
		if (strstr(out, names[i]) == NULL ||
		    strstr(out, "renderD128") == NULL)
			fail_msg("%s", out);
		free(out);
	}
}

TEST(lsgpu_lists_it)
{
	static const char *const argv[] = {"lsgpu", "-p", NULL};
	char *out;

	if (system("command -v lsgpu >/dev/null") != 0)
		skip_test("lsgpu is not installed");
	out = output_of(&test_devices[1], argv, false);
	assert_non_null(strstr(out,
	    "drm:/sys/devices/pci0000:00/0000:00:02.0"
	    "/drm/card0 "));
	assert_non_null(strstr(out,
	    "codename                        : "
	    "kabylake\n"));
	assert_non_null(strstr(out,
	    "DRIVER                          : "
	    "i915\n"));
	/* The error state is not captured by looking at names. */
	assert_null(strstr(out, "No error state"));
	free(out);
}

/* A user who looks around. */
TEST(shell_in_the_tree)
{
	static const char *const argv[] = {"sh", "-c",
	    "cd /sys/class/drm/card0/engine && cat rcs0/preempt_timeout_ms"
	    " rcs0/name && ls -l /dev/dri",
	    NULL};
	char *out = output_of(&test_devices[0], argv, false);

	/* The first is the device's answer, not the tree's text. */
	assert_memory_equal(out, "No error state collected\nrcs0\n", 30);
	assert_non_null(strstr(out, "crw-rw----"));
	assert_non_null(strstr(out, "226, 128"));
	expect_file(err_path, "");
	free(out);
}

static int
play(const char *role)
{
	if (strcmp(role, "devices") == 0)
		return list_devices();
	if (strcmp(role, "descriptor") == 0)
		return ask_descriptor();
	if (strcmp(role, "lose") == 0)
		return lose_device();
	return open_twice();
}

static int
name_outputs(void **state)
{
	(void)state;
	snprintf(out_path, sizeof out_path, "%s", test_path("out"));
	snprintf(err_path, sizeof err_path, "%s", test_path("err"));
	return 0;
}

ROLE(i915_programs)
{
	return play(argv[1]);
}

FIXTURES(name_outputs, NULL);
