/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A GPU that is lost: a reset failed or there are none, and the driver refuses
 * all work from then on ("wedged"); or the device has gone. Both look like a ban
 * of a context, or of all that a file creates; a new file is not banned.
 */
#include "device/hardware/health.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "device/hardware/driver.h"
#include "device/hardware/hardware.h"

/* Opens the node and creates a context. Returns 0, -EIO: the GPU was given up, or
 * -errno of a device that does not answer. THROTTLE would wait for batches. */
static int
try_new_file(const struct hardware *hw)
{
	int fd = open(hw->facts.path, O_RDWR | O_CLOEXEC), rc;
	uint32_t id;

	if (fd < 0)
		return -errno;
	rc = driver_context_create(fd, NULL, &id);
	/* Generations before 6 have no contexts. */
	if (rc != -EIO && driver_getparam(fd, I915_PARAM_CHIPSET_ID) > 0)
		rc = 0;
	close(fd);
	return rc;
}

bool
hardware_works(const struct hardware *hw, struct text *err)
{
	int rc = try_new_file(hw);

	if (rc == -EIO)
		text_addf(err,
		    "%s: the GPU is lost: its driver has given it up after a "
		    "hang; expected a reset by `echo -1 > i915_wedged` as "
		    "root in its folder of /sys/kernel/debug/dri, or a reboot",
		    hw->facts.path);
	else if (rc == -ENODEV || rc == -ENXIO || rc == -ENOENT)
		text_addf(err, "%s: the GPU has gone: %s", hw->facts.path,
		    strerror(-rc));
	else
		return true;
	return false;
}
