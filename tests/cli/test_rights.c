/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Programs that give up rights: what needs them is refused from then on, on the
 * open file that they had. The program is this one, which calls through libc and
 * the preload library. Rules: doc/model/i915.md "Context parameters".
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "device/i915/uapi.h"
#include "tests/runner/test.h"
#include "tests/support/gpuwl_run.h"
#include "tests/support/run_program.h"

#define NOBODY 65534

/* Functions of the C library that no header of it has. */
int capget(void *header, void *data);
int capset(void *header, const void *data);

static int
give_up_nice(void)
{
	struct __user_cap_header_struct header = {
	    .version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[2];

	if (capget(&header, data) != 0)
		return -1;
	data[0].effective &= ~(1u << CAP_SYS_NICE);
	return capset(&header, data);
}

/* Prints what a priority above 0 gives. */
static void
raise_priority(int fd)
{
	struct drm_i915_gem_context_param arg = {
	    .param = I915_CONTEXT_PARAM_PRIORITY, .value = 5};
	int rc = ioctl(fd, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &arg);

	printf("%d\n", rc == 0 ? 0 : errno);
}

static int
give_up(const char *what)
{
	int fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
	int rc = -1;

	raise_priority(fd);
	if (strcmp(what, "user") == 0)
		rc = setresuid(NOBODY, NOBODY, NOBODY);
	else if (strcmp(what, "effective") == 0)
		rc = seteuid(NOBODY);
	else if (strcmp(what, "capability") == 0)
		rc = give_up_nice();
	raise_priority(fd);
	return rc == 0 ? 0 : 1;
}

static void
expect_given_up(const char *what)
{
	struct outcome r;

	if (geteuid() != 0)
		skip_test("only root can be two users");
	allow_sanitizers();
	RUN(&r, "-q", test_runner(), ":rights", what);
	unsetenv("ASAN_OPTIONS");
	if (strcmp(r.out, "0\n1\n") != 0 || r.status != 0)
		fail_msg("%s: status %d: %s%s", what, r.status, r.out, r.err);
	outcome_free(&r);
}

TEST(user)
{
	expect_given_up("user");
	expect_given_up("effective");
}

TEST(capability)
{
	expect_given_up("capability");
}

ROLE(rights)
{
	return give_up(argv[1]);
}

FIXTURES(use_gpuwl_run, NULL);
