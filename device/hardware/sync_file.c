/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sync files by their ioctls: libsync is in no library. */
#include "device/hardware/sync_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stddef.h>

#include <linux/sync_file.h>

#include "device/hardware/driver.h"
#include "device/hardware/hardware.h"

int
sync_merge(int a, int b)
{
	struct sync_merge_data arg = {.name = "gpuwl-top", .fd2 = b};
	int rc = driver_ioctl(a, SYNC_IOC_MERGE, &arg);

	return rc != 0 ? rc : arg.fence;
}

int
sync_ask(int fd, struct sync_info *info)
{
	struct sync_fence_info fence = {0};
	struct sync_file_info file = {
	    .num_fences = 1, .sync_fence_info = (uintptr_t)&fence};
	int rc = driver_ioctl(fd, SYNC_IOC_FILE_INFO, &file);

	/* Several: their state counts, their times do not matter. */
	if (rc == -EINVAL) {
		file.num_fences = 0;
		rc = driver_ioctl(fd, SYNC_IOC_FILE_INFO, &file);
	}
	if (rc != 0)
		return rc;
	*info = (struct sync_info){
	    .signalled = file.status != 0,
	    .error = file.status < 0 ? file.status : 0,
	    .time_ns = fence.timestamp_ns,
	};
	return 0;
}

int
sync_wait(int fd, nsec until)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	struct sync_info info;
	int n, rc;

	do {
		nsec now = hardware_now();

		n = poll(&p, 1,
		    now < until ? (int)((until - now) / NSEC_PER_MSEC) + 1 : 0);
	} while (n < 0 && errno == EINTR);
	if (n == 0)
		return -ETIME;
	rc = n < 0 ? -errno : sync_ask(fd, &info);
	return rc != 0 ? rc : info.error;
}
