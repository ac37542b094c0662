/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the preload library run in a program that it is loaded into, on a device
 * that their parent serves. */
#include <stdbool.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "device/wire/wire.h"
#include "tests/device/devices.h"
#include "tests/runner/test.h"
#include "tests/support/fake_i915.h"

bool test_around(char **argv, int *status);

bool
test_around(char **argv, int *status)
{
	struct fake_args args = {.argv = (const char *const *)argv};

	if (getenv(WIRE_SOCKET_VARIABLE) != NULL)
		return false;
	*status = fake_i915_run(&test_devices[0], &args);
	*status = WIFEXITED(*status) ? WEXITSTATUS(*status) : 1;
	return true;
}
